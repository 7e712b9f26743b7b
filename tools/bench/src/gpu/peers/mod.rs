//! Programs by others that measure the same on the same device, in the same run.
//!
//! Nothing is fetched or built here: the programs lie ready in the folder `bin` of the one that `--peers` names, as
//! `tools/peers/gpu/README.md` tells. Each is asked for every size that was measured before ([`protocol`]), in a process of its
//! own and for a limited time ([`program`]). One that fails is told of and left alone from then on; the measurement goes on.

mod group;
mod program;
mod protocol;
pub mod table;

use super::case::{Case, Findings};
use program::{Fault, is_program};
use protocol::{Answer, Time};
pub use protocol::{Request, Task, Verdict};
use serde::Serialize;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use sunzi::gpu::{Backend, DeviceInfo};
use sunzi_files::failure::{Failure, reason};
use sunzi_measure::Timing;

/// The folder of the programs.
const PROGRAMS: &str = "bin";
/// What the driver reads to hide devices from a program.
const VISIBLE: &str = "CUDA_VISIBLE_DEVICES";

/// The time that a peer takes for what Sunzi was measured with.
#[derive(Clone, Debug, Serialize)]
pub struct PeerCase {
    pub section: &'static str,
    pub group: String,
    pub size: u64,
    pub batch: u64,
    /// The name of the program.
    pub peer: String,
    #[serde(rename = "seconds")]
    pub timing: Timing,
    /// Sunzi's, which stands among the cases already.
    #[serde(skip)]
    pub own: f64,
    /// Sunzi's time over it.
    pub ratio: f64,
    pub verdict: Verdict,
    /// What it computed, in its words.
    pub how: String,
}

impl PeerCase {
    /// Whether both are times for the same.
    fn is_beside(&self, other: &Self) -> bool {
        (&self.group, self.size, self.batch) == (&other.group, other.size, other.batch)
    }
}

/// The programs, and how they are run.
pub struct Peers {
    programs: Vec<Program>,
    folder: PathBuf,
    limit: Duration,
}

struct Program {
    name: String,
    path: PathBuf,
    /// Whether it is asked no more.
    gone: bool,
    /// Why it has not done something, each once.
    reasons: Vec<String>,
}

impl Peers {
    /// The programs in a folder's `bin`, in the order of their names.
    pub fn find(folder: &Path, limit: f64) -> Result<Self, Failure> {
        let unread = |error: &dyn std::fmt::Display| {
            Failure::Usage(format!(
                "{}: no folder of peers that can be read: {error}; scripts/gpu-peers makes one",
                folder.display()
            ))
        };
        let there = folder.metadata().map_err(|error| unread(&reason(&error)))?;
        if !there.is_dir() {
            return Err(unread(&"it is a file"));
        }
        let programs = folder.join(PROGRAMS);
        let mut found = Vec::new();
        // Without `bin` there are none, which is told with the other results.
        if programs.exists() {
            for entry in programs
                .read_dir()
                .map_err(|error| unread(&reason(&error)))?
            {
                let path = entry.map_err(|error| unread(&reason(&error)))?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if is_program(&path) && !name.starts_with('.') {
                    found.push(Program {
                        name: protocol::shown(&name),
                        path,
                        gone: false,
                        reasons: Vec::new(),
                    });
                }
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self {
            programs: found,
            folder: folder.to_owned(),
            limit: Duration::from_secs_f64(limit),
        })
    }

    /// Asks all programs for what the cases of a section can be compared with.
    pub fn measure(
        &mut self,
        section: &'static str,
        device: &DeviceInfo,
        seconds: f64,
        found: &mut Findings,
    ) {
        let target = Target::of(device);
        let mut asked: Vec<Request> = Vec::new();
        let cases = found.cases.iter().filter(|case| case.section == section);
        let comparable: Vec<(&Case, Request)> = cases
            .filter_map(|case| Some((case, case.request?)))
            .collect();
        for &(_, request) in &comparable {
            if asked.iter().any(|other| request.is_asked_with(other)) {
                continue;
            }
            asked.push(request);
            for program in self.programs.iter_mut().filter(|program| !program.gone) {
                let arguments = request.arguments(seconds);
                match program.ask(&request, &arguments, &target, self.limit) {
                    Ok(Answer::Times(times)) => {
                        found.peers.extend(times.into_iter().filter_map(|time| {
                            let matches = |(_, other): &&(&Case, Request)| {
                                other.is_asked_with(&request) && other.task == time.task
                            };
                            let (case, _) = comparable.iter().find(matches)?;
                            Some(program.case(case, time))
                        }));
                    }
                    Ok(Answer::Cannot(why)) => {
                        if !program.reasons.contains(&why) {
                            program.reasons.push(why);
                        }
                    }
                    Err(fault) => {
                        program.gone = true;
                        found.left_out.push(format!(
                            "{} {fault}; asked for `{}`, and for nothing after that.",
                            program.name,
                            arguments.join(" ")
                        ));
                    }
                }
            }
        }
    }

    /// Tells what programs do not do, and which are not in the folder.
    pub fn tell(&self, found: &mut Findings) {
        for program in self
            .programs
            .iter()
            .filter(|program| !program.reasons.is_empty())
        {
            found.left_out.push(format!(
                "{} leaves something out: {}.",
                program.name,
                program.reasons.join("; ")
            ));
        }
        if self.programs.is_empty() {
            found.left_out.push(format!(
                "There is no program in {}: scripts/gpu-peers {} builds cuFFT's, and tools/peers/gpu/README.md tells how to write others.",
                self.folder.join(PROGRAMS).display(),
                self.folder.display()
            ));
        }
    }
}

/// The device that programs are to run on.
struct Target {
    name: String,
    /// What the driver is told, so that a program sees no other.
    visible: Option<String>,
}

impl Target {
    fn of(device: &DeviceInfo) -> Self {
        let by_driver = device.backend == Backend::Cuda;
        Self {
            name: protocol::shown(&device.name),
            visible: by_driver.then(|| visible(env::var(VISIBLE).ok().as_deref(), device.index)),
        }
    }

    /// The program, which will see this device alone.
    fn command(&self, program: &Path, arguments: &[String]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments);
        if let Some(visible) = &self.visible {
            command.env(VISIBLE, visible);
        }
        command
    }
}

/// What this device is called where these are visible, if not all are.
fn visible(names: Option<&str>, index: usize) -> String {
    let named = names.and_then(|names| names.split(',').nth(index));
    named.map_or_else(|| index.to_string(), |name| name.trim().to_owned())
}

impl Program {
    /// Runs it for a request.
    fn ask(
        &self,
        request: &Request,
        arguments: &[String],
        target: &Target,
        limit: Duration,
    ) -> Result<Answer, Fault> {
        let printed = program::run(target.command(&self.path, arguments), limit)?;
        let answer = protocol::answer(request, &printed).map_err(Fault::Answer)?;
        if let Answer::Times(times) = &answer {
            let elsewhere = times.iter().find(|time| time.device != target.name);
            if let Some(time) = elsewhere {
                return Err(Fault::Device(time.device.clone()));
            }
        }
        Ok(answer)
    }

    /// A time beside that of a case.
    fn case(&self, case: &Case, time: Time) -> PeerCase {
        PeerCase {
            section: case.section,
            group: case.group.clone(),
            size: case.size,
            batch: case.batch,
            peer: self.name.clone(),
            own: case.timing.median,
            ratio: case.timing.median / time.timing.median,
            timing: time.timing,
            verdict: time.verdict,
            how: time.how,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_see_the_measured_device_alone() {
        assert_eq!(visible(None, 1), "1");
        assert_eq!(visible(Some("3, 5"), 1), "5");
        assert_eq!(visible(Some("GPU-8f2e"), 0), "GPU-8f2e");
        assert_eq!(visible(Some(""), 2), "2");
    }

    #[test]
    fn the_driver_is_told_what_a_program_may_see() {
        let target = |visible: Option<&str>| Target {
            name: "a GPU".to_owned(),
            visible: visible.map(str::to_owned),
        };
        let command = target(Some("GPU-8f2e")).command(Path::new("peer"), &["ntt".to_owned()]);
        let told: Vec<_> = command.get_envs().collect();
        assert_eq!(told, [(VISIBLE.as_ref(), Some("GPU-8f2e".as_ref()))]);
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["ntt"]);
        let command = target(None).command(Path::new("peer"), &[]);
        assert_eq!(command.get_envs().count(), 0);
    }
}
