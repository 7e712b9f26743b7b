//! Transforms modulo primes r^k + 1 have the processor's digits.

use sunzi::dft::{DftContext, Ordering};
use sunzi::field::generalized_fermat::NAMED;
use sunzi::field::{Digits, GeneralizedFermat, with_digits};
use sunzi::gpu::Device;
use sunzi::gpu::big_prime::BigPrimeContext;
use sunzi_testkit::{Place, Random, on_every_device};

on_every_device![transforms_are_the_processors_to_the_last_bit];

/// Random elements, and those whose digits break carries.
fn elements<const K: usize>(radix: u64, count: usize) -> Vec<Digits<K>> {
    let mut random = Random::new(radix);
    let element = |index: usize| {
        let mut digits = [0; K];
        match index % 5 {
            0 => digits[K - 1] = radix,
            1 => digits = [radix - 1; K],
            2 => digits[index % K] = 1,
            _ => digits.copy_from_slice(&random.residues(K, radix)),
        }
        Digits(digits)
    };
    (0..count).map(element).collect()
}

/// A transform and its inverse, each of the same elements.
fn check<const K: usize>(device: &Device, field: &GeneralizedFermat<K>, points: usize) {
    let stream = device.stream().unwrap();
    let on_device = BigPrimeContext::new(device, field, points.ilog2(), 1).unwrap();
    let on_processor = DftContext::over_big_prime(field, points).unwrap();
    let x = elements::<K>(field.radix(), points);
    for forward in [true, false] {
        let mut data = device.filled(&stream, Digits::words_of(&x)).unwrap();
        let mut expected = x.clone();
        if forward {
            on_device.forward(&stream, (&mut data, 0), 1).unwrap();
            on_processor
                .forward(&mut expected, Ordering::Natural)
                .unwrap();
        } else {
            on_device.inverse(&stream, (&mut data, 0), 1).unwrap();
            on_processor
                .inverse(&mut expected, Ordering::Natural)
                .unwrap();
        }
        let mut found = vec![0; points * K];
        stream.read(&data, &mut found).unwrap();
        let radix = field.radix();
        assert!(
            found == Digits::words_of(&expected),
            "{radix}^{K}+1, {points} points, forward {forward}"
        );
    }
}

fn transforms_are_the_processors_to_the_last_bit(place: Place) {
    let Some(device) = place.device() else { return };
    for prime in NAMED {
        with_digits!(prime.digits, K => {
            if K <= 16 {
                let field = GeneralizedFermat::<K>::new(prime.radix).unwrap();
                // Lengths around a block of the processor's transforms, which has 2K points.
                for points in [1, 2, K, 2 * K, 4 * K, 64, 512] {
                    if points <= place.pick(512, 64) {
                        check(&device, &field, points);
                    }
                }
            }
        }, _ => unreachable!("every named prime"));
    }
}
