//! Transforms against their definition, and at larger sizes against what is known without a transform.

use crate::support::{download, upload};
use sunzi_device::{Device, DeviceOptions, GpuError};
use sunzi_field::primality::ntt_primes;
use sunzi_field::{Fp64, TwoAdicField, WordModulus};
use sunzi_gpu::ntt::{NttContext, NttParameters};
use sunzi_gpu::{ResidueWord, Word};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, edge_residues, on_every_device};

on_every_device![
    several_primes_are_transformed_at_a_time,
    forward_is_the_definition_in_32_bits,
    forward_is_the_definition_in_64_bits,
    forward_is_the_definition_in_doubles,
    parameters_of_gpus_give_the_same,
    odd_parameters_give_the_same,
    what_does_not_fit_is_refused,
    factors_that_do_not_fit_in_memory_are_an_error,
    bit_reversal_is_its_definition_and_its_own_inverse,
    long_transforms_are_what_is_known_of_them,
];
as_gpu![
    several_primes_are_transformed_at_a_time,
    long_transforms_are_what_is_known_of_them
];

as_ptx![
    several_primes_are_transformed_at_a_time,
    forward_is_the_definition_in_32_bits,
    forward_is_the_definition_in_64_bits,
    forward_is_the_definition_in_doubles,
    parameters_of_gpus_give_the_same,
    odd_parameters_give_the_same,
    bit_reversal_is_its_definition_and_its_own_inverse,
    long_transforms_are_what_is_known_of_them,
];

/// The lowest `bits` bits in reverse.
fn reversed(index: usize, bits: u32) -> usize {
    (0..bits).fold(0, |acc, bit| acc << 1 | (index >> bit & 1))
}

/// The largest prime below 2^bits that is 1 modulo 2^two_adicity.
fn largest_prime(bits: u32, two_adicity: u32) -> u64 {
    ntt_primes(bits, two_adicity).next().unwrap()
}

/// The transform by its definition, in bit-reversed order.
fn reference(prime: u64, log_n: u32, x: &[u64]) -> Vec<u64> {
    let ring = WordModulus::new(prime);
    let omega = Fp64::new(prime).unwrap().root_of_unity(log_n).unwrap();
    (0..1usize << log_n)
        .map(|place| {
            let point = ring.pow(omega, reversed(place, log_n) as u64);
            x.iter()
                .rev()
                .fold(0, |sum, &c| ring.add(ring.mul(sum, point), c))
        })
        .collect()
}

/// Runs something on the device's copy of residues.
fn on_device<E: ResidueWord>(
    device: &Device,
    residues: &[u64],
    work: impl FnOnce(&sunzi_device::Stream, &mut sunzi_device::Buffer<E>) -> Result<(), GpuError>,
) -> Vec<u64> {
    let stream = device.stream().unwrap();
    let mut data = upload(&stream, residues);
    work(&stream, &mut data).unwrap();
    download(&stream, &data)
}

/// Vectors that hold the edges: random with many edges, all p − 1, 0 and p − 1 in turns, one 1.
fn vectors(prime: u64, len: usize, batch: usize) -> Vec<u64> {
    let mut random = Random::new(prime ^ len as u64);
    let edges = edge_residues(prime);
    let mut all = Vec::new();
    for index in 0..batch {
        match index % 5 {
            0 => all.extend(random.residues(len, prime)),
            1 => all.extend(std::iter::repeat_n(prime - 1, len)),
            2 => all.extend((0..len).map(|i| if i % 2 == 0 { prime - 1 } else { 0 })),
            3 => all.extend((0..len).map(|i| u64::from(i == len - 1))),
            _ => all.extend((0..len).map(|i| edges[i % edges.len()])),
        }
    }
    all
}

/// Forward against the definition, and back again, at an offset.
fn check<E: ResidueWord>(device: &Device, context: &NttContext, log_n: u32, batch: usize) {
    let (prime, len, first) = (context.primes()[0], 1 << log_n, 3);
    let name = format!("{prime} 2^{log_n} x {batch} {:?}", context.plan());
    let mut x = vec![7 % prime; first];
    x.extend(vectors(prime, len, batch));
    x.extend([5 % prime; 4]);
    let inside = first..first + batch * len;
    let values = on_device::<E>(device, &x, |stream, data| {
        context.forward(stream, data, first, batch)
    });
    for (x, values) in x[inside.clone()]
        .chunks(len)
        .zip(values[inside.clone()].chunks(len))
    {
        assert_eq!(values, reference(prime, log_n, x), "{name}");
    }
    assert_eq!(values[..first], x[..first], "{name}");
    assert_eq!(values[inside.end..], x[inside.end..], "{name}");
    let back = on_device::<E>(device, &values, |stream, data| {
        context.inverse(stream, data, first, batch)
    });
    assert_eq!(back, x, "{name}");
}

/// All sizes with one prime, some with another that the kernels treat differently.
fn check_sizes<E: ResidueWord>(place: Place, primes: [u64; 2], sizes: [&[u32]; 2]) {
    let Some(device) = place.device() else { return };
    for (prime, sizes) in primes.into_iter().zip(sizes) {
        for &log_n in sizes {
            let context = NttContext::new(&device, E::WORD, prime, log_n).unwrap();
            assert_eq!((context.len(), context.primes()[0]), (1 << log_n, prime));
            for batch in [0, 1, 2, 7] {
                check::<E>(
                    &device,
                    &context,
                    log_n,
                    if log_n < 10 { batch } else { batch.min(1) },
                );
            }
        }
    }
}

fn forward_is_the_definition_in_32_bits(place: Place) {
    let all: [&[u32]; 2] = [&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], &[1, 6, 11]];
    let sizes = place.pick(all, [&[0, 3, 6, 12], &[11]]);
    check_sizes::<u32>(place, [469762049, largest_prime(31, 13)], sizes);
}

fn forward_is_the_definition_in_64_bits(place: Place) {
    let all: [&[u32]; 2] = [&[1, 2, 3, 7, 10, 11], &[1, 6, 11]];
    let sizes = place.pick(all, [&[2, 7], &[11]]);
    check_sizes::<u64>(place, [largest_prime(61, 13), largest_prime(63, 13)], sizes);
}

fn forward_is_the_definition_in_doubles(place: Place) {
    let all: [&[u32]; 2] = [&[1, 2, 3, 7, 10, 12], &[6, 11]];
    let sizes = place.pick(all, [&[3, 12], &[6]]);
    check_sizes::<f64>(place, [largest_prime(50, 13), 65537], sizes);
}

/// Configurations as GPUs want them, and odd ones: steps of all kinds, tiles of several blocks, groups larger than the work.
fn check_parameters<E: ResidueWord>(
    place: Place,
    prime: u64,
    parameters: &[([u32; 4], usize, u32)],
) {
    let Some(device) = place.device() else { return };
    for &([log_tile, log_radix, log_columns, log_table], threads, log_n) in parameters {
        let parameters = NttParameters {
            threads,
            log_tile,
            log_radix,
            log_columns,
            log_table,
            specialized: true,
        };
        let context =
            NttContext::with_parameters(&device, E::WORD, &[prime], log_n, parameters).unwrap();
        check::<E>(&device, &context, log_n, 3);
    }
}

fn parameters_of_gpus_give_the_same(place: Place) {
    check_parameters::<u32>(place, 469762049, &[([7, 4, 3, 5], 16, 11)]);
    check_parameters::<f64>(place, largest_prime(50, 13), &[([6, 3, 2, 4], 16, 6)]);
    check_parameters::<u64>(place, largest_prime(61, 13), &[([6, 3, 2, 4], 16, 6)]);
}

fn odd_parameters_give_the_same(place: Place) {
    let Some(device) = place.device() else { return };
    let good = NttParameters {
        log_radix: 2,
        ..NttParameters::for_device(device.info(), Word::U64, 20, 1)
    };
    // With powers that steps twist by, and without; with bits to spare, and without.
    for (log_columns, log_table, bits) in [(1, 2, 61), (0, 28, 63), (0, 2, 63)] {
        let parameters = NttParameters {
            log_tile: 5,
            log_columns,
            log_table,
            specialized: false,
            ..good
        };
        for log_n in [4, 11] {
            let prime = largest_prime(bits, 13);
            let context =
                NttContext::with_parameters(&device, Word::U64, &[prime], log_n, parameters)
                    .unwrap();
            check::<u64>(&device, &context, log_n, 3);
        }
    }
}

fn what_does_not_fit_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    for (prime, log_n) in [
        (0, 1),
        (1, 0),
        (2, 0),
        (4, 1),
        (91, 1),
        (17, 5),
        (257, 9),
        ((1 << 31) + 11, 1),
        (u64::MAX, 1),
        (469762049, 27),
        (469762049, 29),
        (469762049, u32::MAX),
    ] {
        let refused = NttContext::new(&device, Word::U32, prime, log_n);
        assert!(
            matches!(refused, Err(GpuError::Shape(_))),
            "{prime} {log_n}"
        );
    }
    assert!(NttContext::new(&device, Word::U64, (1 << 63) + 29, 0).is_err());
    assert!(NttContext::new(&device, Word::F64, largest_prime(51, 10), 3).is_err());
    let good = NttParameters::for_device(device.info(), Word::U32, 20, 1);
    for parameters in [
        NttParameters { threads: 0, ..good },
        NttParameters {
            threads: usize::MAX,
            ..good
        },
        NttParameters {
            log_tile: 30,
            ..good
        },
        NttParameters {
            log_tile: 1,
            ..good
        },
        NttParameters {
            log_radix: 0,
            ..good
        },
        NttParameters {
            log_radix: 9,
            ..good
        },
        NttParameters {
            log_columns: good.log_tile,
            ..good
        },
        NttParameters {
            log_table: 0,
            ..good
        },
    ] {
        let refused = NttContext::with_parameters(&device, Word::U32, &[17], 3, parameters);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{parameters:?}");
    }
    let context = NttContext::new(&device, Word::U32, 17, 4).unwrap();
    let stream = device.stream().unwrap();
    let mut data = device.buffer::<u32>(48).unwrap();
    for (first, batch) in [(0, 4), (1, 3), (33, 1), (usize::MAX, 1), (0, usize::MAX)] {
        let refused = context.forward(&stream, &mut data, first, batch);
        assert!(
            matches!(refused, Err(GpuError::Shape(_))),
            "{first} {batch}"
        );
        assert!(context.inverse(&stream, &mut data, first, batch).is_err());
        assert!(
            context
                .bit_reverse(&stream, &mut data, first, batch)
                .is_err()
        );
    }
    // Residues of two words in words of 32 bits, which are half as many; and in other words.
    let wide = NttContext::new(&device, Word::U64, 17, 4).unwrap();
    for (first, batch, fits) in [(0, 1, true), (8, 1, true), (9, 1, false), (0, 2, false)] {
        let done = wide.forward(&stream, &mut data, first, batch);
        assert_eq!(done.is_ok(), fits, "{first} {batch}: {done:?}");
    }
    let mut doubles = device.buffer::<f64>(48).unwrap();
    for context in [&context, &wide] {
        let refused = context.forward(&stream, &mut doubles, 0, 1);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
}

fn factors_that_do_not_fit_in_memory_are_an_error(place: Place) {
    let options = DeviceOptions {
        memory_limit: Some(1 << 10),
        ..DeviceOptions::default()
    };
    let Some(device) = place.device_with(&options) else {
        return;
    };
    let refused = NttContext::new(&device, Word::U32, 469762049, 12);
    assert!(
        matches!(refused, Err(GpuError::OutOfMemory { .. })),
        "{refused:?}"
    );
}

fn bit_reversal_is_its_definition_and_its_own_inverse(place: Place) {
    let Some(device) = place.device() else { return };
    for log_n in [0, 1, 5, 9, 10, 11, 13] {
        let context = NttContext::new(&device, Word::U32, 469762049, log_n).unwrap();
        let len = 1 << log_n;
        let x: Vec<u64> = (0..2 + 3 * len as u64).collect();
        let back = on_device::<u32>(&device, &x, |stream, data| {
            context.bit_reverse(stream, data, 1, 3)
        });
        for (place, &value) in back.iter().enumerate() {
            let inside = (1..=3 * len).contains(&place);
            let index = (place.wrapping_sub(1)) % len;
            let expected = if inside {
                place - index + reversed(index, log_n)
            } else {
                place
            };
            assert_eq!(value, expected as u64);
        }
    }
}

/// x_i = g^i transforms to X_j = (g^N − 1)/(g ω^j − 1), a delta to the powers of ω, and back comes what went.
fn check_long<E: ResidueWord>(place: Place, prime: u64, log_n: u32) {
    let Some(device) = place.device() else { return };
    let context = NttContext::new(&device, E::WORD, prime, log_n).unwrap();
    let (len, ring) = (context.len(), WordModulus::new(prime));
    let omega = Fp64::new(prime).unwrap().root_of_unity(log_n).unwrap();
    let powers = |base: u64| {
        std::iter::successors(Some(1), move |&power| Some(ring.mul(power, base))).take(len)
    };
    let g = Random::new(u64::from(log_n)).below(prime);
    let mut x: Vec<u64> = powers(g).collect();
    x.extend((0..len).map(|i| u64::from(i == 3)));
    let values = on_device::<E>(&device, &x, |stream, data| {
        context.forward(stream, data, 0, 2)?;
        context.bit_reverse(stream, data, 0, 2)
    });
    let sum = ring.sub(ring.pow(g, len as u64), 1);
    let cube = ring.pow(omega, 3);
    for (j, (point, third)) in powers(omega).zip(powers(cube)).enumerate() {
        let divisor = ring.sub(ring.mul(g, point), 1);
        assert_eq!(ring.mul(values[j], divisor), sum, "{prime} 2^{log_n} {j}");
        assert_eq!(values[len + j], third, "{prime} 2^{log_n} {j}");
    }
    let back = on_device::<E>(&device, &values, |stream, data| {
        context.bit_reverse(stream, data, 0, 2)?;
        context.inverse(stream, data, 0, 2)
    });
    assert!(back == x, "{prime} 2^{log_n}");
}

/// Of three passes on a processor, of two on a GPU. `sunzi bench gpu` compares longer ones with the processor's.
fn long_transforms_are_what_is_known_of_them(place: Place) {
    let all: &[_] = &[(998244353, 16), (469762049, 17), (2113929217, 18)];
    for &(prime, log_n) in place.pick(all, &[(469762049, 14)]) {
        check_long::<u32>(place, prime, log_n);
    }
    check_long::<u64>(place, largest_prime(61, 20), place.pick(17, 13));
    check_long::<f64>(place, largest_prime(50, 20), place.pick(17, 13));
}

/// Vectors modulo several primes at a time, against each prime by itself.
fn check_several<E: ResidueWord>(place: Place, primes: &[u64], log_n: u32, batch: usize) {
    let Some(device) = place.device() else { return };
    let (len, first) = (1 << log_n, 3);
    let all = NttContext::for_primes(&device, E::WORD, primes, log_n).unwrap();
    assert_eq!(all.primes(), primes);
    let mut x = vec![1; first];
    x.extend(primes.iter().flat_map(|&prime| vectors(prime, len, batch)));
    x.push(1);
    let of_prime = |index: usize| first + index * batch * len..first + (index + 1) * batch * len;
    let name = format!("{primes:?} 2^{log_n} x {batch}");

    let values = on_device::<E>(&device, &x, |stream, data| {
        all.forward(stream, data, first, batch)
    });
    for (index, &prime) in primes.iter().enumerate() {
        let range = of_prime(index);
        let both = x[range.clone()].chunks(len).zip(values[range].chunks(len));
        for (x, values) in both {
            assert_eq!(values, reference(prime, log_n, x), "{name}: {prime}");
        }
    }
    let back = on_device::<E>(&device, &values, |stream, data| {
        all.inverse(stream, data, first, batch)
    });
    assert_eq!(back, x, "{name}");
    let turned = on_device::<E>(&device, &x, |stream, data| {
        all.bit_reverse(stream, data, first, batch)
    });
    for (place, &value) in turned.iter().enumerate() {
        let inside = (first..x.len() - 1).contains(&place);
        let index = (place.wrapping_sub(first)) & (len - 1);
        let from = if inside {
            place - index + reversed(index, log_n)
        } else {
            place
        };
        assert_eq!(value, x[from], "{name}: {place}");
    }

    // Squares, point by point.
    let other = upload::<E>(&device.stream().unwrap(), &x);
    let squares = on_device::<E>(&device, &x, |stream, data| {
        all.pointwise(stream, data, first, &other, first, batch, batch)
    });
    for (index, &prime) in primes.iter().enumerate() {
        let ring = WordModulus::new(prime);
        for place in of_prime(index) {
            assert_eq!(squares[place], ring.mul(x[place], x[place]), "{name}");
        }
    }
}

fn several_primes_are_transformed_at_a_time(place: Place) {
    // Of different two-adicities, and one alone that leaves bits to spare.
    let of = |bits, adicities: [u32; 3]| adicities.map(|two| largest_prime(bits, two));
    let all: &[_] = &[(0, 2), (3, 0), (5, 7), (11, 2), (1, 3), (5, 1)];
    for &(log_n, batch) in place.pick(all, &all[..3]) {
        check_several::<u32>(place, &of(31, [12, 16, 20]), log_n, batch);
        check_several::<u64>(place, &of(61, [20, 13, 12]), log_n, batch);
        check_several::<f64>(place, &of(50, [12, 13, 20]), log_n, batch);
    }
    check_several::<u32>(place, &[largest_prime(29, 12), largest_prime(31, 12)], 6, 2);
    check_several::<u64>(place, &[largest_prime(63, 12), largest_prime(40, 7)], 7, 1);
    let Some(device) = place.device() else { return };
    let few_roots = [largest_prime(31, 20), 97];
    for (primes, log_n) in [(&[][..], 3), (&few_roots[..], 6), (&[17, 15][..], 1)] {
        let refused = NttContext::for_primes(&device, Word::U32, primes, log_n);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{primes:?}");
    }
}
