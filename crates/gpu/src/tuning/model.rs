//! Launches as programs of the many-core machine model, by which shapes are chosen where nothing is measured.
//!
//! The model lets all threads of a block compute at a time. A multiprocessor has [`LANES`] lanes, on which a block's threads take turns,
//! and blocks that have fewer threads share them. So a block here has the operations and the words of a lane: time does not depend on
//! how many threads a block is cut into. A word then takes [`MOVING`] times as long as an operation on an H100: 64 lanes multiply
//! and add once a cycle, and 3.35 · 10^12 bytes a second are 3.6 words a cycle for each of 132 multiprocessors at 1.755 GHz.

use sunzi_device::{DeviceInfo, LaunchWork, Work};
use sunzi_tune::{KernelCosts, MachineModel, ManyCoreProgram};

/// Lanes of a multiprocessor for 32-bit multiply-adds (*CUDA C++ Programming Guide*, throughput of arithmetic instructions).
const LANES: u64 = 64;

/// U, the cycles that moving a word takes where an operation takes one, for a device that nobody has measured.
const MOVING: u8 = 20;

/// Cycles that a launch takes at least: 2.5 µs at 1.755 GHz, assumed as predictions do.
const LAUNCH: u16 = 4400;

/// Cycles of a program on a device at most, by which plans are compared.
pub(crate) fn cycles(program: &ManyCoreProgram, machine: &MachineModel) -> f64 {
    program
        .bound_with_launches(machine, &LAUNCH.into())
        .to_f64()
}

/// A device as a machine, of which groups share so many words of local memory.
pub(crate) fn machine(info: &DeviceInfo, words: usize) -> MachineModel {
    MachineModel {
        u: MOVING.into(),
        z: words as u64,
        sms: info.units.max(1) as u64,
    }
}

/// The launches, one after the other, as a program of kernels: an operation is a 32-bit multiply-add, a word has 32 bits, a thread
/// stands for a lane of a multiprocessor, and to wait for the other threads of a group takes as long as to move a word.
///
/// ```
/// use sunzi::gpu::{DeviceInfo, ProductConfig, ProductForm, ProductProblem};
/// use sunzi::tune::MachineModel;
/// use sunzi_gpu::tuning::{counts, machine_program};
/// let h100 = DeviceInfo::h100();
/// let problem = ProductProblem { form: ProductForm::INTEGERS, terms: [64; 2], batch: 1000 };
/// let launches = counts(&ProductConfig::for_device(&h100), &problem, &h100)?;
/// let machine = MachineModel { u: 20_u8.into(), z: 0, sms: h100.units as u64 };
/// let costs = machine_program(&launches).costs(&machine);
/// assert_eq!(costs.blocks.to_string(), launches[0].groups.to_string());
/// # Ok::<(), sunzi::gpu::GpuError>(())
/// ```
pub fn machine_program(launches: &[LaunchWork]) -> ManyCoreProgram {
    let kernels = launches.iter().map(|launch| {
        let work = Work {
            bytes: launch.bytes,
            multiplications: launch.multiplications,
            barriers: launch.barriers,
        };
        vec![kernel(launch.groups, work)]
    });
    ManyCoreProgram::of_steps(kernels)
}

/// A launch of so many groups.
pub(crate) fn kernel(groups: usize, work: Work) -> KernelCosts {
    let blocks = groups as u64;
    let lanes = blocks.max(1).saturating_mul(LANES);
    KernelCosts {
        blocks,
        work: work.multiplications.div_ceil(blocks.max(1)),
        span: work.multiplications.div_ceil(lanes),
        words: work.bytes.div_ceil(4).div_ceil(lanes) + work.barriers as u64,
    }
}
