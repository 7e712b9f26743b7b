//! A Markdown file: its text, headings with their anchors, and what it refers to.

use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeWithOffset};

use crate::PagesError;

/// A Markdown file of the checkout.
#[derive(Debug)]
pub struct Page {
    path: PathBuf,
    text: String,
    headings: Vec<Heading>,
    references: Vec<Reference>,
}

/// A heading of a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 for the title, 2 for sections, and so on.
    pub level: usize,
    /// The text without marks.
    pub text: String,
    /// The name by which links find it, as GitHub makes it.
    pub anchor: String,
}

/// A link or an image of a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Reference {
    /// The line where it begins, from 1.
    pub line: usize,
    /// What is written between the parentheses.
    pub target: String,
}

impl Page {
    /// The page with this text; `path` leads to it from the root of the checkout.
    pub fn of(path: &Path, text: String) -> Self {
        let mut page = Self {
            path: path.to_owned(),
            text,
            headings: Vec::new(),
            references: Vec::new(),
        };
        let (mut headings, mut references) = (Vec::new(), Vec::new());
        let mut open: Option<(HeadingLevel, String)> = None;
        let mut taken = HashMap::new();
        for (event, range) in page.events() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => open = Some((level, String::new())),
                Event::End(TagEnd::Heading(_)) => {
                    if let Some((level, text)) = open.take() {
                        let anchor = anchor(&text, &mut taken);
                        headings.push(Heading {
                            level: level as usize,
                            text,
                            anchor,
                        });
                    }
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some((_, heading)) = &mut open {
                        heading.push_str(&text);
                    }
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    references.push(Reference {
                        line: page.line(range.start),
                        target: dest_url.into_string(),
                    });
                }
                _ => {}
            }
        }
        (page.headings, page.references) = (headings, references);
        page
    }

    /// All Markdown files under `root`, sorted by path; folders whose name begins with a dot, and `target`, are left out.
    ///
    /// # Errors
    ///
    /// A file or folder cannot be read.
    pub fn all(root: &Path) -> Result<Vec<Self>, PagesError> {
        let mut pages = Vec::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            let failed = |source| PagesError::Read {
                path: folder.clone(),
                source,
            };
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let (path, name) = (entry.path(), entry.file_name());
                if entry.file_type().map_err(failed)?.is_dir() {
                    if name != "target" && !name.to_string_lossy().starts_with('.') {
                        folders.push(path);
                    }
                } else if is_page(&path) {
                    let text = fs::read_to_string(&path).map_err(|source| PagesError::Read {
                        path: path.clone(),
                        source,
                    })?;
                    pages.push(Self::of(path.strip_prefix(root).unwrap_or(&path), text));
                }
            }
        }
        pages.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(pages)
    }

    /// The path from the root of the checkout.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text of the first heading, or the path if there is none.
    pub fn title(&self) -> String {
        self.headings.first().map_or_else(
            || self.path.display().to_string(),
            |heading| heading.text.clone(),
        )
    }

    /// The headings, in order.
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// The links and images, in order.
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// What the parser sees, with the bytes that it sees it in.
    pub(crate) fn events(&self) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        TextMergeWithOffset::new(Parser::new_ext(&self.text, options).into_offset_iter())
    }

    /// The line of a byte, from 1.
    pub(crate) fn line(&self, byte: usize) -> usize {
        1 + self.text[..byte].matches('\n').count()
    }

    /// The source of an event.
    pub(crate) fn source(&self, range: Range<usize>) -> &str {
        &self.text[range]
    }
}

/// Whether a path has the name of a Markdown file.
pub(crate) fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// Letters, digits, `-` and `_` in lower case, `-` for spaces, and a number where the name is taken.
fn anchor(heading: &str, taken: &mut HashMap<String, usize>) -> String {
    let kept = heading
        .chars()
        .filter(|&c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    let name: String = kept
        .flat_map(char::to_lowercase)
        .map(|c| if c == ' ' { '-' } else { c })
        .collect();
    let before = taken.entry(name.clone()).or_insert(0);
    *before += 1;
    match *before {
        1 => name,
        _ => format!("{name}-{}", *before - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_that_a_host_of_repositories_makes() {
        let text = "# Sums, and `products` modulo r^k + 1\n## A\n## A\nB\n-\n";
        let page = Page::of(Path::new("a.md"), text.to_owned());
        let anchors: Vec<_> = page
            .headings()
            .iter()
            .map(|heading| (heading.level, heading.anchor.as_str()))
            .collect();
        assert_eq!(
            anchors,
            [
                (1, "sums-and-products-modulo-rk--1"),
                (2, "a"),
                (2, "a-1"),
                (2, "b")
            ]
        );
    }
}
