//! Determinants against elimination as it is taught.

use sunzi_gpu::determinant::{DeterminantContext, DeterminantShape};
use sunzi_gpu::{Device, GpuError, ResidueWord};
use sunzi_testkit::{Place, Random, on_every_device};

on_every_device![
    determinants_of_31_bits_are_those_of_elimination,
    determinants_of_63_bits_are_those_of_elimination,
    what_no_group_shares_is_refused,
];

fn mul(a: u64, b: u64, p: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(p)) as u64
}

fn inverse(x: u64, p: u64) -> u64 {
    let bits = (0..64).rev().map(|bit| (p - 2) >> bit & 1);
    bits.fold(1, |power, bit| {
        let square = mul(power, power, p);
        if bit == 1 { mul(square, x, p) } else { square }
    })
}

/// Elimination with inverses and rows that change places.
fn determinant(mut a: Vec<u64>, n: usize, p: u64) -> u64 {
    let mut found = 1;
    for k in 0..n {
        let Some(pivot) = (k..n).find(|&i| a[i * n + k] != 0) else {
            return 0;
        };
        if pivot != k {
            for j in 0..n {
                a.swap(k * n + j, pivot * n + j);
            }
            found = p - found;
        }
        found = mul(found, a[k * n + k], p);
        let inverse = inverse(a[k * n + k], p);
        for i in k + 1..n {
            let factor = mul(a[i * n + k], inverse, p);
            for j in k..n {
                a[i * n + j] = (a[i * n + j] + (p - mul(factor, a[k * n + j], p))) % p;
            }
        }
    }
    found % p
}

/// Matrices with pivots in all places, and with none.
fn matrices(n: usize, p: u64) -> Vec<Vec<u64>> {
    let mut random = Random::new(n as u64);
    let mut matrix = || random.residues(n * n, p);
    let mut all = vec![matrix(), matrix(), vec![p - 1; n * n], vec![0; n * n]];
    // Ones in the other diagonal, and in the one below the main one.
    for column in [
        |i: usize, n: usize| n - 1 - i,
        |i: usize, n: usize| (i + n - 1) % n,
    ] {
        let mut permutation = vec![0; n * n];
        (0..n).for_each(|i| permutation[i * n + column(i, n)] = p - 1);
        all.push(permutation);
    }
    // The first column is in the last row alone; a column is 0; the last row is the sum of the others.
    let mut late = matrix();
    (0..n - 1).for_each(|i| late[i * n] = 0);
    let mut empty = matrix();
    (0..n).for_each(|i| empty[i * n + n / 2] = 0);
    let mut dependent = matrix();
    for j in 0..n {
        let sum: u128 = (0..n - 1).map(|i| u128::from(dependent[i * n + j])).sum();
        dependent[(n - 1) * n + j] = (sum % u128::from(p)) as u64;
    }
    all.extend([late, empty, dependent]);
    all
}

fn check<E: ResidueWord>(device: &Device, primes: &[u64], n: usize, threads: Option<usize>) {
    let context = match threads {
        None => DeterminantContext::<E>::new(device, primes, n),
        Some(threads) => {
            let shape = DeterminantShape { threads, order: 24 };
            DeterminantContext::with_shape(device, primes, n, shape)
        }
    };
    let (context, stream) = (context.unwrap(), device.stream().unwrap());
    let all: Vec<_> = primes
        .iter()
        .flat_map(|&p| matrices(n, p).into_iter().map(move |a| (a, p)))
        .collect();
    let entries = all
        .iter()
        .flat_map(|(matrix, _)| matrix)
        .map(|&x| E::from_residue(x));
    // Both begin with an element of others.
    let words: Vec<E> = [E::from_residue(1)].into_iter().chain(entries).collect();
    let from = device.filled(&stream, &words).unwrap();
    let mut to = device
        .filled(&stream, &vec![E::from_residue(1); all.len() + 2])
        .unwrap();
    let each = all.len() / primes.len();
    context
        .run(&stream, (&from, 1), (&mut to, 1), each)
        .unwrap();
    let mut found = vec![E::from_residue(0); to.len()];
    stream.read(&to, &mut found).unwrap();
    let found: Vec<u64> = found.into_iter().map(E::residue).collect();
    let expected = all.into_iter().map(|(matrix, p)| determinant(matrix, n, p));
    let expected: Vec<u64> = [1].into_iter().chain(expected).chain([1]).collect();
    assert_eq!(found, expected, "{primes:?} {n} {:?}", context.shape());
}

/// Orders around the threads of a row and of a group, and around a power of two.
fn check_orders<E: ResidueWord>(place: Place, primes: &[u64]) {
    let Some(device) = place.device() else { return };
    for n in [1, 2, 3, 7, 8, 9, 24] {
        check::<E>(&device, primes, n, Some(8));
    }
    for n in [31, 32, 33, 48] {
        check::<E>(&device, &primes[..1], n, None);
    }
}

fn determinants_of_31_bits_are_those_of_elimination(place: Place) {
    check_orders::<u32>(place, &[469_762_049, (1 << 31) - 1, 3]);
}

fn determinants_of_63_bits_are_those_of_elimination(place: Place) {
    check_orders::<u64>(place, &[(1 << 60) - (1 << 18) + 1, (1 << 63) - 25]);
}

fn what_no_group_shares_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let refused = |primes: &[u64], order| {
        let context = DeterminantContext::<u32>::new(&device, primes, order);
        matches!(context, Err(GpuError::Shape(_)))
    };
    assert!(
        refused(&[], 2) && refused(&[101], 0) && refused(&[101, 91], 2) && refused(&[1 << 31], 2)
    );
    for order in [1 << 14, usize::MAX] {
        let context = DeterminantContext::<u64>::new(&device, &[101], order);
        assert!(
            matches!(context, Err(GpuError::Limits { .. })),
            "{context:?}"
        );
    }
    for (threads, order) in [(0, 4), (usize::MAX, 4), (40, 4), (8, 0), (8, 2)] {
        let shape = DeterminantShape { threads, order };
        let context = DeterminantContext::<u32>::with_shape(&device, &[101], 3, shape);
        assert!(matches!(context, Err(GpuError::Shape(_))), "{context:?}");
    }
    let context = DeterminantContext::<u32>::new(&device, &[101, 103], 2).unwrap();
    let stream = device.stream().unwrap();
    let (from, mut to) = (device.buffer(16).unwrap(), device.buffer(4).unwrap());
    for (from_first, to_first, each) in [(1, 0, 2), (0, 1, 2), (0, 0, 3), (0, 0, usize::MAX)] {
        let refused = context.run(&stream, (&from, from_first), (&mut to, to_first), each);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
    context.run(&stream, (&from, 16), (&mut to, 4), 0).unwrap();
}
