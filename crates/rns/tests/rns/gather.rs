//! Integers gathered from their images.

use super::product;
use dashu_int::IBig;
use std::convert::Infallible;
use sunzi_field::WordModulus;
use sunzi_field::primality::is_prime;
use sunzi_rns::early::{EarlyTermination, PrimePool};
use sunzi_rns::{Known, Primes, gather};

/// Gathers an integer by primes of a pool, wrong for one seed in 2^`error_bits`.
fn known(value: &IBig, bits: u64, pool: PrimePool, seed: u32, error_bits: u32) -> Known<IBig> {
    let how = EarlyTermination::new(seed.into()).with_error_bits(error_bits);
    let primes = Primes::drawn(&pool, bits as f64, 0.0, &how).unwrap();
    let known = gather::<IBig, Infallible>(primes, product, &mut |primes, _| {
        let residue = |&p: &u64| Some(vec![WordModulus::new(p).reduce_integer(value)]);
        Ok(primes.iter().map(residue).collect())
    });
    known.unwrap().map(|mut values| values.remove(0))
}

#[test]
fn wrong_values_are_taken_as_seldom_as_the_bound_says() {
    let primes = (1 << 12..1 << 13).filter(|&p| p % 4 == 3 && is_prime(p));
    let primes: Vec<u64> = primes.collect();
    let pool = PrimePool::new(1 << 12, 1 << 13, (3, 4), primes.len() as u64);
    // Where all that are drawn first divide the value, it looks like 0.
    let divisors = &primes[..primes.len() * 4 / 5];
    let value: IBig = divisors.iter().map(|&p| IBig::from(p)).product();
    let bits = divisors.iter().map(|&p| (p as f64).log2()).sum::<f64>();
    let (rounds, error_bits) = (500, 3);
    let wrong = (0..rounds).filter(|&seed| {
        let known = known(&value, bits.ceil() as u64, pool, seed, error_bits);
        assert!(!known.proved || known.value == value);
        known.value != value
    });
    assert!(wrong.count() <= rounds as usize >> error_bits);
    // A short value is known by few primes, whatever the bound.
    let short = known(&IBig::from(5), bits.ceil() as u64, pool, 1, error_bits);
    assert!(short.value == IBig::from(5) && !short.proved && short.primes < primes.len() / 2);
}

#[test]
fn primes_that_end_prove_nothing() {
    let value = IBig::from(123_456);
    let with = |count: usize| {
        let primes = Primes::ordered([101, 103, 107, 109].into_iter().take(count), 3);
        let known = gather::<IBig, Infallible>(primes, product, &mut |primes, _| {
            let residue = |&p: &u64| Some(vec![WordModulus::new(p).reduce_integer(&value)]);
            let image = |p: &u64| residue(p).filter(|_| *p != 103);
            Ok(primes.iter().map(image).collect())
        });
        known.unwrap()
    };
    let known = with(4);
    assert_eq!(
        (known.value, known.proved, known.primes, known.dropped),
        (vec![value.clone()], true, 3, 1)
    );
    let known = with(3);
    assert_eq!((known.proved, known.primes, known.dropped), (false, 2, 1));
    assert!(!with(0).proved);
}
