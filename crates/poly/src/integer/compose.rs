//! Composition over Z: f(g(x)), and the shift of the variable, f(x + a).
//!
//! **Problem.** f(g) for f of degree n and g of degree m. **Bound.** The coefficients of g^i are at most ‖g‖₁^i, so those of f(g)
//! are at most (n + 1)·max|f_i|·max(1, ‖g‖₁)^n. **Algorithm.** Divide and conquer: f(g) = low(g) + g^k·high(g) for the lower k
//! coefficients of f and the higher ones, k a power of two (W. Hart, A. Novocin, *Practical divide-and-conquer algorithms for
//! polynomial arithmetic*, 2011; for shifts J. von zur Gathen, J. Gerhard, *Fast algorithms for Taylor shifts and certain difference
//! equations*, 1997, method E). **Floor.** Lengths and bits double from level to level: log₂ n times a product of as many bits as
//! the result has.

use sunzi_integer::{Integer, Natural};
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::Threads;

use super::IntegerPolyRing;
use super::flat::widest;
use super::plan::Sizes;
use crate::bits::{WORD, bit_length};
use crate::error::PolyError;
use crate::plan::{Algorithm, Reason};
use crate::poly::Poly;

/// Coefficients of a half from which on the halves are given to different threads.
const PARALLEL: usize = 1 << 6;

/// Steps of a bit in which logarithms are counted.
const STEPS: u64 = 16;

/// Bits that no memory holds, from which on plans of products are not asked: their sizes must not exceed a word.
const MOST_BITS: u64 = 1 << 48;

impl IntegerPolyRing {
    /// `f(g(x))`.
    ///
    /// Takes O(log n) times the product of integers of as many bits as the result can have, (n·m + 1)·(bits_f + n·log₂‖g‖₁) for f
    /// of degree n and g of degree m.
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let (f, g) = ("x^2 - 2".parse()?, "x^2 + x".parse()?);
    /// let composed = IntegerPolyRing::new().compose(&f, &g)?;
    /// assert_eq!(composed.to_string(), "x^4 + 2*x^3 + x^2 - 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory, before anything starts.
    pub fn compose(
        &self,
        f: &Poly<Integer>,
        g: &Poly<Integer>,
    ) -> Result<Poly<Integer>, PolyError> {
        if f.len() <= 1 {
            return Ok(f.clone());
        }
        Budget::system().require(self.compose_bytes(f, g))?;
        let mut powers = vec![g.clone()];
        while f.len() > 1 << powers.len() {
            let last = &powers[powers.len() - 1];
            powers.push(self.try_mul(last, last)?);
        }
        self.composed(f.coefficients(), &powers)
    }

    /// About the bytes that [`compose`](Self::compose) takes beside its operands, the result included.
    pub fn compose_bytes(&self, f: &Poly<Integer>, g: &Poly<Integer>) -> u64 {
        let degree = f.degree().unwrap_or(0) as u64;
        let sums = bit_length(f.len() as u64) as u64 + widest(f.coefficients()) as u64;
        let bits = power_bits(g, degree).saturating_add(sums);
        // The powers of g take as much as the last one has, once more; and so do the halves that meet.
        product_bytes(self, degree, g, bits).saturating_mul(2)
    }

    /// `f(x + a)`.
    ///
    /// Takes as long as [`compose`](Self::compose) with x + a.
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let f = "x^2".parse()?;
    /// let shifted = IntegerPolyRing::new().taylor_shift(&f, &(-3).into())?;
    /// assert_eq!(shifted.to_string(), "x^2 - 6*x + 9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`compose`](Self::compose).
    pub fn taylor_shift(&self, f: &Poly<Integer>, a: &Integer) -> Result<Poly<Integer>, PolyError> {
        self.compose(f, &shifted_variable(a))
    }

    /// About the bytes that [`taylor_shift`](Self::taylor_shift) takes beside its operands, the result included.
    pub fn taylor_shift_bytes(&self, f: &Poly<Integer>, a: &Integer) -> u64 {
        self.compose_bytes(f, &shifted_variable(a))
    }

    /// About the bytes that [`pow`](Self::pow) takes beside its operand, the power included.
    pub fn pow_bytes(&self, f: &Poly<Integer>, exponent: u64) -> u64 {
        product_bytes(self, exponent, f, power_bits(f, exponent))
    }

    /// f(g) by the powers g, g², g⁴ … below the number of coefficients of f.
    fn composed(
        &self,
        f: &[Integer],
        powers: &[Poly<Integer>],
    ) -> Result<Poly<Integer>, PolyError> {
        if f.len() <= 1 {
            return Ok(Poly::new(f.to_vec()));
        }
        let level = (f.len() - 1).ilog2() as usize;
        let (low, high) = f.split_at(1 << level);
        let (low, high) = Threads::when(low.len() >= PARALLEL).join(
            || self.composed(low, powers),
            || self.composed(high, powers),
        );
        let high = self.try_mul(&high?, &powers[level])?;
        Ok(self.add(&low?, &high))
    }
}

/// x + a.
fn shifted_variable(a: &Integer) -> Poly<Integer> {
    Poly::new(vec![a.clone(), Integer::ONE])
}

/// Bits that the coefficients of a power do not exceed: they are at most ‖f‖₁^exponent.
fn power_bits(f: &Poly<Integer>, exponent: u64) -> u64 {
    let norm: Natural = f.coefficients().iter().map(Integer::magnitude).sum();
    if norm.is_zero() || norm.is_one() {
        return 1;
    }
    // The highest bits tell it, rounded upward.
    let shift = norm.bit_len().saturating_sub(WORD);
    let top = (norm >> shift) + u8::from(shift > 0);
    let steps = (top.pow(STEPS as usize).bit_len() as u64).saturating_add(STEPS * shift as u64);
    steps.saturating_mul(exponent).div_ceil(STEPS)
}

/// About the bytes of the last product on the way to a power of `f`, or to as long a polynomial, whose coefficients have this many bits
/// at most: of two factors that have half of its length and of its bits.
fn product_bytes(ring: &IntegerPolyRing, exponent: u64, f: &Poly<Integer>, bits: u64) -> u64 {
    let degree = f.degree().unwrap_or(0) as u64;
    let len = degree.saturating_mul(exponent).saturating_add(1);
    if len.saturating_mul(bits) >= MOST_BITS {
        return u64::MAX;
    }
    let (len, bits) = (len as usize, bits as usize);
    let sizes = Sizes {
        len_a: len / 2 + 1,
        len_b: len / 2 + 1,
        bits_a: bits / 2 + 1,
        bits_b: bits / 2 + 1,
    };
    sizes
        .plan(Algorithm::Kronecker, Reason::OnlyOne, &ring.multiplier)
        .bytes
}
