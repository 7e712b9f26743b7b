//! Residues of coefficients and values from residues, against GMP.

use rug::integer::Order;
use rug::ops::{Pow, RemRounding};
use rug::{Complete, Integer};
use sunzi_device::{GpuError, Stream};
use sunzi_gpu::internals::{
    CombineContext, CombineModuloContext, Polynomials, ProjectContext, ResidueBasis, ValueForm,
};
use sunzi_gpu::products::{CoefficientForm, ProductConfig};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, on_every_device};

on_every_device![
    residues_are_those_of_the_coefficients,
    values_come_back_from_their_residues,
    values_are_reduced_modulo_one_more_number,
    what_does_not_fit_is_refused,
];
as_gpu![values_come_back_from_their_residues];

as_ptx![
    residues_are_those_of_the_coefficients,
    values_come_back_from_their_residues,
    values_are_reduced_modulo_one_more_number,
];

/// Threads of a group, as products have them.
fn threads(stream: &Stream) -> usize {
    ProductConfig::for_device(stream.device().info()).threads
}

/// The words of a number in two's complement.
fn words_of(value: &Integer, words: usize) -> Vec<u32> {
    let modulus = Integer::from(1) << (32 * words as u32);
    let mut digits = value
        .rem_euc(&modulus)
        .complete()
        .to_digits::<u32>(Order::Lsf);
    digits.resize(words, 0);
    digits
}

/// The number that words in two's complement, or unsigned, stand for.
fn value_of(words: &[u32], signed: bool) -> Integer {
    let value = Integer::from_digits(words, Order::Lsf);
    match words.last() {
        Some(&top) if signed && top >> 31 == 1 => {
            value - (Integer::from(1) << (32 * words.len() as u32))
        }
        _ => value,
    }
}

/// Coefficients at whose words carries and signs go wrong, and random ones.
fn coefficients(words: usize, count: usize, random: &mut Random) -> Vec<u32> {
    let mut all = Vec::new();
    for edge in [0, 1, u32::MAX, 1 << 31, (1 << 31) - 1] {
        for other in [0, u32::MAX, 1] {
            let mut coefficient = vec![other; words];
            coefficient[words - 1] = edge;
            all.extend(coefficient);
        }
    }
    all.extend((0..count * words).map(|_| random.word() as u32));
    all.truncate(count * words);
    all
}

#[test]
fn bases_reach_their_bits_and_no_further_than_they_must() {
    for (bits, log_points) in [
        (1, 0),
        (30, 20),
        (31, 20),
        (62, 10),
        (93, 24),
        (89, 26),
        (2000, 16),
        (5000, 12),
    ] {
        let basis = ResidueBasis::new(bits, log_points).unwrap();
        let product: Integer = basis.primes().iter().map(|&p| Integer::from(p)).product();
        assert!(
            product.significant_bits() > bits as u32,
            "{bits} bits at 2^{log_points}"
        );
        assert!(
            product >> 31 < Integer::from(2).pow(bits as u32),
            "{bits} bits at 2^{log_points}: one too many"
        );
        assert!(basis.primes().is_sorted_by(|a, b| a < b));
        for &p in basis.primes() {
            assert!(p < 1 << 31 && (p - 1).is_multiple_of(1 << log_points));
            assert!(Integer::from(p).is_probably_prime(20) != rug::integer::IsPrime::No);
        }
    }
    for (bits, log_points) in [(1, 28), (100, 27), (1 << 20, 10), (u64::MAX, 0)] {
        assert!(matches!(
            ResidueBasis::new(bits, log_points),
            Err(GpuError::TooFewPrimes { .. })
        ));
    }
}

/// Projects polynomials of those lengths, and compares every residue with GMP's.
fn check_projection(
    stream: &Stream,
    form: CoefficientForm,
    bits: u64,
    log_points: u32,
    lengths: &[usize],
) {
    let device = stream.device();
    let mut random = Random::new(bits + form.words as u64);
    let basis = ResidueBasis::new(bits, log_points).unwrap();
    let total = lengths.iter().sum();
    let words = coefficients(form.words, total, &mut random);
    let mut starts = vec![0];
    for &length in lengths {
        starts.push(starts[starts.len() - 1] + length as u32);
    }
    let spans: Vec<_> = starts
        .iter()
        .zip(lengths)
        .flat_map(|(&start, &length)| [start, length as u32])
        .collect();
    let project = ProjectContext::new(stream, &basis, form, threads(stream)).unwrap();
    // Other vectors before and behind them.
    let (first, vectors) = (1, lengths.len() + 2);
    let mut residues = device
        .filled(
            stream,
            &vec![u32::MAX; (vectors * basis.len()) << log_points],
        )
        .unwrap();
    let polynomials = Polynomials {
        coefficients: &device.filled(stream, &words).unwrap(),
        spans: &device.filled(stream, &spans).unwrap(),
    };
    project
        .run(
            stream,
            &mut residues,
            polynomials,
            log_points,
            lengths.len(),
            (first, vectors),
        )
        .unwrap();
    let mut found = vec![0; residues.len()];
    stream.read(&residues, &mut found).unwrap();
    let values: Vec<_> = words
        .chunks(form.words)
        .map(|words| value_of(words, form.signed))
        .collect();
    for (j, &p) in basis.primes().iter().enumerate() {
        let row = |b: usize| &found[((j * vectors + b) << log_points)..][..1 << log_points];
        let others = [row(0), row(vectors - 1)].concat();
        assert!(others.iter().all(|&untouched| untouched == u32::MAX));
        for (b, &length) in lengths.iter().enumerate() {
            let row = row(first + b);
            let coefficients = &values[starts[b] as usize..][..length];
            for (&residue, value) in row.iter().zip(coefficients) {
                assert_eq!(
                    Integer::from(residue),
                    value.rem_euc(Integer::from(p)),
                    "{value} mod {p}, {form:?}"
                );
            }
            assert!(
                row[length..].iter().all(|&residue| residue == 0),
                "zeros behind polynomial {b}"
            );
        }
    }
}

fn residues_are_those_of_the_coefficients(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    for words in [1, 2, 3, 5, 17] {
        for signed in [false, true] {
            let form = CoefficientForm { words, signed };
            for bits in [1, 60, 93, 124, 125, 200] {
                check_projection(&stream, form, bits, 6, &[64, 0, 1, 30, 63]);
            }
            check_projection(&stream, form, 60, 0, &[1, 1, 0]);
            check_projection(&stream, form, 60, 10, &[1000]);
        }
    }
}

/// Residues of numbers at a stride, as transforms leave them.
fn residues_of(values: &[Integer], basis: &ResidueBasis, stride: usize) -> Vec<u32> {
    let mut residues = vec![u32::MAX; basis.len() * stride];
    for (j, &p) in basis.primes().iter().enumerate() {
        for (i, value) in values.iter().enumerate() {
            residues[j * stride + i] = value.rem_euc(Integer::from(p)).to_u32().unwrap();
        }
    }
    residues
}

/// Values at the ends and the middle of what a basis tells apart, and random ones.
fn values(basis: &ResidueBasis, signed: bool, random: &mut Random) -> Vec<Integer> {
    let product: Integer = basis.primes().iter().map(|&p| Integer::from(p)).product();
    let half = (&product - Integer::from(1)) / 2u32;
    let mut values = vec![
        Integer::new(),
        Integer::from(1),
        half.clone(),
        (&half - Integer::from(1)),
    ];
    let mut partial = Integer::from(1);
    for &p in basis.primes() {
        values.extend([(&partial - Integer::from(1)), partial.clone()]);
        partial *= p;
    }
    values.retain(|value| value <= &half);
    while values.len() < 200 {
        let digits = random.words(basis.len());
        values.push(Integer::from_digits(&digits, Order::Lsf) % &half);
    }
    if signed {
        let negative: Vec<_> = values.iter().map(|value| Integer::from(-value)).collect();
        values.extend(negative);
    } else {
        values.extend([&half + Integer::from(1), product - 1u32]);
    }
    values
}

fn values_come_back_from_their_residues(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let mut random = Random::new(7);
    for bits in [1, 60, 200, 500] {
        let basis = ResidueBasis::new(bits, 16).unwrap();
        // One more than the product of the primes takes as well, and for signs.
        let full = (31 * basis.len() + 1).div_ceil(32);
        for (words, signed, log_plane) in [
            (full, true, None),
            (full, false, Some(5)),
            (full + 1, true, Some(12)),
            (1, true, None),
        ] {
            let values = values(&basis, signed, &mut random);
            let (count, stride) = (values.len(), values.len() + 13);
            let form = ValueForm {
                words,
                signed,
                log_plane,
            };
            let plane = 1 << log_plane.unwrap_or(0);
            let combine = CombineContext::new(&stream, &basis, form, threads(&stream)).unwrap();
            let residues = device
                .filled(&stream, &residues_of(&values, &basis, stride))
                .unwrap();
            let room = usize::next_multiple_of(count, plane) * words;
            let mut out = device.buffer(room).unwrap();
            combine
                .run(&stream, &mut out, &residues, count, stride)
                .unwrap();
            let mut found = vec![0; room];
            stream.read(&out, &mut found).unwrap();
            for (i, value) in values.iter().enumerate() {
                let word = |w| found[(i / plane * words + w) * plane + i % plane];
                let words_found: Vec<_> = (0..words).map(word).collect();
                assert_eq!(words_found, words_of(value, words), "{value} with {form:?}");
            }
        }
    }
}

fn values_are_reduced_modulo_one_more_number(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let mut random = Random::new(8);
    for bits in [1, 93, 300] {
        let basis = ResidueBasis::new(bits, 16).unwrap();
        let values = values(&basis, false, &mut random);
        let residues = device
            .filled(&stream, &residues_of(&values, &basis, values.len()))
            .unwrap();
        for modulus in [
            3,
            5,
            65537,
            (1 << 31) - 1,
            (1 << 31) + 11,
            (1 << 61) - 1,
            (1 << 63) - 25,
        ] {
            for words in [1, 2] {
                if u128::from(modulus) >> (32 * words) != 0 {
                    continue;
                }
                let combine =
                    CombineModuloContext::new(&stream, &basis, modulus, words, threads(&stream))
                        .unwrap();
                let mut out = device.buffer(values.len() * words).unwrap();
                combine
                    .run(&stream, &mut out, &residues, values.len(), values.len())
                    .unwrap();
                let mut found = vec![0; values.len() * words];
                stream.read(&out, &mut found).unwrap();
                for (value, found) in values.iter().zip(found.chunks(words)) {
                    let expected = value.rem_euc(Integer::from(modulus));
                    assert_eq!(value_of(found, false), expected, "{value} mod {modulus}");
                }
            }
        }
    }
}

fn what_does_not_fit_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let stream = device.stream().unwrap();
    let basis = ResidueBasis::new(60, 16).unwrap();
    let none = CoefficientForm {
        words: 0,
        signed: false,
    };
    assert!(ProjectContext::new(&stream, &basis, none, threads(&stream)).is_err());
    for modulus in [0, 1, 2, 1 << 40, (1 << 63) + 1] {
        assert!(
            CombineModuloContext::new(&stream, &basis, modulus, 2, threads(&stream)).is_err(),
            "{modulus}"
        );
    }
    let form = ValueForm {
        words: 2,
        signed: true,
        log_plane: None,
    };
    let combine = CombineContext::new(&stream, &basis, form, threads(&stream)).unwrap();
    let residues = device.buffer(basis.len() * 10).unwrap();
    let mut words = device.buffer(20).unwrap();
    assert!(combine.run(&stream, &mut words, &residues, 10, 10).is_ok());
    assert!(combine.run(&stream, &mut words, &residues, 11, 11).is_err());
    assert!(combine.run(&stream, &mut words, &residues, 10, 9).is_err());
    let one = CoefficientForm {
        words: 1,
        signed: false,
    };
    let project = ProjectContext::new(&stream, &basis, one, threads(&stream)).unwrap();
    let polynomials = Polynomials {
        coefficients: &words,
        spans: &device.filled(&stream, &[0, 5]).unwrap(),
    };
    // Spans beyond the coefficients are read as zeros.
    let wild = Polynomials {
        coefficients: &device.filled(&stream, &[7; 16]).unwrap(),
        spans: &device
            .filled(&stream, &[1 << 31, 4, u32::MAX, u32::MAX])
            .unwrap(),
    };
    let mut zeros = device
        .filled(&stream, &vec![1u32; basis.len() * 16])
        .unwrap();
    project
        .run(&stream, &mut zeros, wild, 3, 2, (0, 2))
        .unwrap();
    let mut found = vec![1; zeros.len()];
    stream.read(&zeros, &mut found).unwrap();
    assert!(found.iter().all(|&residue| residue == 0));
    // Sizes that overflow.
    let mut other = device.buffer(20).unwrap();
    assert!(
        project
            .run(
                &stream,
                &mut zeros,
                polynomials,
                40,
                usize::MAX,
                (0, usize::MAX)
            )
            .is_err()
    );
    assert!(
        project
            .run(&stream, &mut zeros, polynomials, u32::MAX, 1, (0, 1))
            .is_err()
    );
    for place in [(1, 1), (usize::MAX, 1), (0, 0)] {
        assert!(
            project
                .run(&stream, &mut zeros, polynomials, 3, 1, place)
                .is_err()
        );
    }
    assert!(
        combine
            .run(&stream, &mut other, &residues, 10, usize::MAX)
            .is_err()
    );
    assert!(
        combine
            .run(&stream, &mut other, &residues, usize::MAX, usize::MAX)
            .is_err()
    );
    let mut short = device.buffer(basis.len() * 8 - 1).unwrap();
    assert!(
        project
            .run(&stream, &mut short, polynomials, 3, 1, (0, 1))
            .is_err()
    );
}
