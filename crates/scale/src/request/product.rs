//! Products of polynomials from files to a file.

use super::{Request, options};
use crate::error::ScaleError;
use crate::plan::Plan;
use crate::run::Started;
use crate::task::Operation;
use std::path::PathBuf;
use sunzi_field::AnyField;

/// A product of two polynomials over a prime field, from files to a file, in as little memory as is asked for.
///
/// Files are NumPy's, as those of [`FileTransform`](super::transform::FileTransform): coefficients from the constant term upward. The field must have
/// transforms of 2^k ≥ la + lb − 1 points. Operands are transformed without an order of their values: columns of both, then rows of both and of
/// their product at a time, then columns back. The same file twice is a square, which takes 5.5·N·w bytes in place of 8·N·w.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::scale::{npy::Header, FileProduct};
///
/// let folder = tempfile::tempdir()?;
/// let [a, b, c] = ["a.npy", "b.npy", "c.npy"].map(|name| folder.path().join(name));
/// let file = |words: &[u32]| {
///     let header = Header { word: 4, shape: vec![words.len()] }.bytes();
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
    /// The product of the polynomials in two files, or the square of the one in both; and a folder for scratch files.
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
                field,
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
    /// [`ScaleError::Input`] if an input is no vector of the field; [`ScaleError::Dft`] if the field has no transform that is long enough;
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
