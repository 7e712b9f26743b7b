//! Subproduct trees against Horner's rule.

use sunzi_gpu::tree::{SubproductTree, TreePlan};
use sunzi_gpu::{Device, DeviceOptions, GpuError, ResidueWord};
use sunzi_testkit::{Place, Random, on_every_device};

on_every_device![
    values_of_31_bits_are_those_of_horners_rule_and_lead_back,
    values_of_63_bits_are_those_of_horners_rule_and_lead_back,
    points_that_are_equal_are_evaluated_at_and_have_no_interpolation,
    a_tree_takes_no_more_memory_than_it_says,
    what_is_no_tree_is_refused,
];

fn horner(f: &[u64], u: u64, p: u64) -> u64 {
    let step =
        |value, &c: &u64| (u128::from(value) * u128::from(u) + u128::from(c)) % u128::from(p);
    f.iter().rev().fold(0, |value, c| step(value, c) as u64)
}

fn words<E: ResidueWord>(residues: &[u64]) -> Vec<E> {
    residues.iter().map(|&x| E::from_residue(x)).collect()
}

/// Values at all points, of polynomials of these lengths; then the polynomials of values.
fn check<E: ResidueWord>(device: &Device, p: u64, plan: TreePlan, lengths: &[usize]) {
    let (m, stream) = (plan.points, device.stream().unwrap());
    let mut random = Random::new(m as u64);
    // Different points; 0 and p - 1 are among them.
    let mut points: Vec<_> = (0..m as u64).map(|i| i * i * 3 + i * 5).collect();
    points[m - 1] = p - 1;
    let padded = [&[7], &points[..]].concat();
    let on_device = device.filled(&stream, &words::<E>(&padded)).unwrap();
    let tree = SubproductTree::with_plan(device, &stream, p, (&on_device, 1), plan).unwrap();
    let guard = E::from_residue(1);
    for &len in lengths {
        let f = match len % 3 {
            0 => vec![p - 1; len],
            _ => random.residues(len, p),
        };
        let from = device
            .filled(&stream, &words::<E>(&[&[5], &f[..]].concat()))
            .unwrap();
        let mut to = device.filled(&stream, &vec![guard; m + 2]).unwrap();
        tree.evaluate(&stream, (&from, 1), len, (&mut to, 1))
            .unwrap();
        let mut found = vec![E::from_residue(0); m + 2];
        stream.read(&to, &mut found).unwrap();
        let found: Vec<_> = found.into_iter().map(E::residue).collect();
        let values = points.iter().map(|&u| horner(&f, u, p));
        let expected: Vec<_> = [1].into_iter().chain(values).chain([1]).collect();
        assert_eq!(found, expected, "{p} {plan:?} {len}");
        if len > m {
            continue;
        }
        let mut back = device.filled(&stream, &vec![guard; m + 2]).unwrap();
        tree.interpolate(&stream, (&to, 1), (&mut back, 1)).unwrap();
        let mut found = words::<E>(&vec![0; m + 2]);
        stream.read(&back, &mut found).unwrap();
        let found: Vec<_> = found.into_iter().map(E::residue).collect();
        let missing = vec![0; m - len];
        assert_eq!(
            found,
            [&[1], &f[..], &missing, &[1]].concat(),
            "{p} {plan:?} {len}"
        );
    }
}

/// Numbers of points around leaves and levels.
fn check_all<E: ResidueWord>(place: Place, p: u64) {
    let Some(device) = place.device() else { return };
    for points in [1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32] {
        let plan = TreePlan { points, leaf: 4 };
        let n = plan.padded();
        let lengths = [0, 1, points.saturating_sub(1), points, n, n + 1, 3 * n - 1];
        check::<E>(&device, p, plan, &lengths);
    }
    let plan = TreePlan::for_device(device.info(), place.pick(150, 70));
    check::<E>(&device, p, plan, &[plan.points]);
}

fn values_of_31_bits_are_those_of_horners_rule_and_lead_back(place: Place) {
    check_all::<u32>(place, 469_762_049);
}

fn values_of_63_bits_are_those_of_horners_rule_and_lead_back(place: Place) {
    check_all::<u64>(place, (1 << 60) - (1 << 18) + 1);
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
        memory_limit: Some(plan.bytes::<u32>(device.info()).unwrap() + 3 * 4 * 512),
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
    let is_shape = |result: Result<(), GpuError>| matches!(result, Err(GpuError::Shape(_)));
    // No prime, none of a word, one with too few roots; no points, more than there are, and than there can be.
    for p in [91, 1 << 31, 1_000_000_007] {
        assert!(is_shape(new(p, 300)));
    }
    for count in [0, 2049, 1 << 28, usize::MAX] {
        assert!(is_shape(new(469_762_049, count)));
    }
    let too_much = new(469_762_049, 2048);
    assert!(
        matches!(too_much, Err(GpuError::OutOfMemory { .. })),
        "{too_much:?}"
    );
    for leaf in [0, 3, 1 << 20] {
        let plan = TreePlan { points: 5, leaf };
        let tree = SubproductTree::with_plan(&device, &stream, 469_762_049, (&points, 0), plan);
        assert!(is_shape(tree.map(drop)));
    }
    let plan = TreePlan { points: 5, leaf: 4 };
    let tree =
        SubproductTree::with_plan(&device, &stream, 469_762_049, (&points, 0), plan).unwrap();
    let mut to = device.buffer(8).unwrap();
    for (first, len, to_first) in [(0, 2049, 0), (2048, 1, 0), (0, 5, 4), (0, 5, usize::MAX)] {
        let refused = tree.evaluate(&stream, (&points, first), len, (&mut to, to_first));
        assert!(is_shape(refused));
    }
    for (first, to_first) in [(2044, 0), (0, 4), (usize::MAX, 0)] {
        let refused = tree.interpolate(&stream, (&points, first), (&mut to, to_first));
        assert!(is_shape(refused));
    }
}
