//! What measures the papers' tables and figures: a file for each subject.

mod big_primes;
mod counts;
mod determinants;
#[cfg(feature = "gmp")]
mod gmp;
mod integers;
mod launch_shapes;
mod polynomials;
mod profiles;
mod sorting;
mod sparse;

use super::registry::{Cell, Entry};
use std::hint::black_box;
use sunzi::engine::{Batch, DeviceChoice, Engine, EngineError};
use sunzi::gpu::{Device, DeviceInfo, DeviceKind, Selection};
use sunzi_files::failure::Failure;
use sunzi_measure::{Clock, Work, in_turn};

/// What measures, and its name in the registry.
pub const ALL: &[(&str, Measure)] = &[
    ("two_adicities", counts::two_adicities),
    ("work_ratios", counts::work_ratios),
    ("parallelism", counts::parallelism),
    ("products", big_primes::products),
    ("product_steps", big_primes::product_steps),
    ("transforms", big_primes::transforms),
    ("steps", big_primes::steps),
    ("speedups", big_primes::speedups),
    ("mean_products", big_primes::mean_products),
    ("cpu_transforms", big_primes::against_words),
    ("gpu_transforms", big_primes::on_a_device),
    ("shares", big_primes::shares),
    ("batches", integers::batches),
    ("chosen_shapes", launch_shapes::chosen),
    ("counting_sorts", sorting::counting_sorts),
    ("kinds_of_nonzeros", sparse::kinds),
    ("reordered", sparse::reordered),
    ("costs_of_orders", sparse::costs),
    ("condensation_bandwidth", determinants::bandwidth),
    ("determinants", determinants::times),
    ("hilbert_values", determinants::hilbert_values),
    ("hilbert_times", determinants::hilbert_times),
    ("plain_products", polynomials::plain_products),
    (
        "products_by_transforms",
        polynomials::products_by_transforms,
    ),
    ("convolutions", polynomials::convolutions),
    ("divisions", polynomials::divisions),
    ("divisors", polynomials::divisors),
    ("trees", polynomials::trees),
    ("profile_of_transforms", profiles::transforms),
    ("profile_of_integers", profiles::integers),
    ("tree_bandwidth", profiles::trees),
    ("stages", profiles::stages),
    ("streams", profiles::streams),
];

/// Measures what a table or figure says.
pub type Measure = fn(&Asked<'_>) -> Result<Ours, Failure>;

/// What is asked for.
pub struct Asked<'a> {
    pub entry: &'a Entry,
    /// Few and small sizes.
    pub quick: bool,
    /// Of a case.
    pub seconds: f64,
    pub device: DeviceChoice,
    /// Files and generated matrices, where a table is about sparse ones.
    pub matrices: &'a [String],
}

/// Our numbers.
#[derive(Debug, Default)]
pub struct Ours {
    /// Their names, with units after a comma.
    pub columns: Vec<String>,
    /// The keys of each case, as the registry writes them, and a number for each column.
    pub rows: Vec<(Vec<String>, Vec<Option<Cell>>)>,
    pub notes: Vec<String>,
    /// The device that was measured.
    pub device: Option<String>,
}

impl Ours {
    /// No rows as yet.
    fn of(columns: &[&str]) -> Self {
        Self {
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
            ..Self::default()
        }
    }

    fn push<const N: usize>(&mut self, keys: [&dyn ToString; N], values: Vec<Option<f64>>) {
        let keys = keys.iter().map(|key| key.to_string()).collect();
        self.push_row(keys, values);
    }

    /// The same with keys that are texts already.
    fn push_row(&mut self, keys: Vec<String>, values: Vec<Option<f64>>) {
        let values = values.into_iter().map(|value| value.map(Cell::Real));
        self.rows.push((keys, values.collect()));
    }

    /// Tells of the device that was measured.
    fn on(&mut self, device: &DeviceInfo) {
        self.device = Some(format!("{} by {}", device.name, device.backend.name()));
        if device.kind == DeviceKind::Cpu {
            self.notes.push(
                "The device is an OpenCL on the processor: its times say nothing of a GPU."
                    .to_owned(),
            );
        }
    }
}

impl Asked<'_> {
    /// The paper's rows; in a quick run the first few.
    fn rows(&self, quick: usize) -> &[Vec<Cell>] {
        let rows = &self.entry.rows;
        match self.quick {
            true => &rows[..quick.min(rows.len())],
            false => rows,
        }
    }

    /// The sizes of a figure that has no rows: in a quick run others.
    fn sizes<'s, T>(&self, full: &'s [T], quick: &'s [T]) -> &'s [T] {
        if self.quick { quick } else { full }
    }

    /// The device that was asked for, or else a GPU; or whatever computes as one where one is needed.
    pub fn selection(&self) -> Result<Selection, Failure> {
        match self.device {
            DeviceChoice::Auto => Ok(Selection::Any),
            DeviceChoice::Only(wanted) => Ok(wanted),
            DeviceChoice::Cpu => Err(Failure::Usage(
                "this is measured on a device: a processor's OpenCL is --device opencl".to_owned(),
            )),
        }
    }

    /// The device that was asked for, or else a GPU, if there is one.
    fn opened(&self, ours: &mut Ours) -> Result<Option<Device>, Failure> {
        let device = match self.device {
            DeviceChoice::Auto => Device::open(Selection::Gpu).ok(),
            DeviceChoice::Only(wanted) => Some(Device::open(wanted).map_err(failed)?),
            DeviceChoice::Cpu => None,
        };
        if let Some(device) = &device {
            ours.on(device.info());
        }
        Ok(device)
    }

    /// What computes: that device, or else the processor.
    fn engine(&self, ours: &mut Ours) -> Result<Engine, Failure> {
        match self.opened(ours)? {
            Some(device) => Ok(Engine::on(&device)),
            None => Engine::new(DeviceChoice::Cpu).map_err(failed),
        }
    }

    /// Median seconds of each work, taken in turn.
    fn time(&self, works: &mut [Work<'_>]) -> Vec<f64> {
        let timings = in_turn(works, Clock::Wall, self.seconds);
        timings.into_iter().map(|timing| timing.median).collect()
    }
}

/// Work of an engine that has succeeded once. What the device did not do is told.
fn tried<'a, T>(
    ours: &mut Ours,
    engine: &Engine,
    mut work: impl FnMut() -> Result<Batch<T>, EngineError> + Send + 'a,
) -> Result<Work<'a>, Failure> {
    let batch = work().map_err(failed)?;
    if engine.device().is_some() && batch.on_device < batch.results.len() {
        let note = format!("The processor computed it: {}.", batch.warnings.join("; "));
        if !ours.notes.contains(&note) {
            ours.notes.push(note);
        }
    }
    batch.into_all().map_err(failed)?;
    Ok(Box::new(move |times: usize| {
        for _ in 0..times {
            let _ = black_box(work());
        }
    }))
}

/// Tells that GMP is not built in.
fn without_gmp(ours: &mut Ours) {
    if !cfg!(feature = "gmp") {
        ours.notes
            .push("This program is built without GMP.".to_owned());
    }
}

/// A sentence of what could not be done.
fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Computation(error.to_string())
}

/// A number of the registry that counts something.
fn count(cell: &Cell) -> Result<usize, Failure> {
    match cell {
        &Cell::Whole(number) if number >= 0 => Ok(number as usize),
        _ => Err(failed(format!("{cell} counts nothing"))),
    }
}

/// Seconds as milliseconds.
fn ms(seconds: f64) -> Option<f64> {
    Some(seconds * 1e3)
}
