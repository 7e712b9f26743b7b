//! Subresultants in y over Z from parts.

use super::oracle::{edge_pairs, random, small, subresultant};
use sunzi_integer::Integer;
use sunzi_poly::internals::searched;
use sunzi_poly::{
    BivariatePoly, ChainOptions, Poly, PolyError, ResultantYImages, SubresultantYImages,
    resultant_y, subresultant_y,
};
use sunzi_rns::images::{Images, PartsError};
use sunzi_testkit::{Random, on_threads};

/// What a job gives, from parts that are cut here, whatever the order; and that each of its images is needed.
fn from_parts<J>(job: &J, expected: &J::Value)
where
    J: Images<Error = PolyError> + Sync,
    J::Value: std::fmt::Debug + PartialEq + Sync,
{
    let all = job.needed();
    for cut in [0, 1, all / 2, all] {
        let cut = cut.min(all);
        // With two images more than are needed.
        on_threads(3, || {
            let parts = [
                job.compute(cut..all + 2).unwrap(),
                job.compute(0..cut).unwrap(),
            ];
            assert_eq!(job.combine(&parts).as_ref(), Ok(expected), "{cut}");
        });
    }
    if all > 0 {
        let parts = [job.compute(0..all - 1).unwrap()];
        let numbers = all - 1..all;
        let missing = PartsError::Missing { numbers };
        assert_eq!(job.combine(&parts).err(), Some(missing));
    }
}

fn check(f: &BivariatePoly<Integer>, g: &BivariatePoly<Integer>) {
    let job = ResultantYImages::new(f, g).unwrap();
    let known = resultant_y(f, g, ChainOptions::new()).unwrap();
    assert_eq!(job.needed(), known.primes as u64);
    from_parts(&job, &known.value);
    if f.is_zero() || g.is_zero() {
        return;
    }
    let lesser = f.rows().len().min(g.rows().len()) - 1;
    // In any order, and twice.
    let wanted: Vec<usize> = (0..=lesser).rev().chain([0]).collect();
    let job = SubresultantYImages::new(f, g, &wanted).unwrap();
    let known = subresultant_y(f, g, &wanted, ChainOptions::new()).unwrap();
    from_parts(&job, &known.value);
}

#[test]
fn parts_give_the_subresultants() {
    for [f, g] in edge_pairs() {
        check(&f, &g);
    }
    let mut numbers = Random::new(12);
    let long = |f: BivariatePoly<Integer>| f.map(|c| c * (Integer::ONE << 200) - c);
    let f = long(random(&mut numbers, &[3, 1, 2], 1 << 40));
    let g = long(random(&mut numbers, &[2, 2, 3], 1 << 40));
    check(&f, &g);
    let job = SubresultantYImages::new(&f, &g, &[1]).unwrap();
    from_parts(&job, &vec![subresultant(&f, &g, 1)]);
}

#[test]
fn what_is_0_or_constant_in_y_needs_no_images() {
    let (zero, unit) = (BivariatePoly::zero(), small(&[&[1, 1]]));
    let line = small(&[&[0, 1], &[1]]);
    for (f, g) in [
        (&zero, &zero),
        (&zero, &line),
        (&line, &zero),
        (&unit, &unit),
        (&unit, &line),
        (&line, &unit),
    ] {
        let job = ResultantYImages::new(f, g).unwrap();
        assert_eq!(job.needed(), 0);
        check(f, g);
    }
    assert_eq!(
        SubresultantYImages::new(&line, &zero, &[0]).unwrap_err(),
        subresultant_y(&line, &zero, &[0], ChainOptions::new()).unwrap_err()
    );
}

#[test]
fn primes_that_divide_leading_coefficients_have_images() {
    let mut numbers = Random::new(5);
    let (f, g) = (
        random(&mut numbers, &[2, 2, 1], 1 << 40),
        random(&mut numbers, &[1, 2, 2], 1 << 40),
    );
    let primes: Vec<u64> = searched(13).take(12).collect();
    // At either side of every cut.
    for unlucky in [&[0][..], &[1], &[0, 1], &[5], &[4, 5, 6], &[11]] {
        let primes = unlucky.iter().map(|&number: &usize| primes[number]);
        let product = primes.fold(Integer::ONE, |product, prime| product * prime);
        let with = |f: &BivariatePoly<Integer>| {
            let mut rows = f.clone().into_rows();
            rows.push(Poly::new(vec![product.clone(), product.clone()]));
            BivariatePoly::new(rows)
        };
        check(&with(&f), &with(&g));
        check(&with(&f), &g);
    }
}

#[test]
fn parts_of_other_operands_are_refused() {
    let (f, g) = (small(&[&[1, 2], &[3], &[1]]), small(&[&[5], &[0, 1]]));
    let job = ResultantYImages::new(&f, &g).unwrap();
    // The same rows, cut elsewhere; the other order; the other operation.
    let [one, two] = [small(&[&[1, 2], &[3]]), small(&[&[1], &[5], &[0, 1]])];
    let others = [
        ResultantYImages::new(&one, &two).unwrap().compute(0..3),
        ResultantYImages::new(&g, &f).unwrap().compute(0..3),
        SubresultantYImages::new(&f, &g, &[0])
            .unwrap()
            .compute(0..3),
    ];
    for other in others {
        assert_eq!(
            job.combine(&[other.unwrap()]),
            Err(PartsError::OtherJob { first: 0 })
        );
    }
    let mut damaged = job.compute(0..3).unwrap();
    damaged.images[0].as_mut().unwrap().pop();
    assert!(matches!(
        job.combine(&[damaged]),
        Err(PartsError::NoResidue { number: 0, .. })
    ));
}

#[test]
fn more_images_than_there_are_or_memory_holds_are_refused() {
    let (f, g) = (small(&[&[1, 2], &[3], &[1]]), small(&[&[5], &[0, 1]]));
    let job = ResultantYImages::new(&f, &g).unwrap();
    assert!(matches!(
        job.compute(5..u64::MAX),
        Err(PolyError::NoSuchImage { .. })
    ));
    assert!(matches!(
        SubresultantYImages::new(&f, &g, &[0])
            .unwrap()
            .compute(0..26_207_279),
        Err(PolyError::NoSuchImage {
            number: 26_207_278,
            count: 26_207_278
        })
    ));
}
