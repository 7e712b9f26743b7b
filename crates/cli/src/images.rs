//! Results in parts: images of a range of numbers, which one call writes, and parts that another puts together.

use clap::Args;
use serde::{Deserialize, Serialize};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use sunzi::engine::DeviceChoice;
use sunzi::images::{Images, Part, PartsError};
use sunzi_files::failure::{Failure, Place, reason, shown};

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

    /// The parts that are to be put together, if some are.
    ///
    /// # Errors
    /// [`Failure::Input`] if a file cannot be read, or holds anything else.
    pub fn parts(&self) -> Result<Option<Vec<Part>>, Failure> {
        if self.combine.is_empty() {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for path in &self.combine {
            read(path, &mut parts)?;
        }
        Ok(Some(parts))
    }

    /// Refuses a device, which computes no parts.
    ///
    /// # Errors
    /// [`Failure::Usage`].
    pub fn check_device(&self, choice: DeviceChoice) -> Result<(), Failure> {
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

/// The form of a part that this version writes and reads.
const FORM: u32 = 1;

/// A part as a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    sunzi_images: u32,
    /// The fingerprint of operation and operands, in hexadecimal.
    job: String,
    /// How many images prove the result, unless some primes tell nothing.
    needed: u64,
    first: u64,
    /// The residues in turn; null where the prime tells nothing.
    residues: Vec<Option<u64>>,
}

/// A part of a job with one integer as a line, without its end.
pub fn line(job: &impl Images, part: &Part) -> String {
    let residue = |image: &Option<Vec<u64>>| image.as_ref().and_then(|all| all.first().copied());
    let line = Line {
        sunzi_images: FORM,
        job: format!("{:032x}", part.fingerprint),
        needed: job.needed(),
        first: part.first,
        residues: part.images.iter().map(residue).collect(),
    };
    // Numbers and texts alone.
    serde_json::to_string(&line).unwrap_or_default()
}

/// Reads the parts of a file, one a line.
fn read(path: &Path, parts: &mut Vec<Part>) -> Result<(), Failure> {
    let refused = |line: Option<u64>, problem: String| Failure::Input {
        place: Place {
            file: shown(path),
            line,
            column: None,
        },
        problem,
    };
    let text = fs::read_to_string(path).map_err(|error| refused(None, reason(&error)))?;
    let before = parts.len();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |problem: String| refused(Some(number), problem);
        let line: Line = serde_json::from_str(line).map_err(|error| Failure::Input {
            place: Place {
                file: shown(path),
                line: Some(number),
                column: Some(error.column()),
            },
            problem: "this is no part that --images wrote".to_owned(),
        })?;
        if line.sunzi_images != FORM {
            return Err(wrong(format!(
                "the part has the form {}, and this version reads form {FORM}: compute it again",
                line.sunzi_images
            )));
        }
        let fingerprint = u128::from_str_radix(&line.job, 16)
            .map_err(|_| wrong("\"job\" is a hexadecimal number of 32 digits".to_owned()))?;
        let images = line.residues.into_iter();
        parts.push(Part {
            fingerprint,
            first: line.first,
            images: images.map(|residue| Some(vec![residue?])).collect(),
        });
    }
    match parts.len() > before {
        true => Ok(()),
        false => Err(refused(
            None,
            "there is no part that --images wrote".to_owned(),
        )),
    }
}

/// What parts do not give.
pub fn refused(error: &PartsError) -> Failure {
    Failure::Usage(format!("--combine: {error}"))
}
