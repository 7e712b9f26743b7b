//! Processes, on one machine or on many, that work at one job: what they send each other, and what is whose.
//!
//! Bands are dealt out in turn: band b is read, computed and written by rank b mod P. Tiles of a matrix between passes lie with the rank
//! that reads them: of the band that a rank has computed, each rank gets the tiles of its own bands of the next pass. So a pass has
//! ⌈bands/P⌉ rounds, each with one exchange of blocks of one length, and every rank moves N/P elements. Bands that are read as they were
//! computed stay; what limbs of one carry to the next is told to all, a few words a round.
//!
//! What falls apart into pieces of unequal length is not dealt but handed out, to whoever is ready ([`hand_out`]): so are images
//! modulo primes ([`images`]).

pub mod hand_out;
pub mod images;
#[cfg(feature = "mpi")]
pub mod mpi;
pub mod threads;

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use thiserror::Error;

/// Another rank has ended before the job has.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("another rank has ended")]
pub struct Gone;

/// The ranks of a job, as one of them sees them. Each makes its calls from one thread at a time. What all take part in
/// ([`all_to_all`](Self::all_to_all), [`gather`](Self::gather)) all call in the same order, when every message has been received.
pub trait Ranks: Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The number of this one, from 0.
    fn rank(&self) -> usize;

    /// How many there are.
    fn size(&self) -> usize;

    /// Sends block r to rank r, and receives the one that rank r has for this one as block r; all have the same length.
    ///
    /// # Errors
    /// [`Gone`].
    fn all_to_all(&self, send: &[u8], received: &mut [u8]) -> Result<(), Gone>;

    /// What each rank has, of any length.
    ///
    /// # Errors
    /// [`Gone`].
    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Gone>;

    /// Sends a message of any length to another rank, and may wait until it is received.
    ///
    /// # Errors
    /// [`Gone`].
    fn send(&self, to: usize, message: &[u8]) -> Result<(), Gone>;

    /// A message that has come, and who sent it; `None` if there is none yet. Those of one rank come in the order in which it sent
    /// them.
    ///
    /// # Errors
    /// [`Gone`].
    fn receive(&self) -> Result<Option<(usize, Vec<u8>)>, Gone>;

    /// This rank ends before the job has: others that wait for it are told, where they can be.
    fn leave(&self);
}

/// One process that works by itself.
///
/// ```
/// use sunzi::scale::{Alone, Ranks};
///
/// let mut received = [0; 2];
/// Alone.all_to_all(&[5, 7], &mut received)?;
/// assert_eq!((Alone.size(), received), (1, [5, 7]));
/// # Ok::<(), sunzi::scale::Gone>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alone;

impl Ranks for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn all_to_all(&self, send: &[u8], received: &mut [u8]) -> Result<(), Gone> {
        received.copy_from_slice(send);
        Ok(())
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Gone> {
        Ok(vec![own.to_vec()])
    }

    /// There is no other rank.
    fn send(&self, _to: usize, _message: &[u8]) -> Result<(), Gone> {
        Err(Gone)
    }

    fn receive(&self) -> Result<Option<(usize, Vec<u8>)>, Gone> {
        Ok(None)
    }

    fn leave(&self) {}
}

/// What is a rank's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deal {
    pub(crate) rank: usize,
    pub(crate) size: usize,
}

impl Deal {
    pub(crate) fn of(ranks: &dyn Ranks) -> Self {
        Self {
            rank: ranks.rank(),
            size: ranks.size(),
        }
    }

    /// Rounds in which so many bands are done.
    pub(crate) fn rounds(self, bands: usize) -> usize {
        bands.div_ceil(self.size)
    }

    /// The band of this rank in a round, if there is one.
    pub(crate) fn band(self, round: usize, bands: usize) -> Option<usize> {
        Some(round * self.size + self.rank).filter(|&band| band < bands)
    }

    /// The bands of all ranks in a round, in their order.
    pub(crate) fn bands(self, round: usize, bands: usize) -> std::ops::Range<usize> {
        round * self.size..bands.min((round + 1) * self.size)
    }

    /// How many of so many bands are this rank's.
    pub(crate) fn owned(self, bands: usize) -> usize {
        (bands + self.size - 1 - self.rank) / self.size
    }
}
