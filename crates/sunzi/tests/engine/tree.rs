//! Evaluation at many points, and interpolation.

use super::{on_device, on_processor, on_small_device};
use sunzi::{
    engine::{Engine, EngineError},
    field::{AnyField, named_prime},
    poly::{AnyPolyRing, PolyError},
};
use sunzi_testkit::{Place, Random, as_gpu, on_every_device};

on_every_device![
    values_and_polynomials_are_the_same_everywhere,
    trees_modulo_big_primes_are_the_same_everywhere,
    what_is_wrong_is_told_alike_everywhere,
    trees_beyond_a_device_are_the_processors,
];
as_gpu![values_and_polynomials_are_the_same_everywhere];

fn ring(prime: u64) -> AnyPolyRing {
    AnyPolyRing::new(&AnyField::modulo_word(prime).unwrap())
}

fn values_and_polynomials_are_the_same_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let mut random = Random::new(31);
    for prime in [
        469_762_049,
        (1 << 31) - 1,
        (1 << 60) - (1 << 18) + 1,
        (1 << 63) - 25,
    ] {
        let ring = ring(prime);
        let points: Vec<_> = (0..100).map(|i| i * i + 1).collect();
        let lengths = [0, 1, 100, 700];
        let polynomials = lengths.map(|len| ring.polynomial(random.residues(len, prime)).unwrap());
        let polynomials: Vec<_> = polynomials.iter().collect();
        let values = [random.residues(100, prime), vec![0; 100]];
        let [found, expected] = [&engine, &on_processor()].map(|engine| {
            let tree = engine.subproduct_tree(&ring, points.clone()).unwrap();
            tree.prepare_evaluation().unwrap();
            assert_eq!((tree.len(), tree.is_empty()), (100, false));
            let evaluated = tree.evaluate_all(&polynomials).unwrap();
            let interpolated = tree.interpolate_all(&values).unwrap();
            assert_eq!([&evaluated.warnings, &interpolated.warnings], [&[""; 0]; 2]);
            let on_device = [evaluated.on_device, interpolated.on_device];
            let rows = interpolated.map(|polynomial| polynomial.rows().into_owned());
            (
                on_device,
                evaluated.into_all().unwrap(),
                rows.into_all().unwrap(),
            )
        });
        assert_eq!((found.0, expected.0), ([4, 2], [0, 0]));
        assert!(found.1 == expected.1 && found.2 == expected.2, "{prime}");
    }
}

fn trees_modulo_big_primes_are_the_same_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    for name in ["P8", "P16"] {
        let prime = named_prime(name).unwrap();
        let (k, radix) = (prime.digits, prime.radix);
        let field = AnyField::generalized_fermat(radix, k).unwrap();
        let ring = AnyPolyRing::new(&field);
        let mut random = Random::new(k as u64);
        let mut rows = |count: usize| {
            let mut words = random.residues(k * count, radix);
            // p - 1, and its digits all r - 1.
            words[..k].fill(0);
            words[k - 1] = radix;
            words[k..2 * k].fill(radix - 1);
            words
        };
        let count = 21;
        let points = rows(count);
        let polynomials = [2, count, 70].map(|len| ring.polynomial(rows(len)).unwrap());
        let polynomials: Vec<_> = polynomials.iter().collect();
        let mut outside = rows(count);
        outside[3] = radix;
        let values = [rows(count), vec![0; k * count], outside, rows(count + 1)];
        let [found, expected] = [&engine, &on_processor()].map(|engine| {
            let tree = engine.subproduct_tree(&ring, points.clone()).unwrap();
            assert_eq!(tree.len(), count);
            let evaluated = tree.evaluate_all(&polynomials).unwrap();
            let interpolated = tree.interpolate_all(&values).unwrap();
            assert_eq!([&evaluated.warnings, &interpolated.warnings], [&[""; 0]; 2]);
            let on_device = [evaluated.on_device, interpolated.on_device];
            let rows = interpolated.map(|polynomial| polynomial.rows().into_owned());
            (on_device, evaluated.into_all().unwrap(), rows.results)
        });
        assert_eq!((found.0, expected.0), ([3, 2], [0, 0]));
        assert!(found.1 == expected.1 && found.2 == expected.2, "{name}");
        let mut wrong = points.clone();
        wrong[k] = radix;
        let refusals = [&engine, &on_processor()]
            .map(|engine| engine.subproduct_tree(&ring, wrong.clone()).map(drop));
        assert!(refusals[0].is_err() && refusals[0] == refusals[1]);
    }
}

fn what_is_wrong_is_told_alike_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let ring = ring(469_762_049);
    let told = |engine: &Engine| {
        let outside = engine
            .subproduct_tree(&ring, vec![1, 469_762_049])
            .map(|_| ());
        let tree = engine.subproduct_tree(&ring, vec![4, 5, 4]).unwrap();
        let values = [
            vec![1, 2, 3],
            vec![1, 2],
            vec![1, 2, 469_762_049],
            vec![7; 4],
        ];
        let found = tree.interpolate_all(&values).unwrap().results;
        let errors: Vec<_> = found.into_iter().map(|found| found.map(drop)).collect();
        // A row that is wrong leaves the others where they are.
        let tree = engine.subproduct_tree(&ring, vec![4, 5, 6]).unwrap();
        let values = [
            vec![1, 2],
            vec![1, 2, 3],
            vec![1, 2, 469_762_049],
            vec![0, 1, 0],
        ];
        let batch = tree.interpolate_all(&values).unwrap();
        assert_eq!(
            batch.on_device,
            if engine.device().is_some() { 2 } else { 0 }
        );
        let mixed: Vec<_> = batch
            .map(|polynomial| polynomial.rows().into_owned())
            .results;
        (outside, errors, mixed)
    };
    let found = told(&engine);
    assert_eq!(found, told(&on_processor()));
    let (first, second) = (0, 2);
    let repeated = PolyError::RepeatedPoint { first, second };
    assert_eq!(found.1[0], Err(EngineError::Polynomial(repeated)));
    assert!(found.0.is_err() && found.1.iter().all(Result::is_err));
    let are_errors = found.2.iter().map(Result::is_err);
    assert!(are_errors.eq([true, false, true, false]));
}

fn trees_beyond_a_device_are_the_processors(place: Place) {
    let Some(engine) = on_small_device(place) else {
        return;
    };
    // Too many points for the memory, also by several primes, and none.
    for (ring, count, word) in [
        (ring(469_762_049), 3000, "too little memory"),
        (ring(469_762_049), 0, ""),
        (ring(1_000_000_007), 3000, "too little memory"),
    ] {
        let points: Vec<_> = (0..count).collect();
        let tree = engine.subproduct_tree(&ring, points.clone()).unwrap();
        let f = ring.polynomial(vec![0, 3]).unwrap();
        let batch = tree.evaluate_all(&[&f]).unwrap();
        assert_eq!(batch.on_device, 0);
        assert!(
            batch.warnings.concat().contains(word),
            "{:?}",
            batch.warnings
        );
        let expected: Vec<_> = points.iter().map(|u| 3 * u).collect();
        assert_eq!(batch.into_all().unwrap(), [expected]);
    }
    // A radix that devices do not know.
    let ring = AnyPolyRing::new(&AnyField::generalized_fermat(10, 2).unwrap());
    let tree = engine.subproduct_tree(&ring, vec![3, 0]).unwrap();
    let f = ring.polynomial(vec![1, 0, 1, 0]).unwrap();
    let batch = tree.evaluate_all(&[&f]).unwrap();
    assert!(batch.warnings.concat().contains("modulo this prime"));
    assert_eq!(batch.into_all().unwrap(), [[4, 0]]);
}
