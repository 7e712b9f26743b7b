//! Integers from as many images as they need.

use super::primes::{WordPrimes, primes_above};
use super::reconstruction::Reconstruction;
use crate::error::SolveError;
use crate::known::Known;
use dashu_int::IBig;
use sunzi_field::WordModulus;
use sunzi_threads::Work;

/// Primes of the first batch where few may do; the next batches make them twice as many.
const FIRST_BATCH: usize = 8;

/// Residues of some integers modulo one prime; `None` if the prime tells nothing of them.
pub(crate) type Image = Option<Vec<u64>>;

/// What computes the images modulo some primes, in their order, and counts them.
type Images<'a> = dyn FnMut(&[u64], &Work) -> Result<Vec<Image>, SolveError> + 'a;

/// The integers whose images are computed by `images`, for some primes at a time, in the order of [`WordPrimes`].
///
/// They are below 2^`bits` in absolute value: enough primes prove them. With `early`, as many primes as that which change nothing
/// are enough, too.
pub(crate) fn gather(
    bits: u64,
    early: Option<usize>,
    images: &mut Images<'_>,
) -> Result<Known<Vec<IBig>>, SolveError> {
    let needed = primes_above(bits.saturating_add(1));
    let mut primes = WordPrimes::new();
    let (mut kept, mut rows) = (Vec::new(), Vec::new());
    let mut dropped = 0;
    let mut goal = needed;
    if let Some(unchanged) = early {
        goal = goal.min(FIRST_BATCH.max(unchanged + 1));
    }
    loop {
        let work = match early {
            None => Work::new(needed as u64, "primes"),
            Some(_) => Work::at_most(needed as u64, "primes"),
        };
        work.done(kept.len() as u64);
        while kept.len() < goal {
            let batch: Vec<u64> = primes.by_ref().take(goal - kept.len()).collect();
            for (prime, image) in batch.iter().zip(images(&batch, &work)?) {
                match image {
                    Some(image) => {
                        kept.push(*prime);
                        rows.push(image);
                    }
                    None => dropped += 1,
                }
            }
        }
        drop(work);
        let proved = kept.len() >= needed;
        let tests = if proved { 0 } else { early.unwrap_or(0) };
        let (made_of, tested) = kept.split_at(kept.len() - tests);
        let (rows_made_of, rows_tested) = rows.split_at(made_of.len());
        let values = Reconstruction::new(made_of).signed_all(rows_made_of);
        let agrees = |(&prime, row): (&u64, &Vec<u64>)| {
            let ring = WordModulus::new(prime);
            let mut pairs = values.iter().zip(row);
            pairs.all(|(value, &residue)| ring.reduce_integer(value) == residue)
        };
        if tested.iter().zip(rows_tested).all(agrees) {
            return Ok(Known {
                value: values,
                proved,
                primes: kept.len(),
                dropped,
            });
        }
        goal = needed.min(2 * kept.len());
    }
}
