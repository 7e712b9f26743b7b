//! Number-theoretic transforms with the conventions of `numpy.fft`.

use crate::Remade;
use crate::failure::{raised, wrong_value};
use crate::fields::{GF, element, ring};
use crate::run::run;
use crate::words::{Entries, Out, apart, element_to_int, entries, numpy};
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use sunzi::field::AnyField;
use sunzi::poly::AnyPolyRing;
use sunzi::transform::{AnyDft, Direction, Ordering};

/// Points of all transforms that are kept.
const KEPT_POINTS: usize = 1 << 23;

/// Transforms by their primes, lengths and roots of unity that are not the field's. It is locked only by threads that have the interpreter's lock.
static PLANS: Mutex<Option<Plans>> = Mutex::new(None);

#[derive(Default)]
struct Plans {
    plans: HashMap<(u64, usize, Option<u64>), AnyDft>,
    points: usize,
}

/// The transform of so many points over the field, at the powers of a root of unity, a new one or one that was kept.
fn plan(py: Python<'_>, field: &AnyField, points: usize, root: Option<&[u64]>) -> PyResult<AnyDft> {
    let root_word = root.map(|root| root[0]);
    let key = field.word_prime().map(|prime| (prime, points, root_word));
    let lock = || PLANS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(key) = &key
        && let Some(plan) = lock().as_ref().and_then(|plans| plans.plans.get(key))
    {
        return Ok(plan.clone());
    }
    let plan = run(py, 50.0 * points as f64, || match root {
        Some(root) => AnyDft::with_root(field, points, root).map_err(sunzi::Error::from),
        None => AnyDft::new(field, points).map_err(sunzi::Error::from),
    })?;
    let plan = plan.map_err(raised)?;
    if let Some(key) = key
        && points < KEPT_POINTS
    {
        let mut plans = lock();
        let plans = plans.get_or_insert_default();
        if plans.points + points > KEPT_POINTS {
            *plans = Plans::default();
        }
        plans.points += points;
        plans.plans.insert(key, plan.clone());
    }
    Ok(plan)
}

/// Nanoseconds that transforms of so many elements take, about.
fn transform_time(field: &AnyField, points: usize, elements: usize) -> f64 {
    let width = field.width() as f64;
    let levels = f64::from(points.max(2).ilog2());
    let chirp = if points.is_power_of_two() { 1.0 } else { 8.0 };
    0.8 * width * width * levels * chirp * elements as f64
}

/// How results are scaled: by 1/n in which direction.
fn is_scaled(norm: &str, direction: Direction) -> PyResult<bool> {
    match norm {
        "backward" => Ok(direction == Direction::Inverse),
        "forward" => Ok(direction == Direction::Forward),
        _ => Err(wrong_value(format!(
            "norm is \"backward\" (the inverse is divided by n) or \"forward\", not \"{norm}\""
        ))),
    }
}

/// Transforms of the last dimension of entries.
fn transformed<'py>(
    py: Python<'py>,
    plan: &AnyDft,
    entries: &Entries<'_>,
    direction: Direction,
    scaled: bool,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let field = plan.field();
    let shape = entries.shape_in(field, false)?;
    let points = plan.points();
    if shape.last() != Some(&points) {
        return Err(wrong_value(format!(
            "this transform has {points} points, and these entries have the shape {shape:?}"
        )));
    }
    let mut out = match out {
        Some(out) => Out::given(out, field, &shape)?,
        None => Out::new(py, field, &shape)?,
    };
    entries.write(field, false, out.words_mut()?)?;
    let time = transform_time(field, points, shape.iter().product());
    let mut words = out.words_mut()?;
    let done = run(py, time, || {
        plan.transform_batch(words.reborrow(), direction, Ordering::Natural)?;
        // What the library's inverse divides by.
        let mut factor = Vec::new();
        field.push_u64(points as u64, &mut factor);
        match (direction, scaled) {
            (Direction::Forward, true) => {
                let factor = field.inverse_row(&factor).unwrap_or_default();
                field.scale_rows(words, &factor)?;
            }
            (Direction::Inverse, false) => field.scale_rows(words, &factor)?,
            _ => {}
        }
        Ok::<_, sunzi::Error>(())
    })?;
    done.map_err(raised)?;
    Ok(out.into_object())
}

/// The transform of any dimension, of any length.
#[allow(clippy::too_many_arguments)]
fn along<'py>(
    x: &Bound<'py, PyAny>,
    p: &Bound<'py, PyAny>,
    n: Option<usize>,
    axis: isize,
    norm: &str,
    out: Option<&Bound<'py, PyAny>>,
    root: Option<&Bound<'py, PyAny>>,
    direction: Direction,
) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let ring = ring(p)?;
    let field = ring.field();
    let root = root.map(|root| element(field, root)).transpose()?;
    let plan = |points| plan(py, field, points, root.as_deref());
    let scaled = is_scaled(norm, direction)?;
    if n.is_none() && axis == -1 {
        let x = apart(x, out)?;
        let entries = entries(&x)?;
        let shape = entries.shape_in(field, false)?;
        let points = shape.last().copied().unwrap_or(0);
        let plan = plan(points)?;
        return transformed(py, &plan, &entries, direction, scaled, out);
    }
    let numpy = numpy(py)?;
    let x = match x.cast::<PyUntypedArray>() {
        Ok(_) => x.clone(),
        Err(_) => {
            // Integers of any size stay what they are.
            let keywords = PyDict::new(py);
            keywords.set_item("dtype", "object")?;
            numpy.call_method("array", (x,), Some(&keywords))?
        }
    };
    // The dimension of digits is the last one, whatever happens to the others.
    let entries_are_words = matches!(entries(&x)?, Entries::Words32(_) | Entries::Words64(_));
    let digits = usize::from(field.width() > 1 && entries_are_words);
    let shape: Vec<usize> = x.getattr("shape")?.extract()?;
    let dimensions = shape.len().saturating_sub(digits);
    let axis = dimension(&numpy, axis, dimensions)?;
    let n = n.unwrap_or(shape[axis]);
    let plan = plan(n)?;
    if let Some(out) = out {
        let mut wanted = shape[..dimensions].to_vec();
        wanted[axis] = n;
        Out::check(out, field, &wanted)?;
    }
    let last = -1 - digits as isize;
    let mut x = numpy.call_method1("moveaxis", (x, axis, last))?;
    if n < shape[axis] {
        let keywords = PyDict::new(py);
        keywords.set_item("axis", last)?;
        let indices = numpy.call_method1("arange", (n,))?;
        x = numpy.call_method("take", (x, indices), Some(&keywords))?;
    } else if n > shape[axis] {
        let mut pads = vec![(0, 0); shape.len()];
        pads[dimensions - 1].1 = n - shape[axis];
        x = numpy.call_method1("pad", (x, pads))?;
    }
    let found = transformed(py, &plan, &entries(&x)?, direction, scaled, None)?;
    let last = if field.width() > 1 { -2 } else { -1 };
    let found = numpy.call_method1("moveaxis", (found, last, axis))?;
    match out {
        None => Ok(found),
        Some(out) => {
            numpy.call_method1("copyto", (out, found))?;
            Ok(out.clone())
        }
    }
}

/// The dimension that an axis names, of so many.
fn dimension(numpy: &Bound<'_, PyModule>, axis: isize, dimensions: usize) -> PyResult<usize> {
    let from_end = if axis < 0 {
        axis + dimensions as isize
    } else {
        axis
    };
    if let Some(dimension) = usize::try_from(from_end)
        .ok()
        .filter(|&axis| axis < dimensions)
    {
        return Ok(dimension);
    }
    let error = match numpy.getattr("exceptions") {
        Ok(exceptions) => exceptions.getattr("AxisError")?,
        // Before NumPy 1.25.
        Err(_) => numpy.getattr("AxisError")?,
    };
    Err(PyErr::from_value(error.call1((axis, dimensions))?))
}

/// The values X_j = Σ x_i·ω^(ij) of the last dimension, or of another; ω is `root`, or else `root_of_unity(n, p)`.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
#[pyo3(
    signature = (x, p, n=None, axis=-1, norm="backward", out=None, root=None),
    text_signature = "(x, p, n=None, axis=-1, norm='backward', out=None, root=None)"
)]
pub(crate) fn ntt<'py>(
    x: &Bound<'py, PyAny>,
    p: &Bound<'py, PyAny>,
    n: Option<usize>,
    axis: isize,
    norm: &str,
    out: Option<&Bound<'py, PyAny>>,
    root: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    along(x, p, n, axis, norm, out, root, Direction::Forward)
}

/// What `ntt` had been given.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
#[pyo3(
    signature = (x, p, n=None, axis=-1, norm="backward", out=None, root=None),
    text_signature = "(x, p, n=None, axis=-1, norm='backward', out=None, root=None)"
)]
pub(crate) fn intt<'py>(
    x: &Bound<'py, PyAny>,
    p: &Bound<'py, PyAny>,
    n: Option<usize>,
    axis: isize,
    norm: &str,
    out: Option<&Bound<'py, PyAny>>,
    root: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    along(x, p, n, axis, norm, out, root, Direction::Inverse)
}

/// The root of unity of order n modulo p that transforms of n points use.
#[pyfunction]
#[pyo3(signature = (n, p, /))]
pub(crate) fn root_of_unity<'py>(n: usize, p: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let ring = ring(p)?;
    let plan = plan(p.py(), ring.field(), n, None)?;
    element_to_int(p.py(), ring.field(), &plan.root_of_unity())
}

/// Transforms of n points modulo p, with their tables: for many of one length; at the powers of `root`, where one is given.
///
/// >>> plan = NTT(4, 97)
/// >>> plan.inverse(plan.forward([1, 2, 3, 4]))
/// array([1, 2, 3, 4], dtype=uint32)
#[pyclass(frozen, module = "sunzi", name = "NTT")]
pub(crate) struct Ntt {
    plan: AnyDft,
    ring: AnyPolyRing,
    has_own_root: bool,
}

/// The length, the field, and the root of unity that was given.
type NttArguments<'py> = (usize, GF, Option<Bound<'py, PyAny>>);

#[pymethods]
impl Ntt {
    #[new]
    #[pyo3(signature = (n, p, /, root=None))]
    fn new(n: usize, p: &Bound<'_, PyAny>, root: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let ring = ring(p)?;
        let root = root.map(|root| element(ring.field(), root)).transpose()?;
        Ok(Self {
            plan: plan(p.py(), ring.field(), n, root.as_deref())?,
            ring,
            has_own_root: root.is_some(),
        })
    }

    /// The number of points.
    #[getter]
    fn n(&self) -> usize {
        self.plan.points()
    }

    /// The field.
    #[getter]
    fn field(&self) -> GF {
        GF::of(self.ring.clone())
    }

    /// The root of unity whose powers are the points.
    #[getter]
    fn root_of_unity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        element_to_int(py, self.plan.field(), &self.plan.root_of_unity())
    }

    /// The values of the last dimension, which has n entries.
    #[pyo3(signature = (x, /, out=None))]
    fn forward<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.transformed(x, out, Direction::Forward)
    }

    /// What `forward` had been given.
    #[pyo3(signature = (x, /, out=None))]
    fn inverse<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.transformed(x, out, Direction::Inverse)
    }

    #[pyo3(signature = (x, /, out=None))]
    fn __call__<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.forward(x, out)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (points, field) = (self.plan.points(), self.plan.field());
        Ok(match self.has_own_root {
            true => format!("NTT({points}, {field}, root={})", self.root_of_unity(py)?),
            false => format!("NTT({points}, {field})"),
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Remade<'py, NttArguments<'py>> {
        let ntt = slf.get();
        let root = ntt.has_own_root.then(|| ntt.root_of_unity(slf.py()));
        Ok((slf.get_type(), (ntt.n(), ntt.field(), root.transpose()?)))
    }
}

impl Ntt {
    fn transformed<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        direction: Direction,
    ) -> PyResult<Bound<'py, PyAny>> {
        let x = apart(x, out)?;
        let entries = entries(&x)?;
        let scaled = direction == Direction::Inverse;
        transformed(x.py(), &self.plan, &entries, direction, scaled, out)
    }
}
