//! Little's law: throughputs at both ends and between, and what it refuses.

use proptest::prelude::*;
use sunzi_tune::{
    Limit, LittlesLawDevice, ModelError, WarpCounts, WarpLaunch, WithinWarp, littles_law,
};

/// 10 bytes a cycle for each of 10 multiprocessors.
const DEVICE: LittlesLawDevice = LittlesLawDevice {
    multiprocessors: 10,
    gigahertz: 2.0,
    bandwidth: 200.0,
    bytes: [20.0, 100.0],
    memory_latency: 400.0,
    departure: 3.0,
    compute_latency: 5.0,
    issued: 2.0,
};

const COUNTS: WarpCounts = WarpCounts {
    computations: 40.0,
    accesses: [0.0, 4.0],
    transactions: 0.0,
    synchronizations: 0.0,
};

/// 200 warps on each multiprocessor, so many of them at a time.
fn launch(resident: u64) -> WarpLaunch {
    WarpLaunch {
        blocks: 2000,
        threads: 32,
        resident,
    }
}

#[test]
fn what_is_under_way_is_latency_times_throughput() {
    let of = |counts: &WarpCounts, resident, within| {
        littles_law(&DEVICE, counts, launch(resident), within).unwrap()
    };
    // Alone 40·5 + 4·400 cycles; 400 bytes take 40, and 44 instructions 22: 45 warps are needed.
    let few = of(&COUNTS, 20, WithinWarp::ONE);
    assert_eq!(
        (few.limit, few.warps, few.needed_warps),
        (Limit::Latency, 20.0, 45.0)
    );
    assert_eq!(few.cycles, 10.0 * 1800.0);
    let enough = of(&COUNTS, 50, WithinWarp::ONE);
    assert_eq!((enough.limit, enough.cycles), (Limit::Memory, 200.0 * 40.0));
    assert_eq!(of(&COUNTS, 100, WithinWarp::ONE).cycles, enough.cycles);
    // Two accesses of a warp under way halve what they wait: 200 + 800 cycles.
    let within = WithinWarp {
        computations: 1.0,
        accesses: 2.0,
    };
    assert_eq!(of(&COUNTS, 20, within).needed_warps, 25.0);
    // Mostly computations: 1000 of them and an access take 500.5 cycles to issue.
    let computing = WarpCounts {
        computations: 1000.0,
        accesses: [0.0, 1.0],
        ..COUNTS
    };
    let found = of(&computing, 50, WithinWarp::ONE);
    assert_eq!((found.limit, found.cycles), (Limit::Issue, 200.0 * 500.5));
    // Uncoalesced: 10 transactions of 20 bytes, 3 cycles apart.
    let uncoalesced = WarpCounts {
        computations: 0.0,
        accesses: [2.0, 0.0],
        transactions: 10.0,
        synchronizations: 0.0,
    };
    let found = of(&uncoalesced, 4, WithinWarp::ONE);
    assert_eq!(
        (found.limit, found.cycles),
        (Limit::Latency, 50.0 * 2.0 * 427.0)
    );
    assert_eq!(of(&uncoalesced, 100, WithinWarp::ONE).cycles, 200.0 * 40.0);
    // Nothing to do takes no time.
    let nothing = WarpCounts {
        computations: 0.0,
        accesses: [0.0; 2],
        ..COUNTS
    };
    let found = of(&nothing, 4, WithinWarp::ONE);
    assert_eq!((found.cycles, found.needed_warps), (0.0, 0.0));
}

proptest! {
    /// Full waves of fewer warps than are needed are limited by latency, and of more by throughput.
    #[test]
    fn the_limit_changes_where_enough_warps_are_resident(
        computations in 0_u32..2000, accesses in 1_u32..50, resident in 1_u64..64, waves in 1_u64..9,
    ) {
        let counts = WarpCounts {
            computations: computations.into(),
            accesses: [0.0, accesses.into()],
            ..COUNTS
        };
        let launch = WarpLaunch { blocks: 10 * resident * waves, threads: 32, resident };
        let found = littles_law(&DEVICE, &counts, launch, WithinWarp::ONE).unwrap();
        let too_few = found.warps < found.needed_warps;
        prop_assert!((found.warps - found.needed_warps).abs() < 1e-9 || too_few == (found.limit == Limit::Latency));
    }
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    let refused = |device: LittlesLawDevice, counts: WarpCounts, launch, within| {
        littles_law(&device, &counts, launch, within).unwrap_err()
    };
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let device = LittlesLawDevice {
            compute_latency: wrong,
            ..DEVICE
        };
        let expected = ModelError::Range("the latency of computations");
        assert_eq!(
            refused(device, COUNTS, launch(1), WithinWarp::ONE),
            expected
        );
        let within = WithinWarp {
            computations: 1.0,
            accesses: wrong,
        };
        let expected = ModelError::Range("the accesses under way in a warp");
        assert_eq!(refused(DEVICE, COUNTS, launch(1), within), expected);
    }
    let counts = WarpCounts {
        computations: -1.0,
        ..COUNTS
    };
    let expected = ModelError::Range("the number of computations");
    assert_eq!(
        refused(DEVICE, counts, launch(1), WithinWarp::ONE),
        expected
    );
    let expected = ModelError::Range("the number of resident blocks");
    assert_eq!(
        refused(DEVICE, COUNTS, launch(0), WithinWarp::ONE),
        expected
    );
}
