//! Configurations that are passed down to products: how they are cut into pieces, and one for each problem. What kernels and
//! launches become of them is told by the tests of the stand-in for CUDA.

use crate::support::integer;
use std::sync::{Arc, Mutex};
use sunzi_gpu::integer::{IntegerKernel, IntegerPlan};
use sunzi_gpu::products::{
    IntegerMultiplier, Operand, PolynomialMultiplier, ProductConfig, ProductForm, ProductProblem,
};
use sunzi_testkit::{Place, Random, on_every_device};

on_every_device![pieces_of_all_sizes_give_the_same_products];

fn pieces_of_all_sizes_give_the_same_products(place: Place) {
    let Some(device) = place.device() else { return };
    // All by transforms, short ones too; a slot has room for a product or two, and a thread copies a few words.
    let by_transforms = ProductConfig {
        most_words: 0,
        overlap_words: 0,
        ..ProductConfig::for_device(device.info())
    };
    let pair_bytes = 4 << 14;
    let mut random = Random::new(20);
    let mut words = |count| (0..count).map(|_| random.word() as u32).collect::<Vec<_>>();
    let lengths = [
        [100, 100],
        [128, 127],
        [90, 60],
        [1, 200],
        [77, 99],
        [0, 3],
        [150, 3],
    ];
    let pairs = lengths.map(|pair| pair.map(&mut words));
    let operands = pairs.each_ref().map(|[a, b]| [&a[..], &b[..]]);
    for (slots, slot_bytes, host_words) in [
        (1, 1, 1),
        (5, 1, 3),
        (2, pair_bytes, 64),
        (64, 1 << 30, 150),
    ] {
        let config = ProductConfig {
            slots,
            slot_bytes,
            host_words,
            ..by_transforms
        };
        let polynomials = PolynomialMultiplier::with_config(&device, config).unwrap();
        let integers = IntegerMultiplier::with_config(&device, config).unwrap();
        let mut seen = 0;
        let check = |number: usize, product: &[u32]| {
            let [a, b] = &pairs[number];
            assert!(
                integer(product) == integer(a) * integer(b),
                "{config:?}: {number}"
            );
            seen += 1;
        };
        integers.multiply(&polynomials, &operands, check).unwrap();
        assert_eq!(seen, pairs.len());
    }
}

#[test]
fn each_problem_has_its_config_and_one_that_does_not_fit_is_an_error_of_the_product() {
    let Some(device) = Place::OpenCl.device() else {
        return;
    };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (note, usual) = (asked.clone(), ProductConfig::for_device(device.info()));
    let multiplier = PolynomialMultiplier::with_configs(&device, move |problem| {
        note.lock().unwrap().push(*problem);
        let slots = if problem.batch == 3 { 0 } else { 1 };
        ProductConfig { slots, ..usual }
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
    // What can only be told with the lengths.
    let kernel = IntegerKernel::Columns;
    let plan = IntegerPlan::for_device(device.info(), kernel, 20, 20).unwrap();
    let config = ProductConfig {
        word_by_word: Some((kernel, plan)),
        ..usual
    };
    let integers = IntegerMultiplier::with_config(&device, config).unwrap();
    let long = vec![1; 1000];
    let refused = integers.multiply(&multiplier, &[[&long[..]; 2]], |_, _| {});
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("threads are too few"), "{said}");
}
