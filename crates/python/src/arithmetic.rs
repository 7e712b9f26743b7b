//! Operands of polynomials, and the operations that take two of one kind: over the integers or over one field.

use crate::failure::{raised, wrong_type, wrong_value};
use crate::number::{operand, to_int};
use crate::polynomials::Poly;
use crate::run::run;
use crate::words::element_to_int;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use sunzi::Integer;
use sunzi::field::WordRows;
use sunzi::poly::{AnyPoly, AnyPolyRing, IntegerPolyRing, PolyError};

pub(crate) type OverZ = sunzi::poly::Poly<Integer>;

/// What a polynomial is over.
#[derive(Clone)]
pub(crate) enum Value {
    Integers(OverZ),
    Modular(AnyPolyRing, AnyPoly),
}

/// Nanoseconds that it takes to read a text, about: a short one may stand for a long polynomial.
pub(crate) fn parsing_time(text: &str) -> f64 {
    match text.contains('(') && text.contains('^') {
        true => f64::MAX,
        false => 1e3 * text.len() as f64,
    }
}

/// Nanoseconds that a product of polynomials of these lengths over the field takes, about.
pub(crate) fn product_time(ring: &AnyPolyRing, a: usize, b: usize) -> f64 {
    let width = ring.field().width() as f64;
    let (a, b) = (a as f64, b as f64);
    width * width * (1.0 * a * b).min(10.0 * (a + b))
}

/// The same of quotients, and whatever takes some products.
pub(crate) fn quotient_time(ring: &AnyPolyRing, a: usize, b: usize) -> f64 {
    let width = ring.field().width() as f64;
    let (a, b) = (a as f64, b as f64);
    100.0 + width * width * (0.5 * a * b).min(15.0 * (a + b))
}

/// The same of greatest common divisors, and whatever takes many products.
pub(crate) fn gcd_time(ring: &AnyPolyRing, a: usize, b: usize) -> f64 {
    let width = ring.field().width() as f64;
    let (a, b) = (a as f64, b as f64);
    100.0 + width * width * (0.25 * a * b).min(300.0 * (a + b))
}

/// The same of values at so many points, or of what is precomputed for them.
pub(crate) fn points_time(ring: &AnyPolyRing, points: usize) -> f64 {
    let width = ring.field().width() as f64;
    100.0 + width * width * 80.0 * points as f64
}

/// Bits of all coefficients.
pub(crate) fn bits(f: &OverZ) -> f64 {
    let bits = f.coefficients().iter().map(|c| 1 + c.magnitude().bit_len());
    bits.sum::<usize>() as f64
}

impl Poly {
    pub(crate) fn integers(poly: OverZ) -> Self {
        Self(Value::Integers(poly))
    }

    /// A result over the field of the ring.
    pub(crate) fn modular(ring: &AnyPolyRing, poly: Result<AnyPoly, PolyError>) -> PyResult<Self> {
        let poly = poly.map_err(raised)?;
        Ok(Self(Value::Modular(ring.clone(), poly)))
    }

    /// An operand as a polynomial of the same kind: a polynomial, or a number; nothing else.
    pub(crate) fn other(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
        if let Ok(poly) = object.cast::<Self>() {
            return match (&self.0, &poly.get().0) {
                (Value::Integers(_), Value::Integers(_)) => Ok(Some(poly.get().0.clone())),
                (Value::Modular(ring, _), Value::Modular(other, _))
                    if ring.field() == other.field() =>
                {
                    Ok(Some(poly.get().0.clone()))
                }
                _ => Err(wrong_value(
                    "polynomials over different fields have nothing in common: make both over one",
                )),
            };
        }
        let Some(number) = operand(object)? else {
            return Ok(None);
        };
        Ok(Some(match &self.0 {
            Value::Integers(_) => Value::Integers(OverZ::new(vec![number.clone()])),
            Value::Modular(ring, _) => {
                let mut row = Vec::new();
                ring.field().push_integer(&*number, &mut row);
                let constant = ring.polynomial(row).map_err(raised)?;
                Value::Modular(ring.clone(), constant)
            }
        }))
    }

    /// The same where there must be one.
    pub(crate) fn another(&self, object: &Bound<'_, PyAny>) -> PyResult<Value> {
        let found = self.other(object)?;
        found.ok_or_else(|| wrong_type("a polynomial or an integer is needed here"))
    }

    /// Operates on two polynomials of one kind; over Z in about the time of a product, times a factor of their lengths.
    pub(crate) fn with(
        py: Python<'_>,
        (a, b): (&Value, &Value),
        time: impl Fn(&AnyPolyRing, usize, usize) -> f64,
        factor: fn(usize, usize) -> usize,
        over_z: impl FnOnce(&OverZ, &OverZ) -> Result<OverZ, PolyError> + Send,
        modular: impl FnOnce(&AnyPolyRing, &AnyPoly, &AnyPoly) -> Result<AnyPoly, PolyError> + Send,
    ) -> PyResult<Self> {
        match (a, b) {
            (Value::Integers(a), Value::Integers(b)) => {
                let levels = (a.len().min(b.len()) as f64).log2().max(1.0);
                let times = factor(a.len(), b.len()) as f64;
                let time = 0.07 * times * levels * (bits(a) + bits(b));
                let found = run(py, time, || over_z(a, b))?;
                Ok(Self::integers(found.map_err(raised)?))
            }
            (Value::Modular(ring, a), Value::Modular(_, b)) => {
                let time = time(ring, a.len(), b.len());
                let found = run(py, time, || modular(ring, a, b))?;
                Self::modular(ring, found)
            }
            _ => Err(wrong_type("polynomials of two kinds")),
        }
    }

    /// Operates on one polynomial, in a time that is proportional to its bits.
    pub(crate) fn one(
        &self,
        py: Python<'_>,
        over_z: impl FnOnce(&OverZ) -> Result<OverZ, PolyError> + Send,
        modular: impl FnOnce(&AnyPolyRing, &AnyPoly) -> Result<AnyPoly, PolyError> + Send,
    ) -> PyResult<Self> {
        match &self.0 {
            Value::Integers(f) => {
                let found = run(py, bits(f), || over_z(f))?;
                Ok(Self::integers(found.map_err(raised)?))
            }
            Value::Modular(ring, f) => {
                let time = (ring.field().width() * f.len()) as f64;
                let found = run(py, time, || modular(ring, f))?;
                Self::modular(ring, found)
            }
        }
    }

    /// The polynomial where it must be over the integers.
    pub(crate) fn over_z(&self) -> PyResult<&OverZ> {
        match &self.0 {
            Value::Integers(f) => Ok(f),
            Value::Modular(..) => Err(wrong_type(
                "this is known of polynomials over the integers only: make one without a field",
            )),
        }
    }

    /// The coefficient of a power of x.
    pub(crate) fn coefficient<'py>(
        &self,
        py: Python<'py>,
        power: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        if power >= self.__len__() {
            return 0.into_bound_py_any(py);
        }
        match &self.0 {
            Value::Integers(f) => to_int(py, &f[power]),
            Value::Modular(ring, f) => {
                let (width, words) = (ring.field().width(), f.words());
                let at = power * width..(power + 1) * width;
                match words {
                    WordRows::Words32(words) => words[power].into_bound_py_any(py),
                    WordRows::Words64(words) => element_to_int(py, ring.field(), &words[at]),
                }
            }
        }
    }

    /// The ring and the polynomial where it must be over a field.
    pub(crate) fn over_field(&self) -> PyResult<(&AnyPolyRing, &AnyPoly)> {
        match &self.0 {
            Value::Modular(ring, f) => Ok((ring, f)),
            Value::Integers(_) => Err(wrong_type(
                "this is known of polynomials over a field only: make one with a field, as Poly([1, 2], GF(97))",
            )),
        }
    }

    pub(crate) fn text(&self, py: Python<'_>) -> PyResult<String> {
        match &self.0 {
            Value::Integers(f) => {
                let longest = f
                    .coefficients()
                    .iter()
                    .map(|c| c.magnitude().bit_len())
                    .max();
                let time = 1e2 + bits(f) * (longest.unwrap_or(0) as f64).sqrt();
                run(py, time, || f.to_string())
            }
            Value::Modular(ring, f) => {
                let time = 1e2 * (f.len() * ring.field().width().pow(2)) as f64;
                run(py, time, || ring.text(f, "x"))?.map_err(raised)
            }
        }
    }
}

fn sum_time(ring: &AnyPolyRing, a: usize, b: usize) -> f64 {
    (ring.field().width() * a.max(b)) as f64
}

/// An operation on two polynomials of one kind.
pub(crate) type Operation<R> = fn(Python<'_>, &Value, &Value) -> PyResult<R>;

impl Poly {
    /// An operation with another operand, on its left if `reversed`; `NotImplemented` where that is no polynomial and no number.
    pub(crate) fn operated<R: for<'py> IntoPyObject<'py>>(
        &self,
        other: &Bound<'_, PyAny>,
        reversed: bool,
        operate: Operation<R>,
    ) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(other) = self.other(other)? else {
            return Ok(py.NotImplemented());
        };
        let found = match reversed {
            true => operate(py, &other, &self.0),
            false => operate(py, &self.0, &other),
        };
        found?.into_py_any(py)
    }
}

pub(crate) fn sum(py: Python<'_>, a: &Value, b: &Value) -> PyResult<Poly> {
    Poly::with(
        py,
        (a, b),
        sum_time,
        |_, _| 1,
        |a, b| Ok(a + b),
        AnyPolyRing::add,
    )
}

pub(crate) fn difference(py: Python<'_>, a: &Value, b: &Value) -> PyResult<Poly> {
    Poly::with(
        py,
        (a, b),
        sum_time,
        |_, _| 1,
        |a, b| Ok(a - b),
        AnyPolyRing::sub,
    )
}

pub(crate) fn product(py: Python<'_>, a: &Value, b: &Value) -> PyResult<Poly> {
    let over_z = |a: &OverZ, b: &OverZ| IntegerPolyRing::shared().try_mul(a, b);
    Poly::with(py, (a, b), product_time, |_, _| 1, over_z, AnyPolyRing::mul)
}

pub(crate) fn quotient(py: Python<'_>, a: &Value, b: &Value) -> PyResult<Poly> {
    match (a, b) {
        (Value::Integers(a), Value::Integers(b)) if !is_unit(b.coefficients().last()) => {
            let time = bits(a) * b.len() as f64;
            let found = run(py, time, || IntegerPolyRing::shared().div_exact(a, b))?;
            found.map(Poly::integers).map_err(raised)
        }
        _ => Ok(divided(py, a, b)?.0),
    }
}

/// Quotient and remainder.
pub(crate) fn divided(py: Python<'_>, a: &Value, b: &Value) -> PyResult<(Poly, Poly)> {
    match (a, b) {
        (Value::Modular(ring, a), Value::Modular(_, b)) => {
            let time = quotient_time(ring, a.len(), b.len());
            let [quotient, remainder] = run(py, time, || ring.divrem(a, b))?.map_err(raised)?;
            let new = |poly| Poly(Value::Modular(ring.clone(), poly));
            Ok((new(quotient), new(remainder)))
        }
        (Value::Integers(a), Value::Integers(b)) => {
            let time = bits(a) * b.len() as f64;
            let found = run(py, time, || IntegerPolyRing::shared().divrem(a, b))?;
            let (quotient, remainder) = found.map_err(raised)?;
            Ok((Poly::integers(quotient), Poly::integers(remainder)))
        }
        _ => Err(wrong_type("polynomials of two kinds")),
    }
}

/// Whether a leading coefficient is 1 or -1.
fn is_unit(leading: Option<&Integer>) -> bool {
    leading.is_some_and(|leading| leading.magnitude().is_one())
}

pub(crate) fn remainder(py: Python<'_>, a: &Value, b: &Value) -> PyResult<Poly> {
    Ok(divided(py, a, b)?.1)
}
