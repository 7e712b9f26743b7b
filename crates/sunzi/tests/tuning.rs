//! Shapes that are chosen from small sizes are nearly the best at a large one, on a device of this machine; and no tuning changes a
//! result.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sunzi::{Integer, Natural};
use sunzi::{
    engine::{DeviceChoice, Engine},
    field::AnyField,
    gpu::{Device, DeviceInfo, ProductConfig, ProductForm, ProductProblem},
    poly::AnyPolyRing,
    tune::{
        AnchoredModel, Chooser, Constants, Description, DeviceTuning, Effort, Kernel, KernelRunner,
        OwnKernel, OwnRunner, ProcessorTuning, Sample, Sampling, Tuning, TuningError, profile,
    },
};
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
    // Two sizes tell how times grow; for each all shapes are compiled.
    let samples = kernel.samples();
    let sampled = sampling
        .run(kernel, &profile(info), &samples[samples.len() - 2..], clock)
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
    let tuning = Tuning {
        device: Some(DeviceTuning::measure(&device, &short).unwrap()),
        processor: None,
    };
    let tuning = Arc::new(Tuning::from_json(&tuning.to_json()).unwrap());
    let shapes = tuning.device.as_ref().unwrap();
    assert!(shapes.is_for(device.info()) && shapes.model(OwnKernel::TermByTerm).is_some());
    let (prime, wide) = (2_013_265_921_u64, (1_u64 << 60) - (1 << 18) + 1);
    let problem = |form: ProductForm, terms: usize| ProductProblem {
        form,
        terms: [terms, terms / 2],
        batch: 3,
    };
    let usual = ProductConfig::for_device(device.info());
    let narrow = problem(ProductForm::modulo(prime, 1), 600);
    let shape = shapes.shape(device.info(), &narrow);
    assert!(shape.term_by_term.is_some() && shape != usual);
    // Another device is as ever.
    let h100 = DeviceInfo::h100();
    assert_eq!(
        shapes.shape(&h100, &narrow),
        ProductConfig::for_device(&h100)
    );

    // Whatever was measured before the time was up is chosen for; the rest is as ever.
    for of_prime in [prime, wide, (1 << 61) - 1] {
        let ring = AnyPolyRing::new(&AnyField::modulo_word(of_prime).unwrap());
        let poly = |len: u64, salt: u64| {
            let coefficients = (1..=len).map(|i| i.wrapping_mul(salt) % of_prime);
            ring.polynomial(coefficients.collect()).unwrap()
        };
        let pairs = [(1, 1), (300, 20), (600, 600), (5000, 4000)]
            .map(|(a, b)| [poly(a, 0x9e37_79b9), poly(b, 0x7f4a_7c15)]);
        let rows: Vec<_> = pairs.iter().map(|[a, b]| [a, b]).collect();
        let engine = Engine::on(&device).with_tuning(&tuning);
        let tuned = engine.multiply_residues(&ring, &rows, None).unwrap();
        assert_eq!((tuned.on_device, tuned.warnings.len()), (rows.len(), 0));
        for ([a, b], product) in pairs.iter().zip(&tuned.into_all().unwrap()) {
            assert_eq!(product.rows(), ring.mul(a, b).unwrap().rows());
        }
    }
    let integers = [3, 70, 300, 1500].map(|words: u64| integer(2 * words));
    let pairs: Vec<_> = integers.iter().map(|a| [a, &integers[1]]).collect();
    let engine = Engine::on(&device).with_tuning(&tuning);
    let products = engine.multiply_integers(&pairs, None).unwrap();
    assert_eq!(products.on_device, pairs.len());
    for ([a, b], product) in pairs.iter().zip(products.into_all().unwrap()) {
        assert_eq!(product, *a * *b);
    }

    // One of another device is left alone, and said to be.
    let foreign = tuning.to_json().replace(&device.info().name, "another");
    let foreign = Arc::new(Tuning::from_json(&foreign).unwrap());
    let batch = Engine::on(&device).with_tuning(&foreign);
    let batch = batch.multiply_integers(&pairs, None).unwrap();
    assert!(
        batch
            .warnings
            .iter()
            .any(|warning| warning.contains("chosen for another")),
        "{:?}",
        batch.warnings
    );
}

/// An integer of so many limbs.
fn integer(limbs: u64) -> Integer {
    let limb = |index: u64| index.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63;
    Natural::from_limbs((1..=limbs).map(limb).collect()).into()
}

/// A model of a kernel that knows one shape, for all data.
fn knowing(kernel: OwnKernel, info: &DeviceInfo, values: &[i64]) -> AnchoredModel {
    let kernel = kernel.describe(info).unwrap();
    let samples: Vec<Sample> = kernel
        .samples()
        .into_iter()
        .map(|data| Sample {
            data,
            shape: values.to_vec(),
            milliseconds: 1.0,
        })
        .collect();
    AnchoredModel::fit(&kernel, &profile(info), Constants::default(), &samples).unwrap()
}

/// Integers and residues of 64 bits are cut as was measured for them, and for no others.
#[test]
fn every_kernel_is_chosen_for_its_problems() {
    let Some((device, _alone)) = device() else {
        return;
    };
    let info = device.info();
    let models = OwnKernel::ALL.map(|kernel| {
        let shape: &[i64] = match kernel {
            OwnKernel::TermByTerm => &[256, 16],
            OwnKernel::WideTermByTerm => &[32, 16],
            OwnKernel::Transforms | OwnKernel::WideTransforms => &[8, 16, 1024],
            OwnKernel::WordByWord => &[16, 64],
        };
        knowing(kernel, info, shape).to_json()
    });
    let text = format!(
        "{{\"version\":2,\"device\":{{\"device\":{{\"backend\":{:?},\"name\":{:?},\"driver\":{:?}}},\"models\":[{}]}}}}",
        info.backend.name(),
        info.name,
        info.driver,
        models.join(",")
    );
    let tuning = Arc::new(Tuning::from_json(&text).unwrap());
    let shapes = tuning.device.as_ref().unwrap();
    let shape = |form: ProductForm, terms: usize| {
        let terms = [terms, terms];
        let batch = 2;
        shapes.shape(info, &ProductProblem { form, terms, batch })
    };
    let narrow = shape(ProductForm::modulo(97, 1), 500);
    assert_eq!(narrow.term_by_term.map(|plan| plan.rows), Some(256));
    assert!(narrow.wide_transforms.is_none() && narrow.word_by_word.is_none());
    let wide = shape(ProductForm::modulo((1 << 60) - (1 << 18) + 1, 2), 500);
    assert_eq!(wide.term_by_term.map(|plan| plan.rows), Some(32));
    assert_eq!(wide.wide_transforms.map(|of| of.log_radix), Some(3));
    assert_eq!(wide.transforms.map(|of| of.log_radix), Some(3));
    let integers = shape(ProductForm::INTEGERS, 100);
    assert_eq!(
        integers.word_by_word.map(|(_, plan)| plan.columns),
        Some(16)
    );
    assert!(integers.term_by_term.is_none() && integers.transforms.is_some());
    // The shortest integers have a kernel that leaves no choice.
    assert!(shape(ProductForm::INTEGERS, 4).word_by_word.is_none());

    let values = [40, 100, 333, 1000].map(integer);
    let pairs: Vec<_> = values.iter().map(|a| [a, &values[2]]).collect();
    let engine = Engine::on(&device).with_tuning(&tuning);
    let products = engine.multiply_integers(&pairs, None).unwrap();
    assert_eq!((products.on_device, products.warnings.len()), (4, 0));
    for ([a, b], product) in pairs.iter().zip(products.into_all().unwrap()) {
        assert_eq!(product, *a * *b);
    }
    for prime in [(1 << 60) - (1 << 18) + 1, (1 << 61) - 1] {
        let ring = engine.ring(&AnyField::modulo_word(prime).unwrap());
        let poly = |len: u64| {
            let coefficients = (1..=len).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % prime);
            ring.polynomial(coefficients.collect()).unwrap()
        };
        for (a, b) in [(20, 10), (900, 800)] {
            let (a, b) = (poly(a), poly(b));
            let products = engine.multiply_residues(&ring, &[[&a, &b]], None).unwrap();
            let product = products.into_all().unwrap().remove(0);
            assert_eq!(product.rows(), ring.mul(&a, &b).unwrap().rows());
        }
    }
}

/// What is measured in hardly any time is right, kept, and left alone on another processor.
#[test]
fn thresholds_of_the_processor_are_used_on_it_alone() {
    let least = Effort {
        rounds: 1,
        seconds: 1e-6,
    };
    let tuning = Tuning {
        device: None,
        processor: Some(ProcessorTuning::measure(&least).unwrap()),
    };
    let read = Tuning::from_json(&tuning.to_json()).unwrap();
    assert_eq!(read.processor, tuning.processor);
    let processor = tuning.processor.as_ref().unwrap();
    assert!(processor.is_for_this());
    let found = processor.thresholds();
    // Of vectors only where the processor has them, of threads where it has several and they were not disturbed.
    assert!((15..=18).contains(&found.len()));
    let of = |algorithm: &str| {
        let mut found = found.iter();
        let found = found.find(|found| found.algorithm == algorithm);
        found.unwrap().measured
    };
    assert_eq!(
        processor.multiplier().thresholds().karatsuba,
        of("karatsuba")
    );
    assert_eq!(
        processor.integer_polys().thresholds().kronecker,
        of("kronecker")
    );
    let smooth = AnyField::modulo_word(469_762_049).unwrap();
    assert_eq!(processor.ring(&smooth).thresholds().ntt, of("ntt"));
    let big = AnyField::generalized_fermat((1 << 59) + (1 << 57) + (1 << 39), 8).unwrap();
    assert_eq!(
        processor.ring(&big).thresholds(),
        AnyPolyRing::new(&big).thresholds()
    );

    let tuning = Arc::new(read);
    let engine = || Engine::new(DeviceChoice::Cpu).unwrap();
    let tuned = engine().with_tuning(&tuning);
    assert_eq!(tuned.ring(&smooth).thresholds().ntt, of("ntt"));
    assert!(tuned.take_warnings().is_empty());
    let text = tuning.to_json().replace(processor.processor(), "another");
    let foreign = engine().with_tuning(&Arc::new(Tuning::from_json(&text).unwrap()));
    let ring = foreign.ring(&smooth);
    assert_eq!(ring.thresholds(), AnyPolyRing::new(&smooth).thresholds());
    let (a, b) = (integer(3), integer(500));
    let batch = foreign.multiply_integers(&[[&a, &b]], None).unwrap();
    assert!(
        batch.warnings[0].contains("measured on another"),
        "{:?}",
        batch.warnings
    );
    assert_eq!(batch.into_all().unwrap(), [&a * &b]);
    assert!(foreign.take_warnings().is_empty());
}

#[test]
fn texts_that_are_no_tunings_are_refused() {
    let of = |version: u32, models: &str| {
        let name = r#"{"backend":"OpenCL","name":"a","driver":"b"}"#;
        format!(r#"{{"version":{version},"device":{{"device":{name},"models":[{models}]}}}}"#)
    };
    assert!(Tuning::from_json(&of(2, "")).is_ok());
    assert!(Tuning::from_json(r#"{"version":2}"#).is_ok());
    assert!(matches!(
        Tuning::from_json(&of(1, "")),
        Err(TuningError::Version(1))
    ));
    let unfinished = r#"{"version":2,"processor":{"processor":{"name":"a"}}}"#;
    for text in ["", "{}", &of(2, "{}"), "[2]", unfinished] {
        assert!(
            matches!(Tuning::from_json(text), Err(TuningError::Json(_))),
            "{text}"
        );
    }
}
