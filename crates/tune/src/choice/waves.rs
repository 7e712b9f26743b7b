//! What a shape costs by its waves of blocks: F, as a program.

use super::constants::Constants;
use super::device::Device;
use super::launch::{Hardware, Launch};
use super::traffic::traffic;
use crate::description::Kernel;
use crate::description::expression::Expression;
use crate::program::{InputKind, ProgramBuilder, ProgramError, Value};

/// Outputs of [`waves`], by their place.
pub(crate) const RESIDENT: usize = 1;
pub(crate) const RESIDENT_NAME: &str = "resident_blocks";
pub(crate) const RELATIVE: usize = 4;
pub(crate) const TRAFFIC: usize = 5;

/// Inputs that are measured, by their names.
pub(crate) const FACTOR: &str = "shape_factor";
pub(crate) const REGISTERS: &str = "shape_registers";
pub(crate) const SHARED_BYTES: &str = "shape_shared_bytes";

/// The beginning of a kernel's program: inputs are the data, the shape, and the device; outputs are, by name, blocks, blocks
/// that reside on a multiprocessor (0 where a block is too large), waves, resident warps, F and D.
pub(crate) fn waves(
    kernel: &Kernel,
    device: &Device,
    constants: &Constants,
) -> Result<(ProgramBuilder, Vec<Value>, [Value; 2]), ProgramError> {
    let mut program = ProgramBuilder::default();
    let p = &mut program;
    let mut inputs = Vec::new();
    for parameter in &kernel.data {
        let (from, to) = (parameter.lowest as f64, parameter.highest as f64);
        inputs.push(p.input(&parameter.name, InputKind::Data, from, to)?);
    }
    let data = inputs.clone();
    for parameter in &kernel.program {
        let (from, to) = (parameter.lowest as f64, parameter.highest as f64);
        inputs.push(p.input(&parameter.name, InputKind::Program, from, to)?);
    }
    let hardware = hardware(p, device)?;

    let one = p.constant(1.0)?;
    let mut threads = [one; 3];
    let (mut in_block, mut blocks) = (one, one);
    for (threads, expression) in threads.iter_mut().zip(&kernel.block) {
        let side = expression.in_program(p, &inputs)?;
        *threads = p.maximum(side, one)?;
        in_block = p.multiply(in_block, *threads)?;
    }
    for expression in &kernel.grid {
        let side = expression.in_program(p, &inputs)?;
        let side = p.maximum(side, one)?;
        blocks = p.multiply(blocks, side)?;
    }
    let warp = p.constant(32.0)?;
    let warps = p.divide(in_block, warp)?;
    let warps = p.ceiling(warps)?;
    let fit = p.divide(hardware.warps, warps)?;
    let fit = p.floor(fit)?;
    let fit = p.minimum(hardware.blocks, fit)?;
    let fit = by_registers(p, kernel, device, (warps, fit), &inputs)?;
    let fit = by_shared_memory(p, kernel, device, fit, &inputs)?;
    let resident = p.maximum(fit, one)?;
    let at_once = p.multiply(resident, hardware.multiprocessors)?;
    let all = p.divide(blocks, at_once)?;
    let all = p.ceiling(all)?;
    let share = p.divide(blocks, hardware.multiprocessors)?;
    let share = p.minimum(share, resident)?;
    let resident_warps = p.multiply(share, warps)?;
    let mut relative = all;
    if constants.warps.is_finite() {
        let doubling = p.constant(constants.warps)?;
        let slower = p.divide(resident_warps, doubling)?;
        let slower = p.add(one, slower)?;
        relative = p.multiply(all, slower)?;
    }
    let launch = Launch {
        data,
        threads,
        blocks,
        resident,
        hardware,
    };
    let (thrashing, milliseconds) = traffic(p, kernel, &launch, constants)?;
    relative = p.multiply(relative, thrashing)?;
    for (name, value) in [
        ("grid_blocks", blocks),
        (RESIDENT_NAME, fit),
        ("waves", all),
        ("resident_warps", resident_warps),
        ("relative_time", relative),
        ("traffic_ms", milliseconds),
    ] {
        p.output(name, value)?;
    }
    Ok((program, launch.data, [relative, milliseconds]))
}

/// Blocks that reside by the registers that they take, too: a warp's are rounded up to a multiple of a unit.
fn by_registers(
    p: &mut ProgramBuilder,
    kernel: &Kernel,
    device: &Device,
    (warps, fit): (Value, Value),
    inputs: &[Value],
) -> Result<Value, ProgramError> {
    let Some(limit) = device.registers else {
        return Ok(fit);
    };
    let taken = kernel.compiled.values().map(|taken| taken.registers);
    let Some(registers) = taken_by(p, (REGISTERS, taken), &kernel.registers, inputs)? else {
        return Ok(fit);
    };
    let unit = device.register_unit.unwrap_or(1) as f64;
    let unit = p.input("device_register_unit", InputKind::Hardware, unit, unit)?;
    let limit = p.input(
        "device_registers",
        InputKind::Hardware,
        limit as f64,
        limit as f64,
    )?;
    let warp = p.constant(32.0)?;
    let of_warp = p.multiply(registers, warp)?;
    let units = p.divide(of_warp, unit)?;
    let units = p.ceiling(units)?;
    let of_warp = p.multiply(units, unit)?;
    let of_block = p.multiply(of_warp, warps)?;
    at_most(p, fit, limit, of_block)
}

/// Blocks that reside by the shared memory that they take, too.
fn by_shared_memory(
    p: &mut ProgramBuilder,
    kernel: &Kernel,
    device: &Device,
    fit: Value,
    inputs: &[Value],
) -> Result<Value, ProgramError> {
    let Some(limit) = device.shared_bytes else {
        return Ok(fit);
    };
    let taken = kernel.compiled.values().map(|taken| taken.shared_bytes);
    let Some(bytes) = taken_by(p, (SHARED_BYTES, taken), &kernel.shared, inputs)? else {
        return Ok(fit);
    };
    let limit = limit as f64;
    let limit = p.input("device_shared_bytes", InputKind::Hardware, limit, limit)?;
    at_most(p, fit, limit, bytes)
}

/// What a shape takes: as its compiled kernel says, or else as it is described; `None` where neither is known.
fn taken_by(
    p: &mut ProgramBuilder,
    (name, taken): (&str, impl Iterator<Item = u64> + Clone),
    described: &Option<Expression>,
    inputs: &[Value],
) -> Result<Option<Value>, ProgramError> {
    let most = taken.clone().max();
    match (most, described) {
        // Shapes that were not compiled take nothing.
        (Some(most), _) => p
            .input(name, InputKind::Measured, 0.0, most as f64)
            .map(Some),
        (None, Some(expression)) => expression.in_program(p, inputs).map(Some),
        (None, None) => Ok(None),
    }
}

/// The lesser of `fit` and how often `taken` goes into `limit`; what takes nothing limits nothing.
fn at_most(
    p: &mut ProgramBuilder,
    fit: Value,
    limit: Value,
    taken: Value,
) -> Result<Value, ProgramError> {
    let one = p.constant(1.0)?;
    let taken = p.maximum(taken, one)?;
    let times = p.divide(limit, taken)?;
    let times = p.floor(times)?;
    p.minimum(fit, times)
}

fn hardware(program: &mut ProgramBuilder, device: &Device) -> Result<Hardware, ProgramError> {
    let mut input = |name: &str, value: f64| {
        program.input(&format!("device_{name}"), InputKind::Hardware, value, value)
    };
    Ok(Hardware {
        multiprocessors: input("multiprocessors", device.multiprocessors as f64)?,
        warps: input("warps", device.warps as f64)?,
        blocks: input("blocks", device.blocks as f64)?,
        l1_bytes: match device.l1_bytes {
            Some(bytes) => Some(input("l1_bytes", bytes as f64)?),
            None => None,
        },
        l2_bytes: input("l2_bytes", device.l2_bytes as f64)?,
        bandwidth: input("bandwidth", device.bandwidth)?,
    })
}
