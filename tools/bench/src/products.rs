//! Products modulo the named primes, one at a time and in batches.

use super::subject::Subject;
use serde::Serialize;
use sunzi::field::NamedPrime;
use sunzi_cli::door::Table;
use sunzi_measure::text::{duration, three_digits};
use sunzi_measure::{Clock, Timing, in_turn};

/// Products in a batch.
pub const BATCH: usize = 4096;

/// Seconds for each product modulo a prime.
#[derive(Debug, Serialize)]
pub struct Products {
    pub prime: &'static str,
    pub digits: usize,
    pub one_at_a_time: Timing,
    pub in_a_batch: Timing,
}

/// Times products.
pub fn measure(prime: NamedPrime, subject: &dyn Subject, budget: f64) -> Products {
    let (one, pairs) = subject.products_one_at_a_time();
    // Each by itself: the batch would drive the pairs from the cache.
    let each = |work, count| in_turn(&mut [work], Clock::Wall, budget)[0].of_each(count);
    Products {
        prime: prime.name,
        digits: prime.digits,
        one_at_a_time: each(one, pairs),
        in_a_batch: each(subject.products_in_a_batch(BATCH), BATCH),
    }
}

/// The table of all primes.
pub fn table(all: &[Products]) -> Table {
    let batch = format!("in batches of {BATCH}");
    let mut table = Table::new(["prime", "k", "one at a time", &batch, "ratio"]);
    for products in all {
        let (one, batch) = (products.one_at_a_time.median, products.in_a_batch.median);
        table.push([
            products.prime.to_owned(),
            products.digits.to_string(),
            duration(one),
            duration(batch),
            three_digits(one / batch),
        ]);
    }
    table
}
