//! From coefficients to residues that are transformed.
//!
//! The primes are several of 31 bits, or the modulus alone, if it is a prime that has the transforms itself: of 31 bits, or
//! of up to 63, whose residues take two words. That takes fewer bytes and multiplications than the three to five primes
//! that products modulo it would take otherwise, and nothing has to be put together.

use super::plan::TransformPlan;
use crate::residues::project::{Polynomials, ProjectContext};
use crate::residues::spread::SpreadContext;
use sunzi_device::{Buffer, GpuError, Stream};

/// What finds residues.
#[derive(Debug)]
pub(super) enum Projection {
    /// Of left and right coefficients of any form.
    Narrow(Box<[ProjectContext; 2]>),
    /// Of coefficients of two words.
    Wide(SpreadContext),
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
        residues: &mut Buffer<u32>,
        operands: [Polynomials<'_>; 2],
        log_points: u32,
        batches: [usize; 2],
    ) -> Result<(), GpuError> {
        let vectors = batches[0] + batches[1];
        for (side, first) in [(0, 0), (1, batches[0])] {
            let (from, count) = (operands[side], batches[side]);
            match self {
                Self::Narrow(by) => {
                    let place = (first, vectors);
                    by[side].run(stream, residues, from, log_points, count, place)?;
                }
                Self::Wide(by) => by.run(stream, residues, from, log_points, count, first)?,
            }
        }
        Ok(())
    }
}
