//! Cycles of a kernel from Little's law: what is under way at a time is latency times throughput.
//!
//! **Problem.** Which of a multiprocessor's limits does a kernel meet, and how many warps does it take to hide its latencies?
//!
//! **Formula.** A warp alone takes Λ = c·a/i + (u(m + (t − 1)d) + v·m)/j cycles: c computations of latency a, of which i are under way at a
//! time; u uncoalesced accesses of t transactions, d cycles apart, and v coalesced ones, of latency m, of which j are under way. It takes
//! I = (c + u + v)/e cycles of a multiprocessor that issues e instructions a cycle, and M cycles of its share of the bandwidth. With w
//! warps resident, there is one warp each max(Λ/w, I, M) cycles. So Λ/max(I, M) warps are needed, and more are of no use.
//!
//! **Source.** D. Mohajerani, *Parallel Arbitrary-precision Integer Arithmetic*, 2021, section 4.8, names the law as the better model, after
//! V. Volkov, *Understanding Latency Hiding on GPUs*, 2016: it counts what is under way within warps as well as warps, and does not
//! underestimate how many are needed where computations and accesses are balanced.

use super::mwp_cwp::{WARP, WarpCounts, WarpLaunch, check_counts, first_wrong};
use crate::error::ModelError;

/// What the law takes of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LittlesLawDevice {
    /// Multiprocessors.
    pub multiprocessors: u64,
    /// Billions of cycles a second.
    pub gigahertz: f64,
    /// Billions of bytes a second from memory.
    pub bandwidth: f64,
    /// Bytes of a transaction of an uncoalesced access, and of a coalesced access.
    pub bytes: [f64; 2],
    /// m: cycles from an access to its data.
    pub memory_latency: f64,
    /// d: cycles between two transactions of an uncoalesced access.
    pub departure: f64,
    /// a: cycles from a computation to one that takes its result.
    pub compute_latency: f64,
    /// e: instructions of warps that a multiprocessor issues in a cycle.
    pub issued: f64,
}

/// Instructions of one warp that are under way at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WithinWarp {
    /// i: computations.
    pub computations: f64,
    /// j: accesses.
    pub accesses: f64,
}

impl WithinWarp {
    /// Each instruction waits for the one before.
    pub const ONE: Self = Self {
        computations: 1.0,
        accesses: 1.0,
    };
}

/// What a kernel is limited by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Too few warps are resident.
    Latency,
    /// Instructions issued.
    Issue,
    /// Bandwidth.
    Memory,
}

/// What the law says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LittlesLaw {
    /// Warps resident on a multiprocessor.
    pub warps: f64,
    /// Warps that hide all latencies.
    pub needed_warps: f64,
    /// What it is limited by.
    pub limit: Limit,
    /// Cycles of the kernel.
    pub cycles: f64,
}

/// Cycles that a kernel takes.
///
/// ```
/// use sunzi::tune::{Limit, LittlesLawDevice, WarpCounts, WarpLaunch, WithinWarp, littles_law};
///
/// let device = LittlesLawDevice {
///     multiprocessors: 40, gigahertz: 1.785, bandwidth: 448.0, bytes: [32.0, 128.0],
///     memory_latency: 500.0, departure: 2.0, compute_latency: 4.0, issued: 2.0,
/// };
/// // A copy: nearly nothing but accesses.
/// let counts = WarpCounts {
///     computations: 4.0, accesses: [0.0, 2.0], transactions: 0.0, synchronizations: 0.0,
/// };
/// let copy = |resident| {
///     let launch = WarpLaunch { blocks: 40_000, threads: 128, resident };
///     littles_law(&device, &counts, launch, WithinWarp::ONE)
/// };
/// let (few, many) = (copy(1)?, copy(8)?);
/// assert_eq!((few.limit, many.limit), (Limit::Latency, Limit::Memory));
/// assert!(few.warps < few.needed_warps && many.needed_warps < many.warps);
/// # Ok::<(), sunzi::tune::ModelError>(())
/// ```
///
/// # Errors
/// [`ModelError::Range`].
pub fn littles_law(
    device: &LittlesLawDevice,
    counts: &WarpCounts,
    launch: WarpLaunch,
    within: WithinWarp,
) -> Result<LittlesLaw, ModelError> {
    check(device, counts, launch, within)?;
    let of_block = launch.threads.div_ceil(WARP) as f64;
    let on_one = launch.blocks.div_ceil(device.multiprocessors);
    let resident = launch.resident.min(on_one);
    let waves = on_one.div_ceil(resident) as f64;
    let [uncoalesced, coalesced] = counts.accesses;
    let transactions = if uncoalesced > 0.0 {
        counts.transactions
    } else {
        1.0
    };
    let of_uncoalesced = device.memory_latency + (transactions - 1.0) * device.departure;
    let alone = counts.computations * device.compute_latency / within.computations
        + (uncoalesced * of_uncoalesced + coalesced * device.memory_latency) / within.accesses;
    let issue = (counts.computations + uncoalesced + coalesced) / device.issued;
    let bytes = uncoalesced * transactions * device.bytes[0] + coalesced * device.bytes[1];
    let bytes_a_cycle = device.bandwidth / (device.gigahertz * device.multiprocessors as f64);
    let memory = bytes / bytes_a_cycle;
    let all = on_one as f64 * of_block;
    let limits = [
        (Limit::Latency, alone * waves),
        (Limit::Issue, issue * all),
        (Limit::Memory, memory * all),
    ];
    let (limit, cycles) =
        limits.into_iter().fold(
            limits[0],
            |most, next| if next.1 > most.1 { next } else { most },
        );
    let busy = issue.max(memory);
    Ok(LittlesLaw {
        warps: resident as f64 * of_block,
        // A kernel without instructions needs no warps.
        needed_warps: if busy > 0.0 { alone / busy } else { 0.0 },
        limit,
        cycles,
    })
}

fn check(
    device: &LittlesLawDevice,
    counts: &WarpCounts,
    launch: WarpLaunch,
    within: WithinWarp,
) -> Result<(), ModelError> {
    let positive = [
        (
            "the number of multiprocessors",
            device.multiprocessors as f64,
        ),
        ("the clock", device.gigahertz),
        ("the bandwidth", device.bandwidth),
        ("the bytes of an uncoalesced transaction", device.bytes[0]),
        ("the bytes of a coalesced access", device.bytes[1]),
        ("the latency of accesses", device.memory_latency),
        ("the departure of uncoalesced accesses", device.departure),
        ("the latency of computations", device.compute_latency),
        ("the instructions issued in a cycle", device.issued),
        ("the computations under way in a warp", within.computations),
        ("the accesses under way in a warp", within.accesses),
    ];
    first_wrong(&positive, |value| value > 0.0)?;
    check_counts(counts, launch)
}
