//! Choices from small sizes, for kernels of PolyBench/GPU that others timed for every shape on two devices.

#[path = "../../examples/launch_configs/methods.rs"]
mod methods;
#[path = "../../examples/launch_configs/metrics.rs"]
mod metrics;
#[path = "../../examples/launch_configs/table.rs"]
mod table;

use methods::Method;
use std::path::PathBuf;
use table::Contest;

/// How much slower than the best shape choices may be, in the geometric mean and at worst, for all kernels on both devices.
const REQUIRED: [(Method, &str, f64, f64); 16] = [
    (Method::Sunzi, "N/4", 1.02, 1.15),
    (Method::Sunzi, "N/8", 1.025, 1.20),
    (Method::Sunzi, "N/16", 1.035, 1.25),
    (Method::Sunzi, "every N/4", 1.045, 1.60),
    (Method::Sampled, "N/4", 1.02, 1.15),
    (Method::Sampled, "N/8", 1.025, 1.20),
    (Method::Sampled, "N/16", 1.035, 1.25),
    (Method::Sampled, "every N/4", 1.045, 1.60),
    (Method::NoAccesses, "N/4", 1.055, 3.5),
    (Method::ConstantsOfOther, "N/4", 1.06, 3.5),
    (Method::TimesOfOther, "-", 1.15, 3.0),
    (Method::BestShape, "N/4", 1.4, 4.5),
    (Method::Cycles, "N/4", 2.0, 30.0),
    (Method::LittlesLaw, "N/4", 2.2, 30.0),
    (Method::CountedCycles, "-", 1.12, 1.8),
    (Method::CountedLittlesLaw, "-", 1.3, 3.4),
];

#[test]
fn choices_from_small_sizes_are_nearly_the_best() {
    let Some(data) = std::env::var_os("SUNZI_DATA") else {
        return println!("skipped: SUNZI_DATA names no folder with measured times");
    };
    let devices = table::devices(&PathBuf::from(data).join("launch-configs")).unwrap();
    assert_eq!(devices.len(), 2);
    for (device, other) in [(&devices[0], &devices[1]), (&devices[1], &devices[0])] {
        assert!(device.skipped.is_empty(), "{:?}", device.skipped);
        let others_constants = methods::best_constants(other).unwrap();
        let mut means = Vec::new();
        for method in Method::ALL {
            for (seen, contests) in method.contests(device) {
                let wanted = contests.len();
                let choose = |contest: &Contest<'_>| {
                    method.choose(contest, device, Some(other), others_constants)
                };
                let (count, mean, worst) = table::summary(&table::rows(contests, choose).unwrap());
                let what = format!(
                    "{}, {}, {seen}: {mean}, {worst}",
                    device.name,
                    method.name()
                );
                // One kernel's counts are of too few sizes up to N/16, and some of too small ones.
                let counts = matches!(
                    method,
                    Method::Cycles | Method::LittlesLaw | Method::Heuristic
                );
                assert!(count == wanted || counts && count + 34 >= wanted, "{what}");
                assert!(seen == "every N/4" || wanted == 30, "{what}");
                for (_, _, mean_at_most, worst_at_most) in REQUIRED
                    .iter()
                    .filter(|r| (r.0, r.1) == (method, &seen[..]))
                {
                    assert!(mean <= *mean_at_most && worst <= *worst_at_most, "{what}");
                }
                means.push((method, seen, mean));
            }
        }
        let mean = |method, seen: &str| {
            means
                .iter()
                .find(|m| m.0 == method && m.1 == seen)
                .unwrap()
                .2
        };
        let own = mean(Method::Sunzi, "N/4");
        // What others do is worse: a shape that was best at a small size, models without times, heuristics.
        for method in [
            Method::BestShape,
            Method::WavesOnly,
            Method::Cycles,
            Method::LittlesLaw,
            Method::Heuristic,
        ] {
            assert!(mean(method, "N/4") > own + 0.01, "{}", method.name());
        }
        assert!(mean(Method::BestOfOther, "-") > mean(Method::TimesOfOther, "-"));
        assert!(mean(Method::PublishedCycles, "-") > 1.05);
        // Both models order most pairs of shapes.
        assert!(methods::ordered(device).iter().all(|part| *part > 0.8));
        assert!(methods::random_runs(device, own) >= 10);
        let (mut sampling, mut exhaustive) = (0.0, 0.0);
        for contest in device.contests(4) {
            sampling += methods::sampled(&contest, &device.device).unwrap().1;
            exhaustive += contest.times[&contest.n].values().sum::<f64>();
        }
        assert!(sampling <= 0.03 * exhaustive, "{sampling} {exhaustive}");
    }
}
