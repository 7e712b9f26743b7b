//! Results in parts: images of a range of numbers, which one call writes, and parts that another puts together.

use clap::Args;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};
use sunzi::engine::{DeviceChoice, EngineError};
use sunzi::images::{FORM, Images, Part, PartsError};
use sunzi::memory::Budget;
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::{LineReader, check_standard_input};
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

/// Whether a result is computed in parts.
#[derive(Debug, Args)]
pub struct ImageOptions {
    /// Compute the images of these numbers alone, and write them as a part for --combine; 0..0 tells how many are needed
    #[arg(
        long,
        value_name = "FIRST..END",
        value_parser = parse_numbers,
        conflicts_with_all = ["prime", "early", "combine"]
    )]
    images: Option<Range<u64>>,
    /// Put the result together from these parts, which --images wrote
    #[arg(long, value_name = "PART", num_args = 1.., conflicts_with_all = ["prime", "early"])]
    combine: Vec<PathBuf>,
}

/// What is to be done in parts.
#[derive(Debug)]
pub enum InParts {
    /// Compute the images of these numbers.
    Compute(Range<u64>),
    /// Put the result together.
    Combine(Vec<Part>),
}

impl ImageOptions {
    /// What is to be done in parts, if anything is; parts are read beside these files.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a device, which computes no parts, for another form of a part, and for standard input twice;
    /// [`Failure::Input`] if a file of parts cannot be read, or holds anything else.
    pub fn in_parts(
        &self,
        beside: &[&Path],
        budget: Budget,
        choice: DeviceChoice,
        json: bool,
    ) -> Result<Option<InParts>, Failure> {
        if self.images.is_none() && self.combine.is_empty() {
            return Ok(None);
        }
        if let DeviceChoice::Only(_) = choice {
            return Err(Failure::Usage(
                "images in parts are computed on the processor: leave --device out".to_owned(),
            ));
        }
        let Some(numbers) = &self.images else {
            return Ok(Some(InParts::Combine(self.parts(beside, budget)?)));
        };
        match json {
            true => Err(Failure::Usage(
                "--images writes a part, which is JSON already: leave --json out".to_owned(),
            )),
            false => Ok(Some(InParts::Compute(numbers.clone()))),
        }
    }

    /// The parts that are to be put together.
    fn parts(&self, beside: &[&Path], budget: Budget) -> Result<Vec<Part>, Failure> {
        let paths = self.combine.iter().map(PathBuf::as_path);
        check_standard_input(&paths.chain(beside.iter().copied()).collect::<Vec<_>>())?;
        let mut parts = Vec::new();
        for path in &self.combine {
            read(path, budget, &mut parts)?;
        }
        Ok(parts)
    }
}

/// Reads `0..1000`.
fn parse_numbers(text: &str) -> Result<Range<u64>, String> {
    let ends = text.split_once("..");
    let ends = ends.and_then(|(first, end)| Some((first.parse().ok()?, end.parse().ok()?)));
    match ends {
        Some((first, end)) if first <= end => Ok(first..end),
        _ => Err("give the first number and the one after the last, as in 0..1000".to_owned()),
    }
}

/// A part as a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    sunzi_images: u32,
    /// The fingerprint of operation and operands.
    job: String,
    /// The checksum.
    check: String,
    /// How many images prove the result, unless some primes tell nothing.
    needed: u64,
    first: u64,
    /// The residues in turn; null where the prime tells nothing.
    residues: Vec<Option<Residues>>,
}

/// The residues of one image.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Residues {
    One(u64),
    Several(Vec<u64>),
}

impl Residues {
    fn of(image: &[u64]) -> Self {
        match image {
            [residue] => Self::One(*residue),
            _ => Self::Several(image.to_vec()),
        }
    }

    fn image(self) -> Vec<u64> {
        match self {
            Self::One(residue) => vec![residue],
            Self::Several(residues) => residues,
        }
    }
}

/// Computes the images of these numbers, and writes them as a part. What cannot be done is told as `failed` says.
///
/// # Errors
/// If they cannot be computed, or not be written.
pub fn compute<J: Images>(
    job: impl FnOnce() -> Result<J, EngineError>,
    numbers: Range<u64>,
    progress: Progress,
    mut output: Output,
    failed: impl FnOnce(EngineError) -> Failure,
) -> Result<(), Failure>
where
    EngineError: From<J::Error>,
{
    let compute = || {
        let job = job()?;
        let part = job.compute(numbers)?;
        Ok((job, part))
    };
    let (job, part) = progress.watch(compute).map_err(failed)?;
    drop(progress);
    output.write(line(&job, &part)?.as_bytes())?;
    output.finish()
}

/// The result that parts give, and how many primes prove it.
///
/// # Errors
/// [`Failure::Usage`] if the parts do not give it.
pub fn combine<J: Images>(
    job: impl FnOnce() -> Result<J, EngineError>,
    parts: &[Part],
    progress: &Progress,
    failed: impl FnOnce(EngineError) -> Failure,
) -> Result<(J::Value, usize), Failure> {
    progress.watch(|| {
        let job = job().map_err(failed)?;
        let value = job.combine(parts).map_err(|error| refused(&error))?;
        Ok((value, job.needed() as usize))
    })
}

/// A part of a job as a line.
fn line(job: &impl Images, part: &Part) -> Result<String, Failure> {
    let residues = |image: &Option<Vec<u64>>| image.as_deref().map(Residues::of);
    let line = Line {
        sunzi_images: FORM,
        job: part.job(),
        check: part.check(),
        needed: job.needed(),
        first: part.first,
        residues: part.images.iter().map(residues).collect(),
    };
    let text = serde_json::to_string(&line);
    Ok(text.map_err(|error| Failure::Computation(error.to_string()))? + "\n")
}

/// Reads the parts of a file, one a line.
fn read(path: &Path, budget: Budget, parts: &mut Vec<Part>) -> Result<(), Failure> {
    let mut lines = LineReader::open(path, budget)?;
    let before = parts.len();
    while let Some(text) = lines.next_line()? {
        let wrong =
            |offset: usize, problem: &str| lines.error_at(&text, offset, problem.to_owned());
        let line: Line = serde_json::from_slice(text.content()).map_err(|error| {
            let offset = error.column().saturating_sub(1);
            wrong(offset, "this is no part that --images wrote")
        })?;
        let images = line.residues.into_iter();
        let images = images.map(|image| image.map(Residues::image)).collect();
        let part = Part::read(
            line.sunzi_images,
            &line.job,
            line.first,
            images,
            &line.check,
        );
        parts.push(part.map_err(|error| wrong(0, &error.to_string()))?);
    }
    match parts.len() > before {
        true => Ok(()),
        false => Err(lines.error(
            None,
            None,
            "there is no part that --images wrote".to_owned(),
        )),
    }
}

/// What parts do not give.
fn refused(error: &PartsError) -> Failure {
    match error {
        PartsError::Memory(_) => Failure::Computation(error.to_string()),
        _ => Failure::Usage(format!("--combine: {error}")),
    }
}
