//! Steps of a round of Euclid's algorithm and of division, and points of a tree's leaves: what each choice comes to on an H100.
//!
//!     cargo run --release -p sunzi-gpu --example steps_and_leaves [-- DEVICE]
//!
//! Launches are counted without a device. A cell has the time that is predicted from rates (`Prediction`), and the bound of the
//! many-core machine model by which plans are chosen, each over the least of its row. On a device that is named they are timed, and a
//! cell has the least of some times, over the least of its row.

use std::time::Instant;

use sunzi_device::{
    Device, DeviceInfo, GpuError, LaunchWork, Prediction, Rates, Recorder, Selection,
};
use sunzi_gpu::Word;
use sunzi_gpu::euclid::{EuclidConfig, EuclidContext};
use sunzi_gpu::tree::{SubproductTree, TreePlan};
use sunzi_gpu::tuning::machine_program;
use sunzi_tune::MachineModel;

/// U, and the cycles of a launch, as plans have them.
const MOVING: u8 = 20;
const LAUNCH: u16 = 4400;

const STEPS: [usize; 6] = [64, 128, 256, 512, 1024, 2048];
const LEAVES: [usize; 6] = [32, 64, 128, 256, 512, 1024];

/// A prime with the roots of unity of trees.
const PRIME: u64 = 469_762_049;

/// Runs of which the fastest counts.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(selection) = std::env::args().nth(1) {
        return Ok(timed(&Device::open(selection.parse::<Selection>()?)?)?);
    }
    let device = DeviceInfo::h100();
    title("steps", STEPS);
    for (len, pairs) in [(40_001, 1), (100_001, 1), (100_001, 132)] {
        let chosen = EuclidConfig::for_device(&device, Word::U32, len).steps;
        for (name, shorter) in [("division", len / 2), ("GCD", len)] {
            let what = format!("{name}, {len} and {shorter}, {pairs}");
            let of = |steps| rounds(&device, [len, shorter], pairs, steps);
            row(&device, &what, chosen, STEPS, of)?;
        }
    }
    println!();
    title("leaf", LEAVES);
    for log_points in [10, 12, 14, 17, 20, 24] {
        let chosen = TreePlan::for_device(&device, 1 << log_points).leaf;
        for (name, interpolates) in [("evaluation", false), ("interpolation", true)] {
            let what = format!("tree and {name}, 2^{log_points}");
            let of = |leaf| tree(&device, log_points, leaf, interpolates);
            row(&device, &what, chosen, LEAVES, of)?;
        }
    }
    Ok(())
}

fn title(parameter: &str, values: [usize; 6]) {
    let values = values.map(|value| value.to_string()).join(" | ");
    println!("| {parameter} | {values} | chosen |");
    println!("|---|{}", "--:|".repeat(7));
}

fn row(
    device: &DeviceInfo,
    what: &str,
    chosen: usize,
    parameters: [usize; 6],
    of: impl Fn(usize) -> Result<Vec<LaunchWork>, GpuError>,
) -> Result<(), GpuError> {
    let machine = MachineModel {
        u: MOVING.into(),
        z: 0,
        sms: device.units as u64,
    };
    let Some(rates) = Rates::by_data_sheet(device, 1.755e9) else {
        return Ok(());
    };
    let mut rated = [[0.0; 2]; 6];
    for (rated, parameter) in rated.iter_mut().zip(parameters) {
        let launches = of(parameter)?;
        let predicted = Prediction::of(&launches, device, &rates).seconds;
        let program = machine_program(&launches);
        let bound = program.bound_with_launches(&machine, &LAUNCH.into());
        *rated = [predicted, bound.to_f64()];
    }
    let least = [0, 1].map(|k| rated.iter().map(|of| of[k]).fold(f64::INFINITY, f64::min));
    let cells = rated.map(|of| format!("{:.2} / {:.2}", of[0] / least[0], of[1] / least[1]));
    println!("| {what} | {} | {chosen} |", cells.join(" | "));
    Ok(())
}

/// The times on a device; steps and leaves beyond it are left out.
fn timed(device: &Device) -> Result<(), GpuError> {
    println!("{}", device.info().name);
    title("steps", STEPS);
    let stream = device.stream()?;
    for len in [4001_usize, 16_001] {
        let suited = EuclidConfig::for_device(device.info(), Word::U32, len);
        for (name, shorter) in [("division", len / 2), ("GCD", len)] {
            let operands = [residues(len, 1), residues(shorter, 2)];
            let pair = operands.each_ref().map(|operand| &operand[..]);
            let times = STEPS.map(|steps| {
                let config = EuclidConfig {
                    steps,
                    // Rounds are for pairs that no group shares.
                    row: suited.row.min(len / 4),
                    ..suited
                };
                let context = EuclidContext::with_config(device, Word::U32, PRIME, config).ok()?;
                least_time(|| match len > shorter {
                    true => context.divide_all(&stream, &[pair]).map(drop),
                    false => context.gcd_all(&stream, &[pair]).map(drop),
                })
            });
            times_row(
                &format!("{name}, {len} and {shorter}"),
                &times,
                suited.steps,
            );
        }
    }
    println!();
    title("leaf", LEAVES);
    for log_points in [12, 14] {
        let points = 1 << log_points;
        let suited = TreePlan::for_device(device.info(), points);
        let from: Vec<u32> = (0..points as u32).collect();
        let vector = device.filled(&stream, &from)?;
        let mut to = device.buffer::<u32>(points)?;
        let times = LEAVES.map(|leaf| {
            let plan = TreePlan { points, leaf };
            least_time(|| {
                let tree = SubproductTree::with_plan(device, &stream, PRIME, (&vector, 0), plan)?;
                tree.evaluate(&stream, (&vector, 0), points, (&mut to, 0))?;
                stream.finish()
            })
        });
        times_row(
            &format!("tree and evaluation, 2^{log_points}"),
            &times,
            suited.leaf,
        );
    }
    Ok(())
}

/// Residues that look random.
fn residues(len: usize, mut state: u64) -> Vec<u32> {
    let next = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % PRIME) as u32
    };
    (0..len).map(next).collect()
}

/// The least seconds, after a run that compiles; `None` for what the device does not take.
fn least_time(mut run: impl FnMut() -> Result<(), GpuError>) -> Option<f64> {
    run().ok()?;
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        run().ok()?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Some(least)
}

fn times_row(what: &str, times: &[Option<f64>; 6], chosen: usize) {
    let least = times
        .iter()
        .flatten()
        .copied()
        .fold(f64::INFINITY, f64::min);
    let cell =
        |time: &Option<f64>| time.map_or(String::new(), |time| format!("{:.2}", time / least));
    let cells: Vec<String> = times.iter().map(cell).collect();
    println!("| {what} | {} | {chosen} |", cells.join(" | "));
}

/// The launches of pairs by rounds.
fn rounds(
    device: &DeviceInfo,
    lengths: [usize; 2],
    pairs: usize,
    steps: usize,
) -> Result<Vec<LaunchWork>, GpuError> {
    let config = EuclidConfig {
        steps,
        pairs,
        ..EuclidConfig::for_device(device, Word::U32, lengths[0])
    };
    let recorder = Recorder::new(device)?;
    let context = EuclidContext::with_config(recorder.device(), Word::U32, (1 << 31) - 1, config)?;
    let operands = lengths.map(|len| vec![1_u32; len]);
    let all = vec![operands.each_ref().map(|operand| &operand[..]); pairs];
    recorder.launches(|stream| match lengths[0] > lengths[1] {
        true => context.divide_all(stream, &all).map(drop),
        false => context.gcd_all(stream, &all).map(drop),
    })
}

/// The launches of a tree, and of what it serves.
fn tree(
    device: &DeviceInfo,
    log_points: u32,
    leaf: usize,
    interpolates: bool,
) -> Result<Vec<LaunchWork>, GpuError> {
    let points = 1 << log_points;
    let recorder = Recorder::new(device)?;
    let (on, stream) = (recorder.device(), recorder.stream());
    let (vector, mut to) = (on.buffer::<u32>(points)?, on.buffer::<u32>(points)?);
    let plan = TreePlan { points, leaf };
    let tree = SubproductTree::with_plan(on, stream, PRIME, (&vector, 0), plan)?;
    match interpolates {
        true => tree.interpolate(stream, (&vector, 0), (&mut to, 0))?,
        false => tree.evaluate(stream, (&vector, 0), points, (&mut to, 0))?,
    }
    Ok(recorder.take())
}
