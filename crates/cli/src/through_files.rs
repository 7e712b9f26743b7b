//! What is longer than memory: options, and operations from files to a file, in as little memory as there is.

use crate::args::Common;
use clap::Args;
use std::path::{Path, PathBuf};
use sunzi::engine::DeviceChoice;
use sunzi_files::failure::{Failure, shown};
use sunzi_files::input::npy::is_npy;

/// How what is longer than memory is computed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Longer than memory")]
pub struct ThroughFiles {
    /// Work through files in this folder, on a fast disk with room for two or three times the result
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Print the plan, and do nothing
    #[arg(long, requires = "scratch")]
    pub plan: bool,
    /// Begin anew, whatever an earlier command has done
    #[arg(long, requires = "scratch")]
    pub fresh: bool,
    /// Leave out the comparison of three values with their definition, in jobs that begin
    #[arg(long, requires = "scratch")]
    pub no_verify: bool,
}

impl ThroughFiles {
    /// The output and the folder for scratch files; or why these inputs cannot be computed so.
    ///
    /// # Errors
    /// [`Failure::Usage`].
    pub fn places<'a>(
        &'a self,
        inputs: &[&Path],
        device: DeviceChoice,
        common: &'a Common,
    ) -> Result<(&'a Path, &'a Path), Failure> {
        if let DeviceChoice::Only(_) = device {
            return Err(Failure::Usage(
                "what goes through files is computed on the processor: leave --device out"
                    .to_owned(),
            ));
        }
        if let Some(other) = inputs.iter().find(|path| !is_npy(path)) {
            return Err(Failure::Usage(format!(
                "{}: with --scratch operands are files of NumPy's, whose names end in .npy: numpy.save writes one, and so does `sunzi dft` \
                 where it fits memory",
                shown(other)
            )));
        }
        match (npy_output(common), &self.scratch) {
            (Some(output), Some(scratch)) => Ok((output, scratch)),
            // A plan needs no name for what it would find.
            (None, Some(scratch)) if self.plan => Ok((Path::new("y.npy"), scratch)),
            _ => Err(Failure::Usage(
                "with --scratch the result goes to a file of NumPy's: name it by -o, as in -o y.npy".to_owned(),
            )),
        }
    }
}

/// The name of the output, if it is one of NumPy's files.
pub fn npy_output(common: &Common) -> Option<&Path> {
    common.output.as_deref().filter(|path| is_npy(path))
}

#[cfg(not(unix))]
impl ThroughFiles {
    /// Refuses.
    pub fn refuse(&self) -> Failure {
        Failure::Usage("computations through files are for Unix: leave --scratch out".to_owned())
    }
}

#[cfg(unix)]
pub use unix::run;

#[cfg(unix)]
mod unix {
    use super::ThroughFiles;
    use crate::args::Common;
    use crate::report::{Figures, Head, Report, timed};
    use serde::Serialize;
    use std::path::{Path, PathBuf};
    use sunzi::scale::{Plan, Resumed, ScaleError, Started};
    use sunzi_files::failure::{Failure, Place, reason, shown};
    use sunzi_files::output::Output;
    use sunzi_files::progress::Progress;
    use sunzi_machine::memory::peak_bytes;

    /// What the JSON form tells.
    #[derive(Serialize)]
    struct Done<D> {
        file: String,
        #[serde(rename = "type")]
        words: &'static str,
        #[serde(flatten)]
        details: D,
        passes: usize,
        /// The pass and the band at which it went on, from 1.
        resumed: Option<[usize; 2]>,
        bytes_read: u64,
        bytes_written: u64,
        peak_memory: Option<u64>,
    }

    /// What the JSON form tells of a plan.
    #[derive(Serialize)]
    struct Planned {
        passes: usize,
        matrix: [usize; 2],
        band_columns: usize,
        band_rows: usize,
        moved_columns: usize,
        element_bytes: [usize; 3],
        run_bytes: Vec<usize>,
        moved_bytes: u64,
        scratch_bytes: u64,
        memory_bytes: u64,
    }

    /// Computes through files: `plan` plans, `start` starts, `head` and `details` are what the JSON form tells besides.
    ///
    /// # Errors
    /// As the operation.
    pub fn run<D: Serialize>(
        options: &ThroughFiles,
        common: &Common,
        inputs: &[&Path],
        plan: impl Fn() -> Result<Plan, ScaleError>,
        start: impl FnOnce() -> Result<Started, ScaleError>,
        head: impl Fn(&Plan) -> Head,
        details: impl Fn(&Plan) -> D,
    ) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let failure = |error| failure(options, inputs, error);
        if options.plan {
            let plan = plan().map_err(failure)?;
            let report = Report {
                head: head(&plan),
                result: planned(&plan),
                figures: figures.ended(),
            };
            return report.write(Output::create(None)?, common.json, |_| format!("{plan}\n"));
        }
        let progress = Progress::of("computing");
        let started = start().map_err(failure)?;
        let plan = *started.plan();
        if let Some(Resumed { pass, band, bands }) = started.resumed() {
            let what = match band <= bands {
                true => format!("band {band} of {bands}"),
                false => "the comparison of values".to_owned(),
            };
            progress.warn(&format!(
                "an earlier command has begun this: it goes on with pass {pass} of {}, {what} (--fresh begins anew)",
                plan.passes()
            ));
        }
        let report = timed(&mut figures.seconds.computing, || {
            progress.watch(|| started.finish())
        });
        let report = report.map_err(failure)?;
        if let Some(why) = &report.left {
            progress.warn(&format!(
                "the result is complete, but its scratch files are not all removed: {why}"
            ));
        }
        drop(progress);
        if !common.json {
            return Ok(());
        }
        figures.chosen("through-files", plan.to_string());
        let result = Done {
            file: common
                .output
                .as_ref()
                .map_or_else(String::new, |path| path.display().to_string()),
            words: match report.word {
                4 => "uint32",
                _ => "uint64",
            },
            details: details(&plan),
            passes: plan.passes(),
            resumed: report.resumed.map(|resumed| [resumed.pass, resumed.band]),
            bytes_read: report.read,
            bytes_written: report.written,
            peak_memory: peak_bytes(),
        };
        let report = Report {
            head: head(&plan),
            result,
            figures: figures.ended(),
        };
        report.write(Output::create(None)?, true, |_| String::new())
    }

    fn planned(plan: &Plan) -> Planned {
        Planned {
            passes: plan.passes(),
            matrix: [plan.height, plan.width],
            band_columns: plan.band_columns,
            band_rows: plan.band_rows,
            moved_columns: plan.moved_columns,
            element_bytes: plan.elements,
            run_bytes: plan.runs(),
            moved_bytes: plan.moved(),
            scratch_bytes: plan.scratch(),
            memory_bytes: plan.memory,
        }
    }

    /// Wrong input ends with another code than a failure on the way.
    fn failure(options: &ThroughFiles, inputs: &[&Path], error: ScaleError) -> Failure {
        let scratch = options.scratch.as_deref().unwrap_or(Path::new(""));
        let is_scratch = |path: &Path| {
            path == scratch || scratch.canonicalize().is_ok_and(|scratch| path == scratch)
        };
        let input = |path: PathBuf, problem| Failure::Input {
            place: Place {
                file: shown(&path),
                line: None,
                column: None,
            },
            problem,
        };
        match error {
            ScaleError::Input { path, problem } => input(path, problem),
            ScaleError::Disk {
                path,
                action,
                source,
            } if inputs.contains(&&*path) => {
                input(path, format!("the file {action}: {}", reason(&source)))
            }
            ScaleError::Output { path, problem } => {
                Failure::Usage(format!("{}: {problem}", shown(&path)))
            }
            ScaleError::Disk { ref path, .. } if is_scratch(path) => {
                Failure::Usage(error.to_string())
            }
            ScaleError::Dft(error) => {
                let names: Vec<_> = inputs.iter().map(|path| shown(path)).collect();
                Failure::Computation(format!("{}: {error}", names.join(", ")))
            }
            other => Failure::Computation(other.to_string()),
        }
    }
}
