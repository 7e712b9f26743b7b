//! Convolutions, plain, cyclic and negacyclic, over a prime field or over the integers.

use crate::arithmetic::{OverZ, bits, product_time};
use crate::failure::{raised, wrong_value};
use crate::fields::ring;
use crate::number::to_int;
use crate::run::run;
use crate::words::{Out, entries, numpy};
use pyo3::prelude::*;
use pyo3::types::PyList;
use sunzi::poly::IntegerPolyRing;
use sunzi::transform::Convolution;

/// The convolution of two vectors, as elements of the field modulo p; without p, as integers. Modulo x^n − 1 with
/// mode="cyclic", modulo x^n + 1 with mode="negacyclic", n the length of both.
#[pyfunction]
#[pyo3(signature = (a, b, p=None, mode="full"))]
pub(crate) fn convolve<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    p: Option<&Bound<'py, PyAny>>,
    mode: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let convolution = match mode {
        "full" => Convolution::Plain,
        "cyclic" => Convolution::Cyclic,
        "negacyclic" => Convolution::Negacyclic,
        _ => {
            return Err(wrong_value(format!(
                "mode is \"full\", \"cyclic\" or \"negacyclic\", not \"{mode}\""
            )));
        }
    };
    let Some(p) = p else {
        return convolved_integers(a, b, convolution);
    };
    let ring = ring(p)?;
    let field = ring.field();
    let [(a, shape_a), (b, shape_b)] =
        [entries(a)?.into_rows(field)?, entries(b)?.into_rows(field)?];
    let len = convolution_len(convolution, &shape_a, &shape_b)?;
    let mut out = Out::new(py, field, &[len])?;
    let words = out.words_mut()?;
    let time = product_time(&ring, a.words().len(), b.words().len());
    let done = run(py, time, || {
        ring.convolve(words, a.words(), b.words(), convolution)
    })?;
    done.map_err(raised)?;
    Ok(out.into_object())
}

/// The length of a convolution of vectors of these shapes.
fn convolution_len(convolution: Convolution, a: &[usize], b: &[usize]) -> PyResult<usize> {
    match (convolution, a, b) {
        (Convolution::Plain, &[0], &[_]) | (Convolution::Plain, &[_], &[0]) => Ok(0),
        (Convolution::Plain, &[a], &[b]) => Ok(a + b - 1),
        (_, &[a], &[b]) if a == b => Ok(a),
        (Convolution::Plain, ..) => Err(wrong_value("two vectors are needed here")),
        _ => Err(wrong_value(
            "a cyclic or negacyclic convolution is of two vectors of the same length",
        )),
    }
}

/// The convolution of two vectors of integers, as an array of objects.
fn convolved_integers<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    convolution: Convolution,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let (a, shape_a) = entries(a)?.into_integers()?;
    let (b, shape_b) = entries(b)?.into_integers()?;
    let len = convolution_len(convolution, &shape_a, &shape_b)?;
    let (a, b) = (OverZ::new(a), OverZ::new(b));
    let time = 0.1 * (bits(&a) + bits(&b)) * (len.max(2) as f64).log2();
    let ring = IntegerPolyRing::shared();
    let found = run(py, time, || ring.convolve(len, &a, &b, convolution))?;
    let found = found.map_err(raised)?;
    let ints = found.iter().map(|integer| to_int(py, integer));
    let ints = PyList::new(py, ints.collect::<PyResult<Vec<_>>>()?)?;
    numpy(py)?.call_method1("array", (ints, "object"))
}
