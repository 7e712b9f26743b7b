//! Batches of products from the host, in pieces, and on the device, against GMP.

use crate::support::integer;
use rug::Integer;
use rug::integer::Order;
use rug::ops::RemRounding;
use sunzi_device::{DeviceOptions, GpuError};
use sunzi_field::primality::ntt_primes;
use sunzi_gpu::products::{
    CarryPlan, CoefficientForm, Finish, IntegerMultiplier, Operand, PolynomialMultiplier,
    ProductConfig, ProductForm, ResidentPolynomials, TransformContext, TransformPlan,
};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, convolution_mod, on_every_device};

on_every_device![
    integers_of_all_lengths,
    runs_of_ones_times_sums_of_powers_of_two,
    integers_word_by_word_and_by_transforms,
    a_device_with_little_memory_multiplies_in_pieces,
    polynomials_over_the_integers,
    products_of_the_sizes_of_2009,
    polynomials_modulo_primes,
    short_products_modulo_primes_meet_those_by_transforms,
    one_short_operand_serves_all_residues,
    one_right_operand_serves_all,
    operands_stay_on_the_device,
    operands_of_another_form_are_refused,
];
as_gpu![integers_of_all_lengths, polynomials_modulo_primes];

as_ptx![
    integers_of_all_lengths,
    runs_of_ones_times_sums_of_powers_of_two,
    integers_word_by_word_and_by_transforms,
    polynomials_over_the_integers,
    products_of_the_sizes_of_2009,
    polynomials_modulo_primes,
    short_products_modulo_primes_meet_those_by_transforms,
    one_short_operand_serves_all_residues,
    one_right_operand_serves_all,
    operands_stay_on_the_device,
];

/// The products that a transformer finds for pairs of rows of words.
fn products(
    transformer: &PolynomialMultiplier,
    form: &ProductForm,
    pairs: &[[Vec<u32>; 2]],
) -> Vec<Vec<u32>> {
    let operands: Vec<_> = pairs
        .iter()
        .map(|[left, right]| {
            [
                Operand::new(left, form.left.words),
                Operand::new(right, form.right.words),
            ]
        })
        .collect();
    let mut found = vec![None; pairs.len()];
    let take = |number: usize, words: &[u32]| {
        let before = found[number].replace(words.to_vec());
        assert!(before.is_none(), "product {number} came twice");
    };
    transformer.multiply(form, &operands, take).unwrap();
    found
        .into_iter()
        .map(|words| words.expect("every product comes"))
        .collect()
}

/// Words of which many are such that carries run far.
fn digits(random: &mut Random, count: usize) -> Vec<u32> {
    let kind = random.word() % 4;
    (0..count)
        .map(|i| match kind {
            0 => u32::MAX,
            1 => random.word() as u32,
            2 => [0, u32::MAX, 1, 1 << 31][random.word() as usize % 4],
            _ => u32::from(i + 1 == count),
        })
        .collect()
}

fn check_integers(transformer: &PolynomialMultiplier, lengths: &[[usize; 2]]) {
    let mut random = Random::new(lengths.len() as u64);
    let pairs: Vec<_> = lengths
        .iter()
        .map(|pair| pair.map(|count| digits(&mut random, count)))
        .collect();
    let found = products(transformer, &ProductForm::INTEGERS, &pairs);
    for ([a, b], product) in pairs.iter().zip(found) {
        assert!(
            integer(&product) == integer(a) * integer(b),
            "{} by {} words",
            a.len(),
            b.len()
        );
        let expected = if a.is_empty() || b.is_empty() {
            0
        } else {
            a.len() + b.len()
        };
        assert_eq!(product.len(), expected);
    }
}

fn integers_of_all_lengths(place: Place) {
    let Some(device) = place.device() else { return };
    let transformer = PolynomialMultiplier::new(&device);
    let mut lengths = vec![[0, 0], [0, 5], [5, 0]];
    for a in [1, 2, 3, 31] {
        for b in [1, 4, 29, 33] {
            lengths.push([a, b]);
        }
    }
    lengths.extend([[1 << 12; 2]; 10]);
    let long: &[_] = &[
        [1 << 16, 1],
        [65_536, 65_536],
        [100_000, 31_072],
        [65_535, 65_537],
    ];
    lengths.extend(place.pick(long, &long[..2]));
    check_integers(&transformer, &lengths);
}

/// (2^a − 1)·(2^b + 2^c + 1) for ends of words, of a thread's words and of blocks, where carries go through whole blocks: in
/// blocks of 64 words all ends against all, and in those of 2048 words that long products have, a run of two through a third.
fn runs_of_ones_times_sums_of_powers_of_two(place: Place) {
    let Some(device) = place.device() else { return };
    let around = |bits: &[u32]| -> Vec<u32> {
        let each = bits.iter();
        each.flat_map(|bits| [bits - 1, *bits, bits + 1]).collect()
    };
    let plan = CarryPlan {
        threads: 32,
        words: 2,
    };
    let config = ProductConfig {
        carries: Some(plan),
        ..ProductConfig::for_device(device.info())
    };
    let all: &[u32] = &[32, 64, 2048, 4096, 5120];
    let lengths = around(place.pick(all, &all[2..4]));
    let short = PolynomialMultiplier::with_config(&device, config).unwrap();
    check_runs_of_ones(&short, &lengths, &lengths);
    let usual = PolynomialMultiplier::new(&device);
    check_runs_of_ones(&usual, &around(&[131_072]), &around(&[65_536]));
}

fn check_runs_of_ones(transformer: &PolynomialMultiplier, runs: &[u32], sums: &[u32]) {
    let words = |value: &Integer| value.to_digits::<u32>(Order::Lsf);
    let mut pairs = Vec::new();
    for (i, &a) in runs.iter().enumerate() {
        for (j, &b) in sums.iter().enumerate() {
            let ones = (Integer::from(1) << a) - 1u32;
            let lower = sums[(i + j) % sums.len()].min(b);
            let sum = (Integer::from(1) << b) + (Integer::from(1) << lower) + 1u32;
            pairs.push([words(&ones), words(&sum)]);
        }
    }
    let found = products(transformer, &ProductForm::INTEGERS, &pairs);
    for ([a, b], product) in pairs.iter().zip(found) {
        let case = || format!("{} by {} words", a.len(), b.len());
        assert!(integer(&product) == integer(a) * integer(b), "{}", case());
    }
}

fn integers_word_by_word_and_by_transforms(place: Place) {
    let Some(device) = place.device() else { return };
    let (transformer, integers) = (
        PolynomialMultiplier::new(&device),
        IntegerMultiplier::new(&device),
    );
    let mut random = Random::new(9);
    let lengths = [0, 1, 7, 17, 100, 1024, 1025];
    let rows: Vec<_> = lengths.map(|length| digits(&mut random, length)).to_vec();
    let mut pairs: Vec<[&[u32]; 2]> = Vec::new();
    for a in &rows {
        pairs.extend(rows.iter().map(|b| [&a[..], &b[..]]));
    }
    let mut seen = vec![false; pairs.len()];
    let check = |number: usize, words: &[u32]| {
        let [a, b] = pairs[number];
        assert!(
            integer(words) == integer(a) * integer(b),
            "{} by {} words",
            a.len(),
            b.len()
        );
        assert!(
            !std::mem::replace(&mut seen[number], true),
            "product {number} came twice"
        );
    };
    integers.multiply(&transformer, &pairs, check).unwrap();
    assert!(seen.iter().all(|&seen| seen));
    // One right operand for all, in several pieces.
    let right = digits(&mut random, 64);
    let left: Vec<_> = (0..12_000).map(|_| digits(&mut random, 60)).collect();
    let pairs: Vec<_> = left.iter().map(|left| [&left[..], &right[..]]).collect();
    let mut next = 0;
    let check = |number: usize, words: &[u32]| {
        assert_eq!(number, next, "in order");
        next += 1;
        if number.is_multiple_of(97) {
            assert!(integer(words) == integer(&left[number]) * integer(&right));
        }
    };
    integers.multiply(&transformer, &pairs, check).unwrap();
    assert_eq!(next, left.len());
}

/// Pieces of all kinds, on a device of 3/8 MiB.
fn check_more_pieces(transformer: &PolynomialMultiplier) {
    check_integers(transformer, &[[250, 375]; 40]);
    // Halves of which each carries through all of the other's.
    let half: u32 = 32 * 6250;
    let ones = (Integer::from(1) << (2 * half)) - 1u32;
    let sum = (Integer::from(1) << half) + (Integer::from(1) << 31);
    let pair = [&ones, &sum].map(|value| value.to_digits::<u32>(Order::Lsf));
    let found = products(transformer, &ProductForm::INTEGERS, &[pair]);
    assert!(integer(&found[0]) == ones * sum);
    // Signed coefficients of several words, cut up and added again.
    let form = signed_form(3, 2, 6, 161);
    check_polynomials(transformer, form, &[[900, 2200], [10, 10]]);
    check_modular(transformer, (1 << 61) - 1, 2, &[[2500, 3750]]);
    check_modular(transformer, 1_000_003, 1, &[[2500, 3750]]);
    // Term by term, with and without room for all; and by transforms where there is none.
    check_modular(transformer, 1_000_003, 1, &[[3, 7500]; 9]);
    check_modular(transformer, (1 << 61) - 1, 2, &[[7500, 2]; 9]);
    check_modular(transformer, (1 << 61) - 1, 2, &[[20, 30]; 225]);
    // Many short pairs, of which not all fit at once.
    check_integers(transformer, &[[3, 2]; 2500]);
}

fn a_device_with_little_memory_multiplies_in_pieces(place: Place) {
    let options = DeviceOptions {
        memory_limit: Some(3 << 17),
        ..DeviceOptions::default()
    };
    let Some(device) = place.device_with(&options) else {
        return;
    };
    let transformer = PolynomialMultiplier::new(&device);
    check_integers(&transformer, &[[12_500, 8750], [3, 25_000], [100, 100]]);
    if place.pick(true, false) {
        check_more_pieces(&transformer);
    }
    // And where not even short pieces fit, that is said.
    let options = DeviceOptions {
        memory_limit: Some(1 << 10),
        ..DeviceOptions::default()
    };
    let device = place.device_with(&options).unwrap();
    let words = vec![1; 1000];
    let pair = [Operand::new(&words, 1); 2];
    let refused =
        PolynomialMultiplier::new(&device).multiply(&ProductForm::INTEGERS, &[pair], |_, _| {});
    assert!(
        matches!(refused, Err(GpuError::OutOfMemory { .. })),
        "{refused:?}"
    );
}

/// A form over ℤ: words of coefficients left and right, of the product's, and bits.
fn signed_form(left: usize, right: usize, words: usize, bits: u64) -> ProductForm {
    let coefficients = |words| CoefficientForm {
        words,
        signed: true,
    };
    ProductForm {
        left: coefficients(left),
        right: coefficients(right),
        bits,
        finish: Finish::Words {
            words,
            signed: true,
        },
    }
}

/// The number that words in two's complement stand for.
fn signed_value(words: &[u32]) -> Integer {
    let value = integer(words);
    match words.last() {
        Some(&top) if top >> 31 == 1 => value - (Integer::from(1) << (32 * words.len() as u32)),
        _ => value,
    }
}

/// The value of a polynomial at 2^bits: products of polynomials are products of such values, where coefficients are
/// below 2^(bits − 1).
fn at_power(values: &[Integer], bits: u32) -> Integer {
    match values {
        [] => Integer::new(),
        [value] => value.clone(),
        _ => {
            let (low, high) = values.split_at(values.len() / 2);
            at_power(low, bits) + (at_power(high, bits) << (bits * low.len() as u32))
        }
    }
}

fn check_polynomials(
    transformer: &PolynomialMultiplier,
    form: ProductForm,
    lengths: &[[usize; 2]],
) {
    let mut random = Random::new(lengths.len() as u64);
    let words = [form.left.words, form.right.words];
    let Finish::Words { words: out, .. } = form.finish else {
        panic!("over the integers")
    };
    let pairs: Vec<_> = lengths
        .iter()
        .map(|pair| [0, 1].map(|side| digits(&mut random, pair[side] * words[side])))
        .collect();
    let found = products(transformer, &form, &pairs);
    for ((pair, product), lengths) in pairs.iter().zip(found).zip(lengths) {
        let values = |side: usize| {
            pair[side]
                .chunks(words[side])
                .map(signed_value)
                .collect::<Vec<_>>()
        };
        let product: Vec<_> = product.chunks(out).map(signed_value).collect();
        let terms = if lengths.contains(&0) {
            0
        } else {
            lengths[0] + lengths[1] - 1
        };
        assert_eq!(product.len(), terms);
        let bits = 32 * (out as u32 + 1);
        let expected = at_power(&values(0), bits) * at_power(&values(1), bits);
        assert!(at_power(&product, bits) == expected, "{lengths:?}");
    }
}

fn polynomials_over_the_integers(place: Place) {
    let Some(device) = place.device() else { return };
    let transformer = PolynomialMultiplier::new(&device);
    let lengths = [
        [1, 1],
        [0, 3],
        [5, 7],
        [300, 200],
        [300, 200],
        [1000, 24],
        [4096, 4097],
    ];
    check_polynomials(&transformer, signed_form(1, 1, 3, 65), &lengths);
    check_polynomials(&transformer, signed_form(2, 4, 7, 193), &lengths);
}

fn products_of_the_sizes_of_2009(place: Place) {
    let Some(device) = place.device() else { return };
    let transformer = PolynomialMultiplier::new(&device);
    // 256 terms of 41 bits to 1024 terms of 64 bits, in batches.
    check_polynomials(&transformer, signed_form(2, 2, 5, 129), &[[256; 2]; 16]);
    check_polynomials(&transformer, signed_form(3, 3, 7, 193), &[[1024; 2]; 9]);
}

fn check_modular(
    transformer: &PolynomialMultiplier,
    modulus: u64,
    words: usize,
    lengths: &[[usize; 2]],
) {
    let mut random = Random::new(modulus);
    let form = ProductForm::modulo(modulus, words);
    let mut residues = |count: usize| {
        let mut values = random.residues(count, modulus);
        // The largest residues make the largest sums.
        for value in values.iter_mut().take(count / 2) {
            *value = modulus - 1;
        }
        let split = |value: u64| [value as u32, (value >> 32) as u32].into_iter().take(words);
        values.into_iter().flat_map(split).collect::<Vec<_>>()
    };
    let pairs: Vec<_> = lengths.iter().map(|pair| pair.map(&mut residues)).collect();
    let found = products(transformer, &form, &pairs);
    for (pair, product) in pairs.iter().zip(found) {
        let values = |side: &[u32]| side.chunks(words).map(integer).collect::<Vec<_>>();
        let [left, right] = [0, 1].map(|side: usize| at_power(&values(&pair[side]), 192));
        let whole = left * right;
        let mut limbs = whole.to_digits::<u64>(Order::Lsf);
        limbs.resize(3 * product.len().div_ceil(words), 0);
        for (words, limbs) in product.chunks(words).zip(limbs.chunks(3)) {
            let coefficient = Integer::from_digits(limbs, Order::Lsf);
            let expected = coefficient.rem_euc(Integer::from(modulus));
            assert_eq!(integer(words), expected, "mod {modulus}");
        }
    }
}

fn polynomials_modulo_primes(place: Place) {
    let Some(device) = place.device() else { return };
    let transformer = PolynomialMultiplier::new(&device);
    let lengths = [[1, 1], [2, 5], [100, 28], [500, 500]];
    // With transforms of their own, short and long; without; of more than a word.
    for modulus in [
        3,
        97,
        257,
        469_762_049,
        2_013_265_921,
        1_000_003,
        (1 << 31) - 1,
        (1 << 31) + 11,
        u64::from(u32::MAX) - 4,
    ] {
        check_modular(&transformer, modulus, 1, &lengths);
    }
    for modulus in [
        97,
        469_762_049,
        (1 << 60) - (1 << 18) + 1,
        (1 << 61) - 1,
        (1 << 63) - 25,
    ] {
        check_modular(&transformer, modulus, 2, &lengths);
    }
    // Up to 1024 points the modulus has transforms, and beyond it has none; one of 63 bits that has.
    let ends = ntt_primes(33, 10).find(|prime| (prime - 1).trailing_zeros() == 10);
    let ends = ends.unwrap();
    check_modular(&transformer, ends, 2, &[[512, 513]]);
    if place.pick(true, false) {
        check_modular(&transformer, ends, 2, &[[512, 514]; 3]);
        check_modular(
            &transformer,
            (1 << 63) - (7 << 32) + 1,
            2,
            &[[200, 300], [300, 129]],
        );
    }
}

/// Lengths around those up to which products are computed term by term, equal and not, one at a time and mixed.
fn short_products_modulo_primes_meet_those_by_transforms(place: Place) {
    let Some(device) = place.device() else { return };
    let multiplier = PolynomialMultiplier::new(&device);
    for (modulus, words) in [
        (469_762_049, 1),
        ((1 << 31) - 1, 1),
        (5, 2),
        ((1 << 61) - 1, 2),
        ((1 << 63) - 25, 2),
    ] {
        let all: &[usize] = &[
            1, 46, 64, 125, 31, 45, 47, 54, 58, 65, 68, 69, 123, 124, 130,
        ];
        let equal = place.pick(all, &all[..4]);
        let mut lengths: Vec<_> = equal.iter().map(|&length| [length; 2]).collect();
        for &length in equal {
            check_modular(&multiplier, modulus, words, &[[length; 2]]);
        }
        lengths.extend([[3, 1000], [1000, 3], [0, 5], [5, 0], [200, 17], [17, 200]]);
        lengths.extend([[33, 31]; 50]);
        check_modular(&multiplier, modulus, words, &lengths);
    }
}

/// One short right operand, on either side of the longer ones, is copied once.
fn one_short_operand_serves_all_residues(place: Place) {
    let Some(device) = place.device() else { return };
    let multiplier = PolynomialMultiplier::new(&device);
    let (modulus, mut random) = (2_147_483_647, Random::new(8));
    let mut words = |count| {
        let residues = random.residues(count, modulus);
        residues.into_iter().map(|x| x as u32).collect::<Vec<_>>()
    };
    let right = words(20);
    let left: Vec<_> = (0..30).map(|i| words(5 + i)).collect();
    let pairs: Vec<_> = left
        .iter()
        .map(|left| [Operand::new(left, 1), Operand::new(&right, 1)])
        .collect();
    let mut seen = 0;
    let form = ProductForm::modulo(modulus, 1);
    let check = |number: usize, product: &[u32]| {
        let residues = |words: &[u32]| words.iter().map(|&x| x.into()).collect::<Vec<u64>>();
        let expected = convolution_mod(&residues(&left[number]), &residues(&right), modulus);
        assert_eq!(residues(product), expected);
        seen += 1;
    };
    multiplier.multiply(&form, &pairs, check).unwrap();
    assert_eq!(seen, left.len());
}

fn one_right_operand_serves_all(place: Place) {
    let Some(device) = place.device() else { return };
    let transformer = PolynomialMultiplier::new(&device);
    let mut random = Random::new(5);
    let right = digits(&mut random, 300);
    let left: Vec<_> = (0..40).map(|i| digits(&mut random, 200 + i)).collect();
    let pairs: Vec<_> = left
        .iter()
        .map(|left| [Operand::new(left, 1), Operand::new(&right, 1)])
        .collect();
    let mut seen = 0;
    let check = |number: usize, words: &[u32]| {
        assert_eq!(integer(words), integer(&left[number]) * integer(&right));
        seen += 1;
    };
    transformer
        .multiply(&ProductForm::INTEGERS, &pairs, check)
        .unwrap();
    assert_eq!(seen, 40);
}

fn operands_stay_on_the_device(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let mut random = Random::new(6);
    let digit = ProductForm::INTEGERS.left;
    let plan = |log_points| TransformPlan {
        log_points,
        left: digit,
        right: digit,
        bits: 90,
        finish: Finish::Carry,
    };
    let [a, b, c] = [60, 68, 100].map(|count| {
        let rows: Vec<_> = (0..5).map(|_| digits(&mut random, count)).collect();
        let operands: Vec<_> = rows.iter().map(|row| Operand::new(row, 1)).collect();
        let resident = ResidentPolynomials::upload(&stream, digit, &operands).unwrap();
        (rows, resident)
    });
    let first = TransformContext::new(&device, plan(7)).unwrap();
    let second = TransformContext::new(&device, plan(8)).unwrap();
    // (a·b)·c, of which a·b never leaves the device; then all of them by the first of c.
    let ab = first.multiply_resident(&stream, &a.1, &b.1).unwrap();
    let abc = second.multiply_resident(&stream, &ab, &c.1).unwrap();
    let one = ResidentPolynomials::upload(&stream, digit, &[Operand::new(&c.0[0], 1)]).unwrap();
    let by_one = second.multiply_resident(&stream, &ab, &one).unwrap();
    assert_eq!((ab.len(), ab.form()), (5, digit));
    let (abc, by_one) = (
        abc.download(&stream).unwrap(),
        by_one.download(&stream).unwrap(),
    );
    for i in 0..5 {
        let product = integer(&a.0[i]) * integer(&b.0[i]);
        assert_eq!(integer(&abc[i]), product.clone() * integer(&c.0[i]));
        assert_eq!(integer(&by_one[i]), product * integer(&c.0[0]));
    }
    assert!(
        first.multiply_resident(&stream, &ab, &c.1).is_err(),
        "too long for these transforms"
    );
    let four = ResidentPolynomials::upload(&stream, digit, &[Operand::new(&c.0[0], 1); 4]).unwrap();
    assert!(
        second.multiply_resident(&stream, &ab, &four).is_err(),
        "five by four"
    );
    let wide = CoefficientForm {
        words: 2,
        signed: false,
    };
    let wide = ResidentPolynomials::upload(&stream, wide, &[Operand::new(&c.0[0], 2); 5]).unwrap();
    assert!(
        second.multiply_resident(&stream, &ab, &wide).is_err(),
        "another form"
    );
}

fn operands_of_another_form_are_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let transformer = PolynomialMultiplier::new(&device);
    let words = [1, 2, 3, 4];
    let pair = [Operand::new(&words, 1), Operand::new(&words, 2)];
    let refused = transformer.multiply(&ProductForm::INTEGERS, &[pair], |_, _| {});
    assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    let even = ProductForm {
        finish: Finish::Modulo32(10),
        ..ProductForm::INTEGERS
    };
    let pair = [Operand::new(&words, 1); 2];
    assert!(transformer.multiply(&even, &[pair], |_, _| {}).is_err());
    // Short operands of residues, which are multiplied term by term, too.
    for (form, pair) in [
        (ProductForm::modulo(97, 1), [1, 2]),
        (ProductForm::modulo(97, 1), [2, 2]),
        (ProductForm::modulo((1 << 61) - 1, 2), [2, 1]),
        (ProductForm::modulo((1 << 61) - 1, 2), [4, 4]),
    ] {
        let pair = pair.map(|count| Operand::new(&words, count));
        let refused = transformer.multiply(&form, &[pair], |_, _| {});
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
}
