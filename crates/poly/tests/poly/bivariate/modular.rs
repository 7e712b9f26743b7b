//! Modulo primes.

use super::oracle::{dense_pair, edge_pairs, small, subresultant};
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_integer::Integer;
use sunzi_machine::InstructionSet;
use sunzi_poly::{BivariateField, BivariatePoly, BivariateRing, Poly, PolyError};
use sunzi_testkit::{Random, on_every_thread_count};

fn kernels() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL
        .into_iter()
        .filter(|set| set.is_available())
}

fn image<F: BivariateField>(field: &F, f: &BivariatePoly<Integer>) -> BivariatePoly<F::Elem> {
    f.map(|c| field.from_integer(c))
}

/// All S_j of one pair, against those over Z; false if the field has too few points, or a leading coefficient vanishes in it.
fn agrees_with_the_definition<F: BivariateField>(
    field: &F,
    [f, g]: &[BivariatePoly<Integer>; 2],
    chain: &[BivariatePoly<Integer>],
) -> bool {
    let [a, b] = [f, g].map(|f| image(field, f));
    if (a.degree_y(), b.degree_y()) != (f.degree_y(), g.degree_y()) {
        return false;
    }
    let wanted: Vec<usize> = (0..chain.len()).collect();
    let expected: Vec<_> = chain.iter().map(|s| image(field, s)).collect();
    for kernel in kernels() {
        let ring = BivariateRing::with_kernel(field.clone(), kernel);
        match ring.subresultants_y(&a, &b, &wanted) {
            Err(PolyError::FewPoints { .. }) => return false,
            found => assert_eq!(
                found.unwrap(),
                expected,
                "{f:?} {g:?} modulo {} with {kernel}",
                field.modulus::<sunzi_integer::Natural>()
            ),
        }
        let resultant = expected[0].row(0).cloned().unwrap_or_default();
        assert_eq!(ring.resultant_y(&a, &b).unwrap(), resultant);
        // Single ones, in any order, twice.
        for (j, expected) in expected.iter().enumerate() {
            let found = ring.subresultants_y(&a, &b, &[j]).unwrap();
            assert_eq!(found, std::slice::from_ref(expected));
        }
        let last = chain.len() - 1;
        let found = ring.subresultants_y(&a, &b, &[last, 0, last]).unwrap();
        assert_eq!(found, [last, 0, last].map(|j| expected[j].clone()));
    }
    true
}

#[test]
fn chains_are_those_of_the_definition() {
    let mut compared = 0;
    for pair in edge_pairs() {
        let [f, g] = &pair;
        let lesser = f.rows().len().min(g.rows().len()) - 1;
        let chain: Vec<_> = (0..lesser).map(|j| subresultant(f, g, j)).collect();
        for prime in [
            11,
            13,
            17,
            97,
            257,
            469_762_049,
            1_073_741_789,
            2_147_483_647,
        ] {
            let field = Fp32::new(prime).unwrap();
            compared += usize::from(agrees_with_the_definition(&field, &pair, &chain));
        }
        for prime in [
            1_000_003,
            (1 << 60) - (1 << 18) + 1,
            (1 << 62) - 57,
            (1 << 63) - 25,
        ] {
            let field = Fp64::new(prime).unwrap();
            compared += usize::from(agrees_with_the_definition(&field, &pair, &chain));
        }
    }
    assert!(compared > 150, "{compared}");
}

/// Against chains of the values, at points that the algorithm does not take, for numbers of points around multiples of the
/// lanes.
#[test]
fn values_are_those_of_chains_at_points() {
    let mut random = Random::new(3);
    for (prime, degrees) in [
        (469_762_049, [9, 7]),
        (469_762_049, [4, 4]),
        (1_000_003, [5, 6]),
        (65_537, [17, 15]),
    ] {
        let ring = BivariateRing::new(Fp32::new(prime).unwrap());
        let field = ring.coefficients().field();
        let [f, g] = dense_pair(&mut random, degrees[0], degrees[1]).map(|f| image(field, &f));
        let wanted: Vec<usize> = (0..f.rows().len().min(g.rows().len())).collect();
        let found = ring.subresultants_y(&f, &g, &wanted).unwrap();
        for point in [0, 1, 1000, prime - 1]
            .into_iter()
            .chain(random.residues32(20, prime))
        {
            let at = |f: &BivariatePoly<u32>| {
                let value = |row: &Poly<u32>| {
                    row.coefficients()
                        .iter()
                        .rev()
                        .fold(0, |sum, &c| field.add(field.mul(sum, point), c))
                };
                Poly::new(f.rows().iter().map(value).collect())
            };
            let chain = ring
                .coefficients()
                .subresultant_chain(&at(&f), &at(&g))
                .unwrap();
            for (subresultant, expected) in found.iter().zip(&chain) {
                assert_eq!(&at(subresultant), expected);
            }
        }
    }
}

#[test]
fn numbers_of_points_around_multiples_of_the_lanes() {
    // The resultant of y − x^a and y^b − x is ±(x − x^(ab)): ab + 1 points.
    for prime in [469_762_049, 1_000_003, 2_147_483_647] {
        let field = Fp32::new(prime).unwrap();
        for degree in (1..70).chain([127, 128, 129, 255, 256, 257]) {
            let mut high = vec![0; degree];
            high.push(prime - 1);
            let f = BivariatePoly::new(vec![Poly::new(high), Poly::new(vec![1])]);
            let g = BivariatePoly::new(vec![Poly::new(vec![0, prime - 1]), Poly::new(vec![1])]);
            let mut expected = vec![0; degree.max(1) + 1];
            expected[1] = prime - 1;
            expected[degree] = field.add(expected[degree], 1);
            for kernel in kernels() {
                let ring = BivariateRing::with_kernel(field.clone(), kernel);
                assert_eq!(
                    ring.resultant_y(&f, &g).unwrap(),
                    Poly::new(expected.clone()),
                    "{degree}"
                );
            }
        }
    }
}

#[test]
fn what_has_no_chain_or_a_short_one() {
    let ring = BivariateRing::new(Fp32::new(101).unwrap());
    let image = |rows: &[&[i64]]| image(ring.coefficients().field(), &small(rows));
    let (zero, unit, line) = (
        BivariatePoly::zero(),
        image(&[&[1, 1]]),
        image(&[&[0, 1], &[1]]),
    );
    let one = Poly::new(vec![1]);
    assert_eq!(ring.resultant_y(&zero, &zero).unwrap(), Poly::zero());
    assert_eq!(ring.resultant_y(&zero, &line).unwrap(), Poly::zero());
    assert_eq!(ring.resultant_y(&zero, &unit).unwrap(), Poly::zero());
    assert_eq!(ring.resultant_y(&unit, &unit).unwrap(), one);
    let square = image(&[&[2], &[0, 1], &[3]]);
    // (x + 1)².
    assert_eq!(
        ring.resultant_y(&unit, &square).unwrap(),
        Poly::new(vec![1, 2, 1])
    );
    assert_eq!(
        ring.resultant_y(&square, &unit).unwrap(),
        Poly::new(vec![1, 2, 1])
    );
    assert_eq!(
        ring.subresultants_y(&square, &line, &[1]).unwrap(),
        std::slice::from_ref(&line)
    );
    assert_eq!(
        ring.subresultants_y(&square, &square, &[2, 0]).unwrap(),
        [square.clone(), zero.clone()]
    );
    let error = ring.subresultants_y(&square, &line, &[0, 2]).unwrap_err();
    assert_eq!(
        error,
        PolyError::NoSubresultant {
            index: 2,
            greatest: Some(1)
        }
    );
    assert!(
        error
            .to_string()
            .contains("the last one of these polynomials is S_1")
    );
    let error = ring.subresultants_y(&zero, &line, &[0]).unwrap_err();
    assert!(error.to_string().contains("one of the polynomials is 0"));
    let outside = BivariatePoly::new(vec![Poly::new(vec![1, 101])]);
    let error = ring.resultant_y(&line, &outside).unwrap_err();
    assert_eq!(error, PolyError::CoefficientOutside { index: 1 });
    let error = ring.resultant_y(&outside, &zero).unwrap_err();
    assert_eq!(error, PolyError::CoefficientOutside { index: 1 });
    assert!(ring.gcd(&outside, &zero).is_err());
}

#[test]
fn small_fields_have_too_few_points() {
    let mut random = Random::new(1);
    let pair = dense_pair(&mut random, 4, 4);
    let ring = BivariateRing::new(Fp32::new(13).unwrap());
    let [f, g] = pair.map(|f| image(ring.coefficients().field(), &f));
    let error = ring.resultant_y(&f, &g).unwrap_err();
    assert_eq!(
        error,
        PolyError::FewPoints {
            prime: 13,
            needed: 17
        }
    );
    assert!(error.to_string().contains("take a greater prime"));
}

#[test]
fn results_do_not_depend_on_threads() {
    let mut random = Random::new(8);
    let field = Fp32::new(998_244_353).unwrap();
    let [f, g] = dense_pair(&mut random, 24, 23).map(|f| image(&field, &f));
    let ring = BivariateRing::new(field);
    let portable = BivariateRing::with_kernel(
        ring.coefficients().field().clone(),
        InstructionSet::Portable,
    );
    let expected = portable.subresultants_y(&f, &g, &[0, 1, 5]).unwrap();
    on_every_thread_count(|threads| {
        assert_eq!(
            ring.subresultants_y(&f, &g, &[0, 1, 5]).unwrap(),
            expected,
            "{threads}"
        );
    });
}
