//! Integers from as many images as they need.

use crate::early::{EarlyTermination, PrimePool};
use crate::known::Known;
use crate::primes::{PRIMES_50, WordPrimes, primes_above};
use crate::reconstruction::Reconstruction;
use crate::residues::residues;
use crate::tree::Product;
use sunzi_field::LongInteger;
use sunzi_machine::threads::Work;

/// Primes of the first batch where few may do; the next batches make them twice as many.
const FIRST_BATCH: usize = 8;
/// Where images take long, a batch has no more primes than this share of those before it, or than have to agree.
const SMALL_SHARE: usize = 8;

/// Residues of some integers modulo one prime; `None` if the prime tells nothing of them.
pub type Image = Option<Vec<u64>>;

/// What computes the images modulo some primes, in their order, and counts them.
type Images<'a, E> = dyn FnMut(&[u64], &Work) -> Result<Vec<Image>, E> + 'a;

/// The primes that integers are gathered by, and how many of them are enough.
pub struct Primes<'a> {
    primes: Box<dyn Iterator<Item = u64> + 'a>,
    needed: usize,
    /// So many that change nothing are enough, too.
    agreeing: Option<usize>,
    /// The next batch has the same number of primes as all before it, divided by this.
    share: usize,
}

impl<'a> Primes<'a> {
    /// Those of a sequence, of which so many prove the integers.
    pub fn ordered(primes: impl Iterator<Item = u64> + 'a, needed: usize) -> Self {
        Self {
            primes: Box::new(primes),
            needed,
            agreeing: None,
            share: 1,
        }
    }

    /// Those of a pool, drawn at random, for integers below 2^`bits` in absolute value: as many as prove them, or until so many have
    /// changed nothing that an error is improbable. Primes tell nothing only if they divide a number below 2^`silent`. `None` if
    /// however many that agree prove too little.
    #[must_use]
    pub fn drawn(pool: &PrimePool, bits: f64, silent: f64, how: &EarlyTermination) -> Option<Self> {
        // Differences of values that are not proved are twice the bound at most.
        let most = bits + 1.0;
        Some(Self {
            agreeing: Some(pool.agreeing(most, silent, how)?),
            primes: Box::new(pool.draw(how.seed())),
            needed: pool.most_dividing(most) as usize + 1,
            share: 1,
        })
    }

    /// The same for images that take so long that integers are put together more often, lest too many are computed.
    #[must_use]
    pub fn of_slow_images(self) -> Self {
        Self {
            share: SMALL_SHARE,
            ..self
        }
    }

    /// Those of 50 bits for integers below 2^`bits` in absolute value, in their order; drawn, if early termination is asked for,
    /// with the bits of the number that those divide that tell nothing.
    #[must_use]
    pub fn of_50_bits(bits: u64, early: Option<(&EarlyTermination, usize)>) -> Self {
        let drawn = early
            .and_then(|(how, silent)| Self::drawn(&PRIMES_50, bits as f64, silent as f64, how));
        let needed = primes_above(bits.saturating_add(1));
        drawn.unwrap_or_else(|| Self::ordered(WordPrimes::new(), needed))
    }

    fn batch(&mut self, count: usize) -> Vec<u64> {
        self.primes.by_ref().take(count).collect()
    }
}

/// The integers whose images are computed by `images`, for some primes at a time. They are not proved where few primes agree, or where
/// primes end. Long integers are multiplied by `product`.
pub fn gather<N: LongInteger + Send, E>(
    mut primes: Primes<'_>,
    product: Product,
    images: &mut Images<'_, E>,
) -> Result<Known<Vec<N>>, E> {
    let (needed, agreeing, share) = (primes.needed, primes.agreeing, primes.share);
    let (mut kept, mut rows) = (Vec::new(), Vec::new());
    let mut dropped = 0;
    let mut goal = match agreeing {
        None => needed,
        Some(agreeing) => needed.min(FIRST_BATCH.max(agreeing + 1)),
    };
    loop {
        let work = match agreeing {
            None => Work::new(needed as u64, "primes"),
            Some(_) => Work::at_most(needed as u64, "primes"),
        };
        work.done(kept.len() as u64);
        let mut is_last = kept.len() >= goal;
        while kept.len() < goal && !is_last {
            let batch = primes.batch(goal - kept.len());
            is_last = batch.is_empty();
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
        is_last |= proved;
        let tests = if is_last { 0 } else { agreeing.unwrap_or(0) };
        let (made_of, tested) = kept.split_at(kept.len() - tests);
        let (rows_made_of, rows_tested) = rows.split_at(made_of.len());
        let values: Vec<N> = Reconstruction::new(made_of, product).signed_all(rows_made_of);
        if is_last || residues(&values, tested) == rows_tested {
            return Ok(Known {
                value: values,
                proved,
                primes: kept.len(),
                dropped,
            });
        }
        goal = needed.min(kept.len() + tests.max(kept.len() / share));
    }
}
