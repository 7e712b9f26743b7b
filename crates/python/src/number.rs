//! Python's integers as the library's, and back, through bytes: there is no other way that is the same in all Pythons.

use crate::failure::wrong_type;
use crate::integers::Integer as IntegerObject;
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyInt};
use pyo3::{ffi, intern};
use std::ops::Deref;
use sunzi::{Integer, Natural};

/// The integer that an argument is: in the object that keeps it, or made of Python's.
pub(crate) enum Operand<'a> {
    Kept(&'a Integer),
    Made(Integer),
}

impl Deref for Operand<'_> {
    type Target = Integer;

    fn deref(&self) -> &Integer {
        match self {
            Self::Kept(integer) => integer,
            Self::Made(integer) => integer,
        }
    }
}

/// The integer that an object is, or stands for by `__index__`.
pub(crate) fn integer<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Operand<'a>> {
    if let Ok(integer) = object.cast::<IntegerObject>() {
        return Ok(Operand::Kept(integer.get().value()));
    }
    Ok(Operand::Made(match object.cast::<PyInt>() {
        Ok(int) => of_int(int)?,
        Err(_) => of_int(index(object)?.cast::<PyInt>()?)?,
    }))
}

/// The same as an integer of its own.
pub(crate) fn own_integer(object: &Bound<'_, PyAny>) -> PyResult<Integer> {
    Ok(match integer(object)? {
        Operand::Kept(integer) => integer.clone(),
        Operand::Made(integer) => integer,
    })
}

/// The integer of an operand, or none where it is no integer.
pub(crate) fn operand<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<Operand<'a>>> {
    let is_integer = object.is_instance_of::<PyInt>()
        || object.is_instance_of::<IntegerObject>()
        || is_index(object)?;
    is_integer.then(|| integer(object)).transpose()
}

/// Whether an object's type has `__index__`, and it is no array of several entries.
pub(crate) fn is_index(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let has_index = object
        .get_type()
        .hasattr(intern!(object.py(), "__index__"))?;
    let array = object.cast::<PyUntypedArray>();
    Ok(has_index && array.map_or(true, |array| array.ndim() == 0))
}

fn index<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let found = object.call_method0(intern!(object.py(), "__index__"));
    found.map_err(|error| {
        let name = object.get_type().name();
        match name.as_ref().map(|name| name.to_string_lossy()) {
            Ok(name) if !object.hasattr("__index__").unwrap_or(true) => {
                wrong_type(format!("an integer is needed here, not '{name}'"))
            }
            _ => error,
        }
    })
}

fn of_int(int: &Bound<'_, PyInt>) -> PyResult<Integer> {
    if !int.is_exact_instance_of::<PyInt>() {
        // What a class of its own makes of the methods does not count.
        let plain = int
            .py()
            .get_type::<PyInt>()
            .getattr(intern!(int.py(), "__int__"))?;
        return of_int(plain.call1((int,))?.cast::<PyInt>()?);
    }
    match word(int) {
        Ok(word) => Ok(word.into()),
        Err(negative) => long(int, negative),
    }
}

/// The integer if it is a word, or else whether it is negative.
pub(crate) fn word(int: &Bound<'_, PyInt>) -> Result<i64, bool> {
    let mut overflow = 0;
    // SAFETY: the pointer is that of an integer, which lives as long as the reference to it; then there is no exception to be set.
    let word = unsafe { ffi::PyLong_AsLongLongAndOverflow(int.as_ptr(), &mut overflow) };
    match overflow {
        0 => Ok(word),
        _ => Err(overflow < 0),
    }
}

fn long(int: &Bound<'_, PyInt>, negative: bool) -> PyResult<Integer> {
    /// Bytes of integers that are not asked for their length, which takes longer than to convert them.
    const SHORT: usize = 64;
    let py = int.py();
    if let Ok(high) = word(int.rshift(64)?.cast::<PyInt>()?) {
        // SAFETY: the pointer is that of an integer, which lives as long as the reference to it; then there is no exception to be set.
        let low = unsafe { ffi::PyLong_AsUnsignedLongLongMask(int.as_ptr()) };
        return Ok((i128::from(high) << 64 | i128::from(low)).into());
    }
    let magnitude = match negative {
        true => int.neg()?,
        false => int.as_any().clone(),
    };
    let bytes = |count: usize| {
        magnitude.call_method1(intern!(py, "to_bytes"), (count, intern!(py, "little")))
    };
    let bytes = match bytes(SHORT) {
        Ok(bytes) => bytes,
        Err(_) => {
            let bits = magnitude.call_method0(intern!(py, "bit_length"))?;
            bytes(8 * bits.extract::<usize>()?.div_ceil(64))?
        }
    };
    let limbs = bytes.cast::<PyBytes>()?.as_bytes().as_chunks().0;
    let limbs = limbs.iter().map(|&limb| u64::from_le_bytes(limb)).collect();
    Ok(Integer::from_sign_magnitude(
        negative,
        Natural::from_limbs(limbs),
    ))
}

/// An integer of Python.
pub(crate) fn to_int<'py>(py: Python<'py>, integer: &Integer) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(word) = i64::try_from(integer) {
        return Ok(word.into_pyobject(py)?.into_any());
    }
    let int = natural_to_int(py, integer.magnitude())?;
    match integer.is_negative() {
        true => int.neg(),
        false => Ok(int),
    }
}

/// The same of a natural number.
pub(crate) fn natural_to_int<'py>(
    py: Python<'py>,
    natural: &Natural,
) -> PyResult<Bound<'py, PyAny>> {
    static FROM_BYTES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let limbs = natural.as_limbs();
    if let &[limb] = limbs {
        return Ok(limb.into_pyobject(py)?.into_any());
    }
    let bytes = PyBytes::new_with(py, 8 * limbs.len(), |bytes| {
        for (bytes, limb) in bytes.as_chunks_mut().0.iter_mut().zip(limbs) {
            *bytes = limb.to_le_bytes();
        }
        Ok(())
    })?;
    let from_bytes = FROM_BYTES.get_or_try_init(py, || {
        let from_bytes = py.get_type::<PyInt>().getattr(intern!(py, "from_bytes"))?;
        Ok::<_, PyErr>(from_bytes.unbind())
    })?;
    from_bytes.bind(py).call1((bytes, intern!(py, "little")))
}
