//! Prime fields: an object for each, and what is kept for all calls that name the same prime.

use crate::Remade;
use crate::failure::{raised, wrong_type, wrong_value};
use crate::integers::Integer;
use crate::number::{integer, to_int, word};
use crate::run::run;
use crate::words::{Out, OwnedRows, entries, to_ints};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use sunzi::field::{AnyField, FieldError, WordRows, WordRowsMut};
use sunzi::poly::AnyPolyRing;

/// Rings of this many fields are kept.
const KEPT: usize = 64;

/// The rings over fields of primes that are words. It is locked only by threads that have the interpreter's lock, so that no fork
/// finds it locked.
static RINGS: Mutex<Option<HashMap<u64, AnyPolyRing>>> = Mutex::new(None);

/// The ring of polynomials over the field that an argument names: a prime, its name or an expression, or a field.
pub(crate) fn ring(prime: &Bound<'_, PyAny>) -> PyResult<AnyPolyRing> {
    if let Ok(field) = prime.cast::<GF>() {
        return Ok(field.get().0.clone());
    }
    if let Ok(int) = prime.cast::<PyInt>()
        && let Ok(word) = word(int)
        && let Ok(word) = u64::try_from(word)
    {
        return ring_modulo(prime.py(), word);
    }
    let py = prime.py();
    let field = match prime.extract::<&str>() {
        Ok(text) => run(py, f64::MAX, || text.parse::<AnyField>())?,
        Err(_) => {
            let prime = integer(prime).map_err(|_| {
                wrong_type("a prime field is named by a prime, by a text as \"2^60-2^18+1\" or \"P8\", or by a GF")
            })?;
            run(py, f64::MAX, || AnyField::new(&*prime))?
        }
    };
    Ok(AnyPolyRing::new(&field.map_err(raised)?))
}

fn ring_modulo(py: Python<'_>, prime: u64) -> PyResult<AnyPolyRing> {
    let lock = || RINGS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(ring) = lock().as_ref().and_then(|rings| rings.get(&prime)) {
        return Ok(ring.clone());
    }
    let field = run(py, 0.0, || AnyField::modulo_word(prime))?;
    let ring = AnyPolyRing::new(&field.map_err(raised)?);
    let mut rings = lock();
    let rings = rings.get_or_insert_default();
    if rings.len() == KEPT {
        rings.clear();
    }
    rings.insert(prime, ring.clone());
    Ok(ring)
}

/// Forgets the rings that are kept.
pub(crate) fn forget_rings() {
    *RINGS.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// The prime field of a number, of a text as "2^60-2^18+1", or of a name as "P8".
///
/// >>> F = GF(97)
/// >>> F.mul([1, 2, 96], 50)
/// array([50,  3, 47], dtype=uint32)
/// >>> F.ints(F.inv([2, 3]))
/// [49, 65]
#[pyclass(frozen, module = "sunzi")]
pub(crate) struct GF(AnyPolyRing);

impl GF {
    pub(crate) const fn of(ring: AnyPolyRing) -> Self {
        Self(ring)
    }

    fn field(&self) -> &AnyField {
        self.0.field()
    }

    /// An array of the results of an operation on elements of both operands, one of which may be a single element.
    fn each<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        operate: fn(&AnyField, WordRowsMut<'_>, WordRows<'_>) -> Result<(), FieldError>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let field = self.field();
        let (a_rows, shape_a) = entries(a)?.into_rows(field)?;
        let (b_rows, shape_b) = entries(b)?.into_rows(field)?;
        let (a_rows, b_rows, shape) = match (shape_a.is_empty(), shape_b.is_empty()) {
            _ if shape_a == shape_b => (a_rows, b_rows, shape_a),
            (_, true) => (a_rows, b_rows.repeated(shape_a.iter().product()), shape_a),
            (true, _) => (a_rows.repeated(shape_b.iter().product()), b_rows, shape_b),
            _ => {
                return Err(wrong_value(format!(
                    "arrays of the shapes {shape_a:?} and {shape_b:?} have no entries that belong together"
                )));
            }
        };
        let time = 5.0 * b_rows.words().len() as f64;
        let change = |x: WordRowsMut<'_>| operate(field, x, b_rows.words());
        self.changed(a.py(), &a_rows, &shape, time, change)
    }

    /// An array of elements that are changed in place.
    fn changed<'py>(
        &self,
        py: Python<'py>,
        rows: &OwnedRows,
        shape: &[usize],
        time: f64,
        change: impl FnOnce(WordRowsMut<'_>) -> Result<(), FieldError> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut out = Out::new(py, self.field(), shape)?;
        let (field, mut words) = (self.field(), out.words_mut()?);
        let changed = run(py, time, || {
            field.copy_rows(rows.words(), words.reborrow())?;
            change(words)
        })?;
        changed.map_err(raised)?;
        Ok(out.into_object())
    }
}

#[pymethods]
impl GF {
    #[new]
    #[pyo3(signature = (prime, /))]
    fn new(prime: &Bound<'_, PyAny>) -> PyResult<Self> {
        ring(prime).map(Self)
    }

    /// The prime.
    #[getter]
    fn prime<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_int(py, &self.field().modulus::<sunzi::Integer>())
    }

    /// Digits of an element: 1, or k modulo r^k + 1, where they are the last dimension of arrays.
    #[getter]
    fn digits(&self) -> usize {
        self.field().width()
    }

    /// The type of entries: uint32 for primes below 2^31, else uint64.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let name = format!("uint{}", self.field().word_bits());
        crate::words::numpy(py)?.call_method1("dtype", (name,))
    }

    /// An array of the elements that numbers stand for; unsigned entries are refused from the prime on, unless they are to be
    /// reduced.
    #[pyo3(signature = (values, /, *, reduce=false))]
    fn array<'py>(&self, values: &Bound<'py, PyAny>, reduce: bool) -> PyResult<Bound<'py, PyAny>> {
        let entries = entries(values)?;
        let shape = entries.shape_in(self.field(), reduce)?;
        let mut out = Out::new(values.py(), self.field(), &shape)?;
        entries.write(self.field(), reduce, out.words_mut()?)?;
        Ok(out.into_object())
    }

    /// The least integers that are not negative of elements: a list for each dimension, or an integer.
    #[pyo3(signature = (elements, /))]
    fn ints<'py>(&self, elements: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = elements.py();
        let (rows, shape) = entries(elements)?.into_rows(self.field())?;
        let flat = to_ints(py, self.field(), rows.words())?;
        nested(&flat, &shape)
    }

    /// The sums of elements.
    #[pyo3(signature = (a, b, /))]
    fn add<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.each(a, b, AnyField::add_assign_rows)
    }

    /// The differences of elements.
    #[pyo3(signature = (a, b, /))]
    fn sub<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.each(a, b, AnyField::sub_assign_rows)
    }

    /// The products of elements.
    #[pyo3(signature = (a, b, /))]
    fn mul<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.each(a, b, AnyField::mul_assign_rows)
    }

    /// The inverses of elements; 0 has none.
    #[pyo3(signature = (a, /))]
    fn inv<'py>(&self, a: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let field = self.field();
        let (rows, shape) = entries(a)?.into_rows(field)?;
        let time = 12.0 * rows.words().len() as f64;
        self.changed(a.py(), &rows, &shape, time, |x| field.invert_rows(x))
    }

    /// The powers of elements by an exponent; a negative one is that of the inverse.
    #[pyo3(signature = (a, exponent, /))]
    fn pow<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        exponent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let field = self.field();
        let exponent = i64::try_from(&*integer(exponent)?);
        let exponent = exponent
            .map_err(|_| wrong_value("an exponent is a word here: from -2^63 to 2^63 - 1"))?;
        let (rows, shape) = entries(a)?.into_rows(field)?;
        let products = 64 - exponent.unsigned_abs().leading_zeros();
        let time = 5.0 * f64::from(2 * products + 2) * field.width() as f64;
        let time = time * rows.words().len() as f64;
        self.changed(a.py(), &rows, &shape, time, |mut x| {
            if exponent < 0 {
                field.invert_rows(x.reborrow())?;
            }
            field.power_rows(x, exponent.unsigned_abs())
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| other.get().field() == self.field())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.prime(py)?.hash()
    }

    pub(crate) fn __repr__(&self) -> String {
        match self.field().radix_and_digits() {
            Some((radix, digits)) if digits > 1 => format!("GF({radix}^{digits} + 1)"),
            _ => format!("GF({})", self.field()),
        }
    }

    fn _repr_latex_(&self) -> String {
        match self.field().radix_and_digits() {
            Some((radix, digits)) if digits > 1 => {
                format!(r"$\mathbb{{F}}_{{{radix}^{{{digits}}}+1}}$")
            }
            _ => format!(r"$\mathbb{{F}}_{{{}}}$", self.field()),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Remade<'py, (Bound<'py, PyAny>,)> {
        Ok((slf.get_type(), (slf.get().prime(slf.py())?,)))
    }
}

/// A flat list as lists of this shape.
fn nested<'py>(flat: &Bound<'py, PyList>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    match shape {
        [] => flat.get_item(0),
        [_] => Ok(flat.as_any().clone()),
        [rows, inner @ ..] => {
            let len: usize = inner.iter().product();
            let rows =
                (0..*rows).map(|row| nested(&flat.get_slice(row * len, (row + 1) * len), inner));
            Ok(PyList::new(flat.py(), rows.collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
    }
}

/// An element for an argument: of the field, a number, or the row of digits.
pub(crate) fn element(field: &AnyField, value: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<Integer>() {
        let mut row = Vec::new();
        field.push_integer(&*integer(value)?, &mut row);
        return Ok(row);
    }
    let (rows, shape) = entries(value)?.into_rows(field)?;
    match shape.is_empty() {
        true => Ok(rows.into_words64()),
        false => Err(wrong_value("a single element is needed here")),
    }
}
