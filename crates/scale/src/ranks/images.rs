//! Images of a result that ranks share: each computes those of some numbers, as they are handed out, and rank 0 puts them together.

use super::hand_out::{Numbers, hand_out};
use super::{Gone, Ranks};
use std::ops::Range;
use sunzi_machine::threads::{self, Work};
use sunzi_rns::images::{FORM, Images, Part, PartsError};
use thiserror::Error;

/// Why ranks have not found a value together. All of them end then.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SharedError<E> {
    /// Ranks have different jobs.
    #[error(
        "rank {rank} was asked for something else than rank 0: all ranks need the same version of the program, the same files and options"
    )]
    OtherJob {
        /// The first rank with another one than rank 0.
        rank: usize,
    },
    /// This rank could not compute its images.
    #[error(transparent)]
    Images(E),
    /// The images do not give a value.
    #[error(transparent)]
    Parts(PartsError),
    /// Another rank has ended.
    #[error(transparent)]
    Gone(Gone),
}

impl<E> From<Gone> for SharedError<E> {
    fn from(gone: Gone) -> Self {
        Self::Gone(gone)
    }
}

/// What ranks have found together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared<V> {
    /// The value.
    pub value: V,
    /// How many images each rank has computed.
    pub images: Vec<u64>,
}

/// The value of a job whose images all ranks compute, on all threads of each: batches are handed out to whoever is ready, so that a
/// rank computes as many as it has time for. Rank 0 gets the value, which does not depend on that, and the others get `None`.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::matrix::{DenseMatrix, DeterminantImages};
/// use sunzi::scale::{Ranks, Threads, share_images};
///
/// let matrix = DenseMatrix::from_fn(4, 4, |i, j| Integer::from(10).pow(20 * i) + Integer::from(7 * j));
/// let job = DeterminantImages::new(&matrix)?;
/// let ranks = Threads::new(2);
/// let found = std::thread::scope(|scope| {
///     let other = scope.spawn(|| share_images(&job, &ranks[1]));
///     (share_images(&job, &ranks[0]).unwrap(), other.join().unwrap().unwrap())
/// });
/// assert_eq!(found.0.map(|shared| shared.value), Some(matrix.determinant()?));
/// assert_eq!(found.1, None);
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
///
/// # Errors
/// [`SharedError`]: on all ranks if their jobs differ; else on the rank that has it, and [`Gone`] on those that can be told.
pub fn share_images<J: Images<Error: Send>>(
    job: &J,
    ranks: &dyn Ranks,
) -> Result<Option<Shared<J::Value>>, SharedError<J::Error>> {
    compare(job, ranks)?;
    let numbers = Numbers {
        count: job.needed(),
        grain: job.together().saturating_mul(threads::count() as u64),
    };
    let mut compute = |numbers| match job.compute(numbers) {
        Ok(part) => Ok(bytes(&part)),
        Err(error) => Err(SharedError::Images(error)),
    };
    let (fingerprint, mut parts) = (job.fingerprint(), Vec::new());
    let computed = {
        // What runs in `compute` counts its own images no more: these are those of all ranks.
        let work = (ranks.rank() == 0).then(|| Work::new(numbers.count, "images"));
        let work = work.as_ref();
        let mut accept = |numbers: Range<u64>, bytes: Vec<u8>| {
            let part = part(fingerprint, numbers.clone(), &bytes);
            let part = part.ok_or(PartsError::Damaged { first: numbers.start });
            let part = part.map_err(SharedError::Parts)?;
            let telling_nothing = part.images.iter().filter(|image| image.is_none()).count();
            parts.push(part);
            if let Some(work) = work {
                work.done(numbers.end - numbers.start);
            }
            Ok(telling_nothing as u64)
        };
        hand_out(ranks, numbers, &mut compute, &mut accept)?
    };
    if ranks.rank() > 0 {
        return Ok(None);
    }
    let value = job.combine(&parts).map_err(SharedError::Parts)?;
    Ok(Some(Shared {
        value,
        images: computed,
    }))
}

/// An error where ranks have different jobs.
fn compare<J: Images>(job: &J, ranks: &dyn Ranks) -> Result<(), SharedError<J::Error>> {
    let version = env!("CARGO_PKG_VERSION");
    let told = format!("{version} {FORM} {:032x} {}", job.fingerprint(), job.needed());
    let all = ranks.gather(told.as_bytes())?;
    match all.iter().position(|other| *other != all[0]) {
        Some(rank) => Err(SharedError::OtherJob { rank }),
        None => Ok(()),
    }
}

/// The length of a checksum.
const CHECK: usize = 16;

/// The images of a part as a message: the length and the residues of each, and behind them the checksum.
fn bytes(part: &Part) -> Vec<u8> {
    let mut bytes = Vec::new();
    for image in &part.images {
        // One more, as there are images without residues, and primes without an image.
        let length = image.as_ref().map_or(0, |residues| residues.len() as u64 + 1);
        bytes.extend(length.to_le_bytes());
        let residues = image.iter().flatten();
        bytes.extend(residues.flat_map(|residue| residue.to_le_bytes()));
    }
    bytes.extend(part.check().into_bytes());
    bytes
}

/// The part with the images of these numbers, if that is what the message has.
fn part(fingerprint: u128, numbers: Range<u64>, bytes: &[u8]) -> Option<Part> {
    let (words, check) = bytes.split_at_checked(bytes.len().checked_sub(CHECK)?)?;
    let mut words = words.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
    let mut images = Vec::new();
    for _ in numbers.clone() {
        let length = words.next()?;
        let length = length.checked_sub(1);
        images.push(length.map(|length| words.by_ref().take(length as usize).collect()));
    }
    let part = Part {
        fingerprint,
        first: numbers.start,
        images,
    };
    (words.next().is_none() && part.check().as_bytes() == check).then_some(part)
}
