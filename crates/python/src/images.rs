//! Results over the integers in parts: images that any process computes, and the value that they are put together to.

use crate::arithmetic::OverZ;
use crate::curves::BiPoly;
use crate::failure::{raised, wrong_type, wrong_value};
use crate::matrices::{array_of, integer_matrix};
use crate::number::to_int;
use crate::polynomials::Poly;
use crate::run::run;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ops::Range;
use sunzi::images::{FORM, Images as _, Part, PartsError};
use sunzi::matrix::{DenseMatrix, DeterminantImages};
use sunzi::solve::{BivariatePoly, ResultantImages, ResultantYImages, SubresultantYImages};
use sunzi::{Error, Integer};

/// What images are of, with the operands, which make it anew.
enum Job {
    Determinant(DeterminantImages, DenseMatrix<Integer>),
    Resultant(ResultantImages, [OverZ; 2]),
    ResultantInY(ResultantYImages, [BivariatePoly<Integer>; 2]),
    SubresultantsInY(SubresultantYImages, [BivariatePoly<Integer>; 2], Vec<usize>),
}

/// What parts are put together to.
enum Value {
    Integer(Integer),
    InX(OverZ),
    InXY(Vec<BivariatePoly<Integer>>),
}

impl Job {
    fn needed(&self) -> u64 {
        match self {
            Self::Determinant(job, _) => job.needed(),
            Self::Resultant(job, _) => job.needed(),
            Self::ResultantInY(job, _) => job.needed(),
            Self::SubresultantsInY(job, ..) => job.needed(),
        }
    }

    fn compute(&self, numbers: Range<u64>) -> Result<Part, Error> {
        Ok(match self {
            Self::Determinant(job, _) => job.compute(numbers)?,
            Self::Resultant(job, _) => job.compute(numbers)?,
            Self::ResultantInY(job, _) => job.compute(numbers)?,
            Self::SubresultantsInY(job, ..) => job.compute(numbers)?,
        })
    }

    fn combine(&self, parts: &[Part]) -> Result<Value, PartsError> {
        Ok(match self {
            Self::Determinant(job, _) => Value::Integer(job.combine(parts)?),
            Self::Resultant(job, _) => Value::Integer(job.combine(parts)?),
            Self::ResultantInY(job, _) => Value::InX(job.combine(parts)?),
            Self::SubresultantsInY(job, ..) => Value::InXY(job.combine(parts)?),
        })
    }
}

/// A result over the integers whose images are computed in parts: by `det_images`, `resultant_images` or
/// `subresultant_images`. It is pickled for other processes.
#[pyclass(frozen, module = "sunzi")]
pub(crate) struct Images(Job);

/// The images of the determinant of a matrix of integers, to be computed in parts.
///
/// >>> job = det_images([[2**70, 1], [1, 1]])
/// >>> job.combine([images(job, range(2, job.needed)), images(job, range(2))])
/// 1180591620717411303423
#[pyfunction]
#[pyo3(signature = (a, /))]
pub(crate) fn det_images(a: &Bound<'_, PyAny>) -> PyResult<Images> {
    let matrix = integer_matrix(a)?;
    let job = run(a.py(), f64::MAX, || DeterminantImages::new(&matrix))?;
    Ok(Images(Job::Determinant(job.map_err(raised)?, matrix)))
}

/// The images of the resultant of two polynomials over the integers, to be computed in parts. That of two BiPoly is with respect to y, a Poly
/// in x.
///
/// >>> job = resultant_images(BiPoly('x^2 + y^2 - 5'), BiPoly('x*y - 2'))
/// >>> job.combine([images(job, range(job.needed))])
/// Poly('x^4 - 5*x^2 + 4')
#[pyfunction]
#[pyo3(signature = (f, g, /))]
pub(crate) fn resultant_images(f: &Bound<'_, PyAny>, g: &Bound<'_, PyAny>) -> PyResult<Images> {
    let py = f.py();
    if let (Ok(f), Ok(g)) = (f.cast::<BiPoly>(), g.cast::<BiPoly>()) {
        let operands = [integers(f.get())?, integers(g.get())?];
        let [of, with] = &operands;
        let job = run(py, f64::MAX, || ResultantYImages::new(of, with))?;
        return Ok(Images(Job::ResultantInY(job.map_err(raised)?, operands)));
    }
    let (Ok(f), Ok(g)) = (f.cast::<Poly>(), g.cast::<Poly>()) else {
        return Err(wrong_type(
            "images of a resultant are of two Poly over the integers, or of two BiPoly",
        ));
    };
    let operands = [f.get().over_z()?.clone(), g.get().over_z()?.clone()];
    let [of, with] = &operands;
    let job = run(py, f64::MAX, || ResultantImages::new(of, with))?;
    Ok(Images(Job::Resultant(job, operands)))
}

/// The images of a job of these numbers, from 0 on: a part, which JSON may carry, and `--combine` of the program reads as a line. Any process
/// computes it.
///
/// >>> job = det_images([[2**70, 1], [1, 1]])
/// >>> job.combine([images(job, range(2, job.needed)), images(job, range(2))])
/// 1180591620717411303423
#[pyfunction]
#[pyo3(signature = (job, numbers, /))]
pub(crate) fn images<'py>(
    job: &Bound<'py, Images>,
    numbers: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let (py, job) = (numbers.py(), &job.get().0);
    let end = |name: &str| {
        let end = numbers.getattr(name).and_then(|end| end.extract::<u64>());
        end.map_err(|_| wrong_type("the numbers of images are a range from 0 on: range(1000)"))
    };
    if end("step")? != 1 {
        return Err(wrong_value(
            "the numbers of images are a range with the step 1",
        ));
    }
    let numbers = end("start")?..end("stop")?;
    let part = run(py, f64::MAX, || job.compute(numbers))?.map_err(raised)?;
    let residues = part.images.iter().map(|image| match image.as_deref() {
        None => Ok(py.None().into_bound(py)),
        Some([residue]) => residue.into_bound_py_any(py),
        Some(residues) => residues.into_bound_py_any(py),
    });
    let residues = residues.collect::<PyResult<Vec<_>>>()?;
    let told = PyDict::new(py);
    told.set_item("sunzi_images", FORM)?;
    told.set_item("job", part.job())?;
    told.set_item("check", part.check())?;
    told.set_item("needed", job.needed())?;
    told.set_item("first", part.first)?;
    told.set_item("residues", residues)?;
    Ok(told)
}

/// The images of subresultants with respect to y of two BiPoly over the integers, to be computed in parts: those of these indices, of which
/// 0 is the resultant. The result is a list of BiPoly.
///
/// >>> job = subresultant_images(BiPoly('x^2 + y^2 - 5'), BiPoly('(x - 3)^2 + y^2 - 2'), [1])
/// >>> job.combine([images(job, range(job.needed))])
/// [BiPoly('-6*x + 12')]
#[pyfunction]
#[pyo3(signature = (f, g, indices, /))]
pub(crate) fn subresultant_images(
    f: PyRef<'_, BiPoly>,
    g: PyRef<'_, BiPoly>,
    indices: Vec<usize>,
) -> PyResult<Images> {
    let (py, operands) = (f.py(), [integers(&f)?, integers(&g)?]);
    let [of, with] = &operands;
    let job = run(py, f64::MAX, || {
        SubresultantYImages::new(of, with, &indices)
    })?;
    Ok(Images(Job::SubresultantsInY(
        job.map_err(raised)?,
        operands,
        indices,
    )))
}

/// The same polynomial over the rational numbers.
fn rational(poly: &BivariatePoly<Integer>) -> BiPoly {
    BiPoly(poly.map(|coefficient| coefficient.clone().into()))
}

/// A polynomial in two variables with integers for coefficients.
fn integers(poly: &BiPoly) -> PyResult<BivariatePoly<Integer>> {
    let mut coefficients = poly.0.rows().iter().flat_map(|row| row.coefficients());
    if coefficients.any(|coefficient| !coefficient.denominator().is_one()) {
        return Err(wrong_value(
            "images are of polynomials over the integers: multiply the polynomial by its denominators, which changes it by a factor",
        ));
    }
    Ok(poly.0.map(|coefficient| coefficient.numerator().clone()))
}

#[pymethods]
impl Images {
    /// So many images prove the result, unless some primes tell nothing.
    #[getter]
    fn needed(&self) -> u64 {
        self.0.needed()
    }

    /// The result, from parts in any order.
    #[pyo3(signature = (parts, /))]
    fn combine<'py>(&self, parts: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = parts.py();
        let parts = parts.try_iter()?.map(|part| read(&part?));
        let parts = parts.collect::<PyResult<Vec<_>>>()?;
        let value = run(py, f64::MAX, || self.0.combine(&parts))?;
        match value.map_err(raised)? {
            Value::Integer(value) => to_int(py, &value),
            Value::InX(value) => Poly::integers(value).into_bound_py_any(py),
            Value::InXY(values) => {
                let values: Vec<_> = values.iter().map(rational).collect();
                values.into_bound_py_any(py)
            }
        }
    }

    fn __repr__(&self) -> String {
        let made = match self.0 {
            Job::Determinant(..) => "det_images",
            Job::Resultant(..) | Job::ResultantInY(..) => "resultant_images",
            Job::SubresultantsInY(..) => "subresultant_images",
        };
        format!("{made}(<{} images>)", self.0.needed())
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let package = py.import("sunzi")?;
        match &self.0 {
            Job::Determinant(_, matrix) => {
                let entries = array_of(py, matrix, false, |entry| to_int(py, entry))?;
                let arguments = PyTuple::new(py, [entries])?;
                Ok((package.getattr("det_images")?, arguments))
            }
            Job::Resultant(_, operands) => {
                let arguments = operands.clone().map(Poly::integers);
                let arguments = PyTuple::new(py, arguments)?;
                Ok((package.getattr("resultant_images")?, arguments))
            }
            Job::ResultantInY(_, operands) => {
                let arguments = PyTuple::new(py, operands.each_ref().map(rational))?;
                Ok((package.getattr("resultant_images")?, arguments))
            }
            Job::SubresultantsInY(_, operands, indices) => {
                let [f, g] = operands.each_ref().map(rational);
                let arguments = (f, g, indices.clone()).into_pyobject(py)?;
                Ok((package.getattr("subresultant_images")?, arguments))
            }
        }
    }
}

/// The residues of one image.
#[derive(FromPyObject)]
enum Residues {
    One(u64),
    Several(Vec<u64>),
}

impl Residues {
    fn image(self) -> Vec<u64> {
        match self {
            Self::One(residue) => vec![residue],
            Self::Several(residues) => residues,
        }
    }
}

/// A part as `images` gives it.
fn read(part: &Bound<'_, PyAny>) -> PyResult<Part> {
    let wrong = || wrong_value("this is no part that `images` or `--images` of the program gave");
    let member = |name: &str| part.get_item(name).map_err(|_| wrong());
    let form = member("sunzi_images")?.extract().map_err(|_| wrong())?;
    let job: String = member("job")?.extract().map_err(|_| wrong())?;
    let check: String = member("check")?.extract().map_err(|_| wrong())?;
    let first = member("first")?.extract().map_err(|_| wrong())?;
    let residues: Vec<Option<Residues>> = member("residues")?.extract().map_err(|_| wrong())?;
    let images = residues.into_iter();
    let images = images.map(|image| image.map(Residues::image)).collect();
    Part::read(form, &job, first, images, &check).map_err(raised)
}
