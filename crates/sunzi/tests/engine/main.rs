//! The engine gives the same results wherever it computes.

mod big_prime;
mod determinants;
mod euclid;
mod limits;
mod tree;

use sunzi::Integer;
use sunzi::engine::{DeviceChoice, Engine, EngineError};
use sunzi::field::AnyField;
use sunzi::gpu::{Backend, CacheFolder, DeviceOptions, GpuError, Selection};
use sunzi::poly::{Algorithm, AnyPolyRing, FlatPoly, Poly, PolyError};
use sunzi_testkit::{Place, Random, as_gpu, on_every_device};

on_every_device![
    integers_are_the_same_everywhere,
    named_algorithms_are_the_processors,
    polynomials_are_the_same_everywhere,
    residues_are_the_same_everywhere,
    primes_that_devices_do_not_know_are_computed_with_on_the_processor,
    what_does_not_fit_on_the_device_is_computed_on_the_processor_and_said,
    one_pair_beyond_the_device_leaves_the_others_there,
    batches_of_many_sizes_are_the_same_everywhere,
    coefficients_too_long_for_the_primes_are_computed_on_the_processor_and_said,
];
as_gpu![
    integers_are_the_same_everywhere,
    polynomials_are_the_same_everywhere
];

/// A prime of each word, and some r^k + 1, of which one has a radix that leaves no bit.
fn fields() -> Vec<AnyField> {
    let words = [469_762_049, (1 << 60) - (1 << 18) + 1].map(AnyField::modulo_word);
    let mut fields: Vec<_> = words.into_iter().map(Result::unwrap).collect();
    for (radix, digits) in [
        ((1 << 59) + (1 << 58) + (1 << 11), 4),
        ((1 << 63) + (1 << 53), 2),
        ((1 << 58) + (1 << 55) + (1 << 45), 16),
    ] {
        fields.push(AnyField::generalized_fermat(radix, digits).unwrap());
    }
    fields
}

/// The rows of random elements; modulo r^k + 1 some of them are −1, 1, or of greatest digits.
fn random_rows(random: &mut Random, field: &AnyField, count: usize) -> Vec<u64> {
    let Some((radix, digits)) = field.radix_and_digits() else {
        return random.residues(count, field.modulus::<sunzi::Natural>().try_into().unwrap());
    };
    let element = |_| {
        let mut row = random.residues(digits, radix);
        match random.below(8) {
            0 => {
                row.fill(0);
                row[digits - 1] = radix;
            }
            1 => {
                row.fill(0);
                row[0] = 1;
            }
            2 => row.fill(radix - 1),
            _ => (),
        }
        row
    };
    (0..count).flat_map(element).collect()
}

/// An engine on a device.
fn on_device(place: Place) -> Option<Engine> {
    place.device().map(|device| Engine::on(&device))
}

/// The same with little memory.
fn on_small_device(place: Place) -> Option<Engine> {
    let options = DeviceOptions {
        memory_limit: Some(64 << 10),
        ..DeviceOptions::default()
    };
    let device = place.device_with(&options)?;
    Some(Engine::on(&device))
}

fn on_processor() -> Engine {
    Engine::new(DeviceChoice::Cpu).unwrap()
}

/// Integers of this many limbs, of both signs.
fn integer(random: &mut Random, limbs: usize) -> Integer {
    let magnitude = sunzi::Natural::from_limbs(random.words(limbs));
    if random.word().is_multiple_of(2) {
        magnitude.into()
    } else {
        -Integer::from(magnitude)
    }
}

fn integers() -> Vec<Integer> {
    let mut random = Random::new(1);
    let mut all = vec![
        Integer::ZERO,
        Integer::ONE,
        -Integer::ONE,
        Integer::from(u64::MAX),
        Integer::from(-1) << 4096usize,
    ];
    all.extend([1, 4, 17, 200, 1000, 3000].map(|limbs| integer(&mut random, limbs)));
    all
}

fn integers_are_the_same_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let all: Vec<_> = integers().into_iter().step_by(place.pick(1, 2)).collect();
    let pairs: Vec<_> = all
        .iter()
        .flat_map(|a| all.iter().map(move |b| [a, b]))
        .collect();
    let expected = on_processor().multiply_integers(&pairs, None).unwrap();
    assert_eq!((expected.on_device, &expected.device), (0, &None));
    let found = engine.multiply_integers(&pairs, None).unwrap();
    assert!(found.results == expected.results);
    assert_eq!(found.on_device, pairs.len());
    assert_eq!(found.device.as_ref(), engine.device());
    assert_eq!(found.warnings, [""; 0]);
    let nothing = engine.multiply_integers(&[], None).unwrap();
    assert_eq!((nothing.results, nothing.device), (vec![], None));
}

fn named_algorithms_are_the_processors(place: Place) {
    let engine = on_device(place).unwrap_or_else(on_processor);
    let f = Poly::new(vec![
        Integer::from(u64::MAX) * Integer::from(u64::MAX),
        Integer::ONE,
    ]);
    let square = on_processor()
        .multiply_polynomials(&[[&f, &f]], None)
        .unwrap();
    for (algorithm, works) in [(Algorithm::Kronecker, true), (Algorithm::CrtNtt, false)] {
        let batch = engine
            .multiply_polynomials(&[[&f, &f]], Some(algorithm))
            .unwrap();
        assert_eq!((batch.on_device, &batch.device), (0, &None));
        match works {
            true => assert_eq!(batch.results, square.results),
            // Each row tells by itself what it lacks.
            false => assert!(matches!(
                batch.results[..],
                [Err(EngineError::Polynomial(PolyError::Unavailable { .. }))]
            )),
        }
        let plan = engine.plan_polynomials([&f, &f], Some(algorithm));
        assert_eq!(
            plan.map(|plan| plan.algorithm).ok(),
            works.then_some(algorithm)
        );
    }
    let [a, b] = [Integer::from(-6), Integer::from(7)];
    let algorithm = sunzi::integer::Algorithm::Karatsuba;
    let batch = engine
        .multiply_integers(&[[&a, &b]], Some(algorithm))
        .unwrap();
    assert_eq!(
        (batch.on_device, batch.into_all()),
        (0, Ok(vec![Integer::from(-42)]))
    );
}

fn polynomials_are_the_same_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let mut random = Random::new(2);
    let mut polys = vec![Poly::new(vec![]), Poly::new(vec![Integer::from(-7)])];
    let sizes: &[_] = place.pick(
        &[(100, 1), (100, 3), (1000, 2), (5, 8)],
        &[(100, 3), (5, 8)],
    );
    for &(terms, limbs) in sizes {
        polys.push(Poly::new(
            (0..terms).map(|_| integer(&mut random, limbs)).collect(),
        ));
    }
    // The most negative coefficient that a limb holds, and its neighbours.
    polys.push(Poly::new(
        [i64::MIN, i64::MAX, -1, 0, i64::MIN]
            .map(Integer::from)
            .to_vec(),
    ));
    let pairs: Vec<_> = polys
        .iter()
        .flat_map(|a| polys.iter().map(move |b| [a, b]))
        .collect();
    let expected = on_processor().multiply_polynomials(&pairs, None).unwrap();
    let batch = engine.multiply_polynomials(&pairs, None).unwrap();
    assert!(batch.results == expected.results);
    let mut warnings = batch.warnings;
    let expected = expected.into_all().unwrap();
    let flat: Vec<_> = polys.iter().map(FlatPoly::from_poly).collect();
    let pairs: Vec<_> = flat
        .iter()
        .flat_map(|a| flat.iter().map(move |b| [a, b]))
        .collect();
    // Rows are as wide as on the processor, whatever else is in the batch.
    let batch = engine.multiply_flat(&pairs).unwrap();
    warnings.extend(batch.warnings.clone());
    let found = batch.into_all().unwrap();
    let same = on_processor().multiply_flat(&pairs).unwrap();
    let same = same.into_all().unwrap();
    for ((found, same), pair) in found.iter().zip(&same).zip(&pairs) {
        let sizes = pair.map(|flat| (flat.len(), flat.width(), flat.magnitude_bits()));
        assert!(
            found == same,
            "{sizes:?}: {} and {} limbs of {} and {}",
            found.width(),
            same.width(),
            found.len(),
            same.len()
        );
    }
    assert!(found.iter().map(FlatPoly::to_poly).eq(expected));
    assert_eq!(warnings, [""; 0]);
}

/// Products of polynomials of these lengths, and of one whose coefficients are all p − 1.
fn check_residues(engine: &Engine, prime: u64, lengths: &[usize], highest: usize) {
    let mut random = Random::new(3);
    let field = AnyField::modulo_word(prime).unwrap();
    let ring = AnyPolyRing::new(&field);
    let poly = |words: Vec<u64>| {
        let residues = words.into_iter().map(|word| word % prime);
        ring.polynomial(residues.collect()).unwrap()
    };
    let mut polys = vec![poly(vec![])];
    for &terms in lengths {
        polys.push(poly(random.words(terms)));
    }
    polys.push(poly(vec![prime - 1; highest]));
    let pairs: Vec<_> = polys
        .iter()
        .flat_map(|a| polys.iter().map(move |b| [a, b]))
        .collect();
    let rows = |engine: &Engine| {
        let batch = engine.multiply_residues(&ring, &pairs, None).unwrap();
        assert_eq!(batch.warnings, [""; 0]);
        let rows = |product: sunzi::poly::AnyPoly| product.rows().into_owned();
        (batch.on_device, batch.map(rows).into_all().unwrap())
    };
    let (on_device, found) = rows(engine);
    assert_eq!(on_device, pairs.len());
    assert!(found == rows(&on_processor()).1);
}

fn residues_are_the_same_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let several: &[u64] = &[
        3,
        5,
        2_147_483_647,
        (1 << 60) - (1 << 18) + 1,
        (1 << 63) - 25,
    ];
    let (lengths, highest): (&[usize], _) =
        place.pick((&[1, 2, 50, 333, 1000], 700), (&[2, 333], 333));
    for &prime in [469_762_049, 4_294_967_311]
        .iter()
        .chain(place.pick(several, &several[2..3]))
    {
        check_residues(&engine, prime, lengths, highest);
    }
}

fn primes_that_devices_do_not_know_are_computed_with_on_the_processor(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let field = AnyField::generalized_fermat(44, 16).unwrap();
    let ring = AnyPolyRing::new(&field);
    assert!(!Engine::devices_multiply(&ring));
    let mut rows = Vec::new();
    field.push_u64(3, &mut rows);
    let f = ring.polynomial(rows).unwrap();
    let batch = engine.multiply_residues(&ring, &[[&f, &f]], None).unwrap();
    assert_eq!((batch.on_device, &batch.device), (0, &None));
    assert_eq!(batch.warnings.len(), 1);
    let mut nine = Vec::new();
    field.push_u64(9, &mut nine);
    assert_eq!(*batch.into_all().unwrap()[0].rows(), nine);
}

fn what_does_not_fit_on_the_device_is_computed_on_the_processor_and_said(place: Place) {
    let Some(engine) = on_small_device(place) else {
        return;
    };
    let mut random = Random::new(4);
    let [a, b] = [5000, 4000].map(|limbs| integer(&mut random, limbs));
    let expected = on_processor().multiply_integers(&[[&a, &b]], None).unwrap();
    let batch = engine.multiply_integers(&[[&a, &b]], None).unwrap();
    assert!(batch.results == expected.results);
    let warnings = batch.warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("on the processor") && warnings[0].contains("too little memory"),
        "{warnings:?}"
    );
    assert_eq!((batch.on_device, batch.device), (0, None));
}

fn one_pair_beyond_the_device_leaves_the_others_there(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let mut random = Random::new(6);
    let poly = |random: &mut Random, limbs| {
        Poly::new((0..4).map(|_| integer(random, limbs)).collect::<Vec<_>>())
    };
    let mut polys: Vec<_> = (0..9).map(|_| poly(&mut random, 2)).collect();
    polys.insert(5, poly(&mut random, 200));
    let pairs: Vec<_> = polys.iter().map(|f| [f, f]).collect();
    let expected = on_processor().multiply_polynomials(&pairs, None).unwrap();
    let batch = engine.multiply_polynomials(&pairs, None).unwrap();
    assert!(batch.results == expected.results);
    assert_eq!((batch.on_device, batch.warnings.len()), (9, 1));
}

fn batches_of_many_sizes_are_the_same_everywhere(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let mut random = Random::new(7);
    let polys: Vec<_> = (0..60)
        .map(|i| {
            Poly::new(
                (0..20)
                    .map(|_| integer(&mut random, 1 + i % 7))
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    let pairs: Vec<_> = polys
        .iter()
        .zip(polys.iter().rev())
        .map(|(f, g)| [f, g])
        .collect();
    let expected = on_processor().multiply_polynomials(&pairs, None).unwrap();
    let batch = engine.multiply_polynomials(&pairs, None).unwrap();
    assert!(batch.results == expected.results);
}

fn coefficients_too_long_for_the_primes_are_computed_on_the_processor_and_said(place: Place) {
    let Some(engine) = on_device(place) else {
        return;
    };
    let mut random = Random::new(5);
    let wide = Poly::new(
        (0..3)
            .map(|_| integer(&mut random, 1000))
            .collect::<Vec<_>>(),
    );
    let pairs = [[&wide, &wide]];
    let expected = on_processor().multiply_polynomials(&pairs, None).unwrap();
    let batch = engine.multiply_polynomials(&pairs, None).unwrap();
    assert!(batch.results == expected.results);
    let warnings = batch.warnings;
    assert!(
        warnings.len() == 1 && warnings[0].contains("primes"),
        "{warnings:?}"
    );
}

#[test]
fn a_device_that_is_not_there_is_refused_and_auto_does_without() {
    let missing = DeviceChoice::Only(Selection::Of(Backend::OpenCl, Some(99)));
    let refused = Engine::with_options(missing, DeviceOptions::default());
    assert!(
        matches!(refused, Err(EngineError::Gpu(GpuError::NoDevice { .. }))),
        "{refused:?}"
    );
    let options = DeviceOptions {
        cache: CacheFolder::None,
        ..DeviceOptions::default()
    };
    let engine = Engine::with_options(DeviceChoice::Auto, options).unwrap();
    let [a, b] = [Integer::from(-3), Integer::from(5)];
    let batch = engine.multiply_integers(&[[&a, &b]], None).unwrap();
    assert_eq!(
        (engine.device(), batch.on_device),
        (None, 0),
        "too little for a device"
    );
    assert_eq!(batch.into_all(), Ok(vec![Integer::from(-15)]));
}
