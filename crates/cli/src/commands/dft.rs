//! `sunzi dft`.

use crate::args::{ChosenDevice, Common, MaxMemory, Modulus};
use crate::commands::Run;
use crate::modulus;
use crate::operation::{engine, refuse_unless};
use crate::pipeline::ON_DEVICE;
use crate::report::{Figures, Head, Tail, files, timed};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use sunzi::Natural;
use sunzi::{
    engine::{Engine, EngineError},
    field::AnyField,
    memory::Budget,
    transform::{AnyDft, DftError, Direction},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::LineReader;
use sunzi_files::memory;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;
use sunzi_files::style::Style;

/// A vector, and what is done with it.
#[derive(Debug, Args)]
#[command(
    after_help = "X is a file with one number a line, decimal or 0x…, which is reduced modulo P; # starts a comment; empty lines do not
count. The number N of its entries must divide P−1 (`sunzi prime P` tells its factors); powers of two are
the fastest. The transform is X_j = sum of x_i * w^(i*j), one value a line in the order of j; w is the
root of unity of order N that --json tells. --inverse undoes it: with w^-1 for w, and divided by N.

P is an odd prime below 2^64, or a prime r^k+1 with k = 2, 4, 8 … 256 and r below 2^64: a name (P4 P8 P16
P32 P64 P128, P2F P4F P8F P16F P32F P64F P128F) or an expression.

Examples:
  sunzi dft x.txt --mod 469762049
  sunzi dft x.txt --mod P8 -o values.txt
  sunzi dft values.txt --mod P8 --inverse --threads 2
  seq 8 | sunzi dft - --mod '(2^63+2^34)^8+1' --json
  seq 7 | sunzi dft - --mod 469762049
  sunzi dft x.txt --mod P8 --device cuda"
)]
pub struct Vector {
    /// File with the vector (`-`: standard input)
    #[arg(value_name = "X")]
    pub file: PathBuf,
    #[command(flatten)]
    pub modulus: Modulus,
    /// From values back to what they are the transform of
    #[arg(long)]
    pub inverse: bool,
    #[command(flatten)]
    pub device: ChosenDevice,
    #[command(flatten)]
    pub memory: MaxMemory,
}

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

impl Run for Vector {
    /// Transforms a vector.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let field = modulus::field(&self.modulus.prime)?;
        Transform {
            field: &field,
            vector: self,
            common,
        }
        .run()
    }
}

/// The command in a field.
struct Transform<'a> {
    field: &'a AnyField,
    vector: &'a Vector,
    common: &'a Common,
}

impl Transform<'_> {
    fn run(self) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let engine = engine(self.vector.device.choice, false)?;
        let budget = self.vector.memory.budget();
        let mut reader = LineReader::open(&self.vector.file, budget)?;
        let output = Output::create(self.common.output.as_deref())?;
        let progress = Progress::reading(reader.size());
        let residues = Residues::new(self.field);

        let values = timed(&mut figures.seconds.reading, || {
            self.read(&mut reader, &residues, budget, &progress)
        })?;
        let points = values.len() / residues.width();
        let no_transform = |error: DftError| refusal(reader.name(), points, &error);
        let working = AnyDft::working_bytes(self.field, points).map_err(no_transform)?;
        let budget = budget.holding(size_of_val(&values[..]) as u64);
        memory::check(reader.name(), WORK, working, budget)?;
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
        let what = format!("{}: transforms of {points} points {of}", reader.name());
        refuse_unless(is_known, self.vector.device.choice, &what)?;
        let transformed = timed(&mut figures.seconds.computing, || {
            engine.transform_all(&plan, vec![values], direction)
        });
        let failed =
            |error: EngineError| Failure::Computation(format!("{}: {error}", reader.name()));
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
        let mut results = Results::new(output, json);
        results.facts(|| {
            let inputs = json!({
                "files": files([&self.vector.file]),
                "modulus": residues.prime(),
                "points": points,
                "inverse": self.vector.inverse,
            });
            Head::new("dft", inputs)
        })?;
        timed(&mut figures.seconds.writing, || {
            residues.write_results(&values, Style::new(json), &mut results)
        })?;
        let output = results.close(|| {
            let mut text = Vec::new();
            residues.write(&plan.root_of_unity(), &mut text);
            Tail {
                details: Details {
                    root_of_unity: String::from_utf8_lossy(&text).into_owned(),
                },
                figures: figures.ended(),
            }
        })?;
        output.finish()
    }
}

impl Transform<'_> {
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
