//! A field that is known at run time only: a shared table of operations on rows of words.

use crate::expression;
use crate::{Field, LongInteger};
use std::any::Any;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::str::FromStr;
use std::sync::Arc;

use dashu_int::UBig;

use crate::any_operations;
use crate::error::FieldError;
use crate::fp32::Fp32;
use crate::fp64::Fp64;
use crate::fp64_full::Fp64Full;
use crate::generalized_fermat::dispatch::with_digits;
use crate::generalized_fermat::{
    GeneralizedFermat, GeneralizedFermatError, named_prime, recognize,
};
use crate::rows::{Rows, WordRows, WordRowsMut, first_outside};

/// A prime field found at run time; clones share it.
///
/// ```
/// use sunzi::Natural;
/// use sunzi::field::{AnyField, Fp32};
///
/// assert!(AnyField::new(&Natural::from(1001u32)).is_err()); // 7·11·13
/// let field = AnyField::new(&Natural::from(101u8))?;
/// assert_eq!((field.modulus(), field.width()), (Natural::from(101u8), 1));
/// assert_eq!(field.over(), Some(&Fp32::new(101)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AnyField(Arc<dyn Operations>);

crate::with_field!(@list from ());

impl AnyField {
    /// The field modulo a prime: one below 2^64, or r^k + 1. From 2^63 on, a prime that is r^k + 1 has the field of those, whose
    /// roots of unity are made of r.
    ///
    /// # Errors
    /// [`FieldError`] if it is no such prime.
    pub fn new(modulus: &impl LongInteger) -> Result<Self, FieldError> {
        let (negative, limbs) = modulus.sign_and_limbs();
        if negative {
            return Err(FieldError::Negative);
        }
        let modulus = &UBig::from_words(limbs);
        let word = u64::try_from(modulus).ok();
        if let Some(word) = word.filter(|word| word >> 63 == 0) {
            return Self::modulo_word(word);
        }
        match (recognize(modulus), word) {
            (Some((radix, digits)), _) => Ok(Self::generalized_fermat(radix, digits)?),
            (None, Some(word)) => Self::modulo_word(word),
            (None, None) => Err(FieldError::NoSuchField {
                bits: dashu_int::ops::BitTest::bit_len(modulus),
            }),
        }
    }

    /// The field modulo an odd prime below 2^64.
    ///
    /// # Errors
    /// As [`Fp64Full::new`].
    pub fn modulo_word(prime: u64) -> Result<Self, FieldError> {
        match u32::try_from(prime) {
            Ok(prime) if prime >> 31 == 0 => Ok(Fp32::new(prime)?.into()),
            _ if prime >> 63 == 0 => Ok(Fp64::new(prime)?.into()),
            _ => Ok(Fp64Full::new(prime)?.into()),
        }
    }

    /// The field modulo the prime `radix^digits + 1`, whatever its size.
    ///
    /// # Errors
    /// As [`GeneralizedFermat::new`]; [`GeneralizedFermatError::Digits`] for other numbers of digits.
    ///
    /// ```
    /// use sunzi::field::AnyField;
    ///
    /// let field = AnyField::generalized_fermat((1 << 59) + (1 << 58) + (1 << 11), 4)?; // P4
    /// assert_eq!(field.width(), 4);
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    pub fn generalized_fermat(radix: u64, digits: usize) -> Result<Self, GeneralizedFermatError> {
        with_digits!(
            digits,
            K => Ok(GeneralizedFermat::<K>::new(radix)?.into()),
            _ => Err(GeneralizedFermatError::Digits { digits })
        )
    }

    /// The same with its type, if it has this one.
    #[must_use]
    pub fn over<F: Rows>(&self) -> Option<&F> {
        let field: &dyn Any = &*self.0;
        field.downcast_ref()
    }

    /// The prime.
    #[must_use]
    pub fn modulus<N: LongInteger>(&self) -> N {
        N::from_natural_vec(self.modulus_limbs())
    }

    /// Appends the row of an integer's image.
    ///
    /// ```
    /// use sunzi::{Integer, Natural};
    /// use sunzi::field::AnyField;
    ///
    /// let field = AnyField::generalized_fermat(10, 2)?; // 10² + 1
    /// let mut rows = Vec::new();
    /// field.push_integer(&Integer::from(-1), &mut rows);
    /// field.push_u64(242, &mut rows);
    /// assert_eq!(rows, [0, 10, 0, 4]);
    /// assert_eq!(field.integer::<Natural>(&rows[2..]), Natural::from(40u8));
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    pub fn push_integer(&self, value: &impl LongInteger, rows: &mut Vec<u64>) {
        let (negative, limbs) = value.sign_and_limbs();
        self.push_limbs(negative, limbs, rows);
    }

    /// The least non-negative integer that a row stands for, or 0 if the words are no element of this field.
    #[must_use]
    pub fn integer<N: LongInteger>(&self, row: &[u64]) -> N {
        N::from_natural_vec(self.integer_limbs(row))
    }
}

any_operations! {
    [Any + fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe] Operations for [F: Rows] F as AnyField;

    /// Whether another field has the same type and prime.
    fn is_same(&self, other: &AnyField) -> bool {
        other.over::<F>() == Some(self)
    }

    fn modulus_limbs(&self) -> Vec<u64> {
        Field::modulus_limbs(self)
    }

    /// The prime, where it is below 2^63 and elements are words.
    #[must_use]
    pub fn word_prime(&self) -> Option<u64> {
        let prime = u64::try_from(self.modulus::<UBig>()).ok()?;
        (F::WIDTH == 1 && prime >> 63 == 0).then_some(prime)
    }

    /// Words of an element.
    #[must_use]
    pub fn width(&self) -> usize {
        F::WIDTH
    }

    /// Bits of a word where elements lie: 32 for primes below 2^31, else 64.
    #[must_use]
    pub fn word_bits(&self) -> usize {
        word_bits::<F>()
    }

    /// Bytes that an element takes in vectors of the field.
    #[must_use]
    pub fn element_bytes(&self) -> usize {
        size_of::<F::Elem>()
    }

    /// The radix r and the number of digits k, where the modulus is r^k + 1 and elements are their digits.
    #[must_use]
    pub fn radix_and_digits(&self) -> Option<(u64, usize)> {
        self.radix_and_digits()
    }

    /// The largest n for which 2^n divides p − 1.
    #[must_use]
    pub fn two_adicity(&self) -> u32 {
        self.two_adicity()
    }

    /// As [`TwoAdicField::order_factors`](crate::TwoAdicField::order_factors).
    #[must_use]
    pub fn order_factors(&self) -> Vec<(u64, u32)> {
        self.order_factors()
    }

    /// As [`TwoAdicField::least_non_residue`](crate::TwoAdicField::least_non_residue).
    #[must_use]
    pub fn least_non_residue(&self) -> u64 {
        self.least_non_residue()
    }

    /// As [`Rows::description`].
    #[must_use]
    pub fn description(&self) -> String {
        self.description()
    }

    /// As [`Rows::primality_proof`].
    #[must_use]
    pub fn primality_proof(&self) -> String {
        self.primality_proof()
    }

    /// The row of the root of unity of order 2^`log_n` that
    /// [`TwoAdicField::root_of_unity`](crate::TwoAdicField::root_of_unity) gives; `None` if there is none.
    #[must_use]
    pub fn root_of_unity_row(&self, log_n: u32) -> Option<Vec<u64>> {
        Some(row::<F>(self.root_of_unity(log_n)?))
    }

    /// The row of the product of two elements, which are given by their rows. Here and below, too few words stand for 0, what
    /// follows a row is left out, and words that are no element ([`AnyField::first_outside`]) give unspecified ones.
    ///
    /// ```
    /// use sunzi::field::AnyField;
    ///
    /// let field = AnyField::generalized_fermat(10, 2)?; // 10² + 1
    /// assert_eq!(field.product_row(&[4, 1], &[0, 1]), [9, 3]); // 14 · 10
    /// assert_eq!(field.inverse_row(&[0, 1]), Some(vec![1, 9])); // 10 · 91 = 1
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    #[must_use]
    pub fn product_row(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        row::<F>(self.mul(F::from_row(a), F::from_row(b)))
    }

    /// The row of the sum of two elements, likewise.
    #[must_use]
    pub fn sum_row(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        row::<F>(self.add(F::from_row(a), F::from_row(b)))
    }

    /// The row of −a, likewise.
    #[must_use]
    pub fn negated_row(&self, a: &[u64]) -> Vec<u64> {
        row::<F>(self.neg(F::from_row(a)))
    }

    /// The row of a power of an element, which is given by its row.
    #[must_use]
    pub fn power_row(&self, a: &[u64], exponent: u64) -> Vec<u64> {
        row::<F>(self.pow(F::from_row(a), exponent))
    }

    /// The rows of elements, the i-th multiplied by the i-th power of another, which is given by its row.
    ///
    /// ```
    /// use sunzi::field::AnyField;
    ///
    /// let field = AnyField::modulo_word(101)?;
    /// assert_eq!(field.multiplied_by_powers(vec![7, 7, 7], &[10]), [7, 70, 94]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    #[must_use]
    pub fn multiplied_by_powers(&self, rows: Vec<u64>, ratio: &[u64]) -> Vec<u64> {
        let ratio = F::from_row(ratio);
        let mut elements = F::from_rows(rows);
        let mut power = self.one();
        for element in &mut elements {
            *element = self.mul(*element, power);
            power = self.mul(power, ratio);
        }
        F::into_rows(elements)
    }

    /// The number of the first row that is no element; the last one is none, too, if it is not whole.
    ///
    /// ```
    /// use sunzi::field::{AnyField, WordRows};
    ///
    /// let field = AnyField::modulo_word(101)?;
    /// assert_eq!(field.first_outside(WordRows::Words32(&[7, 0, 101])), Some(2));
    /// assert_eq!(field.first_outside(WordRows::Words64(&[7, 0, 100])), None);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    #[must_use]
    pub fn first_outside(&self, rows: WordRows<'_>) -> Option<usize> {
        let whole = rows.len() / F::WIDTH;
        let outside = match (F::of_words(rows), rows) {
            (Some(elements), _) => first_outside(self, elements),
            (None, WordRows::Words32(words)) => {
                let words = words.iter().map(|&word| word.into()).take(whole * F::WIDTH);
                first_outside(self, &F::from_rows(words.collect()))
            }
            (None, WordRows::Words64(words)) => {
                first_outside(self, &F::from_rows(words[..whole * F::WIDTH].to_vec()))
            }
        };
        outside.or((!rows.len().is_multiple_of(F::WIDTH)).then_some(whole))
    }

    /// The row of the inverse of an element, which is given by its row; `None` of 0.
    #[must_use]
    pub fn inverse_row(&self, a: &[u64]) -> Option<Vec<u64>> {
        Some(row::<F>(self.inv(F::from_row(a))?))
    }

    /// Copies rows from words of any size to the field's own, for a vector that is transformed where it lies.
    ///
    /// # Errors
    /// [`FieldError::RowOutside`] if one is no element; [`FieldError::RowSize`] if there are not as many, or not of the field's size.
    pub fn copy_rows(&self, from: WordRows<'_>, to: WordRowsMut<'_>) -> Result<(), FieldError> {
        let elements = places::<F>(to, from.len())?;
        if elements.len() * F::WIDTH != from.len() {
            return Err(FieldError::row_size::<F>(from.len(), elements.len()));
        }
        Rows::copy_rows(self, from, elements).map_err(|index| FieldError::RowOutside { index })
    }

    /// Writes the rows of the images of numbers.
    ///
    /// # Errors
    /// [`FieldError::RowSize`] if there are not as many rows as numbers, or not of the field's size.
    ///
    /// ```
    /// use sunzi::field::{AnyField, WordRows};
    ///
    /// let field = AnyField::modulo_word(101)?;
    /// let mut rows = [0u32; 2];
    /// field.write_images(WordRows::Words64(&[1 << 40, 101]), (&mut rows[..]).into())?;
    /// assert_eq!(rows, [36, 0]);
    /// field.write_signed_images(&[-1, 202], (&mut rows[..]).into())?;
    /// assert_eq!(rows, [100, 0]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn write_images(&self, numbers: WordRows<'_>, to: WordRowsMut<'_>) -> Result<(), FieldError> {
        let elements = places_of::<F>(to, numbers.len())?;
        match numbers {
            WordRows::Words32(numbers) => write_each(elements, numbers, |x| self.from_u64(x.into())),
            WordRows::Words64(numbers) => write_each(elements, numbers, |x| self.from_u64(x)),
        }
        Ok(())
    }

    /// Writes the rows of the images of signed numbers.
    ///
    /// # Errors
    /// As [`AnyField::write_images`].
    pub fn write_signed_images(&self, numbers: &[i64], to: WordRowsMut<'_>) -> Result<(), FieldError> {
        let elements = places_of::<F>(to, numbers.len())?;
        write_each(elements, numbers, |x| self.from_i64(x));
        Ok(())
    }

    /// `x[i] = x[i] + y[i]`; here and below, of rows in words of the field's size, where words that are no elements give unspecified
    /// ones.
    ///
    /// # Errors
    /// [`FieldError::RowSize`] for words of another size, and if there are not as many of both.
    ///
    /// ```
    /// use sunzi::field::{AnyField, WordRows};
    ///
    /// let field = AnyField::modulo_word(101)?;
    /// let mut x = [7, 50u32];
    /// field.add_assign_rows((&mut x[..]).into(), WordRows::Words32(&[100, 51]))?;
    /// assert_eq!(x, [6, 0]);
    /// field.mul_assign_rows((&mut x[..]).into(), WordRows::Words32(&[20, 1]))?;
    /// assert_eq!(x, [19, 0]);
    /// assert!(field.invert_rows((&mut x[..]).into()).is_err()); // 0 has no inverse
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn add_assign_rows(&self, x: WordRowsMut<'_>, y: WordRows<'_>) -> Result<(), FieldError> {
        let (x, y) = both::<F>(x, y)?;
        self.add_assign_slice(x, y);
        Ok(())
    }

    /// `x[i] = x[i] − y[i]`.
    ///
    /// # Errors
    /// As [`AnyField::add_assign_rows`].
    pub fn sub_assign_rows(&self, x: WordRowsMut<'_>, y: WordRows<'_>) -> Result<(), FieldError> {
        let (x, y) = both::<F>(x, y)?;
        self.sub_assign_slice(x, y);
        Ok(())
    }

    /// `x[i] = x[i] · y[i]`.
    ///
    /// # Errors
    /// As [`AnyField::add_assign_rows`].
    pub fn mul_assign_rows(&self, x: WordRowsMut<'_>, y: WordRows<'_>) -> Result<(), FieldError> {
        let (x, y) = both::<F>(x, y)?;
        self.mul_assign_slice(x, y);
        Ok(())
    }

    /// `x[i] = x[i] · factor`, the factor given by its row.
    ///
    /// # Errors
    /// [`FieldError::RowSize`] for words of another size.
    pub fn scale_rows(&self, x: WordRowsMut<'_>, factor: &[u64]) -> Result<(), FieldError> {
        let found = x.len();
        self.scale_slice(places::<F>(x, found)?, F::from_row(factor));
        Ok(())
    }

    /// `x[i] = 1/x[i]`.
    ///
    /// # Errors
    /// [`FieldError::ZeroInverse`] names the first 0; nothing is changed then. [`FieldError::RowSize`] for words of another size.
    pub fn invert_rows(&self, x: WordRowsMut<'_>) -> Result<(), FieldError> {
        let found = x.len();
        self.batch_inv(places::<F>(x, found)?)
    }

    /// `x[i] = x[i]^exponent`.
    ///
    /// # Errors
    /// [`FieldError::RowSize`] for words of another size.
    pub fn power_rows(&self, x: WordRowsMut<'_>, exponent: u64) -> Result<(), FieldError> {
        let found = x.len();
        for x in places::<F>(x, found)? {
            *x = self.pow(*x, exponent);
        }
        Ok(())
    }

    fn push_limbs(&self, negative: bool, limbs: &[u64], rows: &mut Vec<u64>) -> () {
        F::push_row(self.from_limbs(negative, limbs), rows);
    }

    /// Appends the row of a word's image.
    pub fn push_u64(&self, value: u64, rows: &mut Vec<u64>) -> () {
        F::push_row(self.from_u64(value), rows);
    }

    fn integer_limbs(&self, row: &[u64]) -> Vec<u64> {
        let element = F::from_row(row);
        match self.is_canonical(element) {
            true => self.to_limbs(element),
            false => Vec::new(),
        }
    }
}

/// Bits of a word of elements.
fn word_bits<F: Rows>() -> usize {
    8 * size_of::<F::Elem>() / F::WIDTH
}

/// The elements whose words these are, to be written from so many others.
fn places<F: Rows>(words: WordRowsMut<'_>, found: usize) -> Result<&mut [F::Elem], FieldError> {
    F::in_words(words).ok_or_else(|| FieldError::row_size::<F>(found, found / F::WIDTH))
}

/// The same, which are so many.
fn places_of<F: Rows>(words: WordRowsMut<'_>, rows: usize) -> Result<&mut [F::Elem], FieldError> {
    let elements = places::<F>(words, rows * F::WIDTH)?;
    match elements.len() == rows {
        true => Ok(elements),
        false => Err(FieldError::row_size::<F>(elements.len() * F::WIDTH, rows)),
    }
}

/// A slice that is changed and one that is read.
type Both<'w, E> = (&'w mut [E], &'w [E]);

/// As many elements of both.
fn both<'w, F: Rows>(x: WordRowsMut<'w>, y: WordRows<'w>) -> Result<Both<'w, F::Elem>, FieldError> {
    let x = places::<F>(x, y.len())?;
    match F::of_words(y) {
        Some(y) if y.len() == x.len() => Ok((x, y)),
        _ => Err(FieldError::row_size::<F>(y.len(), x.len())),
    }
}

impl FieldError {
    /// What is wrong with `found` words that should be so many rows.
    #[doc(hidden)]
    #[must_use]
    pub fn row_size<F: Rows>(found: usize, rows: usize) -> Self {
        Self::RowSize {
            found,
            rows,
            width: F::WIDTH,
            bits: word_bits::<F>(),
        }
    }
}

fn write_each<N: Copy, E>(elements: &mut [E], numbers: &[N], image: impl Fn(N) -> E) {
    for (element, &number) in elements.iter_mut().zip(numbers) {
        *element = image(number);
    }
}

/// The row of an element.
fn row<F: Rows>(element: F::Elem) -> Vec<u64> {
    F::into_rows(vec![element])
}

/// The prime, in decimal.
///
/// ```
/// # use sunzi::field::AnyField;
/// assert_eq!(AnyField::generalized_fermat(10, 2)?.to_string(), "101");
/// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
/// ```
impl fmt::Display for AnyField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.modulus::<UBig>().fmt(f)
    }
}

/// The field of a prime: an expression as `2^60 - 2^18 + 1`, or a name as `P8`.
///
/// ```
/// use sunzi::field::AnyField;
///
/// assert_eq!("2^31 - 1".parse::<AnyField>()?.to_string(), "2147483647");
/// assert_eq!("p4".parse::<AnyField>()?.width(), 4);
/// assert!("2^32".parse::<AnyField>().is_err());
/// # Ok::<(), sunzi::field::FieldError>(())
/// ```
impl FromStr for AnyField {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        match named_prime(text.trim()) {
            Some(prime) => Ok(Self::generalized_fermat(prime.radix, prime.digits)?),
            None => Self::new(&expression::parse::<UBig>(text)?),
        }
    }
}

impl PartialEq for AnyField {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other)
    }
}

impl fmt::Debug for AnyField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
