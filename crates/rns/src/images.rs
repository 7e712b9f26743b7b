//! Images that are computed apart, on other machines or at other times, and put together.
//!
//! **Problem.** An integer is known by its images modulo enough primes, and each image is computed by itself. **Way.** The primes of
//! a job have an order, and so numbers: whoever is given a range of numbers computes a [`Part`], and parts that have all numbers from
//! 0 on, as many as are needed, give the integer ([`Images::combine`]). A part names its job by a fingerprint of the operands, so that
//! parts of different jobs are not mixed. Primes that tell nothing take their number, and a number after the last takes their place.
//!
//! **Bound.** The result is proved, if the images are right: by as many primes as its bound asks for.

use crate::gather::Image;
use crate::reconstruction::Reconstruction;
use crate::tree::Product;
use std::ops::Range;
use sunzi_field::LongInteger;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

/// A job whose images anybody computes, some at a time.
pub trait Images {
    /// What the parts are put together to.
    type Value;
    /// Why images could not be computed.
    type Error;

    /// What tells this job from others: the same on all machines.
    fn fingerprint(&self) -> u128;

    /// So many images prove the value, unless some of their primes tell nothing.
    fn needed(&self) -> u64;

    /// The images modulo the primes of these numbers, on all threads.
    ///
    /// # Errors
    /// Those of the job.
    fn compute(&self, numbers: Range<u64>) -> Result<Part, Self::Error>;

    /// The value, from parts in any order.
    ///
    /// # Errors
    /// [`PartsError`] if numbers are missing or doubled, or a part is of another job, or none at all.
    fn combine(&self, parts: &[Part]) -> Result<Self::Value, PartsError>;
}

/// The images of a job modulo the primes of some numbers, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// [`Images::fingerprint`] of the job.
    pub fingerprint: u128,
    /// The number of the first prime.
    pub first: u64,
    /// The images in turn.
    pub images: Vec<Image>,
}

impl Part {
    /// The numbers of the primes.
    #[must_use]
    pub fn numbers(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.images.len() as u64)
    }
}

/// Why parts do not give a value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartsError {
    /// A part was computed for other operands.
    #[error(
        "the images from {first} on are of other operands, or of another operation: compute them of these"
    )]
    OtherJob {
        /// The number of its first prime.
        first: u64,
    },
    /// Images are needed that no part has.
    #[error("the images {}..{} are missing: compute them, too", numbers.start, numbers.end)]
    Missing {
        /// Their numbers.
        numbers: Range<u64>,
    },
    /// Two parts have the same images.
    #[error("the images {}..{} are in two parts: leave one of them out", numbers.start, numbers.end)]
    Doubled {
        /// Their numbers.
        numbers: Range<u64>,
    },
    /// An image is none modulo its prime.
    #[error("image {number} is no residue modulo its prime {prime}: its part is damaged")]
    NoResidue {
        /// Its number.
        number: u64,
        /// The prime.
        prime: u64,
    },
}

/// Makes a [fingerprint](Images::fingerprint) of a job's operands.
pub struct Fingerprint(Xxh3);

impl Fingerprint {
    /// Of a job of this name, which stands for all that its operands do not say.
    #[must_use]
    pub fn of(job: &str) -> Self {
        let mut hash = Xxh3::new();
        hash.update(job.as_bytes());
        // No name is the beginning of another one.
        hash.update(&[0]);
        Self(hash)
    }

    /// The same with so many numbers of a list.
    #[must_use]
    pub fn with<'a, N: LongInteger + 'a>(
        mut self,
        numbers: impl ExactSizeIterator<Item = &'a N>,
    ) -> Self {
        self.add(numbers.len() as u64);
        for number in numbers {
            let (negative, limbs) = number.sign_and_limbs();
            self.add(2 * limbs.len() as u64 + u64::from(negative));
            limbs.iter().for_each(|&limb| self.add(limb));
        }
        self
    }

    /// The fingerprint.
    #[must_use]
    pub fn finish(self) -> u128 {
        self.0.digest128()
    }

    fn add(&mut self, word: u64) {
        self.0.update(&word.to_le_bytes());
    }
}

/// The integers whose images are in these parts, of which so many are needed, modulo the primes in their order; `values` of them
/// are in every image. Long integers are multiplied by `product`.
///
/// # Errors
/// [`PartsError`].
pub fn put_together<N: LongInteger + Send>(
    (fingerprint, needed): (u128, u64),
    values: usize,
    primes: impl Iterator<Item = u64>,
    parts: &[Part],
    product: Product,
) -> Result<Vec<N>, PartsError> {
    if let Some(Part { first, .. }) = parts.iter().find(|part| part.fingerprint != fingerprint) {
        return Err(PartsError::OtherJob { first: *first });
    }
    let mut in_order: Vec<&Part> = parts
        .iter()
        .filter(|part| !part.images.is_empty())
        .collect();
    in_order.sort_by_key(|part| part.first);
    for pair in in_order.windows(2) {
        let [a, b] = [pair[0].numbers(), pair[1].numbers()];
        if b.start < a.end {
            let numbers = b.start..a.end.min(b.end);
            return Err(PartsError::Doubled { numbers });
        }
    }
    let mut numbered = (0..).zip(primes);
    let (mut kept, mut rows) = (Vec::new(), Vec::new());
    let mut next = 0;
    for part in in_order {
        if kept.len() as u64 >= needed {
            break;
        }
        if part.first > next {
            return Err(PartsError::Missing {
                numbers: next..part.first,
            });
        }
        for (image, (number, prime)) in part.images.iter().zip(numbered.by_ref()) {
            let Some(residues) = image else { continue };
            if residues.len() != values || residues.iter().any(|&residue| residue >= prime) {
                return Err(PartsError::NoResidue { number, prime });
            }
            kept.push(prime);
            rows.push(residues);
        }
        next = part.numbers().end;
    }
    let missing = needed.saturating_sub(kept.len() as u64);
    if missing > 0 {
        let numbers = next..next.saturating_add(missing);
        return Err(PartsError::Missing { numbers });
    }
    Ok(Reconstruction::new(&kept, product).signed_all(&rows))
}
