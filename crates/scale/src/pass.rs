//! One pass over a matrix: bands are read, computed and written at the same time, each by a thread of its own.

use crate::buffer::Buffer;
use crate::error::ScaleError;
use crate::job::journal::Entry;
use crate::matrix::{Bands, Layout, Matrix, Run};
use crate::ranks::{Deal, Ranks};
use crate::storage::{Storage, StoredFile};
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread;
use xxhash_rust::xxh3::Xxh3;

/// A matrix in a file, and the bands that a pass takes of it.
pub(crate) struct End<'a> {
    pub(crate) matrix: Matrix,
    /// What of it is in the file: all, or the tiles of this rank.
    pub(crate) share: Matrix,
    pub(crate) bands: Bands,
    pub(crate) file: &'a StoredFile,
}

/// What a pass is made of.
pub(crate) struct Pass<'a> {
    pub(crate) number: usize,
    /// One, or one for each operand: each has a buffer of its own.
    pub(crate) sources: Vec<End<'a>>,
    pub(crate) sink: End<'a>,
    /// The sums of the tiles of each source, where it has some.
    pub(crate) sums: Vec<Vec<u64>>,
    /// Bytes of a band in memory.
    pub(crate) bytes: usize,
    /// The rounds that are still to be done, of as many bands in all.
    pub(crate) rounds: Range<usize>,
    pub(crate) count: usize,
    /// Whether what it writes is read by the ranks that write it.
    pub(crate) stays: bool,
    pub(crate) ranks: &'a dyn Ranks,
}

/// Computes a band in the first of its buffers, and gives what it comes to in what is checked; in the last round this rank may have none.
/// There may be another buffer, to be exchanged with it.
pub(crate) type Compute<'a> =
    dyn FnMut(Option<usize>, &mut [Buffer], &mut Option<Buffer>) -> Result<Vec<u64>, ScaleError> + 'a;

/// The band of a round on its way, or what ended the pass.
type Sent = Result<(usize, Vec<Buffer>, Vec<u64>), ScaleError>;

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
        let buffers = buffers.min(self.rounds.len());
        let mut spare = has_spare.then(|| Buffer::new(self.bytes));
        thread::scope(|scope| {
            let (free, freed) = channel();
            let (read, to_compute) = sync_channel::<Sent>(buffers);
            let (computed, to_write) = sync_channel::<Sent>(buffers);
            for _ in 0..buffers {
                // Both ends are here: it is taken.
                let of_sources = self.sources.iter().map(|_| Buffer::new(self.bytes));
                let _ = free.send(of_sources.collect());
            }
            scope.spawn(move || {
                for round in self.rounds.clone() {
                    // Where nobody waits for bands any more, the pass has ended.
                    let Ok(of_band) = freed.recv() else { return };
                    let sent = self.read(storage, round, of_band);
                    let failed = sent.is_err();
                    if read.send(sent).is_err() || failed {
                        return;
                    }
                }
            });
            let writer = scope.spawn(move || self.write_all(storage, to_write, &free, done));
            for sent in to_compute {
                let result = sent.and_then(|(round, mut of_band, _)| {
                    let shares = compute(self.band(round), &mut of_band, &mut spare)?;
                    Ok((round, of_band, shares))
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

    /// The band of this rank in a round.
    fn band(&self, round: usize) -> Option<usize> {
        Deal::of(self.ranks).band(round, self.count)
    }

    fn read(&self, storage: &Storage, round: usize, mut of_band: Vec<Buffer>) -> Sent {
        let Some(band) = self.band(round) else {
            return Ok((round, of_band, Vec::new()));
        };
        for ((source, sums), buffer) in self.sources.iter().zip(&self.sums).zip(&mut of_band) {
            if source.matrix.is_short() {
                buffer.bytes_mut()[..self.bytes].fill(0);
            }
            for run in source.runs(band, round) {
                let read = storage.read_run(source.file, &run, buffer.bytes_mut());
                read.map_err(|error| source.cut_off(error))?;
                if let Some(&expected) = sums.get(run.tile)
                    && sum(std::slice::from_ref(&run), buffer.bytes()) != expected
                {
                    let problem = format!("tile {} is not as it was written", run.tile);
                    return Err(ScaleError::damaged(&source.file.path, problem));
                }
            }
        }
        Ok((round, of_band, Vec::new()))
    }

    fn write_all(
        &self,
        storage: &Storage,
        bands: Receiver<Sent>,
        free: &Sender<Vec<Buffer>>,
        done: &mut (dyn FnMut(Entry) -> Result<(), ScaleError> + Send),
    ) -> Result<(), ScaleError> {
        let mut exchange = Exchange::new(self);
        for sent in bands {
            let (round, of_band, shares) = sent?;
            let sums = match &mut exchange {
                Some(exchange) => exchange.write(storage, round, &of_band[0])?,
                None => self.write(storage, round, &of_band[0])?,
            };
            done(Entry {
                pass: self.number,
                band: round,
                sums,
                shares,
            })?;
            // Nobody takes it after the last band was read.
            let _ = free.send(of_band);
        }
        Ok(())
    }

    /// Writes a band; gives the sums of its tiles, or its own.
    fn write(
        &self,
        storage: &Storage,
        round: usize,
        buffer: &Buffer,
    ) -> Result<Vec<u64>, ScaleError> {
        let Some(band) = self.band(round) else {
            return Ok(Vec::new());
        };
        let runs = self.sink.runs(band, round);
        for run in &runs {
            storage.write_run(self.sink.file, run, buffer.bytes())?;
        }
        Ok(self.sink.sums_of(&runs, buffer))
    }
}

/// How tiles of a pass come to the ranks that read them.
struct Exchange<'a> {
    pass: &'a Pass<'a>,
    deal: Deal,
    /// Bytes of a tile, and of the block for a rank.
    tile: usize,
    block: usize,
    send: Buffer,
    received: Buffer,
}

impl<'a> Exchange<'a> {
    /// For a pass to a matrix of which each rank has a part.
    fn new(pass: &'a Pass<'a>) -> Option<Self> {
        let (sink, deal) = (&pass.sink, Deal::of(pass.ranks));
        if deal.size == 1 || pass.stays || sink.matrix.layout == Layout::RowMajor {
            return None;
        }
        let tile = sink.matrix.tile_bytes();
        let tiles = match sink.bands {
            Bands::Rows => sink.matrix.count(Bands::Columns),
            Bands::Columns => sink.matrix.count(Bands::Rows),
        };
        // The first rank has the most.
        let block = deal.rounds(tiles) * tile;
        let [send, received] = [0; 2].map(|_| Buffer::new(block * deal.size));
        Some(Self {
            pass,
            deal,
            tile,
            block,
            send,
            received,
        })
    }

    /// Sends the tiles of a band to their ranks, and writes those of all bands of the round that are this rank's; gives their sums.
    fn write(
        &mut self,
        storage: &Storage,
        round: usize,
        buffer: &Buffer,
    ) -> Result<Vec<u64>, ScaleError> {
        let (sink, block) = (&self.pass.sink, self.block);
        if let Some(band) = self.pass.band(round) {
            let runs = sink.matrix.runs(sink.bands, band);
            for (index, run) in runs.iter().enumerate() {
                let place = index % self.deal.size * block + index / self.deal.size * self.tile;
                let tile = self.send.bytes_mut()[place..].chunks_mut(run.piece.max(1));
                for (to, piece) in tile.zip(run.pieces(buffer.bytes())) {
                    to.copy_from_slice(piece);
                }
            }
        }
        let all = block * self.deal.size;
        let (send, received) = (self.send.bytes(), self.received.bytes_mut());
        self.pass.ranks.all_to_all(&send[..all], &mut received[..all])?;
        let mut sums = Vec::new();
        for (rank, band) in self.deal.bands(round, self.pass.count).enumerate() {
            let tiles = sink.share.runs(sink.bands, band).into_iter().enumerate();
            let runs: Vec<_> = tiles
                .map(|(index, run)| Run {
                    memory: rank * block + index * self.tile,
                    piece: self.tile,
                    stride: self.tile,
                    pieces: 1,
                    ..run
                })
                .collect();
            for run in &runs {
                storage.write_run(sink.file, run, self.received.bytes())?;
            }
            sums.extend(sink.sums_of(&runs, &self.received));
        }
        Ok(sums)
    }
}

impl End<'_> {
    /// The runs of a band in the file, which is that of this rank in a round.
    fn runs(&self, band: usize, round: usize) -> Vec<Run> {
        match self.matrix.layout {
            Layout::RowMajor => self.matrix.runs(self.bands, band),
            Layout::Tiles => self.share.runs(self.bands, round),
        }
    }

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

    /// An input that ends too early has changed: its length was compared with its header.
    fn cut_off(&self, error: ScaleError) -> ScaleError {
        match error {
            ScaleError::Damaged { path, .. } if self.matrix.layout == Layout::RowMajor => {
                ScaleError::changed(&path)
            }
            other => other,
        }
    }

    /// Reads bands of a rank again that were written, and compares them with their sums.
    pub(crate) fn test(
        &self,
        storage: &Storage,
        bytes: usize,
        sums: &[Vec<u64>],
        deal: Deal,
    ) -> Result<(), ScaleError> {
        let mut buffer = Buffer::new(bytes);
        for (round, expected) in sums.iter().enumerate() {
            let Some(band) = deal.band(round, self.matrix.count(self.bands)) else {
                continue;
            };
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
