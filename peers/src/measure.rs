//! Time, measured in turn: each pass runs every contender once, so that whatever else the machine does
//! falls on all of them alike.

use std::time::Instant;

use crate::contender::Contender;

/// A pass of a quick contender repeats it until it takes about this long: far above the clock's step,
/// and above what it takes to wake the threads of a pool.
const PASS_SECONDS: f64 = 3e-3;
/// The best of so many tries tells how long a contender takes; one try may meet a sleeping thread.
const TRIES: usize = 5;
/// More passes than this make no median better.
const MOST_PASSES: usize = 301;
/// Fewer than this make no median.
const FEWEST_PASSES: usize = 5;
/// What replaces [`FEWEST_PASSES`] when a single pass is longer than the whole budget.
const FEWEST_LONG_PASSES: usize = 3;

/// Which clock counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The process's CPU time: steady on a shared machine, right for one thread only.
    Cpu,
    /// Time on the wall.
    Wall,
}

impl Clock {
    /// The clock for work on `threads` threads.
    pub fn for_threads(threads: usize) -> Self {
        if threads > 1 { Self::Wall } else { Self::Cpu }
    }

    fn now(self) -> f64 {
        let id = match self {
            Self::Cpu => libc::CLOCK_PROCESS_CPUTIME_ID,
            Self::Wall => libc::CLOCK_MONOTONIC,
        };
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: `time` is a valid place for the answer, and both clocks exist on every system that
        // the peers build on.
        let failed = unsafe { libc::clock_gettime(id, &mut time) };
        assert_eq!(failed, 0, "the clock answers");
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    }

    fn time(self, contender: &mut dyn Contender, times: usize) -> f64 {
        let start = self.now();
        contender.run(times);
        (self.now() - start) / times as f64
    }
}

/// Seconds per run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    pub median: f64,
    /// The quarter of the passes below the median ends here.
    pub low: f64,
    /// The quarter of the passes above the median ends here.
    pub high: f64,
}

impl Timing {
    fn of(mut passes: Vec<f64>) -> Self {
        passes.sort_by(f64::total_cmp);
        let at = |part: f64| passes[((passes.len() - 1) as f64 * part).round() as usize];
        Self {
            median: at(0.5),
            low: at(0.25),
            high: at(0.75),
        }
    }

    /// The middle half of the passes, relative to the median.
    pub fn spread(&self) -> f64 {
        (self.high - self.low) / self.median
    }
}

/// Measures the contenders in turn, for about `budget` seconds each. Each has run at least once before.
pub fn in_turn(contenders: &mut [&mut dyn Contender], clock: Clock, budget: f64) -> Vec<Timing> {
    if contenders.is_empty() {
        return Vec::new();
    }
    let mut start = Instant::now();
    let trials: Vec<Trial> = contenders
        .iter_mut()
        .map(|contender| Trial::of(*contender, clock))
        .collect();
    let mut passes = vec![Vec::new(); contenders.len()];
    if trials.iter().all(|trial| trial.first > budget) {
        // Long work was tried as it is measured: once each, in turn. That was the first pass.
        for (passes, trial) in passes.iter_mut().zip(&trials) {
            passes.push(trial.first);
        }
    } else {
        start = Instant::now();
    }
    let whole = budget * contenders.len() as f64;
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
        // Each pass starts with another contender: none always follows the same one's cache.
        for turn in 0..contenders.len() {
            let who = (turn + done) % contenders.len();
            passes[who].push(clock.time(contenders[who], trials[who].repeats));
        }
    }
    passes.into_iter().map(Timing::of).collect()
}

/// What trying a contender tells.
struct Trial {
    /// Seconds of the first run.
    first: f64,
    /// How many runs make a pass.
    repeats: usize,
}

impl Trial {
    fn of(contender: &mut dyn Contender, clock: Clock) -> Self {
        let first = clock.time(contender, 1);
        let (mut each, mut times) = (first, 1);
        loop {
            if each * (times as f64) < PASS_SECONDS {
                for _ in 1..TRIES {
                    each = each.min(clock.time(contender, times));
                }
            }
            let positive = each.max(1e-10);
            if positive * times as f64 >= PASS_SECONDS / 4.0 {
                let repeats = (PASS_SECONDS / positive).ceil().clamp(1.0, 1e8) as usize;
                return Self { first, repeats };
            }
            times *= 4;
            each = clock.time(contender, times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::contender;

    #[test]
    fn quartiles_of_five_passes() {
        let timing = Timing::of(vec![5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!((timing.low, timing.median, timing.high), (2.0, 3.0, 4.0));
        assert!((timing.spread() - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn longer_work_takes_longer() {
        let work = |steps: u64| {
            contender(
                0u64,
                move |sum| {
                    for step in 0..steps {
                        *sum = std::hint::black_box(*sum ^ step);
                    }
                },
                |sum| vec![*sum],
            )
        };
        let (mut short, mut long) = (work(1_000), work(10_000));
        let times = in_turn(&mut [short.as_mut(), long.as_mut()], Clock::Cpu, 0.02);
        assert!(times[0].median * 3.0 < times[1].median);
    }
}
