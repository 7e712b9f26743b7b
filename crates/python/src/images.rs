//! Results over the integers in parts: images that any process computes, and the value that they are put together to.

use crate::failure::{raised, wrong_type, wrong_value};
use crate::matrices::integer_matrix;
use crate::number::to_int;
use crate::polynomials::Poly;
use crate::run::run;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ops::Range;
use sunzi::images::{Images as _, Part, PartsError};
use sunzi::matrix::DeterminantImages;
use sunzi::solve::ResultantImages;
use sunzi::{Error, Integer};

/// The form of parts, which the command line has, too.
const FORM: u32 = 1;

/// What images are of.
enum Job {
    Determinant(DeterminantImages),
    Resultant(ResultantImages),
}

impl Job {
    fn needed(&self) -> u64 {
        match self {
            Self::Determinant(job) => job.needed(),
            Self::Resultant(job) => job.needed(),
        }
    }

    fn compute(&self, numbers: Range<u64>) -> Result<Part, Error> {
        Ok(match self {
            Self::Determinant(job) => job.compute(numbers)?,
            Self::Resultant(job) => job.compute(numbers)?,
        })
    }

    fn combine(&self, parts: &[Part]) -> Result<Integer, PartsError> {
        match self {
            Self::Determinant(job) => job.combine(parts),
            Self::Resultant(job) => job.combine(parts),
        }
    }
}

/// A result over the integers whose images are computed in parts: by `det_images` or `resultant_images`. It is pickled for other
/// processes.
#[pyclass(frozen, module = "sunzi")]
pub(crate) struct Images {
    job: Job,
    /// What makes it anew.
    made: &'static str,
    operands: Py<PyTuple>,
}

/// The images of the determinant of a matrix of integers, to be computed in parts.
///
/// >>> job = det_images([[2**70, 1], [1, 1]])
/// >>> job.combine([job.compute(range(2, job.needed)), job.compute(range(2))])
/// 1180591620717411303423
#[pyfunction]
#[pyo3(signature = (a, /))]
pub(crate) fn det_images(a: &Bound<'_, PyAny>) -> PyResult<Images> {
    let job = DeterminantImages::new(&integer_matrix(a)?).map_err(raised)?;
    Ok(Images {
        job: Job::Determinant(job),
        made: "det_images",
        operands: PyTuple::new(a.py(), [a])?.unbind(),
    })
}

/// The images of the resultant of two polynomials over the integers, to be computed in parts.
#[pyfunction]
#[pyo3(signature = (f, g, /))]
pub(crate) fn resultant_images(f: &Bound<'_, Poly>, g: &Bound<'_, Poly>) -> PyResult<Images> {
    let job = ResultantImages::new(f.get().over_z()?, g.get().over_z()?);
    Ok(Images {
        job: Job::Resultant(job),
        made: "resultant_images",
        operands: PyTuple::new(f.py(), [f, g])?.unbind(),
    })
}

#[pymethods]
impl Images {
    /// So many images prove the result, unless some primes tell nothing.
    #[getter]
    fn needed(&self) -> u64 {
        self.job.needed()
    }

    /// The images of these numbers, from 0 on: a part, which JSON may carry, and `sunzi det --combine` reads as a line.
    #[pyo3(signature = (numbers, /))]
    fn compute<'py>(&self, numbers: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let py = numbers.py();
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
        let part = run(py, f64::MAX, || self.job.compute(numbers))?.map_err(raised)?;
        let residues = part.images.into_iter();
        let residues: Vec<_> = residues.map(|image| image?.first().copied()).collect();
        let told = PyDict::new(py);
        told.set_item("sunzi_images", FORM)?;
        told.set_item("job", format!("{:032x}", part.fingerprint))?;
        told.set_item("needed", self.job.needed())?;
        told.set_item("first", part.first)?;
        told.set_item("residues", residues)?;
        Ok(told)
    }

    /// The result, from parts in any order.
    #[pyo3(signature = (parts, /))]
    fn combine<'py>(&self, parts: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = parts.py();
        let parts = parts.try_iter()?.map(|part| read(&part?));
        let parts = parts.collect::<PyResult<Vec<_>>>()?;
        let value = run(py, f64::MAX, || self.job.combine(&parts))?;
        to_int(py, &value.map_err(raised)?)
    }

    fn __repr__(&self) -> String {
        format!("{}(<{} images>)", self.made, self.job.needed())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Py<PyTuple>)> {
        let make = py.import("sunzi")?.getattr(self.made)?;
        Ok((make, self.operands.clone_ref(py)))
    }
}

/// A part as `compute` gives it.
fn read(part: &Bound<'_, PyAny>) -> PyResult<Part> {
    let wrong = || wrong_value("this is no part that `compute` or `sunzi det --images` gave");
    let member = |name: &str| part.get_item(name).map_err(|_| wrong());
    let form: u32 = member("sunzi_images")?.extract().map_err(|_| wrong())?;
    let job: String = member("job")?.extract().map_err(|_| wrong())?;
    let residues: Vec<Option<u64>> = member("residues")?.extract().map_err(|_| wrong())?;
    if form != FORM {
        return Err(wrong());
    }
    Ok(Part {
        fingerprint: u128::from_str_radix(&job, 16).map_err(|_| wrong())?,
        first: member("first")?.extract().map_err(|_| wrong())?,
        images: residues
            .into_iter()
            .map(|residue| Some(vec![residue?]))
            .collect(),
    })
}
