//! `sunzi poly interp`.

use super::eval::{refuse_unless_known, scratch_of_points};
use super::over_rationals;
use super::points::PointReader;
use super::polynomials::{Polynomials, Pretty};
use crate::args::{ChosenDevice, Common, MaxMemory, OptionalModulus};
use crate::commands::Run;
use crate::operation::{engine, refuse_unless};
use crate::report::{Figures, Head, files, timed};
use clap::Args;
use serde_json::json;
use std::mem;
use std::path::PathBuf;
use sunzi::Rational;
use sunzi::engine::EngineError;
use sunzi::memory::Budget;
use sunzi::poly::{PolyError, RationalPolyRing};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::{LineReader, check_standard_input};
use sunzi_files::input::vector::Vector;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;
use sunzi_files::style::Style;

/// Points, and the values of a polynomial there.
#[derive(Debug, Args)]
#[command(after_help = concat!(vectors!(), written!(), "
The polynomial has the i-th value at the i-th point, and a degree below the number of points, which must
differ from each other.
", rationals!(), primes!(), "Examples:
  sunzi poly interp points.txt values.txt --pretty
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
    pub modulus: OptionalModulus,
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
        let style = self.form.style(common);
        match &self.modulus.prime {
            Some(prime) => self.modulo(prime, style, common),
            None => {
                refuse_unless(false, self.device.choice, "interpolations over Q")?;
                self.over_rationals(style, common)
            }
        }
    }
}

impl Interp {
    fn modulo(&self, prime: &str, style: Style, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let engine = engine(self.device.choice, false)?;
        let polynomials = Polynomials::modulo(prime, style)?.by(&engine);
        let (readers, output) = self.open(common)?;
        let [mut points, values] = timed(&mut figures.seconds.reading, || {
            read(&polynomials, readers, self.memory.budget())
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
        let head = self.head(Some(polynomials.prime()), &points);
        write(Results::new(output, style.json), head, figures, |text| {
            polynomials.write_polynomial(&found[0], text);
        })
    }

    fn over_rationals(&self, style: Style, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let (ring, over) = (
            RationalPolyRing::new(),
            over_rationals::Polynomials::new(style),
        );
        let (readers, output) = self.open(common)?;
        let [points, values] = timed(&mut figures.seconds.reading, || {
            columns(readers, "number", |file, noun| {
                let needed = |numbers: &Vector<Rational>| match noun {
                    POINT => ring.interpolate_bytes(&numbers.entries),
                    _ => over_rationals::bytes_of(&numbers.entries),
                };
                let reader = PointReader {
                    work: "interpolation",
                    needed: &needed,
                    budget: self.memory.budget(),
                };
                reader.read(file, |file, grown| over.text().read_vector(file, grown))
            })
        })?;
        let progress = Progress::of("interpolating");
        let found = timed(&mut figures.seconds.computing, || {
            ring.interpolate(&points.vector.entries, &values.vector.entries)
        });
        drop(progress);
        let found = found.map_err(|error| refusal(&points, &error.into()))?;
        let head = self.head(None, &points);
        write(Results::new(output, style.json), head, figures, |text| {
            over.write_polynomial(&found, text);
        })
    }

    /// Files that are open, so that what cannot be read or written is told before any work.
    fn open(&self, common: &Common) -> Result<([LineReader; 2], Output), Failure> {
        let open = |path| LineReader::open(path, self.memory.budget());
        let readers = [open(&self.points)?, open(&self.values)?];
        Ok((readers, Output::create(common.output.as_deref())?))
    }

    /// What the JSON form tells first.
    fn head<T>(&self, modulus: Option<&str>, points: &Column<T>) -> Head {
        let inputs = json!({
            "files": files([&self.points, &self.values]),
            "modulus": modulus,
            "points": points.vector.lines.len(),
        });
        Head::new("poly interp", inputs)
    }
}

/// What sentences call an entry of the first file.
const POINT: &str = "point";

/// Writes the only result.
fn write(
    mut results: Results,
    head: Head,
    mut figures: Figures,
    write_polynomial: impl FnOnce(&mut Vec<u8>),
) -> Result<(), Failure> {
    results.facts(|| head)?;
    timed(&mut figures.seconds.writing, || {
        let mut text = Vec::new();
        write_polynomial(&mut text);
        results.push(&text)
    })?;
    results.close(|| figures.ended())?.finish()
}

/// A file and what stands in it.
struct Column<T> {
    reader: LineReader,
    vector: Vector<T>,
}

/// Points and as many values modulo a prime.
fn read(
    polynomials: &Polynomials,
    readers: [LineReader; 2],
    budget: Budget,
) -> Result<[Column<u64>; 2], Failure> {
    let ring = polynomials.ring();
    let needed = |vector: &Vector<u64>| {
        let count = vector.lines.len();
        ring.tree_bytes(count)
            .saturating_add(scratch_of_points(polynomials, count))
            .saturating_add(polynomials.written_bytes(count))
    };
    let reader = PointReader {
        work: "interpolation",
        needed: &needed,
        budget,
    };
    let residues = Residues::new(polynomials.field());
    columns(readers, "integer", |file, _| {
        reader.read(file, |file, grown| residues.read_vector(file, grown))
    })
}

/// Points and as many values, each of which is called `noun`; `read` is told what they mean.
fn columns<T>(
    [mut points, mut values]: [LineReader; 2],
    noun: &'static str,
    read: impl Fn(&mut LineReader, &'static str) -> Result<Vector<T>, Failure>,
) -> Result<[Column<T>; 2], Failure> {
    let points = Column {
        vector: read(&mut points, POINT)?,
        reader: points,
    };
    let values = Column {
        vector: read(&mut values, "value")?,
        reader: values,
    };
    missing(&points, &values, noun)?;
    missing(&values, &points, noun)?;
    Ok([points, values])
}

/// Refuses files of which the first has fewer entries.
fn missing<T>(short: &Column<T>, long: &Column<T>, noun: &'static str) -> Result<(), Failure> {
    let count = short.vector.lines.len();
    let Some(line) = long.vector.lines.get(count) else {
        return Ok(());
    };
    let (count, name) = (count as u64, long.reader.name());
    Err(short
        .reader
        .missing_line(count, noun, name, count + 1, line))
}

/// Why no polynomial goes through the points.
fn refusal<T>(points: &Column<T>, error: &EngineError) -> Failure {
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
