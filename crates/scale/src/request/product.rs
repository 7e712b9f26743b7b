//! Products of polynomials from files to a file.

use super::{Request, options};
use crate::error::ScaleError;
use crate::plan::Plan;
use crate::run::Started;
use crate::task::Operation;
use crate::task::entries::Entries;
use std::path::PathBuf;
use sunzi_field::AnyField;

/// A product of two polynomials, or of two integers, from files to a file, in as little memory as is asked for.
///
/// Files are NumPy's. Operands are transformed without an order of their values: columns of both, then rows of both and of their product at a
/// time, then columns back. The same file twice is a square, which takes 5.5·N·w bytes in place of 8·N·w. Where no prime of the ring has
/// transforms of 2^k ≥ la + lb − 1 points, the same is done modulo up to three primes of 62 bits, one after the other, and a last pass puts
/// residues together: that of integers carries, too.
///
/// | made by | an entry of the operands | an entry of the product |
/// |---|---|---|
/// | [`FileProduct::new`] | a coefficient modulo p: as for [`FileTransform`](super::transform::FileTransform) | the same |
/// | [`FileProduct::over_integers`] | a coefficient over Z: `int32`, `int64`, `uint32` or `uint64` | the words of an integer, `uint64`, in two's complement: shape (N, 2) or (N, 3) |
/// | [`FileProduct::of_integers`] | a limb of a natural number, `uint64`, the lowest first | the same: la + lb limbs, of which the highest may be 0 |
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::scale::{npy::Header, FileProduct};
///
/// let folder = tempfile::tempdir()?;
/// let [a, b, c] = ["a.npy", "b.npy", "c.npy"].map(|name| folder.path().join(name));
/// let file = |words: &[u32]| {
///     let header = Header { word: 4, is_signed: false, shape: vec![words.len()] }.bytes();
///     [header, words.iter().flat_map(|word| word.to_le_bytes()).collect()].concat()
/// };
/// std::fs::write(&a, file(&[1, 1]))?;
/// std::fs::write(&b, file(&[5, 0, 3]))?;
///
/// let field = AnyField::modulo_word(17)?;
/// FileProduct::new(&field, &a, &b, &c, folder.path()).start()?.finish()?;
/// assert_eq!(std::fs::read(&c)?, file(&[5, 5, 3, 3])); // (1 + x)(5 + 3x²)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileProduct {
    request: Request,
}

impl FileProduct {
    /// The product of the polynomials over a field in two files, or the square of the one in both; and a folder for scratch files.
    #[must_use]
    pub fn new(
        field: &AnyField,
        a: impl Into<PathBuf>,
        b: impl Into<PathBuf>,
        output: impl Into<PathBuf>,
        scratch: impl Into<PathBuf>,
    ) -> Self {
        Self {
            request: Request::new(
                Entries::Elements(field.clone()),
                vec![a.into(), b.into()],
                output.into(),
                scratch.into(),
            ),
        }
    }

    /// The same over Z.
    #[must_use]
    pub fn over_integers(
        a: impl Into<PathBuf>,
        b: impl Into<PathBuf>,
        output: impl Into<PathBuf>,
        scratch: impl Into<PathBuf>,
    ) -> Self {
        Self {
            request: Request::new(
                Entries::Integers,
                vec![a.into(), b.into()],
                output.into(),
                scratch.into(),
            ),
        }
    }

    /// The product of the natural numbers in two files.
    ///
    /// ```
    /// use sunzi::scale::{npy::Header, FileProduct};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let [a, c] = ["a.npy", "c.npy"].map(|name| folder.path().join(name));
    /// let file = |words: &[u64]| {
    ///     let header = Header { word: 8, is_signed: false, shape: vec![words.len()] }.bytes();
    ///     [header, words.iter().flat_map(|word| word.to_le_bytes()).collect()].concat()
    /// };
    /// std::fs::write(&a, file(&[u64::MAX]))?;
    ///
    /// FileProduct::of_integers(&a, &a, &c, folder.path()).start()?.finish()?;
    /// assert_eq!(std::fs::read(&c)?, file(&[1, u64::MAX - 1])); // (2^64 − 1)²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_integers(
        a: impl Into<PathBuf>,
        b: impl Into<PathBuf>,
        output: impl Into<PathBuf>,
        scratch: impl Into<PathBuf>,
    ) -> Self {
        Self {
            request: Request::new(
                Entries::Limbs,
                vec![a.into(), b.into()],
                output.into(),
                scratch.into(),
            ),
        }
    }

    options!("values of the polynomials");

    /// The plan; the headers of the inputs are read, nothing is written.
    ///
    /// # Errors
    /// [`ScaleError::Input`] if an input is no vector of the field; [`ScaleError::Dft`] if there is no transform that is long enough: of 2^40 points, or in a field modulo r^k + 1;
    /// [`ScaleError::Memory`] if the memory is too small for any plan.
    pub fn plan(&self) -> Result<Plan, ScaleError> {
        self.request.plan(Operation::Product)
    }

    /// Makes the folder of the job, or finds it, and locks it.
    ///
    /// # Errors
    /// As [`FileProduct::plan`]; [`ScaleError::Busy`] if another process works at the same job; [`ScaleError::OtherJob`] if what was begun
    /// there is not the same; [`ScaleError::Output`]; [`ScaleError::Disk`].
    pub fn start(&self) -> Result<Started, ScaleError> {
        self.request.start(Operation::Product)
    }
}
