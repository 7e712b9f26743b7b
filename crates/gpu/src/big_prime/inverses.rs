//! Inverses of elements modulo r^k + 1.

use super::context::BigPrimeContext;
use sunzi_device::{Buffer, GpuError, Stream};

impl BigPrimeContext {
    /// The inverses of `count` elements, none of which is 0: products of two, and of those, up to one, which the host inverts;
    /// and down again. Waits.
    pub(crate) fn inverses(
        &self,
        stream: &Stream,
        elements: Buffer<u64>,
        count: usize,
    ) -> Result<Buffer<u64>, GpuError> {
        let (device, k) = (stream.device(), self.digits());
        // Element i < h is multiplied by element h + i; an odd one is left for the next round.
        let mut rounds = vec![(elements, count)];
        while let Some((last, count @ 2..)) = rounds.last() {
            let (half, next) = (count / 2, count.div_ceil(2));
            let mut folded = device.buffer(k * next)?;
            stream.copy((last, 0), (&mut folded, 0), k * half)?;
            stream.copy(
                (last, k * 2 * half),
                (&mut folded, k * half),
                k * (next - half),
            )?;
            self.multiply_elements(stream, (&mut folded, 0), (last, half), half)?;
            rounds.push((folded, next));
        }
        let mut inverses = device.buffer(k)?;
        if let Some((last, _)) = rounds.pop() {
            let mut one = vec![0; k];
            stream.read(&last, &mut one)?;
            let inverse = self.field.inverse_row(&one);
            stream.write(&mut inverses, &inverse.unwrap_or_else(|| vec![0; k]))?;
        }
        for (round, count) in rounds.into_iter().rev() {
            let half = count / 2;
            let mut all = device.buffer(k * count)?;
            stream.copy((&inverses, 0), (&mut all, 0), k * half)?;
            stream.copy((&inverses, 0), (&mut all, k * half), k * half)?;
            stream.copy(
                (&inverses, k * half),
                (&mut all, k * 2 * half),
                k * (count - 2 * half),
            )?;
            self.multiply_elements(stream, (&mut all, 0), (&round, half), half)?;
            self.multiply_elements(stream, (&mut all, half), (&round, 0), half)?;
            inverses = all;
        }
        Ok(inverses)
    }
}
