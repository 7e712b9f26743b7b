//! Rings of polynomials without a type parameter.

use std::any::Any;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use sunzi_dft::{Convolution, DftError};
use sunzi_field::{AnyField, FieldError, Rows, WordRows, WordRowsMut, any_operations, with_field};
use sunzi_machine::Grain;

use super::polynomial::{AnyPoly, copied, elements};
use super::prepared::{AnyDft, AnyDivisor, AnySubproductTree, Transforms};
use crate::any_length::AnyLengthDft;
use crate::division::Divisor;
use crate::error::PolyError;
use crate::gcd::SquareFreeFactors;
use crate::multiplier::CoefficientField;
use crate::plan::{Algorithm, Plan};
use crate::poly::Poly;
use crate::ring::PolyRing;
use crate::text::ParsePolyError;
use crate::thresholds::Thresholds;
use crate::tree::SubproductTree;

/// The ring of polynomials over a field that is known at run time only; clones share what it keeps.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::poly::AnyPolyRing;
///
/// let ring = AnyPolyRing::new(&AnyField::modulo_word(7)?);
/// let f = ring.polynomial(vec![1, 3])?;
/// assert_eq!(*ring.mul(&f, &f)?.rows(), [1, 6, 2]); // (3x + 1)² = 2x² + 6x + 1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyPolyRing(Arc<dyn Operations>, AnyField);

impl AnyPolyRing {
    /// The ring over a field. Nothing is precomputed before a product needs it.
    #[must_use]
    pub fn new(field: &AnyField) -> Self {
        let any = field.clone();
        with_field!(field, field => Self(Arc::new(PolyRing::new(field.clone())), any))
    }

    /// The field that coefficients are in.
    #[must_use]
    pub fn field(&self) -> &AnyField {
        &self.1
    }

    /// As [`PolyRing::with_thresholds`].
    #[must_use]
    pub fn with_thresholds(&self, thresholds: Thresholds) -> Self {
        Self(self.adapted(thresholds), self.1.clone())
    }

    /// As [`PolyRing::with_grain`].
    #[doc(hidden)]
    #[must_use]
    pub fn with_grain(&self, grain: Grain) -> Self {
        Self(self.cut_by(grain), self.1.clone())
    }

    /// The same with its type, if the field has this one.
    #[must_use]
    pub fn over<F: CoefficientField + Rows>(&self) -> Option<&PolyRing<F>> {
        let ring: &dyn Any = &*self.0;
        ring.downcast_ref()
    }
}

/// Transforms are made here, since rings have their products.
impl AnyDft {
    /// Transforms of `len` points.
    ///
    /// # Errors
    /// As [`AnyLengthDft::new`].
    pub fn new(field: &AnyField, len: usize) -> Result<Self, DftError> {
        let transforms = AnyPolyRing::new(field).transforms(len)?;
        Ok(Self(transforms, field.clone()))
    }

    /// Transforms of `len` points at the powers of the root of unity of this row.
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::transform::{AnyDft, Direction};
    ///
    /// let plan = AnyDft::with_root(&AnyField::modulo_word(31)?, 3, &[5])?;
    /// assert_eq!(plan.transform(vec![1, 2, 3], Direction::Forward)?, [6, 24, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`AnyLengthDft::with_root`]; [`PolyError::PointOutside`] if the row is no element of the field.
    pub fn with_root(field: &AnyField, len: usize, root: &[u64]) -> Result<Self, PolyError> {
        let transforms = AnyPolyRing::new(field).transforms_at(len, root)?;
        Ok(Self(transforms, field.clone()))
    }

    /// As [`AnyLengthDft::working_bytes`].
    ///
    /// # Errors
    /// As [`AnyLengthDft::working_bytes`].
    pub fn working_bytes(field: &AnyField, len: usize) -> Result<u64, DftError> {
        AnyPolyRing::new(field).transform_bytes(len)
    }
}

any_operations! {
    [Any + fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe] Operations for [F: CoefficientField + Rows] PolyRing<F> as AnyPolyRing;

    /// The polynomial whose coefficients, from the constant term upward, are rows of words; zeros at its end are dropped.
    ///
    /// # Errors
    /// [`PolyError::CoefficientOutside`] if a row is no element of the field, or not whole.
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let ring = AnyPolyRing::new(&AnyField::generalized_fermat(10, 2)?); // modulo 101
    /// let f = ring.polynomial(vec![3, 2, 1, 0])?; // x + 23
    /// assert_eq!(f.len(), 2);
    /// assert!(ring.polynomial(vec![3, 11]).is_err());
    /// assert!(ring.polynomial(vec![3, 2, 1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn polynomial(&self, rows: Vec<u64>) -> Result<AnyPoly, PolyError> {
        let outside = |index| PolyError::CoefficientOutside { index };
        let coefficients = elements(self.field(), rows).map_err(outside)?;
        Ok(AnyPoly::new::<F>(Poly::new(coefficients)))
    }

    /// The same of rows in words of any size, which are copied.
    ///
    /// # Errors
    /// As [`AnyPolyRing::polynomial`].
    pub fn polynomial_of(&self, rows: WordRows<'_>) -> Result<AnyPoly, PolyError> {
        let outside = |index| PolyError::CoefficientOutside { index };
        let coefficients = copied(self.field(), rows).map_err(outside)?;
        Ok(AnyPoly::new::<F>(Poly::new(coefficients)))
    }

    /// The polynomial that a text says: as [`PolyRing::parse`].
    ///
    /// # Errors
    /// As [`PolyRing::parse`].
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let ring = AnyPolyRing::new(&AnyField::modulo_word(7)?);
    /// let f = ring.parse("(3*x + 1)^2")?;
    /// assert_eq!(ring.text(&f, "t")?, "2*t^2 + 6*t + 1");
    /// # Ok::<(), sunzi::Error>(())
    /// ```
    pub fn parse(&self, text: &str) -> Result<AnyPoly, ParsePolyError> {
        Ok(AnyPoly::new::<F>(self.parse(text)?))
    }

    /// The polynomial in a variable as text, the highest power first; coefficients are the least non-negative integers.
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn text(&self, f: &AnyPoly, variable: &str) -> Result<String, PolyError> {
        Ok(self.bind(f.over::<F>()?.clone()).display_in(variable).to_string())
    }

    /// As [`PolyRing::random`].
    ///
    /// # Errors
    /// As [`PolyRing::random`].
    pub fn random(&self, len: usize, seed: u64) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.random(len, seed)?))
    }

    /// Whether two polynomials are equal.
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn are_equal(&self, a: &AnyPoly, b: &AnyPoly) -> Result<bool, PolyError> {
        Ok(a.over::<F>()? == b.over::<F>()?)
    }

    /// Whether a polynomial is over a field of the ring's type.
    ///
    /// # Errors
    /// [`PolyError::OtherField`] if it is not.
    pub fn check(&self, polynomial: &AnyPoly) -> Result<(), PolyError> {
        polynomial.over::<F>().map(|_| ())
    }

    /// As [`PolyRing::thresholds`].
    #[must_use]
    pub fn thresholds(&self) -> Thresholds {
        self.thresholds()
    }

    /// As [`PolyRing::plan`].
    #[must_use]
    pub fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        self.plan(len_a, len_b)
    }

    /// As [`PolyRing::plan_with`].
    ///
    /// # Errors
    /// As [`PolyRing::plan_with`].
    pub fn plan_with(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> Result<Plan, PolyError> {
        self.plan_with(algorithm, len_a, len_b)
    }

    /// `a · b`.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`], [`PolyError::OtherField`].
    pub fn mul(&self, a: &AnyPoly, b: &AnyPoly) -> Result<AnyPoly, PolyError> {
        let product = self.try_mul(a.over::<F>()?, b.over::<F>()?)?;
        Ok(AnyPoly::new::<F>(product))
    }

    /// `a · b` by the named algorithm.
    ///
    /// # Errors
    /// As [`PolyRing::mul_with`]; [`PolyError::OtherField`].
    pub fn mul_with(&self, algorithm: Algorithm, a: &AnyPoly, b: &AnyPoly) -> Result<AnyPoly, PolyError> {
        let product = self.mul_with(algorithm, a.over::<F>()?, b.over::<F>()?)?;
        Ok(AnyPoly::new::<F>(product))
    }

    /// `f · f`.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`], [`PolyError::OtherField`].
    pub fn sqr(&self, f: &AnyPoly) -> Result<AnyPoly, PolyError> {
        let f = f.over::<F>()?;
        Ok(AnyPoly::new::<F>(self.try_mul(f, f)?))
    }

    /// As [`PolyRing::convolve`], on rows in words of the field's size. Words that are no elements give unspecified ones.
    ///
    /// # Errors
    /// As [`PolyRing::convolve`]; [`PolyError::Field`] for words of another size.
    pub fn convolve(&self, out: WordRowsMut<'_>, a: WordRows<'_>, b: WordRows<'_>, convolution: Convolution) -> Result<(), PolyError> {
        let (out, [a, b]) = slices::<F>(out, [a, b])?;
        self.convolve(out, a, b, convolution)
    }

    /// Products of pairs: `out` gets the coefficients of all products, whose operands, of `len_a` and of `len_b` coefficients each, lie one
    /// after the other; all in words of the field's size, as [`PolyRing::mul_batch`]. Words that are no elements give unspecified ones.
    ///
    /// # Errors
    /// As [`PolyRing::mul_batch`]; [`PolyError::Field`] for words of another size.
    pub fn mul_batch(&self, out: WordRowsMut<'_>, a: WordRows<'_>, b: WordRows<'_>, len_a: usize, len_b: usize) -> Result<(), PolyError> {
        let (out, [a, b]) = slices::<F>(out, [a, b])?;
        self.mul_batch(out, a, b, len_a, len_b)
    }

    /// Quotient and remainder.
    ///
    /// # Errors
    /// As [`PolyRing::divrem`]; [`PolyError::OtherField`].
    pub fn divrem(&self, a: &AnyPoly, b: &AnyPoly) -> Result<[AnyPoly; 2], PolyError> {
        let (quotient, remainder) = self.divrem(a.over::<F>()?, b.over::<F>()?)?;
        Ok([quotient, remainder].map(AnyPoly::new::<F>))
    }

    /// What divides many polynomials.
    ///
    /// # Errors
    /// As [`Divisor::new`]; [`PolyError::OtherField`].
    pub fn divisor(&self, divisor: &AnyPoly) -> Result<AnyDivisor, PolyError> {
        let divisor = Divisor::new(self, divisor.over::<F>()?)?;
        Ok(AnyDivisor(Arc::new(divisor)))
    }

    /// The monic greatest common divisor.
    ///
    /// # Errors
    /// As [`PolyRing::gcd`]; [`PolyError::OtherField`].
    pub fn gcd(&self, a: &AnyPoly, b: &AnyPoly) -> Result<AnyPoly, PolyError> {
        let gcd = self.gcd(a.over::<F>()?, b.over::<F>()?)?;
        Ok(AnyPoly::new::<F>(gcd))
    }

    /// The monic greatest common divisor g, then s and t with g = s·a + t·b.
    ///
    /// # Errors
    /// As [`PolyRing::xgcd`]; [`PolyError::OtherField`].
    pub fn xgcd(&self, a: &AnyPoly, b: &AnyPoly) -> Result<[AnyPoly; 3], PolyError> {
        let found = self.xgcd(a.over::<F>()?, b.over::<F>()?)?;
        Ok([found.gcd, found.s, found.t].map(AnyPoly::new::<F>))
    }

    /// The row of the resultant.
    ///
    /// # Errors
    /// As [`PolyRing::resultant`]; [`PolyError::OtherField`].
    pub fn resultant(&self, a: &AnyPoly, b: &AnyPoly) -> Result<Vec<u64>, PolyError> {
        let resultant = self.resultant(a.over::<F>()?, b.over::<F>()?)?;
        Ok(F::into_rows(vec![resultant]))
    }

    /// The row of the discriminant.
    ///
    /// # Errors
    /// As [`PolyRing::discriminant`]; [`PolyError::OtherField`].
    pub fn discriminant(&self, f: &AnyPoly) -> Result<Vec<u64>, PolyError> {
        let discriminant = self.discriminant(f.over::<F>()?)?;
        Ok(F::into_rows(vec![discriminant]))
    }

    /// The row of the leading coefficient, and monic square-free factors with their multiplicities, which ascend.
    ///
    /// # Errors
    /// As [`PolyRing::square_free`]; [`PolyError::OtherField`].
    pub fn square_free(&self, f: &AnyPoly) -> Result<SquareFreeFactors<Vec<u64>, AnyPoly>, PolyError> {
        let found = self.square_free(f.over::<F>()?)?;
        let factors = found.factors.into_iter();
        let factors = factors.map(|(factor, multiplicity)| (AnyPoly::new::<F>(factor), multiplicity));
        Ok(SquareFreeFactors {
            leading: F::into_rows(vec![found.leading]),
            factors: factors.collect(),
        })
    }

    /// `a + b`.
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn add(&self, a: &AnyPoly, b: &AnyPoly) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.add(a.over::<F>()?, b.over::<F>()?)))
    }

    /// `a − b`.
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn sub(&self, a: &AnyPoly, b: &AnyPoly) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.sub(a.over::<F>()?, b.over::<F>()?)))
    }

    /// `−f`.
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn neg(&self, f: &AnyPoly) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.neg(f.over::<F>()?)))
    }

    /// The polynomial times the element of a row.
    ///
    /// # Errors
    /// [`PolyError::PointOutside`] for a row that is no element, [`PolyError::OtherField`].
    pub fn scale(&self, f: &AnyPoly, factor: &[u64]) -> Result<AnyPoly, PolyError> {
        let factor = element(self.field(), factor)?;
        Ok(AnyPoly::new::<F>(self.scale(f.over::<F>()?, factor)))
    }

    /// The multiple whose leading coefficient is 1; 0 of 0.
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn monic(&self, f: &AnyPoly) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.monic(f.over::<F>()?)))
    }

    /// The polynomial modulo x^n.
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn truncate(&self, f: &AnyPoly, n: usize) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.truncate(f.over::<F>()?, n)))
    }

    /// `f·x^k`.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`], [`PolyError::OtherField`].
    pub fn mul_power_of_x(&self, f: &AnyPoly, k: usize) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.mul_power_of_x(f.over::<F>()?, k)?))
    }

    /// The quotient of f by x^k.
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn div_power_of_x(&self, f: &AnyPoly, k: usize) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.div_power_of_x(f.over::<F>()?, k)))
    }

    /// `1/f` modulo x^n.
    ///
    /// # Errors
    /// As [`PolyRing::inverse_series`]; [`PolyError::OtherField`].
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let ring = AnyPolyRing::new(&AnyField::modulo_word(101)?);
    /// let inverse = ring.inverse_series(&ring.parse("1 - x")?, 4)?;
    /// assert_eq!(ring.text(&inverse, "x")?, "x^3 + x^2 + x + 1");
    /// # Ok::<(), sunzi::Error>(())
    /// ```
    pub fn inverse_series(&self, f: &AnyPoly, n: usize) -> Result<AnyPoly, PolyError> {
        let inverse = self.inverse_series(f.over::<F>()?.coefficients(), n)?;
        Ok(AnyPoly::new::<F>(Poly::new(inverse)))
    }

    /// `a/f` modulo x^n.
    ///
    /// # Errors
    /// As [`PolyRing::divide_series`]; [`PolyError::OtherField`].
    pub fn divide_series(&self, a: &AnyPoly, f: &AnyPoly, n: usize) -> Result<AnyPoly, PolyError> {
        let (a, f) = (a.over::<F>()?.coefficients(), f.over::<F>()?.coefficients());
        Ok(AnyPoly::new::<F>(Poly::new(self.divide_series(a, f, n)?)))
    }

    /// The row of the value at the element of a row.
    ///
    /// # Errors
    /// As [`PolyRing::evaluate_at`]; [`PolyError::OtherField`].
    pub fn evaluate_at(&self, f: &AnyPoly, point: &[u64]) -> Result<Vec<u64>, PolyError> {
        let point = element(self.field(), point)?;
        Ok(F::into_rows(vec![self.evaluate_at(f.over::<F>()?, point)?]))
    }

    /// `f^exponent`.
    ///
    /// # Errors
    /// As [`PolyRing::try_pow`]; [`PolyError::OtherField`].
    pub fn pow(&self, f: &AnyPoly, exponent: u64) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.try_pow(f.over::<F>()?, exponent)?))
    }

    /// As [`PolyRing::pow_bytes`].
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn pow_bytes(&self, f: &AnyPoly, exponent: u64) -> Result<u64, PolyError> {
        Ok(self.pow_bytes(f.over::<F>()?, exponent))
    }

    /// The derivative.
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn derivative(&self, f: &AnyPoly) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.derivative(f.over::<F>()?)))
    }

    /// The coefficients in the opposite order: as [`PolyRing::reverse`] by the degree.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`], [`PolyError::OtherField`].
    pub fn reverse(&self, f: &AnyPoly) -> Result<AnyPoly, PolyError> {
        let f = f.over::<F>()?;
        Ok(AnyPoly::new::<F>(self.reverse(f, f.degree().unwrap_or(0))?))
    }

    /// `f(g(x))`.
    ///
    /// # Errors
    /// As [`PolyRing::compose`]; [`PolyError::OtherField`].
    pub fn compose(&self, f: &AnyPoly, g: &AnyPoly) -> Result<AnyPoly, PolyError> {
        Ok(AnyPoly::new::<F>(self.compose(f.over::<F>()?, g.over::<F>()?)?))
    }

    /// As [`PolyRing::compose_bytes`].
    ///
    /// # Errors
    /// [`PolyError::OtherField`].
    pub fn compose_bytes(&self, f: &AnyPoly, g: &AnyPoly) -> Result<u64, PolyError> {
        Ok(self.compose_bytes(f.over::<F>()?, g.over::<F>()?))
    }

    /// `f(x + a)` for the element of a row.
    ///
    /// # Errors
    /// As [`PolyRing::taylor_shift`]; [`PolyError::PointOutside`] for a row that is no element, [`PolyError::OtherField`].
    pub fn taylor_shift(&self, f: &AnyPoly, a: &[u64]) -> Result<AnyPoly, PolyError> {
        let a = element(self.field(), a)?;
        Ok(AnyPoly::new::<F>(self.taylor_shift(f.over::<F>()?, a)?))
    }

    /// The tree over points, which are given by rows in words of any size.
    ///
    /// # Errors
    /// As [`AnyPolyRing::subproduct_tree`].
    pub fn subproduct_tree_of(&self, points: WordRows<'_>) -> Result<AnySubproductTree, PolyError> {
        let outside = |index| PolyError::PointOutside { index };
        let points = copied(self.field(), points).map_err(outside)?;
        Ok(AnySubproductTree(Arc::new(SubproductTree::new(self, &points)?)))
    }

    /// The tree over points, which are given by their rows.
    ///
    /// # Errors
    /// As [`SubproductTree::new`].
    pub fn subproduct_tree(&self, points: Vec<u64>) -> Result<AnySubproductTree, PolyError> {
        let outside = |index| PolyError::PointOutside { index };
        let points = elements(self.field(), points).map_err(outside)?;
        let tree = SubproductTree::new(self, &points)?;
        Ok(AnySubproductTree(Arc::new(tree)))
    }

    /// About how many bytes such a tree takes.
    #[must_use]
    pub fn tree_bytes(&self, points: usize) -> u64 {
        SubproductTree::bytes(self, points)
    }

    fn adapted(&self, thresholds: Thresholds) -> Arc<dyn Operations> {
        Arc::new(self.clone().with_thresholds(thresholds))
    }

    fn cut_by(&self, grain: Grain) -> Arc<dyn Operations> {
        Arc::new(self.clone().with_grain(grain))
    }

    fn transforms(&self, len: usize) -> Result<Arc<dyn Transforms>, DftError> {
        Ok(Arc::new(AnyLengthDft::new(self.field(), len)?))
    }

    fn transforms_at(&self, len: usize, root: &[u64]) -> Result<Arc<dyn Transforms>, PolyError> {
        let root = element(self.field(), root)?;
        Ok(Arc::new(AnyLengthDft::with_root(self.field(), len, root)?))
    }

    fn transform_bytes(&self, len: usize) -> Result<u64, DftError> {
        AnyLengthDft::working_bytes(self.field(), len)
    }
}

/// A slice that is written and two that are read.
type Slices<'w, E> = (&'w mut [E], [&'w [E]; 2]);

/// Elements where their words lie.
fn slices<'w, F: Rows>(
    out: WordRowsMut<'w>,
    [a, b]: [WordRows<'w>; 2],
) -> Result<Slices<'w, F::Elem>, PolyError> {
    let size = |found| PolyError::Field(FieldError::row_size::<F>(found, found / F::WIDTH));
    let found = out.len();
    let out = F::in_words(out).ok_or_else(|| size(found))?;
    let read = |words: WordRows<'w>| F::of_words(words).ok_or_else(|| size(words.len()));
    Ok((out, [read(a)?, read(b)?]))
}

/// The element of a row.
fn element<F: Rows>(field: &F, row: &[u64]) -> Result<F::Elem, PolyError> {
    let outside = PolyError::PointOutside { index: 0 };
    match elements(field, row.to_vec()) {
        Ok(elements) => match elements[..] {
            [element] => Ok(element),
            _ => Err(outside),
        },
        Err(_) => Err(outside),
    }
}
