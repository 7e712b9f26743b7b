//! Rational functions: planted ones are found, noise and samples on a line do little harm, poles are kept out of the domain, and
//! counts of kernels that others measured are predicted.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sunzi_tune::{Degrees, InputKind, ModelError, ProgramBuilder, RationalFunction};

fn degrees(numerator: &[usize], denominator: &[usize]) -> Degrees {
    Degrees {
        numerator: numerator.to_vec(),
        denominator: denominator.to_vec(),
    }
}

fn line(sizes: impl Iterator<Item = u32>) -> Vec<Vec<f64>> {
    sizes.map(|n| vec![f64::from(n)]).collect()
}

fn values(points: &[Vec<f64>], f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    points.iter().map(|point| f(point)).collect()
}

fn relative(a: f64, b: f64) -> f64 {
    (a - b).abs() / b.abs()
}

#[test]
fn planted_functions_are_found() {
    let points = line((1..=16).map(|k| 8 * k));
    let planted: [(&dyn Fn(f64) -> f64, Degrees); 5] = [
        (&|_| 7.0, degrees(&[0], &[0])),
        (&|n| 3.0 * n - 2.0, degrees(&[1], &[0])),
        (&|n| n * n * n / 1e3 + 2.0 * n + 1e5, degrees(&[3], &[0])),
        (&|n| (n * n + 5.0) / (n + 40.0), degrees(&[2], &[1])),
        (
            &|n| 1e9 * (n + 1.0) / (n * n + 3.0 * n + 700.0),
            degrees(&[1], &[2]),
        ),
    ];
    for (f, its) in planted {
        let at = values(&points, |p| f(p[0]));
        let domain = [(1.0, 1e4)];
        let fitted = RationalFunction::fit(&points, &at, &its, &domain).unwrap();
        let chosen =
            RationalFunction::fit_within(&points, &at, &degrees(&[3], &[2]), &domain).unwrap();
        for n in [1.0, 9.0, 100.0, 512.0, 1e4] {
            assert!(relative(fitted.evaluate(&[n]), f(n)) <= 1e-8, "{its:?} {n}");
            assert!(
                relative(chosen.evaluate(&[n]), f(n)) <= 1e-6,
                "{its:?} {n} {:?}",
                chosen.degrees()
            );
        }
    }
}

#[test]
fn planted_functions_of_three_variables_are_found() {
    let f = |p: &[f64]| (p[0] * p[0] * p[1] + 3.0 * p[2]) / (p[1] + 2.0 * p[2] + 1.0);
    let mut points = Vec::new();
    for n in [1.0, 2.0, 3.0, 5.0, 8.0] {
        for x in [1.0, 2.0, 4.0, 8.0] {
            points.extend([1.0, 2.0, 4.0, 16.0].map(|y| vec![n, x, y]));
        }
    }
    let at = values(&points, f);
    let domain = [(1.0, 100.0), (1.0, 64.0), (1.0, 64.0)];
    let fitted =
        RationalFunction::fit(&points, &at, &degrees(&[2, 1, 1], &[0, 1, 1]), &domain).unwrap();
    for point in [[7.0, 3.0, 5.0], [100.0, 64.0, 1.0], [40.0, 2.0, 64.0]] {
        assert!(
            relative(fitted.evaluate(&point), f(&point)) <= 1e-8,
            "{point:?}"
        );
    }
}

#[test]
fn noise_of_a_hundredth_is_a_twentieth_at_four_times_the_size() {
    for seed in 1..20_u64 {
        let points = line((1..=16).map(|k| 64 * k));
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut noise = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            1.0 + 0.01 * ((state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0)
        };
        let f = |n: f64| n * n * n / 1e6 + n / 10.0;
        let at: Vec<f64> = points.iter().map(|p| f(p[0]) * noise()).collect();
        let fitted =
            RationalFunction::fit_within(&points, &at, &degrees(&[3], &[1]), &[(1.0, 4096.0)])
                .unwrap();
        let error = relative(fitted.evaluate(&[4096.0]), f(4096.0));
        assert!(
            error <= 0.05,
            "seed {seed}: {error}, {:?}",
            fitted.degrees()
        );
    }
}

#[test]
fn samples_on_a_line_are_enough_for_that_line() {
    // y is always 2 x, so that there are many solutions.
    let points: Vec<Vec<f64>> = (1..=12)
        .map(|x| vec![f64::from(x), f64::from(2 * x)])
        .collect();
    let at = values(&points, |p| p[0] + p[1] * p[1]);
    let fitted = RationalFunction::fit(
        &points,
        &at,
        &degrees(&[1, 2], &[0, 0]),
        &[(1.0, 50.0), (1.0, 100.0)],
    )
    .unwrap();
    for x in [1.0, 7.5, 40.0] {
        assert!(relative(fitted.evaluate(&[x, 2.0 * x]), x + 4.0 * x * x) <= 1e-8);
    }
    // One point over and over is a constant.
    let same = vec![vec![3.0]; 6];
    let fitted =
        RationalFunction::fit(&same, &[5.0; 6], &degrees(&[2], &[1]), &[(3.0, 3.0)]).unwrap();
    assert!(relative(fitted.evaluate(&[3.0]), 5.0) <= 1e-9);
}

#[test]
fn denominators_do_not_vanish_on_the_domain() {
    // A pole at 20: beyond the samples, but within the domain.
    let points = line(1..=12);
    let at = values(&points, |p| 1.0 / (20.0 - p[0]));
    let within = RationalFunction::fit(&points, &at, &degrees(&[1], &[1]), &[(1.0, 12.0)]).unwrap();
    assert_eq!(within.degrees().denominator, [1]);
    assert!(relative(within.evaluate(&[11.5]), 1.0 / 8.5) <= 1e-8);
    let across = RationalFunction::fit(&points, &at, &degrees(&[1], &[2]), &[(1.0, 30.0)]).unwrap();
    assert_eq!(across.degrees().denominator, [0]);
    for n in 1..=30 {
        assert!(across.evaluate(&[f64::from(n)]).is_finite());
    }
}

#[test]
fn functions_are_steps_of_programs() {
    let points = line(1..=20);
    let at = values(&points, |p| (p[0] * p[0] + 5.0) / (p[0] + 40.0));
    let function =
        RationalFunction::fit(&points, &at, &degrees(&[2], &[1]), &[(1.0, 500.0)]).unwrap();
    let mut p = ProgramBuilder::default();
    let n = p.input("n", InputKind::Data, 1.0, 500.0).unwrap();
    let value = function.in_program(&mut p, &[n]).unwrap();
    p.output("value", value).unwrap();
    let program = p.build().unwrap();
    for n in [1.0, 17.0, 499.5] {
        assert!(relative(program.evaluate(&[n]).unwrap()[0], function.evaluate(&[n])) <= 1e-14);
    }
}

#[test]
fn samples_that_are_none_are_refused() {
    let fit = |points: &[Vec<f64>], at: &[f64]| {
        RationalFunction::fit(points, at, &degrees(&[2], &[1]), &[(1.0, 9.0)])
    };
    assert!(matches!(
        fit(&[], &[]),
        Err(ModelError::TooFew {
            samples: 0,
            variables: 4
        })
    ));
    assert!(matches!(
        fit(&line(1..=3), &[1.0; 3]),
        Err(ModelError::TooFew { .. })
    ));
    assert!(matches!(
        fit(&line(1..=5), &[1.0; 4]),
        Err(ModelError::Samples(_))
    ));
    let mut at = [1.0; 5];
    at[3] = f64::NAN;
    assert!(matches!(
        fit(&line(1..=5), &at),
        Err(ModelError::NotFinite(3))
    ));
    let wrong = RationalFunction::fit(
        &line(1..=5),
        &[1.0; 5],
        &degrees(&[2, 1], &[1]),
        &[(1.0, 9.0)],
    );
    assert!(matches!(wrong, Err(ModelError::Samples(_))));
    let wrong = RationalFunction::fit(&line(1..=5), &[1.0; 5], &degrees(&[2], &[1]), &[(9.0, 1.0)]);
    assert!(matches!(wrong, Err(ModelError::Samples(_))));
    let none =
        RationalFunction::fit_within(&line(1..=1), &[1.0], &degrees(&[2], &[1]), &[(1.0, 9.0)]);
    assert!(matches!(none, Err(ModelError::TooFew { .. })));
    let zeros =
        RationalFunction::fit_within(&line(1..=5), &[0.0; 5], &degrees(&[2], &[1]), &[(1.0, 9.0)])
            .unwrap();
    assert_eq!(zeros.evaluate(&[4.0]), 0.0);
    for point in [&[][..], &[4.0, 4.0]] {
        let refused = zeros.try_evaluate(point);
        assert!(matches!(refused, Err(ModelError::Samples(_))));
    }
}

#[test]
fn counts_of_measured_kernels_are_predicted() {
    let Some(data) = std::env::var_os("SUNZI_DATA") else {
        return println!("skipped: SUNZI_DATA names no folder with measured counts");
    };
    let file = PathBuf::from(data).join("launch-configs/rtx2070super-model.csv");
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let metrics = [
        "Comp_insts",
        "Coal_Mem_insts",
        "Uncoal_Mem_insts",
        "Coal_per_mw",
        "Uncoal_per_mw",
        "Synch_insts",
    ];
    let columns = metrics.map(|metric| names.iter().position(|name| *name == metric).unwrap());
    // By kernel, shape and metric: values by size.
    let mut counts = BTreeMap::<(String, usize), BTreeMap<u32, f64>>::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let n: u32 = cells[2].parse().unwrap();
        for column in columns {
            let key = format!("{}/{}/{}/{}", cells[0], cells[1], cells[3], cells[4]);
            counts
                .entry((key, column))
                .or_default()
                .insert(n, cells[column].parse().unwrap());
        }
    }
    let (mut good, mut all) = (0, 0);
    for by_size in counts.values() {
        let seen: Vec<(u32, f64)> = by_size
            .range(..=512)
            .map(|(n, value)| (*n, *value))
            .collect();
        let (Some(&truth), 3..) = (by_size.get(&2048), seen.len()) else {
            continue;
        };
        let points = line(seen.iter().map(|(n, _)| *n));
        let at: Vec<f64> = seen.iter().map(|(_, value)| *value).collect();
        let fitted =
            RationalFunction::fit_within(&points, &at, &degrees(&[3], &[0]), &[(1.0, 2048.0)])
                .unwrap();
        all += 1;
        good +=
            usize::from((fitted.evaluate(&[2048.0]) - truth).abs() <= 1e-3 * truth.abs().max(1e-9));
    }
    assert!(all > 1000 && 10 * good >= 9 * all, "{good} of {all}");
}
