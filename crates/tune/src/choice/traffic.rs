//! What blocks touch: S, where their lines exceed the first-level cache, and D, what they read of operands that exceed the
//! second-level cache.

use super::constants::Constants;
use super::launch::Launch;
use crate::description::{Access, Kernel, Variable};
use crate::program::{ProgramBuilder, ProgramError, Value};

/// Bytes of a line that a strided access holds in the first-level cache.
const LINE: f64 = 128.0;
/// Bytes that a device reads at least.
const SECTOR: f64 = 32.0;

/// A variable of an index.
struct Stride {
    /// What the index grows by with it.
    coefficient: Value,
    /// The dimension of threads; for loops `None`.
    dimension: Option<usize>,
    /// How many there are: threads of a block, or times that a loop runs.
    count: Value,
    /// 1 if the index depends on it at all.
    matters: Value,
    /// 1 if the next one is on another line.
    far: Value,
}

/// S and D in milliseconds.
pub(crate) fn traffic(
    p: &mut ProgramBuilder,
    kernel: &Kernel,
    launch: &Launch,
    constants: &Constants,
) -> Result<(Value, Value), ProgramError> {
    let (zero, one) = (p.constant(0.0)?, p.constant(1.0)?);
    let (mut lines, mut bytes) = (zero, zero);
    for access in &kernel.accesses {
        let strides = strides(p, access, launch)?;
        // Blocks that differ in a dimension that the index does not name read the same.
        let mut own = one;
        for dimension in 0..kernel.grid.len() {
            let of_dimension = strides.iter().filter(|s| s.dimension == Some(dimension));
            let mut named = zero;
            for stride in of_dimension {
                named = p.maximum(named, stride.matters)?;
            }
            own = p.minimum(own, named)?;
        }
        let touched = touched(p, access, &strides, launch)?;
        let touched = p.select(own, zero, touched)?;
        bytes = p.add(bytes, touched)?;
        let held = held(p, &strides)?;
        let held = p.select(own, held, zero)?;
        lines = p.add(lines, held)?;
    }
    let hardware = &launch.hardware;
    let mut thrashing = one;
    if let Some(l1_bytes) = hardware.l1_bytes {
        let share = p.divide(launch.blocks, hardware.multiprocessors)?;
        let share = p.ceiling(share)?;
        let together = p.minimum(launch.resident, share)?;
        let line = p.constant(LINE)?;
        let held = p.multiply(lines, line)?;
        let held = p.multiply(held, together)?;
        let exceeds = p.less(l1_bytes, held)?;
        let slower = p.constant(constants.thrashing)?;
        thrashing = p.select(exceeds, slower, one)?;
    }
    let a_millisecond = p.constant(1e6)?;
    let rate = p.multiply(hardware.bandwidth, a_millisecond)?;
    Ok((thrashing, p.divide(bytes, rate)?))
}

fn strides(
    p: &mut ProgramBuilder,
    access: &Access,
    launch: &Launch,
) -> Result<Vec<Stride>, ProgramError> {
    let (zero, one) = (p.constant(0.0)?, p.constant(1.0)?);
    let (line, element) = (p.constant(LINE)?, p.constant(access.element as f64)?);
    let mut values = launch.data.clone();
    values.resize(launch.data.len() + access.variables.len(), zero);
    let origin = access.index.in_program(p, &values)?;
    let mut strides = Vec::new();
    for (index, variable) in access.variables.iter().enumerate() {
        values[launch.data.len() + index] = one;
        let next = access.index.in_program(p, &values)?;
        values[launch.data.len() + index] = zero;
        let (forth, back) = (p.subtract(next, origin)?, p.subtract(origin, next)?);
        let coefficient = p.maximum(forth, back)?;
        let (dimension, count) = match variable {
            Variable::Thread(dimension) => (Some(*dimension), launch.threads[*dimension]),
            Variable::Loop(count) => {
                let count = count.in_program(p, &launch.data)?;
                (None, p.maximum(count, one)?)
            }
        };
        let apart = p.multiply(coefficient, element)?;
        strides.push(Stride {
            coefficient,
            dimension,
            count,
            matters: p.less(zero, coefficient)?,
            far: p.at_most(line, apart)?,
        });
    }
    Ok(strides)
}

/// Bytes that all blocks touch, each for itself, of an operand that exceeds the second-level cache; otherwise 0.
fn touched(
    p: &mut ProgramBuilder,
    access: &Access,
    strides: &[Stride],
    launch: &Launch,
) -> Result<Value, ProgramError> {
    let (zero, one) = (p.constant(0.0)?, p.constant(1.0)?);
    let (sector, element) = (p.constant(SECTOR)?, p.constant(access.element as f64)?);
    // The operand: as far as its index reaches when threads run as far as the loops do.
    let mut longest = one;
    for stride in strides.iter().filter(|stride| stride.dimension.is_none()) {
        let count = p.select(stride.matters, stride.count, one)?;
        longest = p.maximum(longest, count)?;
    }
    let last = p.subtract(longest, one)?;
    let (mut reach, mut run, mut runs) = (one, one, one);
    for stride in strides {
        let far = p.multiply(stride.coefficient, last)?;
        reach = p.add(reach, far)?;
        let next = p.equal(stride.coefficient, one)?;
        run = p.select(next, stride.count, run)?;
        let apart = p.select(stride.matters, stride.count, one)?;
        let apart = p.select(next, one, apart)?;
        runs = p.multiply(runs, apart)?;
    }
    let bytes = p.multiply(run, element)?;
    let bytes = p.maximum(bytes, sector)?;
    let bytes = p.multiply(bytes, runs)?;
    let bytes = p.multiply(bytes, launch.blocks)?;
    let operand = p.multiply(reach, element)?;
    let exceeds = p.less(launch.hardware.l2_bytes, operand)?;
    p.select(exceeds, bytes, zero)
}

/// Lines that the threads of a block go along, each in its own.
fn held(p: &mut ProgramBuilder, strides: &[Stride]) -> Result<Value, ProgramError> {
    let (zero, one) = (p.constant(0.0)?, p.constant(1.0)?);
    let (mut along, mut strided, mut lines) = (zero, zero, one);
    for stride in strides {
        match stride.dimension {
            None => {
                let near = p.select(stride.far, zero, stride.matters)?;
                along = p.maximum(along, near)?;
            }
            Some(dimension) => {
                if dimension == 0 {
                    strided = p.maximum(strided, stride.far)?;
                }
                let own = p.select(stride.far, stride.count, one)?;
                lines = p.multiply(lines, own)?;
            }
        }
    }
    let both = p.minimum(along, strided)?;
    p.select(both, lines, zero)
}
