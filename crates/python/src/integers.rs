//! Integers of any size: Python's, multiplied here, and a class whose objects keep their limbs.

use crate::Remade;
use crate::devices::on_device;
use crate::failure::{raised, room, wrong_value};
use crate::number::{Operand, integer, operand, own_integer, to_int};
use crate::run::run;
use pyo3::IntoPyObjectExt;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use sunzi::integer::TextError;

/// Bytes that computing a result takes, for each of its own: as products by transforms.
const TIMES: u64 = 9;

/// Nanoseconds that a product takes, about.
fn product_time(a: &sunzi::Integer, b: &sunzi::Integer) -> f64 {
    let [a, b] = [a, b].map(|integer| integer.magnitude().as_limbs().len() as f64);
    (0.6 * a * b).min(60.0 * (a + b))
}

/// The same of a quotient.
fn quotient_time(a: &sunzi::Integer, b: &sunzi::Integer) -> f64 {
    let [a, b] = [a, b].map(|integer| integer.magnitude().as_limbs().len() as f64);
    ((a - b).max(0.0) * b).min(150.0 * (a + b))
}

/// The same of a greatest common divisor, of text, of all that takes some products.
fn longer_time(integers: &[&sunzi::Integer]) -> f64 {
    let limbs: usize = integers
        .iter()
        .map(|integer| integer.magnitude().as_limbs().len())
        .sum();
    let limbs = limbs as f64;
    (0.3 * limbs * limbs).min(2000.0 * limbs)
}

/// a · b, of integers of any size.
#[pyfunction]
#[pyo3(signature = (a, b, /, *, device=None))]
pub(crate) fn mul<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    device: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let (a, b) = (integer(a)?, integer(b)?);
    to_int(py, &product(py, &a, &b, device)?)
}

/// a · a, of an integer of any size.
#[pyfunction]
#[pyo3(signature = (a, /, *, device=None))]
pub(crate) fn sqr<'py>(a: &Bound<'py, PyAny>, device: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let a = integer(a)?;
    to_int(py, &product(py, &a, &a, device)?)
}

/// A product, on the device that is named, if one is.
fn product(
    py: Python<'_>,
    a: &sunzi::Integer,
    b: &sunzi::Integer,
    device: Option<&str>,
) -> PyResult<sunzi::Integer> {
    match on_device(py, device)? {
        None => run(py, product_time(a, b), || a * b),
        Some(device) => device.one(py, |engine| engine.multiply_integers(&[[a, b]], None)),
    }
}

/// The products of two sequences of integers, one by one.
#[pyfunction]
#[pyo3(signature = (a, b, /, *, device=None))]
pub(crate) fn mul_many<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    device: Option<&str>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = a.py();
    let (a, b) = (items(a)?, items(b)?);
    let (a, b) = (integers(&a)?, integers(&b)?);
    if a.len() != b.len() {
        return Err(wrong_value(format!(
            "{} integers cannot be multiplied by {} one by one: give as many of both",
            a.len(),
            b.len()
        )));
    }
    let pairs = a.iter().zip(&b);
    let products = match on_device(py, device)? {
        None => {
            let pairs = pairs.map(|(a, b)| (&**a, &**b));
            let pairs = pairs.collect::<Vec<(&sunzi::Integer, &sunzi::Integer)>>();
            let time = pairs.iter().map(|(a, b)| product_time(a, b)).sum();
            run(py, time, || sunzi::integer::products(&pairs))?
        }
        Some(device) => {
            let pairs = pairs.map(|(a, b)| [&**a, &**b]).collect::<Vec<_>>();
            device.all(py, |engine| engine.multiply_integers(&pairs, None))?
        }
    };
    products.iter().map(|product| to_int(py, product)).collect()
}

fn items<'py>(sequence: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    sequence.try_iter()?.collect()
}

fn integers<'a>(items: &'a [Bound<'_, PyAny>]) -> PyResult<Vec<Operand<'a>>> {
    items.iter().map(integer).collect()
}

/// An integer's decimal digits, however many.
#[pyfunction]
#[pyo3(signature = (x, /))]
pub(crate) fn to_decimal(x: &Bound<'_, PyAny>) -> PyResult<String> {
    let x_value = integer(x)?;
    run(x.py(), longer_time(&[&x_value]), || x_value.to_string())
}

/// The integer that decimal digits stand for, however many.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn from_decimal<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    to_int(py, &parsed(py, text)?)
}

fn parsed(py: Python<'_>, text: &str) -> PyResult<sunzi::Integer> {
    // Nineteen digits a limb.
    let limbs = (text.len() / 19 + 1) as f64;
    let time = (0.3 * limbs * limbs).min(2000.0 * limbs);
    let parsed = run(py, time, || {
        // As Python has it: one underscore at a time, between digits.
        let text = text.trim();
        let parts = text.split('_');
        match text.contains('_')
            && parts
                .clone()
                .all(|part| part.ends_with(|c: char| c.is_ascii_digit()))
        {
            true => sunzi::Integer::from_str_radix(&parts.collect::<String>(), 10),
            false => sunzi::Integer::from_str_radix(text, 10),
        }
    })?;
    parsed.map_err(|error: TextError| raised(error))
}

/// An integer of any size that keeps its limbs: from one operation to the next nothing is converted.
#[pyclass(frozen, module = "sunzi")]
pub(crate) struct Integer(sunzi::Integer);

impl Integer {
    pub(crate) fn value(&self) -> &sunzi::Integer {
        &self.0
    }

    /// An operation with another integer, on its left if `reversed`; `NotImplemented` where the other operand is none.
    fn operated(
        &self,
        other: &Bound<'_, PyAny>,
        reversed: bool,
        time: fn(&sunzi::Integer, &sunzi::Integer) -> f64,
        operate: fn(&sunzi::Integer, &sunzi::Integer) -> sunzi::Integer,
    ) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(other) = operand(other)? else {
            return Ok(py.NotImplemented());
        };
        let (a, b) = ordered(&self.0, &other, reversed);
        Self(run(py, time(a, b), || operate(a, b))?).into_py_any(py)
    }

    /// The same of divisions, which are rounded down as Python's.
    fn divided(
        &self,
        other: &Bound<'_, PyAny>,
        reversed: bool,
        result: fn(Python<'_>, (Self, Self)) -> PyResult<Py<PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(other) = operand(other)? else {
            return Ok(py.NotImplemented());
        };
        let (a, b) = ordered(&self.0, &other, reversed);
        let found = run(py, quotient_time(a, b), || a.checked_div_rem_floor(b))?;
        let (quotient, remainder) = found.map_err(raised)?;
        result(py, (Self(quotient), Self(remainder)))
    }
}

impl Integer {
    /// Another number, shifted by this one.
    fn shifts(
        &self,
        shifted: &Bound<'_, PyAny>,
        shift: fn(&Self, &Bound<'_, PyAny>) -> PyResult<Self>,
    ) -> PyResult<Py<PyAny>> {
        let py = shifted.py();
        match operand(shifted)? {
            Some(number) => {
                let places = Bound::new(py, Self(self.0.clone()))?;
                shift(&Self(number.clone()), places.as_any())?.into_py_any(py)
            }
            None => Ok(py.NotImplemented()),
        }
    }
}

fn ordered<T>(this: T, other: T, reversed: bool) -> (T, T) {
    match reversed {
        true => (other, this),
        false => (this, other),
    }
}

fn sum_time(a: &sunzi::Integer, b: &sunzi::Integer) -> f64 {
    let [a, b] = [a, b].map(|integer| integer.magnitude().as_limbs().len());
    a.max(b) as f64
}

fn quotient(py: Python<'_>, (quotient, _): (Integer, Integer)) -> PyResult<Py<PyAny>> {
    quotient.into_py_any(py)
}

fn remainder(py: Python<'_>, (_, remainder): (Integer, Integer)) -> PyResult<Py<PyAny>> {
    remainder.into_py_any(py)
}

fn quotient_and_remainder(py: Python<'_>, found: (Integer, Integer)) -> PyResult<Py<PyAny>> {
    found.into_py_any(py)
}

#[pymethods]
impl Integer {
    /// The integer that an object is, or that a text stands for, however long.
    #[new]
    #[pyo3(signature = (value=None, /))]
    fn new(value: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(value) = value else {
            return Ok(Self(sunzi::Integer::ZERO));
        };
        match value.extract::<&str>() {
            Ok(text) => parsed(value.py(), text).map(Self),
            Err(_) => own_integer(value).map(Self),
        }
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, sum_time, |a, b| a + b)
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, sum_time, |a, b| a + b)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, sum_time, |a, b| a - b)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, sum_time, |a, b| a - b)
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, product_time, |a, b| a * b)
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, product_time, |a, b| a * b)
    }

    fn __floordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.divided(other, false, quotient)
    }

    fn __rfloordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.divided(other, true, quotient)
    }

    fn __mod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.divided(other, false, remainder)
    }

    fn __rmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.divided(other, true, remainder)
    }

    fn __divmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.divided(other, false, quotient_and_remainder)
    }

    fn __rdivmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.divided(other, true, quotient_and_remainder)
    }

    fn __pow__(
        &self,
        py: Python<'_>,
        exponent: &Bound<'_, PyAny>,
        modulus: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let modulus = match modulus.map(operand) {
            None => None,
            Some(found) => match found? {
                None => return Ok(py.NotImplemented()),
                found => found,
            },
        };
        let Some(exponent) = operand(exponent)? else {
            return Ok(py.NotImplemented());
        };
        let power = match &modulus {
            Some(modulus) => {
                let time = exponent.bit_len() as f64 * longer_time(&[modulus]);
                run(py, time, || self.0.try_pow_mod(&exponent, modulus))?
            }
            None => {
                let bits = self.0.bit_len() as u64;
                let exponent_word = u64::try_from(&*exponent).unwrap_or(u64::MAX);
                // Of 1, 0 and -1 all powers are short; what is too long for any memory is told below.
                if bits > 1 && exponent_word < 1 << 60 {
                    room((bits.saturating_mul(exponent_word) / 8).saturating_mul(TIMES))?;
                }
                let factor = f64::from(u32::try_from(&*exponent).unwrap_or(u32::MAX));
                let time = factor * longer_time(&[&self.0]);
                run(py, time, || self.0.try_pow(&exponent))?
            }
        };
        let power = power.map_err(raised)?;
        // Of the modulus' sign, as Python's.
        let power = match &modulus {
            Some(modulus) if modulus.is_negative() => {
                run(py, longer_time(&[modulus]), || power.rem_floor(modulus))?
            }
            _ => power,
        };
        Self(power).into_py_any(py)
    }

    fn __rpow__(
        &self,
        py: Python<'_>,
        base: &Bound<'_, PyAny>,
        modulus: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        match operand(base)? {
            Some(base) => {
                let exponent = Bound::new(py, Self(self.0.clone()))?;
                Self(base.clone()).__pow__(py, exponent.as_any(), modulus)
            }
            None => Ok(py.NotImplemented()),
        }
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, sum_time, |a, b| a & b)
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, sum_time, |a, b| a & b)
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, sum_time, |a, b| a | b)
    }

    fn __ror__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, sum_time, |a, b| a | b)
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, false, sum_time, |a, b| a ^ b)
    }

    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.operated(other, true, sum_time, |a, b| a ^ b)
    }

    fn __invert__(&self) -> Self {
        Self(!&self.0)
    }

    fn __lshift__(&self, places: &Bound<'_, PyAny>) -> PyResult<Self> {
        if self.0.is_zero() && not_negative(places)? != Some(0) {
            return Ok(Self(sunzi::Integer::ZERO));
        }
        let places = shift(places)?;
        room(places as u64 / 8)?;
        Ok(Self(&self.0 << places))
    }

    fn __rshift__(&self, places: &Bound<'_, PyAny>) -> PyResult<Self> {
        // Of more places nothing is left but the sign.
        let most = self.0.bit_len() + 1;
        let places = not_negative(places)?.map_or(most, |places| places.min(most));
        Ok(Self(&self.0 >> places))
    }

    fn __rlshift__(&self, shifted: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.shifts(shifted, Self::__lshift__)
    }

    fn __rrshift__(&self, shifted: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.shifts(shifted, Self::__rshift__)
    }

    fn __neg__(&self) -> Self {
        Self(-&self.0)
    }

    fn __pos__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __abs__(&self) -> Self {
        Self(self.0.abs())
    }

    fn __bool__(&self) -> bool {
        !self.0.is_zero()
    }

    fn __richcmp__(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        operator: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        match operand(other)? {
            Some(other) => operator.matches(self.0.cmp(&other)).into_py_any(py),
            None => Ok(py.NotImplemented()),
        }
    }

    /// As of an `int` of this value, so that either finds the other in sets.
    fn __hash__(&self) -> isize {
        const MODULUS: u64 = (1 << 61) - 1;
        let residue = self.0.magnitude() % MODULUS;
        let residue = isize::try_from(residue).unwrap_or(0);
        match self.0.is_negative() {
            true => -residue,
            false => residue,
        }
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_int(py, &self.0)
    }

    fn __index__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_int(py, &self.0)
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        to_int(py, &self.0)?.extract()
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        run(py, longer_time(&[&self.0]), || self.0.to_string())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        /// Of longer ones the ends are shown.
        const MOST: usize = 60;
        let text = self.__str__(py)?;
        Ok(match text.len() {
            ..=MOST => format!("Integer({text})"),
            len => format!(
                "Integer({}…{}: {} digits)",
                &text[..24],
                &text[len - 24..],
                len - usize::from(self.0.is_negative())
            ),
        })
    }

    fn _repr_latex_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("${}$", self.__str__(py)?))
    }

    fn __format__(&self, py: Python<'_>, form: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match form.extract::<&str>()? {
            "" | "d" => self.__str__(py)?.into_py_any(py),
            _ => {
                let int = to_int(py, &self.0)?;
                Ok(int.call_method1("__format__", (form,))?.unbind())
            }
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Remade<'py, (Bound<'py, PyAny>,)> {
        Ok((slf.get_type(), (to_int(slf.py(), &slf.get().0)?,)))
    }

    /// Bits of the absolute value, without leading zeros.
    fn bit_length(&self) -> usize {
        self.0.magnitude().bit_len()
    }

    /// The greatest common divisor with another integer; it is not negative.
    fn gcd(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let other = integer(other)?;
        let gcd = run(py, longer_time(&[&self.0, &other]), || self.0.gcd(&other))?;
        Ok(Self(gcd.into()))
    }

    /// The greatest common divisor g, and s and t with g = s·self + t·other.
    fn gcdext(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<(Self, Self, Self)> {
        let other = integer(other)?;
        let time = longer_time(&[&self.0, &other]);
        let (gcd, s, t) = run(py, time, || self.0.gcd_ext(&other))?;
        Ok((Self(gcd.into()), Self(s), Self(t)))
    }

    /// The largest integer whose square is not larger.
    fn isqrt(&self, py: Python<'_>) -> PyResult<Self> {
        self.iroot(py, 2)
    }

    /// The root of this degree, rounded towards 0.
    fn iroot(&self, py: Python<'_>, degree: u64) -> PyResult<Self> {
        let time = longer_time(&[&self.0]);
        let root = run(py, time, || self.0.try_root(&degree.into()))?;
        root.map(Self).map_err(raised)
    }

    fn _sympy_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let int = to_int(py, &self.0)?;
        py.import("sympy")?.call_method1("Integer", (int,))
    }

    fn __trunc__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_int(py, &self.0)
    }

    fn __ceil__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __floor__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }
}

fn shift(places: &Bound<'_, PyAny>) -> PyResult<usize> {
    let most = usize::MAX >> 4;
    let places = not_negative(places)?.filter(|&places| places < most);
    places.ok_or_else(|| PyMemoryError::new_err("no memory holds so many places"))
}

/// A number of places, if it is a word.
fn not_negative(places: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let places = integer(places)?;
    match places.is_negative() {
        true => Err(wrong_value("a shift by a negative number of places")),
        false => Ok(usize::try_from(&*places).ok()),
    }
}
