//! Integers from as many images as they need.

use crate::early::{EarlyTermination, PrimePool};
use crate::known::Known;
use crate::primes::{PRIMES_50, WordPrimes, primes_above};
use crate::reconstruction::Reconstruction;
use crate::tree::Product;
use sunzi_field::{LongInteger, WordModulus};
use sunzi_machine::threads::Work;

/// Primes of the first batch where few may do; the next batches make them twice as many.
const FIRST_BATCH: usize = 8;

/// Residues of some integers modulo one prime; `None` if the prime tells nothing of them.
pub type Image = Option<Vec<u64>>;

/// What computes the images modulo some primes, in their order, and counts them.
type Images<'a, E> = dyn FnMut(&[u64], &Work) -> Result<Vec<Image>, E> + 'a;

/// How results are terminated early.
#[derive(Clone, Copy, Debug)]
pub struct Early {
    how: EarlyTermination,
    /// Primes tell nothing only if they divide a number below 2^`silent`.
    silent: f64,
    pool: PrimePool,
}

impl Early {
    /// By primes of 50 bits.
    pub fn new(how: EarlyTermination, silent: usize) -> Self {
        Self {
            how,
            silent: silent as f64,
            pool: PRIMES_50,
        }
    }
}

/// The integers whose images are computed by `images`, for some primes at a time, in the order of [`WordPrimes`].
///
/// They are below 2^`bits` in absolute value: enough primes prove them. With `early`, primes are drawn, and as many of them that
/// change nothing as make an error improbable are enough, too. Long integers are multiplied by `product`.
pub fn gather<N: LongInteger + Send, E>(
    bits: u64,
    early: Option<Early>,
    product: Product,
    images: &mut Images<'_, E>,
) -> Result<Known<Vec<N>>, E> {
    let with_sign = bits.saturating_add(1);
    // Differences of values that are not proved are twice the bound at most.
    let most = with_sign as f64;
    let early = early.and_then(|Early { how, silent, pool }| {
        let agreeing = pool.agreeing(most, silent, &how)?;
        Some((pool.draw(how.seed()), agreeing, pool.most_dividing(most)))
    });
    let (mut primes, early, needed): (Box<dyn Iterator<Item = u64>>, _, _) = match early {
        None => (Box::new(WordPrimes::new()), None, primes_above(with_sign)),
        Some((drawn, agreeing, dividing)) => {
            (Box::new(drawn), Some(agreeing), dividing as usize + 1)
        }
    };
    let (mut kept, mut rows) = (Vec::new(), Vec::new());
    let mut dropped = 0;
    let mut goal = needed;
    if let Some(agreeing) = early {
        goal = goal.min(FIRST_BATCH.max(agreeing + 1));
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
        let values: Vec<N> = Reconstruction::new(made_of, product).signed_all(rows_made_of);
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

/// The same with primes of another pool, for tests.
#[cfg(feature = "internals")]
pub fn drawn_from(pool: PrimePool, early: Early) -> Early {
    Early { pool, ..early }
}
