//! Schoolbook products against their definition.

use crate::support::{download, upload};
use sunzi_device::{Device, GpuError};
use sunzi_field::primality::ntt_primes;
use sunzi_gpu::schoolbook::{SchoolbookContext, SchoolbookPlan};
use sunzi_gpu::{ResidueWord, Word};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, convolution_mod, on_every_device};

on_every_device![
    products_in_32_bits_are_the_definition,
    products_in_64_bits_are_the_definition,
    products_in_doubles_are_the_definition,
    what_does_not_fit_is_refused,
];
as_gpu![products_in_64_bits_are_the_definition];

as_ptx![
    products_in_32_bits_are_the_definition,
    products_in_64_bits_are_the_definition,
    products_in_doubles_are_the_definition,
];

/// Random operands with edges, and operands of p − 1 alone.
fn operands(prime: u64, length: usize, batch: usize, seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    (0..batch)
        .flat_map(|index| {
            if index % 2 == 1 {
                vec![prime - 1; length]
            } else {
                random.residues(length, prime)
            }
        })
        .collect()
}

/// A batch at an offset, twice on different streams: the context's memory is used again.
fn check<E: ResidueWord>(
    device: &Device,
    prime: u64,
    [n, m]: [usize; 2],
    plan: Option<SchoolbookPlan>,
) {
    let batch = 3;
    let context = match plan {
        Some(plan) => SchoolbookContext::with_plan(device, E::WORD, prime, n, m, batch, plan),
        None => SchoolbookContext::new(device, E::WORD, prime, n, m, batch),
    }
    .unwrap();
    let (stream, other) = (device.stream().unwrap(), device.stream().unwrap());
    let (a, b) = (
        operands(prime, n, batch + 1, 1),
        operands(prime, m, batch + 1, 2),
    );
    let length = context.product_len();
    let (a_data, b_data) = (upload::<E>(&stream, &a), upload::<E>(&stream, &b));
    let mut to = upload::<E>(&stream, &vec![1; batch * length + 3]);
    let mut again = upload::<E>(&other, &vec![0; length]);
    context
        .multiply(
            &stream,
            (&a_data, n),
            (&b_data, m),
            (&mut to, 2),
            batch,
            false,
        )
        .unwrap();
    context
        .multiply(
            &other,
            (&a_data, 0),
            (&b_data, 0),
            (&mut again, 0),
            1,
            false,
        )
        .unwrap();
    let (result, first) = (download(&stream, &to), download(&other, &again));
    let expected =
        |index: usize| convolution_mod(&a[index * n..][..n], &b[index * m..][..m], prime);
    let name = format!("{prime} {n} {m} {:?}", context.plan());
    for index in 0..batch {
        let result = &result[2 + index * length..][..length];
        assert_eq!(result, expected(index + 1), "{name} {index}");
    }
    assert_eq!(first, expected(0), "{name}");
    assert_eq!(
        (&result[..2], result[result.len() - 1]),
        (&[1, 1][..], 1),
        "{name}"
    );
}

/// Lengths around the edges of tiles and of parts of a small plan, and long ones.
fn check_lengths<E: ResidueWord>(place: Place, primes: &[u64]) {
    let Some(device) = place.device() else { return };
    let small = SchoolbookPlan {
        threads: 8,
        rows: 8,
    };
    for &prime in primes {
        for [n, m] in [
            [1, 1],
            [1, 2],
            [7, 8],
            [8, 9],
            [24, 8],
            [25, 9],
            [32, 33],
            [100, 3],
            [3, 100],
            [65, 64],
        ] {
            check::<E>(&device, prime, [n, m], Some(small));
        }
    }
    for lengths in [[1, 1], [300, 77], [77, 300], [600, 600]] {
        check::<E>(&device, primes[0], lengths, None);
    }
}

fn products_in_32_bits_are_the_definition(place: Place) {
    check_lengths::<u32>(place, &[(1 << 31) - 1, 3, (1 << 30) - 35, 469762049]);
}

fn products_in_64_bits_are_the_definition(place: Place) {
    let spare = ntt_primes(62, 1).next().unwrap();
    check_lengths::<u64>(place, &[(1 << 63) - 25, 3, spare]);
}

fn products_in_doubles_are_the_definition(place: Place) {
    check_lengths::<f64>(place, &[(1 << 50) - 27, 3, 65537]);
}

fn what_does_not_fit_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let refused = |prime, n, m, batch| {
        let context = SchoolbookContext::new(&device, Word::U32, prime, n, m, batch);
        matches!(context, Err(GpuError::Shape(_)))
    };
    assert!(refused(91, 1, 1, 1) && refused(2, 1, 1, 1) && refused(1 << 31, 1, 1, 1));
    assert!(refused(17, 0, 1, 1) && refused(17, 1, 0, 1) && refused(17, 1 << 30, 1, 1));
    for (threads, rows) in [(0, 4), (usize::MAX, 4), (8, 0), (8, 6), (8, usize::MAX - 3)] {
        let plan = SchoolbookPlan { threads, rows };
        let refused = SchoolbookContext::with_plan(&device, Word::U32, 17, 2, 2, 1, plan);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{plan:?}");
    }
    let stream = device.stream().unwrap();
    let context = SchoolbookContext::new(&device, Word::U32, 17, 3, 2, 2).unwrap();
    let (a, b) = (device.buffer(6).unwrap(), device.buffer(4).unwrap());
    let mut to = device.buffer::<u32>(8).unwrap();
    for (a_first, b_first, to_first, batch) in [
        (1, 0, 0, 2),
        (0, 1, 0, 2),
        (0, 0, 1, 2),
        (0, 0, 0, 3),
        (usize::MAX, 0, 0, 1),
    ] {
        let (a, b) = ((&a, a_first), (&b, b_first));
        let refused = context.multiply(&stream, a, b, (&mut to, to_first), batch, false);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
}
