//! Steps of a round of Euclid's algorithm and of division, and points of a tree's leaves: what each choice comes to on an H100.
//!
//!     cargo run --release -p sunzi-gpu --example steps_and_leaves
//!
//! Launches are counted without a device. A cell has the time that is predicted from rates (`Prediction`), and the bound of the
//! many-core machine model by which plans are chosen, each over the least of its row.

use sunzi_device::{DeviceInfo, GpuError, LaunchWork, Prediction, Rates, Recorder};
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

fn main() -> Result<(), GpuError> {
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
    let tree = SubproductTree::with_plan(on, stream, 469_762_049, (&vector, 0), plan)?;
    match interpolates {
        true => tree.interpolate(stream, (&vector, 0), (&mut to, 0))?,
        false => tree.evaluate(stream, (&vector, 0), points, (&mut to, 0))?,
    }
    Ok(recorder.take())
}
