//! The pages of this checkout have no faults, nor has their site; and faults that are planted are found.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sunzi_pages::{Fault, Page, broken_links, faults, write_site};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn links_tables_and_code_of_all_pages_are_right() {
    let pages = Page::all(root()).unwrap();
    assert!(pages.len() > 20, "only {} pages were found", pages.len());
    let findings: Vec<String> = faults(root(), &pages)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

#[test]
fn links_of_the_site_lead_somewhere() {
    let out = tempfile::tempdir().unwrap();
    let pages = Page::all(root()).unwrap();
    let written = write_site(root(), &pages, out.path(), None).unwrap();
    assert_eq!(broken_links(out.path(), &written).unwrap(), []);
    let unique: BTreeSet<_> = written.iter().collect();
    assert_eq!(unique.len(), written.len(), "a file was written twice");
    assert!(unique.contains(&PathBuf::from("index.html")));
}

#[test]
fn every_page_is_reached_from_the_first() {
    let out = tempfile::tempdir().unwrap();
    let pages = Page::all(root()).unwrap();
    write_site(root(), &pages, out.path(), None).unwrap();
    let (mut reached, mut next) = (BTreeSet::new(), vec![PathBuf::from("index.html")]);
    while let Some(page) = next.pop() {
        let text = fs::read_to_string(out.path().join(&page)).unwrap();
        let folder = out
            .path()
            .join(&page)
            .parent()
            .unwrap()
            .canonicalize()
            .unwrap();
        for link in text
            .split("href=\"")
            .skip(1)
            .filter_map(|rest| rest.split(['"', '#']).next())
        {
            if let Ok(path) = folder.join(link).canonicalize()
                && path
                    .extension()
                    .is_some_and(|extension| extension == "html")
            {
                let path = path
                    .strip_prefix(out.path().canonicalize().unwrap())
                    .unwrap()
                    .to_owned();
                if reached.insert(path.clone()) {
                    next.push(path);
                }
            }
        }
    }
    for page in &pages {
        let html = match page.path().file_name() {
            Some(name) if name == "README.md" => page.path().with_file_name("index.html"),
            _ => page.path().with_extension("html"),
        };
        assert!(
            reached.contains(&html),
            "no page links to {}",
            page.path().display()
        );
    }
}

#[test]
fn planted_faults_are_found_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("crates/one/src")).unwrap();
    fs::write(root.join("other.md"), "# Other\n\n## There\n").unwrap();
    let text = "# Page\n\
                [a](none.md) and [b](other.md#there), [c](other.md#here), [d](#page), [e](../x.md)\n\
                \n\
                | a | b |\n|---|---|\n| 1 | 2 | 3 |\n| `x \\| y` | 2 |\n\
                \n\
                An **open mark, a `span` and `crates/two`, `one/src/none.rs`, `one/src`.\n\
                \n\
                ![picture](none.svg)\n\
                \n\
                ```rust\nlet x = 1;\n";
    fs::write(root.join("page.md"), text).unwrap();
    let pages = Page::all(root).unwrap();
    let found: Vec<_> = faults(root, &pages)
        .into_iter()
        .map(|finding| (finding.line, finding.fault))
        .collect();
    let name = |text: &str| text.to_owned();
    let expected = [
        (2, Fault::NoFile(name("none.md"))),
        (
            2,
            Fault::NoHeading {
                target: name("other.md#here"),
                page: PathBuf::from("other.md"),
            },
        ),
        (2, Fault::Outside(name("../x.md"))),
        (11, Fault::NoFile(name("none.svg"))),
        (
            6,
            Fault::Cells {
                found: 3,
                wanted: 2,
            },
        ),
        (9, Fault::Marks(name("**open"))),
        (9, Fault::NoPath(name("crates/two"))),
        (9, Fault::NoPath(name("one/src/none.rs"))),
        (13, Fault::OpenFence),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_site_keeps_what_pages_show_and_link_to() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let root = folder.path();
    fs::create_dir_all(root.join("docs/files")).unwrap();
    fs::write(
        root.join("README.md"),
        "# Title & more\n\n[docs](docs/a.md#b-c)\n",
    )
    .unwrap();
    fs::write(root.join("docs/files/x.rs"), "a < b").unwrap();
    fs::write(root.join("docs/p.svg"), "<svg/>").unwrap();
    let text = "# A\n\n## B c\n\n    # kept\n    $ x\n\n[up](../README.md) [files](files) ![p](p.svg) <https://example.org>\n";
    fs::write(root.join("docs/a.md"), text).unwrap();
    let written = write_site(
        root,
        &Page::all(root).unwrap(),
        out.path(),
        Some("doc/index.html"),
    )
    .unwrap();
    let read = |path: &str| fs::read_to_string(out.path().join(path)).unwrap();
    assert!(read("index.html").contains("<title>Title &amp; more</title>"));
    assert!(read("index.html").contains("<a href=\"docs/a.html#b-c\">docs</a>"));
    let page = read("docs/a.html");
    for part in [
        "<h2 id=\"b-c\">",
        "<code># kept\n$ x\n</code>",
        "href=\"../index.html\"",
        "href=\"files/index.html\"",
        "src=\"p.svg\"",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert!(read("docs/files/index.html").contains("<a href=\"x.rs.html\">x.rs</a>"));
    assert!(read("docs/files/x.rs.html").contains("a &lt; b"));
    assert_eq!(read("docs/p.svg"), "<svg/>");
    // What can be searched, and the pages that have no place in the line of navigation.
    let index = read("search-index.js");
    let section = r##"["docs/a.html#b-c","A: B c","# kept $ x up files p https://example.org"],"##;
    assert!(index.contains(section), "{index}");
    assert!(read("search.js").contains("search-index.js"));
    for part in [
        "data-root=\"../\"",
        "src=\"../search.js\"",
        "type=\"search\"",
        "aria-current=\"page\">A</a>",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert!(read("index.html").contains("data-root=\"\""));
    // The library was not there, nor are the pages that the navigation names.
    let broken = broken_links(out.path(), &written).unwrap();
    assert!(broken.contains(&(PathBuf::from("docs/a.html"), "../doc/index.html".to_owned())));
    assert!(
        !broken
            .iter()
            .any(|(_, link)| link.ends_with("docs/a.html") || link.ends_with("x.rs.html"))
    );
}
