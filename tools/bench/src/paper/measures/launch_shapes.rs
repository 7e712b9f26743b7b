//! Launch shapes that are chosen, against all others: by the paper's times, or on the device at hand.

use super::{Asked, Ours, failed};
use crate::paper::registry::Cell;
use std::time::Instant;
use sunzi::gpu::Device;
use sunzi::tune::{
    AnchoredModel, Chooser, Constants, Description, Kernel, KernelRunner, Sampling, profile,
};
use sunzi_files::failure::Failure;

/// Kernels of the kinds that PolyBench/GPU has.
const KERNELS: &str = include_str!("../../../../../examples/tune/polybench.cl");
const DESCRIPTIONS: &str = include_str!("../../../../../examples/tune/polybench.toml");
/// Of those that the paper has no times of: rows of matrices, and of cubes, which have no more memory.
const LARGE: i64 = 4096;
const CUBE: i64 = 256;
/// In a quick run.
const SMALL: i64 = 128;
const FEW_KERNELS: usize = 3;
/// Sizes at which shapes are measured, as parts of the size that one is chosen for.
const PARTS: [i64; 3] = [16, 8, 4];
/// Seconds that all shapes of a kernel may take.
const LONGEST: f64 = 60.0;
/// Timed runs of a shape at the size that one is chosen for, of which the fastest counts.
const RUNS: usize = 3;

/// Table 4.1 and Figures 4.1 and 4.3 of the thesis of 2021.
pub fn chosen(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "chosen, ms",
        "shape",
        "best, ms",
        "shape",
        "worst, ms",
        "chosen over best",
        "choosing, % of all shapes",
    ]);
    match asked.opened(&mut ours)? {
        None => by_the_papers_times(asked),
        Some(device) => {
            on_a_device(asked, &device, &mut ours)?;
            Ok(ours)
        }
    }
}

/// How much longer than the best shape the chosen one takes by the paper's own times.
fn by_the_papers_times(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["the paper's chosen over its best"]);
    ours.notes
        .push("Without --device this is about the paper's own times.".to_owned());
    let mut ratios = Vec::new();
    for row in asked.rows(usize::MAX) {
        let [kernel, size, chosen, _, best, _] = &row[..] else {
            return Err(failed("a row has no two times"));
        };
        let (Some(chosen), Some(best)) = (chosen.number(), best.number()) else {
            return Err(failed(format!("{kernel} has no two times")));
        };
        ratios.push((size.to_string(), chosen / best));
        ours.push([kernel, size], vec![Some(chosen / best)]);
    }
    summarize(&mut ours, &ratios, "rows of the paper");
    Ok(ours)
}

/// Tells means of ratios by sizes.
fn summarize(ours: &mut Ours, ratios: &[(String, f64)], what: &str) {
    let mut sizes: Vec<&str> = ratios.iter().map(|(size, _)| size.as_str()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    for wanted in sizes.iter().map(|&size| Some(size)).chain([None]) {
        let these = ratios
            .iter()
            .filter(|(size, _)| wanted.is_none_or(|wanted| size == wanted));
        let these: Vec<f64> = these.map(|(_, ratio)| *ratio).collect();
        if these.is_empty() {
            continue;
        }
        let mean = (these.iter().map(|ratio| ratio.ln()).sum::<f64>() / these.len() as f64).exp();
        let worst = these.iter().copied().fold(0.0, f64::max);
        ours.notes.push(format!(
            "N = {}: geometric mean {mean:.2}, worst {worst:.2}, of {} {what}.",
            wanted.unwrap_or("all"),
            these.len()
        ));
    }
}

fn on_a_device(asked: &Asked<'_>, device: &Device, ours: &mut Ours) -> Result<(), Failure> {
    let descriptions = Description::parse(DESCRIPTIONS, "polybench.toml").map_err(failed)?;
    // Our name of a kernel of the paper, and the paper's.
    let of_paper = |name: &str| name.to_lowercase().replace(' ', "_");
    let mut cases: Vec<(&Kernel, String, i64)> = Vec::new();
    for row in &asked.entry.rows {
        let (name, size) = (
            row[0].to_string(),
            row[1].number().unwrap_or_default() as i64,
        );
        let kernel = descriptions.kernel(&of_paper(&name));
        let kernel = kernel.ok_or_else(|| failed(format!("there is no kernel {name}")))?;
        cases.push((kernel, name, size));
    }
    for kernel in descriptions.kernels() {
        if !cases
            .iter()
            .any(|(known, ..)| known.name() == kernel.name())
        {
            let size = if kernel.name().ends_with("3d") {
                CUBE
            } else {
                LARGE
            };
            cases.push((kernel, kernel.name().to_owned(), size));
        }
    }
    if asked.quick {
        for (.., size) in &mut cases {
            *size = SMALL;
        }
        cases.dedup_by_key(|(kernel, ..)| kernel.name());
        cases.truncate(FEW_KERNELS);
    }
    let mut ratios = Vec::new();
    for (kernel, name, size) in cases {
        match case(asked, device, kernel, size) {
            Ok(found) => {
                ratios.push((size.to_string(), found.chosen / found.best));
                ours.rows
                    .push((vec![name, size.to_string()], found.cells()));
            }
            Err(why) => ours
                .notes
                .push(format!("{name}, N = {size}: left out: {why}.")),
        }
    }
    summarize(ours, &ratios, "kernels here");
    Ok(())
}

/// Milliseconds of the chosen shape, of the best and of the worst, and of measuring by which it was chosen as a part of measuring all.
struct Found {
    chosen: f64,
    best: f64,
    worst: f64,
    shapes: [String; 2],
    part: f64,
}

impl Found {
    fn cells(&self) -> Vec<Option<Cell>> {
        let number = |value: f64| Some(Cell::Real(value));
        let [chosen, best] = self.shapes.clone().map(|shape| Some(Cell::Text(shape)));
        vec![
            number(self.chosen),
            chosen,
            number(self.best),
            best,
            number(self.worst),
            number(self.chosen / self.best),
            number(100.0 * self.part),
        ]
    }
}

fn case(asked: &Asked<'_>, device: &Device, kernel: &Kernel, size: i64) -> Result<Found, Failure> {
    let known = profile(device.info());
    // SAFETY: the descriptions say what these kernels are called with, and each thread compares its place with n.
    let runner = unsafe { KernelRunner::new(device, kernel, "polybench.cl", KERNELS) };
    let mut runner = runner.map_err(failed)?;
    if runner.bytes(&[size]) > device.memory_free() / 2 {
        return Err(failed("it takes more than half of the memory"));
    }
    let sizes = PARTS.map(|part| vec![(size / part).max(2)]);
    let sampling = Sampling {
        seconds: (20.0 * asked.seconds).max(1.0),
        ..Sampling::default()
    };
    let sampled = sampling.run(kernel, &known, &sizes, |data, shape| {
        runner.run(data, shape)
    });
    let sampled = sampled.map_err(failed)?;
    let compiled = kernel.clone().with_resources(runner.resources().clone());
    let model = AnchoredModel::fit(&compiled, &known, Constants::default(), &sampled.samples);
    let model = model.map_err(failed)?;
    let predicted = model.predict(&[size]).unwrap_or_default();
    let all: f64 = predicted.iter().map(|(_, milliseconds)| milliseconds).sum();
    let seconds = all * 1e-3 * (RUNS + 1) as f64;
    if seconds > LONGEST {
        return Err(failed(format!("all shapes would take {seconds:.0} s")));
    }
    let chosen = Chooser::new(model).choose(&[size]).map_err(failed)?;
    let mut times: Vec<(&Vec<i64>, f64)> = Vec::new();
    let (clock, mut tried) = (Instant::now(), 0.0);
    for shape in kernel.shapes() {
        if clock.elapsed().as_secs_f64() > 2.0 * LONGEST {
            return Err(failed("all shapes take too long"));
        }
        // The first run is checked.
        let mut least = f64::INFINITY;
        for run in 0..=RUNS {
            match runner.run(&[size], shape).map_err(failed)? {
                Some(milliseconds) if run > 0 => {
                    least = least.min(milliseconds);
                    tried += milliseconds;
                }
                _ => (),
            }
        }
        if least.is_finite() {
            times.push((shape, least));
        }
    }
    let of = |wanted: &[i64]| times.iter().find(|(shape, _)| shape[..] == *wanted);
    let (Some(&(_, chosen_time)), Some(&(best_shape, best)), Some(&(_, worst))) = (
        of(&chosen),
        times.iter().min_by(|a, b| a.1.total_cmp(&b.1)),
        times.iter().max_by(|a, b| a.1.total_cmp(&b.1)),
    ) else {
        return Err(failed("the device has no shape of it"));
    };
    let text = |shape: &[i64]| {
        let sides: Vec<String> = shape.iter().map(i64::to_string).collect();
        sides.join("x")
    };
    Ok(Found {
        chosen: chosen_time,
        best,
        worst,
        shapes: [text(&chosen), text(best_shape)],
        part: sampled.milliseconds / tried,
    })
}
