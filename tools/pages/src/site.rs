//! The site: pages as HTML, what they link to beside them, a line of navigation, one style.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CowStr, Event, Tag, TagEnd, html};

use crate::PagesError;
use crate::html::escaped;
use crate::page::{Page, is_page};
use crate::search::{Index, SCRIPT};
use crate::target::{Target, relative};

/// The line at the top of every page: what is read there, and where it leads. Pages that are not in it are listed behind it.
const NAVIGATION: [(&str, &str); 18] = [
    ("Sunzi", "README.md"),
    ("From other libraries", "docs/from-other-libraries.md"),
    ("Calculator", "docs/calculator.md"),
    ("Products", "docs/products.md"),
    ("Polynomials", "docs/polynomials.md"),
    ("Solving", "docs/solving.md"),
    ("Linear algebra", "docs/linear-algebra.md"),
    ("Larger than memory", "docs/scale.md"),
    ("Sorting", "docs/sorting.md"),
    ("Big primes", "docs/big-prime-fft.md"),
    ("GPUs", "docs/gpu.md"),
    ("Tuning", "docs/tuning.md"),
    ("JSON", "docs/json.md"),
    ("Performance", "docs/performance.md"),
    ("Architecture", "docs/architecture.md"),
    ("Reliability", "docs/reliability.md"),
    ("Contributing", "CONTRIBUTING.md"),
    ("Changes", "CHANGELOG.md"),
];

/// Files that browsers show by themselves.
const PICTURES: [&str; 2] = ["svg", "png"];

const STYLE: &str = include_str!("style.css");

/// Writes the site of `pages`, the Markdown files under `root`, into the folder `out`: each page as HTML (a `README.md` as
/// `index.html`), pictures as they are, and the text of other files that pages link to; of folders, a list. `library` is the
/// page of the crates' documentation, from `out`, that the navigation leads to. Returns the HTML files, as paths from `out`.
///
/// # Errors
///
/// A file cannot be read or written.
pub fn write_site(
    root: &Path,
    pages: &[Page],
    out: &Path,
    library: Option<&str>,
) -> Result<Vec<PathBuf>, PagesError> {
    let site = Site {
        root,
        out,
        library,
        pages,
    };
    let mut index = Index::default();
    let mut written = Vec::new();
    let mut linked = BTreeSet::new();
    for page in pages {
        let at = place(root, page.path());
        let body = site.body(page, &at, &mut linked);
        index.add(page, &relative(Path::new(""), &at));
        site.write_html(&at, page.path(), &page.title(), &body)?;
        written.push(at);
    }
    while let Some(path) = linked.pop_first() {
        let at = place(root, &path);
        let source = root.join(&path);
        if source.is_dir() {
            let files = site.files(&path)?;
            site.write_html(
                &at,
                &path,
                &path.display().to_string(),
                &list(root, &at, &path, &files),
            )?;
            linked.extend(files);
        } else if at == path {
            let bytes = fs::read(&source).map_err(|error| PagesError::Read {
                path: source,
                source: error,
            })?;
            site.write(&at, &bytes)?;
            continue;
        } else {
            let text = fs::read_to_string(&source).map_err(|error| PagesError::Read {
                path: source,
                source: error,
            })?;
            let title = path.display().to_string();
            let body = format!(
                "<h1>{}</h1>\n<pre><code>{}</code></pre>\n",
                escaped(&title),
                escaped(&text)
            );
            site.write_html(&at, &path, &title, &body)?;
        }
        written.push(at);
    }
    site.write(Path::new("style.css"), STYLE.as_bytes())?;
    site.write(Path::new("search.js"), SCRIPT.as_bytes())?;
    site.write(Path::new("search-index.js"), index.script().as_bytes())?;
    Ok(written)
}

/// Where the site has a file or folder of the checkout.
fn place(root: &Path, path: &Path) -> PathBuf {
    if path.file_name().is_some_and(|name| name == "README.md") {
        path.with_file_name("index.html")
    } else if is_page(path) {
        path.with_extension("html")
    } else if root.join(path).is_dir() {
        path.join("index.html")
    } else if path
        .extension()
        .is_some_and(|extension| PICTURES.iter().any(|&picture| picture == extension))
    {
        path.to_owned()
    } else {
        let mut name = path.as_os_str().to_owned();
        name.push(".html");
        PathBuf::from(name)
    }
}

/// A folder's files, as a list of links.
fn list(root: &Path, at: &Path, folder: &Path, files: &[PathBuf]) -> String {
    let item = |file: &PathBuf| {
        let name = file
            .strip_prefix(folder)
            .unwrap_or(file)
            .display()
            .to_string();
        format!(
            "<li><a href=\"{}\">{}</a></li>\n",
            escaped(&relative(at, &place(root, file))),
            escaped(&name)
        )
    };
    let items: String = files.iter().map(item).collect();
    format!(
        "<h1>{}</h1>\n<ul>\n{items}</ul>\n",
        escaped(&folder.display().to_string())
    )
}

struct Site<'a> {
    root: &'a Path,
    out: &'a Path,
    library: Option<&'a str>,
    pages: &'a [Page],
}

impl Site<'_> {
    /// A page as HTML; what it links to and is no page goes to `linked`.
    fn body(&self, page: &Page, at: &Path, linked: &mut BTreeSet<PathBuf>) -> String {
        let mut headings = page.headings().iter();
        let mut link = |target: CowStr<'_>| match Target::of(page.path(), &target) {
            Target::Here { path, anchor } => {
                let to = place(self.root, &path);
                let anchor = anchor
                    .map(|anchor| format!("#{anchor}"))
                    .unwrap_or_default();
                if !is_page(&path) && !self.root.join(&path).join("README.md").exists() {
                    linked.insert(path);
                }
                relative(at, &to) + &anchor
            }
            Target::Elsewhere | Target::Outside => target.into_string(),
        };
        let mut events = Vec::new();
        for (event, _) in page.events() {
            match event {
                Event::Start(mut tag) if !matches!(tag, Tag::Table(_)) => {
                    match &mut tag {
                        Tag::Heading { id, .. } => {
                            let heading = headings.next();
                            *id = heading.map(|heading| CowStr::from(heading.anchor.as_str()));
                        }
                        Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                            *dest_url = link(std::mem::replace(dest_url, "".into())).into();
                        }
                        _ => {}
                    }
                    events.push(Event::Start(tag));
                }
                // Wide tables are moved sideways by themselves.
                Event::Start(Tag::Table(_)) => {
                    events.extend([Event::Html("<div class=\"table\">".into()), event])
                }
                Event::End(TagEnd::Table) => events.extend([event, Event::Html("</div>".into())]),
                _ => events.push(event),
            }
        }
        let mut body = contents(page);
        html::push_html(&mut body, events.into_iter());
        body
    }

    /// A file in the site's frame: navigation above, the path of its source below.
    fn write_html(
        &self,
        at: &Path,
        source: &Path,
        title: &str,
        body: &str,
    ) -> Result<(), PagesError> {
        let entry = |name: &str, to: &Path| -> String {
            let here = if to == at {
                " aria-current=\"page\""
            } else {
                ""
            };
            format!(
                "<a href=\"{}\"{here}>{name}</a>\n",
                escaped(&relative(at, to))
            )
        };
        let mut navigation: String = NAVIGATION
            .iter()
            .map(|(name, page)| entry(name, &place(self.root, Path::new(page))))
            .collect();
        if let Some(library) = self.library {
            navigation += &entry("Library", Path::new(library));
        }
        let named = |page: &&Page| {
            NAVIGATION
                .iter()
                .all(|entry| Path::new(entry.1) != page.path())
        };
        let others = self.pages.iter().filter(named);
        let others =
            others.map(|page| entry(&escaped(&page.title()), &place(self.root, page.path())));
        let others: String = others.collect();
        if !others.is_empty() {
            navigation += &format!("<details><summary>More pages</summary>\n{others}</details>\n");
        }
        let text = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
             <link rel=\"stylesheet\" href=\"{}\">\n</head>\n<body>\n<nav>\n{navigation}\
             <input type=\"search\" placeholder=\"Search\" aria-label=\"Search all pages\">\n</nav>\n\
             <ul id=\"found\" aria-live=\"polite\"></ul>\n<main>\n{body}</main>\n<footer>From <code>{}</code></footer>\n\
             <script src=\"{script}\" data-root=\"{top}\"></script>\n</body>\n</html>\n",
            escaped(title),
            relative(at, Path::new("style.css")),
            escaped(&source.display().to_string()),
            script = relative(at, Path::new("search.js")),
            top = relative(at, Path::new("search.js")).trim_end_matches("search.js"),
        );
        self.write(at, text.as_bytes())
    }

    fn write(&self, at: &Path, bytes: &[u8]) -> Result<(), PagesError> {
        let path = self.out.join(at);
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        folder
            .and_then(|()| fs::write(&path, bytes))
            .map_err(|source| PagesError::Write { path, source })
    }

    /// The files in a folder of the checkout, sorted; folders in it are left out.
    fn files(&self, folder: &Path) -> Result<Vec<PathBuf>, PagesError> {
        let source = self.root.join(folder);
        let failed = |error| PagesError::Read {
            path: source.clone(),
            source: error,
        };
        let mut files = Vec::new();
        for entry in fs::read_dir(&source).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.file_type().map_err(failed)?.is_file() {
                files.push(folder.join(entry.file_name()));
            }
        }
        files.sort();
        Ok(files)
    }
}

/// Links to the sections of a page, where it has several.
fn contents(page: &Page) -> String {
    let sections: Vec<_> = page
        .headings()
        .iter()
        .filter(|heading| heading.level == 2)
        .collect();
    if sections.len() < 3 {
        return String::new();
    }
    let item = |heading: &&crate::Heading| {
        format!(
            "<li><a href=\"#{}\">{}</a></li>\n",
            escaped(&heading.anchor),
            escaped(&heading.text)
        )
    };
    let items: String = sections.iter().map(item).collect();
    format!(
        "<details class=\"contents\"><summary>On this page</summary>\n<ul>\n{items}</ul>\n</details>\n"
    )
}
