//! Transforms and products modulo primes r^k + 1 have the processor's digits.

use super::{on_device, on_processor, on_small_device};
use sunzi::{
    engine::{Engine, EngineError},
    field::{AnyField, Digits, GeneralizedFermat, NAMED, named_prime},
    gpu::{BigPrimeContext, Device},
    poly::{AnyPolyRing, PolyError},
    transform::{AnyDft, DftContext, DftError, Direction, Ordering},
};
use sunzi_field::with_digits;
use sunzi_testkit::{Place, Random, on_every_device};

on_every_device![
    transforms_are_the_processors_to_the_last_bit,
    products_are_the_same_everywhere,
    vectors_are_transformed_alike_everywhere,
    what_a_device_has_no_memory_for_is_computed_on_the_processor_and_said,
    a_vector_beyond_the_memory_is_transformed_by_columns,
];

/// A transform and its inverse, each of the same elements.
fn check<const K: usize>(device: &Device, field: &GeneralizedFermat<K>, points: usize) {
    let stream = device.stream().unwrap();
    let any = AnyField::generalized_fermat(field.radix(), K).unwrap();
    let on_device = BigPrimeContext::new(device, &any, points.ilog2(), 1).unwrap();
    let on_processor = DftContext::over_big_prime(field, points).unwrap();
    let x = Random::new(1).digits(field.radix(), points);
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
            // That P128 and P128F are primes takes long to prove.
            if K <= place.pick(128, 16) {
                let field = GeneralizedFermat::<K>::new(prime.radix).unwrap();
                // Lengths around a block of the processor's transforms, which has 2K points.
                let most = if K <= 16 { place.pick(512, 64) } else { 128 };
                for points in [1, 2, K, 2 * K, 4 * K, 64, 512] {
                    if points <= most {
                        check(&device, &field, points);
                    }
                }
            }
        }, _ => unreachable!("every named prime"));
    }
}

/// r^k + 1 by its name.
fn named(name: &str) -> AnyField {
    let prime = named_prime(name).unwrap();
    AnyField::generalized_fermat(prime.radix, prime.digits).unwrap()
}

/// Rows of elements, all kinds of them.
fn rows(field: &AnyField, count: usize) -> Vec<u64> {
    let mut rows = Vec::new();
    let mut random = Random::new(9);
    for index in 0..count {
        match index % 3 {
            0 => field.push_integer(&sunzi::Integer::MINUS_ONE, &mut rows),
            1 => field.push_u64(index as u64, &mut rows),
            _ => {
                let words = random.words(field.width());
                let number = sunzi::Natural::from_limbs(words);
                field.push_integer(&number, &mut rows);
            }
        }
    }
    rows
}

fn products_are_the_same_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    for name in place.pick(&["P4", "P8F", "P16"][..], &["P8"]) {
        let field = named(name);
        let ring = AnyPolyRing::new(&field);
        // Two that are 0, and lengths around those of transforms.
        let lengths = [0, 0, 1, 2, 7, 8, 9, 33];
        let polys = lengths.map(|len| ring.polynomial(rows(&field, len)).unwrap());
        let pairs: Vec<_> = polys
            .iter()
            .flat_map(|a| polys.iter().map(move |b| [a, b]))
            .collect();
        let products = |engine: &Engine| {
            let batch = engine.multiply_residues(&ring, &pairs, None).unwrap();
            assert_eq!(batch.warnings, [""; 0]);
            let of = |product: sunzi::poly::AnyPoly| product.rows().into_owned();
            (batch.on_device, batch.map(of).into_all().unwrap())
        };
        let (found, expected) = (products(&engine), products(&on_processor()));
        assert_eq!((found.0, expected.0), (pairs.len(), 0));
        assert!(found.1 == expected.1, "{name}");
    }
}

fn vectors_are_transformed_alike_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let word = |prime| AnyField::modulo_word(prime).unwrap();
    let fields = [
        word(469_762_049),
        word((1 << 60) - (1 << 18) + 1),
        named("P8"),
    ];
    for field in fields {
        for points in [1, 2, 64] {
            let plan = AnyDft::new(&field, points).unwrap();
            assert!(Engine::devices_transform(&plan));
            let all = rows(&field, 3 * points);
            let vectors: Vec<_> = all
                .chunks(points * field.width())
                .map(<[u64]>::to_vec)
                .collect();
            for direction in [Direction::Forward, Direction::Inverse] {
                let [found, expected] = [&engine, &on_processor()].map(|engine| {
                    let batch = engine.transform_all(&plan, vectors.clone(), direction);
                    let batch = batch.unwrap();
                    (batch.on_device, batch.into_all().unwrap())
                });
                assert_eq!((found.0, expected.0), (3, 0));
                assert!(
                    found.1 == expected.1,
                    "{:?}, {points} points",
                    field.modulus::<sunzi::Natural>()
                );
            }
        }
    }
    let plan = AnyDft::new(&word(13), 6).unwrap();
    let batch = engine.transform_all(&plan, vec![vec![1; 6]], Direction::Forward);
    let batch = batch.unwrap();
    assert_eq!((batch.on_device, batch.warnings.len()), (0, 1));
    assert_eq!(batch.into_all().unwrap(), [[6, 0, 0, 0, 0, 0]]);
    // What a device has no tables for: another root of unity, words without a bit to spare.
    let field = word(469_762_049);
    let root = 469_762_049 - field.root_of_unity_row(2).unwrap()[0];
    for plan in [
        AnyDft::with_root(&field, 4, &[root]).unwrap(),
        AnyDft::new(&word(0xffff_ffff_0000_0001), 4).unwrap(),
    ] {
        let batch = engine.transform_all(&plan, vec![vec![1, 2, 3, 4]], Direction::Forward);
        let batch = batch.unwrap();
        assert_eq!((batch.on_device, batch.warnings.len()), (0, 1));
        let expected = plan.transform(vec![1, 2, 3, 4], Direction::Forward);
        assert_eq!(batch.into_all().unwrap(), [expected.unwrap()]);
    }
    let short = engine.transform_all(&plan, vec![vec![1; 6], vec![1; 5]], Direction::Forward);
    let wrong = DftError::Shape {
        expected: 6,
        found: 5,
    };
    assert_eq!(
        short,
        Err(EngineError::Polynomial(PolyError::Transform(wrong)))
    );
}

fn what_a_device_has_no_memory_for_is_computed_on_the_processor_and_said(place: Place) {
    let Some(engine) = on_small_device(place) else {
        return;
    };
    let field = named("P4");
    let ring = AnyPolyRing::new(&field);
    let [short, long] = [4, 700].map(|len| ring.polynomial(rows(&field, len)).unwrap());
    let pairs = [[&short, &short], [&long, &short]];
    let [found, expected] = [engine, on_processor()]
        .map(|engine| engine.multiply_residues(&ring, &pairs, None).unwrap());
    assert_eq!((found.on_device, found.warnings.len()), (1, 1));
    assert!(found.warnings[0].contains("too little memory"));
    let rows = |product: &Result<sunzi::poly::AnyPoly, _>| match product {
        Ok(product) => product.rows().into_owned(),
        Err(_) => unreachable!("products succeed"),
    };
    assert!(
        found
            .results
            .iter()
            .map(rows)
            .eq(expected.results.iter().map(rows))
    );
}

fn a_vector_beyond_the_memory_is_transformed_by_columns(place: Place) {
    let Some(engine) = on_small_device(place) else {
        return;
    };
    // 64 KiB each, of which the device has no more.
    for (field, log_n) in [
        (named("P8"), 10),
        (AnyField::modulo_word(469_762_049).unwrap(), 14),
        (
            AnyField::modulo_word((1 << 60) - (1 << 18) + 1).unwrap(),
            13,
        ),
    ] {
        let plan = AnyDft::new(&field, 1 << log_n).unwrap();
        let prime = field.modulus::<sunzi::Natural>();
        let vector = match u64::try_from(&prime) {
            Ok(prime) => Random::new(prime).residues(1 << log_n, prime),
            Err(_) => rows(&field, 1 << log_n),
        };
        for direction in [Direction::Forward, Direction::Inverse] {
            let [found, expected] = [&engine, &on_processor()].map(|engine| {
                let vectors = vec![vector.clone()];
                engine.transform_all(&plan, vectors, direction).unwrap()
            });
            assert_eq!(
                (found.on_device, &found.warnings[..]),
                (1, &[][..]),
                "{prime}"
            );
            assert!(found.results == expected.results, "{prime} {direction:?}");
        }
    }
}
