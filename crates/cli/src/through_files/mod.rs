//! What is longer than memory: options, and operations from files to a file, in as little memory as there is.

#[cfg(unix)]
pub mod text;

use crate::args::Common;
use clap::Args;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use sunzi::engine::DeviceChoice;
#[cfg(not(unix))]
use sunzi_files::failure::Failure;
use sunzi_files::input::npy::is_npy;

/// How what is longer than memory is computed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Longer than memory")]
pub struct ThroughFiles {
    /// Work through files in this folder, on a fast disk with room for two or three times the result, of integers for ten times
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
    /// Whether a command is computed so: with scratch files, or by several processes, which share the work.
    pub fn are_wanted(&self) -> bool {
        #[cfg(unix)]
        let are_several = crate::ranks::are_several();
        #[cfg(not(unix))]
        let are_several = false;
        self.scratch.is_some() || are_several
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
pub use unix::{Job, run};

#[cfg(unix)]
mod unix {
    use super::text::{Arrays, Entries, Making};
    use super::{DeviceChoice, ThroughFiles, is_npy};
    use crate::args::Common;
    use crate::ranks::Company;
    use crate::report::{Figures, Head, Report, timed};
    use serde::Serialize;
    use std::path::{Path, PathBuf};
    use sunzi::scale::{Plan, Resumed, ScaleError, Started};
    use sunzi_files::failure::{Failure, Place, reason, shown};
    use sunzi_files::output::Output;
    use sunzi_files::progress::Progress;
    use sunzi_machine::memory::{Budget, peak_bytes};

    impl ThroughFiles {
        /// The operands and the result as arrays, which are made where they are text.
        ///
        /// # Errors
        /// [`Failure::Usage`] if that cannot be computed so; as [`Making::make`].
        pub fn arrays(
            &self,
            operation: &str,
            entries: Entries<'_>,
            inputs: &[&Path],
            common: &Common,
            budget: Budget,
            company: &Company,
        ) -> Result<Arrays, Failure> {
            let are_arrays = inputs.iter().all(|path| is_npy(path));
            let arrays = match &common.output {
                Some(output) if are_arrays && is_npy(output) => Ok(Arrays::given(inputs, output)),
                // A plan needs no name for what it would find, and this is none of an operand.
                _ if self.plan && are_arrays => Ok(Arrays::given(inputs, Path::new(".sunzi-plan.npy"))),
                _ if self.plan => Err(Failure::Usage(
                    "a plan is made by the headers of arrays: with --plan operands are files of NumPy's, whose names end in .npy".to_owned(),
                )),
                _ if company.is_several() => Err(Failure::Usage(
                    "several ranks work on files of NumPy's: operands and -o have names that end in .npy".to_owned(),
                )),
                Some(output) => {
                    let making = Making { operation, entries, scratch: self.scratch(), fresh: self.fresh, budget };
                    making.make(inputs, output)
                }
                None => Err(Failure::Usage(
                    "with --scratch the result goes to a file, text or one of NumPy's: name it by -o, as in -o y.npy".to_owned(),
                )),
            };
            company.agree(arrays)
        }

        /// An error for a device, which computes nothing of it.
        ///
        /// # Errors
        /// [`Failure::Usage`].
        pub fn refuse_device(
            &self,
            device: DeviceChoice,
            company: &Company,
        ) -> Result<(), Failure> {
            company.agree(match device {
                DeviceChoice::Only(_) => Err(Failure::Usage(
                    "what goes through files is computed on the processor: leave --device out"
                        .to_owned(),
                )),
                _ => Ok(()),
            })
        }

        /// The folder for scratch files.
        pub fn scratch(&self) -> &Path {
            self.scratch.as_deref().unwrap_or(Path::new(""))
        }
    }

    /// What is computed, by whom: how it is planned and started, and what the JSON form tells besides.
    pub struct Job<'a, D> {
        /// The processes that compute it.
        pub company: &'a Company,
        /// The plan.
        pub plan: &'a dyn Fn() -> Result<Plan, ScaleError>,
        /// The start.
        pub start: &'a dyn Fn() -> Result<Started, ScaleError>,
        /// What is told before the result.
        pub head: &'a dyn Fn(&Plan) -> Head,
        /// What is told of the result.
        pub details: &'a dyn Fn(&Plan) -> D,
    }

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
        ranks: usize,
        /// By all ranks.
        bytes_sent: u64,
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

    /// Computes through files.
    ///
    /// # Errors
    /// As the operation.
    pub fn run<D: Serialize>(
        options: &ThroughFiles,
        common: &Common,
        entries: Entries<'_>,
        arrays: Arrays,
        job: &Job<'_, D>,
    ) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let failed = |error| failure(options, &arrays, error);
        let company = job.company;
        company.agree_on("a plan (--plan)", options.plan)?;
        if options.plan {
            let plan = (job.plan)().map_err(failed);
            let plan = plan.map_err(|failure| company.refused(failure))?;
            if !company.speaks() {
                return Ok(());
            }
            let report = Report {
                head: (job.head)(&plan),
                result: planned(&plan),
                figures: figures.ended(),
            };
            return report.write(Output::create(None)?, common.json, |_| format!("{plan}\n"));
        }
        let progress = Progress::of("computing");
        let report = match arrays.is_computed(options.scratch()) {
            true => None,
            false => Some(compute(&progress, &mut figures, job, &arrays, &failed)?),
        };
        let plan = match &report {
            Some(report) => report.plan,
            None => (job.plan)().map_err(failed)?,
        };
        arrays.finish(entries)?;
        drop(progress);
        if !common.json || !company.speaks() {
            return Ok(());
        }
        figures.chosen("through-files", plan.to_string());
        let output = common.output.as_deref().unwrap_or(Path::new(""));
        let result = Done {
            file: output.display().to_string(),
            words: match report.as_ref().map(|report| report.word) {
                _ if !is_npy(output) => "text",
                Some(4) => "uint32",
                _ => "uint64",
            },
            details: (job.details)(&plan),
            passes: plan.passes(),
            resumed: report
                .as_ref()
                .and_then(|report| report.resumed)
                .map(|resumed| [resumed.pass, resumed.band]),
            bytes_read: report.as_ref().map_or(0, |report| report.read),
            bytes_written: report.as_ref().map_or(0, |report| report.written),
            ranks: plan.ranks,
            bytes_sent: report.as_ref().map_or(0, |report| report.sent),
            peak_memory: peak_bytes(),
        };
        let report = Report {
            head: (job.head)(&plan),
            result,
            figures: figures.ended(),
        };
        report.write(Output::create(None)?, true, |_| String::new())
    }

    /// Does what is left of the job, and tells where it goes on.
    fn compute<D>(
        progress: &Progress,
        figures: &mut Figures,
        job: &Job<'_, D>,
        arrays: &Arrays,
        failed: &dyn Fn(ScaleError) -> Failure,
    ) -> Result<sunzi::scale::Report, Failure> {
        let company = job.company;
        let started = (job.start)().map_err(failed);
        let started = started.map_err(|failure| {
            // There is nothing to go on with.
            arrays.forget();
            company.refused(failure)
        })?;
        let plan = *started.plan();
        if let Some(Resumed { pass, band, bands }) = started.resumed().filter(|_| company.speaks())
        {
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
        let report = report.map_err(|error| {
            if let ScaleError::Input { .. } = error {
                arrays.forget();
            }
            company.failed(error, failed)
        })?;
        if let Some(why) = &report.left {
            progress.warn(&format!(
                "the result is complete, but its scratch files are not all removed: {why}"
            ));
        }
        Ok(report)
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
    fn failure(options: &ThroughFiles, arrays: &Arrays, error: ScaleError) -> Failure {
        let scratch = options.scratch();
        let is_scratch = |path: &Path| {
            path == scratch || scratch.canonicalize().is_ok_and(|scratch| path == scratch)
        };
        let input = |path: PathBuf, problem| Failure::Input {
            place: Place {
                file: shown(arrays.given_name(&path)),
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
            } if arrays.inputs.contains(&path) => {
                input(path, format!("the file {action}: {}", reason(&source)))
            }
            ScaleError::Output { path, problem } => {
                Failure::Usage(format!("{}: {problem}", shown(&path)))
            }
            ScaleError::Disk { ref path, .. } if is_scratch(path) => {
                Failure::Usage(error.to_string())
            }
            ScaleError::Dft(error) => {
                let names: Vec<_> = arrays.given.iter().map(|path| shown(path)).collect();
                Failure::Computation(format!("{}: {error}", names.join(", ")))
            }
            other => Failure::Computation(other.to_string()),
        }
    }
}
