//! Determinants modulo a prime.

use super::{DetAlgorithm, DetArguments};
use super::{WORK, name};
use crate::args::Common;
use crate::commands::dense::residues;
use crate::modulus;
use crate::operation::{engine, refuse_unless};
use crate::report::{Figures, Report, timed};
use serde::Serialize;
use sunzi::{
    engine::{DeviceChoice, Engine, EngineError},
    field::AnyField,
    gpu::DeviceInfo,
    matrix::AnyDenseMatrix,
};
use sunzi_files::failure::Failure;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

/// Finds the determinant modulo the prime that `prime` names.
pub fn run(prime: &str, wanted: &DetArguments, common: &Common) -> Result<(), Failure> {
    let modulus = modulus::field(prime)?;
    let is_known = Engine::devices_find_determinants(&modulus);
    refuse_unless(
        is_known,
        wanted.device.choice,
        "determinants modulo this prime",
    )?;
    let task = Modular {
        modulus: &modulus,
        wanted,
        common,
        engine: match wanted.device.choice {
            DeviceChoice::Only(_) => {
                Some(engine(wanted.device.choice, wanted.algorithm.is_some())?)
            }
            DeviceChoice::Auto | DeviceChoice::Cpu => None,
        },
    };
    task.run()
}

struct Modular<'a> {
    modulus: &'a AnyField,
    wanted: &'a DetArguments,
    common: &'a Common,
    /// What computes on the device that was asked for.
    engine: Option<Engine>,
}

/// A determinant, and what is told of how it was found.
struct Found {
    row: Vec<u64>,
    device: Option<DeviceInfo>,
    warnings: Vec<String>,
}

impl Found {
    fn on_processor(row: Vec<u64>) -> Self {
        Self {
            row,
            device: None,
            warnings: Vec::new(),
        }
    }

    fn by(engine: &Engine, matrix: &AnyDenseMatrix) -> Result<Self, EngineError> {
        let mut batch = engine.determinants(&[matrix])?;
        let (device, warnings) = (batch.device.take(), std::mem::take(&mut batch.warnings));
        let row = batch.into_all()?.concat();
        Ok(Self {
            row,
            device,
            warnings,
        })
    }
}

#[derive(Serialize)]
struct Value {
    /// As decimal text, like all residues.
    determinant: String,
}

impl Modular<'_> {
    fn run(self) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let output = Output::create(self.common.output.as_deref())?;
        let text_of = Residues::new(self.modulus);
        let input = residues::read(
            &self.wanted.file,
            self.wanted.purpose(),
            self.modulus,
            &mut figures.seconds,
        )?;
        let progress = Progress::of("eliminating");
        let (rows, _) = input.matrix.shape();
        let algorithm = self.wanted.algorithm.unwrap_or(DetAlgorithm::Elimination);
        let compute = || {
            let matrix = input.matrix;
            let row = match (&self.engine, algorithm) {
                (Some(engine), _) => return Found::by(engine, &matrix),
                (None, DetAlgorithm::Elimination) => matrix.determinant(),
                (None, DetAlgorithm::Condensation) => matrix.condensed_determinant(),
            };
            Ok(Found::on_processor(row?))
        };
        let found = timed(&mut figures.seconds.computing, || progress.watch(compute));
        let found = found.map_err(|error: EngineError| {
            Failure::Computation(format!("{}: {WORK}: {error}", input.name))
        })?;
        for warning in &found.warnings {
            progress.warn(warning);
        }
        drop(progress);
        if let Some(device) = &found.device {
            figures.computed_on(device);
        }
        let mut text = Vec::new();
        text_of.write(&found.row, &mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        figures.algorithm = Some(name(algorithm).to_owned());
        let report = Report {
            head: self.wanted.head(rows, "modular", Some(text_of.prime())),
            result: Value { determinant: text },
            figures: figures.ended(),
        };
        report.write(output, self.common.json, |value| {
            format!("{}\n", value.determinant)
        })
    }
}
