//! Polynomials that are printed.

use std::fmt;
use std::io::Write;

use sunzi_integer::{Integer, Rational};
use sunzi_integer::{Multiplier, text::DecimalTables};

use super::write;
use crate::poly::Poly;

/// A coefficient that is written without its ring: an integer, a quotient of integers, or a residue of a word.
///
/// Residues modulo longer primes are written by their ring: [`PolyRing::bind`](crate::PolyRing::bind).
pub trait TextCoefficient: sealed::Sealed + Sync {
    /// Appends it in decimal.
    #[doc(hidden)]
    fn write(&self, multiplier: &Multiplier, tables: &DecimalTables, out: &mut Vec<u8>);
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for Integer {}

impl TextCoefficient for Integer {
    fn write(&self, multiplier: &Multiplier, tables: &DecimalTables, out: &mut Vec<u8>) {
        // Writing to memory has no errors.
        let _ = tables.format(multiplier, self, out);
    }
}

impl sealed::Sealed for Rational {}

impl TextCoefficient for Rational {
    fn write(&self, multiplier: &Multiplier, tables: &DecimalTables, out: &mut Vec<u8>) {
        self.numerator().write(multiplier, tables, out);
        if !self.denominator().is_one() {
            out.push(b'/');
            let denominator = Integer::from(self.denominator());
            denominator.write(multiplier, tables, out);
        }
    }
}

macro_rules! words_are_coefficients {
    ($($word:ty),*) => {$(
        impl sealed::Sealed for $word {}

        impl TextCoefficient for $word {
            fn write(&self, _: &Multiplier, _: &DecimalTables, out: &mut Vec<u8>) {
                // Writing to memory has no errors.
                let _ = write!(out, "{self}");
            }
        }
    )*};
}

words_are_coefficients!(u32, u64, i32, i64);

/// The highest power first, as [`FromStr`](std::str::FromStr) reads it; 0 for the zero polynomial.
///
/// ```
/// use sunzi::poly::Poly;
///
/// assert_eq!(Poly::new(vec![1, -2, 0, -1]).to_string(), "-x^3 - 2*x + 1");
/// assert_eq!(Poly::<u64>::zero().to_string(), "0");
/// ```
impl<E: TextCoefficient> fmt::Display for Poly<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_in("x").fmt(f)
    }
}

impl<E: TextCoefficient> Poly<E> {
    /// The polynomial with another name of the variable, to be printed.
    ///
    /// ```
    /// use sunzi::poly::Poly;
    ///
    /// let f = Poly::new(vec![0, 1, 5]);
    /// assert_eq!(format!("f(t) = {}", f.display_in("t")), "f(t) = 5*t^2 + t");
    /// ```
    pub fn display_in(&self, variable: &str) -> impl fmt::Display {
        displayed(move |out| {
            let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
            write::write(self.len(), variable, out, |degree, out| {
                self[degree].write(&multiplier, &tables, out);
            });
        })
    }
}

/// What prints as the text that `write` writes; width and alignment of the format are obeyed.
pub fn displayed(write: impl Fn(&mut Vec<u8>)) -> impl fmt::Display {
    Displayed(write)
}

struct Displayed<W>(W);

impl<W: Fn(&mut Vec<u8>)> fmt::Display for Displayed<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        self.0(&mut text);
        f.pad(&String::from_utf8_lossy(&text))
    }
}
