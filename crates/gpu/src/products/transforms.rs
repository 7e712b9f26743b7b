//! From coefficients to the residues of their products: projection to primes, and convolution by transforms.
//!
//! The primes are several of 31 bits, or the modulus alone, if it is a prime that has the transforms itself: of 31 bits, or
//! of up to 63, whose residues take two words. That takes fewer bytes and multiplications than the three to five primes
//! that products modulo it would take otherwise, and nothing has to be put together.

use super::plan::TransformPlan;
use crate::ntt::{NttContext, NttParameters, NttPlan};
use crate::residues::project::{Polynomials, ProjectContext};
use crate::residues::spread::SpreadContext;
use sunzi_device::{Buffer, Device, GpuError, Stream};

/// Transforms of one length for so many products at a time.
#[derive(Debug)]
pub(super) enum Transforms {
    /// Modulo several primes of 31 bits.
    Narrow(NttContext<u32>),
    /// Modulo one of 63.
    Wide(NttContext<u64>),
}

/// Residues modulo one prime after the other: of all left operands, then of the right ones.
#[derive(Debug)]
pub(super) enum Residues {
    /// Of a word.
    Narrow(Buffer<u32>),
    /// Of two.
    Wide(Buffer<u64>),
}

/// What finds residues.
#[derive(Debug)]
pub(super) enum Projection {
    /// Of left and right coefficients of any form.
    Narrow(Box<[ProjectContext; 2]>),
    /// Of coefficients of two words.
    Wide(SpreadContext),
}

impl Transforms {
    /// Compiles the kernels and makes the tables.
    pub(super) fn new(
        device: &Device,
        plan: &TransformPlan,
        parameters: NttParameters,
    ) -> Result<Self, GpuError> {
        let (primes, log_points) = (plan.primes()?, plan.log_points);
        Ok(if plan.own_wide_modulus().is_some() {
            let wide = NttContext::with_parameters(device, &primes, log_points, parameters)?;
            Self::Wide(wide)
        } else {
            let narrow = NttContext::with_parameters(device, &primes, log_points, parameters)?;
            Self::Narrow(narrow)
        })
    }

    /// How they run.
    pub(super) fn plan(&self) -> &NttPlan {
        match self {
            Self::Narrow(transforms) => transforms.plan(),
            Self::Wide(transforms) => transforms.plan(),
        }
    }

    /// Submits the convolutions of left operands with as many right ones, or with one.
    pub(super) fn convolve(
        &self,
        stream: &Stream,
        residues: &mut Residues,
        [batch, right_batch]: [usize; 2],
    ) -> Result<(), GpuError> {
        match (self, residues) {
            (Self::Narrow(by), Residues::Narrow(residues)) => {
                by.convolve_together(stream, residues, batch, right_batch)
            }
            (Self::Wide(by), Residues::Wide(residues)) => {
                by.convolve_together(stream, residues, batch, right_batch)
            }
            _ => Err(other_words()),
        }
    }
}

impl Residues {
    /// Memory for `count` of them, modulo one prime of two words or all of 31 bits.
    pub(super) fn new(device: &Device, is_wide: bool, count: usize) -> Result<Self, GpuError> {
        Ok(if is_wide {
            Self::Wide(device.buffer(count)?)
        } else {
            Self::Narrow(device.buffer(count)?)
        })
    }
}

impl Projection {
    /// Compiles the kernel and makes its constants.
    pub(super) fn new(
        stream: &Stream,
        plan: &TransformPlan,
        threads: usize,
    ) -> Result<Self, GpuError> {
        if let Some(modulus) = plan.own_wide_modulus() {
            return Ok(Self::Wide(SpreadContext::new(stream, modulus, threads)?));
        }
        let basis = plan.basis()?;
        let side = |form| ProjectContext::new(stream, &basis, form, threads);
        Ok(Self::Narrow(Box::new([
            side(plan.left)?,
            side(plan.right)?,
        ])))
    }

    /// Submits the projection of left and right operands.
    pub(super) fn run(
        &self,
        stream: &Stream,
        residues: &mut Residues,
        operands: [Polynomials<'_>; 2],
        log_points: u32,
        batches: [usize; 2],
    ) -> Result<(), GpuError> {
        let vectors = batches[0] + batches[1];
        for (side, first) in [(0, 0), (1, batches[0])] {
            let (from, count) = (operands[side], batches[side]);
            match (self, &mut *residues) {
                (Self::Narrow(by), Residues::Narrow(residues)) => {
                    let place = (first, vectors);
                    by[side].run(stream, residues, from, log_points, count, place)?;
                }
                (Self::Wide(by), Residues::Wide(residues)) => {
                    by.run(stream, residues, from, log_points, count, first)?;
                }
                _ => return Err(other_words()),
            }
        }
        Ok(())
    }
}

/// Residues are made for the plan that they are used with.
fn other_words() -> GpuError {
    GpuError::Shape("the workspace is of residues of other words".to_owned())
}
