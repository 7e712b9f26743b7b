//! What takes linear time over Z: sums, differences, negatives, derivatives, reversals.

use dashu_int::IBig;

use super::IntegerPolyRing;
use crate::poly::Poly;

impl IntegerPolyRing {
    /// `a + b`, in linear time.
    ///
    /// ```
    /// use sunzi_poly::{IntegerPolyRing, Poly};
    ///
    /// let (a, b) = ("x^2 + 2*x".parse()?, "-x^2 + 3".parse()?);
    /// assert_eq!(IntegerPolyRing::new().add(&a, &b).to_string(), "2*x + 3");
    /// # Ok::<(), sunzi_poly::ParsePolyError>(())
    /// ```
    pub fn add(&self, a: &Poly<IBig>, b: &Poly<IBig>) -> Poly<IBig> {
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let mut sum = long.coefficients().to_vec();
        for (x, y) in sum.iter_mut().zip(short.coefficients()) {
            *x += y;
        }
        Poly::new(sum)
    }

    /// `a − b`, in linear time.
    ///
    /// ```
    /// use sunzi_poly::{IntegerPolyRing, Poly};
    ///
    /// let (a, b) = ("x + 1".parse()?, "x^3 - 1".parse()?);
    /// assert_eq!(IntegerPolyRing::new().sub(&a, &b).to_string(), "-x^3 + x + 2");
    /// # Ok::<(), sunzi_poly::ParsePolyError>(())
    /// ```
    pub fn sub(&self, a: &Poly<IBig>, b: &Poly<IBig>) -> Poly<IBig> {
        let mut difference = a.coefficients().to_vec();
        difference.resize(a.len().max(b.len()), IBig::ZERO);
        for (x, y) in difference.iter_mut().zip(b.coefficients()) {
            *x -= y;
        }
        Poly::new(difference)
    }

    /// `−f`, in linear time.
    ///
    /// ```
    /// use sunzi_poly::{IntegerPolyRing, Poly};
    ///
    /// let f = "x - 1".parse()?;
    /// assert_eq!(IntegerPolyRing::new().neg(&f).to_string(), "-x + 1");
    /// # Ok::<(), sunzi_poly::ParsePolyError>(())
    /// ```
    pub fn neg(&self, f: &Poly<IBig>) -> Poly<IBig> {
        Poly::new(f.coefficients().iter().map(|x| -x).collect())
    }

    /// The derivative of `f`, in linear time.
    ///
    /// ```
    /// use sunzi_poly::{IntegerPolyRing, Poly};
    ///
    /// let f = "x^3 - 2*x + 5".parse()?;
    /// assert_eq!(IntegerPolyRing::new().derivative(&f).to_string(), "3*x^2 - 2");
    /// # Ok::<(), sunzi_poly::ParsePolyError>(())
    /// ```
    pub fn derivative(&self, f: &Poly<IBig>) -> Poly<IBig> {
        let terms = (1u64..).zip(f.coefficients().iter().skip(1));
        Poly::new(terms.map(|(power, x)| x * IBig::from(power)).collect())
    }

    /// `x^n · f(1/x)` for the degree n of `f`: its coefficients in the opposite order, in linear time.
    ///
    /// ```
    /// use sunzi_poly::{IntegerPolyRing, Poly};
    ///
    /// let f = "x^3 - 2*x".parse()?;
    /// assert_eq!(IntegerPolyRing::new().reverse(&f).to_string(), "-2*x^2 + 1");
    /// # Ok::<(), sunzi_poly::ParsePolyError>(())
    /// ```
    pub fn reverse(&self, f: &Poly<IBig>) -> Poly<IBig> {
        Poly::new(f.coefficients().iter().rev().cloned().collect())
    }
}
