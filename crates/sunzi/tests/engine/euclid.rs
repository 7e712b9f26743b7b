//! Division and Euclid's algorithm.

use super::{on_device, on_processor};
use sunzi::engine::{Batch, EngineError};
use sunzi::field::AnyField;
use sunzi::poly::{AnyPoly, AnyPolyRing, PolyError};
use sunzi_testkit::{Place, Random, on_every_device};

on_every_device![
    divisions_and_divisors_are_the_same_everywhere,
    divisions_modulo_primes_of_several_words_are_the_processors,
];

/// Pairs of many lengths, with zeros, constants and a common divisor.
fn pairs(ring: &AnyPolyRing, prime: u64) -> Vec<[AnyPoly; 2]> {
    let mut random = Random::new(21);
    let mut of = |len: usize| ring.polynomial(random.residues(len, prime)).unwrap();
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
    .map(|lengths| lengths.map(&mut of))
    .collect();
    let common = of(30);
    pairs.push([of(20), of(31)].map(|cofactor| ring.mul(&cofactor, &common).unwrap()));
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
    for prime in [469_762_049, (1 << 60) - (1 << 18) + 1] {
        let ring = AnyPolyRing::new(&AnyField::modulo_word(prime).unwrap());
        let pairs = pairs(&ring, prime);
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
        assert_eq!(found.1, expected.1);
        assert_eq!(
            (found.2, found.3, found.4),
            (expected.2, expected.3, expected.4)
        );
        let by_zero = Err(EngineError::Polynomial(PolyError::DivisionByZero));
        assert_eq!([&expected.1[0], &expected.1[2]], [&by_zero; 2]);
    }
}

fn divisions_modulo_primes_of_several_words_are_the_processors(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let ring = AnyPolyRing::new(&AnyField::generalized_fermat(10, 2).unwrap());
    let f = ring.polynomial(vec![1, 0, 1, 0]).unwrap();
    let gcds = engine.gcd_all(&ring, &[[&f, &f]]).unwrap();
    assert_eq!((gcds.on_device, gcds.warnings.len()), (0, 1));
    assert_eq!(*gcds.into_all().unwrap()[0].rows(), [1, 0, 1, 0]);
}
