//! Dense linear algebra: modulo a prime, over the integers, over the rational numbers.

use crate::devices::on_device;
use crate::failure::{raised, wrong_value};
use crate::fields::ring;
use crate::number::to_int;
use crate::roots::{rational, to_fraction};
use crate::run::run;
use crate::words::{element_to_int, entries, numpy, to_array};
use ::numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use sunzi::field::AnyField;
use sunzi::matrix::float::{Pivoting, determinant};
use sunzi::matrix::{AnyDenseMatrix, DenseMatrix, IntegerDeterminant, MatrixError};
use sunzi::memory::Budget;
use sunzi::{Integer, Rational};

/// A matrix of whatever entries.
enum Matrix {
    Modular(AnyDenseMatrix),
    Integers(DenseMatrix<Integer>),
    Rationals(DenseMatrix<Rational>),
}

/// The matrix that an object holds; a vector is a column if that is asked for.
fn matrix(
    object: &Bound<'_, PyAny>,
    field: Option<&AnyField>,
    vector: bool,
) -> PyResult<(Matrix, bool)> {
    let shaped = |shape: &[usize]| match *shape {
        [rows, columns] => Ok((rows, columns, false)),
        [rows] if vector => Ok((rows, 1, true)),
        _ => Err(wrong_value(format!(
            "a matrix is needed here, and this has the shape {shape:?}"
        ))),
    };
    // Matrices of SymPy and of python-flint are lists of lists, too.
    let is_other = !object.is_instance_of::<PyUntypedArray>()
        && !object.is_instance_of::<PyList>()
        && object.hasattr("tolist")?;
    let object = match is_other {
        true => object.call_method0("tolist")?,
        false => object.clone(),
    };
    if let Some(field) = field {
        let (rows, shape) = entries(&object)?.into_rows(field)?;
        let (lines, columns, is_vector) = shaped(&shape)?;
        let matrix = AnyDenseMatrix::of_words(field, lines, columns, rows.words());
        return Ok((Matrix::Modular(matrix.map_err(raised)?), is_vector));
    }
    let read = entries(&object).and_then(|entries| entries.into_integers());
    match read {
        Ok((integers, shape)) => {
            let (rows, columns, is_vector) = shaped(&shape)?;
            let matrix = DenseMatrix::new(rows, columns, integers).map_err(raised)?;
            Ok((Matrix::Integers(matrix), is_vector))
        }
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
            let (rationals, shape) = rationals(&object).map_err(|_| error)?;
            let (rows, columns, is_vector) = shaped(&shape)?;
            let matrix = DenseMatrix::new(rows, columns, rationals).map_err(raised)?;
            Ok((Matrix::Rationals(matrix), is_vector))
        }
        Err(error) => Err(error),
    }
}

/// Rational entries and their shape.
fn rationals(object: &Bound<'_, PyAny>) -> PyResult<(Vec<Rational>, Vec<usize>)> {
    let array = numpy(object.py())?.call_method1("array", (object, "object"))?;
    let shape = array.getattr("shape")?.extract()?;
    let flat = array.call_method0("ravel")?;
    let rationals = flat.try_iter()?.map(|item| rational(&item?));
    Ok((rationals.collect::<PyResult<_>>()?, shape))
}

impl Matrix {
    fn shape(&self) -> (usize, usize) {
        match self {
            Self::Modular(matrix) => matrix.shape(),
            Self::Integers(matrix) => (matrix.rows(), matrix.columns()),
            Self::Rationals(matrix) => (matrix.rows(), matrix.columns()),
        }
    }

    /// Nanoseconds that elimination takes, about.
    fn time(&self) -> f64 {
        let (rows, columns) = self.shape();
        let products = rows as f64 * columns as f64 * rows.min(columns) as f64;
        // Of an entry's words, and what grows with them.
        let product = |bits: usize| (0.5 + bits as f64 / 64.0).powi(2);
        match self {
            Self::Modular(matrix) => 0.2 * products * matrix.field().width().pow(2) as f64,
            Self::Integers(matrix) => {
                let bits = matrix.entries().iter().map(Integer::bit_len).max();
                2.2 * products * product(bits.unwrap_or(0))
            }
            Self::Rationals(matrix) => {
                let entries = matrix.entries().iter();
                let bits = entries.map(|entry| {
                    let denominator = entry.denominator().bit_len();
                    denominator.max(entry.numerator().bit_len())
                });
                1e3 * products * product(bits.max().unwrap_or(0))
            }
        }
    }

    fn into_rationals(self) -> PyResult<DenseMatrix<Rational>> {
        match self {
            Self::Integers(matrix) => Ok(matrix.into()),
            Self::Rationals(matrix) => Ok(matrix),
            Self::Modular(_) => Err(wrong_value(
                "a matrix over the rational numbers is needed here",
            )),
        }
    }
}

/// An array of the entries of a matrix, or a vector of those of a column.
fn modular_array<'py>(
    py: Python<'py>,
    matrix: &AnyDenseMatrix,
    is_vector: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (rows, columns) = matrix.shape();
    let shape = if is_vector {
        vec![rows]
    } else {
        vec![rows, columns]
    };
    to_array(py, matrix.field(), matrix.word_rows(), &shape)
}

/// An array of objects.
pub(crate) fn array_of<'py, E>(
    py: Python<'py>,
    matrix: &DenseMatrix<E>,
    is_vector: bool,
    object: impl Fn(&E) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let objects = matrix.entries().iter().map(object);
    let objects = PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)?;
    let array = numpy(py)?.call_method1("array", (objects, "object"))?;
    match is_vector {
        true => array.call_method1("reshape", (matrix.rows(),)),
        false => array.call_method1("reshape", ((matrix.rows(), matrix.columns()),)),
    }
}

fn rational_array<'py>(
    py: Python<'py>,
    matrix: &DenseMatrix<Rational>,
    is_vector: bool,
) -> PyResult<Bound<'py, PyAny>> {
    array_of(py, matrix, is_vector, |entry| to_fraction(py, entry))
}

/// A matrix of integers.
pub(crate) fn integer_matrix(object: &Bound<'_, PyAny>) -> PyResult<DenseMatrix<Integer>> {
    match matrix(object, None, false)? {
        (Matrix::Integers(matrix), _) => Ok(matrix),
        _ => Err(wrong_value("a matrix of integers is needed here")),
    }
}

fn field_of(p: Option<&Bound<'_, PyAny>>) -> PyResult<Option<AnyField>> {
    p.map(|p| Ok(ring(p)?.field().clone())).transpose()
}

/// The determinant: modulo p, or exactly, an int of integers and a Fraction of rational numbers.
#[pyfunction]
#[pyo3(signature = (a, p=None, *, device=None))]
pub(crate) fn det<'py>(
    a: &Bound<'py, PyAny>,
    p: Option<&Bound<'py, PyAny>>,
    device: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let device = on_device(py, device)?;
    let field = field_of(p)?;
    let (matrix, _) = matrix(a, field.as_ref(), false)?;
    let time = matrix.time();
    match matrix {
        Matrix::Modular(matrix) => {
            let field = matrix.field().clone();
            let found = match device {
                Some(device) => device.one(py, |engine| engine.determinants(&[&matrix]))?,
                None => run(py, time, || matrix.determinant())?.map_err(raised)?,
            };
            element_to_int(py, &field, &found)
        }
        Matrix::Integers(matrix) => {
            let found = match device {
                Some(device) => {
                    let how = IntegerDeterminant::new();
                    let known =
                        device.one(py, |engine| engine.integer_determinants(how, &[&matrix]));
                    known?.value
                }
                None => run(py, time, || matrix.determinant())?.map_err(raised)?,
            };
            to_int(py, &found)
        }
        Matrix::Rationals(matrix) => {
            if let Some(device) = device {
                device.warn_of(py, "determinants of rational numbers")?;
            }
            let found = run(py, time, || matrix.determinant())?;
            to_fraction(py, &found.map_err(raised)?)
        }
    }
}

/// The determinant of a matrix of doubles as (sign, mantissa, exponent): sign · mantissa · 2^exponent, the mantissa from 1 to 2, or 0.
/// It neither overflows nor underflows.
///
/// >>> det_float([[1e300, 0.0], [0.0, 1e300]])
/// (1, 1.1148556564758039, 1993)
#[pyfunction]
#[pyo3(signature = (a, /, *, device=None))]
pub(crate) fn det_float(a: &Bound<'_, PyAny>, device: Option<&str>) -> PyResult<(i8, f64, i64)> {
    let py = a.py();
    let device = on_device(py, device)?;
    let array = numpy(py)?.call_method1("array", (a, "float64"))?;
    let array = array.cast_into::<PyArrayDyn<f64>>()?;
    let &[rows, columns] = array.shape() else {
        return Err(wrong_value(format!(
            "a matrix is needed here, and this has the shape {:?}",
            array.shape()
        )));
    };
    let entries = array.to_vec()?;
    if entries.iter().any(|entry| !entry.is_finite()) {
        return Err(wrong_value(
            "a matrix with an infinite entry, or one that is no number, has no determinant",
        ));
    }
    let matrix = DenseMatrix::new(rows, columns, entries).map_err(raised)?;
    let time = 0.5 * rows as f64 * columns as f64 * rows as f64;
    let found = match device {
        Some(device) => {
            let pivoting = Pivoting::default();
            device.one(py, |engine| engine.float_determinants(pivoting, &[&matrix]))?
        }
        None => run(py, time, || determinant(&matrix))?,
    };
    let value = found.map_err(raised)?.value();
    let mantissa = value.mantissa();
    let sign = if mantissa == 0.0 {
        0
    } else {
        mantissa.signum() as i8
    };
    Ok((sign, mantissa.abs(), value.exponent()))
}

/// The rank.
#[pyfunction]
#[pyo3(signature = (a, p=None))]
pub(crate) fn rank(a: &Bound<'_, PyAny>, p: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let field = field_of(p)?;
    let (matrix, _) = matrix(a, field.as_ref(), false)?;
    let time = matrix.time();
    let found = match matrix {
        Matrix::Modular(matrix) => run(a.py(), time, || matrix.rank())?,
        Matrix::Integers(matrix) => run(a.py(), time, || matrix.rank())?,
        Matrix::Rationals(matrix) => run(a.py(), time, || matrix.rank())?,
    };
    found.map_err(raised)
}

/// What elimination makes of a matrix.
fn made<'py>(
    a: &Bound<'py, PyAny>,
    p: Option<&Bound<'py, PyAny>>,
    modular: impl FnOnce(AnyDenseMatrix) -> Result<AnyDenseMatrix, MatrixError> + Send,
    rational: impl FnOnce(DenseMatrix<Rational>) -> Result<DenseMatrix<Rational>, MatrixError> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let field = field_of(p)?;
    let (matrix, _) = matrix(a, field.as_ref(), false)?;
    let time = matrix.time();
    match matrix {
        Matrix::Modular(matrix) => {
            let found = run(py, time, || modular(matrix))?;
            modular_array(py, &found.map_err(raised)?, false)
        }
        matrix => {
            let matrix = matrix.into_rationals()?;
            let found = run(py, time, || rational(matrix))?;
            rational_array(py, &found.map_err(raised)?, false)
        }
    }
}

/// The inverse.
#[pyfunction]
#[pyo3(signature = (a, p=None))]
pub(crate) fn inv<'py>(
    a: &Bound<'py, PyAny>,
    p: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let modular = |matrix: AnyDenseMatrix| Ok(matrix.inverse()?.matrix);
    made(a, p, modular, |matrix| matrix.inverse())
}

/// Whether there is memory for a basis of the nullspace, with entries of so many bytes.
fn basis_room(rows: usize, columns: usize, bytes: usize) -> Result<(), MatrixError> {
    let entries = (columns as u64).saturating_mul(columns.saturating_sub(rows) as u64);
    Budget::system().require(entries.saturating_mul(bytes as u64))?;
    Ok(())
}

/// A basis of the vectors x with A·x = 0, as the columns of a matrix.
#[pyfunction]
#[pyo3(signature = (a, p=None))]
pub(crate) fn nullspace<'py>(
    a: &Bound<'py, PyAny>,
    p: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let modular = |matrix: AnyDenseMatrix| {
        let (rows, columns) = matrix.shape();
        let bytes = size_of::<u64>() * matrix.field().width();
        basis_room(rows, columns, bytes)?;
        Ok(matrix.nullspace()?.matrix)
    };
    made(a, p, modular, |matrix| {
        basis_room(matrix.rows(), matrix.columns(), size_of::<Rational>())?;
        matrix.nullspace()
    })
}

/// The reduced row echelon form.
#[pyfunction]
#[pyo3(signature = (a, p=None))]
pub(crate) fn rref<'py>(
    a: &Bound<'py, PyAny>,
    p: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let modular = |matrix: AnyDenseMatrix| Ok(matrix.reduced_row_echelon_form()?.matrix);
    made(a, p, modular, |matrix| {
        let elimination = sunzi::matrix::RationalElimination::new();
        Ok(elimination.reduced_row_echelon_form(&matrix)?.0)
    })
}

/// An x with A·x = b, b a vector or a matrix.
#[pyfunction]
#[pyo3(signature = (a, b, p=None))]
pub(crate) fn solve<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    p: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let field = field_of(p)?;
    let (a, _) = matrix(a, field.as_ref(), false)?;
    let (b, is_vector) = matrix(b, field.as_ref(), true)?;
    let time = a.time();
    match (a, b) {
        (Matrix::Modular(a), Matrix::Modular(b)) => {
            let found = run(py, time, || a.solve_any(&b))?.map_err(raised)?;
            modular_array(py, &found.matrix, is_vector)
        }
        (a, b) => {
            let (a, b) = (a.into_rationals()?, b.into_rationals()?);
            let found = run(py, time, || a.solve(&b))?.map_err(raised)?;
            rational_array(py, &found.matrix, is_vector)
        }
    }
}

/// The product of two matrices, or of a matrix and a vector.
#[pyfunction]
#[pyo3(signature = (a, b, p=None))]
pub(crate) fn matmul<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    p: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let field = field_of(p)?;
    let (a, _) = matrix(a, field.as_ref(), false)?;
    let (b, is_vector) = matrix(b, field.as_ref(), true)?;
    let time = a.time().max(b.time());
    match (a, b) {
        (Matrix::Modular(a), Matrix::Modular(b)) => {
            let found = run(py, time, || a.product(&b))?;
            modular_array(py, &found.map_err(raised)?, is_vector)
        }
        (Matrix::Integers(a), Matrix::Integers(b)) => {
            let found = run(py, time, || a.try_mul(&b))?;
            array_of(py, &found.map_err(raised)?, is_vector, |entry| {
                to_int(py, entry)
            })
        }
        (a, b) => {
            let (a, b) = (a.into_rationals()?, b.into_rationals()?);
            let found = run(py, time, || a.try_mul(&b))?;
            rational_array(py, &found.map_err(raised)?, is_vector)
        }
    }
}
