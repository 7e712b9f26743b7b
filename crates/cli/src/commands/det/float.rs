//! Determinants in floating point.

use super::{DetAlgorithm, DetArguments, name};
use crate::args::Common;
use crate::commands::dense::input::{self, Entries, read_integer, read_number};
use crate::operation::engine;
use crate::report::{Figures, Report, timed};
use serde::Serialize;
use std::error::Error;
use sunzi::{
    matrix::float::Pivoting,
    sparse::matrix_market::{Problem, Values},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::numbers::rationals::RationalText;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

#[derive(Serialize)]
struct Value {
    /// m * 2^e with 1 <= |m| < 2, in full.
    mantissa: f64,
    exponent: i64,
    /// The same in decimal, with the digits that tell it from its neighbours.
    determinant: String,
    /// The same as a double, if one is near.
    double: Option<f64>,
    /// Whether rounding alone may have made it, so that no digit need be right.
    singular_to_working_precision: bool,
}

/// Finds a determinant.
pub fn run(wanted: &DetArguments, common: &Common) -> Result<(), Failure> {
    let engine = engine(wanted.device.choice, false)?;
    let mut figures = Figures::start();
    let output = Output::create(common.output.as_deref())?;
    let entries = FloatEntries {
        numbers: RationalText::new(),
    };
    let input = input::read(
        &wanted.file,
        wanted.purpose(),
        &entries,
        &mut figures.seconds,
    )?;
    let progress = Progress::of("eliminating");
    let algorithm = wanted.algorithm.unwrap_or(DetAlgorithm::Elimination);
    let pivoting = match algorithm {
        DetAlgorithm::Elimination => Pivoting::Largest,
        DetAlgorithm::Condensation => Pivoting::NearestToOne,
    };
    let failed = |error: &dyn Error| Failure::Computation(format!("{}: {error}", input.name));
    let found = timed(&mut figures.seconds.computing, || {
        progress.watch(|| engine.float_determinants(pivoting, &[&input.matrix]))
    });
    let found = found.map_err(|error| failed(&error))?;
    for warning in &found.warnings {
        progress.warn(warning);
    }
    drop(progress);
    if let Some(device) = &found.device {
        figures.computed_on(device);
    }
    let found = found
        .into_all()
        .map_err(|error| failed(&error))?
        .remove(0)
        .map_err(|error| failed(&error))?;
    let value = found.value();
    let double = value.to_f64();
    // What is nearer to 0 than to any double that is not is 0 only if it is.
    let fits = double.is_finite() && (double != 0.0 || value.mantissa() == 0.0);
    let value = Value {
        mantissa: value.mantissa(),
        exponent: value.exponent(),
        determinant: value.to_string(),
        double: fits.then_some(double),
        singular_to_working_precision: found.is_singular_to_working_precision(),
    };
    figures.algorithm = Some(name(algorithm).to_owned());
    let report = Report {
        head: wanted.head(input.matrix.rows(), "float", None),
        result: value,
        figures: figures.ended(),
    };
    report.write(output, common.json, |value| text(value, double))
}

/// The value, its mantissa and exponent, the double, and a warning.
fn text(value: &Value, double: f64) -> String {
    let double = match value.double {
        Some(double) => format!("{double:?}"),
        None if double == 0.0 => "none: it is smaller than all doubles but 0".to_owned(),
        None => "none: it is greater than all doubles".to_owned(),
    };
    let mut text = format!(
        "determinant            {}\nmantissa * 2^exponent  {:?} * 2^{}\ndouble                 {double}\n",
        value.determinant, value.mantissa, value.exponent
    );
    if value.singular_to_working_precision {
        text.push_str(
            "# the matrix is singular as far as floating point tells: no digit need be right\n",
        );
    }
    text
}

/// Finite floating point numbers.
struct FloatEntries {
    numbers: RationalText,
}

impl Values for FloatEntries {
    type Value = f64;

    fn real(&self, text: &str) -> Result<f64, Problem> {
        read_number(self, text)
    }

    fn integer(&self, text: &str) -> Result<f64, Problem> {
        read_integer(self, text)
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn one(&self) -> f64 {
        1.0
    }

    /// Dense matrices keep their zeros.
    fn is_zero(&self, _entry: &f64) -> bool {
        false
    }

    fn negated(&self, entry: &f64) -> f64 {
        -entry
    }

    fn sum(&self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn is_valid(&self, sum: &f64) -> bool {
        sum.is_finite()
    }
}

impl Entries for FloatEntries {
    fn read(&self, word: &[u8]) -> Result<f64, LineError> {
        self.numbers.read_float(word)
    }
}
