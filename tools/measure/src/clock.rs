//! Time, measured in turn: each pass runs every work once, so that whatever else the machine does falls on all of
//! them alike.
//!
//! A pass of quick work repeats it until the pass is far longer than the clock's step. Passes are added until the
//! budget is spent; the median of them is the time, the quartiles tell how far to trust it.

use cpu_time::ProcessTime;
use serde::Serialize;
use std::time::Instant;

/// Something that is timed.
pub type Work<'a> = Box<dyn Run + Send + 'a>;

/// What can be repeated: any closure that takes the number of times.
pub trait Run {
    /// Repeats the work `times` times; where a clock of its own times it, the seconds that all of it took.
    fn run(&mut self, times: usize) -> Option<f64>;
}

impl<F: FnMut(usize)> Run for F {
    fn run(&mut self, times: usize) -> Option<f64> {
        self(times);
        None
    }
}

/// Work that is timed by a clock of its own, such as a GPU's: the closure returns the seconds.
pub struct ByOwnClock<F>(pub F);

impl<F: FnMut(usize) -> f64> Run for ByOwnClock<F> {
    fn run(&mut self, times: usize) -> Option<f64> {
        Some(self.0(times))
    }
}

/// Which clock counts, for work without one of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The process's processor time: steady on a shared machine, right for one thread only.
    Processor,
    /// Time on the wall.
    Wall,
}

impl Clock {
    /// The clock for work on `threads` threads.
    #[must_use]
    pub fn for_threads(threads: usize) -> Self {
        if threads > 1 {
            Self::Wall
        } else {
            Self::Processor
        }
    }

    /// Seconds for each of `times` runs.
    fn time(self, work: &mut Work, times: usize) -> f64 {
        let (told, measured) = match self {
            Self::Processor => {
                let start = ProcessTime::now();
                (work.run(times), start.elapsed())
            }
            Self::Wall => {
                let start = Instant::now();
                (work.run(times), start.elapsed())
            }
        };
        told.unwrap_or(measured.as_secs_f64()) / times as f64
    }
}

/// A pass needs no more seconds than this to stand far above the step of the clock, and above what it takes to
/// wake the threads of a pool.
const LONGEST_PASS: f64 = 3e-3;
/// The share of the budget that a pass may take where the budget is small.
const PASS_SHARE: f64 = 0.1;
/// The best of this many tries tells how long quick work takes; one try may meet a sleeping thread.
const TRIES: usize = 5;
/// More runs than this make no pass better.
const MOST_RUNS: f64 = 1e8;
/// More passes than this make no median better.
const MOST_PASSES: usize = 301;
/// Fewer than this make no median.
const FEWEST_PASSES: usize = 5;
/// What replaces [`FEWEST_PASSES`] when a single pass is longer than the whole budget.
const FEWEST_LONG_PASSES: usize = 3;

/// Seconds that one run takes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Half of the passes were quicker.
    pub median: f64,
    /// A quarter of the passes were quicker.
    pub quartile1: f64,
    /// A quarter of the passes were slower.
    pub quartile3: f64,
}

impl Timing {
    fn of(mut passes: Vec<f64>) -> Self {
        passes.sort_by(f64::total_cmp);
        let last = passes.len().saturating_sub(1) as f64;
        let at = |part: f64| {
            let index = (last * part).round() as usize;
            passes.get(index).copied().unwrap_or(f64::NAN)
        };
        Self {
            median: at(0.5),
            quartile1: at(0.25),
            quartile3: at(0.75),
        }
    }

    /// The time of each of `count` items that a run consists of.
    #[must_use]
    pub fn of_each(self, count: usize) -> Self {
        let each = |seconds: f64| seconds / count as f64;
        Self {
            median: each(self.median),
            quartile1: each(self.quartile1),
            quartile3: each(self.quartile3),
        }
    }

    /// The middle half of the passes, relative to the median.
    #[must_use]
    pub fn spread(&self) -> f64 {
        (self.quartile3 - self.quartile1) / self.median
    }
}

/// Times all works, for about `budget` seconds each.
///
/// ```
/// use sunzi_measure::{Clock, Work, in_turn};
///
/// let sum = |count: u64| -> Work<'static> {
///     Box::new(move |times: usize| {
///         for _ in 0..times {
///             std::hint::black_box((0..count).fold(0, |x, y| std::hint::black_box(x ^ y)));
///         }
///     })
/// };
/// let times = in_turn(&mut [sum(1_000), sum(100_000)], Clock::Wall, 0.01);
/// assert!(times[0].median < times[1].median);
/// ```
pub fn in_turn(works: &mut [Work], clock: Clock, budget: f64) -> Vec<Timing> {
    if works.is_empty() {
        return Vec::new();
    }
    let mut start = Instant::now();
    let pass = LONGEST_PASS.min(PASS_SHARE * budget);
    let trials: Vec<Trial> = works
        .iter_mut()
        .map(|work| Trial::of(work, clock, pass))
        .collect();
    let mut passes = vec![Vec::new(); works.len()];
    if trials.iter().all(|trial| trial.first > budget) {
        // Long work was tried as it is measured: once each, in turn. That was the first pass.
        for (passes, trial) in passes.iter_mut().zip(&trials) {
            passes.push(trial.first);
        }
    } else {
        start = Instant::now();
    }
    let whole = budget * works.len() as f64;
    loop {
        let done = passes[0].len();
        let spent = start.elapsed().as_secs_f64();
        let fewest = if done > 0 && spent > whole * done as f64 {
            FEWEST_LONG_PASSES
        } else {
            FEWEST_PASSES
        };
        if done >= MOST_PASSES || (done >= fewest && spent >= whole) {
            break;
        }
        // Each pass starts with another work: none always follows the same one's cache.
        for turn in 0..works.len() {
            let who = (turn + done) % works.len();
            passes[who].push(clock.time(&mut works[who], trials[who].repeats));
        }
    }
    passes.into_iter().map(Timing::of).collect()
}

/// What trying a work tells.
struct Trial {
    /// Seconds of the first run.
    first: f64,
    /// How many runs make a pass.
    repeats: usize,
}

impl Trial {
    fn of(work: &mut Work, clock: Clock, pass: f64) -> Self {
        let first = clock.time(work, 1);
        let (mut each, mut times) = (first, 1);
        loop {
            if each * (times as f64) < pass {
                for _ in 1..TRIES {
                    each = each.min(clock.time(work, times));
                }
            }
            let positive = each.max(1e-10);
            if positive * times as f64 >= pass / 4.0 || times as f64 >= MOST_RUNS {
                let repeats = (pass / positive).ceil().clamp(1.0, MOST_RUNS) as usize;
                return Self { first, repeats };
            }
            times *= 4;
            each = clock.time(work, times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_of_five_passes() {
        let timing = Timing::of(vec![5.0, 1.0, 4.0, 2.0, 3.0]);
        let found = (timing.quartile1, timing.median, timing.quartile3);
        assert_eq!(found, (2.0, 3.0, 4.0));
        assert!((timing.spread() - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(timing.of_each(2).median, 1.5);
    }

    #[test]
    fn longer_work_takes_longer() {
        let work = |steps: u64| -> Work<'static> {
            Box::new(move |times: usize| {
                for step in 0..steps * times as u64 {
                    std::hint::black_box(step);
                }
            })
        };
        for clock in [Clock::Processor, Clock::Wall] {
            let times = in_turn(&mut [work(1_000), work(20_000)], clock, 0.02);
            assert!(times[0].median * 3.0 < times[1].median, "{clock:?}");
        }
        assert!(in_turn(&mut [], Clock::Wall, 0.02).is_empty());
    }

    #[test]
    fn work_may_have_a_clock_of_its_own() {
        let mut runs = 0;
        let work = ByOwnClock(|times: usize| {
            runs += times;
            7.0 * times as f64
        });
        let timing = in_turn(&mut [Box::new(work)], Clock::Wall, 1e-3)[0];
        assert_eq!(timing.median, 7.0);
        assert!(runs >= FEWEST_LONG_PASSES);
    }
}
