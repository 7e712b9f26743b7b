//! What a browser finds in the files of a site: links, and the anchors that they lead to.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::PagesError;
use crate::target::Target;

/// `text` as it is written between tags and in attributes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The links and images of the HTML files `pages` (paths from `folder`) that lead to no file under `folder`, or to no
/// anchor of a file in `pages`: the file, and what stands in it.
///
/// # Errors
///
/// A file cannot be read.
pub fn broken_links(
    folder: &Path,
    pages: &[PathBuf],
) -> Result<Vec<(PathBuf, String)>, PagesError> {
    let mut texts = HashMap::new();
    for page in pages {
        let path = folder.join(page);
        let text = fs::read_to_string(&path).map_err(|source| PagesError::Read { path, source })?;
        texts.insert(page.as_path(), text);
    }
    let anchors: HashMap<&Path, HashSet<&str>> = texts
        .iter()
        .map(|(&page, text)| (page, attributes(text, "id").collect()))
        .collect();
    let mut broken = Vec::new();
    for &page in texts.keys() {
        let leads = |link: &str| match Target::of(page, link) {
            Target::Elsewhere => true,
            Target::Outside => false,
            Target::Here { path, anchor } => {
                let has_anchor = |anchor| {
                    anchors
                        .get(path.as_path())
                        .is_none_or(|anchors| anchors.contains(anchor))
                };
                folder.join(&path).is_file() && anchor.is_none_or(has_anchor)
            }
        };
        let links = attributes(&texts[page], "href").chain(attributes(&texts[page], "src"));
        broken.extend(
            links
                .filter(|link| !leads(link))
                .map(|link| (page.to_owned(), link.to_owned())),
        );
    }
    broken.sort();
    Ok(broken)
}

/// The values of an attribute, between quotes, in tags.
fn attributes<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let opening = format!(" {name}=\"");
    text.split('<').filter_map(move |tag| {
        let tag = tag.split_once('>')?.0;
        tag.split_once(&opening)?
            .1
            .split_once('"')
            .map(|(value, _)| value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_in_tags_only() {
        let text =
            r#"<a class="x" href="one.html#a">href="no"</a> <img src="two.svg"> <h2 id="a">"#;
        assert_eq!(attributes(text, "href").collect::<Vec<_>>(), ["one.html#a"]);
        assert_eq!(attributes(text, "src").collect::<Vec<_>>(), ["two.svg"]);
        assert_eq!(attributes(text, "id").collect::<Vec<_>>(), ["a"]);
    }
}
