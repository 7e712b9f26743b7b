//! Greatest common divisors against GMP, with the leading halves of short operands, too.

mod leading;

use rug::Integer;
use rug::integer::Order;
use sunzi_integer::Multiplier;
use sunzi_integer::internals::{Gcd, GcdLengths as Lengths, Matrix};
use sunzi_testkit::Random;

fn gmp(limbs: &[u64]) -> Integer {
    Integer::from_digits(limbs, Order::Lsf)
}

fn limbs(value: &Integer) -> Vec<u64> {
    value.to_digits(Order::Lsf)
}

fn check(multiplier: &Multiplier, a: &[u64], b: &[u64], lengths: &Lengths) {
    let (x, y) = (gmp(a), gmp(b));
    let expected = x.clone().gcd(&y);
    let sizes = (a.len(), b.len(), lengths);
    let by = Gcd {
        multiplier,
        lengths: *lengths,
    };
    let found = by.gcd(a, b);
    assert!(gmp(&found) == expected, "{sizes:?}");
    assert!(found.last() != Some(&0));
    let found = by.gcd_ext(a, b);
    assert!(gmp(&found.gcd) == expected, "{sizes:?}");
    let s = gmp(&found.cofactor);
    if y == 0 {
        assert_eq!(s, 1);
    } else {
        let rest = expected.clone() - s.clone() * &x;
        assert!(rest.is_divisible(&y), "cofactor: {sizes:?}");
        assert!(s == 0 || s < y / &expected, "least cofactor: {sizes:?}");
    }
}

const LENGTHS: [Lengths; 3] = [
    Lengths {
        half: 8,
        gcd: 8,
        gcd_ext: 8,
    },
    Lengths {
        half: 13,
        gcd: 10,
        gcd_ext: 12,
    },
    Lengths {
        half: 1000,
        gcd: 1000,
        gcd_ext: 1000,
    },
];

/// Numbers that share a factor: random, powers of two and their neighbours, quotients of 1 alone and huge ones.
#[test]
fn divisors_are_those_of_gmp() {
    let multiplier = Multiplier::new();
    let mut random = Random::new(5);
    for lengths in &LENGTHS {
        for (n, m, k) in [
            (0, 0, 1),
            (0, 3, 1),
            (1, 1, 1),
            (2, 1, 1),
            (2, 2, 2),
            (3, 2, 1),
            (3, 3, 4),
            (5, 5, 1),
            (9, 7, 3),
            (17, 17, 1),
            (16, 30, 2),
            (40, 40, 20),
            (64, 63, 1),
            (150, 149, 1),
        ] {
            for _ in 0..4 {
                let [a, b, g] = [n, m, k].map(|len| gmp(&random.words(len)));
                let (a, b) = (limbs(&(a * &g)), limbs(&(b * &g)));
                check(&multiplier, &a, &b, lengths);
                check(&multiplier, &b, &a, lengths);
                check(&multiplier, &a, &a, lengths);
            }
        }
        for bits in [
            1u32, 62, 63, 64, 65, 126, 127, 128, 129, 191, 640, 1279, 2000,
        ] {
            for other in [1u32, 63, 64, 127, 192, 639, 640, 1278, 1999] {
                for (d, e) in [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)] {
                    let a = (Integer::from(1) << bits) + d;
                    let b = (Integer::from(1) << other) + e;
                    check(&multiplier, &limbs(&a), &limbs(&b), lengths);
                }
            }
        }
        let (mut f, mut g) = (Integer::from(1), Integer::from(1));
        for i in 0..4000 {
            (f, g) = (g.clone(), f + g);
            if i % 97 == 0 {
                check(&multiplier, &limbs(&g), &limbs(&f), lengths);
                let [f, g] = [&f, &g].map(|x| limbs(&Integer::from(x * 10_000_019)));
                check(&multiplier, &f, &g, lengths);
            }
        }
    }
}

/// Continued fractions whose quotients are a few limbs long now and then: the numbers' lengths fall in jumps, at every place.
#[test]
fn lengths_that_fall_in_jumps() {
    let multiplier = Multiplier::new();
    let mut random = Random::new(11);
    for round in 0..60 {
        let (mut a, mut b) = (Integer::from(1), Integer::ZERO);
        while a.significant_bits() < 64 * 60 {
            let jump = random.words(1)[0].is_multiple_of(40);
            let q = match jump {
                true => gmp(&random.words(1 + round % 9)),
                false => Integer::from(1 + random.words(1)[0] % 3),
            };
            (a, b) = (q * &a + b, a);
        }
        for lengths in &LENGTHS {
            check(&multiplier, &limbs(&a), &limbs(&b), lengths);
        }
    }
}

/// The matrix gives the pair back, whose numbers stay longer than half.
#[test]
fn half_of_the_algorithm() {
    let multiplier = Multiplier::new();
    let mut random = Random::new(13);
    for lengths in &LENGTHS {
        for n in [3, 4, 5, 8, 9, 16, 17, 31, 64, 100] {
            let mut pair = [random.words(n), random.words(n)];
            for x in &mut pair {
                x[n - 1] |= 1;
            }
            let [a, b] = [gmp(&pair[0]), gmp(&pair[1])];
            let mut matrix = Matrix::one();
            let by = Gcd {
                multiplier: &multiplier,
                lengths: *lengths,
            };
            by.half_gcd(&mut pair, &mut matrix);
            assert!(pair.iter().all(|x| x.len() > n / 2 + 1));
            let [[u, v], [u1, v1]] = matrix.0.map(|row| row.map(|x| gmp(&x)));
            let [alpha, beta] = pair.map(|x| gmp(&x));
            assert_eq!(u * &alpha + v * &beta, a);
            assert_eq!(u1 * &alpha + v1 * &beta, b);
            // It goes on until neither can come off the other.
            let left = Integer::from(&alpha - &beta);
            assert!(left.significant_bits() <= 64 * (n as u32 / 2 + 1));
        }
    }
}

#[test]
fn long_operands_as_built_in() {
    let multiplier = Multiplier::new();
    let mut random = Random::new(17);
    for (n, m) in [
        (249, 249),
        (250, 250),
        (449, 449),
        (450, 449),
        (1500, 1500),
        (900, 400),
    ] {
        check(
            &multiplier,
            &random.words(n),
            &random.words(m),
            &Lengths::BUILT_IN,
        );
    }
}
