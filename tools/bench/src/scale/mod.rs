//! `sunzi bench scale`: transforms through files, against what the disk and the processor allow.

mod disk;
mod ranks;
mod steps;
mod vector;

use super::plots::Folder;
use clap::Args;
use cpu_time::ProcessTime;
use disk::Disk;
use serde::Serialize;
use serde_json::json;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use steps::Steps;
use sunzi::field::AnyField;
use sunzi::memory::{Budget, Shown};
use sunzi::scale::{FileProduct, FileTransform, Order, Report as Done, ScaleError, Started};
use sunzi_cli::door::{Common, Company, Figures, Head, Report, Table, timed};
use sunzi_files::failure::Failure;
use sunzi_files::memory::parse_size;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_measure::text::{duration, three_digits};
use sunzi_measure::{Chart, Curve, Scale};

/// What stands below the help.
const HELP: &str = "Measured are, one after the other:
  disk          in DIR: writing, reading in runs of 1 MiB, and both at the same time by one and two readers
  steps         of a transform in memory, columns and rows, against the transform of the whole
  transforms    of vectors of 62-bit residues from a quarter of the memory's length to four times as long, and of
                vectors four times as long as the memory of residues below 2^31 and modulo P8; forward, in both
                orders
  a product     of two polynomials over 62 bits, with transforms four times as long as the memory
  integers      whose product is twice as long as the memory

The floor of a transform is the larger of its bytes over the rate of the disk for both at the same time, and its
processor time over the number of threads. DIR needs room for 20 times the memory. Where a prime has no transform
of that length, the longest that it has takes a quarter of its own length for memory.

Under mpirun the ranks are measured in place of that, by a build with the feature mpi, in a DIR that all see: how fast
each copies and sends, and transforms of as many points as half of a rank's memory holds, without scratch files.

Examples:
  sunzi bench scale --scratch /scratch --max-memory 1G
  mpirun -n 2 sunzi-bench scale --scratch /scratch --max-memory 1G
  sunzi bench scale --scratch /scratch --max-memory 256M --out plots --json";

/// The file with the plot.
const PLOT: &str = "through-files.svg";

/// Where and how much is measured.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ScaleOptions {
    /// Folder for vectors and scratch files, on the disk that is measured
    #[arg(long, value_name = "DIR")]
    scratch: PathBuf,
    /// Memory of the transforms
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_size)]
    max_memory: u64,
    /// Draw a plot into this folder, as SVG
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A prime of 62 bits, the first of those below.
const SIXTY_TWO_BITS: u64 = 4_611_685_989_973_229_569;

/// The primes, and how they are called.
const PRIMES: [(&str, &str); 3] = [
    ("62 bits", "4611685989973229569"),
    ("31 bits", "2013265921"),
    ("P8", "P8"),
];

/// A transform that was measured. Times are seconds.
#[derive(Debug, Serialize)]
struct Measured {
    prime: &'static str,
    points: usize,
    vector_bytes: u64,
    memory_bytes: u64,
    job: &'static str,
    passes: usize,
    seconds: f64,
    processor_seconds: f64,
    bytes_read: u64,
    bytes_written: u64,
    /// Bytes that were moved over those of the plan.
    bytes_over_floor: f64,
    /// The floor, and its share of the time.
    floor_seconds: f64,
    floor_over_time: f64,
}

/// All that was measured.
#[derive(Debug, Serialize)]
struct Results {
    disk: Disk,
    steps: Steps,
    transforms: Vec<Measured>,
    plots: Vec<String>,
}

impl ScaleOptions {
    /// Measures the disk, and transforms on it.
    pub fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let company = Company::join()?;
        if company.is_several() {
            return self.run_on_ranks(&company, figures, common);
        }
        let output = Output::create(common.output.as_deref())?;
        let folder = self
            .out
            .as_deref()
            .map(|path| Folder::open(path, PLOT))
            .transpose()?;
        folder.iter().try_for_each(|folder| folder.spare(&output))?;
        let mut results = timed(&mut figures.seconds.computing, || self.measure())?;
        if let Some(folder) = folder {
            results.plots = folder.draw(vec![(
                PLOT.to_owned(),
                plot(&results.transforms, self.max_memory),
            )])?;
        }
        let inputs = json!({
            "scratch": self.scratch.display().to_string(),
            "max_memory": self.max_memory,
        });
        let report = Report {
            head: Head::new("bench scale", inputs),
            result: results,
            figures: figures.ended(),
        };
        report.write(output, common.json, Results::to_string)
    }

    /// Measures what several ranks do, of which the first tells it.
    fn run_on_ranks(
        &self,
        company: &Company,
        figures: Figures,
        common: &Common,
    ) -> Result<(), Failure> {
        let told = |error: ScaleError| Failure::Computation(error.to_string());
        let (name, prime) = PRIMES[0];
        let field = prime
            .parse::<AnyField>()
            .map_err(|error| Failure::Computation(format!("{name}: {error}")))?;
        let folder = self.scratch.join("sunzi-bench-ranks");
        if company.speaks() {
            let made = fs::create_dir(&folder);
            made.map_err(|source| {
                company.failed(
                    ScaleError::Disk {
                        path: folder.clone(),
                        action: "cannot be made",
                        source,
                    },
                    told,
                )
            })?;
        }
        let measured = ranks::measure(&company.ranks, &field, &folder, self.max_memory);
        if company.speaks() {
            // What is told is why nothing was measured, if it was not.
            let _ = fs::remove_dir_all(&folder);
        }
        let result = measured.map_err(|error| company.failed(error, told))?;
        if !company.speaks() {
            return Ok(());
        }
        let inputs = json!({
            "scratch": self.scratch.display().to_string(),
            "max_memory": self.max_memory,
        });
        let report = Report {
            head: Head::new("bench scale", inputs),
            result,
            figures: figures.ended(),
        };
        report.write(
            Output::create(common.output.as_deref())?,
            common.json,
            ToString::to_string,
        )
    }

    fn measure(&self) -> Result<Results, Failure> {
        // A folder of its own, in which nothing is but what is made here.
        let folder = self
            .scratch
            .join(format!("sunzi-bench-{}", std::process::id()));
        let made = fs::create_dir(&folder);
        made.map_err(|error| {
            Failure::Usage(format!(
                "{}: the folder cannot be made: {error}",
                folder.display()
            ))
        })?;
        let results = self.measure_in(&folder);
        let removed = fs::remove_dir_all(&folder);
        let results = results?;
        removed.map_err(|error| {
            Failure::Computation(format!(
                "{}: the folder cannot be removed: {error}",
                folder.display()
            ))
        })?;
        Ok(results)
    }

    fn measure_in(&self, folder: &Path) -> Result<Results, Failure> {
        const SIZES: usize = 5;
        let progress = Progress::over((4 + 2 * (SIZES + PRIMES.len() - 1)) as u64, "measurements");
        progress.piece("the disk");
        let failed =
            |error: std::io::Error| Failure::Computation(format!("{}: {error}", folder.display()));
        let disk = disk::measure(&folder.join("disk"), self.max_memory).map_err(failed)?;
        progress.piece("steps in memory");
        let steps = steps::measure(SIXTY_TWO_BITS, self.max_memory)
            .map_err(|error| Failure::Computation(error.to_string()))?;
        let mut transforms = Vec::new();
        for (index, &(name, prime)) in PRIMES.iter().enumerate() {
            let prime = prime.parse::<AnyField>();
            let field = prime.map_err(|error| Failure::Computation(error.to_string()))?;
            let sizes = if index == 0 {
                0..SIZES
            } else {
                SIZES - 1..SIZES
            };
            for size in sizes {
                let wanted = (self.max_memory << size) / 4 / field.element_bytes() as u64;
                let longest = 1u64 << field.two_adicity().min(40);
                let points = longest.min(1 << wanted.max(1).ilog2());
                let bytes = points * field.element_bytes() as u64;
                // All of it, or what this length is four times as long as.
                let memory = if points < longest {
                    self.max_memory
                } else {
                    bytes / 4
                };
                let input = folder.join("x.npy");
                vector::write(&input, &field, points as usize).map_err(failed)?;
                for order in [Order::Natural, Order::Transposed] {
                    progress.piece("transforms");
                    transforms.push(measure(
                        name,
                        &field,
                        folder,
                        memory,
                        Job::Transform(order),
                        &disk,
                    )?);
                }
                let product = match SIZES - size {
                    1 if index == 0 => Some((Job::Product, "a product")),
                    2 => Some((Job::Integers, "integers")),
                    _ => None,
                };
                if let Some((job, piece)) = product {
                    progress.piece(piece);
                    for operand in ["x.npy", "z.npy"] {
                        vector::write(&folder.join(operand), &field, points as usize / 2)
                            .map_err(failed)?;
                    }
                    transforms.push(measure(name, &field, folder, memory, job, &disk)?);
                    fs::remove_file(folder.join("z.npy")).map_err(failed)?;
                }
                fs::remove_file(&input).map_err(failed)?;
            }
        }
        Ok(Results {
            disk,
            steps,
            transforms,
            plots: Vec::new(),
        })
    }
}

/// What is computed of `x.npy`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Job {
    Transform(Order),
    /// With `z.npy`; each has half of the points.
    Product,
    /// The same, whose entries are limbs.
    Integers,
}

impl Job {
    fn name(self) -> &'static str {
        match self {
            Self::Transform(Order::Natural) => "natural",
            Self::Transform(Order::Transposed) => "transposed",
            Self::Product => "product",
            Self::Integers => "integers",
        }
    }

    fn start(self, field: &AnyField, folder: &Path, memory: u64) -> Result<Started, ScaleError> {
        let [x, y, z] = ["x.npy", "y.npy", "z.npy"].map(|name| folder.join(name));
        let budget = Budget::within(Some(memory));
        match self {
            Self::Transform(order) => FileTransform::new(field, x, y, folder)
                .within(budget)
                .order(order)
                .start(),
            Self::Product => FileProduct::new(field, x, z, y, folder)
                .within(budget)
                .start(),
            Self::Integers => FileProduct::of_integers(x, z, y, folder)
                .within(budget)
                .start(),
        }
    }
}

/// Measures it.
fn measure(
    prime: &'static str,
    field: &AnyField,
    folder: &Path,
    memory: u64,
    job: Job,
    disk: &Disk,
) -> Result<Measured, Failure> {
    let (start, processor) = (Instant::now(), ProcessTime::now());
    let report = job.start(field, folder, memory).and_then(Started::finish);
    let report: Done = report.map_err(|error| Failure::Computation(error.to_string()))?;
    let (seconds, processor) = (
        start.elapsed().as_secs_f64(),
        processor.elapsed().as_secs_f64(),
    );
    let (plan, output) = (report.plan, folder.join("y.npy"));
    let removed = fs::remove_file(&output);
    removed.map_err(|error| Failure::Computation(format!("{}: {error}", output.display())))?;
    let by_disk = plan.moved() as f64 / disk.both;
    let floor = by_disk.max(processor / sunzi_machine::threads::count() as f64);
    Ok(Measured {
        prime: if job == Job::Integers {
            "64-bit limbs"
        } else {
            prime
        },
        points: plan.height * plan.width,
        vector_bytes: (plan.height * plan.width * plan.elements[1]) as u64,
        memory_bytes: memory,
        job: job.name(),
        passes: plan.passes(),
        seconds,
        processor_seconds: processor,
        bytes_read: report.read,
        bytes_written: report.written,
        bytes_over_floor: (report.read + report.written) as f64 / plan.moved() as f64,
        floor_seconds: floor,
        floor_over_time: floor / seconds,
    })
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}{}", self.disk, self.steps)?;
        let mut table = Table::new([
            "prime",
            "points",
            "vector",
            "memory",
            "job",
            "passes",
            "time",
            "processor",
            "bytes over floor",
            "floor over time",
        ]);
        for measured in &self.transforms {
            table.push([
                measured.prime.to_owned(),
                format!("2^{}", measured.points.trailing_zeros()),
                Shown(measured.vector_bytes).to_string(),
                Shown(measured.memory_bytes).to_string(),
                measured.job.to_owned(),
                measured.passes.to_string(),
                duration(measured.seconds),
                duration(measured.processor_seconds),
                format!("{:.3}", measured.bytes_over_floor),
                three_digits(measured.floor_over_time),
            ]);
        }
        writeln!(f, "{table}")?;
        self.plots
            .iter()
            .try_for_each(|plot| writeln!(f, "{plot}: drawn"))
    }
}

/// Time over length, across the edge of memory.
fn plot(transforms: &[Measured], memory: u64) -> Chart {
    let curve = |order: &'static str, floor: bool| {
        let chosen = transforms
            .iter()
            .filter(|measured| measured.prime == PRIMES[0].0 && measured.job == order);
        let time = |measured: &Measured| {
            if floor {
                measured.floor_seconds
            } else {
                measured.seconds
            }
        };
        Curve {
            name: format!("{order} order{}", if floor { ", the floor" } else { "" }),
            points: chosen
                .map(|measured| (measured.points as f64, time(measured)))
                .collect(),
            colour: usize::from(order == "transposed"),
            dashes: usize::from(floor),
            bold: !floor,
        }
    };
    Chart {
        title: format!(
            "Transforms of 62-bit residues by {} of memory",
            Shown(memory)
        ),
        x: ("points", Scale::PowersOfTwo),
        y: ("time", Scale::Time),
        curves: vec![
            curve("natural", false),
            curve("natural", true),
            curve("transposed", false),
            curve("transposed", true),
        ],
    }
}
