//! What takes linear time over Z: sums, differences, negatives, derivatives, reversals.

use sunzi_integer::Integer;

use super::IntegerPolyRing;
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
}
