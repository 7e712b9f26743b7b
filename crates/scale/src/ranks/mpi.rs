//! Ranks that are processes of MPI.

use super::{Gone, Ranks};
use ::mpi::environment::Universe;
use ::mpi::topology::SimpleCommunicator;
use ::mpi::point_to_point::MatchedReceiveVec;
use ::mpi::topology::Rank;
use ::mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use ::mpi::{Threading, initialize_with_threading};
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// Bytes that one call moves at most from one rank to another: counts of MPI's are C's `int`, together for all ranks.
const MOST: usize = 1 << 30;

/// Why there are no ranks.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MpiError {
    /// It was begun before, and can be begun once in a process.
    #[error("MPI was begun before in this process: keep what the first call gave")]
    Begun,
    /// The library does not let threads call it.
    #[error("this library of MPI cannot be called from threads: it needs MPI_THREAD_SERIALIZED")]
    Threads,
}

/// What is MPI's; its calls are made one at a time.
struct Calls {
    world: SimpleCommunicator,
    /// Ends MPI when it goes.
    _universe: Universe,
}

// SAFETY: MPI was begun with MPI_THREAD_SERIALIZED or more, for which threads may call it one at a time: a lock is around it.
unsafe impl Send for Calls {}

/// A rank of `MPI_COMM_WORLD`.
///
/// A process that ends by an error before the job has must end the others, too: [`Mpi::abort`].
pub struct Mpi {
    calls: Mutex<Calls>,
    rank: usize,
    size: usize,
    most: usize,
}

impl UnwindSafe for Mpi {}
impl RefUnwindSafe for Mpi {}

impl fmt::Debug for Mpi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.size)
    }
}

impl Mpi {
    /// Begins MPI, which can be done once in a process.
    ///
    /// # Errors
    /// [`MpiError`].
    pub fn begin() -> Result<Self, MpiError> {
        Self::with_most(MOST)
    }

    /// The same, by calls that move so many bytes from one rank to another at most.
    #[doc(hidden)]
    pub fn with_most(most: usize) -> Result<Self, MpiError> {
        let begun = initialize_with_threading(Threading::Serialized);
        let (universe, threading) = begun.ok_or(MpiError::Begun)?;
        if threading < Threading::Serialized {
            return Err(MpiError::Threads);
        }
        let world = universe.world();
        let [rank, size] = [world.rank(), world.size()].map(|number| number as usize);
        Ok(Self {
            calls: Mutex::new(Calls {
                world,
                _universe: universe,
            }),
            rank,
            size,
            most: most / size,
        })
    }

    /// Ends all ranks at once, with this status.
    pub fn abort(&self, status: i32) -> ! {
        // Whoever holds the lock waits for a rank that does not come.
        match self.calls.try_lock() {
            Ok(calls) => calls.world.abort(status),
            Err(_) => SimpleCommunicator::world().abort(status),
        }
    }

    fn with<R>(&self, call: impl FnOnce(&SimpleCommunicator) -> R) -> R {
        let calls = self.calls.lock();
        call(&calls.unwrap_or_else(PoisonError::into_inner).world)
    }
}

impl Ranks for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn all_to_all(&self, send: &[u8], received: &mut [u8]) -> Result<(), Gone> {
        let block = send.len() / self.size;
        // Nothing has no address of its own, which MPI asks for.
        if block == 0 {
            return Ok(());
        }
        if block <= self.most {
            self.with(|world| world.all_to_all_into(send, received));
            return Ok(());
        }
        for start in (0..block).step_by(self.most) {
            let length = self.most.min(block - start);
            let mut piece = Vec::with_capacity(length * self.size);
            for block in send.chunks_exact(block) {
                piece.extend_from_slice(&block[start..start + length]);
            }
            let mut of_others = vec![0; piece.len()];
            self.with(|world| world.all_to_all_into(&piece[..], &mut of_others[..]));
            let pieces = of_others.chunks_exact(length);
            for (received, piece) in received.chunks_exact_mut(block).zip(pieces) {
                received[start..start + length].copy_from_slice(piece);
            }
        }
        Ok(())
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Gone> {
        let mut lengths = vec![0u64; self.size];
        self.with(|world| world.all_gather_into(&(own.len() as u64), &mut lengths[..]));
        let longest = lengths.iter().copied().max().unwrap_or(0) as usize;
        let mut padded = own.to_vec();
        padded.resize(longest, 0);
        let mut all = vec![0; longest * self.size];
        if longest > 0 {
            self.with(|world| world.all_gather_into(&padded[..], &mut all[..]));
        }
        let each = lengths.iter().enumerate();
        Ok(each
            .map(|(rank, &length)| all[rank * longest..][..length as usize].to_vec())
            .collect())
    }

    fn send(&self, to: usize, message: &[u8]) -> Result<(), Gone> {
        // The first piece tells how long the message is.
        let mut first = (message.len() as u64).to_le_bytes().to_vec();
        let (with_length, others) = message.split_at(message.len().min(self.most));
        first.extend_from_slice(with_length);
        self.with(|world| {
            let to = world.process_at_rank(to as Rank);
            to.send(&first[..]);
            for piece in others.chunks(self.most.max(1)) {
                to.send(piece);
            }
        });
        Ok(())
    }

    fn receive(&self) -> Result<Option<(usize, Vec<u8>)>, Gone> {
        Ok(self.with(|world| {
            let first = world.any_process().immediate_matched_probe()?;
            let (first, status) = first.matched_receive_vec::<u8>();
            let (length, piece) = first.split_first_chunk()?;
            let length = u64::from_le_bytes(*length) as usize;
            let mut message = piece.to_vec();
            let from = world.process_at_rank(status.source_rank());
            while message.len() < length {
                message.append(&mut from.receive_vec().0);
            }
            Some((from.source_rank() as usize, message))
        }))
    }

    fn leave(&self) {}
}
