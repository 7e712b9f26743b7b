//! Early termination errs as seldom as its bound says.

use std::collections::HashSet;
use sunzi_field::primality::is_prime;
use sunzi_rns::early::{EarlyTermination, PrimePool};
use sunzi_rns::{PRIMES_31, PRIMES_50};

/// The 15 primes 3 modulo 4 from 17 to 173, of 21 below 200.
fn small(to: u64) -> (PrimePool, Vec<u64>) {
    let primes: Vec<u64> = (17..to).filter(|&p| p % 4 == 3 && is_prime(p)).collect();
    (PrimePool::new(17, to, (3, 4), primes.len() as u64), primes)
}

#[test]
fn every_prime_of_the_pool_is_drawn_once() {
    let (pool, primes) = small(200);
    for seed in [0, 1, 1 << 64, u128::MAX] {
        let mut drawn: Vec<u64> = pool.draw(seed).collect();
        drawn.sort_unstable();
        assert_eq!(drawn, primes);
    }
    assert_eq!(
        PrimePool::new(5, 6, (1, 4), 1).draw(3).collect::<Vec<_>>(),
        [5]
    );
}

#[test]
fn both_halves_of_the_seed_count() {
    let (pool, _) = small(1 << 16);
    let of = |seed| pool.draw(seed).take(5).collect::<Vec<u64>>();
    let seeds = [0, 1, 2, 1 << 64, 2 << 64, 1 << 127];
    let found: HashSet<Vec<u64>> = seeds.map(of).into_iter().collect();
    assert_eq!(found.len(), seeds.len());
    assert_eq!(of(5), of(5));
}

#[test]
fn pairs_are_drawn_alike_often() {
    let (pool, primes) = small(100);
    let n = primes.len();
    let rounds = 200 * n * (n - 1);
    let mut counts = vec![0u32; n * n];
    for seed in 0..rounds as u128 {
        let pair: Vec<usize> = pool
            .draw(seed)
            .take(2)
            .map(|p| primes.binary_search(&p).unwrap())
            .collect();
        counts[pair[0] * n + pair[1]] += 1;
    }
    // 200 are expected of each pair, with a standard deviation of 14.
    for (pair, &count) in counts.iter().enumerate() {
        match pair / n == pair % n {
            true => assert_eq!(count, 0),
            false => assert!((110..300).contains(&count), "{pair}: {count}"),
        }
    }
}

#[test]
fn wrong_values_survive_as_seldom_as_the_bound_says() {
    // v = 0, and the difference is the product of the first b primes: whatever a few of them make is wrong where they are
    // drawn first. The next k agree only if they are among the b, too.
    let (pool, primes) = small(1000);
    for (bad, error_bits) in [(4, 3), (8, 4), (20, 2)] {
        let bits = primes[..bad]
            .iter()
            .map(|&p| (p as f64).log2())
            .sum::<f64>();
        let how = EarlyTermination::new(0).with_error_bits(error_bits);
        let agreeing = pool.agreeing(bits, 0.0, &how).unwrap();
        let rounds = 20_000;
        let taken = (0..rounds).filter(|&seed| {
            let first: Vec<u64> = pool.draw(seed).take(bad + agreeing).collect();
            // The longest run of bad primes from the first on is what makes a wrong value and agrees.
            let run = first
                .iter()
                .take_while(|p| primes[..bad].contains(p))
                .count();
            run > agreeing
        });
        let most = rounds as f64 * 2f64.powi(-(error_bits as i32));
        assert!((taken.count() as f64) <= most, "{bad} bad ones");
    }
}

#[test]
fn the_page_tells_how_many_agree() {
    let page = include_str!("../../../../docs/solving.md");
    let pools = [("poly resultant", PRIMES_50), ("det", PRIMES_31)];
    for (command, pool) in pools {
        let counts = [1e3, 1e4, 1e5].map(|bits| {
            let agreeing = pool.agreeing(bits, 0.0, &EarlyTermination::new(0));
            agreeing.unwrap().to_string()
        });
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{command}` | primes")));
        assert!(
            row.unwrap()
                .ends_with(&format!("| {} |", counts.join(", "))),
            "{row:?}"
        );
    }
}

#[test]
fn as_many_agree_as_it_takes() {
    let pool = PRIMES_31;
    for bits in [0.0, 31.0, 1e3, 1e5, 1e7] {
        for error_bits in [1, 20, 60, 70] {
            let how = EarlyTermination::new(0).with_error_bits(error_bits);
            let k = pool.agreeing(bits, 0.0, &how).unwrap() as i32;
            let bad = pool.most_dividing(bits) as f64;
            let of = |k: i32| (bad + 1.0) * (bad / 50_697_537.0).powi(k);
            assert!(of(k) <= 2f64.powi(-(error_bits as i32)));
            assert!(k == 1 || bad < 100.0 || of(k - 1) > 0.9 * 2f64.powi(-(error_bits as i32)));
        }
    }
    // Primes that tell nothing, and differences that every prime may divide.
    let how = EarlyTermination::new(0);
    assert_eq!(pool.agreeing(2e9, 0.0, &how), None);
    assert_eq!(pool.agreeing(100.0, 2e9, &how), None);
    let [few, many] = [1e5, 1.4e9].map(|silent| pool.agreeing(1e5, silent, &how).unwrap());
    assert!(few < many);
}
