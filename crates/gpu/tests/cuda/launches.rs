//! What products launch on a device is what is counted without one, and right, whatever their configuration.

use crate::Scene;
use rug::Integer;
use rug::integer::Order;
use sunzi_device::LaunchWork;
use sunzi_device::{Device, DeviceInfo, GpuError};
use sunzi_gpu::integer::{IntegerKernel, IntegerPlan};
use sunzi_gpu::ntt::NttParameters;
use sunzi_gpu::products::{
    CarryPlan, CoefficientForm, Finish, IntegerMultiplier, Operand, PolynomialMultiplier,
    ProductConfig, ProductForm, ProductProblem, ResidentPolynomials, TransformContext,
    TransformPlan,
};
use sunzi_gpu::schoolbook::SchoolbookPlan;
use sunzi_gpu::tuning::{counts, plan_counts};
use sunzi_testkit::{Random, SeenLaunch, convolution_mod};

fn told(launches: &[LaunchWork]) -> Vec<SeenLaunch> {
    let told = |launch: &LaunchWork| SeenLaunch {
        kernel: launch.kernel.to_owned(),
        groups: launch.groups,
        threads: launch.threads,
        shared_bytes: launch.shared_bytes,
    };
    launches.iter().map(told).collect()
}

fn integer(words: &[u32]) -> Integer {
    Integer::from_digits(words, Order::Lsf)
}

/// The words of a product, by its definition.
fn expected(form: &ProductForm, [a, b]: &[Vec<u32>; 2]) -> Vec<u32> {
    if let Finish::Modulo32(modulus) = form.finish {
        let [a, b] = [a, b].map(|words| words.iter().map(|&word| word.into()).collect::<Vec<_>>());
        let product = convolution_mod(&a, &b, modulus.into());
        return product.into_iter().map(|word| word as u32).collect();
    }
    if let Finish::Modulo64(modulus) = form.finish {
        let value = |words: &[u32]| u64::from(words[0]) | u64::from(words[1]) << 32;
        let [a, b] = [a, b].map(|words| words.chunks(2).map(value).collect::<Vec<_>>());
        let product = convolution_mod(&a, &b, modulus);
        let halves = |value: u64| [value as u32, (value >> 32) as u32];
        return product.into_iter().flat_map(halves).collect();
    }
    // Polynomials are single coefficients, so that their products are those of integers.
    let mut words = (integer(a) * integer(b)).to_digits(Order::Lsf);
    words.resize(a.len() + b.len(), 0);
    words
}

/// Random words, or residues: of two words, those whose words are both below the modulus's higher one.
fn operand(random: &mut Random, form: &ProductForm, words: usize) -> Vec<u32> {
    let modulus = match form.finish {
        Finish::Modulo32(modulus) => u64::from(modulus),
        Finish::Modulo64(modulus) => modulus >> 32,
        _ => 1 << 32,
    };
    (0..words)
        .map(|_| (random.word() % modulus) as u32)
        .collect()
}

/// Multiplies by a configuration, twice, and sees what the second time launches: what is made ready in the first does not count.
pub(crate) fn launched(
    scene: &Scene,
    device: &Device,
    config: ProductConfig,
    problem: ProductProblem,
) -> Result<Vec<SeenLaunch>, GpuError> {
    let ProductProblem { form, terms, batch } = problem;
    let polynomials = PolynomialMultiplier::with_config(device, config)?;
    let integers = IntegerMultiplier::with_config(device, config)?;
    let mut random = Random::new(7);
    let mut pair = || {
        let [a, b] = [(terms[0], form.left), (terms[1], form.right)];
        [a, b].map(|(terms, coefficients)| operand(&mut random, &form, terms * coefficients.words))
    };
    let pairs: Vec<_> = (0..batch).map(|_| pair()).collect();
    let multiply = || {
        let check = |number: usize, words: &[u32]| {
            assert_eq!(words, expected(&form, &pairs[number]), "{problem:?}");
        };
        if form == ProductForm::INTEGERS {
            let pairs: Vec<_> = pairs.iter().map(|[a, b]| [&a[..], &b[..]]).collect();
            return integers.multiply(&polynomials, &pairs, check);
        }
        let operands: Vec<_> = pairs
            .iter()
            .map(|[a, b]| {
                let left = Operand::new(a, form.left.words);
                [left, Operand::new(b, form.right.words)]
            })
            .collect();
        polynomials.multiply(&form, &operands, check)
    };
    multiply()?;
    scene.stand_in.reset();
    multiply()?;
    Ok(scene.stand_in.launches())
}

#[test]
fn products_of_odd_configs_are_right_and_the_launches_that_are_counted() {
    let Some(scene) = Scene::new() else { return };
    let device = scene.open().unwrap();
    let usual = ProductConfig::for_device(device.info());
    // Several passes and blocks for short operands, a piece at a time.
    let tiny = ProductConfig {
        most_words: 0,
        most_terms: 0,
        threads: 96,
        transforms: Some(NttParameters {
            threads: 3,
            log_tile: 4,
            log_radix: 2,
            log_columns: 1,
            log_table: 2,
            specialized: false,
        }),
        wide_transforms: Some(NttParameters {
            threads: 5,
            log_tile: 3,
            log_radix: 1,
            log_columns: 1,
            log_table: 2,
            specialized: false,
        }),
        carries: Some(CarryPlan {
            threads: 16,
            words: 2,
        }),
        slots: 1,
        ..usual
    };
    let in_parts = ProductConfig {
        term_percent: 0,
        most_terms: 40,
        term_by_term: Some(SchoolbookPlan {
            threads: 5,
            rows: 8,
        }),
        ..tiny
    };
    let plan = IntegerPlan {
        threads: 21,
        products: 2,
        columns: 4,
        ..IntegerPlan::for_device(device.info(), IntegerKernel::Columns, 40, 40).unwrap()
    };
    let by_columns = ProductConfig {
        most_words: 40,
        word_by_word: Some((IntegerKernel::Columns, plan)),
        ..tiny
    };
    let coefficient = CoefficientForm {
        words: 2,
        signed: false,
    };
    let over_integers = ProductForm {
        left: coefficient,
        right: coefficient,
        bits: 128,
        finish: Finish::Words {
            words: 4,
            signed: false,
        },
    };
    let integers = ProductForm::INTEGERS;
    let mersenne = ProductForm::modulo((1 << 31) - 1, 1);
    // A prime of 61 bits with transforms.
    let wide = ProductForm::modulo((1 << 61) - (7 << 32) + 1, 2);
    for (config, form, terms, batch) in [
        (usual, integers, [3, 4], 5),
        (by_columns, integers, [40, 33], 7),
        (by_columns, integers, [41, 30], 2),
        (tiny, integers, [20, 30], 3),
        (tiny, integers, [2, 3], 3),
        (tiny, over_integers, [1, 1], 300),
        (tiny, mersenne, [40, 20], 2),
        (tiny, wide, [9, 40], 2),
        (in_parts, mersenne, [40, 20], 3),
        (in_parts, mersenne, [40, 8], 3),
        (in_parts, mersenne, [41, 8], 3),
    ] {
        let problem = ProductProblem { form, terms, batch };
        let seen = launched(&scene, &device, config, problem).unwrap();
        let counted = counts(&config, &problem, device.info()).unwrap();
        assert_eq!(seen, told(&counted), "{problem:?}");
    }
    scene.nothing_seen();
}

#[test]
fn products_on_the_device_are_the_launches_that_are_counted() {
    let Some(scene) = Scene::new() else { return };
    // Of so few processors that two products by three primes have groups for all with tiles of a whole transform.
    let info = DeviceInfo {
        units: 6,
        ..scene.open().unwrap().info().clone()
    };
    let device = Device::open_found(&info, &scene.options).unwrap();
    let stream = device.stream().unwrap();
    // Carries go over several blocks.
    let plan = TransformPlan {
        log_points: 14,
        left: ProductForm::INTEGERS.left,
        right: ProductForm::INTEGERS.right,
        bits: 80,
        finish: Finish::Carry,
    };
    let context = TransformContext::new(&device, plan).unwrap();
    let mut random = Random::new(9);
    let rows = [(); 2].map(|()| operand(&mut random, &ProductForm::INTEGERS, 8000));
    let mut products = Vec::new();
    for (count, passes) in [(1, 2), (2, 1)] {
        let operands: Vec<_> = rows.iter().map(|row| Operand::new(row, 1)).collect();
        let operands = &operands[..count];
        let resident = ResidentPolynomials::upload(&stream, plan.left, operands).unwrap();
        let mut product = context
            .prepare_resident(&stream, &resident, &resident)
            .unwrap();
        product.run(&stream).unwrap();
        scene.stand_in.reset();
        product.run(&stream).unwrap();
        let seen = scene.stand_in.launches();
        let counted = plan_counts(context.config(), &plan, [8000; 2], count, &info).unwrap();
        assert_eq!(seen, told(&counted));
        let of_passes = seen.iter().filter(|launch| launch.kernel == "ntt_pass");
        assert_eq!(of_passes.count(), 2 * passes);
        products.push(product.products().download(&stream).unwrap());
    }
    for (row, product) in rows.iter().zip(&products[1]) {
        assert!(integer(product) == integer(row).square());
    }
    assert!(products[0][0] == products[1][0], "by two passes and by one");
    drop(context);
    scene.nothing_seen();
}
