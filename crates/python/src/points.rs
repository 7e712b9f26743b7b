//! Values at many points of a field, and polynomials that have them.

use crate::Remade;
use crate::arithmetic::points_time;
use crate::devices::{OnDevice, on_device};
use crate::failure::{raised, wrong_value};
use crate::fields::{GF, ring};
use crate::polynomials::{Poly, check_vector};
use crate::run::run;
use crate::words::{Out, entries, to_array};
use pyo3::prelude::*;
use sunzi::engine::Tree;
use sunzi::poly::{AnyPolyRing, AnySubproductTree};

/// The polynomial of least degree with these values at these points, which are distinct.
#[pyfunction]
#[pyo3(signature = (points, values, field, /, *, device=None))]
pub(crate) fn interpolate(
    points: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    field: &Bound<'_, PyAny>,
    device: Option<&str>,
) -> PyResult<Poly> {
    PointTree::new(points, field, device)?.interpolate(values)
}

/// Points of a field at which many polynomials are evaluated and interpolated, on the device of this name, where one is given.
#[pyclass(frozen, module = "sunzi")]
pub(crate) struct PointTree {
    ring: AnyPolyRing,
    points: Vec<u64>,
    len: usize,
    place: Place,
}

/// Where the tree is.
enum Place {
    Processor(AnySubproductTree),
    Device(OnDevice, Box<Tree<'static>>),
}

/// The points, the field and the device that were given.
type TreeArguments<'py> = (Bound<'py, PyAny>, GF, Option<String>);

#[pymethods]
impl PointTree {
    #[new]
    #[pyo3(signature = (points, field, /, device=None))]
    fn new(
        points: &Bound<'_, PyAny>,
        field: &Bound<'_, PyAny>,
        device: Option<&str>,
    ) -> PyResult<Self> {
        let py = points.py();
        let ring = ring(field)?;
        let (rows, shape) = entries(points)?.into_rows(ring.field())?;
        check_vector(&shape)?;
        let (place, points) = match on_device(py, device)? {
            None => {
                let time = points_time(&ring, shape[0]);
                let tree = run(py, time, || ring.subproduct_tree_of(rows.words()))?;
                (Place::Processor(tree.map_err(raised)?), rows.into_words64())
            }
            Some(device) => {
                let points = rows.into_words64();
                let tree =
                    device.made(py, |engine| engine.subproduct_tree(&ring, points.clone()))?;
                (Place::Device(device, Box::new(tree)), points)
            }
        };
        Ok(Self {
            ring,
            points,
            len: shape[0],
            place,
        })
    }

    fn __len__(&self) -> usize {
        self.len
    }

    /// The values of a polynomial at the points, as an array.
    #[pyo3(signature = (poly, /))]
    fn evaluate<'py>(&self, poly: &Bound<'py, Poly>) -> PyResult<Bound<'py, PyAny>> {
        let py = poly.py();
        let (ring, f) = poly.get().over_field()?;
        self.check(ring)?;
        let mut out = Out::new(py, self.ring.field(), &[self.len])?;
        let words = out.words_mut()?;
        match &self.place {
            Place::Processor(tree) => {
                let time = points_time(ring, f.len().max(self.len));
                run(py, time, || tree.evaluate_into(f, words))?.map_err(raised)?;
            }
            Place::Device(device, tree) => {
                let values = device.one(py, |_| tree.evaluate_all(&[f]))?;
                let copied = ring.field().copy_rows(values[..].into(), words);
                copied.map_err(raised)?;
            }
        }
        Ok(out.into_object())
    }

    /// The polynomial of least degree with these values at the points, which are distinct.
    #[pyo3(signature = (values, /))]
    fn interpolate(&self, values: &Bound<'_, PyAny>) -> PyResult<Poly> {
        let py = values.py();
        let (rows, shape) = entries(values)?.into_rows(self.ring.field())?;
        check_vector(&shape)?;
        let found = match &self.place {
            Place::Processor(tree) => {
                let time = points_time(&self.ring, self.len);
                run(py, time, || tree.interpolate_words(rows.words()))?
            }
            Place::Device(device, tree) => {
                let values = [rows.into_words64()];
                Ok(device.one(py, |_| tree.interpolate_all(&values))?)
            }
        };
        Poly::modular(&self.ring, found)
    }

    fn __repr__(&self) -> String {
        let device = match &self.place {
            Place::Processor(_) => String::new(),
            Place::Device(device, _) => format!(", device='{}'", device.name()),
        };
        format!(
            "PointTree(<{} points>, GF({}){device})",
            self.len,
            self.ring.field()
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Remade<'py, TreeArguments<'py>> {
        let tree = slf.get();
        let field = tree.ring.field();
        let points = to_array(slf.py(), field, tree.points[..].into(), &[tree.len])?;
        let device = match &tree.place {
            Place::Processor(_) => None,
            Place::Device(device, _) => Some(device.name()),
        };
        let arguments = (points, GF::of(tree.ring.clone()), device);
        Ok((slf.get_type(), arguments))
    }
}

impl PointTree {
    fn check(&self, ring: &AnyPolyRing) -> PyResult<()> {
        match ring.field() == self.ring.field() {
            true => Ok(()),
            false => Err(wrong_value(
                "the polynomial is over another field than the points",
            )),
        }
    }
}
