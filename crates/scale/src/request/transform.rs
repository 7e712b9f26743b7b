//! Transforms from a file to a file.

use super::{Request, options};
use crate::error::ScaleError;
use crate::plan::{Order, Plan};
use crate::run::Started;
use crate::task::Operation;
use crate::task::entries::Entries;
use std::path::PathBuf;
use sunzi_dft::Direction;
use sunzi_field::AnyField;

/// A discrete Fourier transform of 2^k elements of a prime field, from one file to another, in as little memory as is asked for.
///
/// Files are NumPy's, `.npy`: arrays of `uint32` or `uint64` of N residues, or of N rows of k digits modulo r^k + 1. All entries must be
/// elements, `0 ≤ x < p`. Values have the type of the entries, and `uint64` where a prime needs it. ω is the field's root of unity, so that
/// values are those of [`DftContext`](sunzi_dft::DftContext).
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::scale::{npy::Header, FileTransform};
///
/// let folder = tempfile::tempdir()?;
/// let [x, y] = ["x.npy", "y.npy"].map(|name| folder.path().join(name));
/// let mut bytes = Header { word: 4, is_signed: false, shape: vec![4] }.bytes();
/// bytes.extend([1, 2, 3, 4u32].map(u32::to_le_bytes).concat());
/// std::fs::write(&x, bytes)?;
///
/// let field = AnyField::modulo_word(17)?; // ω = 13
/// let report = FileTransform::new(&field, &x, &y, folder.path()).start()?.finish()?;
/// assert_eq!(report.plan.passes(), 1);
/// assert_eq!(std::fs::read(&y)?[4096..], [10, 6, 15, 7u32].map(u32::to_le_bytes).concat());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileTransform {
    request: Request,
    direction: Direction,
    order: Order,
}

impl FileTransform {
    /// The forward transform of a file, in natural order; and a folder for scratch files.
    #[must_use]
    pub fn new(
        field: &AnyField,
        input: impl Into<PathBuf>,
        output: impl Into<PathBuf>,
        scratch: impl Into<PathBuf>,
    ) -> Self {
        Self {
            request: Request::new(Entries::Elements(field.clone()), vec![input.into()], output.into(), scratch.into()),
            direction: Direction::Forward,
            order: Order::Natural,
        }
    }

    /// In this direction.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// With values in this order: those that are written, or of the inverse transform those that are read.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    options!("values");

    /// The plan; the header of the input is read, nothing is written.
    ///
    /// # Errors
    /// [`ScaleError::Input`] if the input is no vector of the field; [`ScaleError::Memory`] if the memory is too small for any plan.
    pub fn plan(&self) -> Result<Plan, ScaleError> {
        self.request.plan(self.operation())
    }

    /// Makes the folder of the job, or finds it, and locks it.
    ///
    /// # Errors
    /// As [`FileTransform::plan`]; [`ScaleError::Busy`] if another process works at the same job; [`ScaleError::OtherJob`] if what was begun
    /// there is not the same; [`ScaleError::Output`]; [`ScaleError::Disk`].
    pub fn start(&self) -> Result<Started, ScaleError> {
        self.request.start(self.operation())
    }

    fn operation(&self) -> Operation {
        Operation::Transform {
            direction: self.direction,
            order: self.order,
        }
    }
}
