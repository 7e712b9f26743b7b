//! Results in parts: images of a range of numbers, which one call writes, and parts that another puts together.

use clap::Args;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};
use sunzi::engine::DeviceChoice;
use sunzi::images::{FORM, Images, Part, PartsError};
use sunzi::memory::Budget;
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::{LineReader, check_standard_input};

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

impl ImageOptions {
    /// The numbers of the images that are to be computed alone.
    pub fn numbers(&self) -> Option<Range<u64>> {
        self.images.clone()
    }

    /// The parts that are to be put together, if some are; they are read beside these files.
    ///
    /// # Errors
    /// [`Failure::Input`] if a file cannot be read, or holds anything else; [`Failure::Usage`] for standard input twice.
    pub fn parts(&self, beside: &[&Path], budget: Budget) -> Result<Option<Vec<Part>>, Failure> {
        if self.combine.is_empty() {
            return Ok(None);
        }
        let paths = self.combine.iter().map(PathBuf::as_path);
        check_standard_input(&paths.chain(beside.iter().copied()).collect::<Vec<_>>())?;
        let mut parts = Vec::new();
        for path in &self.combine {
            read(path, budget, &mut parts)?;
        }
        Ok(Some(parts))
    }

    /// Refuses a device, which computes no parts, and another form of a part.
    ///
    /// # Errors
    /// [`Failure::Usage`].
    pub fn check(&self, choice: DeviceChoice, json: bool) -> Result<(), Failure> {
        if json && self.images.is_some() {
            return Err(Failure::Usage(
                "--images writes a part, which is JSON already: leave --json out".to_owned(),
            ));
        }
        let in_parts = self.images.is_some() || !self.combine.is_empty();
        match choice {
            DeviceChoice::Only(_) if in_parts => Err(Failure::Usage(
                "images in parts are computed on the processor: leave --device out".to_owned(),
            )),
            _ => Ok(()),
        }
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
    residues: Vec<Option<u64>>,
}

/// A part of a job with one integer as a line.
///
/// # Errors
/// [`Failure::Computation`] if it is nothing that JSON can hold.
pub fn line(job: &impl Images, part: &Part) -> Result<String, Failure> {
    let residue = |image: &Option<Vec<u64>>| image.as_ref()?.first().copied();
    let line = Line {
        sunzi_images: FORM,
        job: part.job(),
        check: part.check(),
        needed: job.needed(),
        first: part.first,
        residues: part.images.iter().map(residue).collect(),
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
        let images = images.map(|residue| Some(vec![residue?])).collect();
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
pub fn refused(error: &PartsError) -> Failure {
    match error {
        PartsError::Memory(_) => Failure::Computation(error.to_string()),
        _ => Failure::Usage(format!("--combine: {error}")),
    }
}
