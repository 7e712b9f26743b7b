//! The search field's index: what every section of the pages says.
//!
//! It is a script, not data that a script asks a server for, so that the site can be searched where it lies in a folder. It is loaded
//! when the field is used.

use std::fmt::Write;

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::page::Page;

/// What the field runs.
pub const SCRIPT: &str = include_str!("search.js");

/// The sections of all pages.
#[derive(Default)]
pub struct Index {
    sections: Vec<Section>,
}

/// What stands under a heading.
struct Section {
    /// Where it is, from the root of the site.
    to: String,
    title: String,
    text: String,
}

impl Index {
    /// Adds the sections of a page, which is at `at`.
    pub fn add(&mut self, page: &Page, at: &str) {
        let mut headings = page.headings().iter();
        let mut section = Section {
            to: at.to_owned(),
            title: page.title(),
            text: String::new(),
        };
        let mut in_heading = false;
        for (event, _) in page.events() {
            match event {
                Event::End(TagEnd::Heading(_)) => in_heading = false,
                Event::Start(Tag::Heading { .. }) => {
                    in_heading = true;
                    if let Some(heading) = headings.next() {
                        let next = Section {
                            to: format!("{at}#{}", heading.anchor),
                            title: match heading.level {
                                1 => heading.text.clone(),
                                _ => format!("{}: {}", page.title(), heading.text),
                            },
                            text: String::new(),
                        };
                        self.sections.push(std::mem::replace(&mut section, next));
                    }
                }
                _ if in_heading => {}
                Event::Text(text) | Event::Code(text) => section.text += &text,
                Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link) => {}
                Event::SoftBreak | Event::HardBreak | Event::End(_) => section.text.push(' '),
                _ => {}
            }
        }
        self.sections.push(section);
    }

    /// The script that defines it.
    pub fn script(&self) -> String {
        let mut script = String::from("const sections = [\n");
        for Section { to, title, text } in &self.sections {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if words.is_empty() {
                continue;
            }
            let parts = [to, title, &words].map(|part| quoted(part));
            // Writing to text has no errors.
            let _ = writeln!(script, "[{}],", parts.join(","));
        }
        script + "];\n"
    }
}

/// A text as JavaScript has it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Nothing that could end a script within a page.
            '<' => quoted += "\\u003c",
            c if (c as u32) < 0x20 => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
