//! Sorting in linear time.

use crate::failure::{raised, wrong_type, wrong_value};
use crate::run::run;
use crate::sparse::places;
use crate::words::numpy;
use ::numpy::{
    Element, IntoPyArray, PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use sunzi::sort::{Key, PositionLists, sort as sort_keys, sort_by_gray_rank, sorting_permutation};

/// Nanoseconds that sorting takes, about.
fn time(keys: usize) -> f64 {
    20.0 * keys as f64
}

/// A vector of integers of some type, and what is done with it.
enum Keys<'py> {
    U8(Bound<'py, PyArray1<u8>>),
    U16(Bound<'py, PyArray1<u16>>),
    U32(Bound<'py, PyArray1<u32>>),
    U64(Bound<'py, PyArray1<u64>>),
    I8(Bound<'py, PyArray1<i8>>),
    I16(Bound<'py, PyArray1<i16>>),
    I32(Bound<'py, PyArray1<i32>>),
    I64(Bound<'py, PyArray1<i64>>),
}

macro_rules! each {
    ($keys:expr, $array:ident => $work:expr) => {
        match $keys {
            Keys::U8($array) => $work,
            Keys::U16($array) => $work,
            Keys::U32($array) => $work,
            Keys::U64($array) => $work,
            Keys::I8($array) => $work,
            Keys::I16($array) => $work,
            Keys::I32($array) => $work,
            Keys::I64($array) => $work,
        }
    };
}

/// A copy of a vector of integers.
fn keys<'py>(object: &Bound<'py, PyAny>) -> PyResult<Keys<'py>> {
    let py = object.py();
    let array = numpy(py)?.call_method1("array", (object,))?;
    let untyped = array.cast::<PyUntypedArray>()?;
    let form = untyped.dtype();
    let wrong = || {
        wrong_type(format!(
            "a vector of integers is sorted, not an array of {} dimensions of {form}",
            untyped.ndim()
        ))
    };
    let native = form.call_method1("newbyteorder", ("=",))?;
    let array = array.call_method1("astype", (native,))?;
    let array = numpy(py)?.call_method1("ascontiguousarray", (array,))?;
    if untyped.ndim() != 1 {
        return Err(wrong());
    }
    fn of<'py, K: Element>(array: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<K>>> {
        Ok(array.cast_into::<PyArray1<K>>()?)
    }
    Ok(match (form.kind(), form.itemsize()) {
        (b'u', 1) => Keys::U8(of(array)?),
        (b'u', 2) => Keys::U16(of(array)?),
        (b'u', 4) => Keys::U32(of(array)?),
        (b'u', 8) => Keys::U64(of(array)?),
        (b'i', 1) => Keys::I8(of(array)?),
        (b'i', 2) => Keys::I16(of(array)?),
        (b'i', 4) => Keys::I32(of(array)?),
        (b'i', 8) => Keys::I64(of(array)?),
        _ => return Err(wrong()),
    })
}

fn sorted<'py, K: Key + Element>(
    py: Python<'py>,
    array: Bound<'py, PyArray1<K>>,
) -> PyResult<Bound<'py, PyAny>> {
    {
        let mut keys = array.try_readwrite()?;
        let keys = keys.as_slice_mut()?;
        run(py, time(keys.len()), || sort_keys(keys))?;
    }
    Ok(array.into_any())
}

fn permutation<'py, K: Key + Element>(
    py: Python<'py>,
    array: &Bound<'py, PyArray1<K>>,
) -> PyResult<Bound<'py, PyAny>> {
    let keys = array.try_readonly()?;
    let keys = keys.as_slice()?;
    let found = run(py, time(keys.len()), || sorting_permutation(keys))?;
    Ok(found.map_err(raised)?.into_pyarray(py).into_any())
}

/// A sorted copy of a vector of integers, in linear time.
///
/// >>> sort([30, 10, 20, 10])
/// array([10, 10, 20, 30])
#[pyfunction]
#[pyo3(signature = (keys, /))]
pub(crate) fn sort<'py>(keys: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = keys.py();
    each!(self::keys(keys)?, array => sorted(py, array))
}

/// The indices in the order of the keys, as uint32; equal keys keep their order.
///
/// >>> argsort([30, 10, 20, 10])
/// array([1, 3, 2, 0], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (keys, /))]
pub(crate) fn argsort<'py>(keys: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = keys.py();
    each!(self::keys(keys)?, array => permutation(py, &array))
}

/// The indices of rows of zeros and ones in the order of their ranks as Gray codes, as uint32; equal rows keep their order. The rows
/// are those of a sparse matrix of SciPy, whose stored entries are the ones, or lists of the places of the ones, ascending.
///
/// >>> gray_sort([[0], [0, 1, 2], [0, 1], [1]])  # 100, 111, 110, 010
/// array([3, 2, 1, 0], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (rows, /))]
pub(crate) fn gray_sort<'py>(rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = rows.py();
    if rows.is_instance_of::<PyUntypedArray>() {
        return Err(wrong_type(
            "rows are those of a sparse matrix, or lists of the places of the ones: an array may be either",
        ));
    }
    let (starts, positions, bits) = match rows.hasattr("format")? && rows.hasattr("shape")? {
        true => {
            let places = places(rows)?;
            let bits = places.columns();
            let (starts, positions, _) = places.into_parts();
            (starts, positions, bits)
        }
        false => {
            let (mut starts, mut positions) = (vec![0], Vec::new());
            for row in rows.try_iter()? {
                positions.append(&mut row?.extract::<Vec<u32>>()?);
                starts.push(positions.len());
            }
            let bits = positions.iter().max().map_or(0, |&last| last as usize + 1);
            (starts, positions, bits)
        }
    };
    let bits = u32::try_from(bits).map_err(|_| wrong_value("rows have at most 2^32 - 1 places"))?;
    let found = run(py, time(positions.len() + starts.len()), || {
        let lists = PositionLists::new(&starts, &positions, bits)?;
        Ok::<_, sunzi::Error>(sort_by_gray_rank(&lists))
    })?;
    Ok(found.map_err(raised)?.into_pyarray(py).into_any())
}
