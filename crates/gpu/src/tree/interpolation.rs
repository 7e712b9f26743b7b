//! The polynomial with given values at the points of a tree.

use super::arithmetic::Part;
use super::context::SubproductTree;
use bytemuck::Pod;
use sunzi_device::{Buffer, GpuError, Stream};

impl SubproductTree {
    /// Submits the interpolation of values at all points, canonical ones in their order: as many coefficients, from the
    /// constant term on. The first one waits, to see whether points are equal. Places in buffers are counted in elements.
    ///
    /// Takes 4N elements on the device for a while, and keeps one for each point.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if two points are equal, or vectors reach beyond a buffer; [`GpuError::OutOfMemory`]; what the
    /// driver refuses.
    pub fn interpolate<E: Pod>(
        &self,
        stream: &Stream,
        (values, first): (&Buffer<E>, usize),
        (to, to_first): (&mut Buffer<E>, usize),
    ) -> Result<(), GpuError> {
        let (n, points) = (self.plan.padded(), self.plan.points);
        self.check("values", values, first, points)?;
        self.check("coefficients", to, to_first, points)?;
        let weights = self.weights(stream)?.as_ref().map_err(|index| {
            GpuError::Shape(format!(
                "no polynomial has given values at points that are equal: point {index} is there twice"
            ))
        })?;
        let arithmetic = &self.arithmetic;
        let mut factors = self.buffer(n)?;
        arithmetic.divide(stream, &mut factors, (values.cast_ref(), first), weights)?;
        let mut node = self.buffer(n)?;
        arithmetic.leaves(stream, &mut node, &self.points, Some(&factors))?;
        drop(factors);
        let transforms = &arithmetic.transforms;
        for (level, nodes) in self.levels.iter().enumerate() {
            let vectors = self.vectors(level);
            let mut spread = self.buffer(2 * n)?;
            arithmetic.spread(stream, &mut spread, &node, level, false)?;
            drop(node);
            let values = transforms.forward(stream, level, spread, 2 * vectors)?;
            let sums = transforms.up(stream, level, &values, nodes)?;
            drop(values);
            node = transforms.inverse(stream, level, sums, vectors)?;
        }
        // Points that fill the tree up are 0, and have multiplied all by x.
        let part = Part::of(n - points, points);
        arithmetic.part(stream, (to.cast_mut(), to_first), points, &node, part)
    }

    /// The first of the points that is there twice, if one is: then there is no interpolation.
    ///
    /// # Errors
    /// As [`SubproductTree::interpolate`].
    pub fn repeated_point(&self, stream: &Stream) -> Result<Option<usize>, GpuError> {
        Ok(self.weights(stream)?.as_ref().err().copied())
    }

    /// What values are divided by, the derivative of the product of all x − u at the points; or the first of them where that
    /// is 0.
    fn weights(&self, stream: &Stream) -> Result<&Result<Buffer<u32>, usize>, GpuError> {
        if let Some(weights) = self.weights.get() {
            return Ok(weights);
        }
        let points = self.plan.points;
        let mut derivative = self.buffer(points)?;
        self.arithmetic
            .derivative(stream, &mut derivative, &self.root)?;
        let mut weights = self.buffer(points)?;
        self.evaluate_words(stream, (&derivative, 0), points, (&mut weights, 0))?;
        let weights = self.arithmetic.prepare_weights(stream, weights)?;
        Ok(self.weights.get_or_init(|| weights))
    }
}
