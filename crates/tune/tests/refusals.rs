//! What is no description, no measurement and no size is refused, and told where.

use sunzi_tune::{AnchoredModel, Chooser, Constants, Description, Device, FitError, Sample};

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
    Device {
        multiprocessors: 28,
        warps: 64,
        blocks: 32,
        l1_bytes: None,
        l2_bytes: 1 << 21,
        bandwidth: 484.0,
    }
}

fn sample(n: i64, bx: i64, milliseconds: f64) -> Sample {
    Sample {
        data: vec![n],
        shape: vec![bx],
        milliseconds,
    }
}

fn fit(samples: &[Sample]) -> Result<AnchoredModel, FitError> {
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
    assert!(matches!(fit(&[]), Err(FitError::Empty)));
    for time in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = fit(&[sample(10, 32, 1.0), sample(10, 256, time)]);
        assert!(matches!(refused, Err(FitError::Time { index: 1, .. })));
    }
    let refused = fit(&[sample(0, 32, 1.0)]);
    assert!(matches!(refused, Err(FitError::Data { index: 0, .. })));
    for shape in [1024, 7] {
        let refused = fit(&[sample(10, shape, 1.0)]);
        assert!(matches!(refused, Err(FitError::Shape { index: 0, .. })));
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
