//! Polynomials over a prime field or over the integers.

use crate::Remade;
use crate::arithmetic::{
    OverZ, Value, bits, difference, divided, gcd_time, parsing_time, points_time, product,
    product_time, quotient, quotient_time, remainder, sum,
};
use crate::devices::on_device;
use crate::failure::{raised, room, wrong_type, wrong_value};
use crate::fields::{GF, element, ring};
use crate::number::{integer, own_integer, to_int};
use crate::roots::Root;
use crate::run::run;
use crate::words::{Out, element_to_int, entries, numpy, shared_array, to_ints};
use pyo3::IntoPyObjectExt;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyTuple};
use sunzi::Integer;
use sunzi::poly::{AnyPolyRing, IntegerPolyRing};
use sunzi::solve::{RootSearch, discriminant, gcd, resultant, square_free, subresultants};

/// A polynomial, its coefficients from the constant term upward: over a prime field, or without one over the integers.
///
/// >>> f = Poly([-1, 0, 1], GF(97))
/// >>> f
/// Poly('x^2 + 96', GF(97))
/// >>> f.gcd(Poly([1, 1], GF(97)))
/// Poly('x + 1', GF(97))
/// >>> Poly('3*x^2 - 1') * Poly([0, 2])
/// Poly('6*x^3 - 2*x')
#[pyclass(frozen, module = "sunzi")]
pub(crate) struct Poly(pub(crate) Value);

/// A number, and factors with their multiplicities.
type Factors<'py> = (Bound<'py, PyAny>, Vec<(Poly, usize)>);

#[pymethods]
impl Poly {
    #[new]
    #[pyo3(signature = (coefficients, field=None, /))]
    fn new(coefficients: &Bound<'_, PyAny>, field: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = coefficients.py();
        if let Ok(poly) = coefficients.cast::<Self>() {
            let poly = poly.get();
            return match (&poly.0, field) {
                (value, None) => Ok(Self(value.clone())),
                (Value::Integers(f), Some(field)) => {
                    let ring = ring(field)?;
                    let mut rows = Vec::new();
                    for coefficient in f.coefficients() {
                        ring.field().push_integer(coefficient, &mut rows);
                    }
                    Self::modular(&ring, ring.polynomial(rows))
                }
                (Value::Modular(..), Some(_)) => Err(wrong_value(
                    "a polynomial over a field has no image over another one: make it from integers",
                )),
            };
        }
        let ring = field.map(ring).transpose()?;
        if let Ok(text) = coefficients.extract::<&str>() {
            let time = parsing_time(text);
            return match ring {
                Some(ring) => {
                    let poly = run(py, time, || ring.parse(text))?.map_err(raised)?;
                    Ok(Self(Value::Modular(ring, poly)))
                }
                None => {
                    let poly = run(py, time, || text.parse::<OverZ>())?;
                    Ok(Self::integers(poly.map_err(raised)?))
                }
            };
        }
        let entries = entries(coefficients)?;
        let Some(ring) = ring else {
            let (integers, shape) = entries.into_integers()?;
            check_vector(&shape)?;
            return Ok(Self::integers(OverZ::new(integers)));
        };
        check_vector(&entries.shape_in(ring.field(), false)?)?;
        let poly = match entries.words()? {
            // In one pass.
            Some(words) => ring.polynomial_of(words),
            None => {
                let (rows, _) = entries.into_rows(ring.field())?;
                ring.polynomial_of(rows.words())
            }
        };
        Self::modular(&ring, poly)
    }

    /// The field, or None of polynomials over the integers.
    #[getter]
    fn field(&self) -> Option<GF> {
        match &self.0 {
            Value::Modular(ring, _) => Some(GF::of(ring.clone())),
            Value::Integers(_) => None,
        }
    }

    /// The number of coefficients: the degree plus one, 0 of the zero polynomial.
    pub(crate) fn __len__(&self) -> usize {
        match &self.0 {
            Value::Integers(f) => f.len(),
            Value::Modular(_, f) => f.len(),
        }
    }

    fn __bool__(&self) -> bool {
        self.__len__() > 0
    }

    /// The degree; -1 of the zero polynomial.
    fn degree(&self) -> isize {
        self.__len__() as isize - 1
    }

    /// The coefficients as a list of int, from the constant term upward.
    fn coeffs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        match &self.0 {
            Value::Modular(ring, f) => to_ints(py, ring.field(), f.words()),
            Value::Integers(f) => {
                let ints = f.coefficients().iter().map(|c| to_int(py, c));
                PyList::new(py, ints.collect::<PyResult<Vec<_>>>()?)
            }
        }
    }

    /// The coefficient of a power of x, which is 0 from the length on.
    fn __getitem__<'py>(&self, py: Python<'py>, power: isize) -> PyResult<Bound<'py, PyAny>> {
        let Ok(power) = usize::try_from(power) else {
            return Err(PyIndexError::new_err(format!(
                "there is no power {power} of x"
            )));
        };
        self.coefficient(py, power)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.coeffs(py)?.try_iter()
    }

    fn __contains__(&self, py: Python<'_>, number: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.coeffs(py)?.contains(number)
    }

    /// The coefficients as an array: over a field one that shares the polynomial's memory, and cannot be written.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let is_copied = copy == Some(true);
        let array = match &slf.get().0 {
            Value::Modular(ring, f) => shared_array(slf, ring.field(), f.words(), f.len())?,
            Value::Integers(_) if copy == Some(false) => {
                return Err(wrong_value(
                    "coefficients over the integers are copied: copy=False is for polynomials over a field",
                ));
            }
            Value::Integers(_) => {
                let ints = slf.get().coeffs(py)?;
                numpy(py)?.call_method1("array", (ints, "object"))?
            }
        };
        match dtype {
            Some(dtype) => {
                let keywords = PyDict::new(py);
                keywords.set_item("copy", is_copied)?;
                if copy == Some(false) && !array.getattr("dtype")?.eq(dtype)? {
                    return Err(wrong_value(
                        "coefficients of another type are copied: copy=False is for that of the field",
                    ));
                }
                array.call_method("astype", (dtype,), Some(&keywords))
            }
            None if is_copied => array.call_method0("copy"),
            None => Ok(array),
        }
    }

    /// The coefficient of the highest power; 0 of the zero polynomial.
    fn leading_coefficient<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.coefficient(py, self.__len__().saturating_sub(1))
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Self> {
        self.one(py, |f| Ok(-f), AnyPolyRing::neg)
    }

    fn __pos__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, sum)
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, sum)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, difference)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, difference)
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, product)
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, product)
    }

    fn __floordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, quotient)
    }

    fn __rfloordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, quotient)
    }

    fn __mod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, remainder)
    }

    fn __rmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, remainder)
    }

    fn __divmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, divided)
    }

    fn __rdivmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, divided)
    }

    fn __pow__(
        &self,
        py: Python<'_>,
        exponent: &Bound<'_, PyAny>,
        modulus: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if modulus.is_some() {
            return Err(wrong_type("powers modulo a polynomial are not known yet"));
        }
        let exponent = integer(exponent)?;
        if exponent.is_negative() {
            return Err(wrong_value("a polynomial has no negative powers"));
        }
        let exponent = u64::try_from(&*exponent).unwrap_or(u64::MAX);
        let times = exponent as f64;
        match &self.0 {
            Value::Integers(f) => {
                // The result has so many times as many coefficients, which are so many times as long.
                let time = bits(f) * times * times;
                let ring = IntegerPolyRing::shared();
                let power = run(py, time, || ring.try_pow(f, exponent))?;
                power.map(Self::integers).map_err(raised)
            }
            Value::Modular(ring, f) => {
                let time = 4.0 * product_time(ring, f.len(), f.len()) * times;
                let power = run(py, time, || ring.pow(f, exponent))?;
                Self::modular(ring, power)
            }
        }
    }

    fn __richcmp__(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        operator: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        let is_same = match other.cast::<Self>() {
            Ok(other) => match (&self.0, &other.get().0) {
                (Value::Integers(a), Value::Integers(b)) => a == b,
                (Value::Modular(ring, a), Value::Modular(other, b)) => {
                    ring.field() == other.field() && ring.are_equal(a, b).map_err(raised)?
                }
                _ => false,
            },
            Err(_) => return Ok(py.NotImplemented()),
        };
        match operator {
            CompareOp::Eq => is_same.into_py_any(py),
            CompareOp::Ne => (!is_same).into_py_any(py),
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, self.coeffs(py)?)?.hash()
    }

    /// The value at a number, at each entry of an array, or the composition with a polynomial.
    #[pyo3(signature = (at, /))]
    fn __call__<'py>(&self, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = at.py();
        if let Ok(inner) = at.cast::<Self>() {
            let inner = self.another(inner)?;
            let composed = Self::with(
                py,
                (&self.0, &inner),
                |ring, a, b| gcd_time(ring, a.saturating_mul(b), a),
                |a, b| a.saturating_mul(b),
                |f, g| IntegerPolyRing::shared().compose(f, g),
                AnyPolyRing::compose,
            )?;
            return composed.into_bound_py_any(py);
        }
        match &self.0 {
            Value::Integers(f) => {
                let at = OverZ::new(vec![own_integer(at)?]);
                let time = bits(f) * bits(&at);
                let value = run(py, time, || IntegerPolyRing::shared().compose(f, &at))?;
                let value = value.map_err(raised)?;
                to_int(py, value.coefficients().first().unwrap_or(&Integer::ZERO))
            }
            Value::Modular(ring, f) => {
                let field = ring.field();
                let entries = entries(at)?;
                let (points, shape) = entries.into_rows(field)?;
                if shape.is_empty() {
                    let point = points.into_words64();
                    let value = run(py, quotient_time(ring, f.len(), 1), || {
                        ring.evaluate_at(f, &point)
                    })?;
                    return element_to_int(py, field, &value.map_err(raised)?);
                }
                let mut out = Out::new(py, field, &shape)?;
                let words = out.words_mut()?;
                let count = shape.iter().product();
                let time = 2.0 * points_time(ring, f.len().max(count));
                let done = run(py, time, || {
                    let tree = ring.subproduct_tree_of(points.words())?;
                    tree.evaluate_into(f, words)
                })?;
                done.map_err(raised)?;
                Ok(out.into_object())
            }
        }
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (text, field) = (self.text(py)?, self.field());
        let field = field.map_or_else(String::new, |field| format!(", {}", field.__repr__()));
        /// Of longer ones the ends are shown.
        const MOST: usize = 70;
        Ok(match text.len() {
            ..=MOST => format!("Poly('{text}'{field})"),
            len => format!("Poly('{} … {}'{field})", &text[..30], &text[len - 30..]),
        })
    }

    fn _repr_latex_(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py).map(|text| latex(&text))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Remade<'py, (Bound<'py, PyAny>, Option<GF>)> {
        let py = slf.py();
        let coefficients = match &slf.get().0 {
            Value::Integers(_) => slf.get().coeffs(py)?.into_any(),
            Value::Modular(..) => Self::__array__(slf, None, Some(true))?,
        };
        Ok((slf.get_type(), (coefficients, slf.get().field())))
    }

    /// The multiple whose leading coefficient is 1.
    fn monic(&self, py: Python<'_>) -> PyResult<Self> {
        let (ring, f) = self.over_field()?;
        let found = run(py, quotient_time(ring, 1, f.len()), || ring.monic(f))?;
        Self::modular(ring, found)
    }

    /// The derivative.
    fn derivative(&self, py: Python<'_>) -> PyResult<Self> {
        let ring = IntegerPolyRing::shared();
        self.one(py, |f| Ok(ring.derivative(f)), AnyPolyRing::derivative)
    }

    /// The polynomial times x^k; for a negative k, its quotient by x^-k.
    #[pyo3(signature = (k, /))]
    fn shift(&self, py: Python<'_>, k: isize) -> PyResult<Self> {
        let (up, places) = (k >= 0, k.unsigned_abs());
        let ring = IntegerPolyRing::shared();
        let over_z = |f: &OverZ| match up {
            true => ring.mul_power_of_x(f, places),
            false => Ok(ring.div_power_of_x(f, places)),
        };
        self.one(py, over_z, |ring, f| match up {
            true => ring.mul_power_of_x(f, places),
            false => ring.div_power_of_x(f, places),
        })
    }

    /// f(x + a).
    #[pyo3(signature = (a, /))]
    fn taylor_shift(&self, a: &Bound<'_, PyAny>) -> PyResult<Self> {
        match &self.0 {
            Value::Integers(f) => {
                let shift = integer(a)?;
                // Coefficients grow by the shift's bits with each power of x.
                let grown = 0.5 * (f.len() as f64).powi(2) * shift.bit_len() as f64;
                room((grown / 8.0) as u64)?;
                let time = bits(f) * f.len() as f64 + grown;
                let ring = IntegerPolyRing::shared();
                let found = run(a.py(), time, || ring.taylor_shift(f, &shift))?;
                found.map(Self::integers).map_err(raised)
            }
            Value::Modular(ring, f) => {
                let shift = element(ring.field(), a)?;
                let time = quotient_time(ring, f.len(), f.len());
                let found = run(a.py(), time, || ring.taylor_shift(f, &shift))?;
                Self::modular(ring, found)
            }
        }
    }

    /// The coefficients in the opposite order.
    fn reverse(&self, py: Python<'_>) -> PyResult<Self> {
        let ring = IntegerPolyRing::shared();
        self.one(py, |f| Ok(ring.reverse(f)), AnyPolyRing::reverse)
    }

    /// The polynomial modulo x^n.
    #[pyo3(signature = (n, /))]
    fn truncate(&self, py: Python<'_>, n: usize) -> PyResult<Self> {
        let over_z = |f: &OverZ| Ok(IntegerPolyRing::shared().truncate(f, n));
        self.one(py, over_z, |ring, f| ring.truncate(f, n))
    }

    /// 1/f modulo x^n.
    #[pyo3(signature = (n, /))]
    fn inverse_series(&self, py: Python<'_>, n: usize) -> PyResult<Self> {
        let (ring, f) = self.over_field()?;
        let found = run(py, quotient_time(ring, n, n), || ring.inverse_series(f, n))?;
        Self::modular(ring, found)
    }

    /// The product, as ``*`` has it, on a device if one is named.
    #[pyo3(signature = (other, /, *, device=None))]
    fn mul(&self, other: &Bound<'_, PyAny>, device: Option<&str>) -> PyResult<Self> {
        let (py, b) = (other.py(), self.another(other)?);
        match (on_device(py, device)?, &self.0, &b) {
            (Some(device), Value::Modular(ring, a), Value::Modular(_, b)) => {
                let product =
                    device.one(py, |engine| engine.multiply_residues(ring, &[[a, b]], None));
                Self::modular(ring, Ok(product?))
            }
            (Some(device), Value::Integers(a), Value::Integers(b)) => {
                let product = device.one(py, |engine| engine.multiply_polynomials(&[[a, b]], None));
                Ok(Self::integers(product?))
            }
            (_, a, b) => product(py, a, b),
        }
    }

    /// Quotient and remainder, as ``divmod`` has them, on a device if one is named.
    #[pyo3(signature = (other, /, *, device=None))]
    fn divmod(&self, other: &Bound<'_, PyAny>, device: Option<&str>) -> PyResult<(Self, Self)> {
        let (py, b) = (other.py(), self.another(other)?);
        match (on_device(py, device)?, &self.0, &b) {
            (Some(device), Value::Modular(ring, a), Value::Modular(_, b)) => {
                let [quotient, remainder] =
                    device.one(py, |engine| engine.divrem_all(ring, &[[a, b]]))?;
                let new = |poly| Self(Value::Modular(ring.clone(), poly));
                Ok((new(quotient), new(remainder)))
            }
            (device, a, b) => {
                if let Some(device) = device {
                    device.warn_of(py, "divisions over the integers")?;
                }
                divided(py, a, b)
            }
        }
    }

    /// The greatest common divisor: monic over a field, over the integers with a positive leading coefficient.
    #[pyo3(signature = (other, /, *, device=None))]
    fn gcd(&self, other: &Bound<'_, PyAny>, device: Option<&str>) -> PyResult<Self> {
        let (py, b) = (other.py(), self.another(other)?);
        let pair = (&self.0, &b);
        match (on_device(py, device)?, pair) {
            (Some(device), (Value::Modular(ring, a), Value::Modular(_, b))) => {
                let found = device.one(py, |engine| engine.gcd_all(ring, &[[a, b]]));
                return Self::modular(ring, Ok(found?));
            }
            (Some(device), _) => {
                device.warn_of(py, "greatest common divisors over the integers")?;
            }
            (None, _) => {}
        }
        let factor = |a: usize, b: usize| 4 + a.max(b) / 64;
        Self::with(py, pair, gcd_time, factor, gcd, AnyPolyRing::gcd)
    }

    /// The greatest common divisor g, and s and t with g = s·f + t·other.
    #[pyo3(signature = (other, /, *, device=None))]
    fn xgcd(&self, other: &Bound<'_, PyAny>, device: Option<&str>) -> PyResult<(Self, Self, Self)> {
        let py = other.py();
        let (ring, a) = self.over_field()?;
        let Value::Modular(_, b) = self.another(other)? else {
            return Err(wrong_type("a polynomial over a field is needed here"));
        };
        let [g, s, t] = match on_device(py, device)? {
            Some(device) => device.one(py, |engine| engine.xgcd_all(ring, &[[a, &b]]))?,
            None => {
                let time = gcd_time(ring, a.len(), b.len());
                run(py, time, || ring.xgcd(a, &b))?.map_err(raised)?
            }
        };
        let new = |poly| Self(Value::Modular(ring.clone(), poly));
        Ok((new(g), new(s), new(t)))
    }

    /// The resultant.
    #[pyo3(signature = (other, /, *, device=None))]
    fn resultant<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        device: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let device = on_device(py, device)?;
        match (&self.0, self.another(other)?) {
            (Value::Modular(ring, a), Value::Modular(_, b)) => {
                let found = match device {
                    Some(device) => {
                        device.one(py, |engine| engine.resultant_all(ring, &[[a, &b]]))?
                    }
                    None => {
                        let time = gcd_time(ring, a.len(), b.len());
                        run(py, time, || ring.resultant(a, &b))?.map_err(raised)?
                    }
                };
                element_to_int(py, ring.field(), &found)
            }
            (Value::Integers(a), Value::Integers(b)) => {
                if let Some(device) = device {
                    device.warn_of(py, "resultants over the integers")?;
                }
                let time = bits(a) * b.len() as f64 + bits(&b) * a.len() as f64;
                let found = run(py, 10.0 * time, || resultant(a, &b))?;
                to_int(py, &found.map_err(raised)?)
            }
            _ => Err(wrong_type("polynomials of two kinds")),
        }
    }

    /// The discriminant.
    fn discriminant<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.0 {
            Value::Modular(ring, f) => {
                let time = gcd_time(ring, f.len(), f.len());
                let found = run(py, time, || ring.discriminant(f))?;
                element_to_int(py, ring.field(), &found.map_err(raised)?)
            }
            Value::Integers(f) => {
                let time = 20.0 * bits(f) * f.len() as f64;
                let found = run(py, time, || discriminant(f))?;
                to_int(py, &found.map_err(raised)?)
            }
        }
    }

    /// The greatest common divisor of the coefficients; it is not negative.
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let f = self.over_z()?;
        let found = run(py, bits(f), || IntegerPolyRing::shared().content(f))?;
        to_int(py, &found)
    }

    /// The polynomial divided by its content.
    fn primitive_part(&self, py: Python<'_>) -> PyResult<Self> {
        let f = self.over_z()?;
        let ring = IntegerPolyRing::shared();
        let found = run(py, bits(f), || ring.primitive_part(f))?;
        Ok(Self::integers(found))
    }

    /// All subresultants with another polynomial, by their degrees downward.
    #[pyo3(signature = (other, /))]
    fn subresultants(&self, other: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        let f = self.over_z()?;
        let Value::Integers(g) = self.another(other)? else {
            return Err(wrong_type("a polynomial over the integers is needed here"));
        };
        let found = run(other.py(), f64::MAX, || subresultants(f, &g))?;
        let found = found.map_err(raised)?;
        Ok(found.into_iter().map(Self::integers).collect())
    }

    /// The content and the square-free factors with their multiplicities, as python-flint has them; over a field the leading
    /// coefficient and monic factors.
    fn factor_squarefree<'py>(&self, py: Python<'py>) -> PyResult<Factors<'py>> {
        match &self.0 {
            Value::Integers(f) => {
                let time = 0.05 * bits(f) * f.len() as f64;
                let found = run(py, time, || square_free(f))?;
                let found = found.map_err(raised)?;
                let factors = found.factors.into_iter();
                let factors = factors.map(|(factor, times)| (Self::integers(factor), times));
                Ok((to_int(py, &found.content)?, factors.collect()))
            }
            Value::Modular(ring, f) => {
                let time = gcd_time(ring, f.len(), f.len());
                let found = run(py, time, || ring.square_free(f))?;
                let found = found.map_err(raised)?;
                let new = |poly| Self(Value::Modular(ring.clone(), poly));
                let factors = found.factors.into_iter();
                let factors = factors.map(|(factor, times)| (new(factor), times));
                Ok((
                    element_to_int(py, ring.field(), &found.leading)?,
                    factors.collect(),
                ))
            }
        }
    }

    /// Draws the graph of a polynomial over the integers and its real roots on axes of matplotlib, new ones or these, from `within[0]` to
    /// `within[1]`, and gives the axes.
    #[pyo3(signature = (ax=None, within=None))]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        ax: Option<&Bound<'py, PyAny>>,
        within: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("sunzi._plot")?;
        module.call_method1("plot_poly", (slf, ax, within))
    }

    /// All real roots, ascending, each proved to be alone in its interval; or those from `within[0]` to `within[1]`. With
    /// `digits`, intervals that are small enough for so many decimal digits after the point.
    #[pyo3(signature = (digits=None, within=None))]
    fn real_roots(
        &self,
        py: Python<'_>,
        digits: Option<u32>,
        within: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    ) -> PyResult<Vec<Root>> {
        let f = self.over_z()?;
        let mut search = RootSearch::new();
        let mut time = 10.0 * bits(f) * f.len() as f64;
        if let Some((lower, upper)) = within {
            let [lower, upper] = [
                crate::roots::rational(&lower)?,
                crate::roots::rational(&upper)?,
            ];
            search = search.within(lower, upper);
        }
        if let Some(digits) = digits {
            let bits = crate::roots::bits_of(digits);
            room((bits as u64 / 4).saturating_mul(f.len() as u64))?;
            search = search.bits(bits);
            time *= 1.0 + bits as f64 / 64.0;
        }
        let roots = run(py, time, || search.of(f))?.map_err(raised)?;
        Ok(roots.iter().cloned().map(Root::of).collect())
    }
}

/// A polynomial's text for notebooks.
pub(crate) fn latex(text: &str) -> String {
    let text = text.replace('*', " ");
    let mut latex = String::new();
    // Exponents of several digits stand in braces.
    let mut parts = text.split('^');
    latex.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        latex.push_str(&format!("^{{{}}}{}", &part[..digits], &part[digits..]));
    }
    format!("${latex}$")
}

pub(crate) fn check_vector(shape: &[usize]) -> PyResult<()> {
    match shape {
        [_] => Ok(()),
        shape => Err(wrong_value(format!(
            "coefficients are a vector, and these have the shape {shape:?}"
        ))),
    }
}
