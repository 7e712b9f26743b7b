//! Convolutions against GMP and against their definition.

use crate::support::{download, upload};
use rug::Integer;
use rug::integer::Order;
use sunzi_device::GpuError;
use sunzi_field::primality::ntt_primes;
use sunzi_gpu::ntt::NttContext;
use sunzi_gpu::{ResidueWord, Word};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, convolution_mod, on_every_device};

on_every_device![
    convolutions_are_products,
    negacyclic_convolutions_are_products,
    operands_in_one_buffer_have_the_same_products,
    long_convolutions_are_products,
    what_does_not_fit_is_refused,
];
as_gpu![long_convolutions_are_products];

as_ptx![
    convolutions_are_products,
    negacyclic_convolutions_are_products,
    operands_in_one_buffer_have_the_same_products,
    long_convolutions_are_products,
];

/// The coefficients of a product of polynomials, each less than 2^160, through one product of integers.
fn product(a: &[u64], b: &[u64]) -> Vec<Integer> {
    let pack = |x: &[u64]| {
        let limbs: Vec<u64> = x.iter().flat_map(|&c| [c, 0, 0]).collect();
        Integer::from_digits(&limbs, Order::Lsf)
    };
    let mut limbs = (pack(a) * pack(b)).to_digits::<u64>(Order::Lsf);
    limbs.resize(3 * (a.len() + b.len()), 0);
    limbs
        .chunks(3)
        .map(|c| Integer::from_digits(c, Order::Lsf))
        .collect()
}

/// The product mod x^N ∓ 1 and mod p, by GMP.
fn wrapped(prime: u64, len: usize, a: &[u64], b: &[u64], negacyclic: bool) -> Vec<u64> {
    let mut full = product(a, b);
    full.resize(2 * len, Integer::new());
    let high = full.split_off(len);
    full.into_iter()
        .zip(high)
        .map(|(low, high)| {
            let value = if negacyclic { low - high } else { low + high };
            let (_, rest) = value.div_rem_euc(Integer::from(prime));
            rest.to_u64().unwrap()
        })
        .collect()
}

/// Vectors of one batch: random with edges, all p − 1, one coefficient.
fn vectors(prime: u64, len: usize, batch: usize, seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    (0..batch)
        .flat_map(|index| match (index as u64 + seed) % 3 {
            0 => random.residues(len, prime),
            1 => vec![prime - 1; len],
            _ => (0..len)
                .map(|i| if i + 1 == len { prime - 1 } else { 0 })
                .collect(),
        })
        .collect()
}

fn check<E: ResidueWord>(
    place: Place,
    prime: u64,
    log_n: u32,
    batches: &[(usize, usize)],
    negacyclic: bool,
) {
    let Some(device) = place.device() else { return };
    let context = NttContext::new(&device, E::WORD, prime, log_n).unwrap();
    let (len, stream) = (context.len(), device.stream().unwrap());
    for &(batch, b_batch) in batches {
        let (a, b) = (
            vectors(prime, len, batch, 1),
            vectors(prime, len, b_batch, 4),
        );
        let (mut a_data, mut b_data) = (upload::<E>(&stream, &a), upload::<E>(&stream, &b));
        let done = if negacyclic {
            context.convolve_negacyclic(&stream, &mut a_data, 0, &mut b_data, 0, batch, b_batch)
        } else {
            context.convolve(&stream, &mut a_data, 0, &mut b_data, 0, batch, b_batch)
        };
        done.unwrap();
        let result = download(&stream, &a_data);
        for (index, result) in result.chunks(len).enumerate() {
            let a = &a[index * len..][..len];
            let b = &b[index % b_batch * len..][..len];
            let expected = wrapped(prime, len, a, b, negacyclic);
            assert_eq!(
                result, expected,
                "{prime} 2^{log_n} {batch} {b_batch} {negacyclic}"
            );
        }
    }
}

#[test]
fn the_oracle_is_the_definition() {
    let (a, b, prime) = ([5, 0, (1 << 62) - 1], [7, 1 << 61, 3], (1 << 62) - 57);
    let expected = convolution_mod(&a, &b, prime);
    let cyclic = wrapped(prime, 8, &a, &b, false);
    assert_eq!(cyclic[..5], expected);
    let short = wrapped(prime, 4, &a, &b, true);
    assert_eq!(short[0], (expected[0] + prime - expected[4]) % prime);
}

fn convolutions_are_products(place: Place) {
    let some = [(1, 1), (3, 3), (3, 1)];
    for prime in [3, 5, 17, 97, 257, 12289, 65537] {
        check::<u32>(place, prime, 1, &some, false);
    }
    let all: &[_] = &[(97, 5), (998244353, 8), (5, 2), (2013265921, 8)];
    for &(prime, log_n) in place.pick(all, &all[..1]) {
        check::<u32>(place, prime, log_n, &some, false);
    }
    check::<u64>(place, ntt_primes(63, 12).next().unwrap(), 8, &some, false);
    // The largest that leaves three bits to spare, and the smallest.
    check::<u64>(place, ntt_primes(61, 12).next().unwrap(), 8, &some, false);
    check::<u64>(place, 257, 8, &some, false);
    check::<f64>(place, ntt_primes(50, 12).next().unwrap(), 8, &some, false);
}

fn negacyclic_convolutions_are_products(place: Place) {
    let some = [(1, 1), (3, 3), (3, 1)];
    let all: &[_] = &[(17, 3), (998244353, 11), (3, 0), (5, 1), (2013265921, 6)];
    for &(prime, log_n) in place.pick(all, &all[..2]) {
        check::<u32>(place, prime, log_n, &some, true);
    }
    check::<u64>(place, ntt_primes(61, 12).next().unwrap(), 8, &some, true);
    check::<u64>(
        place,
        ntt_primes(63, 12).next().unwrap(),
        5,
        &[(3, 1)],
        true,
    );
    check::<f64>(place, ntt_primes(50, 12).next().unwrap(), 8, &some, true);
}

/// Convolutions of vectors in one buffer, modulo several primes at a time.
fn check_together<E: ResidueWord>(
    place: Place,
    primes: &[u64],
    log_n: u32,
    batch: usize,
    b_batch: usize,
) {
    let Some(device) = place.device() else { return };
    let context = NttContext::for_primes(&device, E::WORD, primes, log_n).unwrap();
    let (len, stream) = (context.len(), device.stream().unwrap());
    let of = |prime| {
        [
            vectors(prime, len, batch, 1),
            vectors(prime, len, b_batch, 4),
        ]
    };
    let operands: Vec<_> = primes.iter().map(|&prime| of(prime)).collect();
    let mut data = upload::<E>(&stream, &operands.as_flattened().concat());
    context
        .convolve_together(&stream, &mut data, batch, b_batch)
        .unwrap();
    let result = download(&stream, &data);
    let rows = result.chunks((batch + b_batch) * len);
    for ((&prime, [a, b]), row) in primes.iter().zip(&operands).zip(rows) {
        for (index, result) in row[..batch * len].chunks(len).enumerate() {
            let b_index = if b_batch == 1 { 0 } else { index };
            let expected = wrapped(
                prime,
                len,
                &a[index * len..][..len],
                &b[b_index * len..][..len],
                false,
            );
            assert_eq!(result, expected, "{prime} 2^{log_n} {batch} {b_batch}");
        }
    }
}

fn operands_in_one_buffer_have_the_same_products(place: Place) {
    let all: &[_] = &[(0, 3, 1), (6, 5, 5), (0, 2, 2), (3, 1, 1), (11, 3, 1)];
    for &(log_n, batch, b_batch) in place.pick(all, &all[..2]) {
        let primes: Vec<u64> = ntt_primes(31, 12).take(3).collect();
        check_together::<u32>(place, &primes, log_n, batch, b_batch);
        let primes: Vec<u64> = ntt_primes(62, 12).take(2).collect();
        check_together::<u64>(place, &primes, log_n, batch, b_batch);
    }
    check_together::<f64>(place, &[ntt_primes(50, 12).next().unwrap()], 5, 4, 1);
}

fn long_convolutions_are_products(place: Place) {
    check::<u32>(place, 469762049, place.pick(18, 15), &[(1, 1)], false);
    check::<u64>(
        place,
        ntt_primes(63, 20).next().unwrap(),
        place.pick(16, 14),
        &[(1, 1)],
        false,
    );
    check::<f64>(
        place,
        ntt_primes(50, 20).next().unwrap(),
        place.pick(16, 14),
        &[(2, 1)],
        true,
    );
}

fn what_does_not_fit_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let context = NttContext::new(&device, Word::U32, 17, 4).unwrap();
    let stream = device.stream().unwrap();
    let (mut a, mut b) = (
        device.buffer::<u32>(64).unwrap(),
        device.buffer::<u32>(48).unwrap(),
    );
    let refused = context.convolve_negacyclic(&stream, &mut a, 0, &mut b, 0, 1, 1);
    assert!(
        matches!(refused, Err(GpuError::Shape(_))),
        "17 is not 1 mod 32"
    );
    for (a_first, b_first, batch, b_batch) in
        [(0, 0, 4, 4), (0, 0, 3, 2), (1, 0, 4, 1), (0, 33, 1, 1)]
    {
        let refused = context.convolve(&stream, &mut a, a_first, &mut b, b_first, batch, b_batch);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
        let refused =
            context.convolve_together(&stream, &mut a, batch + a_first + b_first, b_batch);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
        let refused = context.pointwise(&stream, &mut a, a_first, &b, b_first, batch, b_batch);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
}
