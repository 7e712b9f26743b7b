//! Bytes of files: whole reads and writes, past the cache of files where that can be.
//!
//! A cache of files would take the memory that bands need, and copy every byte once more. So a file is opened twice: what begins at a
//! page, in the file as in memory, goes past the cache, everything else through it.

use crate::buffer::{Buffer, PAGE};
use crate::disk::Disk;
use crate::error::ScaleError;
use crate::matrix::Run;
use rustix::fs::OFlags;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Parts of one call, as many as systems take.
const MOST_PARTS: usize = 1024;

/// Bytes that are read at a time at most where they do not begin at a page, and at least; shorter pieces are read through the cache.
const WINDOW: usize = 1 << 20;
const LEAST_WINDOW: usize = 1 << 16;

/// The system, and what was moved.
#[derive(Debug)]
pub(crate) struct Storage {
    pub(crate) disk: Arc<dyn Disk>,
    read: AtomicU64,
    written: AtomicU64,
}

/// A file that bands are read from or written to.
#[derive(Debug)]
pub(crate) struct StoredFile {
    pub(crate) path: PathBuf,
    cached: File,
    /// The same past the cache, where the file system can do so.
    direct: Option<File>,
    /// Whether it refused to be read or written so.
    refuses: AtomicBool,
    /// Where windows are read to, from the first that is needed on.
    window: Mutex<Option<Buffer>>,
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer of {} bytes", self.bytes().len())
    }
}

/// The same options, so that links are not followed, or the cache of files is passed by.
fn with_flags(options: &OpenOptions, is_ours: bool, is_direct: bool) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut flags = OFlags::empty();
    flags.set(OFlags::NOFOLLOW, is_ours);
    #[cfg(target_os = "linux")]
    flags.set(OFlags::DIRECT, is_direct);
    let mut options = options.clone();
    options.custom_flags(flags.bits().cast_signed());
    options
}

/// A file without a name on any disk.
fn made_in_memory(name: &str) -> io::Result<File> {
    #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
    {
        use rustix::fs::{MemfdFlags, memfd_create};
        Ok(memfd_create(name, MemfdFlags::CLOEXEC)?.into())
    }
    // Where the system has none, one that has lost its name.
    #[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
    {
        let unique = format!("sunzi-{}-{name}-{:p}", std::process::id(), &name);
        let path = std::env::temp_dir().join(unique);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).open(&path)?;
        std::fs::remove_file(&path)?;
        Ok(file)
    }
}

/// Bytes that are read at a time where they do not begin at a page, of a band with so many bytes.
pub(crate) fn window(band: usize) -> usize {
    (band / 16).clamp(LEAST_WINDOW, WINDOW)
}

fn starts_at_page(place: usize) -> bool {
    place.is_multiple_of(PAGE)
}

impl Storage {
    pub(crate) fn new(disk: Arc<dyn Disk>) -> Self {
        Self {
            disk,
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }
    }

    /// Bytes read and written so far.
    pub(crate) fn traffic(&self) -> [u64; 2] {
        [&self.read, &self.written].map(|count| count.load(Ordering::Relaxed))
    }

    /// A file that is there, to be read; links lead to it.
    pub(crate) fn open(&self, path: &Path) -> Result<StoredFile, ScaleError> {
        self.stored(
            path,
            OpenOptions::new().read(true),
            false,
            "cannot be opened",
        )
    }

    /// A file that is there, to be written, too.
    pub(crate) fn reopen(&self, path: &Path) -> Result<StoredFile, ScaleError> {
        let mut options = OpenOptions::new();
        self.stored(
            path,
            options.read(true).write(true),
            true,
            "cannot be opened",
        )
    }

    /// A file that was made with this length, to be read and written.
    pub(crate) fn open_whole(&self, path: &Path, bytes: u64) -> Result<StoredFile, ScaleError> {
        let file = self.reopen(path).map_err(|error| match error {
            ScaleError::Disk { source, .. } if source.kind() == ErrorKind::NotFound => {
                ScaleError::damaged(path, "it is gone")
            }
            other => other,
        })?;
        let found = file.metadata()?.len();
        if found != bytes {
            let problem = format!("it has {found} bytes and should have {bytes}");
            return Err(ScaleError::damaged(path, problem));
        }
        Ok(file)
    }

    /// A new file with room for these bytes.
    pub(crate) fn create(&self, path: &Path, bytes: u64) -> Result<StoredFile, ScaleError> {
        const ACTION: &str = "cannot be made";
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let made = with_flags(options.clone().create(true).truncate(true), true, false);
        let made = self.disk.open(path, &made);
        drop(made.map_err(ScaleError::disk(path, ACTION))?);
        let file = self.stored(path, &options, true, ACTION)?;
        if bytes > 0 {
            let reserved = self.disk.reserve(&file.cached, bytes);
            reserved.map_err(ScaleError::disk(path, "there is no room for it"))?;
        }
        Ok(file)
    }

    /// A file that is there as it is, or a new one.
    pub(crate) fn open_or_create(&self, path: &Path) -> Result<File, ScaleError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let made = self.disk.open(path, &with_flags(&options, true, false));
        made.map_err(ScaleError::disk(path, "cannot be made"))
    }

    /// A file that is in memory alone, with room for these bytes, and is gone with what is given.
    pub(crate) fn in_memory(&self, name: &str, bytes: u64) -> Result<StoredFile, ScaleError> {
        let path = PathBuf::from(format!("{name} in memory"));
        let file = made_in_memory(name).map_err(ScaleError::disk(&path, "cannot be made"))?;
        if bytes > 0 {
            let reserved = self.disk.reserve(&file, bytes);
            reserved.map_err(ScaleError::disk(&path, "there is no room for it"))?;
        }
        Ok(StoredFile {
            path,
            cached: file,
            direct: None,
            refuses: AtomicBool::new(false),
            window: Mutex::new(None),
        })
    }

    fn stored(
        &self,
        path: &Path,
        options: &OpenOptions,
        is_ours: bool,
        action: &'static str,
    ) -> Result<StoredFile, ScaleError> {
        let cached = self.disk.open(path, &with_flags(options, is_ours, false));
        let cached = cached.map_err(ScaleError::disk(path, action))?;
        // Where it cannot be had, the cache does.
        let direct = self.disk.open(path, &with_flags(options, is_ours, true));
        let direct = direct.ok().filter(|_| cfg!(target_os = "linux"));
        Ok(StoredFile {
            path: path.to_owned(),
            cached,
            direct,
            refuses: AtomicBool::new(false),
            window: Mutex::new(None),
        })
    }

    /// Reads a run to its places in memory.
    pub(crate) fn read_run(
        &self,
        file: &StoredFile,
        run: &Run,
        memory: &mut [u8],
    ) -> Result<(), ScaleError> {
        self.read_pieces(file, run, memory)
            .map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => {
                    ScaleError::damaged(&file.path, "it is shorter than it was")
                }
                _ => ScaleError::disk(&file.path, "cannot be read")(error),
            })
    }

    fn read_pieces(&self, file: &StoredFile, run: &Run, memory: &mut [u8]) -> io::Result<()> {
        let whole = run.piece >= LEAST_WINDOW && !starts_at_page(run.at as usize);
        let window = window(memory.len());
        if let (Some(direct), true) = (file.past_cache(), whole) {
            let mut at = run.at;
            for piece in run.pieces_mut(memory) {
                self.read_windows(file, direct, piece, at, window)?;
                at += piece.len() as u64;
            }
            return Ok(());
        }
        let mut parts: Vec<_> = run.pieces_mut(memory).map(IoSliceMut::new).collect();
        let (mut parts, mut at) = (&mut parts[..], run.at);
        while !parts.is_empty() {
            let group = parts.len().min(MOST_PARTS);
            let are_pages = |part: &IoSliceMut<'_>| {
                starts_at_page(part.len()) && starts_at_page(part.as_ptr().addr())
            };
            let is_direct = starts_at_page(at as usize) && parts[..group].iter().all(are_pages);
            let (handle, is_direct) = file.by(is_direct);
            match self.disk.read(handle, &mut parts[..group], at) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(bytes) => {
                    self.read.fetch_add(bytes as u64, Ordering::Relaxed);
                    at += bytes as u64;
                    IoSliceMut::advance_slices(&mut parts, bytes);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if file.falls_back(&error, is_direct) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads what begins anywhere past the cache: whole pages to a window, and from there.
    fn read_windows(
        &self,
        file: &StoredFile,
        direct: &File,
        memory: &mut [u8],
        at: u64,
        size: usize,
    ) -> io::Result<()> {
        let mut window = file.window.lock().unwrap_or_else(PoisonError::into_inner);
        let window = window.get_or_insert_with(|| Buffer::new(size + PAGE));
        let mut done = 0;
        while done < memory.len() {
            let from = at + done as u64;
            let skipped = from as usize % PAGE;
            let wanted = (skipped + memory.len() - done).next_multiple_of(PAGE);
            let wanted = wanted.min(window.bytes().len());
            let mut parts = [IoSliceMut::new(&mut window.bytes_mut()[..wanted])];
            match self.disk.read(direct, &mut parts, from - skipped as u64) {
                // At the end of a file.
                Ok(bytes) if bytes <= skipped => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(bytes) => {
                    let found = &window.bytes()[skipped..bytes];
                    let found = &found[..found.len().min(memory.len() - done)];
                    memory[done..][..found.len()].copy_from_slice(found);
                    self.read.fetch_add(found.len() as u64, Ordering::Relaxed);
                    done += found.len();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if file.falls_back(&error, true) => {
                    let rest = Run::whole(from, memory.len() - done);
                    return self.read_pieces(file, &rest, &mut memory[done..]);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Writes a run from its places in memory.
    pub(crate) fn write_run(
        &self,
        file: &StoredFile,
        run: &Run,
        memory: &[u8],
    ) -> Result<(), ScaleError> {
        self.write_pieces(file, run, memory)
            .map_err(ScaleError::disk(&file.path, "cannot be written"))
    }

    fn write_pieces(&self, file: &StoredFile, run: &Run, memory: &[u8]) -> io::Result<()> {
        let mut parts: Vec<_> = run.pieces(memory).map(IoSlice::new).collect();
        let (mut parts, mut at) = (&mut parts[..], run.at);
        while !parts.is_empty() {
            let group = parts.len().min(MOST_PARTS);
            let are_pages = |part: &IoSlice<'_>| {
                starts_at_page(part.len()) && starts_at_page(part.as_ptr().addr())
            };
            let is_direct = starts_at_page(at as usize) && parts[..group].iter().all(are_pages);
            let (handle, is_direct) = file.by(is_direct);
            match self.disk.write(handle, &parts[..group], at) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(bytes) => {
                    self.written.fetch_add(bytes as u64, Ordering::Relaxed);
                    at += bytes as u64;
                    IoSlice::advance_slices(&mut parts, bytes);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if file.falls_back(&error, is_direct) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Waits until the names of the files in a folder are on the disk.
    pub(crate) fn sync_folder(&self, folder: &Path) -> Result<(), ScaleError> {
        let opened = self.disk.open(folder, OpenOptions::new().read(true));
        let synced = opened.and_then(|folder| self.disk.sync(&folder));
        synced.map_err(ScaleError::disk(folder, "the folder cannot be written"))
    }

    /// Waits until all that was written is on the disk.
    pub(crate) fn sync(&self, file: &StoredFile) -> Result<(), ScaleError> {
        let synced = self.disk.sync(&file.cached);
        synced.map_err(ScaleError::disk(&file.path, "cannot be written"))
    }
}

impl StoredFile {
    fn past_cache(&self) -> Option<&File> {
        let refuses = self.refuses.load(Ordering::Relaxed);
        self.direct.as_ref().filter(|_| !refuses)
    }

    /// The file to be read or written next, and whether it is that past the cache.
    fn by(&self, is_direct: bool) -> (&File, bool) {
        match self.past_cache().filter(|_| is_direct) {
            Some(direct) => (direct, true),
            None => (&self.cached, false),
        }
    }

    /// Whether an error is that of a file system that opens files past the cache, and neither reads nor writes them so; from then on
    /// the cache is used.
    fn falls_back(&self, error: &io::Error, is_direct: bool) -> bool {
        let refuses = is_direct && error.kind() == ErrorKind::InvalidInput;
        if refuses {
            self.refuses.store(true, Ordering::Relaxed);
        }
        refuses
    }

    /// Leaves out what follows the first bytes.
    pub(crate) fn cut(&self, bytes: u64) -> Result<(), ScaleError> {
        let cut = self.cached.set_len(bytes);
        cut.map_err(ScaleError::disk(&self.path, "cannot be written"))
    }

    pub(crate) fn metadata(&self) -> Result<std::fs::Metadata, ScaleError> {
        let found = self.cached.metadata();
        found.map_err(ScaleError::disk(&self.path, "cannot be read"))
    }
}

impl Run {
    /// Bytes that are the same in memory.
    pub(crate) fn whole(at: u64, bytes: usize) -> Self {
        Self {
            at,
            memory: 0,
            piece: bytes,
            stride: bytes.max(1),
            pieces: usize::from(bytes > 0),
            tile: 0,
        }
    }
}
