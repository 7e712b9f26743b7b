//! Results in parts: images of a range of numbers, which one call writes, and parts that another puts together; or all of them at once,
//! by the processes that MPI has started.

use crate::args::Common;
#[cfg(unix)]
use crate::ranks::{Company, are_several};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::ops::Range;
use std::path::{Path, PathBuf};
use sunzi::engine::{DeviceChoice, EngineError};
use sunzi::images::{FORM, Images, Part, PartsError};
use sunzi::memory::Budget;
#[cfg(unix)]
use sunzi::scale::{Shared, SharedError, share_images};
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
    /// Find the result.
    Find(Source),
}

/// Where the images of a result come from.
#[derive(Debug)]
pub enum Source {
    /// They were computed before.
    Parts(Vec<Part>),
    /// All ranks compute some, and the first one has the result.
    #[cfg(unix)]
    Ranks(Company),
}

impl InParts {
    /// The ranks that share what is to be done, if there are several.
    #[cfg(unix)]
    pub fn company(&self) -> Option<&Company> {
        match self {
            Self::Find(Source::Ranks(company)) => Some(company),
            _ => None,
        }
    }
}

/// Where this process writes the result: nowhere if another one does, and then on standard output.
pub fn output<'a>(in_parts: Option<&InParts>, common: &'a Common) -> Option<&'a Path> {
    #[cfg(unix)]
    if in_parts
        .and_then(InParts::company)
        .is_some_and(|company| !company.speaks())
    {
        return None;
    }
    #[cfg(not(unix))]
    let _ = in_parts;
    common.output.as_deref()
}

/// What was read, if all processes that compute the result have read something.
///
/// # Errors
/// That of this process, or of another one.
pub fn agreed<T>(in_parts: Option<&InParts>, own: Result<T, Failure>) -> Result<T, Failure> {
    #[cfg(unix)]
    if let Some(company) = in_parts.and_then(InParts::company) {
        return company.agree(own);
    }
    #[cfg(not(unix))]
    let _ = in_parts;
    own
}

impl ImageOptions {
    /// What is to be done in parts, if anything is; parts are read beside these files. One of several processes shares the work with
    /// the others, unless it was told which part is its own.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a device, which computes no parts, for another form of a part, and for standard input twice;
    /// [`Failure::Input`] if a file of parts cannot be read, or holds anything else. Of several processes as [`Company::join`], and
    /// for what they cannot share.
    pub fn in_parts(
        &self,
        beside: &[&Path],
        budget: Budget,
        choice: DeviceChoice,
        early: bool,
        json: bool,
    ) -> Result<Option<InParts>, Failure> {
        if self.images.is_none() && self.combine.is_empty() {
            #[cfg(unix)]
            if are_several() {
                let company = among_ranks(beside, choice, early)?;
                return Ok(Some(InParts::Find(Source::Ranks(company))));
            }
            return Ok(None);
        }
        if let DeviceChoice::Only(_) = choice {
            return Err(Failure::Usage(
                "images in parts are computed on the processor: leave --device out".to_owned(),
            ));
        }
        let Some(numbers) = &self.images else {
            return Ok(Some(InParts::Find(Source::Parts(
                self.parts(beside, budget)?,
            ))));
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

/// The ranks that share a result.
#[cfg(unix)]
fn among_ranks(inputs: &[&Path], choice: DeviceChoice, early: bool) -> Result<Company, Failure> {
    let company = Company::join()?;
    let refused = |problem: &str| Err(Failure::Usage(problem.to_owned()));
    let own = match (choice, early) {
        _ if inputs.contains(&Path::new("-")) => refused(
            "standard input comes to one process, and several share the work: give a file that all of them see",
        ),
        (DeviceChoice::Only(_), _) => {
            refused("several processes compute images on their processors: leave --device out")
        }
        (_, true) => refused(
            "--early ends after a few images, which one process computes: leave it out, or start one process",
        ),
        _ => Ok(()),
    };
    company.agree(own)?;
    Ok(company)
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

/// A result that images prove.
pub struct Proved<V> {
    /// The result.
    pub value: V,
    /// How many primes prove it.
    pub primes: usize,
    /// Who has computed how many images, where several have.
    pub explanation: Option<String>,
}

/// The result that images from this source give; `None` in a process that has left it to another one. What cannot be done is told as
/// `failed` says.
///
/// # Errors
/// [`Failure::Usage`] if the parts do not give it, or processes were asked for different ones; if it cannot be computed.
pub fn find<J: Images<Error: Error + Send + 'static>>(
    job: impl FnOnce() -> Result<J, EngineError>,
    source: &Source,
    progress: &Progress,
    failed: impl Fn(EngineError) -> Failure,
) -> Result<Option<Proved<J::Value>>, Failure>
where
    EngineError: From<J::Error>,
{
    let own = progress.watch(|| job().map_err(&failed));
    match source {
        Source::Parts(parts) => {
            let job = own?;
            let value = progress.watch(|| job.combine(parts));
            Ok(Some(Proved {
                value: value.map_err(|error| refused(&error))?,
                primes: job.needed() as usize,
                explanation: None,
            }))
        }
        #[cfg(unix)]
        Source::Ranks(company) => {
            let job = company.agree(own)?;
            let found = progress.watch(|| share_images(&job, &*company.ranks));
            let found = found.map_err(|error| match error {
                SharedError::Gone(_) => Failure::Told,
                SharedError::OtherJob { .. } => company.refused(Failure::Usage(error.to_string())),
                SharedError::Images(error) => company.broken(failed(error.into())),
                other => company.broken(Failure::Computation(other.to_string())),
            })?;
            Ok(found.map(|Shared { value, images }| Proved {
                value,
                primes: job.needed() as usize,
                explanation: Some(shares(&images)),
            }))
        }
    }
}

/// How many images each rank has computed, in words.
#[cfg(unix)]
fn shares(images: &[u64]) -> String {
    let each: Vec<_> = images.iter().map(u64::to_string).collect();
    let all: u64 = images.iter().sum();
    format!(
        "{all} images on {} ranks: {}",
        images.len(),
        each.join(", ")
    )
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
