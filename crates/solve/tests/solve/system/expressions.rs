//! Polynomials in x and y as one writes them.

use std::collections::BTreeMap;
use std::ops::{Add, Mul, Neg, Sub};

use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, Poly};

/// A sum of terms c·xⁱ·yʲ, by (i, j).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expression(BTreeMap<(usize, usize), Integer>);

/// The first variable.
pub fn x() -> Expression {
    Expression(BTreeMap::from([((1, 0), Integer::ONE)]))
}

/// The second variable.
pub fn y() -> Expression {
    Expression(BTreeMap::from([((0, 1), Integer::ONE)]))
}

/// A constant.
pub fn c(value: impl Into<Integer>) -> Expression {
    Expression(BTreeMap::from([((0, 0), value.into())]))
}

impl Expression {
    pub fn pow(&self, exponent: usize) -> Self {
        (0..exponent).fold(c(1), |power, _| power * self.clone())
    }

    /// The derivative by y.
    pub fn by_y(&self) -> Self {
        let terms = self.0.iter().filter(|((_, j), _)| *j > 0);
        Self(
            terms
                .map(|(&(i, j), c)| ((i, j - 1), c * Integer::from(j)))
                .collect(),
        )
    }

    /// With other expressions in the place of x and y.
    pub fn at(&self, x: &Self, y: &Self) -> Self {
        let terms = self.0.iter();
        terms.fold(c(0), |sum, (&(i, j), value)| {
            sum + x.pow(i) * y.pow(j) * c(value.clone())
        })
    }

    pub fn poly(&self) -> BivariatePoly<Integer> {
        let mut rows: Vec<Vec<Integer>> = Vec::new();
        for (&(i, j), value) in &self.0 {
            rows.resize(rows.len().max(j + 1), Vec::new());
            let len = rows[j].len().max(i + 1);
            rows[j].resize(len, Integer::ZERO);
            rows[j][i] = value.clone();
        }
        BivariatePoly::new(rows.into_iter().map(Poly::new).collect())
    }
}

impl Add for Expression {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        for (power, value) in other.0 {
            *self.0.entry(power).or_default() += value;
        }
        self.0.retain(|_, value| !value.is_zero());
        self
    }
}

impl Neg for Expression {
    type Output = Self;

    fn neg(self) -> Self {
        Self(
            self.0
                .into_iter()
                .map(|(power, value)| (power, -value))
                .collect(),
        )
    }
}

impl Sub for Expression {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Expression {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let mut product = Self::default();
        for (&(i, j), a) in &self.0 {
            for (&(k, l), b) in &other.0 {
                *product.0.entry((i + k, j + l)).or_default() += a * b;
            }
        }
        product.0.retain(|_, value| !value.is_zero());
        product
    }
}
