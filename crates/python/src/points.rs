//! Values at many points of a field, and polynomials that have them.

use crate::Remade;
use crate::arithmetic::longer_time;
use crate::failure::{raised, wrong_value};
use crate::fields::{GF, ring};
use crate::polynomials::{Poly, check_vector};
use crate::run::run;
use crate::words::{Out, entries, to_array};
use pyo3::prelude::*;
use sunzi::poly::{AnyPolyRing, AnySubproductTree};

/// The polynomial of least degree with these values at these points, which are distinct.
#[pyfunction]
#[pyo3(signature = (points, values, field, /))]
pub(crate) fn interpolate(
    points: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    field: &Bound<'_, PyAny>,
) -> PyResult<Poly> {
    PointTree::new(points, field)?.interpolate(values)
}

/// Points of a field at which many polynomials are evaluated and interpolated.
#[pyclass(frozen, module = "sunzi")]
pub(crate) struct PointTree(AnyPolyRing, AnySubproductTree, Vec<u64>);

#[pymethods]
impl PointTree {
    #[new]
    #[pyo3(signature = (points, field, /))]
    fn new(points: &Bound<'_, PyAny>, field: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ring = ring(field)?;
        let (rows, shape) = entries(points)?.into_rows(ring.field())?;
        check_vector(&shape)?;
        let time = longer_time(&ring, shape[0], shape[0]);
        let tree = run(points.py(), time, || ring.subproduct_tree_of(rows.words()))?;
        Ok(Self(ring, tree.map_err(raised)?, rows.into_words64()))
    }

    fn __len__(&self) -> usize {
        self.1.len()
    }

    /// The values of a polynomial at the points, as an array.
    #[pyo3(signature = (poly, /))]
    fn evaluate<'py>(&self, poly: &Bound<'py, Poly>) -> PyResult<Bound<'py, PyAny>> {
        let py = poly.py();
        let (ring, f) = poly.get().over_field()?;
        self.check(ring)?;
        let mut out = Out::new(py, self.0.field(), &[self.1.len()])?;
        let words = out.words_mut()?;
        let time = 4.0 * longer_time(ring, f.len().max(self.1.len()), self.1.len());
        let done = run(py, time, || self.1.evaluate_into(f, words))?;
        done.map_err(raised)?;
        Ok(out.into_object())
    }

    /// The polynomial of least degree with these values at the points, which are distinct.
    #[pyo3(signature = (values, /))]
    fn interpolate(&self, values: &Bound<'_, PyAny>) -> PyResult<Poly> {
        let (rows, shape) = entries(values)?.into_rows(self.0.field())?;
        check_vector(&shape)?;
        let time = 4.0 * longer_time(&self.0, self.1.len(), self.1.len());
        let found = run(values.py(), time, || self.1.interpolate_words(rows.words()))?;
        Poly::modular(&self.0, found)
    }

    fn __repr__(&self) -> String {
        format!(
            "PointTree(<{} points>, GF({}))",
            self.1.len(),
            self.0.field()
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Remade<'py, (Bound<'py, PyAny>, GF)> {
        let Self(ring, tree, points) = slf.get();
        let points = to_array(slf.py(), ring.field(), points[..].into(), &[tree.len()])?;
        Ok((slf.get_type(), (points, GF::of(ring.clone()))))
    }
}

impl PointTree {
    fn check(&self, ring: &AnyPolyRing) -> PyResult<()> {
        match ring.field() == self.0.field() {
            true => Ok(()),
            false => Err(wrong_value(
                "the polynomial is over another field than the points",
            )),
        }
    }
}
