//! Matrices over Z and Q: sums, differences, products by operators, and what they are asked for most.

use super::exact::{RationalElimination, integer_product};
use super::integer::integer_determinant;
use super::matrix::DenseMatrix;
use super::rational::rational_determinant;
use super::reduced::Solution;
use crate::error::MatrixError;
use std::borrow::Cow;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use sunzi_integer::{Integer, Rational};

/// Entries whose type says their ring, so that matrices of them have operators and methods: [`Integer`] and [`Rational`].
///
/// `+`, `-` and `*` work by value and by reference, `*` with a number on either side, too. They panic if the shapes do not fit, or if
/// there is too little memory; [`DenseMatrix::try_mul`] returns an error instead.
///
/// ```
/// use sunzi::{Integer, Rational};
/// use sunzi::matrix::DenseMatrix;
///
/// let a: DenseMatrix<Integer> = "[[1, 2], [3, 4]]".parse()?;
/// assert_eq!((&a * &a - &a * 5).to_string(), "[[2, 0], [0, 2]]");
/// assert_eq!(a.determinant()?, -2);
/// assert_eq!(a.inverse()?.to_string(), "[[-2, 1], [3/2, -1/2]]");
///
/// let b: DenseMatrix<Rational> = "[1/2; 1]".parse()?;
/// assert_eq!(DenseMatrix::<Rational>::from(&a).solve(&b)?.matrix.to_string(), "[[0], [1/4]]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ExactEntry: sealed::Sealed + Clone + From<i64> {
    /// The sum of two entries.
    #[doc(hidden)]
    fn sum(a: &Self, b: &Self) -> Self;

    /// The difference of two entries.
    #[doc(hidden)]
    fn difference(a: &Self, b: &Self) -> Self;

    /// The product of two entries.
    #[doc(hidden)]
    fn times(a: &Self, b: &Self) -> Self;

    /// The negative of an entry.
    #[doc(hidden)]
    fn negative(a: &Self) -> Self;

    /// The determinant.
    #[doc(hidden)]
    fn determinant(matrix: &DenseMatrix<Self>) -> Result<Self, MatrixError>;

    /// The product.
    #[doc(hidden)]
    fn product(
        a: &DenseMatrix<Self>,
        b: &DenseMatrix<Self>,
    ) -> Result<DenseMatrix<Self>, MatrixError>;

    /// The same over Q.
    #[doc(hidden)]
    fn rational(matrix: &DenseMatrix<Self>) -> Cow<'_, DenseMatrix<Rational>>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! exact_entry {
    ($E:ty: $determinant:path, $product:expr, $rational:expr) => {
        impl sealed::Sealed for $E {}

        impl ExactEntry for $E {
            fn sum(a: &Self, b: &Self) -> Self {
                a + b
            }

            fn difference(a: &Self, b: &Self) -> Self {
                a - b
            }

            fn times(a: &Self, b: &Self) -> Self {
                a * b
            }

            fn negative(a: &Self) -> Self {
                -a
            }

            fn determinant(matrix: &DenseMatrix<Self>) -> Result<Self, MatrixError> {
                $determinant(matrix)
            }

            fn product(
                a: &DenseMatrix<Self>,
                b: &DenseMatrix<Self>,
            ) -> Result<DenseMatrix<Self>, MatrixError> {
                $product(a, b)
            }

            fn rational(matrix: &DenseMatrix<Self>) -> Cow<'_, DenseMatrix<Rational>> {
                $rational(matrix)
            }
        }

        impl Mul<&DenseMatrix<$E>> for $E {
            type Output = DenseMatrix<$E>;

            fn mul(self, matrix: &DenseMatrix<$E>) -> DenseMatrix<$E> {
                matrix * self
            }
        }

        impl Mul<DenseMatrix<$E>> for $E {
            type Output = DenseMatrix<$E>;

            fn mul(self, matrix: DenseMatrix<$E>) -> DenseMatrix<$E> {
                &matrix * self
            }
        }
    };
}

exact_entry!(Integer: integer_determinant, integer_product, |matrix: &DenseMatrix<Integer>| {
    Cow::Owned(matrix.map(|entry| Rational::from(entry)))
});
exact_entry!(
    Rational: rational_determinant,
    |a, b| RationalElimination::new().product(a, b),
    Cow::Borrowed
);

impl<E: ExactEntry> DenseMatrix<E> {
    /// The identity of this order.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// # use sunzi::matrix::DenseMatrix;
    /// assert_eq!(DenseMatrix::<Integer>::identity(2).to_string(), "[[1, 0], [0, 1]]");
    /// ```
    pub fn identity(order: usize) -> Self {
        Self::from_fn(order, order, |i, j| E::from(i64::from(i == j)))
    }

    /// The determinant, proved; 1 of a matrix without rows. Entries of b bits in n rows take about n³·B/90 products of words, with
    /// B = n·(b + log₂(n)/2); from middle orders on n²·B/5. [`IntegerDeterminant`](super::IntegerDeterminant) offers a choice of methods.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`].
    pub fn determinant(&self) -> Result<E, MatrixError> {
        E::determinant(self)
    }

    /// The rank, as [`RationalElimination::rank`] finds it.
    ///
    /// # Errors
    /// [`MatrixError::Memory`].
    pub fn rank(&self) -> Result<usize, MatrixError> {
        RationalElimination::new().rank(&E::rational(self))
    }

    /// The inverse, as [`RationalElimination::inverse`] finds it.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`]; [`MatrixError::Singular`]; [`MatrixError::Memory`].
    pub fn inverse(&self) -> Result<DenseMatrix<Rational>, MatrixError> {
        RationalElimination::new().inverse(&E::rational(self))
    }

    /// An X with A·X = B, as [`RationalElimination::solve`] finds it.
    ///
    /// # Errors
    /// [`MatrixError::RightSide`]; [`MatrixError::Inconsistent`]; [`MatrixError::Memory`].
    pub fn solve(&self, right: &Self) -> Result<Solution<Rational>, MatrixError> {
        RationalElimination::new().solve(&E::rational(self), &E::rational(right))
    }

    /// A basis of the nullspace, a column each, as [`RationalElimination::nullspace`] finds it.
    ///
    /// # Errors
    /// [`MatrixError::Memory`].
    pub fn nullspace(&self) -> Result<DenseMatrix<Rational>, MatrixError> {
        RationalElimination::new().nullspace(&E::rational(self))
    }

    /// The product, which `*` computes without errors.
    ///
    /// # Errors
    /// [`MatrixError::Inner`] if there are not as many columns as the right matrix has rows; [`MatrixError::Memory`].
    pub fn try_mul(&self, right: &Self) -> Result<Self, MatrixError> {
        E::product(self, right)
    }

    /// # Panics
    /// If the shapes differ.
    fn entrywise(&self, other: &Self, made: fn(&E, &E) -> E) -> Self {
        let [(rows, columns), (others, along)] =
            [self, other].map(|matrix| (matrix.rows(), matrix.columns()));
        assert!(
            (rows, columns) == (others, along),
            "sums are of matrices of one shape: these have {rows} by {columns} and {others} by {along} entries"
        );
        let pairs = self.entries().iter().zip(other.entries());
        let entries = pairs.map(|(a, b)| made(a, b)).collect();
        Self::with_entries(rows, columns, entries)
    }

    /// # Panics
    /// If the shapes do not fit, or there is too little memory.
    fn times(&self, right: &Self) -> Self {
        match E::product(self, right) {
            Ok(product) => product,
            Err(error) => panic!("{error}"),
        }
    }
}

/// An operator of two matrices by value and by reference, and what assigns its result.
macro_rules! operator {
    ($Operator:ident $operate:ident, $Assign:ident $assign:ident, |$a:ident, $b:ident| $work:expr) => {
        impl<E: ExactEntry> $Operator<&DenseMatrix<E>> for &DenseMatrix<E> {
            type Output = DenseMatrix<E>;

            fn $operate(self, other: &DenseMatrix<E>) -> DenseMatrix<E> {
                let ($a, $b) = (self, other);
                $work
            }
        }

        impl<E: ExactEntry> $Operator<DenseMatrix<E>> for &DenseMatrix<E> {
            type Output = DenseMatrix<E>;

            fn $operate(self, other: DenseMatrix<E>) -> DenseMatrix<E> {
                self.$operate(&other)
            }
        }

        impl<E: ExactEntry, T> $Operator<T> for DenseMatrix<E>
        where
            for<'m> &'m DenseMatrix<E>: $Operator<T, Output = DenseMatrix<E>>,
        {
            type Output = DenseMatrix<E>;

            fn $operate(self, other: T) -> DenseMatrix<E> {
                (&self).$operate(other)
            }
        }

        impl<E: ExactEntry, T> $Assign<T> for DenseMatrix<E>
        where
            for<'m> &'m DenseMatrix<E>: $Operator<T, Output = DenseMatrix<E>>,
        {
            fn $assign(&mut self, other: T) {
                *self = (&*self).$operate(other);
            }
        }
    };
}

operator!(Add add, AddAssign add_assign, |a, b| a.entrywise(b, E::sum));
operator!(Sub sub, SubAssign sub_assign, |a, b| a.entrywise(b, E::difference));
operator!(Mul mul, MulAssign mul_assign, |a, b| a.times(b));

impl<E: ExactEntry> Mul<&E> for &DenseMatrix<E> {
    type Output = DenseMatrix<E>;

    fn mul(self, factor: &E) -> DenseMatrix<E> {
        self.map(|entry| E::times(entry, factor))
    }
}

impl<E: ExactEntry> Mul<E> for &DenseMatrix<E> {
    type Output = DenseMatrix<E>;

    fn mul(self, factor: E) -> DenseMatrix<E> {
        self * &factor
    }
}

impl<E: ExactEntry> Mul<i64> for &DenseMatrix<E> {
    type Output = DenseMatrix<E>;

    fn mul(self, factor: i64) -> DenseMatrix<E> {
        self * &E::from(factor)
    }
}

impl<E: ExactEntry> Mul<&DenseMatrix<E>> for i64 {
    type Output = DenseMatrix<E>;

    fn mul(self, matrix: &DenseMatrix<E>) -> DenseMatrix<E> {
        matrix * self
    }
}

impl<E: ExactEntry> Mul<DenseMatrix<E>> for i64 {
    type Output = DenseMatrix<E>;

    fn mul(self, matrix: DenseMatrix<E>) -> DenseMatrix<E> {
        &matrix * self
    }
}

impl<E: ExactEntry> Neg for &DenseMatrix<E> {
    type Output = DenseMatrix<E>;

    fn neg(self) -> DenseMatrix<E> {
        self.map(E::negative)
    }
}

impl<E: ExactEntry> Neg for DenseMatrix<E> {
    type Output = Self;

    fn neg(self) -> Self {
        -&self
    }
}

impl From<&DenseMatrix<Integer>> for DenseMatrix<Rational> {
    fn from(matrix: &DenseMatrix<Integer>) -> Self {
        matrix.map(|entry| Rational::from(entry))
    }
}

impl From<DenseMatrix<Integer>> for DenseMatrix<Rational> {
    fn from(matrix: DenseMatrix<Integer>) -> Self {
        Self::from(&matrix)
    }
}
