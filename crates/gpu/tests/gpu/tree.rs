//! Subproduct trees against Horner's rule.

use crate::support::{any, download, upload};
use std::fmt::Debug;
use sunzi_device::{Buffer, Device, DeviceOptions, GpuError, Stream};
use sunzi_field::{Digits, Field, GeneralizedFermat};
use sunzi_gpu::tree::{SubproductTree, TreePlan};
use sunzi_gpu::{ResidueWord, Word};
use sunzi_testkit::{Place, Random, as_gpu, as_ptx, on_every_device};

on_every_device![
    values_of_31_bits_are_those_of_horners_rule_and_lead_back,
    values_of_63_bits_are_those_of_horners_rule_and_lead_back,
    values_modulo_big_primes_are_those_of_horners_rule_and_lead_back,
    values_are_the_same_each_time,
    points_that_are_equal_are_evaluated_at_and_have_no_interpolation,
    equal_points_modulo_a_big_prime_are_found,
    a_tree_takes_no_more_memory_than_it_says,
    a_tree_by_several_primes_takes_no_more_memory_than_it_says,
    a_tree_modulo_a_big_prime_takes_no_more_memory_than_it_says,
    what_is_no_tree_is_refused,
];
as_gpu![values_of_31_bits_are_those_of_horners_rule_and_lead_back];

as_ptx![
    values_of_31_bits_are_those_of_horners_rule_and_lead_back,
    values_of_63_bits_are_those_of_horners_rule_and_lead_back,
    values_modulo_big_primes_are_those_of_horners_rule_and_lead_back,
    points_that_are_equal_are_evaluated_at_and_have_no_interpolation,
    equal_points_modulo_a_big_prime_are_found,
];

fn horner(f: &[u64], u: u64, p: u64) -> u64 {
    let step =
        |value, &c: &u64| (u128::from(value) * u128::from(u) + u128::from(c)) % u128::from(p);
    f.iter().rev().fold(0, |value, c| step(value, c) as u64)
}

/// Values at all points, of polynomials of these lengths; then the polynomials of values.
fn check<E, T>(device: &Device, p: u64, plan: TreePlan, lengths: &[usize], new: T)
where
    E: ResidueWord,
    T: Fn(&Stream, (&Buffer<E>, usize)) -> Result<SubproductTree, GpuError>,
{
    let (m, stream) = (plan.points, device.stream().unwrap());
    let mut random = Random::new(m as u64);
    // Different points; 0 and p - 1 are among them.
    let mut points: Vec<_> = (0..m as u64).map(|i| i * i * 3 + i * 5).collect();
    points[m - 1] = p - 1;
    let padded = [&[7], &points[..]].concat();
    let on_device = upload::<E>(&stream, &padded);
    let tree = new(&stream, (&on_device, 1)).unwrap();
    for &len in lengths {
        let f = match len % 3 {
            0 => vec![p - 1; len],
            _ => random.residues(len, p),
        };
        let from = upload::<E>(&stream, &[&[5], &f[..]].concat());
        let mut to = upload::<E>(&stream, &vec![1; m + 2]);
        tree.evaluate(&stream, (&from, 1), len, (&mut to, 1))
            .unwrap();
        let found = download(&stream, &to);
        let values = points.iter().map(|&u| horner(&f, u, p));
        let expected: Vec<_> = [1].into_iter().chain(values).chain([1]).collect();
        assert_eq!(found, expected, "{p} {plan:?} {len}");
        if len > m {
            continue;
        }
        let mut back = upload::<E>(&stream, &vec![1; m + 2]);
        tree.interpolate(&stream, (&to, 1), (&mut back, 1)).unwrap();
        let found = download(&stream, &back);
        let missing = vec![0; m - len];
        assert_eq!(
            found,
            [&[1], &f[..], &missing, &[1]].concat(),
            "{p} {plan:?} {len}"
        );
    }
}

/// Numbers of points around leaves and levels, with a prime that has roots of unity and one that has none.
fn check_all<E: ResidueWord + Debug>(place: Place, p: u64, rootless: u64) {
    let Some(device) = place.device() else { return };
    let of = |p: u64, plan: TreePlan, lengths: &[usize]| {
        let grow = |stream: &Stream, points: (&Buffer<E>, _)| {
            SubproductTree::with_plan(&device, stream, p, points, plan)
        };
        check(&device, p, plan, lengths, grow);
    };
    // A leaf, one more, levels that are full and nearly so.
    let few: &[usize] = &[1, 4, 5, 31, 32];
    let few_rootless: &[usize] = &[5, 32];
    for &points in place.pick(&[1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32][..], few) {
        let plan = TreePlan { points, leaf: 4 };
        let n = plan.padded();
        let mut lengths = vec![0, 1, points - 1, points, n, n + 1, 3 * n - 1];
        lengths.sort_unstable();
        lengths.dedup();
        of(p, plan, &lengths);
        if place
            .pick(&[1, 4, 5, 9, 32][..], few_rootless)
            .contains(&points)
        {
            of(rootless, plan, &lengths);
        }
    }
    let plan = TreePlan::for_device(device.info(), place.pick(150, 70));
    of(p, plan, &[plan.points]);
    of(rootless, plan, &[plan.points]);
}

/// Trees in which everything is made anew: what one stream fills and another reads at once was wrong now and then, on a
/// device that takes its time.
fn values_are_the_same_each_time(place: Place) {
    let Some(device) = place.device() else { return };
    for points in [128, 256] {
        let plan = TreePlan { points, leaf: 64 };
        for _ in 0..5 {
            check(
                &device,
                469_762_049,
                plan,
                &[5; 2],
                |stream, points: (&Buffer<u32>, _)| {
                    SubproductTree::with_plan(&device, stream, 469_762_049, points, plan)
                },
            );
        }
    }
}

fn values_of_31_bits_are_those_of_horners_rule_and_lead_back(place: Place) {
    check_all::<u32>(place, 469_762_049, (1 << 31) - 1);
}

fn values_of_63_bits_are_those_of_horners_rule_and_lead_back(place: Place) {
    // The greatest prime of a word.
    check_all::<u64>(place, (1 << 60) - (1 << 18) + 1, (1 << 63) - 25);
}

/// Elements that break carries, different ones, and random ones.
fn elements<const K: usize>(field: &GeneralizedFermat<K>, count: usize) -> Vec<Digits<K>> {
    let radix = field.radix();
    let mut random = Random::new(count as u64);
    let element = |index: usize| {
        let mut digits = [0; K];
        match index {
            0 => {}
            1 => digits[K - 1] = radix,
            2 => digits = [radix - 1; K],
            3 => digits[0] = 1,
            4 => digits[K - 1] = 1,
            5 => digits[0] = radix - 1,
            _ => {
                digits.copy_from_slice(&random.residues(K, radix));
                digits[0] = index as u64;
            }
        }
        Digits(digits)
    };
    (0..count).map(element).collect()
}

fn check_elements<const K: usize>(device: &Device, radix: u64, counts: &[usize]) {
    let field = GeneralizedFermat::<K>::new(radix).unwrap();
    let stream = device.stream().unwrap();
    let words = |elements: &[Digits<K>]| Digits::words_of(elements).to_vec();
    for &m in counts {
        let points = elements(&field, m);
        let padded = [&[Digits([7; K])], &points[..]].concat();
        let on_device = device.filled(&stream, &words(&padded)).unwrap();
        let tree =
            SubproductTree::of_elements(device, &stream, &any(&field), (&on_device, 1), m).unwrap();
        let n = tree.plan().padded();
        for len in [0, 1, m.saturating_sub(1), m, 2 * n + 1] {
            let mut f = elements(&field, len);
            f.rotate_left(len / 2);
            let padded = [&[Digits([5; K])], &f[..]].concat();
            let from = device.filled(&stream, &words(&padded)).unwrap();
            let guard = Digits([3; K]);
            let mut to = device.filled(&stream, &words(&vec![guard; m + 2])).unwrap();
            tree.evaluate(&stream, (&from, 1), len, (&mut to, 1))
                .unwrap();
            let mut found = vec![0; K * (m + 2)];
            stream.read(&to, &mut found).unwrap();
            let value = |&u: &Digits<K>| {
                let step = |value, &c: &Digits<K>| field.add(field.mul(value, u), c);
                f.iter().rev().fold(field.zero(), step)
            };
            let values: Vec<_> = points.iter().map(value).collect();
            let expected = words(&[&[guard], &values[..], &[guard]].concat());
            assert!(found == expected, "{radix}^{K}+1, {m} points, {len} terms");
            if len > m {
                continue;
            }
            let mut back = device.filled(&stream, &words(&vec![guard; m + 2])).unwrap();
            tree.interpolate(&stream, (&to, 1), (&mut back, 1)).unwrap();
            stream.read(&back, &mut found).unwrap();
            f.resize(m, field.zero());
            let expected = words(&[&[guard], &f[..], &[guard]].concat());
            assert!(found == expected, "{radix}^{K}+1, {m} values, {len} terms");
        }
    }
}

fn values_modulo_big_primes_are_those_of_horners_rule_and_lead_back(place: Place) {
    let Some(device) = place.device() else { return };
    // Around a group of 32 elements of P8.
    let counts = [1, 2, 3, 5, 8, place.pick(33, 17)];
    check_elements::<8>(&device, (1 << 59) + (1 << 57) + (1 << 39), &counts);
    check_elements::<16>(&device, (1 << 58) + (1 << 55) + (1 << 45), &[7, 9]);
    // Digits from 2^62 on leave no room for carries.
    check_elements::<8>(&device, (1 << 63) + (1 << 34), &[4, 6]);
}

fn equal_points_modulo_a_big_prime_are_found(place: Place) {
    let Some(device) = place.device() else { return };
    let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    let stream = device.stream().unwrap();
    let mut points = elements(&field, 6);
    points[4] = points[1];
    let points = device.filled(&stream, Digits::words_of(&points)).unwrap();
    let of =
        |count| SubproductTree::of_elements(&device, &stream, &any(&field), (&points, 0), count);
    let tree = of(6).unwrap();
    assert_eq!(tree.repeated_point(&stream).unwrap(), Some(1));
    let mut to = device.buffer(6 * 8).unwrap();
    let refused = tree.interpolate(&stream, (&points, 0), (&mut to, 0));
    assert!(matches!(refused, Err(GpuError::Shape(_))));
    for count in [0, 7, usize::MAX] {
        assert!(matches!(of(count).map(drop), Err(GpuError::Shape(_))));
    }
    // 256^2 + 1 has roots of order 2^16 at most.
    let field = GeneralizedFermat::<2>::new(256).unwrap();
    let points = device.filled(&stream, &vec![0u64; 2 << 16]).unwrap();
    let of =
        |count| SubproductTree::of_elements(&device, &stream, &any(&field), (&points, 0), count);
    assert!(of(1 << 4).is_ok());
    assert!(matches!(of(1 << 16).map(drop), Err(GpuError::Shape(_))));
}

fn points_that_are_equal_are_evaluated_at_and_have_no_interpolation(place: Place) {
    let Some(device) = place.device() else { return };
    let (p, stream) = (469_762_049, device.stream().unwrap());
    let points = [3, 0, 5, 6, 0, 5, 1u32];
    let on_device = device.filled(&stream, &points).unwrap();
    let plan = TreePlan { points: 7, leaf: 4 };
    let tree = SubproductTree::with_plan(&device, &stream, p, (&on_device, 0), plan).unwrap();
    let f = device.filled(&stream, &[2, 1, 1]).unwrap();
    let mut values = device.buffer(7).unwrap();
    tree.evaluate(&stream, (&f, 0), 3, (&mut values, 0))
        .unwrap();
    let mut found = [0; 7];
    stream.read(&values, &mut found).unwrap();
    assert_eq!(found, points.map(|u| u * u + u + 2));
    let mut to = device.buffer(7).unwrap();
    assert_eq!(tree.repeated_point(&stream).unwrap(), Some(1));
    for _ in 0..2 {
        match tree.interpolate(&stream, (&values, 0), (&mut to, 0)) {
            Err(GpuError::Shape(said)) => {
                assert!(said.contains("point 1 is there twice"), "{said}")
            }
            other => panic!("{other:?}"),
        }
    }
}

fn a_tree_takes_no_more_memory_than_it_says(place: Place) {
    let Some(device) = place.device() else { return };
    let (p, points) = (469_762_049, 300);
    let plan = TreePlan::for_device(device.info(), points);
    // The points, a polynomial, its values.
    let options = DeviceOptions {
        memory_limit: Some(plan.bytes(device.info(), Word::U32).unwrap() + 3 * 4 * 512),
        ..DeviceOptions::default()
    };
    let Some(device) = place.device_with(&options) else {
        return;
    };
    let stream = device.stream().unwrap();
    let places: Vec<u32> = (0..points as u32).collect();
    let places = device.filled(&stream, &places).unwrap();
    let tree = SubproductTree::with_plan(&device, &stream, p, (&places, 0), plan).unwrap();
    let mut values = device.buffer(points).unwrap();
    tree.evaluate(&stream, (&places, 0), points, (&mut values, 0))
        .unwrap();
    let mut back = device.buffer(points).unwrap();
    tree.interpolate(&stream, (&values, 0), (&mut back, 0))
        .unwrap();
    assert_eq!(tree.repeated_point(&stream).unwrap(), None);
    let mut found = vec![0; points];
    stream.read(&back, &mut found).unwrap();
    assert!(found.into_iter().eq(0..points as u32));
}

fn a_tree_by_several_primes_takes_no_more_memory_than_it_says(place: Place) {
    let Some(device) = place.device() else { return };
    let (p, points) = (1_000_000_007, 300);
    let plan = TreePlan::for_device(device.info(), points);
    let bytes = plan
        .bytes_by_several_primes(device.info(), Word::U32, p)
        .unwrap();
    let options = DeviceOptions {
        memory_limit: Some(bytes + 3 * 4 * 512),
        ..DeviceOptions::default()
    };
    let Some(device) = place.device_with(&options) else {
        return;
    };
    let stream = device.stream().unwrap();
    let places: Vec<u32> = (0..points as u32).collect();
    let places = device.filled(&stream, &places).unwrap();
    let tree = SubproductTree::with_plan(&device, &stream, p, (&places, 0), plan).unwrap();
    let mut values = device.buffer(points).unwrap();
    tree.evaluate(&stream, (&places, 0), points, (&mut values, 0))
        .unwrap();
    let mut back = device.buffer(points).unwrap();
    tree.interpolate(&stream, (&values, 0), (&mut back, 0))
        .unwrap();
    let mut found = vec![0; points];
    stream.read(&back, &mut found).unwrap();
    assert!(found.into_iter().eq(0..points as u32));
    // No prime, and more points than there are primes for.
    for (p, count) in [(91, 3), (1_000_000_007, 1 << 27)] {
        let points = (&places, 0);
        let refused = SubproductTree::new(&device, &stream, p, points, count);
        assert!(refused.is_err());
    }
}

fn a_tree_modulo_a_big_prime_takes_no_more_memory_than_it_says(place: Place) {
    let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    let plan = TreePlan::of_elements(100);
    // The points, a polynomial, its values.
    let options = DeviceOptions {
        memory_limit: Some(plan.bytes_of_elements(8) + 3 * 64 * 128),
        ..DeviceOptions::default()
    };
    let Some(device) = place.device_with(&options) else {
        return;
    };
    let stream = device.stream().unwrap();
    let places = elements(&field, 100);
    let on_device = device.filled(&stream, Digits::words_of(&places)).unwrap();
    let tree =
        SubproductTree::of_elements(&device, &stream, &any(&field), (&on_device, 0), 100).unwrap();
    let mut values = device.buffer(8 * 100).unwrap();
    tree.evaluate(&stream, (&on_device, 0), 100, (&mut values, 0))
        .unwrap();
    let mut back = device.buffer(8 * 100).unwrap();
    tree.interpolate(&stream, (&values, 0), (&mut back, 0))
        .unwrap();
    let mut found = vec![0; 8 * 100];
    stream.read(&back, &mut found).unwrap();
    assert!(found == Digits::words_of(&places));
    let options = DeviceOptions {
        memory_limit: Some(plan.bytes_of_elements(8) - 1),
        ..options
    };
    let Some(device) = place.device_with(&options) else {
        return;
    };
    let stream = device.stream().unwrap();
    let on_device = device.filled(&stream, Digits::words_of(&places)).unwrap();
    let refused = SubproductTree::of_elements(&device, &stream, &any(&field), (&on_device, 0), 100);
    assert!(matches!(
        refused.map(drop),
        Err(GpuError::OutOfMemory { .. })
    ));
}

fn what_is_no_tree_is_refused(place: Place) {
    let options = DeviceOptions {
        memory_limit: Some(64 << 10),
        ..DeviceOptions::default()
    };
    let Some(device) = place.device_with(&options) else {
        return;
    };
    let stream = device.stream().unwrap();
    let points = device.filled(&stream, &[0u32; 2048]).unwrap();
    let new = |p, count| SubproductTree::new(&device, &stream, p, (&points, 0), count).map(drop);
    let is_config = |result: Result<(), GpuError>| matches!(result, Err(GpuError::Shape(_)));
    // No prime, none of a word; no points, more than there are, and than there can be.
    for p in [91, 1 << 31] {
        assert!(is_config(new(p, 300)));
    }
    for count in [0, 2049, 1 << 28, usize::MAX] {
        assert!(is_config(new(469_762_049, count)));
    }
    let too_much = new(469_762_049, 2048);
    assert!(
        matches!(too_much, Err(GpuError::OutOfMemory { .. })),
        "{too_much:?}"
    );
    for leaf in [0, 3, 1 << 20] {
        let plan = TreePlan { points: 5, leaf };
        let tree = SubproductTree::with_plan(&device, &stream, 469_762_049, (&points, 0), plan);
        assert!(is_config(tree.map(drop)));
    }
    let plan = TreePlan { points: 5, leaf: 4 };
    let tree =
        SubproductTree::with_plan(&device, &stream, 469_762_049, (&points, 0), plan).unwrap();
    let mut to = device.buffer(8).unwrap();
    for (first, len, to_first) in [(0, 2049, 0), (2048, 1, 0), (0, 5, 4), (0, 5, usize::MAX)] {
        let refused = tree.evaluate(&stream, (&points, first), len, (&mut to, to_first));
        assert!(is_config(refused));
    }
    for (first, to_first) in [(2044, 0), (0, 4), (usize::MAX, 0)] {
        let refused = tree.interpolate(&stream, (&points, first), (&mut to, to_first));
        assert!(is_config(refused));
    }
}
