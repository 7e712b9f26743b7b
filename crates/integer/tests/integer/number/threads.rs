//! Operations whose work threads share, on structured numbers at their seams, in pools of 1, 2, 3 and 7 threads.

use super::{integer, natural, same_natural};
use rug::Integer as Gmp;
use rug::integer::Order;
use sunzi_integer::{Divisor, Natural};
use sunzi_testkit::{Kind, Random, on_threads};

const POOLS: [usize; 4] = [1, 2, 3, 7];

/// Numbers of so many limbs, one of each kind, for work that is cut there.
fn structured(limbs: usize, piece: usize, random: &mut Random) -> Vec<Gmp> {
    let of = |kind: Kind, random: &mut Random| {
        Gmp::from_digits(&kind.limbs(limbs, piece, random), Order::Lsf)
    };
    Kind::ALL.into_iter().map(|kind| of(kind, random)).collect()
}

/// At the lengths from which recursion, Newton's iteration and reciprocals that are kept begin.
#[test]
fn quotients() {
    let mut random = Random::new(71);
    for [n, m] in [[64, 32], [1000, 500], [2702, 1351], [4100, 1350]] {
        let divisors = structured(m, m / 2, &mut random);
        for (a, b) in structured(n, m, &mut random).iter().zip(&divisors) {
            if *b == 0 {
                continue;
            }
            let (quotient, remainder) = a.clone().div_rem(b.clone());
            let (x, y) = (natural(a), natural(b));
            for threads in POOLS {
                let (found, kept) = on_threads(threads, || {
                    let kept = Divisor::new(y.clone()).expect("not 0");
                    (x.div_rem(&y), kept.div_rem(&x))
                });
                assert!(found == kept);
                same_natural(&found.0, &quotient);
                same_natural(&found.1, &remainder);
            }
        }
    }
}

/// At the lengths from which leading halves and leading thirds are taken.
#[test]
fn divisors() {
    let mut random = Random::new(72);
    for n in [249, 251, 451, 1300] {
        let others = structured(n, n / 2, &mut random);
        for (a, b) in structured(n, n / 3, &mut random).iter().zip(&others) {
            let gcd = Gmp::from(a.gcd_ref(b));
            let (x, y) = (integer(a), integer(b));
            for threads in POOLS {
                let (found, (g, s, t)) = on_threads(threads, || (x.gcd(&y), x.gcd_ext(&y)));
                same_natural(&found, &gcd);
                assert!(g == found && s * &x + t * &y == g);
            }
        }
    }
}

#[test]
fn roots_and_powers() {
    let mut random = Random::new(73);
    for n in [65, 701, 2703] {
        for a in structured(n, n / 2, &mut random) {
            let (root, remainder) = a.clone().sqrt_rem(Gmp::new());
            let square = Gmp::from(a.square_ref());
            let x = natural(&a);
            for threads in POOLS {
                let (found, alone, power) =
                    on_threads(threads, || (x.sqrt_rem(), x.sqrt(), x.pow(2)));
                same_natural(&found.0, &root);
                same_natural(&found.1, &remainder);
                assert!(alone == found.0);
                same_natural(&power, &square);
            }
        }
    }
}

#[test]
fn text() {
    let mut random = Random::new(74);
    for n in [21, 513, 1026, 2100] {
        for a in structured(n, 19, &mut random) {
            let digits = a.to_string();
            let x = natural(&a);
            for threads in POOLS {
                let (written, read) = on_threads(threads, || {
                    (x.to_string(), digits.parse::<Natural>().expect("digits"))
                });
                assert!(
                    written == digits && read == x,
                    "{n} limbs, {threads} threads"
                );
            }
        }
    }
}
