//! Exact determinants.

use super::DetArguments;
use crate::args::Common;
use crate::commands::dense::input::{self, Input, digits_of};
use crate::commands::dense::rationals::ExactEntries;
use crate::early::{error_probability, label};
use crate::images::{self, InParts};
use crate::operation::engine;
use crate::report::{Figures, Report, timed};
use serde::Serialize;
use sunzi::Rational;
use sunzi::{
    engine::{DeviceChoice, EngineError},
    matrix::{
        DenseMatrix, DeterminantImages, IntegerDeterminant, IntegerMethod, KnownDeterminant,
        RowMultiples,
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

/// A matrix that was read, and where its determinant goes to.
struct Read {
    figures: Figures,
    output: Output,
    input: Input<DenseMatrix<Rational>>,
}

/// Reads the matrix.
fn read(
    wanted: &DetArguments,
    common: &Common,
    entries: &ExactEntries,
    in_parts: Option<&InParts>,
) -> Result<Read, Failure> {
    let mut figures = Figures::start();
    let output = Output::create(images::output(in_parts, common))?;
    let input = input::read(
        &wanted.file,
        wanted.purpose(),
        entries,
        &mut figures.seconds,
    )?;
    Ok(Read {
        figures,
        output,
        input,
    })
}

/// Refuses what there is none of here.
fn refuse_others(wanted: &DetArguments) -> Result<(), Failure> {
    if let Some(name) = wanted.algorithm.map(super::name) {
        return Err(Failure::Usage(format!(
            "--algorithm {name} is for determinants modulo a prime and in floating point: give --mod P or \
             --float, too"
        )));
    }
    if let (Some(_), DeviceChoice::Only(_)) = (wanted.method, wanted.device.choice) {
        return Err(Failure::Usage(
            "a device computes residues alone: leave --method out, or --device".to_owned(),
        ));
    }
    Ok(())
}

/// Finds a determinant.
pub fn run(wanted: &DetArguments, common: &Common) -> Result<(), Failure> {
    let in_parts = wanted.images.in_parts(
        &[&wanted.file],
        wanted.memory.budget(),
        wanted.device.choice,
        wanted.early.asked_for(),
        common.json,
    )?;
    images::agreed(in_parts.as_ref(), refuse_others(wanted))?;
    let engine = match wanted.device.choice {
        DeviceChoice::Only(_) => Some(engine(wanted.device.choice, false)?),
        DeviceChoice::Auto | DeviceChoice::Cpu => None,
    };
    let (mut device, mut explanation) = (None, None);
    let entries = ExactEntries::new();
    let read = read(wanted, common, &entries, in_parts.as_ref());
    let Read {
        mut figures,
        output,
        input,
    } = images::agreed(in_parts.as_ref(), read)?;
    let progress = Progress::of("computing");
    let multiples = timed(&mut figures.seconds.computing, || {
        RowMultiples::new(&input.matrix)
    });
    let read = (
        input.matrix.entries().len(),
        digits_of(&input.matrix, &entries),
    );
    let purpose = wanted.purpose();
    let room = purpose.check_memory(&input.name, &entries, read, multiples.digit_bytes());
    images::agreed(in_parts.as_ref(), room)?;
    let failed = |error: EngineError| Failure::Computation(format!("{}: {error}", input.name));
    let job = || Ok::<_, EngineError>(DeterminantImages::new(&multiples.integers())?);
    let source = match in_parts {
        Some(InParts::Compute(numbers)) => {
            return images::compute(job, numbers, progress, output, failed);
        }
        Some(InParts::Find(source)) => Some(source),
        None => None,
    };
    let compute = || {
        let (integers, denominator) = (multiples.integers(), multiples.product());
        let method = wanted.method.map(IntegerMethod::from).unwrap_or_default();
        let how = match wanted.early.seed() {
            Some(seed) => IntegerDeterminant::new().early(seed),
            None => IntegerDeterminant::new().method(method),
        };
        let Some(engine) = &engine else {
            let found = how.compute(&integers)?;
            let value = Rational::from_parts(found.value.clone(), denominator);
            return Ok((found, value));
        };
        let mut batch = engine.integer_determinants(how, &[&integers])?;
        for warning in &batch.warnings {
            progress.warn(warning);
        }
        device = batch.device.take();
        let found = batch.into_all()?.remove(0);
        let value = Rational::from_parts(found.value.clone(), denominator);
        Ok::<_, EngineError>((found, value))
    };
    let found = timed(&mut figures.seconds.computing, || match &source {
        None => progress.watch(compute).map(Some).map_err(failed),
        Some(source) => {
            #[cfg(unix)]
            advise(source, &multiples, &progress)?;
            let proved = images::find(job, source, &progress, failed)?;
            Ok(proved.map(|proved| {
                let value = Rational::from_parts(proved.value.clone(), multiples.product());
                let found = KnownDeterminant {
                    proved: true,
                    method: IntegerMethod::Residues,
                    primes: proved.primes,
                    value: proved.value,
                };
                explanation = proved.explanation;
                (found, value)
            }))
        }
    })?;
    drop(progress);
    // Another process writes it.
    let Some((found, value)) = found else {
        return Ok(());
    };
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
    figures.explanation = explanation;
    if common.json && source.is_none() && !wanted.early.asked_for() {
        let work = DeterminantImages::relative_work(&multiples.integers());
        let work = work.map_err(|error| failed(error.into()))?;
        figures.explanation = work.map(beside_images);
    }
    let report = Report {
        head: wanted.head(input.matrix.rows(), "exact", None),
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

/// Tells where one process would be sooner than several.
#[cfg(unix)]
fn advise(
    source: &images::Source,
    multiples: &RowMultiples<'_>,
    progress: &Progress,
) -> Result<(), Failure> {
    let images::Source::Ranks(company) = source else {
        return Ok(());
    };
    let threads = company.threads()?;
    let work = DeterminantImages::relative_work(&multiples.integers());
    if let Ok(Some(work)) = work
        && company.speaks()
        && work > threads as f64
    {
        progress.warn(&format!(
            "images take {work:.1} times the work of the quickest way, and {threads} threads share it: one process alone is sooner"
        ));
    }
    Ok(())
}

/// What is told of the work of images, as a multiple of what was done.
fn beside_images(work: f64) -> String {
    format!(
        "all images (--images) take {work:.1} times the work: in parts they are quicker on more than {:.0} times the cores",
        work.ceil()
    )
}
