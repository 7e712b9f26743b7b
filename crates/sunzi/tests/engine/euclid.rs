//! Division and Euclid's algorithm.

use super::{fields, on_device, on_processor, random_rows};
use sunzi::engine::{Batch, EngineError};
use sunzi::field::AnyField;
use sunzi::poly::{AnyPoly, AnyPolyRing, PolyError};
use sunzi_testkit::{Place, Random, on_every_device};

on_every_device![
    divisions_and_divisors_are_the_same_everywhere,
    divisions_modulo_primes_of_short_digits_are_the_processors,
];

/// Pairs of many lengths, with zeros, constants and a common divisor.
fn pairs(ring: &AnyPolyRing) -> Vec<[AnyPoly; 2]> {
    let mut random = Random::new(21);
    let field = ring.field();
    let mut of = |len: usize| {
        ring.polynomial(random_rows(&mut random, field, len))
            .unwrap()
    };
    // Long elements take few of them.
    let shorter = match field.width() {
        1 => 1,
        2..10 => 4,
        _ => 16,
    };
    let mut pairs: Vec<_> = [
        [0, 0],
        [0, 1],
        [3, 0],
        [1, 5],
        [2, 2],
        [40, 41],
        [130, 64],
        [65, 129],
    ]
    .into_iter()
    .map(|lengths: [usize; 2]| lengths.map(|length| of(length.div_ceil(shorter))))
    .collect();
    let common = of(30usize.div_ceil(shorter));
    let cofactors = [20usize, 31].map(|length| of(length.div_ceil(shorter)));
    pairs.push(cofactors.map(|cofactor| ring.mul(&cofactor, &common).unwrap()));
    // Degrees drop by many: the last remainder but one has few terms.
    let one = of(1);
    let mut sparse = vec![0; 9 * field.width()];
    sparse.extend_from_slice(&one.rows());
    let power = ring.polynomial(sparse).unwrap();
    let near = ring
        .add(&ring.mul(&power, &of(4)).unwrap(), &of(2))
        .unwrap();
    pairs.push([near, power]);
    // One divides the other, either way.
    let (factor, product) = (of(3), of(5));
    let multiple = ring.mul(&factor, &product).unwrap();
    pairs.push([multiple.clone(), factor.clone()]);
    pairs.push([factor, multiple]);
    pairs
}

/// The rows of results, or why there are none.
fn rows<T>(batch: &Batch<T>, row: impl Fn(&T) -> Vec<u64>) -> Vec<Result<Vec<u64>, EngineError>> {
    let results = batch.results.iter();
    results
        .map(|result| result.as_ref().map(&row).map_err(Clone::clone))
        .collect()
}

fn divisions_and_divisors_are_the_same_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let processor = on_processor();
    for field in fields() {
        let ring = AnyPolyRing::new(&field);
        let pairs = pairs(&ring);
        let pairs: Vec<_> = pairs.iter().map(|[a, b]| [a, b]).collect();
        let [found, expected] = [&engine, &processor].map(|engine| {
            let divisions = engine.divrem_all(&ring, &pairs).unwrap();
            let gcds = engine.gcd_all(&ring, &pairs).unwrap();
            let resultants = engine.resultant_all(&ring, &pairs).unwrap();
            let cofactors = engine.xgcd_all(&ring, &pairs).unwrap();
            let places = [
                divisions.on_device,
                gcds.on_device,
                resultants.on_device,
                cofactors.on_device,
            ];
            let cofactors = rows(&cofactors, |[gcd, s, t]| {
                let part = |part: &AnyPoly| [&[part.len() as u64][..], &part.rows()].concat();
                [part(gcd), part(s), part(t)].concat()
            });
            let divisions = rows(&divisions, |[quotient, remainder]| {
                [quotient.rows(), remainder.rows()].concat()
            });
            let gcds = rows(&gcds, |gcd| gcd.rows().into_owned());
            (
                places,
                divisions,
                gcds,
                rows(&resultants, Vec::clone),
                cofactors,
            )
        });
        assert_eq!((found.0, expected.0), ([pairs.len(); 4], [0; 4]));
        for (what, [found, expected]) in [
            ("divisions", [&found.1, &expected.1]),
            ("divisors", [&found.2, &expected.2]),
            ("resultants", [&found.3, &expected.3]),
            ("cofactors", [&found.4, &expected.4]),
        ] {
            let mut both = found.iter().zip(expected);
            let other = both.position(|(found, expected)| found != expected);
            assert_eq!(other, None, "{what} modulo {field}");
        }
        let by_zero = Err(EngineError::Polynomial(PolyError::DivisionByZero));
        assert_eq!([&expected.1[0], &expected.1[2]], [&by_zero; 2]);
    }
}

fn divisions_modulo_primes_of_short_digits_are_the_processors(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let ring = AnyPolyRing::new(&AnyField::generalized_fermat(10, 2).unwrap());
    let f = ring.polynomial(vec![1, 0, 1, 0]).unwrap();
    let gcds = engine.gcd_all(&ring, &[[&f, &f]]).unwrap();
    assert_eq!((gcds.on_device, gcds.warnings.len()), (0, 1));
    assert_eq!(*gcds.into_all().unwrap()[0].rows(), [1, 0, 1, 0]);
}
