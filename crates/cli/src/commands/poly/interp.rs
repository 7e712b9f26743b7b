//! `sunzi poly interp`.

use super::eval::{refuse_unless_known, scratch_of_points};
use super::points::PointReader;
use super::polynomials::{Polynomials, Pretty};
use crate::args::{ChosenDevice, Common, MaxMemory, Modulus};
use crate::commands::Run;
use crate::operation::engine;
use crate::report::{Figures, Head, files, timed};
use clap::Args;
use serde_json::json;
use std::mem;
use std::path::PathBuf;
use sunzi::{engine::EngineError, memory::Budget, poly::PolyError};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::{LineReader, check_standard_input};
use sunzi_files::input::vector::Vector;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;
use sunzi_files::style::Style;

/// Points, and the values of a polynomial there.
#[derive(Debug, Args)]
#[command(after_help = concat!(vectors!(), written!(), "
The polynomial has the i-th value at the i-th point, and a degree below the number of points, which must
differ from each other.
", primes!(), "Examples:
  sunzi poly interp points.txt values.txt --mod 469762049
  sunzi poly interp points.txt values.txt --mod P8 -o f.txt --threads 2
  sunzi poly eval f.txt points.txt --mod 97 | sunzi poly interp points.txt - --mod 97 --pretty"))]
pub struct Interp {
    /// File with points (`-`: standard input)
    #[arg(value_name = "POINTS")]
    pub points: PathBuf,
    /// File with values (`-`: standard input)
    #[arg(value_name = "VALUES")]
    pub values: PathBuf,
    #[command(flatten)]
    pub modulus: Modulus,
    #[command(flatten)]
    pub form: Pretty,
    #[command(flatten)]
    pub device: ChosenDevice,
    #[command(flatten)]
    pub memory: MaxMemory,
}

impl Run for Interp {
    /// Finds the polynomial of least degree through points.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        check_standard_input(&[&self.points, &self.values])?;
        let mut figures = Figures::start();
        let engine = engine(self.device.choice, false)?;
        let style = Style::new(common.json).pretty(self.form.pretty);
        let polynomials = Polynomials::modulo(&self.modulus.prime, style)?.by(&engine);
        let budget = self.memory.budget();
        let open = |path| LineReader::open(path, budget);
        let readers = [open(&self.points)?, open(&self.values)?];
        let output = Output::create(common.output.as_deref())?;
        let [mut points, values] = timed(&mut figures.seconds.reading, || {
            read(&polynomials, readers, budget)
        })?;
        refuse_unless_known(&polynomials, self.device, points.vector.lines.len())?;
        let progress = Progress::of("interpolating");
        let found = timed(&mut figures.seconds.computing, || {
            let entries = mem::take(&mut points.vector.entries);
            let tree = engine.subproduct_tree(polynomials.ring(), entries)?;
            tree.interpolate_all(&[values.vector.entries])
        });
        let batch = found.map_err(|error| refusal(&points, &error))?;
        for warning in &batch.warnings {
            progress.warn(warning);
        }
        drop(progress);
        if let Some(device) = &batch.device {
            figures.computed_on(device);
        }
        let found = batch.into_all().map_err(|error| refusal(&points, &error))?;
        let polynomial = &found[0];

        let mut results = Results::new(output, style.json);
        results.facts(|| {
            let inputs = json!({
                "files": files([&self.points, &self.values]),
                "modulus": polynomials.prime(),
                "points": points.vector.lines.len(),
            });
            Head::new("poly interp", inputs)
        })?;
        timed(&mut figures.seconds.writing, || {
            let mut text = Vec::new();
            polynomials.write_polynomial(polynomial, &mut text);
            results.push(&text)
        })?;
        results.close(|| figures.ended())?.finish()
    }
}

/// A file and what stands in it.
struct Column {
    reader: LineReader,
    vector: Vector<u64>,
}

/// Points and as many values.
fn read(
    polynomials: &Polynomials,
    [mut points, mut values]: [LineReader; 2],
    budget: Budget,
) -> Result<[Column; 2], Failure> {
    let ring = polynomials.ring();
    let needed = |count| {
        ring.tree_bytes(count)
            .saturating_add(scratch_of_points(polynomials, count))
            .saturating_add(polynomials.written_bytes(count))
    };
    let reader = PointReader {
        field: polynomials.field(),
        work: "interpolation",
        needed: &needed,
        budget,
    };
    let points = Column {
        vector: reader.read(&mut points)?,
        reader: points,
    };
    let values = Column {
        vector: reader.read(&mut values)?,
        reader: values,
    };
    missing(&points, &values)?;
    missing(&values, &points)?;
    Ok([points, values])
}

/// Refuses files of which the first has fewer entries.
fn missing(short: &Column, long: &Column) -> Result<(), Failure> {
    let count = short.vector.lines.len();
    let Some(line) = long.vector.lines.get(count) else {
        return Ok(());
    };
    let (count, name) = (count as u64, long.reader.name());
    Err(short
        .reader
        .missing_line(count, "integer", name, count + 1, line))
}

/// Why no polynomial goes through the points.
fn refusal(points: &Column, error: &EngineError) -> Failure {
    let name = points.reader.name();
    let line = |index| points.vector.lines.get(index).unwrap_or_default();
    Failure::Computation(match error {
        &EngineError::Polynomial(PolyError::RepeatedPoint { first, second }) => format!(
            "{name}, line {}: the same point as in line {}: interpolation needs distinct points",
            line(second),
            line(first),
        ),
        _ => format!("{name}: {error}"),
    })
}
