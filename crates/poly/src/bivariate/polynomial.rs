//! Dense polynomials in two variables as plain data.

use std::fmt;
use std::str::FromStr;

use crate::text::{TwoVariables, displayed, write_two};
use crate::{ParsePolyError, ParsePolyProblem, Poly, TextCoefficient};
use sunzi_field::expression::syntax::{self, Dialect};
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_integer::{Multiplier, text::DecimalTables};

/// A polynomial in x and y by its coefficients as a polynomial in y: polynomials in x, from the constant term upward, without
/// trailing zeros.
///
/// Like [`Poly`] it does not know its ring.
///
/// ```
/// use sunzi::poly::Poly;
/// use sunzi::solve::BivariatePoly;
///
/// // 3x² + 5xy, one row a power of y.
/// let f = BivariatePoly::new(vec![Poly::new(vec![0, 0, 3]), Poly::new(vec![0, 5])]);
/// assert_eq!((f.degree_x(), f.degree_y(), f.total_degree()), (Some(2), Some(1), Some(2)));
/// assert_eq!(f.swapped().row(1), Some(&Poly::new(vec![0, 5])));
/// assert_eq!(f.to_string(), "3*x^2 + 5*x*y");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BivariatePoly<E> {
    rows: Vec<Poly<E>>,
}

impl<E> BivariatePoly<E> {
    /// The polynomial Σ `rows[j]`(x)·y^j; zero rows at the end are dropped.
    pub fn new(mut rows: Vec<Poly<E>>) -> Self {
        while rows.last().is_some_and(Poly::is_zero) {
            rows.pop();
        }
        Self { rows }
    }

    /// The zero polynomial.
    pub const fn zero() -> Self {
        Self { rows: Vec::new() }
    }

    /// Whether this is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.rows.is_empty()
    }

    /// The coefficients of y⁰, y¹, …; the last one is not zero.
    pub fn rows(&self) -> &[Poly<E>] {
        &self.rows
    }

    /// The coefficients of y⁰, y¹, …, owned.
    pub fn into_rows(self) -> Vec<Poly<E>> {
        self.rows
    }

    /// The coefficient of y^`power`; `None` above the degree.
    pub fn row(&self, power: usize) -> Option<&Poly<E>> {
        self.rows.get(power)
    }

    /// The leading coefficient as a polynomial in y; `None` for zero.
    pub fn leading_row(&self) -> Option<&Poly<E>> {
        self.rows.last()
    }

    /// The degree in x, or `None` for zero.
    pub fn degree_x(&self) -> Option<usize> {
        self.rows.iter().filter_map(Poly::degree).max()
    }

    /// The degree in y, or `None` for zero.
    pub fn degree_y(&self) -> Option<usize> {
        self.rows.len().checked_sub(1)
    }

    /// The greatest sum of both degrees of a term, or `None` for zero.
    pub fn total_degree(&self) -> Option<usize> {
        let of_row = |(j, row): (usize, &Poly<E>)| Some(row.degree()? + j);
        self.rows.iter().enumerate().filter_map(of_row).max()
    }
}

impl<E: Clone + Default + PartialEq> BivariatePoly<E> {
    /// The polynomial with x and y exchanged.
    pub fn swapped(&self) -> Self {
        let columns = self.rows.iter().map(Poly::len).max().unwrap_or(0);
        let column = |i: usize| -> Poly<E> {
            let entry = |row: &Poly<E>| row.coefficients().get(i).cloned().unwrap_or_default();
            Poly::new(self.rows.iter().map(entry).collect())
        };
        Self::new((0..columns).map(column).collect())
    }
}

impl<E> BivariatePoly<E> {
    /// The polynomial whose coefficients are the images of these, such as residues.
    pub fn map<T: Default + PartialEq>(&self, image: impl Fn(&E) -> T) -> BivariatePoly<T> {
        let row = |row: &Poly<E>| Poly::new(row.coefficients().iter().map(&image).collect());
        BivariatePoly::new(self.rows.iter().map(row).collect())
    }
}

impl BivariatePoly<Integer> {
    /// The coefficient of the highest power of x in that of the highest power of y; 0 for 0.
    pub fn leading(&self) -> Integer {
        let last = self.leading_row().and_then(|row| row.coefficients().last());
        last.cloned().unwrap_or_default()
    }

    pub(super) fn coefficients(&self) -> impl Iterator<Item = &Integer> {
        self.rows.iter().flat_map(Poly::coefficients)
    }

    /// The greatest common divisor of all coefficients; 0 for 0.
    pub fn content(&self) -> Integer {
        let mut content = Natural::ZERO;
        for coefficient in self.coefficients().filter(|c| !c.is_zero()) {
            content = content.gcd(coefficient.magnitude());
            if content.is_one() {
                break;
            }
        }
        Integer::from(content)
    }

    /// The polynomial by a divisor of all its coefficients, which is not 0.
    ///
    /// # Panics
    /// If the divisor is 0, as the division of integers does.
    #[must_use]
    pub fn divided_by(&self, divisor: &Integer) -> Self {
        match divisor.is_one() {
            true => self.clone(),
            false => self.map(|c| c / divisor),
        }
    }
}

impl<E> Default for BivariatePoly<E> {
    fn default() -> Self {
        Self::zero()
    }
}

/// What to write where no expression stands.
const HINT: &str = "write a sum of terms such as 3*x^2*y - 2*y + 1";

impl FromStr for BivariatePoly<Integer> {
    type Err = ParsePolyError;

    /// The polynomial that an expression in x and y stands for, written as one in x alone is; numbers may also be divided, as
    /// long as all coefficients are integers in the end.
    ///
    /// # Errors
    /// If `text` is no such expression, if its degree in x or y is above 2^16, if it takes too much work or memory to
    /// expand, if a coefficient is no integer.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::solve::BivariatePoly;
    ///
    /// let f: BivariatePoly<Integer> = "(x + y)^2 - 2xy - 1".parse()?;
    /// assert_eq!(f.to_string(), "x^2 + y^2 - 1");
    /// let error = "x/2 - y/3".parse::<BivariatePoly<Integer>>().unwrap_err();
    /// assert!(error.to_string().ends_with("multiply the polynomial by 6"));
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ParsePolyError> {
        let TwoVariables { rows, denominator } = read(text)?;
        match denominator == Integer::ONE {
            true => Ok(Self::new(rows.into_iter().map(Poly::new).collect())),
            false => Err(ParsePolyError {
                offset: 0,
                problem: ParsePolyProblem::NotInteger {
                    denominator: Box::new(denominator),
                },
            }),
        }
    }
}

impl FromStr for BivariatePoly<Rational> {
    type Err = ParsePolyError;

    /// The same with any quotients as coefficients.
    ///
    /// # Errors
    /// As for integers, but for the last one.
    ///
    /// ```
    /// use sunzi::Rational;
    /// use sunzi::solve::BivariatePoly;
    ///
    /// let f: BivariatePoly<Rational> = "x/2 - 2/6*y".parse()?;
    /// assert_eq!(f.to_string(), "1/2*x - 1/3*y");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ParsePolyError> {
        let TwoVariables { rows, denominator } = read(text)?;
        let denominator = Rational::from(denominator);
        let rows = rows.into_iter().map(|row| {
            let quotients = row
                .into_iter()
                .map(|value| Rational::from(value) / &denominator);
            Poly::new(quotients.collect())
        });
        Ok(Self::new(rows.collect()))
    }
}

/// The polynomial that an expression in x and y stands for.
fn read(text: &str) -> Result<TwoVariables, ParsePolyError> {
    let text = text.as_bytes();
    let dialect = Dialect::Quotients(&["x", "y"]);
    let tree = syntax::parse(text, dialect).map_err(|offset| ParsePolyError {
        offset,
        problem: ParsePolyProblem::at(text, offset, HINT),
    })?;
    TwoVariables::expand(&tree, text.len(), &Multiplier::new(), &DecimalTables::new())
}

/// Terms by their degrees, the highest first, then by powers of x; 0 for the zero polynomial.
impl<E: TextCoefficient> fmt::Display for BivariatePoly<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_in(["x", "y"]).fmt(f)
    }
}

impl<E: TextCoefficient> BivariatePoly<E> {
    /// The polynomial with other names of x and y, to be printed.
    ///
    /// ```
    /// use sunzi::poly::Poly;
    /// use sunzi::solve::BivariatePoly;
    ///
    /// let f = BivariatePoly::new(vec![Poly::new(vec![1, -1]), Poly::zero(), Poly::new(vec![1])]);
    /// assert_eq!(f.display_in(["s", "t"]).to_string(), "t^2 - s + 1");
    /// assert_eq!(BivariatePoly::<u64>::zero().to_string(), "0");
    /// ```
    pub fn display_in(&self, variables: [&str; 2]) -> impl fmt::Display {
        displayed(move |out| {
            let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
            let lengths = self.rows.iter().map(Poly::len);
            write_two(lengths, variables, out, |[row, place], out| {
                self.rows[row][place].write(&multiplier, &tables, out);
            });
        })
    }
}
