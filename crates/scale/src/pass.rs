//! One pass over a matrix: bands are read, computed and written at the same time, each by a thread of its own.

use crate::buffer::Buffer;
use crate::error::ScaleError;
use crate::job::journal::Entry;
use crate::matrix::{Bands, Layout, Matrix, Run};
use crate::storage::{Storage, StoredFile};
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread;
use xxhash_rust::xxh3::Xxh3;

/// A matrix in a file, and the bands that a pass takes of it.
pub(crate) struct End<'a> {
    pub(crate) matrix: Matrix,
    pub(crate) bands: Bands,
    pub(crate) file: &'a StoredFile,
}

/// What a pass is made of.
pub(crate) struct Pass<'a> {
    pub(crate) number: usize,
    pub(crate) source: End<'a>,
    pub(crate) sink: End<'a>,
    /// The sums of the tiles of the source, if it has some.
    pub(crate) sums: Vec<u64>,
    /// Bytes of a band in memory.
    pub(crate) bytes: usize,
    /// The bands that are still to be done.
    pub(crate) bands: Range<usize>,
}

/// Computes a band, and gives what it comes to in the values that are checked. What is to be written may be left in the other buffer, by
/// exchanging the two.
pub(crate) type Compute<'a> =
    dyn FnMut(usize, &mut Buffer, &mut Option<Buffer>) -> Result<Vec<u64>, ScaleError> + 'a;

/// A band on its way, or what ended the pass.
type Sent = Result<(usize, Buffer, Vec<u64>), ScaleError>;

impl Pass<'_> {
    /// Does it: `compute` runs on the thread that calls, `done` on the one that writes, in the order of bands. With a spare buffer what
    /// is computed has two.
    pub(crate) fn run(
        &self,
        storage: &Storage,
        buffers: usize,
        has_spare: bool,
        compute: &mut Compute<'_>,
        done: &mut (dyn FnMut(Entry) -> Result<(), ScaleError> + Send),
    ) -> Result<(), ScaleError> {
        let buffers = buffers.min(self.bands.len());
        let mut spare = has_spare.then(|| Buffer::new(self.bytes));
        thread::scope(|scope| {
            let (free, freed) = channel();
            let (read, to_compute) = sync_channel::<Sent>(buffers);
            let (computed, to_write) = sync_channel::<Sent>(buffers);
            for _ in 0..buffers {
                // Both ends are here: it is taken.
                let _ = free.send(Buffer::new(self.bytes));
            }
            scope.spawn(move || {
                for band in self.bands.clone() {
                    // Where nobody waits for bands any more, the pass has ended.
                    let Ok(buffer) = freed.recv() else { return };
                    let sent = self.read(storage, band, buffer);
                    let failed = sent.is_err();
                    if read.send(sent).is_err() || failed {
                        return;
                    }
                }
            });
            let writer = scope.spawn(move || self.write_all(storage, to_write, &free, done));
            for sent in to_compute {
                let result = sent.and_then(|(band, mut buffer, _)| {
                    let shares = compute(band, &mut buffer, &mut spare)?;
                    Ok((band, buffer, shares))
                });
                let failed = result.is_err();
                if computed.send(result).is_err() || failed {
                    break;
                }
            }
            drop(computed);
            match writer.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    fn read(&self, storage: &Storage, band: usize, mut buffer: Buffer) -> Sent {
        let End {
            matrix,
            bands,
            file,
        } = &self.source;
        for run in matrix.runs(*bands, band) {
            storage.read_run(file, &run, buffer.bytes_mut())?;
            if let Some(&expected) = self.sums.get(run.tile)
                && sum(std::slice::from_ref(&run), buffer.bytes()) != expected
            {
                let problem = format!("tile {} is not as it was written", run.tile);
                return Err(ScaleError::damaged(&file.path, problem));
            }
        }
        Ok((band, buffer, Vec::new()))
    }

    fn write_all(
        &self,
        storage: &Storage,
        bands: Receiver<Sent>,
        free: &Sender<Buffer>,
        done: &mut (dyn FnMut(Entry) -> Result<(), ScaleError> + Send),
    ) -> Result<(), ScaleError> {
        for sent in bands {
            let (band, buffer, shares) = sent?;
            let sums = self.write(storage, band, &buffer)?;
            done(Entry {
                pass: self.number,
                band,
                sums,
                shares,
            })?;
            // Nobody takes it after the last band was read.
            let _ = free.send(buffer);
        }
        Ok(())
    }

    /// Writes a band; gives the sums of its tiles, or its own.
    fn write(
        &self,
        storage: &Storage,
        band: usize,
        buffer: &Buffer,
    ) -> Result<Vec<u64>, ScaleError> {
        let runs = self.sink.matrix.runs(self.sink.bands, band);
        for run in &runs {
            storage.write_run(self.sink.file, run, buffer.bytes())?;
        }
        Ok(self.sink.sums_of(&runs, buffer))
    }
}

impl End<'_> {
    /// The sums of the tiles of a band, or of all of it where there are none.
    fn sums_of(&self, runs: &[Run], buffer: &Buffer) -> Vec<u64> {
        match self.matrix.layout {
            Layout::Tiles => runs
                .iter()
                .map(|run| sum(std::slice::from_ref(run), buffer.bytes()))
                .collect(),
            Layout::RowMajor => vec![sum(runs, buffer.bytes())],
        }
    }

    /// Reads bands again that were written, and compares them with their sums.
    pub(crate) fn test(
        &self,
        storage: &Storage,
        bytes: usize,
        sums: &[Vec<u64>],
    ) -> Result<(), ScaleError> {
        let mut buffer = Buffer::new(bytes);
        for (band, expected) in sums.iter().enumerate() {
            let runs = self.matrix.runs(self.bands, band);
            for run in &runs {
                storage.read_run(self.file, run, buffer.bytes_mut())?;
            }
            if self.sums_of(&runs, &buffer) != *expected {
                let problem = format!("band {} is not as it was written", band + 1);
                return Err(ScaleError::damaged(&self.file.path, problem));
            }
        }
        Ok(())
    }
}

/// The sum of what some runs hold.
fn sum(runs: &[Run], memory: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    for run in runs {
        run.pieces(memory).for_each(|piece| hash.update(piece));
    }
    hash.digest()
}
