//! Values of polynomials at the points of a tree.

use super::arithmetic::Part;
use super::context::SubproductTree;
use bytemuck::Pod;
use sunzi_device::{Buffer, GpuError, Stream};

impl SubproductTree {
    /// Submits the evaluation of a polynomial of `len` coefficients, canonical ones from the constant term on, at all
    /// points: as many elements, in their order. Places in buffers are counted in elements.
    ///
    /// Polynomials longer than the N points of the tree are evaluated in parts of N coefficients. Takes 3N elements on the
    /// device for a while.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if they reach beyond a buffer; [`GpuError::OutOfMemory`]; what the driver refuses.
    pub fn evaluate<E: Pod>(
        &self,
        stream: &Stream,
        (f, first): (&Buffer<E>, usize),
        len: usize,
        (to, to_first): (&mut Buffer<E>, usize),
    ) -> Result<(), GpuError> {
        self.check("coefficients", f, first, len)?;
        self.check("values", to, to_first, self.plan.points)?;
        let to = (to.cast_mut(), to_first);
        self.evaluate_words(stream, (f.cast_ref(), first), len, to)
    }

    /// The same, of what is there.
    pub(super) fn evaluate_words(
        &self,
        stream: &Stream,
        (f, first): (&Buffer<u32>, usize),
        len: usize,
        (to, to_first): (&mut Buffer<u32>, usize),
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let arithmetic = &self.arithmetic;
        let transforms = &arithmetic.transforms;
        let parts = len.div_ceil(n).max(1);
        for part in (0..parts).rev() {
            let count = n.min(len - part * n);
            // With g = f reversed, s is the beginning of g times the inverse, and goes down reversed.
            let reversed = Part::backward(first + part * n, count, n - 1);
            let level = self.plan.levels();
            let mut series = self.buffer(2 * n)?;
            arithmetic.part(stream, (&mut series, 0), n, f, reversed)?;
            arithmetic.part(stream, (&mut series, n), n, f, Part::of(first, 0))?;
            let mut values = transforms.forward(stream, level, series, 1)?;
            transforms.multiply(stream, level, &mut values, &self.inverse)?;
            let product = transforms.inverse(stream, level, values, 1)?;
            let reversed = Part::backward(0, n, n - 1);
            let mut down = self.buffer(n)?;
            arithmetic.part(stream, (&mut down, 0), n, &product, reversed)?;
            drop(product);
            let down = self.descend(stream, down)?;
            let is_rest = part + 1 < parts;
            let to = (&mut *to, to_first);
            arithmetic.values(stream, to, &down, &self.leaves, &self.points, is_rest)?;
        }
        Ok(())
    }

    /// From the root down to the leaves.
    fn descend(&self, stream: &Stream, mut down: Buffer<u32>) -> Result<Buffer<u32>, GpuError> {
        let transforms = &self.arithmetic.transforms;
        for (level, nodes) in self.levels.iter().enumerate().rev() {
            let vectors = self.vectors(level);
            let values = transforms.forward(stream, level, down, vectors)?;
            let children = transforms.down(stream, level, &values, nodes)?;
            drop(values);
            let children = transforms.inverse(stream, level, children, 2 * vectors)?;
            down = self.buffer(self.plan.padded())?;
            self.arithmetic.upper(stream, level, &mut down, &children)?;
        }
        Ok(down)
    }
}
