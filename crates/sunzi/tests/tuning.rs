//! Shapes that are chosen from small sizes are nearly the best at a large one, on a device of this machine; and no tuning changes a
//! result.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sunzi::engine::Engine;
use sunzi::field::AnyField;
use sunzi::gpu::products::{ProductForm, ProductProblem, ProductShape};
use sunzi::gpu::{Device, DeviceInfo};
use sunzi::launch::{KernelRunner, profile};
use sunzi::poly::AnyPolyRing;
use sunzi::tune::{AnchoredModel, Chooser, Constants, Description, Kernel, Sampling};
use sunzi::tuning::{OwnKernel, OwnRunner, Tuning, TuningError};
use sunzi_testkit::Place;

/// How much slower than the best shape the chosen one may be.
const WITHIN: f64 = 1.15;

/// Runs a shape; milliseconds.
type Run<'a> = dyn FnMut(&[i64], &[i64]) -> Option<f64> + 'a;

/// The time at N of the shape that is chosen from smaller sizes, over that of the best of all; each the least of some runs.
fn judged(kernel: &Kernel, info: &DeviceInfo, n: &[i64], run: &mut Run<'_>) -> f64 {
    let sampling = Sampling {
        runs: 3,
        ..Sampling::default()
    };
    let clock = |data: &[i64], shape: &[i64]| Ok::<_, std::convert::Infallible>(run(data, shape));
    let sampled = sampling
        .run(kernel, &profile(info), &kernel.samples(), clock)
        .unwrap();
    let model = AnchoredModel::fit(
        kernel,
        &profile(info),
        Constants::default(),
        &sampled.samples,
    )
    .unwrap();
    let chosen = Chooser::new(model).choose(n).unwrap();
    let mut times: Vec<(Vec<i64>, f64)> = Vec::new();
    for _ in 0..3 {
        for shape in kernel.shapes() {
            let Some(time) = run(n, shape) else { continue };
            match times.iter_mut().find(|known| known.0 == *shape) {
                Some(known) => known.1 = known.1.min(time),
                None => times.push((shape.clone(), time)),
            }
        }
    }
    let best = times
        .iter()
        .map(|time| time.1)
        .fold(f64::INFINITY, f64::min);
    let own = times.iter().find(|time| time.0 == *chosen).unwrap().1;
    println!("{}: {chosen:?} takes {own} ms of {times:?}", kernel.name());
    own / best
}

/// Whether times of kernels tell anything; says why not.
fn are_optimized() -> bool {
    let flags = std::env::var("POCL_EXTRA_BUILD_FLAGS").unwrap_or_default();
    let optimized = !flags.contains("-cl-opt-disable");
    if !optimized {
        sunzi_testkit::skip("kernels are compiled without optimizing, and times tell nothing");
    }
    optimized
}

/// Clocks of busy machines are disturbed: one of five times must be good.
fn is_nearly_the_best(mut ratio: impl FnMut() -> f64) -> bool {
    (0..5).any(|_| ratio() <= WITHIN)
}

/// The device, which no other test uses meanwhile: they would disturb each other's clocks.
fn device() -> Option<(Device, MutexGuard<'static, ()>)> {
    static ALONE: Mutex<()> = Mutex::new(());
    let device = Place::OpenCl.device()?;
    Some((device, ALONE.lock().unwrap_or_else(PoisonError::into_inner)))
}

#[test]
fn products_of_matrices_are_launched_nearly_as_well_as_can_be() {
    if !are_optimized() {
        return;
    }
    let Some((device, _alone)) = device() else {
        return;
    };
    let text = include_str!("../../../examples/tune/product.toml");
    let text = text.replace(
        "to = 256, factor = 2 }, by = { from = 1, to = 64, factor = 2 }",
        "to = 256, factor = 4 }, by = { from = 1, to = 64, factor = 4 }",
    );
    let text = text.replace("samples = [32, 64, 128]", "samples = [24, 48]");
    let description = Description::parse(&text, "product.toml").unwrap();
    let kernel = description.kernel("product").unwrap();
    let code = include_str!("../../../examples/tune/product.cl");
    let ratio = || {
        // SAFETY: the example's description is that of its code.
        let mut runner = unsafe { KernelRunner::new(&device, kernel, "product.cl", code) }.unwrap();
        judged(kernel, device.info(), &[192], &mut |data, shape| {
            runner.run(data, shape).unwrap()
        })
    };
    assert!(is_nearly_the_best(ratio));
}

#[test]
fn own_kernels_are_cut_nearly_as_well_as_can_be() {
    if !are_optimized() {
        return;
    }
    let Some((device, _alone)) = device() else {
        return;
    };
    for (own, n) in [
        (OwnKernel::TermByTerm, [1, 8192]),
        (OwnKernel::Transforms, [1 << 19, 4]),
    ] {
        let kernel = own.describe(device.info()).unwrap();
        let ratio = || {
            let mut runner = OwnRunner::new(&device, own).unwrap();
            judged(&kernel, device.info(), &n, &mut |data, shape| {
                runner.run(data, shape).unwrap()
            })
        };
        assert!(is_nearly_the_best(ratio), "{own:?}");
    }
}

#[test]
fn no_tuning_changes_a_product() {
    let Some((device, _alone)) = device() else {
        return;
    };
    let short = Sampling {
        seconds: 4.0,
        runs: 1,
        warm_up: 0,
        ..Sampling::default()
    };
    let tuning = Tuning::measure(&device, &short).unwrap();
    let tuning = Tuning::from_json(&tuning.to_json()).unwrap();
    assert!(tuning.is_for(device.info()) && tuning.model(OwnKernel::TermByTerm).is_some());
    let prime = 2_013_265_921_u32;
    let form = ProductForm::modulo(prime.into(), 1);
    let problem = |terms: usize| ProductProblem {
        form,
        terms: [terms, terms / 2],
        batch: 3,
    };
    let shape = tuning.shape(device.info(), &problem(600));
    assert!(shape.term_by_term.is_some() && shape != ProductShape::for_device(device.info()));
    // Integers are as ever, and so are other devices.
    let integers = ProductProblem {
        form: ProductForm::INTEGERS,
        ..problem(600)
    };
    assert_eq!(
        tuning.shape(device.info(), &integers),
        ProductShape::for_device(device.info())
    );
    let h100 = DeviceInfo::h100();
    assert_eq!(
        tuning.shape(&h100, &problem(600)),
        ProductShape::for_device(&h100)
    );

    let ring = AnyPolyRing::new(&AnyField::modulo_word(prime.into()).unwrap());
    let poly = |len: u64, salt: u64| {
        let coefficients = (1..=len).map(|i| i * salt % u64::from(prime));
        ring.polynomial(coefficients.collect()).unwrap()
    };
    let pairs = [(1, 1), (300, 20), (600, 600), (5000, 4000)]
        .map(|(a, b)| [poly(a, 0x9e37_79b9), poly(b, 0x7f4a_7c15)]);
    let rows: Vec<_> = pairs.iter().map(|[a, b]| [a, b]).collect();
    let tuning = Arc::new(tuning);
    let products = |engine: &Engine| engine.multiply_residues(&ring, &rows, None).unwrap();
    let tuned = products(&Engine::on(&device).with_tuning(&tuning));
    assert_eq!((tuned.on_device, tuned.notices.len()), (rows.len(), 0));
    let tuned = tuned.into_all().unwrap();
    for ([a, b], product) in pairs.iter().zip(&tuned) {
        assert_eq!(product.rows(), ring.mul(a, b).unwrap().rows());
    }
    // One of another device is left alone, and said to be.
    let foreign = tuning.to_json().replace(&device.info().name, "another");
    let foreign = Arc::new(Tuning::from_json(&foreign).unwrap());
    let batch = products(&Engine::on(&device).with_tuning(&foreign));
    assert!(
        batch
            .notices
            .iter()
            .any(|notice| notice.contains("chosen for another")),
        "{:?}",
        batch.notices
    );
    for (product, tuned) in batch.into_all().unwrap().iter().zip(&tuned) {
        assert_eq!(product.rows(), tuned.rows());
    }
}

#[test]
fn texts_that_are_no_tunings_are_refused() {
    let device = r#""device":{"backend":"OpenCL","name":"a","driver":"b"}"#;
    let of = |version: u32, models: &str| {
        format!("{{\"version\":{version},{device},\"models\":[{models}]}}")
    };
    assert!(Tuning::from_json(&of(1, "")).is_ok());
    assert!(matches!(
        Tuning::from_json(&of(2, "")),
        Err(TuningError::Version(2))
    ));
    for text in ["", "{}", &of(1, "{}"), "[1]"] {
        assert!(
            matches!(Tuning::from_json(text), Err(TuningError::Json(_))),
            "{text}"
        );
    }
}
