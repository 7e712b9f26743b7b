//! What is wrong with pages: links that lead nowhere, tables and code that would not be shown as such, paths that are gone.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use crate::page::{Page, is_page};
use crate::target::Target;

/// What is wrong at a place of a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A link or image whose file is not there.
    #[error("`{0}` leads to no file or folder")]
    NoFile(String),
    /// A link to a heading that its page does not have.
    #[error("`{target}` leads to no heading; {page} has none whose anchor is that")]
    NoHeading {
        /// What is written in the page.
        target: String,
        /// The page that has no such heading.
        page: PathBuf,
    },
    /// A link to a path above the root of the checkout, or to an absolute one.
    #[error("`{0}` leads out of the checkout; link to files in it by paths that begin at the page")]
    Outside(String),
    /// A row that has not as many cells as the head of its table.
    #[error(
        "a row of {found} cells in a table of {wanted} columns; a bar in a cell is written \\|"
    )]
    Cells {
        /// Cells of the row.
        found: usize,
        /// Cells of the head.
        wanted: usize,
    },
    /// A fence that opens a block of code and is not closed.
    #[error("a block of code is not closed")]
    OpenFence,
    /// Marks of Markdown that readers would see.
    #[error(
        "`{0}` is shown as it stands: a mark is not closed, or a table has no line under its head"
    )]
    Marks(String),
    /// A path of the checkout, in a span of code, that is not there.
    #[error("`{0}` is the path of nothing that there is")]
    NoPath(String),
}

/// A fault with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The page, from the root of the checkout.
    pub page: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: Fault,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.page.display(), self.line, self.fault)
    }
}

/// Everything that is wrong with `pages`, which are all Markdown files under `root`. Addresses with a scheme are not
/// visited.
pub fn faults(root: &Path, pages: &[Page]) -> Vec<Finding> {
    let by_path: HashMap<&Path, &Page> = pages.iter().map(|page| (page.path(), page)).collect();
    let mut findings = Vec::new();
    for page in pages {
        let mut found = |line, fault| {
            findings.push(Finding {
                page: page.path().to_owned(),
                line,
                fault,
            })
        };
        for reference in page.references() {
            let target = &reference.target;
            match Target::of(page.path(), target) {
                Target::Elsewhere => {}
                Target::Outside => found(reference.line, Fault::Outside(target.clone())),
                Target::Here { path, .. } if !root.join(&path).exists() => {
                    found(reference.line, Fault::NoFile(target.clone()));
                }
                Target::Here {
                    path,
                    anchor: Some(anchor),
                } if is_page(&path) => {
                    let has_it = |page: &&Page| {
                        page.headings()
                            .iter()
                            .any(|heading| heading.anchor == anchor)
                    };
                    if by_path
                        .get(path.as_path())
                        .filter(|page| has_it(page))
                        .is_none()
                    {
                        found(
                            reference.line,
                            Fault::NoHeading {
                                target: target.clone(),
                                page: path,
                            },
                        );
                    }
                }
                Target::Here { .. } => {}
            }
        }
        marks(root, page, found);
    }
    findings
}

/// What is wrong with tables, blocks and spans of code, and marks.
fn marks(root: &Path, page: &Page, mut found: impl FnMut(usize, Fault)) {
    // A page of changes names what is gone, too.
    let names_the_past = page.path() == Path::new("CHANGELOG.md");
    let (mut columns, mut in_block) = (0, false);
    // One finding for a paragraph: the rows of a table that is none are one.
    let mut shown = false;
    for (event, range) in page.events() {
        let line = page.line(range.start);
        match event {
            Event::Start(Tag::Table(alignments)) => columns = alignments.len(),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                let cells = cells(page.source(range));
                if cells != columns {
                    found(
                        line,
                        Fault::Cells {
                            found: cells,
                            wanted: columns,
                        },
                    );
                }
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                in_block = true;
                let source = page.source(range).trim_end();
                if let CodeBlockKind::Fenced(_) = kind
                    && !source
                        .split_once('\n')
                        .is_some_and(|(_, rest)| rest.ends_with("```"))
                {
                    found(line, Fault::OpenFence);
                }
            }
            Event::End(TagEnd::CodeBlock) => in_block = false,
            Event::Start(Tag::Paragraph) => shown = false,
            Event::Text(text) if !in_block && !shown => {
                let is_mark = |word: &&str| {
                    ["](", "`", "**"].iter().any(|mark| word.contains(mark)) || *word == "|"
                };
                if let Some(word) = text.split_whitespace().find(is_mark) {
                    shown = true;
                    found(line, Fault::Marks(word.to_owned()));
                }
            }
            Event::Code(span) if !names_the_past && is_gone(root, &span) => {
                found(line, Fault::NoPath(span.into_string()))
            }
            _ => {}
        }
    }
}

/// Cells of a row as it is written: one more than bars between cells.
fn cells(row: &str) -> usize {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row
        .strip_suffix('|')
        .filter(|rest| !rest.ends_with('\\'))
        .unwrap_or(row);
    1 + row.matches('|').count() - row.matches("\\|").count()
}

/// Whether a span is a path from the root of the checkout, or from `crates`, of which there is nothing.
fn is_gone(root: &Path, span: &str) -> bool {
    let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    let mut parts = span.split('/');
    let (Some(first), Some(second)) = (parts.next(), parts.next()) else {
        return false;
    };
    if !span.chars().all(is_path) || first.is_empty() {
        return false;
    }
    let crates = root.join("crates");
    let from = if ["crates", "docs", "examples", "scripts", "tools", ".ci"].contains(&first) {
        root
    } else if ["src", "tests", "examples"].contains(&second) && crates.join(first).is_dir() {
        &crates
    } else {
        return false;
    };
    !from.join(span).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_between_cells_are_counted() {
        assert_eq!(cells("| a | b |"), 2);
        assert_eq!(cells("a | b"), 2);
        assert_eq!(cells("| a \\| b | c \\|"), 2);
        assert_eq!(cells("| | |"), 2);
    }
}
