//! Real roots, proved to be alone in their intervals.

use crate::failure::wrong_type;
use crate::number::{own_integer, to_int};
use crate::run::run;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use sunzi::Rational;
use sunzi::solve::RealRoot;

/// Bits after the point that so many decimal digits take.
pub(crate) fn bits_of(digits: u32) -> i64 {
    // log2(10) is below 3.33.
    i64::from(digits) * 333 / 100 + 2
}

/// The rational number that an object is: an integer, or what has a numerator and a denominator.
pub(crate) fn rational(object: &Bound<'_, PyAny>) -> PyResult<Rational> {
    if object.hasattr("__index__")? {
        return Ok(own_integer(object)?.into());
    }
    if !object.hasattr("numerator")? || !object.hasattr("denominator")? {
        return Err(wrong_type(format!(
            "an integer or a Fraction is needed here, not '{}'",
            object.get_type().name()?
        )));
    }
    let numerator = own_integer(&object.getattr("numerator")?)?;
    let denominator = own_integer(&object.getattr("denominator")?)?;
    Rational::new(numerator, denominator).map_err(crate::failure::raised)
}

/// A `Fraction`.
pub(crate) fn to_fraction<'py>(
    py: Python<'py>,
    rational: &Rational,
) -> PyResult<Bound<'py, PyAny>> {
    let numerator = to_int(py, rational.numerator())?;
    let denominator = crate::number::natural_to_int(py, rational.denominator())?;
    let fractions = py.import("fractions")?;
    fractions.call_method1("Fraction", (numerator, denominator))
}

/// A real root of a polynomial over the integers, in an interval that has no other.
///
/// >>> root = Poly('x^2 - 2').real_roots()[1]
/// >>> root.digits(20)
/// '1.4142135623730950488'
/// >>> float(root)
/// 1.4142135623730951
#[pyclass(frozen, module = "sunzi")]
pub(crate) struct Root(Mutex<RealRoot>);

impl Root {
    pub(crate) fn of(root: RealRoot) -> Self {
        Self(Mutex::new(root))
    }

    fn root(&self) -> MutexGuard<'_, RealRoot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Root {
    /// The lower end of the interval.
    #[getter]
    fn lower<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_fraction(py, &self.root().lower().to_rational())
    }

    /// The upper end of the interval.
    #[getter]
    fn upper<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_fraction(py, &self.root().upper().to_rational())
    }

    /// How often the polynomial has it.
    #[getter]
    fn multiplicity(&self) -> usize {
        self.root().multiplicity()
    }

    /// Whether both ends of the interval are the root.
    #[getter]
    fn is_exact(&self) -> bool {
        self.root().is_point()
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        let root = self.root().clone();
        run(py, 1e4, || root.to_f64())
    }

    /// So many significant decimal digits, rounded.
    #[pyo3(signature = (digits, /))]
    fn digits(&self, py: Python<'_>, digits: usize) -> PyResult<String> {
        let root = self.root().clone();
        run(py, 1e4 + 1e3 * digits as f64, || root.to_decimal(digits))
    }

    /// The same root in an interval of at most 2^-bits.
    #[pyo3(signature = (bits, /))]
    fn refine(&self, py: Python<'_>, bits: i64) -> PyResult<Self> {
        let mut root = self.root().clone();
        let time = 1e4 + 300.0 * bits as f64;
        Ok(Self::of(run(py, time, || {
            root.refine(bits);
            root
        })?))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let digits = self.digits(py, 15)?;
        Ok(match self.multiplicity() {
            1 => format!("Root({digits})"),
            times => format!("Root({digits}, multiplicity={times})"),
        })
    }
}
