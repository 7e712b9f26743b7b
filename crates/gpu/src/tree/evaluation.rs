//! Values of polynomials at the points of a tree.

use super::arithmetic::{Arithmetic, Part};
use super::context::SubproductTree;
use crate::buffer::Buffer;
use crate::error::GpuError;
use crate::stream::Stream;

impl<A: Arithmetic> SubproductTree<A> {
    /// Submits the evaluation of a polynomial of `len` coefficients, canonical ones from the constant term on, at all
    /// points: as many elements, in their order. Places in buffers are counted in elements.
    ///
    /// Polynomials longer than the N points of the tree are evaluated in parts of N coefficients. Takes 3N elements on the
    /// device for a while.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if they reach beyond a buffer; [`GpuError::OutOfMemory`]; what the driver refuses.
    pub fn evaluate(
        &self,
        stream: &Stream,
        (f, first): (&Buffer<A::Word>, usize),
        len: usize,
        (to, to_first): (&mut Buffer<A::Word>, usize),
    ) -> Result<(), GpuError> {
        self.check("coefficients", f, first, len)?;
        self.check("values", to, to_first, self.plan.points)?;
        let n = self.plan.padded();
        let arithmetic = &self.arithmetic;
        let mut down = self.buffer(n)?;
        let mut work = self.buffer(2 * n)?;
        let parts = len.div_ceil(n).max(1);
        for part in (0..parts).rev() {
            let count = n.min(len - part * n);
            // With g = f reversed, s is the beginning of g times the inverse, and goes down reversed.
            let reversed = Part::backward(first + part * n, count, n - 1);
            let level = self.plan.levels();
            arithmetic.part(stream, (&mut work, 0), n, f, reversed)?;
            arithmetic.part(stream, (&mut work, n), n, f, Part::of(first, 0))?;
            arithmetic.transform(stream, level, &mut work, 1, false)?;
            arithmetic.multiply(stream, level, &mut work, &self.inverse)?;
            arithmetic.transform(stream, level, &mut work, 1, true)?;
            let reversed = Part::backward(0, n, n - 1);
            arithmetic.part(stream, (&mut down, 0), n, &work, reversed)?;
            self.descend(stream, &mut down, &mut work)?;
            let is_rest = part + 1 < parts;
            let to = (&mut *to, to_first);
            arithmetic.values(stream, to, &down, &self.leaves, &self.points, is_rest)?;
        }
        Ok(())
    }

    /// From the root down to the leaves.
    fn descend(
        &self,
        stream: &Stream,
        down: &mut Buffer<A::Word>,
        work: &mut Buffer<A::Word>,
    ) -> Result<(), GpuError> {
        let arithmetic = &self.arithmetic;
        for (level, nodes) in self.levels.iter().enumerate().rev() {
            let vectors = self.vectors(level);
            arithmetic.transform(stream, level, down, vectors, false)?;
            arithmetic.down(stream, level, work, down, nodes)?;
            arithmetic.transform(stream, level, work, 2 * vectors, true)?;
            arithmetic.upper(stream, level, down, work)?;
        }
        Ok(())
    }

    /// Checks that so many elements are there.
    pub(super) fn check(
        &self,
        what: &str,
        buffer: &Buffer<A::Word>,
        first: usize,
        count: usize,
    ) -> Result<(), GpuError> {
        let first = first.saturating_mul(A::WIDTH);
        buffer.check_rows(what, first, count, A::WIDTH).map(|_| ())
    }
}
