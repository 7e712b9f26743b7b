//! Products through a context's transforms, which are kept for reuse.

use crate::context::{DftContext, expect_len};
use crate::problem::{Convolution, DftError};
use sunzi_field::TwoAdicField;

/// The transform of a vector, kept to multiply it by many others.
///
/// Its values are residues in a form and an order that only the context knows: no time is spent on changing either.
#[derive(Clone, Debug)]
pub struct Spectrum<F: TwoAdicField> {
    values: Vec<F::Elem>,
    /// Coefficients of the vector.
    len: usize,
    context: DftContext<F>,
}

impl<F: TwoAdicField> Spectrum<F> {
    /// Coefficients of the vector that was transformed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it had none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<F: TwoAdicField> DftContext<F> {
    /// Transforms `a`, of at most N coefficients, for products.
    ///
    /// # Errors
    /// [`DftError::Shape`] if `a` has more.
    pub fn spectrum(&self, a: &[F::Elem]) -> Result<Spectrum<F>, DftError> {
        expect_len(a.len().min(self.points()), a.len())?;
        let mut values = vec![self.field().zero(); self.points()];
        self.transforms()
            .evaluate_first(a, &mut values, &mut self.scratch());
        Ok(Spectrum {
            values,
            len: a.len(),
            context: self.clone(),
        })
    }

    /// Coefficients of the product of vectors of `a` and `b` coefficients: N of a cyclic or
    /// negacyclic one, a + b − 1 of a plain one (0 if either is empty).
    #[must_use]
    pub fn product_len(&self, a: usize, b: usize) -> usize {
        match self.plan().convolution() {
            Convolution::Cyclic | Convolution::Negacyclic => self.points(),
            Convolution::Plain if a == 0 || b == 0 => 0,
            Convolution::Plain => a + b - 1,
        }
    }

    /// The product of two vectors by their transforms.
    ///
    /// # Errors
    /// [`DftError::ForeignSpectrum`] if they are not of this context; [`DftError::TooLong`] if a
    /// plain product has more than N coefficients; [`DftError::Shape`] unless `out` has
    /// [`DftContext::product_len`] elements.
    pub fn multiply_spectra(
        &self,
        out: &mut [F::Elem],
        a: &Spectrum<F>,
        b: &Spectrum<F>,
    ) -> Result<(), DftError> {
        if !(self.agrees_with(&a.context) && self.agrees_with(&b.context)) {
            return Err(DftError::ForeignSpectrum);
        }
        self.check_product(out.len(), a.len, b.len)?;
        self.multiply(out, a.values.clone(), &b.values);
        Ok(())
    }

    /// The first `out.len()` coefficients of the product of two vectors by their transforms. The memory of `a` is
    /// used up, so that nothing is copied.
    ///
    /// Takes one inverse transform. The coefficients are those of the product modulo x^N − 1 (x^N + 1
    /// for negacyclic contexts), whichever are asked for: so a long vector is multiplied by a short one
    /// piece by piece.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::transform::DftContext;
    ///
    /// let context = DftContext::new(&Fp32::new(469762049)?, 8)?;
    /// let (a, b) = (context.spectrum(&[1, 2])?, context.spectrum(&[3, 4])?);
    /// let mut start = [0; 2];
    /// context.multiply_into(&mut start, a, &b)?;
    /// assert_eq!(start, [3, 10]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DftError::ForeignSpectrum`] if they are not of this context; [`DftError::Shape`] if `out` has
    /// more than N elements.
    pub fn multiply_into(
        &self,
        out: &mut [F::Elem],
        a: Spectrum<F>,
        b: &Spectrum<F>,
    ) -> Result<(), DftError> {
        if !(self.agrees_with(&a.context) && self.agrees_with(&b.context)) {
            return Err(DftError::ForeignSpectrum);
        }
        expect_len(out.len().min(self.points()), out.len())?;
        self.multiply(out, a.values, &b.values);
        Ok(())
    }

    /// The values of [`DftContext::spectrum`], in the caller's memory.
    ///
    /// # Errors
    /// [`DftError::Shape`] if `values` does not have N elements, or `a` has more.
    pub fn evaluate_into(&self, values: &mut [F::Elem], a: &[F::Elem]) -> Result<(), DftError> {
        expect_len(self.points(), values.len())?;
        expect_len(a.len().min(self.points()), a.len())?;
        values.fill(self.field().zero());
        self.transforms()
            .evaluate_first(a, values, &mut self.scratch());
        Ok(())
    }

    /// [`DftContext::multiply_into`] for values that [`DftContext::evaluate_into`] of this context gave.
    ///
    /// # Errors
    /// [`DftError::Shape`] if values are not N elements or `out` has more.
    pub fn multiply_values(
        &self,
        out: &mut [F::Elem],
        a: Vec<F::Elem>,
        b: &[F::Elem],
    ) -> Result<(), DftError> {
        expect_len(self.points(), a.len())?;
        expect_len(self.points(), b.len())?;
        expect_len(out.len().min(self.points()), out.len())?;
        self.multiply(out, a, b);
        Ok(())
    }

    /// The product of `a` and `b`, each of at most N canonical coefficients: modulo x^N − 1, modulo
    /// x^N + 1, or whole, as the context's [`Convolution`] says.
    ///
    /// Takes two forward and one inverse transform, one forward for a square (`a` and `b` the same
    /// slice), and memory for 2N elements. For plain products of many lengths, a
    /// [`crate::Convolver`] does without padding to a power of two.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::transform::{Convolution, DftContext};
    ///
    /// // (1 + x³)·(2 + 3x) modulo x⁴ + 1: the 3x⁴ comes back as −3.
    /// let field = Fp32::new(469762049)?;
    /// let context = DftContext::for_convolution(&field, 4, Convolution::Negacyclic)?;
    /// let mut product = [0; 4];
    /// context.convolve(&mut product, &[1, 0, 0, 1], &[2, 3])?;
    /// assert_eq!(product, [469762049 - 1, 3, 0, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`DftContext::spectrum`] and [`DftContext::multiply_spectra`].
    pub fn convolve(
        &self,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), DftError> {
        self.check_product(out.len(), a.len(), b.len())?;
        let square = std::ptr::eq(a, b);
        let a = self.spectrum(a)?;
        if square {
            self.multiply(out, a.values.clone(), &a.values);
        } else {
            let b = self.spectrum(b)?;
            self.multiply(out, a.values, &b.values);
        }
        Ok(())
    }

    fn check_product(&self, out: usize, a: usize, b: usize) -> Result<(), DftError> {
        let expected = self.product_len(a, b);
        if expected > self.points() {
            return Err(DftError::TooLong {
                len: expected,
                max: self.points(),
            });
        }
        expect_len(expected, out)
    }

    fn multiply(&self, out: &mut [F::Elem], mut values: Vec<F::Elem>, other: &[F::Elem]) {
        self.transforms()
            .multiply_first(out, &mut values, other, &mut self.scratch());
    }
}
