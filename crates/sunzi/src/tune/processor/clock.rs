//! Times of works that are compared: each of them in turn, so that whatever else the machine does falls on all of them alike, and
//! the least of some rounds, for disturbances only ever make work longer.

use std::time::Instant;

/// Nanoseconds that the threads of this process ran, and that they waited for a processor which others had; none where the system does
/// not tell.
fn ran_and_waited() -> Option<[u64; 2]> {
    let mut sums = [0; 2];
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        // A thread may end meanwhile.
        let Ok(told) = std::fs::read_to_string(task.ok()?.path().join("schedstat")) else {
            continue;
        };
        let mut numbers = told
            .split_whitespace()
            .map(|number| number.parse::<u64>().ok());
        for sum in &mut sums {
            *sum += numbers.next()??;
        }
    }
    Some(sums)
}

/// What `work` finds, and how much of the time of this process's threads, in percent, they waited for a processor that others had, where
/// the system tells. From some percent on, times say little.
///
/// ```
/// let (sum, waited) = sunzi::tune::disturbed(|| (1..=10).sum::<u64>());
/// assert!(sum == 55 && waited.is_none_or(|percent| percent <= 100));
/// ```
pub fn disturbed<T>(work: impl FnOnce() -> T) -> (T, Option<u8>) {
    let before = ran_and_waited();
    let found = work();
    let percent = before.zip(ran_and_waited()).and_then(|(before, after)| {
        let [ran, waited] = [0, 1].map(|part| after[part].saturating_sub(before[part]));
        (100 * waited).checked_div(ran + waited)
    });
    (found, percent.map(|percent| percent.min(100) as u8))
}

/// What is timed.
pub type Work<'a> = Box<dyn FnMut() + 'a>;

/// More runs than this make no round better.
const MOST_RUNS: usize = 1 << 20;

/// How carefully times of the processor are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// How often all works take their turn.
    pub rounds: usize,
    /// Seconds of a turn at least: quick work is repeated.
    pub seconds: f64,
}

impl Effort {
    /// Some seconds for everything.
    pub const QUICK: Self = Self {
        rounds: 7,
        seconds: 5e-5,
    };
    /// Half a minute.
    pub const THOROUGH: Self = Self {
        rounds: 25,
        seconds: 2e-4,
    };

    /// Seconds of a run of each work. They run once before, so that tables are made and memory is there.
    ///
    /// ```
    /// use sunzi::tune::{Effort, Work};
    ///
    /// let sum = |count: u64| -> Work<'static> {
    ///     Box::new(move || {
    ///         std::hint::black_box((0..count).fold(0, |x, y| std::hint::black_box(x ^ y)));
    ///     })
    /// };
    /// let seconds = Effort::QUICK.seconds_of(&mut [sum(100), sum(100_000)]);
    /// assert!(seconds[0] < seconds[1]);
    /// ```
    pub fn seconds_of(&self, works: &mut [Work<'_>]) -> Vec<f64> {
        let runs: Vec<usize> = works.iter_mut().map(|work| self.runs(work)).collect();
        let mut least = vec![f64::INFINITY; works.len()];
        for round in 0..self.rounds.max(1) {
            // Each round starts with another one: none always follows the same one's cache.
            for turn in 0..works.len() {
                let index = (turn + round) % works.len();
                let seconds = timed(&mut works[index], runs[index]);
                least[index] = least[index].min(seconds);
            }
        }
        least
    }

    /// Runs of a turn.
    fn runs(&self, work: &mut Work<'_>) -> usize {
        work();
        let mut runs = 1;
        while runs < MOST_RUNS && timed(work, runs) * (runs as f64) < self.seconds {
            runs *= 2;
        }
        runs
    }
}

/// Seconds of a run, of so many; clocks have grains, and times are positive.
fn timed(work: &mut Work<'_>, runs: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..runs {
        work();
    }
    start.elapsed().as_secs_f64().max(1e-9) / runs as f64
}
