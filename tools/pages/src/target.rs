//! Where a link leads: paths without `.` and `..`, from the root of the checkout.

use std::path::{Component, Path, PathBuf};

/// Where a link of a page leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target<'a> {
    /// An address with a scheme, such as `https://…`.
    Elsewhere,
    /// A file or folder of the checkout, by its path from the root, and perhaps an anchor in it.
    Here {
        path: PathBuf,
        anchor: Option<&'a str>,
    },
    /// A path that leaves the checkout.
    Outside,
}

impl<'a> Target<'a> {
    /// What `target`, written in the page `from`, leads to.
    pub(crate) fn of(from: &Path, target: &'a str) -> Self {
        let scheme = target.split_once(':').map(|(scheme, _)| scheme);
        if scheme.is_some_and(|scheme| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
            return Self::Elsewhere;
        }
        let (path, anchor) = match target.split_once('#') {
            Some((path, anchor)) => (path, Some(anchor)),
            None => (target, None),
        };
        if path.is_empty() {
            return Self::Here {
                path: from.to_owned(),
                anchor,
            };
        }
        match normal(&from.parent().unwrap_or(Path::new("")).join(path)) {
            Some(path) => Self::Here { path, anchor },
            None => Self::Outside,
        }
    }
}

/// `path` without `.` and `..`; `None` if it is absolute or leaves the folder that it starts in.
pub(crate) fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => normal.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(normal)
}

/// The link in the file `from` that leads to the file `to`, both paths from one root.
pub(crate) fn relative(from: &Path, to: &Path) -> String {
    let folder: Vec<_> = from
        .parent()
        .unwrap_or(Path::new(""))
        .components()
        .collect();
    let to: Vec<_> = to.components().collect();
    let common = folder.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = folder[common..].iter().map(|_| "..".to_owned());
    let down = to[common..]
        .iter()
        .map(|component| component.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_from_the_folder_of_their_page() {
        let page = Path::new("docs/a/page.md");
        let here = |path: &str, anchor| Target::Here {
            path: PathBuf::from(path),
            anchor,
        };
        assert_eq!(
            Target::of(page, "other.md#x"),
            here("docs/a/other.md", Some("x"))
        );
        assert_eq!(Target::of(page, "../../README.md"), here("README.md", None));
        assert_eq!(Target::of(page, "#x"), here("docs/a/page.md", Some("x")));
        assert_eq!(Target::of(page, "../../../etc"), Target::Outside);
        assert_eq!(Target::of(page, "/etc"), Target::Outside);
        assert_eq!(
            Target::of(page, "https://example.org/a#b"),
            Target::Elsewhere
        );
    }

    #[test]
    fn relative_links_lead_back() {
        for (from, to, link) in [
            ("index.html", "docs/a.html", "docs/a.html"),
            ("docs/a.html", "index.html", "../index.html"),
            ("docs/a/b.html", "docs/c/d.html", "../c/d.html"),
            ("docs/a.html", "docs/a.html", "a.html"),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)), link);
            assert_eq!(
                normal(&Path::new(from).parent().unwrap().join(link)).unwrap(),
                Path::new(to)
            );
        }
    }
}
