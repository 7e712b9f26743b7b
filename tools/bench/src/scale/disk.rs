//! The rate of a disk, past the cache of files where that can be.

use serde::Serialize;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::thread;
use std::time::Instant;

/// Bytes of a run, as the first pass of a transform reads them at least, where it can.
const RUN: usize = 1 << 20;

/// Places in files and in memory are multiples of it.
const PAGE: usize = 4096;

/// Rates in bytes a second.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Disk {
    pub writing: f64,
    pub reading: f64,
    /// Bytes that were read and written together while one reads or two read, and one writes: the better of the two.
    pub both: f64,
    /// Bytes of the file that was read.
    pub bytes: u64,
}

impl fmt::Display for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "The disk: {:.2} GB/s written, {:.2} GB/s read, {:.2} GB/s both together",
            self.writing / 1e9,
            self.reading / 1e9,
            self.both / 1e9
        )
    }
}

/// Measures it by files of so many bytes.
pub fn measure(path: &Path, bytes: u64) -> io::Result<Disk> {
    let runs = (bytes / RUN as u64).max(1);
    let second = path.with_extension("2");
    let open = |path: &Path| {
        File::create(path)?.set_len(runs * RUN as u64)?;
        past_cache(path)
    };
    let (first, other) = (open(path)?, open(&second)?);
    let rate =
        |moved: u64, start: Instant| (moved * RUN as u64) as f64 / start.elapsed().as_secs_f64();
    let start = Instant::now();
    write(&first, 0, runs)?;
    first.sync_data()?;
    let writing = rate(runs, start);
    let start = Instant::now();
    read(&first, 0, runs)?;
    let reading = rate(runs, start);
    let mut both = 0f64;
    for readers in [1, 2] {
        let start = Instant::now();
        thread::scope(|scope| {
            let share = runs.div_ceil(readers);
            let reading: Vec<_> = (0..readers)
                .map(|i| {
                    scope.spawn({
                        let first = &first;
                        move || read(first, i * share, runs.min((i + 1) * share))
                    })
                })
                .collect();
            write(&other, 0, runs)?;
            other.sync_data()?;
            reading
                .into_iter()
                .try_for_each(|thread| thread.join().unwrap_or(Ok(())))
        })?;
        both = both.max(rate(2 * runs, start));
    }
    fs::remove_file(path)?;
    fs::remove_file(second)?;
    Ok(Disk {
        writing,
        reading,
        both,
        bytes: runs * RUN as u64,
    })
}

/// Past the cache, or through it where the file system knows no other way.
fn past_cache(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let mut direct = options.clone();
        direct.custom_flags(libc::O_DIRECT);
        if let Ok(file) = direct.open(path) {
            return Ok(file);
        }
    }
    options.open(path)
}

/// A run that begins with a page.
fn run(memory: &mut [u8]) -> &mut [u8] {
    let before = memory.as_ptr().align_offset(PAGE);
    &mut memory[before..before + RUN]
}

fn write(file: &File, from: u64, to: u64) -> io::Result<()> {
    let mut memory = vec![0x5a; RUN + PAGE];
    let run = run(&mut memory);
    (from..to).try_for_each(|i| file.write_all_at(run, i * RUN as u64))
}

fn read(file: &File, from: u64, to: u64) -> io::Result<()> {
    let mut memory = vec![0; RUN + PAGE];
    let run = run(&mut memory);
    (from..to).try_for_each(|i| file.read_exact_at(run, i * RUN as u64))
}
