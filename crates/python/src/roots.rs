//! Real roots, proved to be alone in their intervals.

use crate::failure::{raised, room, wrong_type, wrong_value};
use crate::number::{own_integer, to_int};
use crate::run::run;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::{Mutex, MutexGuard, PoisonError};
use sunzi::Rational;
use sunzi::poly::Poly;
use sunzi::solve::{Dyadic, RealRoot};

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
    let limbs = numerator
        .magnitude()
        .as_limbs()
        .len()
        .max(denominator.magnitude().as_limbs().len());
    let time = (20.0 * limbs as f64 * limbs as f64).min(2000.0 * limbs as f64);
    let made = run(object.py(), time, || Rational::new(numerator, denominator))?;
    made.map_err(raised)
}

/// A `Fraction`.
pub(crate) fn to_fraction<'py>(
    py: Python<'py>,
    rational: &Rational,
) -> PyResult<Bound<'py, PyAny>> {
    let numerator = to_int(py, rational.numerator())?;
    let denominator = crate::number::natural_to_int(py, rational.denominator())?;
    let class = py
        .import(intern!(py, "fractions"))?
        .getattr(intern!(py, "Fraction"))?;
    // They are in lowest terms: `Fraction` would look for that in quadratic time.
    match class.getattr(intern!(py, "_from_coprime_ints")) {
        Ok(make) => make.call1((numerator, denominator)),
        Err(_) => class.call1((numerator, denominator)),
    }
}

/// What a pickle of a root has: the coefficients of the factor, the multiplicity, and mantissas and exponents of both ends.
type Stored<'py> = (
    Bound<'py, PyList>,
    usize,
    (Bound<'py, PyAny>, i64),
    (Bound<'py, PyAny>, i64),
);

/// The root that a pickle has.
#[pyfunction]
#[pyo3(name = "_root")]
pub(crate) fn stored_root(
    py: Python<'_>,
    factor: &Bound<'_, PyList>,
    multiplicity: usize,
    lower: (Bound<'_, PyAny>, i64),
    upper: (Bound<'_, PyAny>, i64),
) -> PyResult<Root> {
    let factor = factor.iter().map(|coefficient| own_integer(&coefficient));
    let factor = Poly::new(factor.collect::<PyResult<Vec<_>>>()?);
    if multiplicity == 0 {
        return Err(wrong_value(
            "this is no pickle of a root: it counts at least once",
        ));
    }
    let end = |(mantissa, exponent): (Bound<'_, PyAny>, i64)| {
        // Both ends are fractions for a while, and their differences.
        room(exponent.unsigned_abs())?;
        let end = Dyadic::try_new(own_integer(&mantissa)?, exponent);
        end.ok_or_else(|| wrong_value("this is no pickle of a root: an end has no room"))
    };
    let (lower, upper) = (end(lower)?, end(upper)?);
    let found = run(py, f64::MAX, || {
        RealRoot::alone_between(&factor, multiplicity, lower, upper)
    })?;
    let found = found.map_err(raised)?;
    found.map(Root::of).ok_or_else(|| {
        wrong_value("this is no pickle of a root: its interval has none, or several")
    })
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

    /// An end of the interval.
    fn end<'py>(
        &self,
        py: Python<'py>,
        end: fn(&RealRoot) -> &Dyadic,
    ) -> PyResult<Bound<'py, PyAny>> {
        let end = end(&self.root()).clone();
        to_fraction(py, &run(py, 1e3, || end.to_rational())?)
    }

    /// Nanoseconds that so many more bits of it take, about.
    fn time(&self, bits: f64) -> f64 {
        let degree = self.root().factor().len() as f64;
        100.0 * degree * (1.0 + bits / 64.0).powf(1.5)
    }
}

#[pymethods]
impl Root {
    /// The lower end of the interval.
    #[getter]
    fn lower<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.end(py, RealRoot::lower)
    }

    /// The upper end of the interval.
    #[getter]
    fn upper<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.end(py, RealRoot::upper)
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

    /// The root as a Fraction, or None if it is irrational.
    fn rational<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let root = self.root().clone();
        let rational = run(py, 1e5, || root.rational())?;
        rational
            .map(|rational| to_fraction(py, &rational))
            .transpose()
    }

    /// For mpmath.
    #[pyo3(signature = (precision, rounding, /))]
    fn _mpmath_<'py>(
        &self,
        py: Python<'py>,
        precision: i64,
        rounding: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // There are digits enough for each.
        let _ = rounding;
        // What is before the point does not count, nor do zeros behind it.
        let root = self.root().clone();
        let digits = usize::try_from(precision / 3 + 2).unwrap_or(2);
        let text = run(py, self.time(precision as f64), || root.to_decimal(digits))?;
        py.import("mpmath")?.call_method1("mpf", (text,))
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        let root = self.root().clone();
        run(py, self.time(64.0), || root.to_f64())
    }

    /// So many significant decimal digits, rounded.
    #[pyo3(signature = (digits, /))]
    fn digits(&self, py: Python<'_>, digits: usize) -> PyResult<String> {
        room(digits as u64)?;
        let root = self.root().clone();
        run(py, self.time(3.4 * digits as f64), || {
            root.to_decimal(digits)
        })
    }

    /// The same root in an interval of at most 2^-bits.
    #[pyo3(signature = (bits, /))]
    fn refine(&self, py: Python<'_>, bits: i64) -> PyResult<Self> {
        room(u64::try_from(bits).unwrap_or(0) / 2)?;
        let mut root = self.root().clone();
        Ok(Self::of(run(py, self.time(bits.max(0) as f64), || {
            root.refine(bits);
            root
        })?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Stored<'py>)> {
        let py = slf.py();
        let root = slf.get().root().clone();
        let factor = PyList::empty(py);
        for coefficient in root.factor().coefficients() {
            factor.append(to_int(py, coefficient)?)?;
        }
        let end = |end: &Dyadic| Ok::<_, PyErr>((to_int(py, end.mantissa())?, end.exponent()));
        let stored = (
            factor,
            root.multiplicity(),
            end(root.lower())?,
            end(root.upper())?,
        );
        let class = py.import("sunzi._sunzi")?.getattr("_root")?;
        Ok((class, stored))
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let digits = self.digits(py, 15)?;
        Ok(match self.multiplicity() {
            1 => format!("Root({digits})"),
            times => format!("Root({digits}, multiplicity={times})"),
        })
    }
}
