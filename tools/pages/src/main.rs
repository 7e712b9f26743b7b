//! Checks the pages of the checkout that it is started in, and writes the site:
//!
//! ```text
//! sunzi-pages OUT [--library PAGE]
//! ```
//!
//! It ends with 1 where a link is broken or a file cannot be read or written, and with 2 where its arguments are wrong.

use std::path::Path;
use std::process::ExitCode;

use sunzi_pages::{Page, PagesError, broken_links, faults, write_site};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (out, library) = match &arguments[..] {
        [out] => (out, None),
        [out, option, library] if option == "--library" => (out, Some(library.as_str())),
        _ => {
            eprintln!("usage: sunzi-pages OUT [--library PAGE]");
            return ExitCode::from(2);
        }
    };
    match run(Path::new(out), library) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("sunzi-pages: {wrong} places are wrong");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("sunzi-pages: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How many places are wrong; each has been said.
fn run(out: &Path, library: Option<&str>) -> Result<usize, PagesError> {
    let root = Path::new(".");
    let pages = Page::all(root)?;
    let findings = faults(root, &pages);
    for finding in &findings {
        eprintln!("{finding}");
    }
    if !findings.is_empty() {
        return Ok(findings.len());
    }
    let written = write_site(root, &pages, out, library)?;
    let broken = broken_links(out, &written)?;
    for (page, link) in &broken {
        eprintln!("{}: `{link}` leads nowhere", out.join(page).display());
    }
    println!("{} pages in {}", written.len(), out.display());
    Ok(broken.len())
}
