//! What a shape costs by its waves of blocks, and by what they touch.

use super::device::Device;
use crate::description::{Access, Kernel, Variable};

/// Bytes of a line that a strided access holds in the first-level cache.
const LINE: u64 = 128;
/// Bytes that a device reads at least.
const SECTOR: u64 = 32;

/// The model's constants: one set for every device and kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// M: resident warps that double a wave's time. 8 to 24 do as well.
    pub warps: f64,
    /// S: how much slower blocks are whose strided lines do not fit the first-level cache.
    pub thrashing: f64,
    /// What the next smaller size counts for.
    pub weight: f64,
    /// What is left of a time at least when D is taken off.
    pub least: f64,
}

impl Default for Constants {
    fn default() -> Self {
        Constants {
            warps: 20.0,
            thrashing: 3.0,
            weight: 0.1,
            least: 0.1,
        }
    }
}

/// Accesses for one size: coefficients and counts are found once for all shapes.
pub(crate) struct Traffic {
    accesses: Vec<Strides>,
}

/// An access for one size.
struct Strides {
    element: u64,
    /// A coefficient, and the thread's dimension or how often a loop runs.
    variables: Vec<(u64, Result<usize, u64>)>,
}

impl Traffic {
    pub fn new(kernel: &Kernel, data: &[i64]) -> Self {
        Traffic {
            accesses: kernel
                .accesses
                .iter()
                .map(|access| strides(access, data))
                .collect(),
        }
    }
}

fn strides(access: &Access, data: &[i64]) -> Strides {
    let mut values = data.to_vec();
    values.resize(data.len() + access.variables.len(), 0);
    let origin = access.index.value(&values);
    let mut variables = Vec::new();
    for (index, variable) in access.variables.iter().enumerate() {
        values[data.len() + index] = 1;
        let coefficient = access.index.value(&values).abs_diff(origin);
        values[data.len() + index] = 0;
        if coefficient > 0 {
            variables.push((
                coefficient,
                match variable {
                    Variable::Thread(dimension) => Ok(*dimension),
                    Variable::Loop(count) => Err(count.value(data).max(1) as u64),
                },
            ));
        }
    }
    Strides {
        element: access.element,
        variables,
    }
}

/// F, and D in milliseconds; `None` where not one block fits a multiprocessor.
pub(crate) fn factors(
    kernel: &Kernel,
    device: &Device,
    constants: &Constants,
    traffic: &Traffic,
    values: &[i64],
) -> Option<(f64, f64)> {
    let (threads, blocks) = kernel.launch(values);
    let warps = threads
        .iter()
        .fold(1, |all: u64, &n| all.saturating_mul(n))
        .div_ceil(32);
    let resident = device.resident(warps);
    if resident == 0 {
        return None;
    }
    let at_once = resident * device.multiprocessors;
    let waves = blocks.div_ceil(at_once).max(1) as f64;
    let share = (blocks as f64 / device.multiprocessors as f64).min(resident as f64);
    let mut factor = waves * (1.0 + share * warps as f64 / constants.warps);
    let dimensions = kernel.grid.len();
    let (mut lines, mut bytes) = (0_u64, 0.0);
    for access in &traffic.accesses {
        let mut shared = false; // by blocks that differ in a dimension that the index does not name
        for dimension in 0..dimensions {
            shared |= !access
                .variables
                .iter()
                .any(|(_, kind)| *kind == Ok(dimension));
        }
        if shared {
            bytes += touched(access, threads, device, blocks);
        } else {
            lines = lines.saturating_add(held(access, threads));
        }
    }
    let together = resident.min(blocks.div_ceil(device.multiprocessors));
    let held = lines.saturating_mul(LINE).saturating_mul(together);
    if device.l1_bytes.is_some_and(|l1| held > l1) {
        factor *= constants.thrashing;
    }
    Some((factor, bytes / (device.bandwidth * 1e6)))
}

/// Bytes that all blocks touch, each for itself, of an operand that exceeds the second-level cache; otherwise 0.
fn touched(access: &Strides, threads: [u64; 3], device: &Device, blocks: u64) -> f64 {
    // The operand: as far as its index reaches when threads run as far as the loops do.
    let longest = access
        .variables
        .iter()
        .filter_map(|(_, kind)| kind.err())
        .max()
        .unwrap_or(1);
    let reach: f64 = access
        .variables
        .iter()
        .map(|(c, _)| *c as f64 * (longest - 1) as f64)
        .sum();
    if (reach + 1.0) * access.element as f64 <= device.l2_bytes as f64 {
        return 0.0;
    }
    let (mut run, mut runs) = (1, 1.0);
    for (coefficient, kind) in &access.variables {
        let count = kind.map_or_else(|count| count, |dimension| threads[dimension]);
        if *coefficient == 1 {
            run = count
        } else {
            runs *= count as f64
        }
    }
    let bytes = run.saturating_mul(access.element).max(SECTOR) as f64;
    blocks as f64 * runs * bytes
}

/// Lines that the threads of a block go along, each in its own.
fn held(access: &Strides, threads: [u64; 3]) -> u64 {
    let far = |coefficient: u64| coefficient.saturating_mul(access.element) >= LINE;
    let along = access
        .variables
        .iter()
        .any(|(c, kind)| kind.is_err() && !far(*c));
    let strided = access
        .variables
        .iter()
        .any(|(c, kind)| *kind == Ok(0) && far(*c));
    if !along || !strided {
        return 0;
    }
    let thread = |(c, kind): &(u64, Result<usize, u64>)| kind.ok().filter(|_| far(*c));
    access
        .variables
        .iter()
        .filter_map(thread)
        .map(|dimension| threads[dimension])
        .product()
}
