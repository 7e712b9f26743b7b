//! Systems of two equations in two variables over the rational numbers.

use crate::curves::{BiPoly, Curve, curve};
use crate::failure::{raised, room};
use crate::roots::Root;
use crate::run::run;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use sunzi::solve::{BivariateSystem, SystemPlan};

/// All real solutions of f = g = 0, proved: points (x, y) and their multiplicities, in boxes that are small enough for so many decimal
/// digits after the point.
///
/// >>> found = solve_system('x^2 + y^2 = 1', 'y = x')
/// >>> print(found)
/// (-0.70710678118654752440, -0.70710678118654752440)
/// (0.70710678118654752440, 0.70710678118654752440)
#[pyfunction]
#[pyo3(signature = (f, g, digits=20))]
pub(crate) fn solve_system(
    f: &Bound<'_, PyAny>,
    g: &Bound<'_, PyAny>,
    digits: usize,
) -> PyResult<Solutions> {
    let curves = [curve(f)?, curve(g)?];
    let [f_copy, g_copy] = curves.clone();
    let system = BivariateSystem::new(f_copy, g_copy).digits(digits);
    let plan = system.plan();
    let digits_bytes = (digits as u64).saturating_mul(plan.solutions as u64);
    room(plan.bytes.saturating_add(digits_bytes))?;
    let found = run(f.py(), time(&plan, digits), || system.solve())?;
    Ok(Solutions {
        found: found.map_err(raised)?,
        digits,
        curves,
    })
}

/// Nanoseconds that a system takes, about: known of small ones alone.
fn time(plan: &SystemPlan, digits: usize) -> f64 {
    match plan.solutions <= 6 && plan.bound_bits <= 1000 && digits <= 100 {
        true => 1e5,
        false => f64::MAX,
    }
}

/// The solutions of a system: a sequence of (x, y, multiplicity), x and y as `Root`.
#[pyclass(frozen, sequence, module = "sunzi")]
pub(crate) struct Solutions {
    found: sunzi::solve::Solutions,
    digits: usize,
    curves: [Curve; 2],
}

#[pymethods]
impl Solutions {
    fn __len__(&self) -> usize {
        self.found.solutions.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let len = self.__len__();
        let at = if index < 0 {
            index + len as isize
        } else {
            index
        };
        let solution = usize::try_from(at)
            .ok()
            .and_then(|at| self.found.solutions.get(at));
        let Some(solution) = solution else {
            return Err(PyIndexError::new_err(format!(
                "there are {len} solutions, and none has the index {index}"
            )));
        };
        let [x, y] = [solution.x(), solution.y()].map(|root| Root::of(root.clone()));
        (x, y, solution.multiplicity()).into_bound_py_any(py)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let all = (0..self.__len__()).map(|index| self.__getitem__(py, index as isize));
        PyList::new(py, all.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    /// The number of complex solutions, and the sum of their multiplicities.
    #[getter]
    fn complex(&self) -> (usize, usize) {
        let count = self.found.complex;
        (count.distinct, count.with_multiplicity)
    }

    /// The two polynomials.
    #[getter]
    fn curves(&self) -> (BiPoly, BiPoly) {
        let [f, g] = self.curves.clone();
        (BiPoly(f), BiPoly(g))
    }

    /// The curve that both have in common, or None: all of its points are solutions, too.
    #[getter]
    fn common_curve(&self) -> Option<BiPoly> {
        let curve = self.found.common_curve.as_ref();
        curve.map(|curve| BiPoly(curve.map(|coefficient| coefficient.clone().into())))
    }

    /// Draws both curves and the real solutions on axes of matplotlib, new ones or these, and gives them.
    #[pyo3(signature = (ax=None))]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        ax: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("sunzi._plot")?;
        module.call_method1("plot_solutions", (slf, ax))
    }

    /// Whether all that is told is proved.
    #[getter]
    fn proved(&self) -> bool {
        self.found.proved
    }

    /// A pickle has the system, which is solved again.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (BiPoly, BiPoly, usize))> {
        let solve = py.import("sunzi")?.getattr("solve_system")?;
        let (f, g) = self.curves();
        Ok((solve, (f, g, self.digits)))
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let time = 1e4 * (self.__len__() * self.digits.max(1)) as f64;
        run(py, time, || format!("{:.*}", self.digits, self.found))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = run(py, 1e4 * self.__len__() as f64, || {
            format!("{:.6}", self.found)
        })?;
        Ok(format!("Solutions[{}]", text.replace('\n', ", ")))
    }
}
