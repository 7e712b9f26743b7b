//! Systems of two equations in two variables over the rational numbers.

use crate::failure::{raised, room, wrong_type, wrong_value};
use crate::number::to_int;
use crate::polynomials::parsing_time;
use crate::roots::{Root, rational};
use crate::run::run;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyTuple};
use sunzi::Rational;
use sunzi::poly::Poly;
use sunzi::solve::{BivariatePoly, BivariateSystem};

type Curve = BivariatePoly<Rational>;

/// The largest exponent of a dict, as of texts.
const MAX_DEGREE: usize = 1 << 16;

/// A polynomial in x and y: of a text, of `{(i, j): c}` for c·x^i·y^j, of the rows of coefficients `c[i][j]`, or of what prints as a
/// text, as SymPy's expressions do.
fn curve(object: &Bound<'_, PyAny>) -> PyResult<Curve> {
    let py = object.py();
    let parsed = |text: &str| {
        let text = text.replace("**", "^");
        let parsed = run(py, parsing_time(&text), || text.parse::<Curve>())?;
        parsed.map_err(raised)
    };
    if let Ok(text) = object.extract::<&str>() {
        return parsed(text);
    }
    let mut terms = Vec::new();
    if let Ok(dict) = object.cast::<PyDict>() {
        for (powers, coefficient) in dict {
            let powers: (usize, usize) = powers.extract()?;
            terms.push((powers, rational(&coefficient)?));
        }
    } else if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        for (i, row) in object.try_iter()?.enumerate() {
            for (j, coefficient) in row?.try_iter()?.enumerate() {
                terms.push(((i, j), rational(&coefficient?)?));
            }
        }
    } else if object.hasattr("free_symbols")? {
        return parsed(&object.str()?.to_string_lossy());
    } else {
        return Err(wrong_type(format!(
            "a curve is a text as 'x^2 + y^2 - 1', a dict {{(i, j): c}}, rows of coefficients or a SymPy expression, not '{}'",
            object.get_type().name()?
        )));
    }
    if terms.iter().any(|&((i, j), _)| i.max(j) > MAX_DEGREE) {
        return Err(wrong_value(format!("degrees are at most {MAX_DEGREE}")));
    }
    // By the powers of y, the coefficients of the powers of x.
    let mut lengths: Vec<usize> = Vec::new();
    for &((i, j), _) in &terms {
        if lengths.len() <= j {
            lengths.resize(j + 1, 0);
        }
        lengths[j] = lengths[j].max(i + 1);
    }
    let entries: usize = lengths.iter().sum();
    room((entries * size_of::<Rational>()) as u64)?;
    let time = 100.0 * entries as f64 + 300.0 * terms.len() as f64;
    run(py, time, || {
        let rows = lengths.iter().map(|&len| vec![Rational::ZERO; len]);
        let mut rows: Vec<_> = rows.collect();
        for ((i, j), coefficient) in terms {
            rows[j][i] += coefficient;
        }
        Curve::new(rows.into_iter().map(Poly::new).collect())
    })
}

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
    let system = BivariateSystem::new(curve(f)?, curve(g)?).digits(digits);
    let plan = system.plan();
    let digits_bytes = (digits as u64).saturating_mul(plan.solutions as u64);
    room(plan.bytes.saturating_add(digits_bytes))?;
    let found = run(f.py(), f64::MAX, || system.solve())?;
    Ok(Solutions {
        found: found.map_err(raised)?,
        digits,
    })
}

/// The solutions of a system: a sequence of (x, y, multiplicity), x and y as `Root`.
#[pyclass(frozen, sequence, module = "sunzi")]
pub(crate) struct Solutions {
    found: sunzi::solve::Solutions,
    digits: usize,
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

    /// The curve that both have in common as {(i, j): c}, or None: all of its points are solutions, too.
    #[getter]
    fn common_curve<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(curve) = &self.found.common_curve else {
            return Ok(None);
        };
        let terms = PyDict::new(py);
        for (j, row) in curve.rows().iter().enumerate() {
            let row = row.coefficients().iter().enumerate();
            for (i, coefficient) in row.filter(|(_, coefficient)| !coefficient.is_zero()) {
                terms.set_item((i, j), to_int(py, coefficient)?)?;
            }
        }
        Ok(Some(terms))
    }

    /// Whether all that is told is proved.
    #[getter]
    fn proved(&self) -> bool {
        self.found.proved
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
