//! The MWP-CWP model has the cycles of published tables.

use std::collections::BTreeMap;
use std::path::PathBuf;
use sunzi_tune::{ModelError, MwpCwpDevice, Rounding, WarpCounts, WarpLaunch, mwp_cwp};

const GTX_1080_TI: MwpCwpDevice = MwpCwpDevice {
    multiprocessors: 28,
    gigahertz: 1.582,
    bandwidth: 484.44,
    bytes_per_warp: 128.0,
    load_latency: 300.0,
    departure: [1.0; 2],
    issue: 1.0,
};

const RTX_2070_SUPER: MwpCwpDevice = MwpCwpDevice {
    multiprocessors: 40,
    gigahertz: 1.785,
    bandwidth: 448.06,
    load_latency: 501.0,
    departure: [2.0; 2],
    ..GTX_1080_TI
};

/// For each kernel of a table, its rows and how many of them have the cycles of the model.
fn compared(
    file: &str,
    device: impl Fn(&str) -> MwpCwpDevice,
) -> Option<BTreeMap<String, [usize; 2]>> {
    let Some(data) = std::env::var_os("SUNZI_DATA") else {
        println!("skipped: SUNZI_DATA names no folder with published tables");
        return None;
    };
    let path = PathBuf::from(data).join("launch-configs").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<_> = lines.next().unwrap().split(',').collect();
    let mut found = BTreeMap::<String, [usize; 2]>::new();
    for line in lines {
        let cells: Vec<_> = line.split(',').collect();
        let cell = |name| cells[names.iter().position(|&other| other == name).unwrap()];
        let number = |name| cell(name).parse::<f64>().unwrap();
        let kernel = format!("{}/{}", cell("example"), cell("kernel"));
        let counts = WarpCounts {
            computations: number("Comp_insts"),
            accesses: [number("Uncoal_Mem_insts"), number("Coal_Mem_insts")],
            // The tables sum the transactions of all of a warp's accesses, and take the sum for those of one.
            transactions: number("Uncoal_per_mw"),
            synchronizations: number("Synch_insts"),
        };
        let launch = WarpLaunch {
            blocks: number("Blocks") as u64,
            threads: number("Threads_per_block") as u64,
            resident: number("Active_blocks_per_SM") as u64,
        };
        let predicted = mwp_cwp(&device(cell("example")), &counts, launch, Rounding::Up).unwrap();
        let expected = number("Exec_cycles_app");
        let [rows, same] = found.entry(kernel).or_default();
        *rows += 1;
        *same += usize::from((predicted.cycles / expected - 1.0).abs() <= 1e-6);
    }
    Some(found)
}

#[test]
fn the_table_of_the_rtx_2070_super_comes_out() {
    let Some(found) = compared("rtx2070super-model.csv", |_| RTX_2070_SUPER) else {
        return;
    };
    let sums = found
        .values()
        .fold([0; 2], |sums, row| [sums[0] + row[0], sums[1] + row[1]]);
    // All rows but 104, of two kernels.
    assert_eq!(sums, [6435, 6331]);
    let whole = found.values().filter(|[rows, same]| rows == same);
    assert_eq!((found.len(), whole.count()), (30, 28));
}

#[test]
fn the_table_of_the_gtx_1080_ti_comes_out() {
    let device = |example: &str| match example {
        "2DCONV" => MwpCwpDevice {
            load_latency: 500.0,
            departure: [2.0; 2],
            ..GTX_1080_TI
        },
        _ => GTX_1080_TI,
    };
    let Some(found) = compared("gtx1080ti-model.csv", device) else {
        return;
    };
    let whole = found.values().filter(|[rows, same]| rows == same);
    assert_eq!((found.len(), whole.count()), (30, 26));
}

const COUNTS: WarpCounts = WarpCounts {
    computations: 100.0,
    accesses: [4.0, 6.0],
    transactions: 8.0,
    synchronizations: 2.0,
};
const LAUNCH: WarpLaunch = WarpLaunch {
    blocks: 1000,
    threads: 256,
    resident: 4,
};

#[test]
fn predictions_round_nothing_unless_asked_to() {
    let by = |rounding| mwp_cwp(&GTX_1080_TI, &COUNTS, LAUNCH, rounding).unwrap();
    let (exact, rounded) = (by(Rounding::Exact), by(Rounding::Up));
    assert!(exact.mwp < rounded.mwp && rounded.mwp == exact.mwp.ceil());
    assert!(exact.cwp < rounded.cwp && rounded.cwp == exact.cwp.ceil());
    assert_eq!(exact.repetitions, 9);
    // Without accesses, all is computing: 32 warps, 9 times.
    let computing = WarpCounts {
        accesses: [0.0; 2],
        ..COUNTS
    };
    let predicted = mwp_cwp(&GTX_1080_TI, &computing, LAUNCH, Rounding::Exact).unwrap();
    assert_eq!(predicted.cycles, 100.0 * 32.0 * 9.0);
    // One block leaves one multiprocessor with 8 warps.
    let one = WarpLaunch {
        blocks: 1,
        ..LAUNCH
    };
    let predicted = mwp_cwp(&GTX_1080_TI, &computing, one, Rounding::Exact).unwrap();
    assert_eq!((predicted.mwp, predicted.cycles), (8.0, 800.0));
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    let with = |device: MwpCwpDevice, counts: WarpCounts, launch| {
        mwp_cwp(&device, &counts, launch, Rounding::Exact).map(|_| ())
    };
    for clock in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let device = MwpCwpDevice {
            gigahertz: clock,
            ..GTX_1080_TI
        };
        assert_eq!(
            with(device, COUNTS, LAUNCH),
            Err(ModelError::Range("the clock"))
        );
    }
    let counts = WarpCounts {
        transactions: 0.5,
        ..COUNTS
    };
    let refused = with(GTX_1080_TI, counts, LAUNCH);
    assert_eq!(
        refused,
        Err(ModelError::Range("the number of transactions"))
    );
    let counts = WarpCounts {
        synchronizations: -1.0,
        ..COUNTS
    };
    assert!(with(GTX_1080_TI, counts, LAUNCH).is_err());
    for launch in [
        WarpLaunch {
            blocks: 0,
            ..LAUNCH
        },
        WarpLaunch {
            threads: 0,
            ..LAUNCH
        },
        WarpLaunch {
            resident: 0,
            ..LAUNCH
        },
    ] {
        assert!(with(GTX_1080_TI, COUNTS, launch).is_err());
    }
    let huge = WarpLaunch {
        blocks: u64::MAX,
        threads: u64::MAX,
        resident: u64::MAX,
    };
    assert!(with(GTX_1080_TI, COUNTS, huge).is_ok());
}
