//! A layer before an OpenCL driver that runs commands as late, and in as odd an order, as OpenCL allows.
//!
//! `opencl_late/` holds it, in C. The loader takes it for the driver; it loads that one, and puts functions of its own into
//! the table by which the loader calls it. Each queue is held back until somebody waits for it; then commands run one at a
//! time, of all queues that are not held by an event the one that is drawn, until what is waited for is done. A
//! blocking write copies its data and returns, for OpenCL promises no more. A queue that waits for an event of another one
//! that was not flushed ends the process, as it could wait for ever elsewhere. What is right under the layer, for many
//! seeds, does not hang on the order that a driver happens to have.

use crate::c_library;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/opencl_late");
const FILES: [&str; 4] = ["commands.c", "icd.c", "queues.c", "waits.c"];
const LIBRARY: &str = "libopencl-late.so";
/// The layer reads the driver's library from this.
const DRIVER_VARIABLE: &str = "SUNZI_LATE_DRIVER";
/// And the seed; with 0, nothing runs but what somebody waits for.
const SEED_VARIABLE: &str = "SUNZI_OPENCL_LATE";
/// What names the driver's library to loaders: they read one or the other.
const LOADERS: [&str; 2] = ["OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"];
/// Otherwise they read a file of this folder.
const VENDORS: &str = "/etc/OpenCL/vendors";

/// The layer, compiled.
#[derive(Clone, Debug)]
pub struct OpenClLate {
    library: PathBuf,
    driver: String,
}

impl OpenClLate {
    /// Compiles it, unless it is there, for the driver that the loader would find first.
    ///
    /// # Errors
    /// If there is no C compiler or no driver, in words.
    pub fn build() -> Result<Self, String> {
        Self::build_once().map_err(|error| format!("the layer before OpenCL: {error}"))
    }

    fn build_once() -> io::Result<Self> {
        let sources = Path::new(SOURCES);
        let folder = c_library::folder("opencl-late", sources, |folder| {
            let library = folder.join(LIBRARY);
            c_library::compile(&library, sources, &FILES, &["-ldl", "-lpthread"])
        })?;
        Ok(Self {
            library: folder.join(LIBRARY),
            driver: first_driver()?,
        })
    }

    /// The environment variables of a process that is to find it instead of the driver.
    pub fn variables(&self, seed: u64) -> [(&'static str, String); 4] {
        let library = self.library.display().to_string();
        [
            (LOADERS[0], library.clone()),
            (LOADERS[1], library),
            (DRIVER_VARIABLE, self.driver.clone()),
            (SEED_VARIABLE, seed.to_string()),
        ]
    }

    /// Has a child process find it.
    pub fn lend<'a>(&self, command: &'a mut Command, seed: u64) -> &'a mut Command {
        command.envs(self.variables(seed))
    }
}

/// The driver's library, as the loader is told of it.
fn first_driver() -> io::Result<String> {
    if let Some(library) = LOADERS.iter().find_map(|variable| env::var(variable).ok()) {
        return Ok(library);
    }
    let mut files: Vec<_> = fs::read_dir(VENDORS)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    for file in files {
        if let Some(library) = fs::read_to_string(file)?.lines().next() {
            return Ok(library.trim().to_owned());
        }
    }
    Err(io::Error::other(format!(
        "no file in {VENDORS} names a driver"
    )))
}
