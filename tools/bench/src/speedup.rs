//! Transforms on several threads.

use super::subject::Subject;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;
use sunzi::field::NamedPrime;
use sunzi_cli::door::Table;
use sunzi_files::failure::Failure;
use sunzi_measure::text::{duration, three_digits};
use sunzi_measure::{Clock, Timing, Work, in_turn};

/// The sizes: shorter transforms are over before a thread has woken.
pub const LOGS: [u32; 3] = [12, 14, 16];
/// Up to this many threads each number of them is tried, then powers of two and all.
const EACH: usize = 8;

/// Times of one transform by the number of threads.
#[derive(Debug, Serialize)]
pub struct Speedup {
    pub prime: &'static str,
    pub points: u64,
    pub by_threads: Vec<OnThreads>,
}

/// The time on this many threads.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct OnThreads {
    pub threads: usize,
    #[serde(rename = "seconds")]
    pub timing: Timing,
    /// The time on one thread by this time.
    pub speedup: f64,
}

/// A pool of this many threads.
pub fn pool(threads: usize) -> Result<ThreadPool, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Failure::Computation(format!("threads cannot be started: {error}")))
}

/// The pools that are compared, from one thread on.
pub fn pools(available: usize) -> Result<Vec<ThreadPool>, Failure> {
    let tried =
        |&threads: &usize| threads <= EACH || threads.is_power_of_two() || threads == available;
    (1..=available).filter(tried).map(pool).collect()
}

/// Times a transform in each pool; nothing where it cannot be made.
pub fn measure(
    prime: NamedPrime,
    subject: &dyn Subject,
    points: usize,
    pools: &[ThreadPool],
    budget: f64,
) -> Option<Speedup> {
    let mut works: Vec<Work> = Vec::new();
    for pool in pools {
        let mut work = subject.transform(points).ok()?.work;
        works.push(Box::new(move |times: usize| {
            pool.install(|| work.run(times));
        }));
    }
    let timings = in_turn(&mut works, Clock::Wall, budget);
    let one = timings.first()?.median;
    let by_threads = pools.iter().zip(timings).map(|(pool, timing)| OnThreads {
        threads: pool.current_num_threads(),
        timing,
        speedup: one / timing.median,
    });
    Some(Speedup {
        prime: prime.name,
        points: points as u64,
        by_threads: by_threads.collect(),
    })
}

/// The table of all primes.
pub fn table(all: &[Speedup]) -> Table {
    let mut names = vec!["prime".to_owned(), "N".to_owned()];
    for time in all.first().map_or(&[][..], |one| &one.by_threads) {
        match time.threads {
            1 => names.push("1 thread".to_owned()),
            threads => names.extend([format!("{threads} threads"), "speed-up".to_owned()]),
        }
    }
    let mut table = Table::new(names);
    for speedup in all {
        let mut row = vec![speedup.prime.to_owned(), speedup.points.to_string()];
        for time in &speedup.by_threads {
            row.push(duration(time.timing.median));
            if time.threads > 1 {
                row.push(three_digits(time.speedup));
            }
        }
        table.push(row);
    }
    table
}
