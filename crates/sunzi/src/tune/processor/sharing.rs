//! How many threads compute, and from how much work on they share it.
//!
//! The time of a batch of products is fitted as a rational function of its work w and the threads t. At much work it is evaluated for
//! every number of threads up to that of the processors: the fewest that come within some percent of the least are chosen. Then the
//! least work that they share is where the time on one thread and that on all cross, as between two algorithms. What other batches,
//! trees and matrices of polynomials have built in for that is multiplied by the same power of two, for it is the same hand-over
//! from thread to thread that they pay for.

use super::clock::{Effort, Work};
use super::crossing::{Border, crossing};
use crate::tune::TuningError;
use serde::{Deserialize, Serialize};
use sunzi_integer::Multiplier;
use sunzi_machine::Grain;
use sunzi_tune::{Degrees, RationalFunction};

/// What is called a threshold in errors.
const NAME: &str = "work that threads share";
/// Limbs of the operands of a product.
const LIMBS: usize = 16;
/// Products of limbs in a product.
const WORK: usize = LIMBS * LIMBS;
/// Products in batches by whose times the number of threads is chosen.
const LONG: [usize; 3] = [1 << 12, 1 << 13, 1 << 14];
/// One thread more shall gain at least this part of the time.
const GAIN: f64 = 0.03;
/// As far as the built-in work may be wrong, in powers of two.
const FURTHEST: u32 = 4;

/// What was found on a machine of so many processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sharing {
    /// Processors that were there.
    pub processors: usize,
    /// Threads that compute.
    pub threads: usize,
    /// Products of limbs from which they share a batch.
    pub work: usize,
}

impl Sharing {
    /// How finely work is cut.
    pub fn grain(&self) -> Grain {
        let log = |work: usize| (work.max(1) as f64).log2().round() as i64;
        let log = log(self.work) - log(Multiplier::SHARED_LIMB_PRODUCTS);
        let far = (log.unsigned_abs() as u32).min(FURTHEST);
        match log < 0 {
            true => Grain::finer(far),
            false => Grain::coarser(far),
        }
    }
}

/// A batch of products.
struct Batch {
    a: Vec<u64>,
    b: Vec<u64>,
    out: Vec<u64>,
}

impl Batch {
    fn of(products: usize) -> Self {
        let word = |index: usize| (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let words: Vec<u64> = (0..products * LIMBS).map(word).collect();
        Self {
            b: words.iter().rev().copied().collect(),
            a: words,
            out: vec![0; 2 * products * LIMBS],
        }
    }

    fn multiply(&mut self, multiplier: &Multiplier) {
        let done = multiplier.mul_batch(&mut self.out, &self.a, &self.b, LIMBS, LIMBS);
        debug_assert!(done.is_ok(), "the lengths fit");
    }
}

/// The threads that win on this many processors, and the work that they share; nothing where there is one.
///
/// # Errors
/// [`TuningError::Threshold`] where clocks tell nothing.
pub(super) fn sharing(processors: usize, effort: &Effort) -> Result<Option<Sharing>, TuningError> {
    let failed = |source| TuningError::Threshold {
        threshold: NAME,
        source,
    };
    let mut counts: Vec<usize> = std::iter::successors(Some(1), |count| Some(2 * count))
        .take_while(|&count| count < processors)
        .collect();
    counts.push(processors);
    let made = counts.iter().map(|&count| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        pool.ok().map(|pool| (count, pool))
    });
    // What the system does not give is not chosen.
    let pools: Vec<_> = made.flatten().collect();
    if pools.len() < 2 {
        return Ok(None);
    }
    let multiplier = Multiplier::new();
    let (mut points, mut times) = (Vec::new(), Vec::new());
    for products in LONG {
        let works = pools.iter().map(|(_, pool)| {
            let (mut batch, multiplier) = (Batch::of(products), &multiplier);
            Box::new(move || pool.install(|| batch.multiply(multiplier))) as Work<'_>
        });
        let seconds = effort.seconds_of(&mut works.collect::<Vec<_>>());
        for ((count, _), seconds) in pools.iter().zip(seconds) {
            points.push(vec![(products * WORK) as f64, *count as f64]);
            times.push(seconds);
        }
    }
    let threads = fewest_fast(&points, &times, pools.len()).map_err(failed)?;
    let Some((_, pool)) = pools.iter().rev().find(|(count, _)| *count <= threads) else {
        return Ok(None);
    };
    let built_in = Multiplier::SHARED_LIMB_PRODUCTS / WORK;
    let border = Border {
        guess: built_in,
        least: built_in >> FURTHEST,
        most: built_in << FURTHEST,
    };
    let products = crossing(border, effort, &|products, shared| {
        let mut batch = Batch::of(products);
        // Cut so that this much work is just shared, or not at all.
        let grain = match shared {
            true => Grain::finer((built_in / products.max(1)).max(1).ilog2() + 1),
            false => Grain::coarser(usize::BITS),
        };
        let multiplier = Multiplier::new().with_grain(grain);
        Box::new(move || pool.install(|| batch.multiply(&multiplier)))
    });
    Ok(Some(Sharing {
        processors,
        threads,
        work: products.map_err(failed)?.saturating_mul(WORK),
    }))
}

/// The fewest threads whose time at the most work is near the least, by a rational function of work and threads: their number times the
/// time, which is what all processors spend, is a polynomial, a·w + b·t + c·w·t and so on, for work that is shared, for hand-overs,
/// and for what each thread has to do or waits for.
fn fewest_fast(
    points: &[Vec<f64>],
    times: &[f64],
    counts: usize,
) -> Result<usize, sunzi_tune::ModelError> {
    let degrees = Degrees {
        numerator: vec![1, (counts - 1).min(2)],
        denominator: vec![0, 0],
    };
    let most = |variable: usize| {
        let values = points.iter().map(|point| point[variable]);
        values.fold(1.0, f64::max)
    };
    let (work, threads) = (most(0), most(1));
    let spent: Vec<f64> = points
        .iter()
        .zip(times)
        .map(|(point, time)| point[1] * time)
        .collect();
    let domain = [(1.0, work), (1.0, threads)];
    let spent = RationalFunction::fit(points, &spent, &degrees, &domain)?;
    let at = |count: usize| spent.evaluate(&[work, count as f64]) / count as f64;
    let all = 1..=threads as usize;
    let least = all.clone().map(at).fold(f64::INFINITY, f64::min);
    let near = |&count: &usize| at(count) <= least * (1.0 + GAIN);
    Ok(all.clone().find(near).unwrap_or(*all.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_threads_are_chosen_as_gain() {
        let counts = [1usize, 2, 4, 8];
        let chosen = |time: &dyn Fn(f64, f64) -> f64, counts: &[usize]| {
            let points = LONG.iter().flat_map(|&products| {
                counts
                    .iter()
                    .map(move |&count| vec![(products * WORK) as f64, count as f64])
            });
            let points: Vec<_> = points.collect();
            let times: Vec<_> = points
                .iter()
                .map(|point| time(point[0], point[1]))
                .collect();
            fewest_fast(&points, &times, counts.len()).unwrap()
        };
        // All share; only the first few do, for memory is no faster; each costs more than it gains.
        assert_eq!(chosen(&|w, t| 1e-10 * w / t, &counts), 8);
        let limited = chosen(&|w, t| 1e-10 * w * (1.0 / t + t / 16.0), &counts);
        assert!((3..=5).contains(&limited), "{limited}");
        assert_eq!(chosen(&|w, t| 1e-10 * w + 1e-3 * t, &counts), 1);
        assert_eq!(chosen(&|w, t| 1e-10 * w / t, &[1, 2]), 2);
        assert_eq!(chosen(&|w, _| 1e-10 * w, &[1, 2]), 1);
    }

    #[test]
    fn grains_are_powers_of_two_of_the_built_in_ones() {
        let built_in = Multiplier::SHARED_LIMB_PRODUCTS;
        for (work, expected) in [
            (built_in, 4096),
            (built_in / 4, 1024),
            (2 * built_in + 7, 8192),
            (1, 4096 >> FURTHEST),
            (usize::MAX, 4096 << FURTHEST),
        ] {
            let sharing = Sharing {
                processors: 2,
                threads: 2,
                work,
            };
            assert_eq!(sharing.grain().of(4096), expected);
        }
    }

    #[test]
    fn one_processor_shares_nothing() {
        let effort = Effort {
            rounds: 1,
            seconds: 1e-6,
        };
        assert!(matches!(sharing(1, &effort), Ok(None)));
        let found = sharing(2, &effort).unwrap().unwrap();
        assert!((1..=2).contains(&found.threads) && found.work > 0);
    }
}
