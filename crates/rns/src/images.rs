//! Images that are computed apart, on other machines or at other times, and put together.
//!
//! **Problem.** An integer is known by its images modulo enough primes, and each image is computed by itself. **Way.** The primes of
//! a job have an order, and so numbers: whoever is given a range of numbers computes a [`Part`], and parts that have all numbers from
//! 0 on, as many as are needed, give the integer ([`Images::combine`]). A part names its job by a fingerprint of the operands, so that
//! parts of different jobs are not mixed. Primes that tell nothing take their number, and a number after the last takes their place.
//!
//! **Bound.** The result is proved, if the images are right: by as many primes as its bound asks for. A part has a checksum, by which a
//! file that was damaged on its way is found; and images beyond those that are needed have to be those of the value, too.

use crate::gather::Image;
use crate::reconstruction::Reconstruction;
use crate::residues::residues;
use crate::tree::Product;
use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use sunzi_field::LongInteger;
use sunzi_machine::memory::{Budget, OutOfMemory};
use sunzi_machine::threads::look;
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

    /// So many images take one thread as long as one does: whoever divides the numbers loses nothing by multiples of it.
    fn together(&self) -> u64 {
        1
    }

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

/// The form in which programs write parts, for those that read them.
pub const FORM: u32 = 1;

impl Part {
    /// The checksum of all that it says, which is written with it: 16 hexadecimal digits.
    #[must_use]
    pub fn check(&self) -> String {
        let mut hash = Xxh3::new();
        hash.update(&self.fingerprint.to_le_bytes());
        hash.update(&self.first.to_le_bytes());
        for image in &self.images {
            let residues = image.as_deref().unwrap_or_default();
            hash.update(&(residues.len() as u64).to_le_bytes());
            residues
                .iter()
                .for_each(|residue| hash.update(&residue.to_le_bytes()));
        }
        format!("{:016x}", hash.digest())
    }

    /// The fingerprint as 32 hexadecimal digits.
    #[must_use]
    pub fn job(&self) -> String {
        format!("{:032x}", self.fingerprint)
    }

    /// A part as it was written: with a fingerprint in 32 hexadecimal digits, and its checksum.
    ///
    /// # Errors
    /// [`PartsError::Form`] if it is of another form, [`PartsError::Damaged`] if the checksum is another one.
    pub fn read(
        form: u32,
        job: &str,
        first: u64,
        images: Vec<Image>,
        check: &str,
    ) -> Result<Self, PartsError> {
        if form != FORM {
            return Err(PartsError::Form { form });
        }
        let digits = Some(job)
            .filter(|job| job.len() == 32 && job.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let fingerprint = digits.and_then(|digits| u128::from_str_radix(digits, 16).ok());
        let fingerprint = fingerprint.ok_or(PartsError::Damaged { first })?;
        let part = Self {
            fingerprint,
            first,
            images,
        };
        match part.check() == check {
            true => Ok(part),
            false => Err(PartsError::Damaged { first }),
        }
    }

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
    /// A part was written by another version.
    #[error("the part has the form {form}, and this version reads form {FORM}: compute it again")]
    Form {
        /// The form.
        form: u32,
    },
    /// A part is not what was written.
    #[error("the part with the images from {first} on is damaged: its checksum is another one")]
    Damaged {
        /// The number of its first prime.
        first: u64,
    },
    /// The value would be larger than the memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// An image is none modulo its prime.
    #[error("image {number} is no residue modulo its prime {prime}: its part is damaged")]
    NoResidue {
        /// Its number.
        number: u64,
        /// The prime.
        prime: u64,
    },
    /// More images than are needed do not have one value.
    #[error(
        "the parts do not fit together: image {number} is not that of the value that the images {}..{} give, so that some of them are wrong: compute them again, or leave out what is not needed",
        numbers.start,
        numbers.end
    )]
    NoValue {
        /// The numbers of the images that the value was made of.
        numbers: Range<u64>,
        /// The number of the one that contradicts.
        number: u64,
    },
}

/// Whether there is memory for the images of these numbers, of which each has so many residues, and how many images they are.
///
/// # Errors
/// [`OutOfMemory`], before any prime is looked for.
pub fn room(numbers: &Range<u64>, values: usize) -> Result<usize, OutOfMemory> {
    /// Of an image, and of a prime, without residues.
    const BYTES: u64 = 56;
    let each = (values as u64).saturating_mul(8).saturating_add(BYTES);
    let count = numbers.end.saturating_sub(numbers.start);
    Budget::system().require(count.saturating_mul(each))?;
    // What does not fit a word does not fit the memory.
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// The primes of a sequence by their numbers. Whoever asks for ranges upward finds no prime twice: to find those before takes long
/// where there are many.
#[derive(Default)]
pub struct NumberedPrimes(Mutex<Option<Sequence>>);

/// A sequence from some number on.
struct Sequence {
    number: u64,
    primes: Box<dyn Iterator<Item = u64> + Send>,
}

impl NumberedPrimes {
    /// So many primes from this number on, or fewer at the end of the sequence, which begins by `begin`.
    pub fn from_number<I: Iterator<Item = u64> + Send + 'static>(
        &self,
        number: u64,
        count: usize,
        begin: impl FnOnce() -> I,
    ) -> Vec<u64> {
        // Another range that is asked for meanwhile begins anew.
        let kept = self.lock().take().filter(|kept| kept.number <= number);
        let mut sequence = kept.unwrap_or_else(|| Sequence {
            number: 0,
            primes: Box::new(begin()),
        });
        while sequence.number < number && sequence.primes.next().is_some() {
            look();
            sequence.number += 1;
        }
        let primes = sequence.primes.by_ref().take(count);
        let primes: Vec<u64> = primes.inspect(|_| look()).collect();
        sequence.number += primes.len() as u64;
        *self.lock() = Some(sequence);
        primes
    }

    fn lock(&self) -> MutexGuard<'_, Option<Sequence>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// From the start of the sequence.
impl Clone for NumberedPrimes {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for NumberedPrimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NumberedPrimes")
    }
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
/// are in every image, and they are 0 if none is needed. Long integers are multiplied by `product`.
///
/// Images behind those that are needed test the integers, as long as none is missing between.
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
    let (mut numbers, mut kept, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut next = 0;
    // Those behind a gap are left: how far their primes are is not known.
    for part in &in_order {
        if part.first > next {
            break;
        }
        for (image, (number, prime)) in part.images.iter().zip(numbered.by_ref()) {
            let Some(residues) = image else { continue };
            if residues.len() != values || residues.iter().any(|&residue| residue >= prime) {
                return Err(PartsError::NoResidue { number, prime });
            }
            numbers.push(number);
            kept.push(prime);
            rows.push(residues);
        }
        next = part.numbers().end;
    }
    let missing = needed.saturating_sub(kept.len() as u64);
    if missing > 0 {
        let gap = in_order.iter().find(|part| part.first > next);
        let end = gap.map_or_else(|| next.saturating_add(missing), |part| part.first);
        return Err(PartsError::Missing { numbers: next..end });
    }
    // No more than there are.
    let (made_of, testing) = kept.split_at(needed as usize);
    let (rows_made_of, rows_testing) = rows.split_at(made_of.len());
    let integers: Vec<N> = match made_of {
        [] => (0..values).map(|_| N::from_natural_limbs(&[])).collect(),
        _ => Reconstruction::new(made_of, product).signed_all(rows_made_of),
    };
    let images = residues(&integers, testing);
    let mut tests = images.iter().zip(rows_testing);
    match tests.position(|(image, row)| image != *row) {
        None => Ok(integers),
        Some(other) => Err(PartsError::NoValue {
            numbers: 0..numbers[made_of.len()],
            number: numbers[made_of.len() + other],
        }),
    }
}
