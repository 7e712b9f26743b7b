//! Rings of polynomials without a type parameter.

use std::any::Any;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use sunzi_dft::DftError;
use sunzi_field::{AnyField, Rows, any_operations, with_field};

use super::polynomial::{AnyPoly, elements};
use super::prepared::{AnyDft, AnyDivisor, AnySubproductTree, Transforms};
use crate::any_length::AnyLengthDft;
use crate::division::Divisor;
use crate::error::PolyError;
use crate::gcd::SquareFreeFactors;
use crate::multiplier::CoefficientField;
use crate::plan::{Algorithm, Plan};
use crate::poly::Poly;
use crate::ring::PolyRing;
use crate::thresholds::Thresholds;
use crate::tree::SubproductTree;

/// The ring of polynomials over a field that is known at run time only; clones share what it keeps.
///
/// ```
/// use sunzi_field::AnyField;
/// use sunzi_poly::AnyPolyRing;
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
    /// use sunzi_field::AnyField;
    /// use sunzi_poly::AnyPolyRing;
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
        let outside = |index| PolyError::PointOutside { index };
        let [a] = elements(self.field(), a.to_vec()).map_err(outside)?[..] else {
            return Err(outside(0));
        };
        Ok(AnyPoly::new::<F>(self.taylor_shift(f.over::<F>()?, a)?))
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

    fn transforms(&self, len: usize) -> Result<Arc<dyn Transforms>, DftError> {
        Ok(Arc::new(AnyLengthDft::new(self.field(), len)?))
    }

    fn transform_bytes(&self, len: usize) -> Result<u64, DftError> {
        AnyLengthDft::working_bytes(self.field(), len)
    }
}
