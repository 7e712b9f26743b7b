//! What is asked of the system, one call each: tests put something between that fails.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io::{self, IoSlice, IoSliceMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::Path;

/// The files of a system. Reads and writes may do less than they are asked for, and may be interrupted.
pub trait Disk: Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Opens a file.
    ///
    /// # Errors
    /// Those of the system, as everywhere here.
    fn open(&self, path: &Path, options: &OpenOptions) -> io::Result<File>;

    /// Reads from a place to some memory, in turn.
    ///
    /// # Errors
    /// As all.
    fn read(&self, file: &File, parts: &mut [IoSliceMut<'_>], at: u64) -> io::Result<usize>;

    /// Writes from some memory to a place.
    ///
    /// # Errors
    /// As all.
    fn write(&self, file: &File, parts: &[IoSlice<'_>], at: u64) -> io::Result<usize>;

    /// Waits until all that was written is on the disk.
    ///
    /// # Errors
    /// As all.
    fn sync(&self, file: &File) -> io::Result<()>;

    /// Gives a file its length, and room for it.
    ///
    /// # Errors
    /// As all.
    fn reserve(&self, file: &File, bytes: u64) -> io::Result<()>;

    /// Gives a file another name.
    ///
    /// # Errors
    /// As all.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// As all.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The system itself.
#[derive(Clone, Copy, Debug)]
pub struct System;

impl Disk for System {
    fn open(&self, path: &Path, options: &OpenOptions) -> io::Result<File> {
        options.open(path)
    }

    fn read(&self, file: &File, parts: &mut [IoSliceMut<'_>], at: u64) -> io::Result<usize> {
        Ok(rustix::io::preadv(file, parts, at)?)
    }

    fn write(&self, file: &File, parts: &[IoSlice<'_>], at: u64) -> io::Result<usize> {
        Ok(rustix::io::pwritev(file, parts, at)?)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_data()
    }

    fn reserve(&self, file: &File, bytes: u64) -> io::Result<()> {
        use rustix::fs::{FallocateFlags, fallocate};
        use rustix::io::Errno;
        loop {
            match fallocate(file, FallocateFlags::empty(), 0, bytes) {
                Err(Errno::INTR) => {}
                // Room that cannot be had beforehand is asked for when it is written.
                Err(Errno::OPNOTSUPP | Errno::NOSYS) => return file.set_len(bytes),
                reserved => return Ok(reserved?),
            }
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}
