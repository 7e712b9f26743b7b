//! What is longer than memory: transforms and products from files to a file.

use crate::failure::{raised, wrong_value};
use crate::fields::ring;
use crate::run::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use sunzi::memory::Budget;
use sunzi::scale::{FileProduct, FileTransform, Order, Report, ScaleError, Started};
use sunzi::transform::Direction;

/// What a computation through files took.
fn told<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("passes", report.plan.passes())?;
    let resumed = report.resumed.map(|resumed| (resumed.pass, resumed.band));
    told.set_item("resumed", resumed)?;
    told.set_item("bytes_read", report.read)?;
    told.set_item("bytes_written", report.written)?;
    Ok(told)
}

/// Starts and finishes.
fn compute<'py>(
    py: Python<'py>,
    start: impl FnOnce() -> Result<Started, ScaleError> + Send,
) -> PyResult<Bound<'py, PyDict>> {
    let report = run(py, f64::MAX, || start().and_then(Started::finish))?;
    told(py, &report.map_err(raised)?)
}

/// The discrete Fourier transform of a file of NumPy's, which may be longer than memory, to another: an array of uint32 or uint64 with 2^k
/// residues, or rows of digits. Scratch files are in the folder `scratch`; of memory, `max_memory` bytes are used at most. With order
/// "transposed" values are a matrix of n1 rows, X[j] = Y[j % n1, j // n1]. The same call goes on where an earlier one ended.
///
/// >>> import pathlib, tempfile, numpy as np
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> np.save(folder / "x.npy", np.arange(1, 5, dtype=np.uint32))
/// >>> ntt_file(folder / "x.npy", folder / "y.npy", 17, scratch=folder)["passes"]
/// 1
/// >>> np.load(folder / "y.npy")
/// array([10,  6, 15,  7], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (x, y, p, *, scratch, max_memory = None, inverse = false, order = "natural", fresh = false, verify = true))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn ntt_file<'py>(
    py: Python<'py>,
    x: PathBuf,
    y: PathBuf,
    p: &Bound<'py, PyAny>,
    scratch: PathBuf,
    max_memory: Option<u64>,
    inverse: bool,
    order: &str,
    fresh: bool,
    verify: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let ring = ring(p)?;
    let order = match order {
        "natural" => Order::Natural,
        "transposed" => Order::Transposed,
        _ => return Err(wrong_value("the order is \"natural\" or \"transposed\"")),
    };
    let direction = match inverse {
        true => Direction::Inverse,
        false => Direction::Forward,
    };
    let transform = FileTransform::new(ring.field(), x, y, scratch)
        .direction(direction)
        .order(order)
        .within(Budget::within(max_memory))
        .fresh(fresh)
        .verify(verify);
    compute(py, || transform.start())
}

/// The product of two polynomials modulo a prime, or over the integers for `p = None`, whose coefficients are arrays in files of NumPy's and
/// may be longer than memory, to another file. Over the integers entries are `int32`, `int64`, `uint32` or `uint64`, and the product has
/// rows of 2 or 3 words of `uint64` in two's complement, the lowest first. The rest is as for `ntt_file`.
///
/// >>> import pathlib, tempfile, numpy as np
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> np.save(folder / "f.npy", np.array([1, 1], dtype=np.uint32))
/// >>> mul_file(folder / "f.npy", folder / "f.npy", folder / "h.npy", 17, scratch=folder)["passes"]
/// 1
/// >>> np.load(folder / "h.npy")
/// array([1, 2, 1], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (f, g, h, p = None, *, scratch, max_memory = None, fresh = false, verify = true))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn mul_file<'py>(
    py: Python<'py>,
    f: PathBuf,
    g: PathBuf,
    h: PathBuf,
    p: Option<&Bound<'py, PyAny>>,
    scratch: PathBuf,
    max_memory: Option<u64>,
    fresh: bool,
    verify: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let product = match p {
        Some(p) => FileProduct::new(ring(p)?.field(), f, g, h, scratch),
        None => FileProduct::over_integers(f, g, h, scratch),
    };
    let product = product
        .within(Budget::within(max_memory))
        .fresh(fresh)
        .verify(verify);
    compute(py, || product.start())
}

/// The product of two natural numbers whose limbs are arrays of `uint64` in files of NumPy's, the lowest first, and may be longer than
/// memory, to another file, which has as many limbs as both together. The rest is as for `ntt_file`.
///
/// >>> import pathlib, tempfile, numpy as np
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> np.save(folder / "a.npy", np.array([2**64 - 1], dtype=np.uint64))
/// >>> _ = int_mul_file(folder / "a.npy", folder / "a.npy", folder / "c.npy", scratch=folder)
/// >>> np.load(folder / "c.npy")
/// array([                   1, 18446744073709551614], dtype=uint64)
#[pyfunction]
#[pyo3(signature = (a, b, c, *, scratch, max_memory = None, fresh = false, verify = true))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn int_mul_file(
    py: Python<'_>,
    a: PathBuf,
    b: PathBuf,
    c: PathBuf,
    scratch: PathBuf,
    max_memory: Option<u64>,
    fresh: bool,
    verify: bool,
) -> PyResult<Bound<'_, PyDict>> {
    let product = FileProduct::of_integers(a, b, c, scratch)
        .within(Budget::within(max_memory))
        .fresh(fresh)
        .verify(verify);
    compute(py, || product.start())
}
