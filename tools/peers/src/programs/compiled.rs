//! Small programs in C++ that call a peer's library, compiled when they are first run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use super::{Trouble, on_path};

/// A program beside this one: `folder/name.cpp`.
pub struct Source<'a> {
    pub folder: &'a str,
    pub name: &'a str,
    /// A header of the library, which is installed if this one is there.
    pub header: &'a str,
    pub options: &'a [&'a str],
    pub libraries: &'a [&'a str],
}

impl Source<'_> {
    /// The program, compiled if it is not there yet or is older than its source.
    pub fn compiled(&self) -> Result<PathBuf, Trouble> {
        static COMPILER: Mutex<()> = Mutex::new(());
        let _one_at_a_time = COMPILER.lock();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let source = folder
            .join(self.folder)
            .join(self.name)
            .with_extension("cpp");
        let program = folder
            .join("target")
            .join(format!("{}-{}", self.folder, self.name));
        let time = |file: &Path| file.metadata().and_then(|facts| facts.modified()).ok();
        if time(&program) >= time(&source) {
            return Ok(program);
        }
        if !Path::new("/usr/include").join(self.header).exists() {
            return Err(Trouble::Missing);
        }
        let status = Command::new(on_path("c++")?)
            .arg("-DNDEBUG")
            .args(self.options)
            .arg(&source)
            .args(self.libraries)
            .arg("-o")
            .arg(&program)
            .status();
        match status {
            Ok(status) if status.success() => Ok(program),
            _ => Err(Trouble::Failed("its program does not compile".into())),
        }
    }
}
