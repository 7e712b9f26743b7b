//! The polynomial with given values at the points of a tree.

use super::context::{Part, SubproductTree};
use crate::backend::Argument;
use crate::buffer::Buffer;
use crate::error::GpuError;
use crate::field::{ResidueWord, Scale};
use crate::stream::Stream;

impl<E: ResidueWord> SubproductTree<E> {
    /// Submits the interpolation of values at all points, canonical residues in their order: as many coefficients, from the
    /// constant term on. The first one waits, to see whether points are equal.
    ///
    /// Takes 4N words on the device for a while, and keeps one for each point.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if two points are equal, or vectors reach beyond a buffer; [`GpuError::OutOfMemory`]; what the
    /// driver refuses.
    pub fn interpolate(
        &self,
        stream: &Stream,
        (values, first): (&Buffer<E>, usize),
        (to, to_first): (&mut Buffer<E>, usize),
    ) -> Result<(), GpuError> {
        let (n, points) = (self.plan.padded(), self.plan.points);
        values.check_rows("values", first, points, 1)?;
        to.check_rows("coefficients", to_first, points, 1)?;
        let weights = self.weights(stream)?.as_ref().map_err(|index| {
            GpuError::Shape(format!(
                "no polynomial has given values at points that are equal: point {index} is there twice"
            ))
        })?;
        let mut factors = self.device.buffer(n)?;
        self.divide(stream, &mut factors, (values, first), weights)?;
        let mut node = self.device.buffer(n)?;
        self.combine_leaves(stream, &mut node, &self.points, Some(&factors))?;
        let mut work = self.device.buffer(2 * n)?;
        for (level, nodes) in self.levels.iter().enumerate() {
            let (transform, log_n) = self.transform(level);
            self.spread(stream, &mut work, &node, level, false)?;
            transform.forward(stream, &mut work, 0, (2 * n) >> log_n)?;
            let mut arguments = vec![(&mut node).into(), (&work).into(), nodes.into()];
            arguments.extend(self.vectors(log_n));
            // SAFETY: the arguments are those of the kernel, for N words of vectors and 2N of their children and factors.
            unsafe { stream.launch(&self.kernels.up, self.each(n)?, &arguments)? };
            transform.inverse(stream, &mut node, 0, n >> log_n)?;
        }
        // Points that fill the tree up are 0, and have multiplied all by x.
        self.part(
            stream,
            (to, to_first),
            points,
            &node,
            Part::of(n - points, points),
        )
    }

    /// The first of the points that is there twice, if one is: then there is no interpolation.
    ///
    /// # Errors
    /// As [`SubproductTree::interpolate`].
    pub fn repeated_point(&self, stream: &Stream) -> Result<Option<usize>, GpuError> {
        Ok(self.weights(stream)?.as_ref().err().copied())
    }

    /// The derivative of the product of all x − u at the points, or the first of them where it is 0.
    fn weights(&self, stream: &Stream) -> Result<&Result<Buffer<E>, usize>, GpuError> {
        if let Some(weights) = self.weights.get() {
            return Ok(weights);
        }
        let (n, points) = (self.plan.padded(), self.plan.points);
        let mut derivative = self.device.buffer(points)?;
        let arguments = [
            (&mut derivative).into(),
            (&self.root).into(),
            Argument::U32(n as u32),
            Argument::U32((n - points) as u32),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel, which reads N words and writes one for each point.
        unsafe { stream.launch(&self.kernels.derivative, self.each(points)?, &arguments)? };
        let mut weights = self.device.buffer(points)?;
        self.evaluate(stream, (&derivative, 0), points, (&mut weights, 0))?;
        let mut found = vec![E::from_residue(0); points];
        stream.read(&weights, &mut found)?;
        let zero = found.iter().position(|weight| weight.residue() == 0);
        let weights = zero.map_or(Ok(weights), Err);
        Ok(self.weights.get_or_init(|| weights))
    }

    /// Submits the division of values by weights, of which none is 0.
    fn divide(
        &self,
        stream: &Stream,
        to: &mut Buffer<E>,
        (values, first): (&Buffer<E>, usize),
        weights: &Buffer<E>,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let arguments = [
            to.into(),
            Argument::U32(n as u32),
            values.into(),
            Argument::U64(first as u64),
            weights.into(),
            Argument::U32(self.plan.points as u32),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel, which reads a word for each point and writes N, all there as the caller
        // checked.
        unsafe { stream.launch(&self.kernels.weights, self.each(n)?, &arguments) }
    }
}
