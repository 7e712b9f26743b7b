//! Cyclic and negacyclic convolutions modulo r^k + 1.

use super::context::{BigPrimeContext, Weights};
use sunzi_device::{Buffer, GpuError, Stream};

impl BigPrimeContext {
    /// Cyclic convolutions, in place of `a`: a(x)·b(x) mod x^N − 1, for `batch` vectors from element `a_first` on and as
    /// many of `b`, or with `broadcast` one for all; `b` is overwritten. Takes three transforms and N products a vector.
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::gpu::{BigPrimeContext, Device, Selection};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
    /// let field = AnyField::generalized_fermat((1 << 59) + (1 << 58) + (1 << 11), 4)?; // P4
    /// let (stream, context) = (device.stream()?, BigPrimeContext::new(&device, &field, 1, 1)?);
    /// // (3 + 2x)(5 + 7x) = 15 + 31x + 14x², where x² is 1.
    /// let mut a = device.filled(&stream, &[3, 0, 0, 0, 2, 0, 0, 0])?;
    /// let mut b = device.filled(&stream, &[5, 0, 0, 0, 7, 0, 0, 0])?;
    /// context.convolve(&stream, (&mut a, 0), (&mut b, 0), 1, false)?;
    /// let mut product = [0; 8];
    /// stream.read(&a, &mut product)?;
    /// assert_eq!(product, [29, 0, 0, 0, 31, 0, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`BigPrimeContext::forward`]. Operands that are refused are as before.
    pub fn convolve(
        &self,
        stream: &Stream,
        (a, a_first): (&mut Buffer<u64>, usize),
        (b, b_first): (&mut Buffer<u64>, usize),
        batch: usize,
        broadcast: bool,
    ) -> Result<(), GpuError> {
        let b_batch = if broadcast { batch.min(1) } else { batch };
        self.check("a", (a, a_first), batch)?;
        self.check("b", (b, b_first), b_batch)?;
        self.forward(stream, (&mut *a, a_first), batch)?;
        self.forward(stream, (&mut *b, b_first), b_batch)?;
        self.multiply(stream, (&mut *a, a_first), (b, b_first), batch, broadcast)?;
        self.inverse(stream, (a, a_first), batch)
    }

    /// Negacyclic convolutions, in place of `a`: a(x)·b(x) mod x^N + 1, as [`convolve`](Self::convolve) otherwise.
    ///
    /// The first one computes 2N powers, which take 16·k·N bytes on the device.
    ///
    /// # Errors
    /// As [`BigPrimeContext::forward`], and [`GpuError::Shape`] where 2N does not divide p − 1; [`GpuError::OutOfMemory`]. Nothing
    /// is overwritten then.
    pub fn convolve_negacyclic(
        &self,
        stream: &Stream,
        (a, a_first): (&mut Buffer<u64>, usize),
        (b, b_first): (&mut Buffer<u64>, usize),
        batch: usize,
        broadcast: bool,
    ) -> Result<(), GpuError> {
        let b_batch = if broadcast { batch.min(1) } else { batch };
        self.check("a", (a, a_first), batch)?;
        self.check("b", (b, b_first), b_batch)?;
        let Weights {
            powers,
            inverse_powers,
        } = self.weights()?;
        self.multiply(stream, (&mut *a, a_first), (powers, 0), batch, true)?;
        self.multiply(stream, (&mut *b, b_first), (powers, 0), b_batch, true)?;
        self.convolve(stream, (&mut *a, a_first), (b, b_first), batch, broadcast)?;
        self.multiply(stream, (a, a_first), (inverse_powers, 0), batch, true)
    }

    fn weights(&self) -> Result<&Weights, GpuError> {
        if let Some(weights) = self.weights.get() {
            return Ok(weights);
        }
        let points = self.points();
        let no_root = || {
            GpuError::Shape(format!(
                "there are no negacyclic convolutions of {points} points modulo {}: 2N = {} does not divide p - 1",
                self.field,
                2 * points
            ))
        };
        let psi = self.field.root_of_unity_row(points.ilog2() + 1);
        let psi = psi.ok_or_else(no_root)?;
        let inverse = self.field.inverse_row(&psi).ok_or_else(no_root)?;
        let stream = self.device.stream()?;
        let weights = Weights {
            powers: self.powers_of(&stream, &psi)?,
            inverse_powers: self.powers_of(&stream, &inverse)?,
        };
        Ok(self.weights.get_or_init(|| weights))
    }
}
