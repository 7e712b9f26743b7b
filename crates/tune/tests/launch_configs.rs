//! Choices from small sizes, for kernels of PolyBench/GPU that others timed for every shape on two devices.

#[path = "../examples/launch_configs/methods.rs"]
mod methods;
#[path = "../examples/launch_configs/metrics.rs"]
mod metrics;
#[path = "../examples/launch_configs/table.rs"]
mod table;

use methods::Method;
use std::path::PathBuf;
use sunzi_tune::Constants;
use table::{Contest, Row, Timed};

fn rows(device: &Timed, method: Method, contests: Vec<Contest<'_>>) -> Vec<Row> {
    let choose = |contest: &Contest<'_>| method.choose(contest, device, None, Constants::default());
    table::rows(contests, choose).unwrap()
}

/// How much slower than the best shape choices may be: of those who saw sizes up to N / ratio, geometric mean and worst.
const REQUIRED: [(Method, i64, f64, f64); 5] = [
    (Method::Sunzi, 4, 1.02, 1.15),
    (Method::Sunzi, 8, 1.025, 1.20),
    (Method::Sunzi, 16, 1.035, 1.25),
    (Method::Sampled, 4, 1.02, 1.15),
    (Method::NoAccesses, 4, 1.055, 3.5),
];

#[test]
fn choices_from_small_sizes_are_nearly_the_best() {
    let Some(data) = std::env::var_os("SUNZI_DATA") else {
        return println!("skipped: SUNZI_DATA names no folder with measured times");
    };
    let devices = table::devices(&PathBuf::from(data).join("launch-configs")).unwrap();
    assert_eq!(devices.len(), 2);
    for device in devices {
        assert!(device.skipped.is_empty(), "{:?}", device.skipped);
        for (method, ratio, mean_at_most, worst_at_most) in REQUIRED {
            let (count, mean, worst) =
                table::summary(&rows(&device, method, device.contests(ratio)));
            let what = format!(
                "{}, {}, N/{ratio}: {mean}, {worst}",
                device.name,
                method.name()
            );
            assert_eq!(count, 30, "{what}");
            assert!(mean <= mean_at_most && worst <= worst_at_most, "{what}");
        }
        let everywhere = rows(&device, Method::Sunzi, device.contests_everywhere());
        let (count, mean, worst) = table::summary(&everywhere);
        let what = format!("{}, {count} sizes: {mean}, {worst}", device.name);
        assert!(count > 80 && mean <= 1.045 && worst <= 1.60, "{what}");
        // What others do, a shape that was best at a small size, is far worse.
        let (_, best_shape, _) =
            table::summary(&rows(&device, Method::BestShape, device.contests(4)));
        let (_, waves, _) = table::summary(&rows(&device, Method::WavesOnly, device.contests(4)));
        assert!(best_shape > 1.1 && waves > 1.02, "{best_shape}, {waves}");
    }
}
