//! Determinants against elimination as it is taught.

use crate::modular::{inverse, mul};
use crate::support::{download, upload};
use sunzi_device::{Device, DeviceOptions, GpuError};
use sunzi_gpu::determinant::{
    DeterminantConfig, DeterminantContext, DeterminantPlan, FloatContext, FloatPivot,
    FloatPivoting, PanelConfig,
};
use sunzi_gpu::{ResidueWord, Word};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, on_every_device};

on_every_device![
    determinants_of_31_bits_are_those_of_elimination,
    determinants_of_63_bits_are_those_of_elimination,
    determinants_of_31_bits_by_panels_are_those_of_elimination,
    determinants_of_63_bits_by_panels_are_those_of_elimination,
    panels_are_computed_in_pieces_of_what_the_memory_holds,
    doubles_that_are_no_matrices_are_refused,
    what_no_group_shares_is_refused,
];
as_gpu![determinants_of_31_bits_by_panels_are_those_of_elimination];

as_ptx![
    determinants_of_31_bits_are_those_of_elimination,
    determinants_of_63_bits_are_those_of_elimination,
    determinants_of_31_bits_by_panels_are_those_of_elimination,
    determinants_of_63_bits_by_panels_are_those_of_elimination,
];

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

fn check<E: ResidueWord>(device: &Device, primes: &[u64], n: usize, plan: Option<DeterminantPlan>) {
    let context = match plan {
        None => DeterminantContext::new(device, E::WORD, primes, n),
        Some(plan) => DeterminantContext::with_plan(device, E::WORD, primes, n, plan),
    };
    let (context, stream) = (context.unwrap(), device.stream().unwrap());
    let all: Vec<_> = primes
        .iter()
        .flat_map(|&p| matrices(n, p).into_iter().map(move |a| (a, p)))
        .collect();
    let entries = all.iter().flat_map(|(matrix, _)| matrix).copied();
    // Both begin with an element of others.
    let entries: Vec<u64> = [1].into_iter().chain(entries).collect();
    let from = upload::<E>(&stream, &entries);
    let mut to = upload::<E>(&stream, &vec![1; all.len() + 2]);
    let each = all.len() / primes.len();
    context
        .run(&stream, (&from, 1), (&mut to, 1), each)
        .unwrap();
    let found = download(&stream, &to);
    let expected = all.into_iter().map(|(matrix, p)| determinant(matrix, n, p));
    let expected: Vec<u64> = [1].into_iter().chain(expected).chain([1]).collect();
    assert_eq!(found, expected, "{primes:?} {n} {:?}", context.plan());
}

/// Orders around the threads of a row and of a group, and around a power of two.
fn check_orders<E: ResidueWord>(place: Place, primes: &[u64]) {
    let Some(device) = place.device() else { return };
    let (threads, order) = (8, 24);
    let shared = DeterminantPlan::Shared(DeterminantConfig { threads, order });
    for n in [1, 2, 3, 7, 8, 9, 24] {
        check::<E>(&device, primes, n, Some(shared));
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

/// Orders around panels of 4 rows and tiles of 8, of which a few are cut.
fn check_panels<E: ResidueWord>(place: Place, primes: &[u64]) {
    let Some(device) = place.device() else { return };
    let panels = DeterminantPlan::Panels(PanelConfig { rows: 4, side: 2 });
    for n in [1, 2, 3, 4, 5, 8, 9, 12, 13, 21] {
        check::<E>(&device, primes, n, Some(panels));
    }
    let suiting = DeterminantPlan::Panels(PanelConfig::for_device(device.info(), E::WORD));
    check::<E>(&device, &primes[..1], place.pick(70, 40), Some(suiting));
}

fn determinants_of_31_bits_by_panels_are_those_of_elimination(place: Place) {
    check_panels::<u32>(place, &[(1 << 31) - 1, 3, 469_762_049]);
    check_panels::<u32>(place, &[469_762_049]);
}

fn determinants_of_63_bits_by_panels_are_those_of_elimination(place: Place) {
    check_panels::<u64>(place, &[(1 << 63) - 25, (1 << 60) - (1 << 18) + 1]);
}

fn panels_are_computed_in_pieces_of_what_the_memory_holds(place: Place) {
    let config = PanelConfig { rows: 4, side: 2 };
    let (n, count) = (12, 7);
    // The matrices, the determinants, and two more to compute with.
    let bytes = 2 * config.working_bytes(Word::U32, n) + 4 * (count * n * n + count) as u64;
    let options = |bytes| DeviceOptions {
        memory_limit: Some(bytes),
        ..DeviceOptions::default()
    };
    let Some(device) = place.device_with(&options(bytes + 1500)) else {
        return;
    };
    let (primes, stream) = ([101], device.stream().unwrap());
    let plan = DeterminantPlan::Panels(config);
    let context = DeterminantContext::with_plan(&device, Word::U32, &primes, n, plan).unwrap();
    let all = matrices(n, primes[0]);
    let all = &all[..count];
    let words: Vec<u32> = all.concat().into_iter().map(|x| x as u32).collect();
    let from = device.filled(&stream, &words).unwrap();
    let mut to = device.buffer(count).unwrap();
    let together = device.memory_free() / config.working_bytes(Word::U32, n);
    assert!((1..4).contains(&together), "{together}");
    context
        .run(&stream, (&from, 0), (&mut to, 0), count)
        .unwrap();
    let mut found = vec![0; count];
    stream.read(&to, &mut found).unwrap();
    let expected = all
        .iter()
        .map(|matrix| determinant(matrix.clone(), n, primes[0]) as u32);
    assert!(found.into_iter().eq(expected));
    // Nothing is left for one.
    let _held: sunzi_device::Buffer<u32> =
        device.buffer(device.memory_free() as usize / 4).unwrap();
    let refused = context.run(&stream, (&from, 0), (&mut to, 0), count);
    assert!(
        matches!(refused, Err(GpuError::OutOfMemory { .. })),
        "{refused:?}"
    );
}

fn what_no_group_shares_is_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let refused = |primes: &[u64], order| {
        let context = DeterminantContext::new(&device, Word::U32, primes, order);
        matches!(context, Err(GpuError::Shape(_)))
    };
    assert!(
        refused(&[], 2) && refused(&[101], 0) && refused(&[101, 91], 2) && refused(&[1 << 31], 2)
    );
    let shared = |order| DeterminantPlan::Shared(DeterminantConfig { threads: 8, order });
    for (order, plan) in [
        (1 << 14, Some(shared(1 << 14))),
        (usize::MAX, Some(shared(usize::MAX))),
        (1 << 16, None),
        (usize::MAX, None),
    ] {
        let context = match plan {
            Some(plan) => DeterminantContext::with_plan(&device, Word::U64, &[101], order, plan),
            None => DeterminantContext::new(&device, Word::U64, &[101], order),
        };
        assert!(
            matches!(context, Err(GpuError::Limits { .. })),
            "{context:?}"
        );
    }
    for (rows, side) in [
        (0, 2),
        (6, 2),
        (68, 2),
        (4, 0),
        (4, usize::MAX),
        (4, 1 << 10),
    ] {
        let plan = DeterminantPlan::Panels(PanelConfig { rows, side });
        let context = DeterminantContext::with_plan(&device, Word::U32, &[101], 3, plan);
        assert!(matches!(context, Err(GpuError::Shape(_))), "{context:?}");
    }
    for (threads, order) in [(0, 4), (usize::MAX, 4), (40, 4), (8, 0), (8, 2)] {
        let plan = DeterminantPlan::Shared(DeterminantConfig { threads, order });
        let context = DeterminantContext::with_plan(&device, Word::U32, &[101], 3, plan);
        assert!(matches!(context, Err(GpuError::Shape(_))), "{context:?}");
    }
    let context = DeterminantContext::new(&device, Word::U32, &[101, 103], 2).unwrap();
    let stream = device.stream().unwrap();
    let from = device.buffer::<u32>(16).unwrap();
    let mut to = device.buffer(4).unwrap();
    for (from_first, to_first, each) in [(1, 0, 2), (0, 1, 2), (0, 0, 3), (0, 0, usize::MAX)] {
        let refused = context.run(&stream, (&from, from_first), (&mut to, to_first), each);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
    context.run(&stream, (&from, 16), (&mut to, 4), 0).unwrap();
}

fn doubles_that_are_no_matrices_are_refused(place: Place) {
    let Some(device) = place.device() else { return };
    let (stream, context) = (
        device.stream().unwrap(),
        FloatContext::new(&device).unwrap(),
    );
    let pivots =
        |entries: &[f64], order| context.pivots(&stream, FloatPivoting::Largest, entries, order);
    for (len, order) in [(4, 0), (5, 2), (4, usize::MAX), (1 << 16, 1)] {
        let refused = pivots(&vec![1.0; len], order);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{len} {order}");
    }
    assert_eq!(pivots(&[], 2), Ok(Vec::new()));
    // Several together, of which one is singular.
    let found = pivots(&[0.0, 2.0, 3.0, 4.0, 1.0, -1.0, 2.0, -2.0], 2).unwrap();
    let pivot = |place, value| FloatPivot {
        place,
        value,
        shift: 0,
    };
    assert_eq!(found, [Some(vec![pivot(1, 2.0), pivot(0, 3.0)]), None]);
}
