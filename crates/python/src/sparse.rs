//! Orders of sparse matrices, and the misses of their products in a cache.

use crate::failure::{raised, wrong_type, wrong_value};
use crate::fields::ring;
use crate::polynomials::check_vector;
use crate::run::run;
use crate::words::{Out, entries, numpy};
use ::numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sunzi::field::WordRows;
use sunzi::sparse::cache::{CacheShape, Replacement, Spmv, simulate};
use sunzi::sparse::reorder::{AutoOrdering, GrayOrdering, auto_ordering, gray_ordering};
use sunzi::sparse::{AnySparseMatrix, CsrMatrix, Permutation};

/// Words of a cache, and of its lines, where nothing else is said.
const WORDS: usize = 1 << 15;
const LINE: usize = 8;

/// Where a sparse matrix of SciPy, or one with the same attributes, has its entries.
pub(crate) fn places(matrix: &Bound<'_, PyAny>) -> PyResult<CsrMatrix<()>> {
    let matrix = canonical(matrix)?;
    let len = matrix.getattr("indices")?.len()?;
    with_values(&matrix, vec![(); len])
}

/// The matrix in compressed rows that ascend, and have no entry twice.
fn canonical<'py>(matrix: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let format = matrix
        .getattr("format")
        .and_then(|format| format.extract::<String>());
    let matrix = match format.as_deref() {
        Ok("csr") => matrix.clone(),
        Ok(_) => matrix.call_method0("tocsr")?,
        Err(_) => {
            return Err(wrong_type(format!(
                "a sparse matrix of SciPy is needed here, not '{}'",
                matrix.get_type().name()?
            )));
        }
    };
    let is_canonical = matrix.getattr("has_canonical_format");
    match is_canonical.and_then(|is_canonical| is_canonical.is_truthy()) {
        Ok(true) => Ok(matrix),
        _ => {
            let copy = matrix.call_method0("copy")?;
            copy.call_method0("sum_duplicates")?;
            Ok(copy)
        }
    }
}

/// How many entries a matrix stores, where some of them may be at one place.
fn entries_stored(matrix: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let format = matrix.getattr("format");
    let format = format.and_then(|format| format.extract::<String>());
    Ok(match format.unwrap_or_default().as_str() {
        "coo" | "csr" | "csc" => Some(matrix.getattr("data")?.len()?),
        _ => None,
    })
}

/// A copy of a vector, which may be strided.
fn contiguous(vector: &Bound<'_, PyArray1<f64>>) -> PyResult<Vec<f64>> {
    Ok(vector.try_readonly()?.as_array().to_vec())
}

/// A canonical matrix with these values. Its indices are copied once, and checked then: others may write to arrays of NumPy while
/// the library works, and its kernels trust them.
fn with_values<T>(matrix: &Bound<'_, PyAny>, values: Vec<T>) -> PyResult<CsrMatrix<T>> {
    let (rows, columns): (usize, usize) = matrix.getattr("shape")?.extract()?;
    let starts = indices(&matrix.getattr("indptr")?)?;
    let indices = indices(&matrix.getattr("indices")?)?;
    CsrMatrix::new(rows, columns, starts, indices, values).map_err(raised)
}

/// A copy of a vector of indices, of 32 bits or of 64.
fn indices<I: TryFrom<i32> + TryFrom<i64>>(vector: &Bound<'_, PyAny>) -> PyResult<Vec<I>> {
    fn all<I: TryFrom<W>, W: Element + Copy>(vector: &Bound<'_, PyArray1<W>>) -> PyResult<Vec<I>> {
        let vector = vector.try_readonly()?;
        let indices = vector
            .as_array()
            .into_iter()
            .map(|&index| I::try_from(index));
        let indices: Result<Vec<_>, _> = indices.collect();
        indices.map_err(|_| {
            wrong_value("the indices of the matrix are none of a matrix of this shape")
        })
    }
    if let Ok(vector) = vector.cast::<PyArray1<i32>>() {
        return all(vector);
    }
    let vector = numpy(vector.py())?.call_method1("asarray", (vector, "int64"))?;
    all(vector.cast::<PyArray1<i64>>()?)
}

/// Orders of the rows and of the columns of a sparse matrix in which its product misses x in the cache less: indices for
/// ``A[rows][:, columns]``. The method is "auto", which counts misses in a cache of so many words of 8 bytes and in lines of so many, and
/// may keep the matrix as it is; "gray", "bipartite", "bordered", or "rcm" of a square matrix.
#[pyfunction]
#[pyo3(
    signature = (matrix, method="auto", words=WORDS, line=LINE),
    text_signature = "(matrix, method='auto', words=32768, line=8)"
)]
pub(crate) fn reorder<'py>(
    matrix: &Bound<'py, PyAny>,
    method: &str,
    words: usize,
    line: usize,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let py = matrix.py();
    let places = places(matrix)?;
    let cache = CacheShape::new(words, line).map_err(raised)?;
    if method == "rcm" && places.rows() != places.columns() {
        return Err(wrong_value(
            "the order rcm is of square matrices: bipartite is like it for others",
        ));
    }
    let found = run(py, f64::MAX, || {
        Ok::<_, sunzi::Error>(match method {
            "auto" => {
                let choice = auto_ordering(&places, &AutoOrdering::new(cache))?;
                Some((choice.rows, choice.columns))
            }
            "gray" => {
                let found = gray_ordering(&places, &GrayOrdering::default())?;
                Some((found.rows, found.columns))
            }
            "bipartite" => Some(places.bipartite_cuthill_mckee()),
            "bordered" => Some(places.bordered_cuthill_mckee()),
            "rcm" => Some(places.reverse_cuthill_mckee()),
            _ => None,
        })
    })?;
    let array = |order: Permutation| order.into_order().into_pyarray(py).into_any();
    match found.map_err(raised)? {
        Some((rows, columns)) => Ok((array(rows), array(columns))),
        None => Err(wrong_value(format!(
            "the method is \"auto\", \"gray\", \"bipartite\", \"bordered\" or \"rcm\", not \"{method}\""
        ))),
    }
}

/// What the product of a sparse matrix by a vector finds in a cache of so many words of 8 bytes and in lines of so many: by the names
/// of its arrays, x among them, {"accesses", "misses", "cold"}. The cache drops the line that was used least recently ("lru"), or the one
/// that is needed last ("optimal").
#[pyfunction]
#[pyo3(
    signature = (matrix, words=WORDS, line=LINE, replacement="lru"),
    text_signature = "(matrix, words=32768, line=8, replacement='lru')"
)]
pub(crate) fn cache_misses<'py>(
    matrix: &Bound<'py, PyAny>,
    words: usize,
    line: usize,
    replacement: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let py = matrix.py();
    let places = places(matrix)?;
    let cache = CacheShape::new(words, line).map_err(raised)?;
    let replacement = match replacement {
        "lru" => Replacement::LeastRecentlyUsed,
        "optimal" => Replacement::Optimal,
        _ => {
            return Err(wrong_value(format!(
                "replacement is \"lru\" or \"optimal\", not \"{replacement}\""
            )));
        }
    };
    let report = run(py, f64::MAX, || {
        let starts = places.row_starts();
        let product = Spmv::new(starts, places.column_indices(), places.columns())?;
        simulate(&product, cache, replacement)
    })?;
    let arrays = PyDict::new(py);
    for array in report.map_err(raised)?.arrays {
        let counts = PyDict::new(py);
        counts.set_item("accesses", array.accesses)?;
        counts.set_item("misses", array.misses)?;
        counts.set_item("cold", array.cold)?;
        arrays.set_item(array.name, counts)?;
    }
    Ok(arrays)
}

/// The product of a sparse matrix of SciPy by a vector, on all threads: modulo p of a matrix and a vector of integers, without p of
/// doubles.
#[pyfunction]
#[pyo3(signature = (matrix, x, p=None))]
pub(crate) fn spmv<'py>(
    matrix: &Bound<'py, PyAny>,
    x: &Bound<'py, PyAny>,
    p: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = matrix.py();
    let stored = entries_stored(matrix)?;
    let matrix = canonical(matrix)?;
    let values = matrix.getattr("data")?;
    let Some(p) = p else {
        let (Ok(values), Ok(x)) = (values.cast::<PyArray1<f64>>(), x.cast::<PyArray1<f64>>())
        else {
            return Err(wrong_type(
                "without a prime, products are of a matrix of doubles (float64) and a vector of them: give p for integers",
            ));
        };
        let matrix = with_values(&matrix, contiguous(values)?)?;
        let x = contiguous(x)?;
        let time = 2.0 * matrix.column_indices().len() as f64;
        let product = run(py, time, || matrix.mul_vector(&x))?;
        return Ok(product.map_err(raised)?.into_pyarray(py).into_any());
    };
    if stored.is_some_and(|stored| values.len().is_ok_and(|len| len != stored)) {
        return Err(wrong_value(
            "the matrix has several entries at one place: sum them first, in a type that has room for it",
        ));
    }
    let ring = ring(p)?;
    let field = ring.field();
    let (rows, _) = entries(&values)?.into_rows(field)?;
    let (x, shape) = entries(x)?.into_rows(field)?;
    check_vector(&shape)?;
    let indices = (0..).take(matrix.getattr("indices")?.len()?).collect();
    let indices = with_values(&matrix, indices)?;
    let (rows, x) = (rows.into_words64(), x.into_words64());
    let time = (5 * field.width() * rows.len()) as f64;
    let product = run(py, time, || {
        AnySparseMatrix::new(field, indices, rows)?.mul_vector(&x)
    })?;
    let product = product.map_err(raised)?;
    let mut out = Out::new(py, field, &[product.len() / field.width()])?;
    field
        .copy_rows(WordRows::Words64(&product), out.words_mut()?)
        .map_err(raised)?;
    Ok(out.into_object())
}
