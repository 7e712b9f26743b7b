//! Values of polynomials at the points of a tree.

use super::context::{Part, SubproductTree};
use crate::backend::Argument;
use crate::buffer::Buffer;
use crate::error::GpuError;
use crate::field::{ResidueWord, Scale};
use crate::stream::Stream;

impl<E: ResidueWord> SubproductTree<E> {
    /// Submits the evaluation of a polynomial of `len` coefficients, canonical residues from the constant term on, at all
    /// points: as many words, in their order.
    ///
    /// Polynomials longer than the N points of the tree are evaluated in parts of N coefficients. Takes 3N words on the device
    /// for a while.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if they reach beyond a buffer; [`GpuError::OutOfMemory`]; what the driver refuses.
    pub fn evaluate(
        &self,
        stream: &Stream,
        (f, first): (&Buffer<E>, usize),
        len: usize,
        (to, to_first): (&mut Buffer<E>, usize),
    ) -> Result<(), GpuError> {
        f.check_rows("coefficients", first, len, 1)?;
        to.check_rows("values", to_first, self.plan.points, 1)?;
        let n = self.plan.padded();
        let mut down = self.device.buffer(n)?;
        let mut work = self.device.buffer(2 * n)?;
        let parts = len.div_ceil(n).max(1);
        for part in (0..parts).rev() {
            let count = n.min(len - part * n);
            // With g = f reversed, s is the beginning of g times the inverse, and goes down reversed.
            let reversed = Part::backward(first + part * n, count, n - 1);
            self.part(stream, (&mut work, 0), n, f, reversed)?;
            self.part(stream, (&mut work, n), n, f, Part::of(first, 0))?;
            let (transform, _) = self.transform(self.plan.levels());
            transform.forward(stream, &mut work, 0, 1)?;
            transform.pointwise(stream, &mut work, 0, &self.inverse, 0, 1, 1)?;
            transform.inverse(stream, &mut work, 0, 1)?;
            self.part(
                stream,
                (&mut down, 0),
                n,
                &work,
                Part::backward(0, n, n - 1),
            )?;
            self.descend(stream, &mut down, &mut work)?;
            let is_rest = part + 1 < parts;
            self.values(stream, (&mut *to, to_first), &down, is_rest)?;
        }
        Ok(())
    }

    /// From the root down to the leaves.
    fn descend(
        &self,
        stream: &Stream,
        down: &mut Buffer<E>,
        work: &mut Buffer<E>,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        for (level, nodes) in self.levels.iter().enumerate().rev() {
            let (transform, log_n) = self.transform(level);
            transform.forward(stream, down, 0, n >> log_n)?;
            let mut arguments = vec![(&mut *work).into(), (&*down).into(), nodes.into()];
            arguments.extend(self.vectors(log_n));
            // SAFETY: the arguments are those of the kernel, for N words of vectors and 2N of their children and factors.
            unsafe { stream.launch(&self.kernels.down, self.each(n)?, &arguments)? };
            transform.inverse(stream, work, 0, (2 * n) >> log_n)?;
            let arguments = [
                (&mut *down).into(),
                (&*work).into(),
                Argument::U32(n as u32),
                Argument::U32(log_n - 1),
            ];
            // SAFETY: the same, the other way.
            unsafe { stream.launch(&self.kernels.upper, self.each(n)?, &arguments)? };
        }
        Ok(())
    }

    /// In the leaves.
    fn values(
        &self,
        stream: &Stream,
        (to, to_first): (&mut Buffer<E>, usize),
        down: &Buffer<E>,
        is_rest: bool,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let arguments = [
            to.into(),
            Argument::U64(to_first as u64),
            Argument::U32(self.plan.points as u32),
            down.into(),
            (&self.leaves).into(),
            (&self.points).into(),
            Argument::U32(n.ilog2()),
            Argument::U32(is_rest.into()),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel, which reads N words and writes one for each point, all there as the
        // caller checked.
        unsafe { stream.launch(&self.kernels.values, self.each(n)?, &arguments) }
    }
}
