//! Transforms modulo r^k + 1 against their definition.

use crate::support::any;
use rug::Integer;
use rug::ops::Pow;
use sunzi_device::{Device, GpuError};
use sunzi_field::generalized_fermat::NAMED;
use sunzi_field::{Digits, GeneralizedFermat, TwoAdicField, with_digits};
use sunzi_gpu::big_prime::{BigPrimeConfig, BigPrimeContext};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, on_every_device};

on_every_device![
    transforms_are_the_definition_and_go_back,
    transforms_are_the_definition_however_they_are_cut,
    convolutions_are_products_modulo_x_to_the_n_minus_and_plus_1,
    what_does_not_fit_is_refused,
];
as_gpu![transforms_are_the_definition_and_go_back];

as_ptx![
    transforms_are_the_definition_and_go_back,
    transforms_are_the_definition_however_they_are_cut,
    convolutions_are_products_modulo_x_to_the_n_minus_and_plus_1,
];

/// The number that digits stand for.
fn number(digits: &[u64], radix: u64) -> Integer {
    let horner = |sum: Integer, &digit: &u64| sum * radix + digit;
    digits.iter().rev().fold(Integer::new(), horner)
}

/// Random elements, and those that break carries.
fn elements<const K: usize>(radix: u64, count: usize) -> Vec<Digits<K>> {
    let mut random = Random::new(radix);
    let element = |index: usize| {
        let mut digits = [0; K];
        match index % 8 {
            0 => digits[K - 1] = radix,
            1 => digits = [radix - 1; K],
            2 => digits[index % K] = 1,
            3 => digits[0] = radix.min(1 << 33) / 2,
            4 => {}
            _ => digits.copy_from_slice(&random.residues(K, radix)),
        }
        Digits(digits)
    };
    (0..count).map(element).collect()
}

/// Two transforms at an offset, there and back, and products of values.
fn check<const K: usize>(device: &Device, field: &GeneralizedFermat<K>, log_n: u32) {
    let context = BigPrimeContext::new(device, &any(field), log_n, 2).unwrap();
    let x = elements::<K>(field.radix(), 2 * context.points() + 1);
    check_of(device, field, &context, &x);
}

/// The same in passes that a few digits cut, of operands whose sums are as large as any, too.
fn check_cut<const K: usize>(
    device: &Device,
    field: &GeneralizedFermat<K>,
    log_n: u32,
    config: BigPrimeConfig,
    passes: &[u32],
) {
    let context = BigPrimeContext::with_config(device, &any(field), log_n, 2, config).unwrap();
    assert_eq!(context.plan().passes(), passes);
    let (points, radix) = (context.points(), field.radix());
    let mut x = elements::<K>(radix, 2 * points + 1);
    check_of(device, field, &context, &x);
    // Balanced, these are the highest and nearly the lowest; and one for another.
    x[1..=points].fill(Digits([radix / 2; K]));
    x[points + 1..].fill(Digits([radix / 2 + 1; K]));
    check_of(device, field, &context, &x);
    for (index, x) in x
        .iter_mut()
        .enumerate()
        .filter(|(index, _)| index / 2 % 2 == 0)
    {
        *x = Digits([radix / 2 + (index % 2) as u64; K]);
    }
    check_of(device, field, &context, &x);
}

fn check_of<const K: usize>(
    device: &Device,
    field: &GeneralizedFermat<K>,
    context: &BigPrimeContext,
    x: &[Digits<K>],
) {
    let (points, radix) = (context.points(), field.radix());
    let log_n = points.ilog2();
    let p = Integer::from(radix).pow(K as u32) + 1u32;
    let stream = device.stream().unwrap();
    let words = Digits::words_of(x);
    let mut data = device.filled(&stream, words).unwrap();
    context.forward(&stream, (&mut data, 1), 2).unwrap();
    let mut found = vec![0; words.len()];
    stream.read(&data, &mut found).unwrap();
    assert_eq!(found[..K], words[..K]);
    let root = number(&field.root_of_unity(log_n).unwrap().0, radix);
    let mut values = vec![];
    for (index, value) in found.chunks(K).enumerate().skip(1) {
        let (vector, j) = ((index - 1) / points, (index - 1) % points);
        let point = root.clone().pow_mod(&Integer::from(j), &p).unwrap();
        let of_vector = &words[(1 + vector * points) * K..][..points * K];
        let horner = |sum: Integer, x: &[u64]| (sum * &point + number(x, radix)) % &p;
        let expected = of_vector.chunks(K).rev().fold(Integer::new(), horner);
        let canonical = value.iter().all(|&digit| digit < radix)
            || (value[K - 1] == radix && value[..K - 1].iter().all(|&digit| digit == 0));
        assert!(canonical, "{radix}^{K}+1, {points} points, {index}");
        assert_eq!(
            number(value, radix),
            expected,
            "{radix}^{K}+1, {points} points, {index}"
        );
        values.push(expected);
    }
    let mut back = device.filled(&stream, &found).unwrap();
    context.inverse(&stream, (&mut back, 1), 2).unwrap();
    let mut same = vec![0; words.len()];
    stream.read(&back, &mut same).unwrap();
    assert!(same == words, "{radix}^{K}+1, {points} points, back");
    for broadcast in [true, false] {
        let mut products = device.filled(&stream, &found).unwrap();
        context
            .multiply(&stream, (&mut products, 1), (&data, 1), 2, broadcast)
            .unwrap();
        stream.read(&products, &mut same).unwrap();
        for (index, product) in same.chunks(K).skip(1).enumerate() {
            let other = if broadcast { index % points } else { index };
            let expected = Integer::from(&values[index] * &values[other]) % &p;
            assert_eq!(
                number(product, radix),
                expected,
                "{radix}^{K}+1, product {index}"
            );
        }
    }
}

fn transforms_are_the_definition_and_go_back(place: Place) {
    let Some(device) = place.device() else { return };
    for prime in NAMED {
        with_digits!(prime.digits, K => {
            // That P128 and P128F are primes takes seconds to prove.
            if K <= place.pick(64, 16) {
                let field = GeneralizedFermat::<K>::new(prime.radix).unwrap();
                let logs: &[u32] = if K <= 8 { &[0, 1, 2, 4, 5] } else { &[1, 3] };
                for &log_n in logs {
                    check(&device, &field, log_n);
                }
            }
        }, _ => unreachable!("every named prime"));
    }
    // The most digits, with a radix near the least, and one that leaves carries room.
    if place.pick(true, false) {
        check(&device, &GeneralizedFermat::<256>::new(278).unwrap(), 2);
        let field = GeneralizedFermat::<256>::new((1 << 16) - (1 << 8) - (1 << 5)).unwrap();
        check(&device, &field, 3);
    }
}

fn transforms_are_the_definition_however_they_are_cut(place: Place) {
    let Some(device) = place.device() else { return };
    let config = |threads, slots| BigPrimeConfig { threads, slots };
    let p8 = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    for (log_n, slots, passes) in [
        (4, 128, &[4][..]),
        (5, 128, &[2, 3]),
        (5, 64, &[2, 3]),
        (3, 32, &[1, 2]),
    ] {
        check_cut(&device, &p8, log_n, config(16, slots), passes);
    }
    // Its radix leaves bits for 3 levels.
    let p4 = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
    check_cut(&device, &p4, 7, config(4, 32), &[2, 2, 3]);
    // Radices that leave carries room for passes of 4 points alone; the second is the highest.
    for radix in place.pick(&[1 << 61 | 6, (1 << 62) - 52][..], &[(1 << 62) - 52]) {
        let field = GeneralizedFermat::<16>::new(*radix).unwrap();
        check_cut(&device, &field, 4, config(16, 128), &[2, 2]);
    }
    // The least radix.
    let small = GeneralizedFermat::<2>::new(256).unwrap();
    check_cut(&device, &small, 5, config(4, 8), &[1, 2, 2]);
}

/// Products modulo x^N - 1 and x^N + 1 by their definition, with a b of its own each and with one for all.
fn check_convolutions<const K: usize>(device: &Device, field: &GeneralizedFermat<K>, log_n: u32) {
    let (points, radix) = (1usize << log_n, field.radix());
    let p = Integer::from(radix).pow(K as u32) + 1u32;
    let stream = device.stream().unwrap();
    let context = BigPrimeContext::new(device, &any(field), log_n, 2).unwrap();
    let x = elements::<K>(radix, 2 * points + 1);
    let words = Digits::words_of(&x);
    let numbers: Vec<_> = x[1..].iter().map(|x| number(&x.0, radix)).collect();
    for (negacyclic, broadcast) in [(false, false), (false, true), (true, false), (true, true)] {
        let [mut a, mut b] = [0, 1].map(|_| device.filled(&stream, words).unwrap());
        let sides = ((&mut a, 1), (&mut b, 1));
        let done = match negacyclic {
            false => context.convolve(&stream, sides.0, sides.1, 2, broadcast),
            true => context.convolve_negacyclic(&stream, sides.0, sides.1, 2, broadcast),
        };
        done.unwrap();
        let mut found = vec![0; words.len()];
        stream.read(&a, &mut found).unwrap();
        for (vector, products) in found[K..].chunks(points * K).enumerate() {
            let of = &numbers[vector * points..][..points];
            let other = if broadcast { &numbers[..points] } else { of };
            let mut expected = vec![Integer::new(); points];
            for (i, x) in of.iter().enumerate() {
                for (j, y) in other.iter().enumerate() {
                    let product = Integer::from(x * y);
                    let wraps = i + j >= points;
                    match negacyclic && wraps {
                        true => expected[(i + j) % points] -= product,
                        false => expected[(i + j) % points] += product,
                    }
                }
            }
            let expected = expected.into_iter().map(|sum| sum.modulo(&p));
            let products = products.chunks(K).map(|product| number(product, radix));
            assert!(
                products.eq(expected),
                "{radix}^{K}+1, {points} points, {negacyclic}, {broadcast}"
            );
        }
    }
}

/// Neither operand is touched by what is refused.
fn check_refused_convolutions(device: &Device) {
    let field = GeneralizedFermat::<2>::new(256).unwrap();
    let context = BigPrimeContext::new(device, &any(&field), 2, 2).unwrap();
    let stream = device.stream().unwrap();
    let words = vec![1; 16];
    let mut a = device.filled(&stream, &words).unwrap();
    let mut b = device.filled(&stream, &words).unwrap();
    for negacyclic in [false, true] {
        for (a_first, b_first, batch, broadcast) in [
            (1, 0, 2, false),
            (0, 1, 2, false),
            (0, 5, 2, true),
            (0, 0, 3, true),
        ] {
            let sides = ((&mut a, a_first), (&mut b, b_first));
            let refused = match negacyclic {
                false => context.convolve(&stream, sides.0, sides.1, batch, broadcast),
                true => context.convolve_negacyclic(&stream, sides.0, sides.1, batch, broadcast),
            };
            assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
            for side in [&a, &b] {
                let mut same = vec![0; 16];
                stream.read(side, &mut same).unwrap();
                assert_eq!(same, words);
            }
        }
    }
}

fn convolutions_are_products_modulo_x_to_the_n_minus_and_plus_1(place: Place) {
    let Some(device) = place.device() else { return };
    let p4 = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
    for log_n in place.pick(&[0, 1, 5][..], &[3]) {
        check_convolutions(&device, &p4, *log_n);
    }
    // p - 1 = 2^16 has no factor for the weights.
    let small = GeneralizedFermat::<2>::new(256).unwrap();
    let context = BigPrimeContext::new(&device, &any(&small), 16, 1).unwrap();
    let stream = device.stream().unwrap();
    let [mut a, mut b] = [0, 1].map(|_| device.buffer(2 << 16).unwrap());
    let refused = context.convolve_negacyclic(&stream, (&mut a, 0), (&mut b, 0), 1, false);
    assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
}

fn what_does_not_fit_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    check_refused_convolutions(&device);
    let refused = |result: Result<(), GpuError>| matches!(result, Err(GpuError::Shape(_)));
    let stream = device.stream().unwrap();
    let small = GeneralizedFermat::<4>::new(2).unwrap();
    assert!(refused(
        BigPrimeContext::new(&device, &any(&small), 1, 1).map(drop)
    ));
    let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
    for (threads, slots) in [
        (2, 64),
        (12, 64),
        (8, 4),
        (8, 96),
        (8, 1 << 30),
        (1 << 20, 1 << 20),
    ] {
        let config = BigPrimeConfig { threads, slots };
        let context = BigPrimeContext::with_config(&device, &any(&field), 1, 1, config);
        assert!(refused(context.map(drop)), "{config:?}");
    }
    for (log_n, batch) in [(31, 1), (45, 1), (u32::MAX, 1), (20, usize::MAX)] {
        assert!(refused(
            BigPrimeContext::new(&device, &any(&field), log_n, batch).map(drop)
        ));
    }
    let context = BigPrimeContext::new(&device, &any(&field), 2, 2).unwrap();
    let mut data = device.buffer(32).unwrap();
    let other = device.buffer(16).unwrap();
    for (first, batch) in [(1, 2), (0, 3), (usize::MAX, 1)] {
        assert!(refused(context.forward(&stream, (&mut data, first), batch)));
        assert!(refused(context.inverse(&stream, (&mut data, first), batch)));
    }
    assert!(refused(context.multiply(
        &stream,
        (&mut data, 0),
        (&other, 0),
        2,
        false
    )));
    assert!(refused(context.multiply(
        &stream,
        (&mut data, 0),
        (&other, 1),
        2,
        true
    )));
}
