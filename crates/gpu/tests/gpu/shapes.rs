//! Shapes that are passed down to products: odd ones, refused ones, and one for each problem.

use rug::Integer;
use rug::integer::Order;
use std::sync::{Arc, Mutex};
use sunzi_gpu::integer::{IntegerKernel, IntegerPlan};
use sunzi_gpu::ntt::NttParameters;
use sunzi_gpu::products::{
    CarryPlan, IntegerMultiplier, Operand, PolynomialMultiplier, ProductForm, ProductProblem,
    ProductShape, TransformContext, TransformPlan,
};
use sunzi_gpu::schoolbook::SchoolbookPlan;
use sunzi_gpu::{Device, DeviceInfo, DeviceKind, DeviceOptions, GpuError, Selection, survey};
use sunzi_testkit::{Place, Random, convolution_mod, on_every_device, required_or_skipped};

on_every_device![
    odd_shapes_give_the_same_products,
    a_shape_that_does_not_fit_is_an_error_of_the_product,
];

/// Everything as small as can be: blocks, tiles, slots and copies of a few words.
fn tiny(device: &Device) -> ProductShape {
    ProductShape {
        most_words: 0,
        most_terms: 0,
        threads: 7,
        transforms: Some(NttParameters {
            threads: 3,
            log_tile: 4,
            log_radix: 2,
            log_columns: 1,
            log_table: 2,
            specialized: false,
        }),
        carries: Some(CarryPlan {
            threads: 16,
            words: 1,
        }),
        slots: 1,
        slot_bytes: 1,
        overlap_words: 0,
        host_words: 1,
        ..ProductShape::for_device(device.info())
    }
}

/// Short products, cut oddly, by more slots than there are pairs.
fn short(device: &Device) -> ProductShape {
    let plan = IntegerPlan::default_for(IntegerKernel::Columns, 40, 40).unwrap();
    ProductShape {
        most_words: 40,
        most_terms: 50,
        term_percent: 0,
        term_by_term: Some(SchoolbookPlan {
            threads: 5,
            rows: 8,
        }),
        word_by_word: Some((
            IntegerKernel::Columns,
            IntegerPlan {
                threads: 10,
                products: 1,
                columns: 4,
                ..plan
            },
        )),
        slots: 5,
        host_words: 3,
        ..tiny(device)
    }
}

fn integer(words: &[u32]) -> Integer {
    Integer::from_digits(words, Order::Lsf)
}

fn words(random: &mut Random, count: usize) -> Vec<u32> {
    // Every other one of ones, for carries.
    let ones = random.word().is_multiple_of(2);
    let mut word = || if ones { u32::MAX } else { random.word() as u32 };
    (0..count).map(|_| word()).collect()
}

fn check_integers(device: &Device, shape: ProductShape) {
    let polynomials = PolynomialMultiplier::with_shape(device, shape).unwrap();
    let integers = IntegerMultiplier::with_shape(device, shape).unwrap();
    let mut random = Random::new(20);
    let lengths = [[1, 1], [40, 37], [5, 90], [41, 3], [40, 40], [0, 3]];
    let pairs = lengths.map(|pair| pair.map(|count| words(&mut random, count)));
    let refs: Vec<_> = pairs.iter().map(|[a, b]| [&a[..], &b[..]]).collect();
    let mut seen = 0;
    let check = |number: usize, product: &[u32]| {
        let [a, b] = &pairs[number];
        assert!(integer(product) == integer(a) * integer(b), "{number}");
        seen += 1;
    };
    integers.multiply(&polynomials, &refs, check).unwrap();
    assert_eq!(seen, pairs.len());
}

fn check_residues(device: &Device, shape: ProductShape, modulus: u64, words: usize) {
    let multiplier = PolynomialMultiplier::with_shape(device, shape).unwrap();
    let mut random = Random::new(modulus);
    let lengths = [[1, 1], [30, 20], [20, 30], [60, 7], [30, 20]];
    let pairs = lengths.map(|pair| pair.map(|count| random.residues(count, modulus)));
    let split = |values: &Vec<u64>| -> Vec<u32> {
        let halves = |&value: &u64| [value as u32, (value >> 32) as u32].into_iter().take(words);
        values.iter().flat_map(halves).collect()
    };
    let rows = pairs.each_ref().map(|pair| pair.each_ref().map(split));
    let operands: Vec<_> = rows
        .iter()
        .map(|[a, b]| [Operand::new(a, words), Operand::new(b, words)])
        .collect();
    let mut seen = 0;
    let check = |number: usize, product: &[u32]| {
        let [a, b] = &pairs[number];
        assert_eq!(product, split(&convolution_mod(a, b, modulus)), "{number}");
        seen += 1;
    };
    let form = ProductForm::modulo(modulus, words);
    multiplier.multiply(&form, &operands, check).unwrap();
    assert_eq!(seen, pairs.len());
}

fn odd_shapes_give_the_same_products(place: Place) {
    let Some(device) = place.device() else { return };
    for shape in [tiny(&device), short(&device)] {
        check_integers(&device, shape);
        check_residues(&device, shape, (1 << 31) - 1, 1);
        check_residues(&device, shape, (1 << 61) - 1, 2);
    }
}

fn a_shape_that_does_not_fit_is_an_error_of_the_product(place: Place) {
    let Some(device) = place.device() else { return };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (note, usual) = (asked.clone(), ProductShape::for_device(device.info()));
    let multiplier = PolynomialMultiplier::with_shapes(&device, move |problem| {
        note.lock().unwrap().push(*problem);
        let slots = if problem.batch == 3 { 0 } else { 1 };
        ProductShape { slots, ..usual }
    });
    let form = ProductForm::modulo(97, 1);
    let (a, b) = ([2, 1], [3, 1]);
    let pair = [Operand::new(&a, 1), Operand::new(&b, 1)];
    let check = |_: usize, product: &[u32]| assert_eq!(product, [6, 5, 1]);
    multiplier.multiply(&form, &[pair; 2], check).unwrap();
    let problem = ProductProblem {
        form,
        terms: [2; 2],
        batch: 2,
    };
    assert_eq!(*asked.lock().unwrap(), [problem; 3], "each pair, then both");
    let refused = multiplier.multiply(&form, &[pair; 3], check);
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("slots is 0, not between 1 and 64"), "{said}");
    // What is only known with the lengths.
    let kernel = IntegerKernel::Columns;
    let plan = IntegerPlan::default_for(kernel, 20, 20).unwrap();
    let shape = ProductShape {
        word_by_word: Some((kernel, plan)),
        ..usual
    };
    let integers = IntegerMultiplier::with_shape(&device, shape).unwrap();
    let long = vec![1; 1000];
    let refused = integers.multiply(&multiplier, &[[&long[..]; 2]], |_, _| {});
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("threads are too few"), "{said}");
    let none = ProductShape { slots: 0, ..usual };
    assert!(matches!(
        TransformContext::with_shape(&device, plan_of_integers(), none),
        Err(GpuError::Shape(_))
    ));
}

fn plan_of_integers() -> TransformPlan {
    TransformPlan {
        log_points: 14,
        left: ProductForm::INTEGERS.left,
        right: ProductForm::INTEGERS.right,
        bits: 90,
        finish: ProductForm::INTEGERS.finish,
    }
}

/// On a GPU of six processors, two products by three primes are enough for tiles that take one pass.
#[test]
fn larger_batches_may_take_fewer_passes_and_give_the_same() {
    let found = survey();
    let Some(info) = required_or_skipped(found.select(Selection::Any)) else {
        return;
    };
    let info = DeviceInfo {
        kind: DeviceKind::Gpu,
        units: 6,
        shared_memory: 64 << 10,
        ..info.clone()
    };
    let Some(device) = required_or_skipped(Device::open_found(
        &info,
        &DeviceOptions::from_env().unwrap(),
    )) else {
        return;
    };
    let context = TransformContext::new(&device, plan_of_integers()).unwrap();
    let passes = |batch| {
        let transforms = context.transforms(batch).unwrap();
        transforms.plan().passes().len()
    };
    assert_eq!([1, 2, 1].map(passes), [2, 1, 2]);
    let mut random = Random::new(8);
    let pairs = [(); 2].map(|()| [8000, 8384].map(|count| words(&mut random, count)));
    let operands = pairs
        .each_ref()
        .map(|pair| pair.each_ref().map(|row| Operand::new(row, 1)));
    let mut alone = Vec::new();
    for pair in operands {
        context
            .multiply(&[pair], |_, product| alone.push(product.to_vec()))
            .unwrap();
    }
    let check = |number: usize, product: &[u32]| {
        let [a, b] = &pairs[number];
        assert!(integer(product) == integer(a) * integer(b), "{number}");
        assert!(alone[number] == product, "{number}");
    };
    context.multiply(&operands, check).unwrap();
}
