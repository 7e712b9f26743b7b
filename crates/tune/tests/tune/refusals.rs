//! What is no description, no measurement and no size is refused, and told where.

use sunzi_tune::{
    AnchoredModel, Chooser, Constants, Description, Device, ModelError, Sample, Sampling,
};

const SUMS: &str = "version = 1
[[kernel]]
name = \"sums\"
data = { n = { from = 1, to = 1000000 } }
program = { bx = { values = [32, 256, 1024] } }
constraints = [\"bx <= 512\"]
block = [\"bx\"]
grid = [\"ceil(n / bx)\"]
";

fn device() -> Device {
    Device::new(28, 64, 32, 1 << 21, 484.0)
}

fn sample(n: i64, bx: i64, milliseconds: f64) -> Sample {
    Sample {
        data: vec![n],
        shape: vec![bx],
        milliseconds,
    }
}

fn fit(samples: &[Sample]) -> Result<AnchoredModel, ModelError> {
    let description = Description::parse(SUMS, "sums.toml").unwrap();
    let kernel = description.kernel("sums").unwrap();
    AnchoredModel::fit(kernel, &device(), Constants::default(), samples)
}

#[test]
fn descriptions_that_are_wrong_are_refused_with_their_line() {
    for (from, to, line) in [
        ("n / bx", "n / bz", 8),
        ("n / bx", "n / (bx - 32)", 8),
        ("n / bx", "n / (bx", 8),
        ("version = 1", "version = 2", 1),
        ("bx <= 512", "bx <= 8", 6),
        ("from = 1, to = 1000000", "from = 9, to = 8", 4),
    ] {
        let wrong = SUMS.replace(from, to);
        assert_ne!(wrong, SUMS);
        let error = Description::parse(&wrong, "sums.toml").expect_err(to);
        assert!(
            error
                .to_string()
                .starts_with(&format!("sums.toml:{}:", error.line)),
            "{error}"
        );
        assert!(error.line.abs_diff(line) <= 5, "{to}: {error}");
    }
    assert!(Description::parse("", "empty.toml").is_err());
}

#[test]
fn measurements_that_are_none_are_refused() {
    assert!(matches!(fit(&[]), Err(ModelError::NoSamples)));
    for time in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = fit(&[sample(10, 32, 1.0), sample(10, 256, time)]);
        assert!(matches!(
            refused,
            Err(ModelError::SampleTime { index: 1, .. })
        ));
    }
    let refused = fit(&[sample(0, 32, 1.0)]);
    assert!(matches!(
        refused,
        Err(ModelError::SampleData { index: 0, .. })
    ));
    for shape in [1024, 7] {
        let refused = fit(&[sample(10, shape, 1.0)]);
        assert!(matches!(
            refused,
            Err(ModelError::SampleShape { index: 0, .. })
        ));
    }
}

#[test]
fn every_size_in_range_has_a_shape_and_no_other() {
    let samples = [
        sample(100, 32, 0.1),
        sample(100, 256, 0.2),
        sample(1000, 32, 0.4),
        sample(1000, 256, 0.2),
    ];
    let chooser = Chooser::new(fit(&samples).unwrap());
    for n in [1, 2, 31, 32, 33, 999, 1_000_000] {
        let shape = chooser.choose(&[n]).unwrap();
        assert!([32, 256].contains(&shape[0]), "{n}");
        // The second time it is kept.
        assert_eq!(chooser.choose(&[n]).unwrap(), shape);
    }
    assert_eq!(*chooser.choose(&[1_000_000]).unwrap(), [256]);
    for data in [&[0][..], &[1_000_001], &[], &[1, 1], &[i64::MIN]] {
        assert!(chooser.choose(data).is_err());
    }
}

#[test]
fn a_clock_that_was_disturbed_once_changes_no_choice() {
    let description = Description::parse(SUMS, "sums.toml").unwrap();
    let kernel = description.kernel("sums").unwrap();
    let time = |data: &[i64], shape: &[i64]| data[0] as f64 / (shape[0] as f64).sqrt();
    let chosen = |disturbed: usize| {
        let mut runs = 0;
        let clock = |data: &[i64], shape: &[i64]| {
            runs += 1;
            let factor = if runs == disturbed { 3.0 } else { 1.0 };
            Ok::<_, std::convert::Infallible>(Some(factor * time(data, shape)))
        };
        let sizes = [vec![1000], vec![2000]];
        let sampled = Sampling::default()
            .run(kernel, &device(), &sizes, clock)
            .unwrap();
        assert!(!sampled.cut_short && sampled.samples.len() == 4);
        let model = fit(&sampled.samples).unwrap();
        (Chooser::new(model).choose(&[50_000]).unwrap(), runs)
    };
    let (undisturbed, runs) = chosen(0);
    for disturbed in 1..=runs {
        assert_eq!(chosen(disturbed).0, undisturbed, "{disturbed}");
    }
    // The same for times from a file.
    let samples = |first: f64| {
        let mut all = vec![sample(1000, 32, first)];
        all.extend([32, 32, 256, 256, 256].map(|bx| sample(1000, bx, 1000.0 / (bx as f64).sqrt())));
        all
    };
    let (model, disturbed) = (
        fit(&samples(1e3 / 32_f64.sqrt())).unwrap(),
        fit(&samples(9e3)).unwrap(),
    );
    assert_eq!(model, disturbed);
}

#[test]
fn sampling_ends_with_its_time_and_with_errors() {
    let description = Description::parse(SUMS, "sums.toml").unwrap();
    let kernel = description.kernel("sums").unwrap();
    let sizes = [vec![10], vec![20], vec![40]];
    let short = Sampling {
        seconds: 0.01,
        ..Sampling::default()
    };
    let slow = |_: &[i64], _: &[i64]| {
        std::thread::sleep(std::time::Duration::from_millis(4));
        Ok::<_, &str>(Some(4.0))
    };
    let sampled = short.run(kernel, &device(), &sizes, slow).unwrap();
    assert!(sampled.cut_short && sampled.samples.len() == 1);
    let failing = |data: &[i64], _: &[i64]| {
        if data[0] == 20 {
            Err("lost")
        } else {
            Ok(Some(1.0))
        }
    };
    let error = Sampling::default()
        .run(kernel, &device(), &sizes, failing)
        .unwrap_err();
    assert_eq!(error.to_string(), "shape [32] at [20]: lost");
    // A device without some shapes has samples of the others.
    let without = |_: &[i64], shape: &[i64]| Ok::<_, &str>((shape[0] < 100).then_some(1.0));
    let sampled = Sampling::default()
        .run(kernel, &device(), &sizes, without)
        .unwrap();
    assert!(
        sampled.samples.iter().all(|sample| sample.shape == [32]) && sampled.samples.len() == 3
    );
}
