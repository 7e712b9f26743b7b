//! The pages of the documentation: whether their links lead somewhere, and a site made of them.
//!
//! **Problem.** The Markdown files of the checkout are read as they are, by a host of repositories or in an editor, and as a
//! site. In both, every link, image and anchor has to lead somewhere, and every table and block of code has to be one.
//! **Way.** [`Page`] reads a file by the rules of CommonMark with tables, and names headings as GitHub does. [`faults`] lists
//! what is wrong, with file and line. [`write_site`] writes the pages as HTML, with what they link to; links to other
//! Markdown files become links to their HTML. [`broken_links`] then reads the links of what was written.
//!
//! `scripts/site` makes the site. rustdoc, which renders single Markdown files too, takes every indented block for Rust: it
//! colours it as such, and leaves out lines that begin with `#`.
//!
//! ```
//! use std::path::Path;
//! use sunzi_pages::Page;
//!
//! let page = Page::of(Path::new("docs/a.md"), "# Title\n\n## Two words\n\n[other](b.md#c)\n".to_owned());
//! assert_eq!(page.headings()[1].anchor, "two-words");
//! assert_eq!((page.references()[0].line, page.references()[0].target.as_str()), (5, "b.md#c"));
//! ```

mod faults;
mod html;
mod page;
mod search;
mod site;
mod target;

use std::io;
use std::path::PathBuf;

pub use faults::{Fault, Finding, faults};
pub use html::broken_links;
pub use page::{Heading, Page, Reference};
pub use site::write_site;

/// A file that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    /// Reading a page, or what it links to, failed.
    #[error("{path} cannot be read: {source}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Writing into the folder of the site failed.
    #[error("{path} cannot be written: {source}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
