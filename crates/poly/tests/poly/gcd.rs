//! Greatest common divisors, cofactors and resultants against the definitions.

use crate::common::{long_transforms, random_of_len, remainder, short_transforms};
use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_poly::{CoefficientField, Poly, PolyRing};

/// The monic greatest common divisor and, if neither polynomial is zero, the
/// resultant, by Euclid's algorithm.
fn reference<F: Field>(field: &F, a: &[F::Elem], b: &[F::Elem]) -> (Vec<F::Elem>, F::Elem) {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    let mut resultant = field.one();
    while !b.is_empty() {
        let r = remainder(field, &a, &b).into_coefficients();
        let (alpha, beta) = (a.len().saturating_sub(1), b.len() - 1);
        if beta == 0 {
            resultant = field.mul(resultant, field.pow(b[0], alpha as u64));
        } else if r.is_empty() {
            resultant = field.zero();
        } else {
            let leading = b[beta];
            let rho = r.len() - 1;
            if rho <= alpha {
                let power = field.pow(leading, (alpha - rho) as u64);
                resultant = field.mul(resultant, power);
            }
            if alpha % 2 == 1 && beta % 2 == 1 {
                resultant = field.neg(resultant);
            }
        }
        a = std::mem::replace(&mut b, r);
    }
    if let Some(&leading) = a.last() {
        let inverse = field.inv(leading).unwrap();
        field.scale_slice(&mut a, inverse);
    }
    (a, resultant)
}

/// The determinant of the Sylvester matrix, by elimination.
fn sylvester<F: Field>(field: &F, a: &[F::Elem], b: &[F::Elem]) -> F::Elem {
    let (m, n) = (a.len() - 1, b.len() - 1);
    let mut rows = vec![vec![field.zero(); m + n]; m + n];
    for i in 0..n {
        for (j, &x) in a.iter().rev().enumerate() {
            rows[i][i + j] = x;
        }
    }
    for i in 0..m {
        for (j, &x) in b.iter().rev().enumerate() {
            rows[n + i][i + j] = x;
        }
    }
    let mut determinant = field.one();
    for column in 0..m + n {
        let Some(pivot) = (column..m + n).find(|&row| rows[row][column] != field.zero()) else {
            return field.zero();
        };
        if pivot != column {
            rows.swap(pivot, column);
            determinant = field.neg(determinant);
        }
        let leading = rows[column][column];
        determinant = field.mul(determinant, leading);
        let inverse = field.inv(leading).unwrap();
        let (above, below) = rows.split_at_mut(column + 1);
        for row in below {
            let factor = field.mul(row[column], inverse);
            for (x, &y) in row.iter_mut().zip(&above[column]) {
                *x = field.sub(*x, field.mul(factor, y));
            }
        }
    }
    determinant
}

/// All results for one pair, against Euclid's algorithm.
fn check<F: CoefficientField>(ring: &PolyRing<F>, a: &Poly<F::Elem>, b: &Poly<F::Elem>) {
    let field = ring.field();
    let sizes = format!("{} and {} coefficients", a.len(), b.len());
    let (gcd, resultant) = reference(field, a.coefficients(), b.coefficients());
    assert_eq!(ring.gcd(a, b).unwrap().coefficients(), gcd, "{sizes}");
    if !a.is_zero() && !b.is_zero() {
        assert_eq!(ring.resultant(a, b).unwrap(), resultant, "{sizes}");
    }
    check_cofactors(ring, a, b, &gcd);
}

fn check_cofactors<F: CoefficientField>(
    ring: &PolyRing<F>,
    a: &Poly<F::Elem>,
    b: &Poly<F::Elem>,
    gcd: &[F::Elem],
) {
    let found = ring.xgcd(a, b).unwrap();
    assert_eq!(found.gcd.coefficients(), gcd);
    let (sa, tb) = (ring.mul(&found.s, a), ring.mul(&found.t, b));
    let mut sum = vec![ring.field().zero(); sa.len().max(tb.len())];
    ring.field()
        .add_assign_slice(&mut sum[..sa.len()], sa.coefficients());
    ring.field()
        .add_assign_slice(&mut sum[..tb.len()], tb.coefficients());
    assert_eq!(Poly::new(sum), found.gcd);
    let trivial = gcd.len() == a.len() || gcd.len() == b.len();
    if !trivial {
        assert!(found.s.len() <= b.len() - gcd.len() && found.t.len() <= a.len() - gcd.len());
    }
}

/// Lengths around every place where an algorithm may change, small and in the half-GCD.
fn battery<F: CoefficientField>(field: F, lens: &[usize]) {
    let ring = PolyRing::new(field);
    for (index, &len_a) in lens.iter().enumerate() {
        for &len_b in lens {
            let seed = (len_a * 10_000 + len_b) as u64;
            let a = random_of_len(ring.field(), seed, len_a);
            let b = random_of_len(ring.field(), seed + 1, len_b);
            check(&ring, &a, &b);
            // With a common factor.
            let common = random_of_len(ring.field(), seed + 2, lens[index / 2] + 1);
            check(&ring, &ring.mul(&a, &common), &ring.mul(&b, &common));
        }
    }
}

#[test]
fn short_operands_over_every_field() {
    let lens = [0, 1, 2, 3, 4, 7, 16, 17, 33];
    for prime in [3, 5, 257, 469_762_049, 2_147_483_647] {
        battery(Fp32::new(prime).unwrap(), &lens);
    }
    for prime in [3, (1 << 60) - (1 << 18) + 1, (1 << 62) - 57, (1 << 63) - 25] {
        battery(Fp64::new(prime).unwrap(), &lens);
    }
    battery(long_transforms(), &lens);
    battery(short_transforms(), &lens);
    battery(GeneralizedFermat::<2>::new(10).unwrap(), &lens);
}

#[test]
fn long_operands_over_every_field() {
    let lens = [96, 255, 256, 257, 258, 511, 512, 513, 514, 700];
    battery(Fp32::new(469_762_049).unwrap(), &lens);
    battery(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(), &lens);
    let lens = [257, 1500];
    battery(Fp32::new(2_147_483_647).unwrap(), &lens);
    battery(Fp64::new((1 << 63) - 25).unwrap(), &lens);
    // Degrees drop by more than one all the time.
    battery(Fp32::new(3).unwrap(), &[258, 700, 1101]);
    battery(short_transforms(), &[97, 130, 260]);
    // Transforms of the field up to 512 points, and over several primes beyond.
    battery(Fp32::new(7681).unwrap(), &[257, 513, 1500]);
    battery(long_transforms(), &[48, 49, 50, 95, 96, 97, 98, 130, 260]);
}

#[test]
fn degrees_that_drop_by_many() {
    let ring = PolyRing::new(Fp32::new(469_762_049).unwrap());
    let sparse = |terms: &[(usize, u32)]| {
        let mut coefficients = vec![0; terms.iter().map(|term| term.0 + 1).max().unwrap()];
        for &(power, coefficient) in terms {
            coefficients[power] = coefficient;
        }
        Poly::new(coefficients)
    };
    let degrees = [40, 300, 600, 1200];
    for n in degrees {
        for m in [1, n / 3, n / 2 - 1, n / 2, n / 2 + 1, n - 3, n - 1, n] {
            for low in [0, 1, m / 2] {
                let a = sparse(&[(n, 1), (low, 5)]);
                let b = sparse(&[(m, 7), (0, 2)]);
                check(&ring, &a, &b);
                check(&ring, &b, &a);
                check(&ring, &a, &sparse(&[(m, 3)]));
            }
        }
        // x^n − 1 and x^m − 1 have x^gcd(n, m) − 1 in common.
        let minus_one = 469_762_048;
        for m in [n / 2, n / 4, 3 * n / 4] {
            let (a, b) = (
                sparse(&[(n, 1), (0, minus_one)]),
                sparse(&[(m, 1), (0, minus_one)]),
            );
            check(&ring, &a, &b);
        }
    }
}

#[test]
fn resultants_are_determinants_of_sylvester_matrices() {
    for prime in [3, 5, 101, 469_762_049] {
        let ring = PolyRing::new(Fp32::new(prime).unwrap());
        for len_a in 1..12 {
            for len_b in 1..12 {
                let a = random_of_len(ring.field(), len_a as u64, len_a);
                let b = random_of_len(ring.field(), 100 + len_b as u64, len_b);
                let expected = sylvester(ring.field(), a.coefficients(), b.coefficients());
                assert_eq!(
                    ring.resultant(&a, &b).unwrap(),
                    expected,
                    "mod {prime}: {a:?} {b:?}"
                );
            }
        }
    }
}

#[test]
fn resultants_with_zero() {
    let ring = PolyRing::new(Fp32::new(101).unwrap());
    let (zero, constant, linear) = (Poly::zero(), Poly::new(vec![7]), Poly::new(vec![1, 1]));
    assert_eq!(ring.resultant(&zero, &zero).unwrap(), 0);
    assert_eq!(ring.resultant(&zero, &constant).unwrap(), 0);
    assert_eq!(ring.resultant(&constant, &zero).unwrap(), 0);
    assert_eq!(ring.resultant(&zero, &linear).unwrap(), 0);
    assert_eq!(ring.resultant(&constant, &constant).unwrap(), 1);
    assert_eq!(ring.resultant(&constant, &linear).unwrap(), 7);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn common_factors_come_out(
        seed: u64,
        a in 1usize..900,
        b in 1usize..900,
        c in 1usize..400,
    ) {
        let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
        let [a, b, c] = [a, b, c].map(|len| random_of_len(ring.field(), seed ^ len as u64, len));
        let expected = ring.mul(&c, &ring.gcd(&a, &b).unwrap());
        let (quotient, rest) = ring
            .divrem(&expected, &ring.gcd(&ring.mul(&a, &c), &ring.mul(&b, &c)).unwrap())
            .unwrap();
        prop_assert!(rest.is_zero() && quotient.degree() == Some(0));
    }

    #[test]
    fn resultants_multiply(seed: u64, a in 1usize..500, b in 1usize..500, c in 1usize..500) {
        let ring = PolyRing::new(Fp32::new(2_147_483_647).unwrap());
        let [a, b, c] = [a, b, c].map(|len| random_of_len(ring.field(), seed ^ len as u64, len));
        let product = ring.field().mul(
            ring.resultant(&a, &c).unwrap(),
            ring.resultant(&b, &c).unwrap(),
        );
        prop_assert_eq!(ring.resultant(&ring.mul(&a, &b), &c).unwrap(), product);
    }
}
