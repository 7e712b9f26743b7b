//! Work that is handed out on demand: numbers from 0 on, of which each rank computes as many as it has time for.
//!
//! **Problem.** What is computed of each number takes about as long, but ranks differ: in their processors, in how many threads they
//! have, in what else their machines do. Some numbers tell nothing, and others take their place, which is known only then. **Way.**
//! Rank 0 has the numbers. Whoever is ready sends it what it has found, and gets the next batch; rank 0 computes as well, and a
//! thread of its own gives the answers meanwhile. A batch takes a share of the time that is left, as each rank's last batch tells
//! its speed: long ones first, so that handing out costs nothing, and short ones last, so that nobody waits long for the others.
//!
//! Which rank computes what depends on time; which numbers are computed does not: 0, 1, 2 … up to the least end that is enough.

use super::{Gone, Ranks};
use std::collections::VecDeque;
use std::mem;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use sunzi_machine::threads::look;

/// Seconds that a batch is to take at least: thousands of times those of a message.
const SHORTEST: f64 = 0.02;

/// Seconds that it is to take at most: what is on its way is lost with a rank.
const LONGEST: f64 = 2.0;

/// The share of the time that is left which a batch takes.
const SHARE: f64 = 0.25;

/// Pauses between looks for a message, from the first to the longest: a look takes a microsecond.
const PAUSES: [Duration; 2] = [Duration::from_micros(50), Duration::from_micros(500)];

/// What is handed out: numbers from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// How many there are, but for those that tell nothing.
    pub count: u64,
    /// So many take this rank as long as one: batches are multiples of it.
    pub grain: u64,
}

/// Has all ranks compute what is to be found of the numbers, each range by `compute`, and rank 0 `accept` it, in any order; `accept`
/// says how many numbers more are needed for those that told nothing. Each number is computed once.
///
/// How many numbers each rank has computed, on rank 0; nothing on the others.
///
/// # Errors
/// What `compute` or `accept` says, where it does so; [`Gone`] on the other ranks.
pub fn hand_out<E: From<Gone> + Send>(
    ranks: &dyn Ranks,
    numbers: Numbers,
    compute: &mut dyn FnMut(Range<u64>) -> Result<Vec<u8>, E>,
    accept: &mut Accept<'_, E>,
) -> Result<Vec<u64>, E> {
    let leaving = Leaving(ranks);
    let computed = match ranks.rank() {
        0 => Desk::new(ranks.size(), numbers, accept).open(ranks, compute)?,
        _ => {
            ask(ranks, numbers.grain.max(1), compute)?;
            Vec::new()
        }
    };
    mem::forget(leaving);
    Ok(computed)
}

/// What rank 0 does with what was found of a range.
type Accept<'a, E> = dyn FnMut(Range<u64>, Vec<u8>) -> Result<u64, E> + Send + 'a;

/// Tells the other ranks that this one ends before the work does, by a panic, too.
struct Leaving<'a>(&'a dyn Ranks);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// A rank that asks rank 0, until there is nothing more.
fn ask<E: From<Gone>>(
    ranks: &dyn Ranks,
    grain: u64,
    compute: &mut dyn FnMut(Range<u64>) -> Result<Vec<u8>, E>,
) -> Result<(), E> {
    let mut done = Done {
        grain,
        ..Done::default()
    };
    loop {
        ranks.send(0, &done.message())?;
        let range = answer(ranks)?;
        if range.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        let found = compute(range.clone())?;
        done = Done {
            range,
            seconds: start.elapsed().as_secs_f64(),
            grain,
            found,
        };
    }
}

/// The range that rank 0 answers, which is empty at the end.
fn answer(ranks: &dyn Ranks) -> Result<Range<u64>, Gone> {
    let mut pauses = Pauses::new();
    loop {
        look();
        if let Some((_, message)) = ranks.receive()? {
            let [first, end] = words(&message).ok_or(Gone)?;
            return Ok(first..end);
        }
        pauses.pause();
    }
}

/// What a rank has done, as it tells rank 0: nothing before its first batch.
#[derive(Default)]
struct Done {
    range: Range<u64>,
    seconds: f64,
    grain: u64,
    found: Vec<u8>,
}

impl Done {
    const HEAD: usize = 32;

    fn message(&self) -> Vec<u8> {
        let Range { start, end } = self.range;
        let head = [start, end, self.seconds.to_bits(), self.grain];
        let mut message: Vec<u8> = head.into_iter().flat_map(u64::to_le_bytes).collect();
        message.extend_from_slice(&self.found);
        message
    }

    fn of_message(mut message: Vec<u8>) -> Option<Self> {
        let [start, end, seconds, grain] = words(&message)?;
        message.drain(..Self::HEAD);
        Some(Self {
            range: start..end,
            seconds: f64::from_bits(seconds),
            grain,
            found: message,
        })
    }
}

/// The words that a message begins with.
fn words<const N: usize>(message: &[u8]) -> Option<[u64; N]> {
    let (words, _) = message.as_chunks().0.split_first_chunk::<N>()?;
    Some(words.map(u64::from_le_bytes))
}

/// Longer and longer ones, while nothing happens.
struct Pauses(Duration);

impl Pauses {
    fn new() -> Self {
        Self(PAUSES[0])
    }

    fn pause(&mut self) {
        thread::sleep(self.0);
        self.0 = PAUSES[1].min(self.0 * 2);
    }
}

/// What rank 0 has handed out, and to whom.
struct Desk<'a, 'b, E> {
    state: Mutex<State<'a, 'b, E>>,
    /// When there is something more, or nothing any more.
    changed: Condvar,
}

struct State<'a, 'b, E> {
    /// The first number that nobody has.
    next: u64,
    /// The number behind the last one that is needed, as far as is known.
    end: u64,
    /// Batches that ranks have.
    out: usize,
    of_ranks: Vec<OfRank>,
    accept: &'a mut Accept<'b, E>,
    /// Whether the thread that computes or the one that answers has ended before the work, and the error if it has one.
    broken: bool,
    error: Option<E>,
}

/// What is known of a rank.
#[derive(Clone, Copy)]
struct OfRank {
    grain: u64,
    /// Numbers a second, in its last batch.
    speed: Option<f64>,
    computed: u64,
}

impl<E> State<'_, '_, E> {
    /// The next batch of a rank, if there are numbers that nobody has.
    fn batch(&mut self, rank: usize) -> Option<Range<u64>> {
        let left = self.end - self.next;
        if left == 0 {
            return None;
        }
        let OfRank { grain, speed, .. } = self.of_ranks[rank];
        let together: f64 = self.of_ranks.iter().filter_map(|of| of.speed).sum();
        let wanted = speed.map_or(0, |speed| {
            let seconds = (left as f64 / together * SHARE).clamp(SHORTEST, LONGEST);
            (speed * seconds) as u64
        });
        let length = (wanted / grain * grain).max(grain).min(left);
        let first = self.next;
        self.next += length;
        self.out += 1;
        Some(first..self.next)
    }

    /// Takes what a rank has found.
    fn returned(&mut self, rank: usize, done: Done) -> Result<(), E> {
        let of_rank = &mut self.of_ranks[rank];
        of_rank.grain = done.grain.max(1);
        let count = done.range.end.saturating_sub(done.range.start);
        if count == 0 {
            return Ok(());
        }
        // What takes no time that a clock shows has some speed, too.
        of_rank.speed = Some(count as f64 / done.seconds.max(1e-9));
        of_rank.computed += count;
        self.out -= 1;
        self.end += (self.accept)(done.range, done.found)?;
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.next == self.end && self.out == 0
    }

    fn fail(&mut self, error: E) {
        self.broken = true;
        self.error.get_or_insert(error);
    }
}

impl<'a, 'b, E: From<Gone> + Send> Desk<'a, 'b, E> {
    fn new(size: usize, numbers: Numbers, accept: &'a mut Accept<'b, E>) -> Self {
        let unknown = OfRank {
            grain: numbers.grain.max(1),
            speed: None,
            computed: 0,
        };
        Self {
            state: Mutex::new(State {
                next: 0,
                end: numbers.count,
                out: 0,
                of_ranks: vec![unknown; size],
                accept,
                broken: false,
                error: None,
            }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, 'b, E>> {
        // Whoever has panicked has said so: `broken`.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Computes, and answers the others from a thread beside it, until all is done: on the thread that calls is what watches and ends
    /// computations.
    fn open(
        self,
        ranks: &dyn Ranks,
        compute: &mut dyn FnMut(Range<u64>) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u64>, E> {
        thread::scope(|scope| {
            let answering = (ranks.size() > 1).then(|| scope.spawn(|| self.answer_all(ranks)));
            self.compute(compute);
            if let Some(Err(panic)) = answering.map(|thread| thread.join()) {
                resume_unwind(panic);
            }
        });
        let state = self.state.into_inner();
        let state = state.unwrap_or_else(PoisonError::into_inner);
        match state.error {
            Some(error) => Err(error),
            None => Ok(state.of_ranks.iter().map(|of| of.computed).collect()),
        }
    }

    /// Rank 0 as one of those that compute.
    fn compute(&self, compute: &mut dyn FnMut(Range<u64>) -> Result<Vec<u8>, E>) {
        let ending = Ending(self);
        while let Some(range) = self.own_batch() {
            let start = Instant::now();
            let found = compute(range.clone());
            let seconds = start.elapsed().as_secs_f64();
            let mut state = self.lock();
            let grain = state.of_ranks[0].grain;
            let done = |found| Done {
                range,
                seconds,
                grain,
                found,
            };
            if let Err(error) = found.and_then(|found| state.returned(0, done(found))) {
                state.fail(error);
            }
        }
        mem::forget(ending);
    }

    /// The next batch of rank 0, which waits for it while others have some.
    fn own_batch(&self) -> Option<Range<u64>> {
        let mut state = self.lock();
        loop {
            if state.broken || state.is_done() {
                return None;
            }
            if let Some(range) = state.batch(0) {
                return Some(range);
            }
            let waited = self.changed.wait_timeout(state, Duration::from_millis(10));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            look();
        }
    }

    /// Answers the other ranks.
    fn answer_all(&self, ranks: &dyn Ranks) {
        let ending = Ending(self);
        if let Err(error) = self.answers(ranks) {
            self.lock().fail(error);
            self.changed.notify_all();
        }
        mem::forget(ending);
    }

    fn answers(&self, ranks: &dyn Ranks) -> Result<(), E> {
        let mut idle = VecDeque::new();
        let mut pauses = Pauses::new();
        loop {
            match ranks.receive()? {
                Some((rank, message)) => {
                    let done = Done::of_message(message).ok_or(Gone)?;
                    self.lock().returned(rank, done)?;
                    self.changed.notify_all();
                    idle.push_back(rank);
                    pauses = Pauses::new();
                }
                None => pauses.pause(),
            }
            let mut state = self.lock();
            if state.broken {
                return Ok(());
            }
            let mut answers = Vec::new();
            while let Some(&rank) = idle.front()
                && let Some(range) = state.batch(rank)
            {
                idle.pop_front();
                answers.push((rank, range));
            }
            let is_done = state.is_done();
            drop(state);
            // All have asked, before which no answer is theirs.
            let is_end = is_done && idle.len() == ranks.size() - 1;
            if is_end {
                answers.extend(idle.drain(..).map(|rank| (rank, 0..0)));
            }
            for (rank, Range { start, end }) in answers {
                ranks.send(rank, &[start, end].map(u64::to_le_bytes).concat())?;
            }
            if is_end {
                return Ok(());
            }
        }
    }
}

/// Tells the other thread of rank 0 that this one has ended by a panic.
struct Ending<'d, 'a, 'b, E: From<Gone> + Send>(&'d Desk<'a, 'b, E>);

impl<E: From<Gone> + Send> Drop for Ending<'_, '_, '_, E> {
    fn drop(&mut self) {
        self.0.lock().broken = true;
        self.0.changed.notify_all();
    }
}
