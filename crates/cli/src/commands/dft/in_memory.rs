//! `sunzi dft` of vectors that fit memory.

use super::Vector;
use crate::args::Common;
use crate::operation::{engine, refuse_unless};
use crate::pipeline::ON_DEVICE;
use crate::report::{Figures, Head, Report, Tail, timed};
use crate::through_files::npy_output;
use serde::Serialize;
use sunzi::Natural;
use sunzi::{
    engine::{Engine, EngineError},
    field::AnyField,
    memory::Budget,
    scale::npy::{Header, word_of_result},
    transform::{AnyDft, DftError, Direction},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::npy::{self, is_npy};
use sunzi_files::memory;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;
use sunzi_files::style::Style;

/// Vectors that transforms of 2^k points take at most, their own among them; others take more, which is
/// known when all entries are read.
const VECTORS: u64 = 6;

/// What needs them, in sentences.
const WORK: &str = "transform";

/// What the JSON form tells beside the values.
#[derive(Serialize)]
struct Details {
    /// Of order `points`.
    root_of_unity: String,
}

/// What the JSON form tells where the values went to a file of NumPy's.
#[derive(Serialize)]
struct Written {
    file: String,
    #[serde(rename = "type")]
    words: &'static str,
    /// Of order `points`.
    root_of_unity: String,
}

/// The command in a field.
pub(super) struct Transform<'a> {
    pub(super) field: &'a AnyField,
    pub(super) vector: &'a Vector,
    pub(super) common: &'a Common,
}

/// What was read.
struct Given {
    /// The file in sentences.
    name: String,
    values: Vec<u64>,
    /// Bytes of a word, if it was a file of NumPy's.
    word: Option<usize>,
}

impl Transform<'_> {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let engine = engine(self.vector.device.choice, false)?;
        let budget = self.vector.memory.budget();
        let residues = Residues::new(self.field);
        let (given, output, progress) = match is_npy(&self.vector.file) {
            true => {
                let output = Output::create(self.common.output.as_deref())?;
                let progress = Progress::of("reading");
                let given = timed(&mut figures.seconds.reading, || self.read_npy(budget))?;
                (given, output, progress)
            }
            false => {
                let mut reader = LineReader::open(&self.vector.file, budget)?;
                let output = Output::create(self.common.output.as_deref())?;
                let progress = Progress::reading(reader.size());
                let values = timed(&mut figures.seconds.reading, || {
                    self.read(&mut reader, &residues, budget, &progress)
                })?;
                let given = Given {
                    name: reader.name().to_owned(),
                    values,
                    word: None,
                };
                (given, output, progress)
            }
        };
        let Given { name, values, word } = given;
        let points = values.len() / residues.width();
        let no_transform = |error: DftError| refusal(&name, points, &error);
        let working = AnyDft::working_bytes(self.field, points).map_err(no_transform)?;
        let budget = budget.holding(size_of_val(&values[..]) as u64);
        memory::check(&name, WORK, working, budget)?;
        progress.goes_on("transforming");
        let direction = match self.vector.inverse {
            true => Direction::Inverse,
            false => Direction::Forward,
        };
        let plan = timed(&mut figures.seconds.computing, || {
            AnyDft::new(self.field, points)
        });
        let plan = plan.map_err(no_transform)?;
        let is_known = Engine::devices_transform(&plan);
        let of = match points.is_power_of_two() {
            true => "modulo this prime",
            false => "(no power of two)",
        };
        let what = format!("{name}: transforms of {points} points {of}");
        refuse_unless(is_known, self.vector.device.choice, &what)?;
        let transformed = timed(&mut figures.seconds.computing, || {
            engine.transform_all(&plan, vec![values], direction)
        });
        let failed = |error: EngineError| Failure::Computation(format!("{name}: {error}"));
        let mut batch = transformed.map_err(failed)?;
        if let Some(device) = &batch.device {
            figures.computed_on(device);
        }
        for warning in batch.warnings.drain(..) {
            progress.warn(&warning);
        }
        match (batch.on_device, points.is_power_of_two()) {
            (0, true) => figures.chosen("power-of-two", plan.to_string()),
            (0, false) => figures.chosen("chirp", plan.to_string()),
            _ => figures.algorithm = Some(ON_DEVICE.to_owned()),
        }
        let values = batch.into_all().map_err(failed)?.concat();

        progress.goes_on("writing");
        let json = self.common.json;
        let mut root = Vec::new();
        residues.write(&plan.root_of_unity(), &mut root);
        let root_of_unity = String::from_utf8_lossy(&root).into_owned();
        if npy_output(self.common).is_some() {
            return self.write_npy(output, &values, word, root_of_unity, figures);
        }
        let mut results = Results::new(output, json);
        results.facts(|| Head::new("dft", self.vector.inputs(residues.prime(), points)))?;
        timed(&mut figures.seconds.writing, || {
            residues.write_results(&values, Style::new(json), &mut results)
        })?;
        let output = results.close(|| Tail {
            details: Details { root_of_unity },
            figures: figures.ended(),
        })?;
        output.finish()
    }
}

impl Transform<'_> {
    /// All entries of a file of NumPy's.
    fn read_npy(&self, budget: Budget) -> Result<Given, Failure> {
        let found = npy::read(&self.vector.file, self.field, WORK, VECTORS, budget)?;
        if found.rows.is_empty() {
            return Err(Failure::Computation(format!(
                "{}: the vector is empty",
                found.name
            )));
        }
        Ok(Given {
            name: found.name,
            values: found.rows,
            word: Some(found.word),
        })
    }

    /// Writes values to a file of NumPy's, and tells of it if that is asked for.
    fn write_npy(
        &self,
        mut output: Output,
        values: &[u64],
        word: Option<usize>,
        root_of_unity: String,
        mut figures: Figures,
    ) -> Result<(), Failure> {
        let (word, width) = (
            word_of_result(self.field, word.unwrap_or(8)),
            self.field.width(),
        );
        let points = values.len() / width;
        let mut shape = vec![points];
        shape.extend((width > 1).then_some(width));
        timed(&mut figures.seconds.writing, || {
            output.write(
                &Header {
                    word,
                    is_signed: false,
                    shape,
                }
                .bytes(),
            )?;
            let bytes = |value: &u64| value.to_le_bytes();
            values
                .iter()
                .try_for_each(|value| output.write(&bytes(value)[..word]))?;
            output.finish()
        })?;
        if !self.common.json {
            return Ok(());
        }
        let result = Written {
            file: self
                .common
                .output
                .as_ref()
                .map_or_else(String::new, |path| path.display().to_string()),
            words: if word == 4 { "uint32" } else { "uint64" },
            root_of_unity,
        };
        let inputs = self.vector.inputs(&self.field.to_string(), points);
        let report = Report {
            head: Head::new("dft", inputs),
            result,
            figures: figures.ended(),
        };
        report.write(Output::create(None)?, true, |_| String::new())
    }

    /// All entries, of which there are at least one and at most p − 1.
    fn read(
        &self,
        reader: &mut LineReader,
        residues: &Residues,
        budget: Budget,
        progress: &Progress,
    ) -> Result<Vec<u64>, Failure> {
        let longest =
            usize::try_from(self.field.modulus::<Natural>() - Natural::ONE).unwrap_or(usize::MAX);
        let vector = residues.read_vector(reader, &mut |reader, vector| {
            let values = &vector.entries[..];
            progress.at(reader.bytes_read());
            if vector.lines.len() > longest {
                return Err(too_long(reader.name(), longest));
            }
            let bytes = size_of_val(values) as u64;
            // Rows that are wider than elements take memory beside the vectors; others become the first of them.
            let vector = (vector.lines.len() * self.field.element_bytes()) as u64;
            let vectors = VECTORS - u64::from(vector == bytes);
            let more = vector.saturating_mul(vectors);
            memory::check(reader.name(), WORK, more, budget.holding(bytes))
        })?;
        Ok(vector.entries)
    }
}

/// A vector that has more than p − 1 = `longest` entries, however many they are.
fn too_long(name: &str, longest: usize) -> Failure {
    Failure::Computation(format!(
        "{name}: the vector has more than {longest} entries, but the number of points must divide \
         p - 1 = {longest}: give the first {longest} only, or {OTHER_PRIMES}"
    ))
}

/// What has transforms where a prime has none.
const OTHER_PRIMES: &str = "choose a prime p with more factors in p - 1, such as 469762049 (2^26 and 7) or \
                            P8 (2^312, 3^8 …)";

/// Why there is no transform of that many points, and what would work.
fn refusal(name: &str, points: usize, error: &DftError) -> Failure {
    let DftError::NoSuchLength { below, above, .. } = error else {
        return Failure::Computation(format!("{name}: {error}"));
    };
    let longer = match *above {
        // A power of two need not be farther.
        Some(above) if above / 2 < points => match above - points {
            1 => format!("append 1 zero for {above}"),
            missing => format!("append {missing} zeros for {above}"),
        },
        Some(above) => format!("{OTHER_PRIMES}, as the next length here is {above}"),
        None => OTHER_PRIMES.to_owned(),
    };
    let shorter = match below {
        Some(below) => format!(", or give the first {below} only"),
        None => String::new(),
    };
    Failure::Computation(format!(
        "{name}: the vector has {points} entries, but the number of points must divide p - 1: \
         {longer}{shorter}"
    ))
}
