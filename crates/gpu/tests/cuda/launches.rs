//! What products launch on a device is what is counted without one.

use crate::Scene;
use sunzi_gpu::integer::{IntegerKernel, IntegerPlan};
use sunzi_gpu::ntt::NttParameters;
use sunzi_gpu::products::{
    CarryPlan, CoefficientForm, Finish, IntegerMultiplier, Operand, PolynomialMultiplier,
    ProductForm, ProductProblem, ProductShape, ResidentPolynomials, TransformContext,
    TransformPlan,
};
use sunzi_gpu::schoolbook::SchoolbookPlan;
use sunzi_gpu::tuning::{LaunchWork, counts, plan_counts};
use sunzi_gpu::{Device, GpuError};
use sunzi_testkit::SeenLaunch;

fn told(launches: &[LaunchWork]) -> Vec<SeenLaunch> {
    let told = |launch: &LaunchWork| SeenLaunch {
        kernel: launch.kernel.to_owned(),
        groups: launch.groups,
        threads: launch.threads,
        shared_bytes: launch.shared_bytes,
    };
    launches.iter().map(told).collect()
}

/// Multiplies as often as it says, every pair the same.
fn multiplier(
    device: &Device,
    shape: ProductShape,
    problem: ProductProblem,
) -> Result<impl Fn() -> Result<(), GpuError>, GpuError> {
    let ProductProblem { form, terms, batch } = problem;
    let polynomials = PolynomialMultiplier::with_shape(device, shape)?;
    let integers = IntegerMultiplier::with_shape(device, shape)?;
    let words = [
        vec![1; terms[0] * form.left.words],
        vec![1; terms[1] * form.right.words],
    ];
    Ok(move || {
        // Two operands are one and the same where they lie at one place.
        let copies: Vec<_> = (0..batch).map(|_| words.clone()).collect();
        if form == ProductForm::INTEGERS {
            let pairs: Vec<_> = copies.iter().map(|[a, b]| [&a[..], &b[..]]).collect();
            return integers.multiply(&polynomials, &pairs, |_, _| {});
        }
        let pairs: Vec<_> = copies
            .iter()
            .map(|[a, b]| {
                [
                    Operand::new(a, form.left.words),
                    Operand::new(b, form.right.words),
                ]
            })
            .collect();
        polynomials.multiply(&form, &pairs, |_, _| {})
    })
}

#[test]
fn products_are_the_launches_that_are_counted() {
    let Some(scene) = Scene::new() else { return };
    let device = scene.open().unwrap();
    let usual = ProductShape::for_device(device.info());
    // Several passes and blocks for short operands.
    let tiny = ProductShape {
        most_words: 0,
        most_terms: 0,
        threads: 96,
        transforms: Some(NttParameters {
            threads: 4,
            log_tile: 4,
            log_radix: 2,
            log_columns: 1,
            log_table: 4,
            specialized: false,
        }),
        carries: Some(CarryPlan {
            threads: 16,
            words: 2,
        }),
        ..usual
    };
    let in_parts = ProductShape {
        term_by_term: Some(SchoolbookPlan {
            threads: 8,
            rows: 8,
        }),
        ..usual
    };
    let plan = IntegerPlan {
        threads: 20,
        products: 2,
        columns: 4,
        ..IntegerPlan::default_for(IntegerKernel::Columns, 40, 40).unwrap()
    };
    let by_columns = ProductShape {
        word_by_word: Some((IntegerKernel::Columns, plan)),
        ..usual
    };
    let signed = CoefficientForm {
        words: 2,
        signed: true,
    };
    let over_integers = ProductForm {
        left: signed,
        right: signed,
        bits: 100,
        finish: Finish::Words {
            words: 4,
            signed: true,
        },
    };
    let integers = ProductForm::INTEGERS;
    let mersenne = ProductForm::modulo((1 << 31) - 1, 1);
    let wide = ProductForm::modulo((1 << 61) - 1, 2);
    for (shape, form, terms, batch) in [
        (usual, integers, [3, 4], 5),
        (usual, integers, [20, 19], 7),
        (by_columns, integers, [40, 33], 7),
        (tiny, integers, [20, 30], 3),
        (tiny, integers, [2, 3], 3),
        (tiny, over_integers, [40, 20], 3),
        (tiny, mersenne, [40, 20], 2),
        (tiny, wide, [9, 8], 1),
        (tiny, ProductForm::modulo(97, 1), [9, 8], 2),
        (tiny, ProductForm::modulo(97, 1), [1, 1], 2),
        (in_parts, mersenne, [40, 20], 3),
        (in_parts, mersenne, [40, 8], 3),
        (in_parts, wide, [10, 20], 3),
    ] {
        let problem = ProductProblem { form, terms, batch };
        let multiply = multiplier(&device, shape, problem).unwrap();
        // What is made ready in the first run does not count.
        multiply().unwrap();
        scene.stand_in.reset();
        multiply().unwrap();
        let counted = counts(&shape, &problem, device.info()).unwrap();
        assert_eq!(scene.stand_in.launches(), told(&counted), "{problem:?}");
    }
    scene.nothing_seen();
}

#[test]
fn products_on_the_device_are_the_launches_that_are_counted() {
    let Some(scene) = Scene::new() else { return };
    let device = scene.open().unwrap();
    let stream = device.stream().unwrap();
    let digits = ProductForm::INTEGERS.left;
    // Transforms take two passes, and carries go over several blocks.
    let plan = TransformPlan {
        log_points: 14,
        left: digits,
        right: digits,
        bits: 80,
        finish: Finish::Carry,
    };
    let words = vec![u32::MAX; 5000];
    let operand = ResidentPolynomials::upload(&stream, digits, &[Operand::new(&words, 1)]).unwrap();
    let context = TransformContext::new(&device, plan).unwrap();
    let mut product = context
        .prepare_resident(&stream, &operand, &operand)
        .unwrap();
    product.run(&stream).unwrap();
    scene.stand_in.reset();
    product.run(&stream).unwrap();
    let seen = scene.stand_in.launches();
    let (shape, info) = (context.shape(), device.info());
    let counted = plan_counts(shape, &plan, [words.len(); 2], 1, info).unwrap();
    assert_eq!(seen, told(&counted));
    assert_eq!(seen.len(), 10);
}
