//! The MWP-CWP model: cycles of a kernel on a GPU from counts of its instructions.
//!
//! Warps of a multiprocessor hide each other's waits for memory: MWP is how many of them have accesses under way at a time, CWP
//! how many compute while one waits (Hong and Kim, "An analytical model for a GPU architecture with memory-level and
//! thread-level parallelism awareness", 2009; as extended by the thesis of 2021, chapter 4). Predictions round nothing: a
//! rational program fits them better so. The published tables round MWP and CWP up.

use crate::error::ModelError;

/// Threads of a warp.
pub(super) const WARP: u64 = 32;

/// What the model knows of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MwpCwpDevice {
    /// Multiprocessors.
    pub multiprocessors: u64,
    /// Billions of cycles a second.
    pub gigahertz: f64,
    /// Billions of bytes a second from memory.
    pub bandwidth: f64,
    /// Bytes that a warp's access loads.
    pub bytes_per_warp: f64,
    /// Cycles from an access to its data.
    pub load_latency: f64,
    /// Cycles between two transactions of uncoalesced accesses, and of coalesced ones.
    pub departure: [f64; 2],
    /// Cycles to issue an instruction.
    pub issue: f64,
}

/// What a warp executes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarpCounts {
    /// Instructions that compute.
    pub computations: f64,
    /// Uncoalesced accesses to memory, and coalesced ones.
    pub accesses: [f64; 2],
    /// Transactions of one uncoalesced access.
    pub transactions: f64,
    /// Barriers.
    pub synchronizations: f64,
}

/// How a kernel is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpLaunch {
    /// Blocks.
    pub blocks: u64,
    /// Threads of a block.
    pub threads: u64,
    /// Blocks that reside on a multiprocessor: see [`MultiprocessorLimits`](crate::MultiprocessorLimits).
    pub resident: u64,
}

/// Whether MWP and CWP are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Not at all.
    Exact,
    /// Up, as published tables have them.
    Up,
}

/// What the model predicts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MwpCwp {
    /// Warps with accesses to memory under way at a time.
    pub mwp: f64,
    /// Warps that compute while one waits, and the one.
    pub cwp: f64,
    /// Waves of resident blocks.
    pub repetitions: u64,
    /// Cycles of the kernel.
    pub cycles: f64,
}

/// Cycles that a kernel takes.
///
/// ```
/// use sunzi::tune::{MwpCwpDevice, Rounding, WarpCounts, WarpLaunch, mwp_cwp};
///
/// let device = MwpCwpDevice {
///     multiprocessors: 28, gigahertz: 1.582, bandwidth: 484.44, bytes_per_warp: 128.0,
///     load_latency: 500.0, departure: [2.0, 2.0], issue: 1.0,
/// };
/// let counts = WarpCounts {
///     computations: 58.0, accesses: [10.0, 0.0], transactions: 170.0, synchronizations: 0.0,
/// };
/// let launch = WarpLaunch { blocks: 128, threads: 32, resident: 4 };
/// let predicted = mwp_cwp(&device, &counts, launch, Rounding::Up)?;
/// assert_eq!((predicted.mwp, predicted.repetitions), (3.0, 2));
/// # Ok::<(), sunzi::tune::ModelError>(())
/// ```
///
/// # Errors
/// [`ModelError::Range`].
pub fn mwp_cwp(
    device: &MwpCwpDevice,
    counts: &WarpCounts,
    launch: WarpLaunch,
    rounding: Rounding,
) -> Result<MwpCwp, ModelError> {
    check(device, counts, launch)?;
    let resident = launch
        .resident
        .min(launch.blocks.div_ceil(device.multiprocessors));
    let warps = resident as f64 * launch.threads.div_ceil(WARP) as f64;
    let at_once = resident.saturating_mul(device.multiprocessors);
    let repetitions = launch.blocks.div_ceil(at_once);
    let [uncoalesced, coalesced] = counts.accesses;
    let accesses = uncoalesced + coalesced;
    if accesses == 0.0 {
        return Ok(MwpCwp {
            mwp: warps,
            cwp: warps,
            repetitions,
            cycles: device.issue * counts.computations * warps * repetitions as f64,
        });
    }
    let rounded = |value: f64| match rounding {
        Rounding::Exact => value,
        Rounding::Up => value.ceil(),
    };
    let latency = device.load_latency;
    let of_uncoalesced = latency + (counts.transactions - 1.0) * device.departure[0];
    let [share, rest] = [uncoalesced / accesses, coalesced / accesses];
    let mean = share * of_uncoalesced + rest * latency;
    let departure = share * counts.transactions * device.departure[0] + rest * device.departure[1];
    let peak = device.bandwidth * mean
        / (device.gigahertz * device.bytes_per_warp * device.multiprocessors as f64);
    let mwp = rounded((mean / departure).min(peak)).min(warps);
    let memory = of_uncoalesced * uncoalesced + latency * coalesced;
    let computing = device.issue * (counts.computations + accesses);
    let cwp = rounded((memory + computing) / computing).min(warps);
    let between = computing / accesses * (mwp - 1.0);
    let once = if mwp == warps && cwp == warps {
        memory + computing + between
    } else if cwp >= mwp || computing > memory {
        memory * warps / mwp + between
    } else {
        mean + computing * warps
    };
    let waits = departure * (mwp - 1.0) * counts.synchronizations * resident as f64;
    Ok(MwpCwp {
        mwp,
        cwp,
        repetitions,
        cycles: (once + waits) * repetitions as f64,
    })
}

fn check(device: &MwpCwpDevice, counts: &WarpCounts, launch: WarpLaunch) -> Result<(), ModelError> {
    let positive = [
        (
            "the number of multiprocessors",
            device.multiprocessors as f64,
        ),
        ("the clock", device.gigahertz),
        ("the bandwidth", device.bandwidth),
        ("the bytes of a warp's access", device.bytes_per_warp),
        ("the latency of loads", device.load_latency),
        ("the departure of uncoalesced accesses", device.departure[0]),
        ("the departure of coalesced accesses", device.departure[1]),
        ("the cycles to issue an instruction", device.issue),
    ];
    first_wrong(&positive, |value| value > 0.0)?;
    check_counts(counts, launch)
}

/// Checks what a warp executes, and how a kernel is launched.
pub(super) fn check_counts(counts: &WarpCounts, launch: WarpLaunch) -> Result<(), ModelError> {
    let positive = [
        ("the number of blocks", launch.blocks as f64),
        ("the number of threads", launch.threads as f64),
        ("the number of resident blocks", launch.resident as f64),
    ];
    first_wrong(&positive, |value| value > 0.0)?;
    let counted = [
        ("the number of computations", counts.computations),
        ("the number of uncoalesced accesses", counts.accesses[0]),
        ("the number of coalesced accesses", counts.accesses[1]),
        ("the number of synchronizations", counts.synchronizations),
        (
            "the number of transactions",
            // At least one, where there are any accesses that have some.
            match counts.accesses[0] > 0.0 {
                true => counts.transactions - 1.0,
                false => 0.0,
            },
        ),
    ];
    first_wrong(&counted, |value| value >= 0.0)
}

/// Refuses the first of some numbers that is infinite, none, or not as it should be.
pub(super) fn first_wrong(
    numbers: &[(&'static str, f64)],
    is_right: impl Fn(f64) -> bool,
) -> Result<(), ModelError> {
    let mut numbers = numbers.iter();
    let wrong = numbers.find(|(_, value)| !(value.is_finite() && is_right(*value)));
    wrong.map_or(Ok(()), |(what, _)| Err(ModelError::Range(what)))
}
