//! `sunzi bench gpu`.

mod algebra;
pub mod big_primes;
pub mod case;
mod integers;
mod options;
mod peers;
mod pictures;
mod polynomials;
pub mod products;
mod published;
mod report;
pub mod rig;
mod transforms;

use super::plots::Folder;
use case::Findings;
pub use options::GpuOptions;
use options::{Group, chosen_groups};
use peers::Peers;
use report::Measured;
use rig::Rig;
use serde_json::json;
use sunzi::engine::DeviceChoice;
use sunzi::gpu::{GpuError, Selection};
use sunzi_cli::door::Common;
use sunzi_cli::door::{Figures, Head, Report, timed};
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

/// The file of all times.
const TIMES: &str = "gpu.csv";

impl GpuOptions {
    /// Measures launches, transforms, products of integers and polynomials, and algebra.
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let groups = chosen_groups(&self.groups)?;
        let wanted = selection(self.device.choice)?;
        let folder = self
            .out
            .as_deref()
            .map(|path| Folder::open(path, TIMES))
            .transpose()?;
        let mut peers = self
            .peers
            .as_deref()
            .map(|path| Peers::find(path, self.peer_limit))
            .transpose()?;
        let rig = Rig::open(wanted, self.seconds).map_err(failure)?;
        let output = Output::create(common.output.as_deref())?;
        folder.iter().try_for_each(|folder| folder.spare(&output))?;

        let progress = Progress::over(groups.len() as u64, "groups");
        let mut found = Findings::default();
        timed(&mut figures.seconds.computing, || {
            for group in &groups {
                progress.piece(group.name());
                match group {
                    // It is among the ceilings.
                    Group::Launch => {}
                    Group::Ntt => transforms::measure(&rig, &mut found)?,
                    Group::BigPrimes => big_primes::measure(&rig, &mut found)?,
                    Group::Integers => integers::measure(&rig, &mut found)?,
                    Group::Polynomials => polynomials::measure(&rig, &mut found)?,
                    Group::Algebra => algebra::measure(&rig, &mut found)?,
                }
                if let Some(peers) = &mut peers {
                    peers.measure(group.name(), rig.device.info(), self.seconds, &mut found);
                }
            }
            Ok::<_, Failure>(())
        })?;
        drop(progress);
        if let Some(peers) = &peers {
            peers.tell(&mut found);
        }
        let inputs = json!({
            "groups": groups.iter().map(|group| group.name()).collect::<Vec<_>>(),
            "seconds_per_case": self.seconds,
        });
        figures.computed_on(rig.device.info());
        let mut measured = Measured::new(&rig, &groups, found);
        if let Some(folder) = folder {
            measured.files = folder.draw(pictures::all(&measured))?;
            measured.files.push(folder.write(TIMES, &measured.csv()?)?);
        }
        let report = Report {
            head: Head::new("bench gpu", inputs),
            result: measured,
            figures: figures.ended(),
        };
        report.write(output, common.json, Measured::to_string)
    }
}

/// The device to measure.
fn selection(device: DeviceChoice) -> Result<Selection, Failure> {
    match device {
        DeviceChoice::Auto => Ok(Selection::Any),
        DeviceChoice::Cpu => Err(Failure::Usage(
            "a device is measured here, which the option --device cpu is not: a processor's OpenCL is --device opencl"
                .to_owned(),
        )),
        DeviceChoice::Only(wanted) => Ok(wanted),
    }
}

/// What a device could not do.
fn failure(error: GpuError) -> Failure {
    Failure::Computation(error.to_string())
}
