//! Polynomials in two variables over the rational numbers.

use crate::Remade;
use crate::arithmetic::parsing_time;
use crate::failure::{raised, room, wrong_type, wrong_value};
use crate::number::to_int;
use crate::polynomials::latex;
use crate::roots::{rational, to_fraction};
use crate::run::run;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use sunzi::Rational;
use sunzi::poly::Poly;
use sunzi::solve::BivariatePoly;

pub(crate) type Curve = BivariatePoly<Rational>;

/// The largest exponent of a dict, as of texts.
const MAX_DEGREE: usize = 1 << 16;

/// The polynomial in x and y that an object is: one, a text, `{(i, j): c}` for c·x^i·y^j, the rows of coefficients `c[i][j]`, or what prints as a
/// text, as SymPy's expressions do.
pub(crate) fn curve(object: &Bound<'_, PyAny>) -> PyResult<Curve> {
    let py = object.py();
    if let Ok(poly) = object.cast::<BiPoly>() {
        return Ok(poly.get().0.clone());
    }
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
            let powers = powers.extract::<(usize, usize)>().map_err(|_| {
                wrong_value(
                    "a term is named by its powers of x and y: {(i, j): c} with i and j from 0 on",
                )
            })?;
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

/// A polynomial in x and y over the rational numbers, or the curve where it is zero: of a text, of {(i, j): c} for c·x^i·y^j, of the
/// rows of coefficients c[i][j], or of a SymPy expression.
///
/// >>> f = BiPoly({(2, 0): 1, (0, 2): 1, (0, 0): -1})
/// >>> f
/// BiPoly('x^2 + y^2 - 1')
/// >>> f == BiPoly('x^2 + y^2 = 1'), f.degree()
/// (True, 2)
#[pyclass(frozen, module = "sunzi")]
pub(crate) struct BiPoly(pub(crate) Curve);

#[pymethods]
impl BiPoly {
    #[new]
    #[pyo3(signature = (curve, /))]
    fn new(curve: &Bound<'_, PyAny>) -> PyResult<Self> {
        self::curve(curve).map(Self)
    }

    /// The coefficients that are not zero, as {(i, j): c} for c·x^i·y^j; int, or Fraction.
    fn coeffs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let terms = PyDict::new(py);
        for (j, row) in self.0.rows().iter().enumerate() {
            let row = row.coefficients().iter().enumerate();
            for (i, coefficient) in row.filter(|(_, coefficient)| !coefficient.is_zero()) {
                let number = match coefficient.denominator().is_one() {
                    true => to_int(py, coefficient.numerator())?,
                    false => to_fraction(py, coefficient)?,
                };
                terms.set_item((i, j), number)?;
            }
        }
        Ok(terms)
    }

    /// The highest sum of the powers of x and y in a term; -1 of the zero polynomial.
    fn degree(&self) -> isize {
        self.0.total_degree().map_or(-1, |degree| degree as isize)
    }

    /// The highest powers of x and of y; -1 of the zero polynomial.
    fn degrees(&self) -> (isize, isize) {
        let degree = |degree: Option<usize>| degree.map_or(-1, |degree| degree as isize);
        (degree(self.0.degree_x()), degree(self.0.degree_y()))
    }

    fn __bool__(&self) -> bool {
        !self.0.is_zero()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, self.coeffs(py)?.items())?.hash()
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let terms: usize = self.0.rows().iter().map(Poly::len).sum();
        run(py, 1e3 * terms as f64, || self.0.to_string())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("BiPoly('{}')", self.__str__(py)?))
    }

    fn _repr_latex_(&self, py: Python<'_>) -> PyResult<String> {
        self.__str__(py).map(|text| latex(&text))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Remade<'py, (Bound<'py, PyDict>,)> {
        Ok((slf.get_type(), (slf.get().coeffs(slf.py())?,)))
    }
}
