//! Ranks that are threads of one process.

use super::{Gone, Ranks};
use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What all have brought to a meeting.
type Brought = Arc<Vec<Vec<u8>>>;

/// Where ranks meet.
#[derive(Debug, Default)]
struct State {
    /// What those have brought that have come so far.
    brought: Vec<Option<Vec<u8>>>,
    come: usize,
    /// How many meetings there were, and what was brought to the last one.
    meetings: u64,
    last: Brought,
    /// Messages to each rank, and who sent them.
    messages: Vec<VecDeque<(usize, Vec<u8>)>>,
    /// Whether a rank has left.
    is_over: bool,
}

#[derive(Debug, Default)]
struct Place {
    state: Mutex<State>,
    changed: Condvar,
}

/// A rank that is a thread, as the other ranks are: what runs on many machines runs so in one process, without them.
///
/// ```
/// use sunzi::scale::{Ranks, Threads};
///
/// let both = Threads::new(2);
/// let sums = std::thread::scope(|scope| {
///     let ranks = both.iter().map(|rank| scope.spawn(|| rank.gather(&[rank.rank() as u8 + 1])));
///     let ranks: Vec<_> = ranks.collect();
///     ranks.into_iter().map(|rank| rank.join().unwrap()).collect::<Vec<_>>()
/// });
/// assert_eq!(sums, [Ok(vec![vec![1], vec![2]]), Ok(vec![vec![1], vec![2]])]);
/// ```
#[derive(Clone, Debug)]
pub struct Threads {
    rank: usize,
    place: Arc<Place>,
    size: usize,
}

impl Threads {
    /// So many ranks, one for each thread.
    #[must_use]
    pub fn new(size: usize) -> Vec<Self> {
        let place = Arc::new(Place::default());
        {
            let mut state = place.lock();
            state.brought = vec![None; size];
            state.messages = vec![VecDeque::new(); size];
        }
        let rank = |rank| Self {
            rank,
            place: Arc::clone(&place),
            size,
        };
        (0..size).map(rank).collect()
    }

    /// The place, unless a rank has left.
    fn open(&self) -> Result<MutexGuard<'_, State>, Gone> {
        let state = self.place.lock();
        match state.is_over {
            true => Err(Gone),
            false => Ok(state),
        }
    }

    /// Brings something, and takes what all have brought.
    fn meet(&self, own: Vec<u8>) -> Result<Brought, Gone> {
        let mut state = self.open()?;
        state.brought[self.rank] = Some(own);
        state.come += 1;
        if state.come == self.size {
            let brought = mem::replace(&mut state.brought, vec![None; self.size]);
            state.last = Arc::new(brought.into_iter().flatten().collect());
            state.come = 0;
            state.meetings += 1;
            self.place.changed.notify_all();
            return Ok(Arc::clone(&state.last));
        }
        let meeting = state.meetings;
        let waits = |state: &mut State| state.meetings == meeting && !state.is_over;
        let state = self.place.changed.wait_while(state, waits);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        match state.meetings == meeting {
            true => Err(Gone),
            // The next meeting waits for this rank, too.
            false => Ok(Arc::clone(&state.last)),
        }
    }
}

impl Place {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ranks for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn all_to_all(&self, send: &[u8], received: &mut [u8]) -> Result<(), Gone> {
        let brought = self.meet(send.to_vec())?;
        let block = received.len() / self.size;
        for (received, brought) in received.chunks_mut(block.max(1)).zip(&*brought) {
            received.copy_from_slice(&brought[self.rank * block..][..block]);
        }
        Ok(())
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Gone> {
        Ok(self.meet(own.to_vec())?.to_vec())
    }

    fn send(&self, to: usize, message: &[u8]) -> Result<(), Gone> {
        let mut state = self.open()?;
        state.messages[to].push_back((self.rank, message.to_vec()));
        Ok(())
    }

    fn receive(&self) -> Result<Option<(usize, Vec<u8>)>, Gone> {
        Ok(self.open()?.messages[self.rank].pop_front())
    }

    fn leave(&self) {
        self.place.lock().is_over = true;
        self.place.changed.notify_all();
    }
}
