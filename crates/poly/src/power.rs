//! Powers of polynomials, by repeated squaring.

use sunzi_integer::Integer;
use sunzi_machine::memory::Budget;

use crate::error::PolyError;
use crate::integer::IntegerPolyRing;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;

impl<F: CoefficientField> PolyRing<F> {
    /// `f^exponent`; 1 for the exponent 0, also of 0.
    ///
    /// # Panics
    /// If there is too little memory; [`Self::try_pow`] returns an error instead.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::PolyRing;
    ///
    /// let ring = PolyRing::new(Fp32::new(7)?);
    /// let f = ring.parse("x + 1").unwrap();
    /// assert_eq!(ring.pow(&f, 8).to_string(), "x^8 + x^7 + x + 1"); // (x + 1)⁷ = x⁷ + 1
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn pow(&self, f: &Poly<F::Elem>, exponent: u64) -> Poly<F::Elem> {
        match self.try_pow(f, exponent) {
            Ok(power) => power,
            Err(error) => panic!("{error}"),
        }
    }

    /// `f^exponent`; 1 for the exponent 0, also of 0.
    ///
    /// Takes a squaring for each bit of the exponent but the first, and for each 1 among them a product by `f`. As lengths
    /// double, all squarings together take at most about twice the time of the last one, and products by the shorter
    /// operand `f` no more: O(M(n)) for a power of degree n, and O(log(exponent)) for constants.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory for the power, before anything starts, or for what its
    /// products need.
    pub fn try_pow(&self, f: &Poly<F::Elem>, exponent: u64) -> Result<Poly<F::Elem>, PolyError> {
        (F::compiled().pow)(self, f, exponent)
    }

    /// About the bytes that a power of `f` takes beside `f`, itself included.
    pub fn pow_bytes(&self, f: &Poly<F::Elem>, exponent: u64) -> u64 {
        self.last_product_bytes(power_len(f, exponent))
    }

    /// About the bytes of a product of two equal factors that has so many coefficients, with the factors.
    pub(crate) fn last_product_bytes(&self, len: u64) -> u64 {
        // More coefficients than that fit no memory, and are beyond what is planned for.
        const MOST: u64 = 1 << 40;
        let elements = len.saturating_mul(2 * size_of::<F::Elem>() as u64);
        let scratch = match len {
            0..MOST => {
                let factor = len as usize / 2 + 1;
                self.plan(factor, factor).scratch_bytes
            }
            _ => 0,
        };
        elements.saturating_add(scratch)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn try_pow_here(
        &self,
        f: &Poly<F::Elem>,
        exponent: u64,
    ) -> Result<Poly<F::Elem>, PolyError> {
        require(power_len(f, exponent), size_of::<F::Elem>() as u64)?;
        let one = || Poly::new(vec![self.field().one()]);
        by_squaring(f, exponent, one, |a, b| self.try_mul(a, b))
    }
}

impl IntegerPolyRing {
    /// `f^exponent`; 1 for the exponent 0, also of 0.
    ///
    /// # Panics
    /// If there is too little memory; [`Self::try_pow`] returns an error instead.
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let f = "x - 2".parse()?;
    /// assert_eq!(IntegerPolyRing::new().pow(&f, 3).to_string(), "x^3 - 6*x^2 + 12*x - 8");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    pub fn pow(&self, f: &Poly<Integer>, exponent: u64) -> Poly<Integer> {
        match self.try_pow(f, exponent) {
            Ok(power) => power,
            Err(error) => panic!("{error}"),
        }
    }

    /// `f^exponent`; 1 for the exponent 0, also of 0.
    ///
    /// Takes a squaring for each bit of the exponent but the first, and for each 1 among them a product by `f`. With the
    /// exponent both the degree and the bits of the coefficients double, so that the last squaring takes most of the
    /// time: about that of an integer product of as many bits as the power has.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory for the power, before anything starts, or for what its
    /// products need.
    pub fn try_pow(&self, f: &Poly<Integer>, exponent: u64) -> Result<Poly<Integer>, PolyError> {
        require(power_len(f, exponent), size_of::<Integer>() as u64)?;
        // The leading coefficient alone tells the least that constants take.
        let leading = f.coefficients().last().map_or(0, Integer::bit_len) as u64;
        require(leading.saturating_sub(1).saturating_mul(exponent) / 8, 1)?;
        let one = || Poly::new(vec![Integer::ONE]);
        by_squaring(f, exponent, one, |a, b| self.try_mul(a, b))
    }
}

/// The number of coefficients of a power.
fn power_len<E>(f: &Poly<E>, exponent: u64) -> u64 {
    let degree = f.degree().map_or(0, |degree| degree as u64);
    degree.saturating_mul(exponent).saturating_add(1)
}

/// Whether there is memory for so many things of so many bytes.
fn require(count: u64, bytes: u64) -> Result<(), PolyError> {
    Budget::system().require(count.saturating_mul(bytes))?;
    Ok(())
}

/// The power, from the highest bit of the exponent downward, so that `f`, which is short, is what is multiplied by.
fn by_squaring<E: Clone>(
    f: &Poly<E>,
    exponent: u64,
    one: impl FnOnce() -> Poly<E>,
    mul: impl Fn(&Poly<E>, &Poly<E>) -> Result<Poly<E>, PolyError>,
) -> Result<Poly<E>, PolyError> {
    let Some(highest) = exponent.checked_ilog2() else {
        return Ok(one());
    };
    let mut power = f.clone();
    for bit in (0..highest).rev() {
        // A product of a polynomial and itself is a squaring.
        power = mul(&power, &power)?;
        if exponent >> bit & 1 == 1 {
            power = mul(&power, f)?;
        }
    }
    Ok(power)
}
