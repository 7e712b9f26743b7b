//! How pairs of polynomials are laid out in groups of threads.

use crate::error::GpuError;
use crate::field::ResidueWord;
use crate::info::{DeviceInfo, DeviceKind};

/// What errors call the program.
pub(crate) const NAME: &str = "division and Euclid's algorithm";

/// Coefficients that a thread of a GPU has of an operand, where there are threads enough.
const EACH: usize = 8;

/// Coefficients of an operand for which a program is compiled at least: shorter ones share it.
const LEAST_ROW: usize = 64;

/// How pairs of polynomials are laid out in groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EuclidShape {
    /// Threads of a group, which has one pair.
    pub threads: usize,
    /// Coefficients of an operand at most.
    pub row: usize,
    /// Pairs of a launch at most, fewer where the device's memory is short.
    pub pairs: usize,
}

impl EuclidShape {
    /// What suits a device for operands of up to `longest` coefficients.
    ///
    /// ```
    /// use sunzi_gpu::{DeviceInfo, euclid::EuclidShape};
    /// let shape = EuclidShape::for_device::<u32>(&DeviceInfo::h100(), 10_001);
    /// assert_eq!((shape.threads, shape.row), (1024, 16_384));
    /// ```
    pub fn for_device<E: ResidueWord>(info: &DeviceInfo, longest: usize) -> Self {
        let wanted = longest.max(LEAST_ROW).next_power_of_two();
        let threads = match info.kind {
            DeviceKind::Cpu => 64,
            DeviceKind::Gpu | DeviceKind::Accelerator => (wanted / EACH).clamp(32, 1024),
        };
        let threads = threads.min(info.group_threads).max(1);
        let most = (info.shared_memory / size_of::<E>()).saturating_sub(threads) / 2;
        // A power of two, so that few programs serve all lengths; or all there is.
        let row = if wanted <= most {
            wanted
        } else {
            most.max(longest)
        };
        Self {
            threads,
            row,
            pairs: 1 << 16,
        }
    }

    /// Bytes of local memory of a group.
    pub(crate) const fn shared_bytes<E>(&self) -> usize {
        let elements = self.row.saturating_mul(2).saturating_add(self.threads);
        elements.saturating_mul(size_of::<E>())
    }

    /// Checks it against the limits of the kernels and of a device.
    ///
    /// # Errors
    /// [`GpuError::Limits`] if a group cannot share two such polynomials, [`GpuError::Shape`] for what is none anywhere.
    pub(crate) fn check<E: ResidueWord>(self, info: &DeviceInfo) -> Result<Self, GpuError> {
        if !(1..=info.group_threads).contains(&self.threads) || self.row == 0 || self.pairs == 0 {
            return Err(GpuError::Shape(format!(
                "{} threads with two polynomials of {} coefficients, and {} such pairs in a launch, are no shape for {}: a \
                 group has at most {} threads",
                self.threads, self.row, self.pairs, info.name, info.group_threads
            )));
        }
        self.within(info, self.shared_bytes::<E>(), "two polynomials")?;
        Ok(self)
    }

    /// Bytes of local memory of a group that finds cofactors, too.
    ///
    /// # Errors
    /// [`GpuError::Limits`] if it cannot share as many.
    pub(crate) fn cofactor_bytes<E>(&self, info: &DeviceInfo) -> Result<usize, GpuError> {
        let bytes = self.row.saturating_mul(6 * size_of::<E>());
        self.within(info, bytes, "two polynomials and their cofactors,")
    }

    fn within(&self, info: &DeviceInfo, bytes: usize, what: &str) -> Result<usize, GpuError> {
        if bytes <= info.shared_memory {
            return Ok(bytes);
        }
        Err(GpuError::Limits {
            device: info.name.clone(),
            kernel: NAME.to_owned(),
            reason: format!(
                "a group of threads shares {} bytes, too few for {what} of {} coefficients",
                info.shared_memory, self.row
            ),
        })
    }
}
