//! Dense polynomials as plain data.

use std::ops::Index;

/// A polynomial by its coefficients, from the constant term upward, without trailing zeros (the
/// zero polynomial has none).
///
/// "Zero" is `E::default()`, which is the zero of every field of this workspace and of `Integer`. A
/// polynomial does not know its ring: a [`PolyRing`](crate::PolyRing) operates on it.
///
/// ```
/// use sunzi::poly::Poly;
///
/// let f = Poly::new(vec![3u32, 0, 5, 0]); // 5x² + 3
/// assert_eq!(f.degree(), Some(2));
/// assert_eq!(f.coefficients(), [3, 0, 5]);
/// assert!(Poly::<u32>::zero().is_zero());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Poly<E> {
    coefficients: Vec<E>,
}

/// Quotient and remainder.
pub type QuotientAndRemainder<E> = (Poly<E>, Poly<E>);

impl<E: Default + PartialEq> Poly<E> {
    /// The polynomial with these coefficients; trailing zeros are dropped.
    pub fn new(mut coefficients: Vec<E>) -> Self {
        trim(&mut coefficients);
        Self { coefficients }
    }
}

impl<E> Poly<E> {
    /// The zero polynomial.
    pub const fn zero() -> Self {
        Self {
            coefficients: Vec::new(),
        }
    }

    /// The coefficients from the constant term upward; the last one is not zero.
    pub fn coefficients(&self) -> &[E] {
        &self.coefficients
    }

    /// The coefficients, owned.
    pub fn into_coefficients(self) -> Vec<E> {
        self.coefficients
    }

    /// The degree, or `None` for the zero polynomial.
    pub fn degree(&self) -> Option<usize> {
        self.coefficients.len().checked_sub(1)
    }

    /// The number of coefficients: the degree plus one, 0 for the zero polynomial.
    #[allow(clippy::len_without_is_empty)] // `is_zero` says it in the language of the field.
    pub fn len(&self) -> usize {
        self.coefficients.len()
    }

    /// Whether this is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }
}

/// From the constant term upward.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
///
/// let squares: Poly<Integer> = (0..4).map(|i| Integer::from(i * i)).collect();
/// assert_eq!(squares.to_string(), "9*x^3 + 4*x^2 + x");
/// ```
impl<E: Default + PartialEq> FromIterator<E> for Poly<E> {
    fn from_iter<I: IntoIterator<Item = E>>(coefficients: I) -> Self {
        Self::new(coefficients.into_iter().collect())
    }
}

/// From the constant term upward.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
///
/// assert_eq!(Poly::<Integer>::from([-1, 0, 2]).to_string(), "2*x^2 - 1");
/// ```
impl<E: Default + PartialEq + From<T>, T, const N: usize> From<[T; N]> for Poly<E> {
    fn from(coefficients: [T; N]) -> Self {
        coefficients.into_iter().map(E::from).collect()
    }
}

/// Drops zeros at the end.
pub(crate) fn trim<E: Default + PartialEq>(coefficients: &mut Vec<E>) {
    let zero = E::default();
    while coefficients.last() == Some(&zero) {
        coefficients.pop();
    }
}

impl<E> Default for Poly<E> {
    fn default() -> Self {
        Self::zero()
    }
}

impl<E> Index<usize> for Poly<E> {
    type Output = E;

    /// The coefficient of x^`power`.
    ///
    /// # Panics
    /// If `power` exceeds the degree.
    fn index(&self, power: usize) -> &E {
        &self.coefficients[power]
    }
}
