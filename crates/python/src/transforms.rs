//! Number-theoretic transforms with the conventions of `numpy.fft`.

use crate::Remade;
use crate::devices::{OnDevice, on_device};
use crate::failure::{raised, wrong_value};
use crate::fields::{GF, element, forget_rings, ring};
use crate::run::run;
use crate::words::{Entries, Out, OwnedRows, apart, element_to_int, entries, numpy};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
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

/// Frees the memory that is kept for the next computation: what is precomputed for 64 primes at most, and transforms of 2^23 points
/// in all at most. Objects keep what they have.
#[pyfunction]
pub(crate) fn clear_cache() {
    *PLANS.lock().unwrap_or_else(PoisonError::into_inner) = None;
    forget_rings();
}

/// Nanoseconds that transforms of so many elements take, about.
fn transform_time(field: &AnyField, points: usize, elements: usize) -> f64 {
    let width = field.width() as f64;
    let levels = f64::from(points.max(2).ilog2());
    let chirp = if points.is_power_of_two() { 1.0 } else { 8.0 };
    let level = match field.word_bits() {
        32 => 0.06,
        _ if field.width() == 1 => 0.17,
        _ => 0.8 * width * width,
    };
    level * levels * chirp * elements as f64
}

/// Vectors to be transformed, and the shape of their elements.
struct Vectors<'py> {
    /// What is copied to where the result goes; none where it stands there.
    entries: Option<Entries<'py>>,
    shape: Vec<usize>,
}

impl<'py> Vectors<'py> {
    fn new(
        x: &Bound<'py, PyAny>,
        field: &AnyField,
        out: Option<&Bound<'py, PyAny>>,
        device: Option<OnDevice>,
    ) -> PyResult<Self> {
        if device.is_none()
            && out.is_some_and(|out| out.is(x))
            && let Ok(array) = x.cast_exact::<PyUntypedArray>()
        {
            let digits = usize::from(field.width() > 1);
            let shape = array.shape();
            let shape = shape[..shape.len().saturating_sub(digits)].to_vec();
            if !shape.is_empty() && Out::check(x, field, &shape).is_ok() {
                return Ok(Self {
                    entries: None,
                    shape,
                });
            }
        }
        Self::of(entries(&apart(x, out)?)?, field)
    }

    fn of(entries: Entries<'py>, field: &AnyField) -> PyResult<Self> {
        Ok(Self {
            shape: entries.shape_in(field, false)?,
            entries: Some(entries),
        })
    }
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
    (plan, device): (&AnyDft, Option<OnDevice>),
    vectors: &Vectors<'py>,
    direction: Direction,
    scaled: bool,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let field = plan.field();
    let shape = &vectors.shape;
    let points = plan.points();
    if shape.last() != Some(&points) {
        return Err(wrong_value(format!(
            "this transform has {points} points, and these entries have the shape {shape:?}"
        )));
    }
    let mut out = match out {
        Some(out) => Out::given(out, field, shape)?,
        None => Out::new(py, field, shape)?,
    };
    let elements = shape.iter().product();
    let values = match (&vectors.entries, device) {
        (Some(entries), Some(device)) => Some(on_the_device(py, plan, device, entries, direction)?),
        (Some(entries), None) => {
            entries.write(field, false, out.words_mut()?)?;
            None
        }
        (None, _) => {
            out.check_elements(field)?;
            None
        }
    };
    let time = transform_time(field, points, elements);
    let mut words = out.words_mut()?;
    let done = run(py, time, || {
        match &values {
            Some(values) => field.copy_rows(values[..].into(), words.reborrow())?,
            None => plan.transform_batch(words.reborrow(), direction, Ordering::Natural)?,
        }
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

/// The rows of the transforms that a device computes.
fn on_the_device(
    py: Python<'_>,
    plan: &AnyDft,
    device: OnDevice,
    entries: &Entries<'_>,
    direction: Direction,
) -> PyResult<Vec<u64>> {
    let field = plan.field();
    let elements: usize = entries.shape_in(field, false)?.iter().product();
    let mut rows = OwnedRows::zeros(field, elements * field.width());
    entries.write(field, false, rows.words_mut())?;
    let rows = rows.into_words64();
    let vectors = rows.chunks(plan.points() * field.width());
    let vectors = vectors.map(<[u64]>::to_vec).collect();
    let found = device.all(py, |engine| engine.transform_all(plan, vectors, direction))?;
    Ok(found.concat())
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
    device: Option<&str>,
    direction: Direction,
) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let device = on_device(py, device)?;
    let ring = ring(p)?;
    let field = ring.field();
    let root = root.map(|root| element(field, root)).transpose()?;
    let plan = |points| plan(py, field, points, root.as_deref());
    let scaled = is_scaled(norm, direction)?;
    if n.is_none() && axis == -1 {
        let vectors = Vectors::new(x, field, out, device)?;
        let points = vectors.shape.last().copied().unwrap_or(0);
        let plan = plan(points)?;
        return transformed(py, (&plan, device), &vectors, direction, scaled, out);
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
    let vectors = Vectors::of(entries(&x)?, field)?;
    let found = transformed(py, (&plan, device), &vectors, direction, scaled, None)?;
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
    signature = (x, p, n=None, axis=-1, norm="backward", out=None, root=None, device=None),
    text_signature = "(x, p, n=None, axis=-1, norm='backward', out=None, root=None, device=None)"
)]
pub(crate) fn ntt<'py>(
    x: &Bound<'py, PyAny>,
    p: &Bound<'py, PyAny>,
    n: Option<usize>,
    axis: isize,
    norm: &str,
    out: Option<&Bound<'py, PyAny>>,
    root: Option<&Bound<'py, PyAny>>,
    device: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    along(x, p, n, axis, norm, out, root, device, Direction::Forward)
}

/// What `ntt` had been given.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
#[pyo3(
    signature = (x, p, n=None, axis=-1, norm="backward", out=None, root=None, device=None),
    text_signature = "(x, p, n=None, axis=-1, norm='backward', out=None, root=None, device=None)"
)]
pub(crate) fn intt<'py>(
    x: &Bound<'py, PyAny>,
    p: &Bound<'py, PyAny>,
    n: Option<usize>,
    axis: isize,
    norm: &str,
    out: Option<&Bound<'py, PyAny>>,
    root: Option<&Bound<'py, PyAny>>,
    device: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    along(x, p, n, axis, norm, out, root, device, Direction::Inverse)
}

/// The root of unity of order n modulo p that transforms of n points use.
#[pyfunction]
#[pyo3(signature = (n, p, /))]
pub(crate) fn root_of_unity<'py>(n: usize, p: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let ring = ring(p)?;
    let plan = plan(p.py(), ring.field(), n, None)?;
    element_to_int(p.py(), ring.field(), &plan.root_of_unity())
}

/// Transforms of n points modulo p, with their tables: for many of one length; at the powers of `root`, where one is given; on the
/// device of this name, where one is.
///
/// >>> plan = NTT(4, 97)
/// >>> plan.inverse(plan.forward([1, 2, 3, 4]))
/// array([1, 2, 3, 4], dtype=uint32)
#[pyclass(frozen, module = "sunzi", name = "NTT")]
pub(crate) struct Ntt {
    plan: AnyDft,
    ring: AnyPolyRing,
    has_own_root: bool,
    device: Option<OnDevice>,
}

/// The length, the field, and the root of unity and the device that were given.
type NttArguments<'py> = (usize, GF, Option<Bound<'py, PyAny>>, Option<String>);

#[pymethods]
impl Ntt {
    #[new]
    #[pyo3(signature = (n, p, /, root=None, device=None))]
    fn new(
        n: usize,
        p: &Bound<'_, PyAny>,
        root: Option<&Bound<'_, PyAny>>,
        device: Option<&str>,
    ) -> PyResult<Self> {
        let ring = ring(p)?;
        let root = root.map(|root| element(ring.field(), root)).transpose()?;
        Ok(Self {
            plan: plan(p.py(), ring.field(), n, root.as_deref())?,
            ring,
            has_own_root: root.is_some(),
            device: on_device(p.py(), device)?,
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
        let mut text = format!("NTT({points}, {field}");
        if self.has_own_root {
            text += &format!(", root={}", self.root_of_unity(py)?);
        }
        if let Some(device) = self.device {
            text += &format!(", device='{}'", device.name());
        }
        Ok(text + ")")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Remade<'py, NttArguments<'py>> {
        let ntt = slf.get();
        let root = ntt.has_own_root.then(|| ntt.root_of_unity(slf.py()));
        let device = ntt.device.map(OnDevice::name);
        let arguments = (ntt.n(), ntt.field(), root.transpose()?, device);
        Ok((slf.get_type(), arguments))
    }
}

impl Ntt {
    fn transformed<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        direction: Direction,
    ) -> PyResult<Bound<'py, PyAny>> {
        let vectors = Vectors::new(x, self.plan.field(), out, self.device)?;
        let scaled = direction == Direction::Inverse;
        let plan = (&self.plan, self.device);
        transformed(x.py(), plan, &vectors, direction, scaled, out)
    }
}
