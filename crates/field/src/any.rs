//! A field that is known at run time only, and elements as rows of words.
//!
//! What is generic over fields is compiled for each of them. [`with_field!`](crate::with_field) is
//! where a prime that a user named becomes a type; libraries use it to compile what they offer once, and offer it
//! without type parameters.

use std::borrow::Cow;

use dashu_int::{IBig, UBig};
use thiserror::Error;

use crate::error::FieldError;
use crate::fp32::Fp32;
use crate::fp64::Fp64;
use crate::generalized_fermat::dispatch::with_digits;
use crate::generalized_fermat::{Digits, GeneralizedFermat, GeneralizedFermatError, recognize};
use crate::traits::{Field, TwoAdicField};

/// A field whose elements are rows of words: the residue in one word, or the digits in radix r of a field modulo
/// r^k + 1, the lowest first.
pub trait Rows: Field {
    /// Words of a row.
    const WIDTH: usize;

    /// The rows of elements, one after the other.
    fn rows(elements: &[Self::Elem]) -> Cow<'_, [u64]>;

    /// Elements of rows; words after the last whole row are left out.
    fn from_rows(rows: Vec<u64>) -> Vec<Self::Elem>;

    /// The rows of elements that nobody else needs.
    fn into_rows(elements: Vec<Self::Elem>) -> Vec<u64>;
}

impl Rows for Fp32 {
    const WIDTH: usize = 1;

    fn rows(elements: &[u32]) -> Cow<'_, [u64]> {
        elements.iter().map(|&element| element.into()).collect()
    }

    /// Words that are no elements of any such field stay none.
    fn from_rows(rows: Vec<u64>) -> Vec<u32> {
        let narrow = |word: u64| u32::try_from(word).unwrap_or(u32::MAX);
        rows.into_iter().map(narrow).collect()
    }

    fn into_rows(elements: Vec<u32>) -> Vec<u64> {
        elements.into_iter().map(u64::from).collect()
    }
}

impl Rows for Fp64 {
    const WIDTH: usize = 1;

    fn rows(elements: &[u64]) -> Cow<'_, [u64]> {
        elements.into()
    }

    fn from_rows(rows: Vec<u64>) -> Vec<u64> {
        rows
    }

    fn into_rows(elements: Vec<u64>) -> Vec<u64> {
        elements
    }
}

impl<const K: usize> Rows for GeneralizedFermat<K> {
    const WIDTH: usize = K;

    fn rows(elements: &[Digits<K>]) -> Cow<'_, [u64]> {
        Digits::words_of(elements).into()
    }

    fn from_rows(rows: Vec<u64>) -> Vec<Digits<K>> {
        Digits::from_word_vec(rows)
    }

    fn into_rows(elements: Vec<Digits<K>>) -> Vec<u64> {
        Digits::into_word_vec(elements)
    }
}

/// A prime field found at run time.
///
/// ```
/// use sunzi_field::AnyField;
///
/// assert!(AnyField::new(&1001u32.into()).is_err()); // 7·11·13
/// let field = AnyField::new(&101u8.into())?;
/// assert_eq!((field.modulus(), field.width()), (101u8.into(), 1));
/// # Ok::<(), sunzi_field::AnyFieldError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // Each names its type.
pub enum AnyField {
    Fp32(Fp32),
    Fp64(Fp64),
    Digits2(GeneralizedFermat<2>),
    Digits4(GeneralizedFermat<4>),
    Digits8(GeneralizedFermat<8>),
    Digits16(GeneralizedFermat<16>),
    Digits32(GeneralizedFermat<32>),
    Digits64(GeneralizedFermat<64>),
    Digits128(GeneralizedFermat<128>),
    Digits256(GeneralizedFermat<256>),
}

/// Why there is no such field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnyFieldError {
    /// The modulus has one word.
    #[error(transparent)]
    Word(#[from] FieldError),
    /// The modulus is r^k + 1.
    #[error(transparent)]
    GeneralizedFermat(#[from] GeneralizedFermatError),
    /// The modulus has more bits than a word may, and is not r^k + 1.
    #[error(
        "there is no field modulo a number of {bits} bits that is not r^k+1: give an odd prime below 2^63, or a prime r^k+1 with k = 2, 4 … 256 and r below 2^64, such as P8"
    )]
    TooLarge {
        /// Bits of the modulus.
        bits: usize,
    },
}

/// Does something with the field that an [`AnyField`] holds, which is compiled for each type of field.
///
/// ```
/// use sunzi_field::{AnyField, TwoAdicField, with_field};
///
/// let field = AnyField::new(&469_762_049u32.into())?;
/// assert_eq!(with_field!(&field, field => field.two_adicity()), 26);
/// // What fields modulo r^k + 1 alone have, and what is done in others.
/// let radix = with_field!(&field, field: GeneralizedFermat => Some(field.radix()), _ => None);
/// assert_eq!(radix, None);
/// # Ok::<(), sunzi_field::AnyFieldError>(())
/// ```
#[macro_export]
macro_rules! with_field {
    ($any:expr, $field:ident => $work:expr $(,)?) => {
        $crate::with_digits!(@list field ($any, $field, $work))
    };
    ($any:expr, $field:ident: GeneralizedFermat => $work:expr, _ => $other:expr $(,)?) => {
        $crate::with_digits!(@list big_field ($any, $field, $work, $other))
    };
}

impl From<Fp32> for AnyField {
    fn from(field: Fp32) -> Self {
        Self::Fp32(field)
    }
}

impl From<Fp64> for AnyField {
    fn from(field: Fp64) -> Self {
        Self::Fp64(field)
    }
}

with_digits!(@list from ());

impl AnyField {
    /// The field modulo a prime: one below 2^63, or r^k + 1.
    ///
    /// # Errors
    /// [`AnyFieldError`] if it is no such prime.
    pub fn new(modulus: &UBig) -> Result<Self, AnyFieldError> {
        match u64::try_from(modulus) {
            Ok(word) if word >> 63 == 0 => Ok(Self::modulo_word(word)?),
            _ => match recognize(modulus) {
                Some((radix, digits)) => Ok(Self::generalized_fermat(radix, digits)?),
                None => Err(AnyFieldError::TooLarge {
                    bits: dashu_int::ops::BitTest::bit_len(modulus),
                }),
            },
        }
    }

    /// The field modulo an odd prime below 2^63.
    ///
    /// # Errors
    /// As [`Fp64::new`].
    pub fn modulo_word(prime: u64) -> Result<Self, FieldError> {
        match u32::try_from(prime) {
            Ok(prime) if prime >> 31 == 0 => Fp32::new(prime).map(Self::Fp32),
            _ => Fp64::new(prime).map(Self::Fp64),
        }
    }

    /// The field modulo the prime `radix^digits + 1`, whatever its size.
    ///
    /// # Errors
    /// As [`GeneralizedFermat::new`]; [`GeneralizedFermatError::Digits`] for other numbers of digits.
    ///
    /// ```
    /// use sunzi_field::AnyField;
    ///
    /// let field = AnyField::generalized_fermat((1 << 59) + (1 << 58) + (1 << 11), 4)?; // P4
    /// assert_eq!(field.width(), 4);
    /// # Ok::<(), sunzi_field::GeneralizedFermatError>(())
    /// ```
    pub fn generalized_fermat(radix: u64, digits: usize) -> Result<Self, GeneralizedFermatError> {
        with_digits!(
            digits,
            K => Ok(GeneralizedFermat::<K>::new(radix)?.into()),
            _ => Err(GeneralizedFermatError::Digits { digits })
        )
    }

    /// The prime.
    #[must_use]
    pub fn modulus(&self) -> UBig {
        with_field!(self, field => field.modulus())
    }

    /// The prime, where it is below 2^63 and elements are words.
    #[must_use]
    pub fn word_prime(&self) -> Option<u64> {
        match self {
            Self::Fp32(field) => Some(field.prime().into()),
            Self::Fp64(field) => Some(field.prime()),
            _ => None,
        }
    }

    /// Words of an element.
    #[must_use]
    pub fn width(&self) -> usize {
        fn width<F: Rows>(_: &F) -> usize {
            F::WIDTH
        }
        with_field!(self, field => width(field))
    }

    /// Bytes that an element takes in vectors of the field.
    #[must_use]
    pub fn element_bytes(&self) -> usize {
        fn bytes<F: Field>(_: &F) -> usize {
            size_of::<F::Elem>()
        }
        with_field!(self, field => bytes(field))
    }

    /// The radix r and the number of digits k, where the modulus is r^k + 1 and elements are their digits.
    #[must_use]
    pub fn radix_and_digits(&self) -> Option<(u64, usize)> {
        with_field!(self, field: GeneralizedFermat => Some((field.radix(), self.width())), _ => None)
    }

    /// The largest n for which 2^n divides p − 1.
    #[must_use]
    pub fn two_adicity(&self) -> u32 {
        with_field!(self, field => field.two_adicity())
    }

    /// The row of the root of unity of order 2^`log_n` that [`TwoAdicField::root_of_unity`] gives; `None` if there is none.
    #[must_use]
    pub fn root_of_unity_row(&self, log_n: u32) -> Option<Vec<u64>> {
        fn root<F: Rows + TwoAdicField>(field: &F, log_n: u32) -> Option<Vec<u64>> {
            Some(F::into_rows(vec![field.root_of_unity(log_n)?]))
        }
        with_field!(self, field => root(field, log_n))
    }

    /// The row of the product of two elements, which are given by their rows.
    ///
    /// ```
    /// use sunzi_field::AnyField;
    ///
    /// let field = AnyField::generalized_fermat(10, 2)?; // 10² + 1
    /// assert_eq!(field.product_row(&[4, 1], &[0, 1]), [9, 3]); // 14 · 10
    /// assert_eq!(field.inverse_row(&[0, 1]), Some(vec![1, 9])); // 10 · 91 = 1
    /// # Ok::<(), sunzi_field::GeneralizedFermatError>(())
    /// ```
    ///
    /// # Panics
    /// If the rows are not of one element each.
    #[must_use]
    pub fn product_row(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        fn product<F: Rows>(field: &F, a: &[u64], b: &[u64]) -> Vec<u64> {
            let [a, b] = [a, b].map(|row| F::from_rows(row.to_vec())[0]);
            F::into_rows(vec![field.mul(a, b)])
        }
        with_field!(self, field => product(field, a, b))
    }

    /// The row of a power of an element, which is given by its row.
    ///
    /// # Panics
    /// If the row is not of one element.
    #[must_use]
    pub fn power_row(&self, a: &[u64], exponent: u64) -> Vec<u64> {
        fn power<F: Rows>(field: &F, a: &[u64], exponent: u64) -> Vec<u64> {
            let power = field.pow(F::from_rows(a.to_vec())[0], exponent);
            F::into_rows(vec![power])
        }
        with_field!(self, field => power(field, a, exponent))
    }

    /// The rows of elements, the i-th multiplied by the i-th power of another, which is given by its row.
    ///
    /// ```
    /// use sunzi_field::AnyField;
    ///
    /// let field = AnyField::modulo_word(101)?;
    /// assert_eq!(field.multiplied_by_powers(vec![7, 7, 7], &[10]), [7, 70, 94]);
    /// # Ok::<(), sunzi_field::FieldError>(())
    /// ```
    ///
    /// # Panics
    /// If the row is not of one element, or the last of the rows not whole.
    #[must_use]
    pub fn multiplied_by_powers(&self, rows: Vec<u64>, ratio: &[u64]) -> Vec<u64> {
        fn multiplied<F: Rows>(field: &F, rows: Vec<u64>, ratio: &[u64]) -> Vec<u64> {
            let ratio = F::from_rows(ratio.to_vec())[0];
            let mut elements = F::from_rows(rows);
            let mut power = field.one();
            for element in &mut elements {
                *element = field.mul(*element, power);
                power = field.mul(power, ratio);
            }
            F::into_rows(elements)
        }
        with_field!(self, field => multiplied(field, rows, ratio))
    }

    /// The number of the first row that is no element; the last one is none, too, if it is not whole.
    #[must_use]
    pub fn first_outside(&self, rows: &[u64]) -> Option<usize> {
        fn first<F: Rows>(field: &F, rows: &[u64]) -> Option<usize> {
            let whole = rows.len() / F::WIDTH;
            let elements = F::from_rows(rows[..whole * F::WIDTH].to_vec());
            let outside = elements.iter().position(|&x| !field.is_canonical(x));
            outside.or((!rows.len().is_multiple_of(F::WIDTH)).then_some(whole))
        }
        with_field!(self, field => first(field, rows))
    }

    /// The row of the inverse of an element, which is given by its row; `None` of 0.
    ///
    /// # Panics
    /// If the row is not of one element.
    #[must_use]
    pub fn inverse_row(&self, a: &[u64]) -> Option<Vec<u64>> {
        fn inverse<F: Rows>(field: &F, a: &[u64]) -> Option<Vec<u64>> {
            let inverse = field.inv(F::from_rows(a.to_vec())[0])?;
            Some(F::into_rows(vec![inverse]))
        }
        with_field!(self, field => inverse(field, a))
    }

    /// Appends the row of an integer's image.
    ///
    /// ```
    /// use sunzi_field::AnyField;
    ///
    /// let field = AnyField::generalized_fermat(10, 2)?; // 10² + 1
    /// let mut rows = Vec::new();
    /// field.push_integer(&(-1).into(), &mut rows);
    /// field.push_u64(242, &mut rows);
    /// assert_eq!(rows, [0, 10, 0, 4]);
    /// assert_eq!(field.integer(&rows[2..]), 40u8.into());
    /// # Ok::<(), sunzi_field::GeneralizedFermatError>(())
    /// ```
    pub fn push_integer(&self, value: &IBig, rows: &mut Vec<u64>) {
        fn push<F: Rows>(field: &F, value: &IBig, rows: &mut Vec<u64>) {
            rows.extend_from_slice(&F::rows(&[field.from_integer(value)]));
        }
        with_field!(self, field => push(field, value, rows));
    }

    /// Appends the row of a word's image.
    pub fn push_u64(&self, value: u64, rows: &mut Vec<u64>) {
        fn push<F: Rows>(field: &F, value: u64, rows: &mut Vec<u64>) {
            rows.extend_from_slice(&F::rows(&[field.from_u64(value)]));
        }
        match self {
            // Nothing is allocated for the most common field.
            Self::Fp32(field) => rows.push(field.from_u64(value).into()),
            _ => with_field!(self, field => push(field, value, rows)),
        }
    }

    /// The least non-negative integer that a row stands for, or 0 if the words are no element of this field.
    #[must_use]
    pub fn integer(&self, row: &[u64]) -> UBig {
        fn integer<F: Rows>(field: &F, row: &[u64]) -> UBig {
            let elements = F::from_rows(row.to_vec());
            let element = elements.first().copied().unwrap_or_default();
            match field.is_canonical(element) {
                true => field.to_integer(element),
                false => UBig::ZERO,
            }
        }
        with_field!(self, field => integer(field, row))
    }
}
