//! Exact determinants.

use super::DetArguments;
use crate::args::Common;
use crate::commands::dense::input::{self, digits_of};
use crate::commands::dense::rationals::ExactEntries;
use crate::early::{error_probability, label};
use crate::images::{self, InParts};
use crate::operation::engine;
use crate::report::{Figures, Report, timed};
use serde::Serialize;
use sunzi::Rational;
use sunzi::{
    engine::{DeviceChoice, EngineError},
    images::Part,
    matrix::{
        DeterminantImages, IntegerDeterminant, IntegerMethod, KnownDeterminant, RowMultiples,
    },
};
use sunzi_files::failure::Failure;
use sunzi_files::numbers::rationals::RationalText;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

#[derive(Serialize)]
struct Value {
    /// As decimal text: an integer, or a quotient in lowest terms.
    determinant: String,
    proved: bool,
    error_probability: f64,
    /// How many primes it was computed modulo.
    primes: usize,
}

/// Finds a determinant.
pub fn run(wanted: &DetArguments, common: &Common) -> Result<(), Failure> {
    if let Some(algorithm) = wanted.algorithm {
        let name = super::name(algorithm);
        return Err(Failure::Usage(format!(
            "--algorithm {name} is for determinants modulo a prime and in floating point: give --mod P or \
             --float, too"
        )));
    }
    let in_parts = wanted.images.in_parts(
        &[&wanted.file],
        wanted.memory.budget(),
        wanted.device.choice,
        common.json,
    )?;
    let engine = match wanted.device.choice {
        DeviceChoice::Only(_) => Some(engine(wanted.device.choice, false)?),
        DeviceChoice::Auto | DeviceChoice::Cpu => None,
    };
    let mut device = None;
    let mut figures = Figures::start();
    let output = Output::create(common.output.as_deref())?;
    let entries = ExactEntries::new();
    let purpose = wanted.purpose();
    let input = input::read(&wanted.file, purpose, &entries, &mut figures.seconds)?;
    let rows = input.matrix.rows();
    let progress = Progress::of("computing");
    let multiples = timed(&mut figures.seconds.computing, || {
        RowMultiples::new(&input.matrix)
    });
    let read = (
        input.matrix.entries().len(),
        digits_of(&input.matrix, &entries),
    );
    purpose.check_memory(&input.name, &entries, read, multiples.digit_bytes())?;
    let failed = |error: EngineError| Failure::Computation(format!("{}: {error}", input.name));
    let job = || Ok::<_, EngineError>(DeterminantImages::new(&multiples.integers())?);
    let parts = match in_parts {
        Some(InParts::Compute(numbers)) => {
            return images::compute(job, numbers, progress, output, failed);
        }
        Some(InParts::Combine(parts)) => Some(parts),
        None => None,
    };
    let compute = || {
        let (integers, denominator) = (multiples.integers(), multiples.product());
        let method = match wanted.early.seed() {
            Some(seed) => IntegerDeterminant::new().early(seed),
            None => IntegerDeterminant::new(),
        };
        let Some(engine) = &engine else {
            let found = method.compute(&integers)?;
            let value = Rational::from_parts(found.value.clone(), denominator);
            return Ok((found, value));
        };
        let mut batch = engine.integer_determinants(method, &[&integers])?;
        for warning in &batch.warnings {
            progress.warn(warning);
        }
        device = batch.device.take();
        let found = batch.into_all()?.remove(0);
        let value = Rational::from_parts(found.value.clone(), denominator);
        Ok::<_, EngineError>((found, value))
    };
    let combined = |parts: &Vec<Part>| {
        let (value, primes) = images::combine(job, parts, &progress, failed)?;
        let found = KnownDeterminant {
            proved: true,
            method: IntegerMethod::Residues,
            primes,
            value,
        };
        let value = Rational::from_parts(found.value.clone(), multiples.product());
        Ok((found, value))
    };
    let (found, value) = timed(&mut figures.seconds.computing, || match &parts {
        None => progress.watch(compute).map_err(failed),
        Some(parts) => combined(parts),
    })?;
    drop(progress);
    if let Some(device) = &device {
        figures.computed_on(device);
    }
    let determinant = timed(&mut figures.seconds.writing, || {
        let mut text = Vec::new();
        RationalText::new().write(&value, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let mut text = format!("{determinant}\n");
    if !found.proved {
        text += &label(wanted.early.seed());
        text.push('\n');
    }
    figures.algorithm = Some(found.method.to_string());
    if common.json && parts.is_none() && !wanted.early.asked_for() {
        let work = DeterminantImages::relative_work(&multiples.integers());
        let work = work.map_err(|error| failed(error.into()))?;
        figures.explanation = work.map(beside_images);
    }
    let report = Report {
        head: wanted.head(rows, "exact", None),
        result: Value {
            determinant,
            proved: found.proved,
            error_probability: error_probability(found.proved),
            primes: found.primes,
        },
        figures: figures.ended(),
    };
    report.write(output, common.json, |_| text)
}

/// What is told of the work of images, as a multiple of what was done.
fn beside_images(work: f64) -> String {
    format!(
        "all images (--images) take {work:.1} times the work: in parts they are quicker on more than {:.0} times the cores",
        work.ceil()
    )
}
