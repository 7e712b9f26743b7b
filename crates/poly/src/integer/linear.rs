//! What takes linear time over Z: sums, differences, negatives, derivatives, reversals, powers of x.

use sunzi_integer::Integer;
use sunzi_machine::memory::Budget;

use super::IntegerPolyRing;
use crate::error::PolyError;
use crate::poly::Poly;
use crate::termwise;

impl IntegerPolyRing {
    /// `a + b`, in linear time.
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let (a, b) = ("x^2 + 2*x".parse()?, "-x^2 + 3".parse()?);
    /// assert_eq!(IntegerPolyRing::new().add(&a, &b).to_string(), "2*x + 3");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    pub fn add(&self, a: &Poly<Integer>, b: &Poly<Integer>) -> Poly<Integer> {
        termwise::sum(a, b)
    }

    /// `a − b`, in linear time.
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let (a, b) = ("x + 1".parse()?, "x^3 - 1".parse()?);
    /// assert_eq!(IntegerPolyRing::new().sub(&a, &b).to_string(), "-x^3 + x + 2");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    pub fn sub(&self, a: &Poly<Integer>, b: &Poly<Integer>) -> Poly<Integer> {
        termwise::difference(a, b)
    }

    /// `−f`, in linear time.
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let f = "x - 1".parse()?;
    /// assert_eq!(IntegerPolyRing::new().neg(&f).to_string(), "-x + 1");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    pub fn neg(&self, f: &Poly<Integer>) -> Poly<Integer> {
        termwise::negative(f)
    }

    /// The derivative of `f`, in linear time.
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let f = "x^3 - 2*x + 5".parse()?;
    /// assert_eq!(IntegerPolyRing::new().derivative(&f).to_string(), "3*x^2 - 2");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    pub fn derivative(&self, f: &Poly<Integer>) -> Poly<Integer> {
        let terms = (1u64..).zip(f.coefficients().iter().skip(1));
        Poly::new(terms.map(|(power, x)| x * Integer::from(power)).collect())
    }

    /// `x^n · f(1/x)` for the degree n of `f`: its coefficients in the opposite order, in linear time.
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let f = "x^3 - 2*x".parse()?;
    /// assert_eq!(IntegerPolyRing::new().reverse(&f).to_string(), "-2*x^2 + 1");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    pub fn reverse(&self, f: &Poly<Integer>) -> Poly<Integer> {
        Poly::new(f.coefficients().iter().rev().cloned().collect())
    }

    /// `f` modulo x^n.
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let f = "x^3 - 2*x + 5".parse()?;
    /// assert_eq!(IntegerPolyRing::new().truncate(&f, 2).to_string(), "-2*x + 5");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    pub fn truncate(&self, f: &Poly<Integer>, n: usize) -> Poly<Integer> {
        Poly::new(f.coefficients().iter().take(n).cloned().collect())
    }

    /// `f·x^k`.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    ///
    /// ```
    /// use sunzi::poly::{IntegerPolyRing, Poly};
    ///
    /// let (ring, f) = (IntegerPolyRing::new(), "x - 2".parse()?);
    /// let moved = ring.mul_power_of_x(&f, 3)?;
    /// assert_eq!(moved.to_string(), "x^4 - 2*x^3");
    /// assert_eq!(ring.div_power_of_x(&moved, 4).to_string(), "1");
    /// # Ok::<(), sunzi::Error>(())
    /// ```
    pub fn mul_power_of_x(&self, f: &Poly<Integer>, k: usize) -> Result<Poly<Integer>, PolyError> {
        if f.is_zero() {
            return Ok(Poly::zero());
        }
        let count = (k as u64).saturating_add(f.len() as u64);
        Budget::system().require(count.saturating_mul(size_of::<Integer>() as u64))?;
        let zeros = std::iter::repeat_n(Integer::ZERO, k);
        Ok(Poly::new(
            zeros.chain(f.coefficients().iter().cloned()).collect(),
        ))
    }

    /// The quotient of `f` by x^k.
    pub fn div_power_of_x(&self, f: &Poly<Integer>, k: usize) -> Poly<Integer> {
        Poly::new(f.coefficients().iter().skip(k).cloned().collect())
    }
}
