//! What several tables share: arguments, times, input without a pattern, and the heads of tables in Markdown.

use std::error::Error;
use std::str::FromStr;
use std::time::Instant;

use cpu_time::ThreadTime;
use sunzi_field::{AnyField, Field};
use sunzi_measure::{Clock, in_turn};

/// Why a table was not printed.
pub type Failure = Box<dyn Error + Send + Sync>;

/// An argument that a table cannot take.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

fn parsed<T: FromStr>(text: &str, what: &str) -> Result<T, Usage> {
    text.parse()
        .map_err(|_| Usage(format!("'{text}' is not {what}")))
}

/// The argument at a place, if there is one.
pub fn argument<T: FromStr>(
    arguments: &[String],
    place: usize,
    what: &str,
) -> Result<Option<T>, Usage> {
    let text = arguments.get(place);
    text.map(|text| parsed(text, what)).transpose()
}

/// All arguments as numbers, or the usual ones where none is given.
pub fn numbers_or<T: FromStr + Clone>(
    arguments: &[String],
    what: &str,
    usual: &[T],
) -> Result<Vec<T>, Usage> {
    if arguments.is_empty() {
        return Ok(usual.to_vec());
    }
    arguments.iter().map(|text| parsed(text, what)).collect()
}

/// The names given, or the usual ones where none is.
pub fn names_or(names: &[String], usual: &[&str]) -> Vec<String> {
    if names.is_empty() {
        return usual.iter().copied().map(String::from).collect();
    }
    names.to_vec()
}

/// The field of a prime with a name (`P8`) or of an expression.
pub fn field_modulo(prime: &str) -> Result<AnyField, Failure> {
    Ok(prime.parse()?)
}

/// Does the work on one thread.
pub fn on_one_thread<T: Send>(
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(work)
}

/// What the work gives, and its seconds on the wall.
pub fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// What the work gives, and its seconds of this thread's processor time.
pub fn processor_seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = ThreadTime::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// The median of passes that take a tenth of a second together.
pub fn median_seconds(mut work: impl FnMut() + Send) -> f64 {
    let run = move |times: usize| (0..times).for_each(|_| work());
    in_turn(&mut [Box::new(run)], Clock::Wall, 0.1)[0].median
}

/// The shortest of several runs, each long enough to time, in microseconds: what else the machine does only
/// ever adds to a time.
pub fn shortest_microseconds<T, E>(mut work: impl FnMut() -> Result<T, E>) -> Result<f64, E> {
    let (first, once) = seconds(&mut work);
    first?;
    let repeats = ((2e-4 / once) as usize).clamp(1, 100_000);
    let rounds = ((0.2 / once) as usize).clamp(3, 25);
    let mut shortest = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        for _ in 0..repeats {
            work()?;
        }
        shortest = shortest.min(start.elapsed().as_secs_f64() / repeats as f64);
    }
    Ok(shortest * 1e6)
}

/// The value in the middle, the upper one of two.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Knuth's linear congruential generator. Input without a pattern matters even where only times are asked for: of
/// equal residues even jumps are foreseen.
pub struct Random(u64);

impl Random {
    pub fn new() -> Self {
        Self(1)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.0
    }

    /// A number below `range`, which is below 2^32.
    pub fn below(&mut self, range: u64) -> u64 {
        ((self.word() >> 32) * range) >> 32
    }

    pub fn element<F: Field>(&mut self, field: &F) -> F::Elem {
        field.from_u64(self.word() >> 1)
    }
}

/// Prints the names of a table's columns in Markdown; `rule` says how all but the first are aligned.
pub fn head(columns: &[&str], rule: &str) {
    println!("| {} |", columns.join(" | "));
    println!("|---{}|", format!("|{rule}").repeat(columns.len() - 1));
}
