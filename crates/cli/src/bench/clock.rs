//! Time, measured in turn: each pass runs every method, so that what else the machine does falls on all alike.

use serde::Serialize;
use std::time::Instant;

/// Something that is timed.
pub type Work<'a> = Box<dyn Run + Send + 'a>;

/// What can be repeated.
pub trait Run {
    /// Repeats the work as often as it is told; the seconds that it took all together, where a clock of its own tells.
    fn run(&mut self, times: usize) -> Option<f64>;
}

impl<F: FnMut(usize)> Run for F {
    fn run(&mut self, times: usize) -> Option<f64> {
        self(times);
        None
    }
}

/// Work that is timed by a clock of its own: it tells the seconds.
pub struct ByOwnClock<F>(pub F);

impl<F: FnMut(usize) -> f64> Run for ByOwnClock<F> {
    fn run(&mut self, times: usize) -> Option<f64> {
        Some(self.0(times))
    }
}

/// Passes into which the budget is divided.
const PASSES: f64 = 24.0;
/// A pass needs no more than this to stand far above the step of the clock, in seconds.
const LONGEST_PASS: f64 = 2e-3;
/// Fewer than this make no median.
const FEWEST_PASSES: usize = 3;
/// Runs of a pass, however short they are.
const MOST_RUNS: f64 = 1e8;
/// More than this make no median better.
const MOST_PASSES: usize = 1001;

/// Seconds that one run takes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Timing {
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
}

/// Times all, for about `budget` seconds each.
pub fn in_turn(works: &mut [Work], budget: f64) -> Vec<Timing> {
    let pass = (budget / PASSES).min(LONGEST_PASS);
    let repeats: Vec<usize> = works.iter_mut().map(|work| repeats(work, pass)).collect();
    let mut passes = vec![Vec::new(); works.len()];
    let start = Instant::now();
    for done in 0..MOST_PASSES {
        let enough = start.elapsed().as_secs_f64() >= budget * works.len() as f64;
        if done >= FEWEST_PASSES && enough {
            break;
        }
        // Each pass starts with another one: none always follows the same one's cache.
        for turn in 0..works.len() {
            let who = (turn + done) % works.len();
            passes[who].push(seconds(&mut works[who], repeats[who]));
        }
    }
    passes.into_iter().map(Timing::of).collect()
}

/// Seconds for each run.
fn seconds(work: &mut Work, times: usize) -> f64 {
    let start = Instant::now();
    let told = work.run(times);
    told.unwrap_or_else(|| start.elapsed().as_secs_f64()) / times as f64
}

/// How many runs make a pass.
fn repeats(work: &mut Work, pass: f64) -> usize {
    let mut times = 1;
    loop {
        let each = seconds(work, times).max(1e-10);
        if each * times as f64 >= pass / 4.0 || times as f64 >= MOST_RUNS {
            return (pass / each).ceil().clamp(1.0, MOST_RUNS) as usize;
        }
        times *= 2;
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
        let times = in_turn(&mut [work(1_000), work(20_000)], 0.02);
        assert!(times[0].median * 3.0 < times[1].median);
        assert!(in_turn(&mut [], 0.02).is_empty());
    }
}
