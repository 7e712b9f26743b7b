//! Resultants over the integers from parts.

use super::common::{first_primes, poly, random};
use sunzi_integer::Integer;
use sunzi_poly::{Poly, PolyError, ResultantImages, resultant};
use sunzi_rns::images::{Images, PartsError};
use sunzi_testkit::on_threads;

/// The resultant, from parts that are cut here.
fn check(f: &Poly<Integer>, g: &Poly<Integer>, unlucky: u64) {
    let job = ResultantImages::new(f, g);
    let expected = resultant(f, g).unwrap();
    let all = job.needed() + unlucky;
    for cut in [0, 1, all / 2, all] {
        let cut = cut.min(all);
        on_threads(3, || {
            let parts = [job.compute(cut..all).unwrap(), job.compute(0..cut).unwrap()];
            assert_eq!(
                job.combine(&parts).as_ref(),
                Ok(&expected),
                "{f}, {g}, {cut}"
            );
        });
    }
    if job.needed() > 0 {
        let parts = [job.compute(0..all - 1).unwrap()];
        let missing = PartsError::Missing {
            numbers: all - 1..all,
        };
        assert_eq!(job.combine(&parts), Err(missing));
    }
}

#[test]
fn parts_give_the_resultant() {
    for (m, n, bits) in [
        (1, 1, 64),
        (2, 1, 200),
        (5, 5, 64),
        (7, 4, 200),
        (20, 17, 3),
        (9, 2, 1000),
    ] {
        check(&random(m, bits, 1), &random(n, bits, 2), 0);
    }
    // With contents, and with a common root.
    check(&poly(&[12, 0, -6, 18]), &poly(&[35, 10, 20]), 0);
    check(&poly(&[-1, 0, 1]), &poly(&[-1, 0, 0, 1]), 0);
}

#[test]
fn constants_and_zero_need_no_images() {
    let (f, c, zero) = (poly(&[3, 1, 2]), poly(&[-5]), poly(&[]));
    for (f, g) in [
        (&f, &c),
        (&c, &f),
        (&c, &c),
        (&f, &zero),
        (&zero, &f),
        (&zero, &zero),
    ] {
        assert_eq!(ResultantImages::new(f, g).needed(), 0);
        check(f, g, 0);
    }
}

#[test]
fn more_images_than_memory_holds_are_refused() {
    let job = ResultantImages::new(&poly(&[1, 2]), &poly(&[3, 4]));
    for numbers in [0..u64::MAX, 5..1 << 62] {
        assert!(matches!(
            job.compute(numbers),
            Err(PolyError::OutOfMemory(_))
        ));
    }
}

#[test]
fn primes_that_divide_both_leading_coefficients_take_their_numbers() {
    let primes = first_primes(3);
    for unlucky in [&[0][..], &[1], &[0, 2], &[0, 1, 2]] {
        let leading = unlucky
            .iter()
            .map(|&number: &usize| Integer::from(primes[number]));
        let leading = leading.fold(Integer::ONE, |product, prime| product * prime);
        let with = |mut f: Vec<Integer>| {
            f.push(leading.clone());
            Poly::new(f)
        };
        let f = with([7, -3, 1].map(Integer::from).to_vec());
        let g = with([2, 5].map(Integer::from).to_vec());
        check(&f, &g, unlucky.len() as u64);
    }
}
