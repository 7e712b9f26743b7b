//! Over the integers.

use super::oracle::{dense_pair, edge_pairs, random, small, subresultant};
use sunzi_integer::{Integer, Natural};
use sunzi_machine::InstructionSet;
use sunzi_poly::internals::{Processor, Run};
use sunzi_poly::{BivariatePoly, ChainOptions, Poly, PolyError, resultant_y, subresultant_y};
use sunzi_testkit::{Random, on_every_thread_count};

#[test]
fn chains_are_those_of_the_definition() {
    for [f, g] in edge_pairs() {
        let lesser = f.rows().len().min(g.rows().len()) - 1;
        let wanted: Vec<usize> = (0..lesser).collect();
        let known = subresultant_y(&f, &g, &wanted, ChainOptions::new()).unwrap();
        assert!(known.proved && known.dropped == 0 && known.primes > 0);
        for (j, found) in known.value.iter().enumerate() {
            assert_eq!(found, &subresultant(&f, &g, j), "S_{j} of {f:?} and {g:?}");
        }
        let resultant = resultant_y(&f, &g, ChainOptions::new()).unwrap();
        assert_eq!(
            resultant.value,
            known.value[0].row(0).cloned().unwrap_or_default()
        );
        // x for y.
        let exchanged = [&f, &g].map(BivariatePoly::swapped);
        if exchanged.iter().all(|f| f.degree_y() > Some(0)) {
            let [f, g] = exchanged;
            let found = subresultant_y(&f, &g, &[0], ChainOptions::new()).unwrap();
            assert_eq!(found.value, [subresultant(&f, &g, 0)]);
        }
    }
}

#[test]
fn coefficients_of_any_length() {
    let mut numbers = Random::new(12);
    for words in [1, 3, 17] {
        let long = |f: BivariatePoly<Integer>| {
            f.map(|c| c * (Integer::ONE << (64 * words)) + Integer::from(words) * c)
        };
        let f = long(random(&mut numbers, &[3, 1, 2], 1 << 40));
        let g = long(random(&mut numbers, &[2, 2, 3], 1 << 40));
        let known = subresultant_y(&f, &g, &[0, 1], ChainOptions::new()).unwrap();
        assert_eq!(known.value, [0, 1].map(|j| subresultant(&f, &g, j)));
    }
}

#[test]
fn what_has_no_chain_or_a_short_one() {
    let how = ChainOptions::new();
    let (zero, unit, line) = (
        BivariatePoly::zero(),
        small(&[&[1, 1]]),
        small(&[&[0, 1], &[1]]),
    );
    let one = Poly::new(vec![Integer::ONE]);
    let resultant = |f, g| resultant_y(f, g, how).unwrap().value;
    assert_eq!(resultant(&zero, &zero), Poly::zero());
    assert_eq!(resultant(&line, &zero), Poly::zero());
    assert_eq!(resultant(&zero, &unit), Poly::zero());
    assert_eq!(resultant(&unit, &unit), one);
    let cubic = small(&[&[2], &[0, 1], &[], &[3]]);
    assert_eq!(small(&[&[1, 3, 3, 1]]).rows(), [resultant(&unit, &cubic)]);
    assert_eq!(resultant(&cubic, &unit), resultant(&unit, &cubic));
    // lc(g)^(3 − 2 − 1)·g, and of a quadratic with leading coefficient x.
    let quadratic = small(&[&[5], &[], &[0, 1]]);
    let found = subresultant_y(&cubic, &line, &[1], how).unwrap();
    assert_eq!((found.value, found.primes), (vec![line.clone()], 0));
    let quintic = small(&[&[2], &[0, 1], &[], &[3], &[], &[1]]);
    let found = subresultant_y(&quadratic, &quintic, &[2], how).unwrap();
    assert_eq!(found.value, [small(&[&[0, 0, 5], &[], &[0, 0, 0, 1]])]);
    let error = subresultant_y(&cubic, &quadratic, &[3], how).unwrap_err();
    assert_eq!(
        error,
        PolyError::NoSubresultant {
            index: 3,
            greatest: Some(2)
        }
    );
    assert!(subresultant_y(&zero, &quadratic, &[0], how).is_err());
}

/// a + a·y and a − a·y, whose rows are orthogonal: their resultant 2a² meets the bound.
#[test]
fn one_more_prime_where_the_bound_says_so() {
    let how = ChainOptions::new();
    let pair = |a: &Integer| {
        let (plus, minus) = (Poly::new(vec![a.clone()]), Poly::new(vec![-a]));
        [
            BivariatePoly::new(vec![plus.clone(), plus.clone()]),
            BivariatePoly::new(vec![plus, minus]),
        ]
    };
    let all: Vec<u64> = {
        let [f, g] = pair(&(Integer::ONE << 200));
        Run::new(&f, &g, vec![0]).unwrap().primes().to_vec()
    };
    for primes in 1..=5 {
        let product: Natural = all[..primes]
            .iter()
            .map(|&prime| Natural::from(prime))
            .product();
        // 2·2a² < product just so.
        let a = Integer::from((product >> 2).sqrt());
        for (difference, expected) in [(-1, primes), (0, primes), (1, primes + 1), (2, primes + 1)]
        {
            let a = &a + Integer::from(difference);
            let [f, g] = pair(&a);
            let known = resultant_y(&f, &g, how).unwrap();
            assert_eq!(known.value, Poly::new(vec![&a * &a * Integer::from(2)]));
            // Logarithms are rounded up: one prime more may be taken at the very border.
            let border = (-1..=1).contains(&difference);
            assert!(
                known.primes == expected || border && known.primes == primes + 1,
                "{primes} {difference}"
            );
        }
        // A bit off, it is certain.
        for (a, expected) in [(&a - (&a >> 8), primes), (&a + (&a >> 8), primes + 1)] {
            let [f, g] = pair(&a);
            assert_eq!(resultant_y(&f, &g, how).unwrap().primes, expected);
        }
        // Without that prime it is wrong.
        let a = &a + Integer::ONE;
        let [f, g] = pair(&a);
        let run = Run::new(&f, &g, vec![0]).unwrap().with_primes(primes);
        let found = run
            .compute(&Processor(InstructionSet::detect()), None)
            .unwrap();
        assert_ne!(
            found.value,
            [BivariatePoly::new(vec![Poly::new(vec![
                &a * &a * Integer::from(2)
            ])])]
        );
    }
}

/// What is true over Z holds modulo every prime, whatever it divides.
#[test]
fn no_prime_is_unlucky() {
    let mut numbers = Random::new(23);
    let [f, g] = dense_pair(&mut numbers, 4, 3);
    let first: Integer = {
        let run = Run::new(&f, &g, vec![0, 1, 2]).unwrap();
        run.primes()[..3]
            .iter()
            .map(|&prime| Integer::from(prime))
            .product()
    };
    let scaled = |f: &BivariatePoly<Integer>, from: usize| {
        let mut rows = f.rows().to_vec();
        for row in &mut rows[from..] {
            *row = Poly::new(row.coefficients().iter().map(|c| c * &first).collect());
        }
        BivariatePoly::new(rows)
    };
    // Leading coefficients that they divide: one, the other, two in a row, both; all; and f and g = f·y + first·h.
    let product = {
        let mut rows = vec![Poly::new(vec![first.clone(), first.clone()])];
        rows.extend(f.rows().iter().cloned());
        BivariatePoly::new(rows)
    };
    let pairs = [
        [scaled(&f, 4), g.clone()],
        [f.clone(), scaled(&g, 3)],
        [f.clone(), scaled(&g, 2)],
        [scaled(&f, 2), g.clone()],
        [scaled(&f, 4), scaled(&g, 3)],
        [f.clone(), scaled(&g, 0)],
        [f.clone(), product],
    ];
    for [f, g] in pairs {
        let wanted = [0, 1, 2];
        let known = subresultant_y(&f, &g, &wanted, ChainOptions::new()).unwrap();
        assert_eq!(known.value, wanted.map(|j| subresultant(&f, &g, j)));
        assert!(known.proved && known.dropped == 0);
    }
}

#[test]
fn early_termination_is_not_a_proof() {
    let mut numbers = Random::new(4);
    // A resultant far below its bound: f and f + 1.
    let [f, _] = dense_pair(&mut numbers, 14, 1);
    let mut rows = f.rows().to_vec();
    let mut constant = rows[0].clone().into_coefficients();
    constant[0] += Integer::ONE;
    rows[0] = Poly::new(constant);
    let g = BivariatePoly::new(rows);
    let proved = subresultant_y(&f, &g, &[0, 1], ChainOptions::new()).unwrap();
    assert!(proved.proved);
    for seed in [0, 1, u128::MAX] {
        let how = ChainOptions::new().early(seed);
        let early = subresultant_y(&f, &g, &[0, 1], how).unwrap();
        assert_eq!(early.value, proved.value);
        assert!(!early.proved && early.primes < proved.primes);
        on_every_thread_count(|_| assert_eq!(subresultant_y(&f, &g, &[0, 1], how).unwrap(), early));
    }
    // So short a bound that all primes are needed before enough of them agree.
    let short = ["x + y", "x - y"].map(|text| text.parse().unwrap());
    let early = resultant_y(&short[0], &short[1], ChainOptions::new().early(1)).unwrap();
    assert_eq!(
        (early.value.to_string().as_str(), early.proved),
        ("2*x", true)
    );
    // 0 is found at once, and proved by the bound alone.
    let zero = resultant_y(&f, &f, ChainOptions::new().early(1)).unwrap();
    assert!(zero.value.is_zero() && !zero.proved && zero.primes < proved.primes);
    assert!(resultant_y(&f, &f, ChainOptions::new()).unwrap().proved);
}

#[test]
fn results_depend_on_neither_threads_nor_vectors() {
    let mut numbers = Random::new(31);
    for degrees in [[3, 3], [12, 11]] {
        let [f, g] = dense_pair(&mut numbers, degrees[0], degrees[1]);
        let run = Run::new(&f, &g, vec![0, 1]).unwrap();
        let expected = run
            .compute(&Processor(InstructionSet::Portable), None)
            .unwrap();
        for set in InstructionSet::ALL {
            assert_eq!(run.compute(&Processor(set), None).unwrap(), expected);
        }
        on_every_thread_count(|threads| {
            let found = subresultant_y(&f, &g, &[0, 1], ChainOptions::new()).unwrap();
            assert_eq!(found, expected, "{threads}");
        });
    }
}
