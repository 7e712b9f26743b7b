//! Division, contents and primitive parts over the integers.
//!
//! **Problem.** Z is no field: a divided by b has a quotient over Z only if b divides a, or if a is first
//! multiplied by a power of the leading coefficient l of b (D. Knuth, *The Art of Computer Programming 2*,
//! §4.6.1). **Algorithm.** Long division, one coefficient of the quotient after the other. In pseudo-division
//! every step multiplies what is left by l; a coefficient that no step has reached yet is instead multiplied
//! by the power of l that is due when the first one reaches it.

use sunzi_integer::{Integer, Natural};
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::look;

use super::IntegerPolyRing;
use super::flat::widest;
use crate::bits::{WORD, bit_length};
use crate::error::PolyError;
use crate::poly::{Poly, QuotientAndRemainder};

impl IntegerPolyRing {
    /// The pseudo-quotient q and the pseudo-remainder r of `a` by `b`: l^(deg a − deg b + 1)·a = q·b + r
    /// with deg r < deg b, where l is the leading coefficient of b. They are unique.
    ///
    /// If deg a < deg b, or a = 0, a is not multiplied: q = 0 and r = a. Takes
    /// O((deg a − deg b + 1)·(deg b + 1)) products of coefficients by those of b and by l, of integers that
    /// grow by the length of b's coefficients with each of the deg a − deg b + 1 steps.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect());
    /// let ring = IntegerPolyRing::new();
    /// let (q, r) = ring.pseudo_divrem(&poly(&[1, 0, 1]), &poly(&[1, 3]))?; // x² + 1 by 3x + 1
    /// assert_eq!((q, r), (poly(&[-1, 3]), poly(&[10]))); // 9x² + 9 = (3x − 1)·(3x + 1) + 10
    /// assert!(ring.pseudo_divrem(&poly(&[1]), &Poly::zero()).is_err());
    /// # Ok::<(), sunzi::poly::PolyError>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::DivisionByZero`]; [`PolyError::OutOfMemory`] if the powers of l would not fit, or once
    /// coefficients as long as those of the quotient so far would not.
    pub fn pseudo_divrem(
        &self,
        a: &Poly<Integer>,
        b: &Poly<Integer>,
    ) -> Result<QuotientAndRemainder<Integer>, PolyError> {
        let (leading, tail) = split_leading(b)?;
        if a.len() < b.len() {
            return Ok((Poly::zero(), a.clone()));
        }
        Budget::system().require(self.pseudo_divrem_bytes(a, b))?;
        let mut growth = Growth::of(a);
        let steps = a.len() - tail.len();
        let mut rest = a.coefficients().to_vec();
        let mut quotient = Vec::with_capacity(steps);
        // l to the number of steps done.
        let mut power = Integer::ONE;
        for low in (0..steps).rev() {
            look();
            // The first step reaches all but the `low` lowest coefficients, others one more each.
            if !power.is_one() {
                rest[low] *= &power;
            }
            // The leading coefficient of what is left, which this step removes.
            let top = rest.pop().unwrap_or_default();
            for (x, y) in rest[low..].iter_mut().zip(tail) {
                *x *= leading;
                if !top.is_zero() && !y.is_zero() {
                    *x -= &top * y;
                }
            }
            power *= leading;
            growth.require(&top)?;
            quotient.push(top);
        }
        quotient.reverse();
        // Every step after its own multiplies a coefficient of the quotient by l.
        let mut power = Integer::ONE;
        for coefficient in &mut quotient {
            if !coefficient.is_zero() {
                *coefficient *= &power;
            }
            power *= leading;
        }
        Ok((Poly::new(quotient), Poly::new(rest)))
    }

    /// About the bytes of pseudo-quotient and remainder, as far as they grow by powers of the divisor's leading coefficient.
    pub fn pseudo_divrem_bytes(&self, a: &Poly<Integer>, b: &Poly<Integer>) -> u64 {
        let (Some(leading), true) = (b.coefficients().last(), a.len() >= b.len()) else {
            return 0;
        };
        let steps = (a.len() - b.len() + 1) as u64;
        let bits_a = widest(a.coefficients()) as u64;
        // The power of ±1 does not grow; that of ±2 by a bit a step.
        let growth = (bits(leading) as u64).saturating_sub(1);
        let bits_remainder = steps.saturating_mul(growth).saturating_add(bits_a);
        // Coefficients of the quotient have powers from 0 to steps − 1.
        let bits_quotient = steps.saturating_mul(growth / 2).saturating_add(bits_a);
        let header = size_of::<Integer>() as u64;
        let bytes = |bits: u64| bits.div_ceil(WORD as u64).saturating_mul(8) + header;
        let remainder = (b.len() as u64).saturating_mul(bytes(bits_remainder));
        remainder.saturating_add(steps.saturating_mul(bytes(bits_quotient)))
    }

    /// q and r with a = q·b + r and deg r < deg b, for a divisor whose leading coefficient is 1 or −1: others leave no remainder over Z
    /// ([`IntegerPolyRing::pseudo_divrem`]).
    ///
    /// Takes O((deg a − deg b + 1)·(deg b + 1)) products of coefficients.
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let (a, b) = ("x^2 + 1".parse()?, "3 - x".parse()?);
    /// let (q, r) = IntegerPolyRing::new().divrem(&a, &b)?;
    /// assert_eq!((q.to_string(), r.to_string()), ("-x - 3".into(), "10".into()));
    /// assert!(IntegerPolyRing::new().divrem(&a, &(2 * b)).is_err());
    /// # Ok::<(), sunzi::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::NotMonic`]; else as [`IntegerPolyRing::pseudo_divrem`].
    pub fn divrem(
        &self,
        a: &Poly<Integer>,
        b: &Poly<Integer>,
    ) -> Result<QuotientAndRemainder<Integer>, PolyError> {
        let (leading, _) = split_leading(b)?;
        if !leading.magnitude().is_one() {
            return Err(PolyError::NotMonic);
        }
        if leading.is_positive() {
            return self.pseudo_divrem(a, b);
        }
        let (quotient, remainder) = self.pseudo_divrem(a, &-b)?;
        Ok((-quotient, remainder))
    }

    /// The quotient of `a` by `b`, which divides it over Z: the quotient has integral coefficients.
    ///
    /// Takes O((deg a − deg b + 1)·(deg b + 1)) products of coefficients; gives up at the first coefficient
    /// of the quotient that is no integer, or longer than those of any factor of a can be.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect());
    /// let ring = IntegerPolyRing::new();
    /// let a = poly(&[-2, 0, 2]); // 2x² − 2
    /// assert_eq!(ring.div_exact(&a, &poly(&[1, 1]))?, poly(&[-2, 2]));
    /// assert!(ring.div_exact(&a, &poly(&[4, 4])).is_err()); // only over the rational numbers
    /// # Ok::<(), sunzi::poly::PolyError>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::DivisionByZero`]; [`PolyError::Inexact`] if b does not divide a over Z.
    pub fn div_exact(
        &self,
        a: &Poly<Integer>,
        b: &Poly<Integer>,
    ) -> Result<Poly<Integer>, PolyError> {
        let (leading, tail) = split_leading(b)?;
        let (Some(dividend), Some(divisor)) = (a.degree(), b.degree()) else {
            return Ok(Poly::zero());
        };
        let inexact = PolyError::Inexact { dividend, divisor };
        if dividend < divisor {
            return Err(inexact);
        }
        let longest = factor_bits(a, dividend - divisor);
        let mut rest = a.coefficients().to_vec();
        let mut quotient = Vec::with_capacity(dividend - divisor + 1);
        for low in (0..=dividend - divisor).rev() {
            look();
            let top = rest.pop().unwrap_or_default();
            if !top.is_zero() {
                let (coefficient, remainder) = top.div_rem(leading);
                if !remainder.is_zero() || bits(&coefficient) > longest {
                    return Err(inexact);
                }
                for (x, y) in rest[low..].iter_mut().zip(tail) {
                    if !y.is_zero() {
                        *x -= &coefficient * y;
                    }
                }
                quotient.push(coefficient);
            } else {
                quotient.push(top);
            }
        }
        if rest.iter().any(|x| !x.is_zero()) {
            return Err(inexact);
        }
        quotient.reverse();
        Ok(Poly::new(quotient))
    }

    /// The content of `a`: the greatest common divisor of its coefficients, which is not negative; 0 if
    /// a = 0.
    ///
    /// Takes one greatest common divisor of integers for each coefficient, from the shortest one on, until
    /// it is 1.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let ring = IntegerPolyRing::new();
    /// let a = Poly::new([6, 0, -4].map(Integer::from).to_vec());
    /// assert_eq!(ring.content(&a), Integer::from(2));
    /// assert_eq!(ring.content(&Poly::zero()), Integer::ZERO);
    /// ```
    pub fn content(&self, a: &Poly<Integer>) -> Integer {
        let coefficients = a.coefficients().iter().filter(|x| !x.is_zero());
        // The content is no longer than the shortest coefficient.
        let Some(shortest) = coefficients.clone().min_by_key(|x| x.bit_len()) else {
            return Integer::ZERO;
        };
        let mut content: Natural = shortest.magnitude().clone();
        for coefficient in coefficients {
            if content.is_one() {
                break;
            }
            content = content.gcd(coefficient.magnitude());
        }
        Integer::from(content)
    }

    /// The primitive part of `a`: its quotient by its content, whose coefficients have no common divisor.
    ///
    /// It keeps the sign of a, so that a is the product of [`IntegerPolyRing::content`] and its primitive
    /// part; that of −a is the negative. The primitive part of 0 is 0. Takes as long as the content, and a
    /// division of each coefficient.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let ring = IntegerPolyRing::new();
    /// let a = Poly::new([6, 0, -4].map(Integer::from).to_vec());
    /// assert_eq!(ring.primitive_part(&a).coefficients(), [3, 0, -2].map(Integer::from));
    /// ```
    pub fn primitive_part(&self, a: &Poly<Integer>) -> Poly<Integer> {
        let content = self.content(a);
        if content.is_zero() || content.is_one() {
            return a.clone();
        }
        Poly::new(a.coefficients().iter().map(|x| x / &content).collect())
    }
}

/// The leading coefficient, and the others.
fn split_leading(b: &Poly<Integer>) -> Result<(&Integer, &[Integer]), PolyError> {
    b.coefficients()
        .split_last()
        .ok_or(PolyError::DivisionByZero)
}

/// The bits of an integer's magnitude.
fn bits(x: &Integer) -> usize {
    widest(std::slice::from_ref(x))
}

/// Bits that the coefficients of no factor of `a` over Z, of this degree d, exceed: they are at most 2^d times
/// the Euclidean norm of a (M. Mignotte, *An inequality about factors of polynomials*, 1974).
fn factor_bits(a: &Poly<Integer>, degree: usize) -> usize {
    let norm = widest(a.coefficients()) + bit_length(a.len() as u64).div_ceil(2);
    norm.saturating_add(degree)
}

/// How long coefficients have become that grow as they are computed, and how many there are.
struct Growth {
    count: u64,
    bits: usize,
}

impl Growth {
    fn of(a: &Poly<Integer>) -> Self {
        Self {
            count: a.len() as u64,
            bits: widest(a.coefficients()).max(WORD),
        }
    }

    /// Whether the machine has the memory for all to become as long as `x`: asked whenever the length has
    /// doubled.
    fn require(&mut self, x: &Integer) -> Result<(), PolyError> {
        let bits = bits(x);
        if bits > self.bits.saturating_mul(2) {
            self.bits = bits;
            Budget::system().require(self.count.saturating_mul(bits as u64 / 8))?;
        }
        Ok(())
    }
}
