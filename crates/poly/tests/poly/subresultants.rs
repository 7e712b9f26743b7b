//! Chains of subresultants against minors of the Sylvester matrix.

use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_poly::{CoefficientField, Poly, PolyRing};
use sunzi_testkit::Random;

/// A polynomial with `len` coefficients, the last of which is not 0.
fn random<F: Field>(field: &F, random: &mut Random, len: usize) -> Poly<F::Elem> {
    let words = random.residues(len, u64::MAX).into_iter();
    let mut coefficients: Vec<F::Elem> = words.map(|word| field.from_u64(word)).collect();
    if let Some(last) = coefficients.last_mut()
        && *last == field.zero()
    {
        *last = field.one();
    }
    Poly::new(coefficients)
}

/// Σ c·x^power over the terms (power, c).
fn sparse<F: Field>(field: &F, terms: &[(usize, i64)]) -> Poly<F::Elem> {
    let len = terms.iter().map(|term| term.0 + 1).max().unwrap_or(0);
    let mut coefficients = vec![field.zero(); len];
    for &(power, coefficient) in terms {
        coefficients[power] = field.from_i64(coefficient);
    }
    Poly::new(coefficients)
}

fn determinant<F: Field>(field: &F, mut rows: Vec<Vec<F::Elem>>) -> F::Elem {
    let mut determinant = field.one();
    for column in 0..rows.len() {
        let Some(pivot) = (column..rows.len()).find(|&row| rows[row][column] != field.zero())
        else {
            return field.zero();
        };
        if pivot != column {
            rows.swap(pivot, column);
            determinant = field.neg(determinant);
        }
        let (upper, lower) = rows.split_at_mut(column + 1);
        let pivot = &upper[column];
        determinant = field.mul(determinant, pivot[column]);
        let inverse = field.inv(pivot[column]).unwrap();
        for row in lower {
            let factor = field.mul(row[column], inverse);
            for (x, &y) in row[column..].iter_mut().zip(&pivot[column..]) {
                *x = field.sub(*x, field.mul(factor, y));
            }
        }
    }
    determinant
}

/// The matrix whose determinant is S_j, with what `last` makes of each row's polynomial in its last
/// column.
fn matrix<F: Field>(
    field: &F,
    [a, b]: [&[F::Elem]; 2],
    j: usize,
    last: impl Fn(&[F::Elem]) -> F::Elem,
) -> Vec<Vec<F::Elem>> {
    let (m, n) = (a.len() - 1, b.len() - 1);
    let shifted = |poly: &[F::Elem], count: usize| {
        let shift = |power| {
            let mut row = vec![field.zero(); power];
            row.extend_from_slice(poly);
            row.resize(m + n - j, field.zero());
            row
        };
        (0..count).rev().map(shift).collect::<Vec<_>>()
    };
    let mut rows = shifted(a, n - j);
    rows.extend(shifted(b, m - j));
    for row in &mut rows {
        let value = last(row);
        row.drain(..=j);
        row.reverse();
        row.push(value);
    }
    rows
}

/// S_j by the definition, one coefficient after the other.
fn by_minors<F: Field>(field: &F, a: &[F::Elem], b: &[F::Elem], j: usize) -> Poly<F::Elem> {
    let (m, n) = (a.len() - 1, b.len() - 1);
    if m == n && j == n {
        return Poly::new(if n == 0 {
            vec![field.one()]
        } else {
            b.to_vec()
        });
    }
    let coefficient = |power: usize| {
        let rows = matrix(field, [a, b], j, |row| row[power]);
        determinant(field, rows)
    };
    Poly::new((0..=j).map(coefficient).collect())
}

/// The whole chain of two polynomials, which are not 0.
fn check<F: CoefficientField>(ring: &PolyRing<F>, a: &Poly<F::Elem>, b: &Poly<F::Elem>) {
    let chain = ring.subresultant_chain(a, b).unwrap();
    assert_eq!(chain.len(), a.len().min(b.len()));
    assert_eq!(chain.principal(chain.len()), None);
    for (j, found) in chain.iter().enumerate() {
        let expected = by_minors(ring.field(), a.coefficients(), b.coefficients(), j);
        assert_eq!(found, &expected, "S_{j} of {a:?} and {b:?}");
        let principal = expected.coefficients().get(j).copied();
        assert_eq!(chain.principal(j), Some(principal.unwrap_or_default()));
    }
    let resultant = ring.resultant(a, b).unwrap();
    assert_eq!(chain.principal(0), Some(resultant));
}

/// Values of some members of a long chain, its resultant and its greatest common divisor.
fn check_long<F: CoefficientField>(
    ring: &PolyRing<F>,
    a: &Poly<F::Elem>,
    b: &Poly<F::Elem>,
    members: &[usize],
) {
    let field = ring.field();
    let chain = ring.subresultant_chain(a, b).unwrap();
    assert_eq!(chain.len(), a.len().min(b.len()));
    assert_eq!(chain.principal(0), Some(ring.resultant(a, b).unwrap()));
    let common = chain.iter().find(|member| !member.is_zero()).unwrap();
    let gcd = ring.gcd(a, b).unwrap();
    assert_eq!(common.degree(), gcd.degree());
    assert_eq!(ring.gcd(common, &Poly::zero()).unwrap(), gcd);
    for (j, member) in chain.iter().enumerate() {
        assert!(member.len() <= j + 1);
    }
    let point = field.from_u64(1_234_567_890_123);
    let value = |poly: &[F::Elem]| {
        let powers = poly.iter().rev();
        powers.fold(field.zero(), |sum, &x| field.add(field.mul(sum, point), x))
    };
    for &j in members {
        let rows = matrix(field, [a.coefficients(), b.coefficients()], j, value);
        let member = chain.get(j).unwrap();
        assert_eq!(
            value(member.coefficients()),
            determinant(field, rows),
            "S_{j}"
        );
    }
}

/// All polynomials over the field of p elements with at most `len` coefficients, but 0.
fn all(p: u32, len: u32) -> Vec<Poly<u32>> {
    (1..p.pow(len))
        .map(|index| Poly::new((0..len).map(|i| index / p.pow(i) % p).collect()))
        .collect()
}

#[test]
fn all_short_operands_over_the_smallest_fields() {
    for (prime, len_a, len_b) in [(3, 5, 4), (3, 4, 5), (5, 3, 3)] {
        let ring = PolyRing::new(Fp32::new(prime).unwrap());
        for a in all(prime, len_a) {
            for b in all(prime, len_b) {
                check(&ring, &a, &b);
            }
        }
    }
}

fn battery<F: CoefficientField>(field: F, longest: usize, rounds: u64) {
    let ring = PolyRing::new(field);
    let field = ring.field();
    for len_a in 1..=longest {
        for len_b in 1..=longest {
            for round in 0..rounds {
                let mut words = Random::new(round);
                let a = random(field, &mut words, len_a);
                let b = random(field, &mut words, len_b);
                check(&ring, &a, &b);
                if len_a.max(len_b) < longest - 2 {
                    let common = random(field, &mut words, 2 + round as usize % 2);
                    check(&ring, &ring.mul(&a, &common), &ring.mul(&b, &common));
                }
            }
        }
    }
}

#[test]
fn every_pair_of_lengths_over_every_field() {
    for prime in [3, 5, 101, 469_762_049] {
        battery(Fp32::new(prime).unwrap(), 11, 4);
    }
    battery(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(), 10, 3);
    let p8 = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    battery(p8, 6, 1);
}

fn drops<F: CoefficientField>(field: F) {
    let ring = PolyRing::new(field);
    let field = ring.field();
    for n in [4, 7, 12] {
        for m in [1, 2, n / 2, n - 2, n - 1, n] {
            for low in [0, 1, m / 2] {
                let a = sparse(field, &[(n, 2), (low, 4)]);
                for b in [
                    sparse(field, &[(m, 7), (0, 2)]),
                    sparse(field, &[(m, -2)]),
                    sparse(field, &[(m, 1), (low, -1)]),
                ] {
                    check(&ring, &a, &b);
                    check(&ring, &b, &a);
                }
            }
        }
    }
}

#[test]
fn degrees_that_drop_by_many() {
    drops(Fp32::new(3).unwrap());
    drops(Fp32::new(101).unwrap());
    drops(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
    let ring = PolyRing::new(Fp32::new(469_762_049).unwrap());
    for (n, m, low) in [
        (300, 120, 7),
        (301, 299, 100),
        (200, 200, 3),
        (150, 151, 149),
    ] {
        let a = sparse(ring.field(), &[(n, 3), (low, 5), (0, 1)]);
        let b = sparse(ring.field(), &[(m, 7), (1, 2), (0, -4)]);
        check_long(&ring, &a, &b, &[0, 1, 2, low, 119]);
    }
}

#[test]
fn long_operands() {
    let mut words = Random::new(3);
    let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
    for (len_a, len_b, members) in [
        (100, 100, &[0, 1, 41, 88][..]),
        (101, 100, &[0, 1, 41, 88]),
        (90, 131, &[0, 1, 41, 88]),
        (91, 132, &[0, 1, 41, 88]),
        (300, 250, &[0, 88]),
        (350, 2, &[0]),
    ] {
        let a = random(ring.field(), &mut words, len_a);
        let b = random(ring.field(), &mut words, len_b);
        check_long(&ring, &a, &b, members);
        let common = random(ring.field(), &mut words, 30);
        check_long(
            &ring,
            &ring.mul(&a, &common),
            &ring.mul(&b, &common),
            &[29, 30],
        );
    }
    // Degrees drop by more than one all the time.
    for prime in [3, 5, 101] {
        let ring = PolyRing::new(Fp32::new(prime).unwrap());
        for (len_a, len_b, members) in [
            (120, 119, &[0, 1, 2, 3, 50, 51, 52, 117][..]),
            (119, 120, &[0, 1, 2, 3, 50, 51, 52, 117]),
            (300, 300, &[52, 250]),
            (250, 200, &[0, 117]),
        ] {
            let a = random(ring.field(), &mut words, len_a);
            let b = random(ring.field(), &mut words, len_b);
            check_long(&ring, &a, &b, members);
        }
    }
    let p8 = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    let ring = PolyRing::new(p8);
    let a = random(ring.field(), &mut words, 60);
    let b = random(ring.field(), &mut words, 59);
    check_long(&ring, &a, &b, &[0, 57]);
}

#[test]
fn zero_and_constants() {
    let ring = PolyRing::new(Fp32::new(101).unwrap());
    let (zero, seven, cubic) = (
        Poly::zero(),
        Poly::new(vec![7]),
        Poly::new(vec![1, 0, 0, 5]),
    );
    let chain = |a, b| ring.subresultant_chain(a, b).unwrap();
    for other in [&zero, &seven, &cubic] {
        assert!(chain(&zero, other).is_empty() && chain(other, &zero).is_empty());
        assert_eq!(chain(&zero, other).get(0), None);
        assert_eq!(chain(&zero, other).principal(0), None);
    }
    let one = Poly::new(vec![1]);
    assert_eq!(chain(&seven, &seven).iter().collect::<Vec<_>>(), [&one]);
    let cube = Poly::new(vec![343 % 101]);
    for chain in [chain(&seven, &cubic), chain(&cubic, &seven)] {
        assert_eq!((&chain).into_iter().collect::<Vec<_>>(), [&cube]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn operands_trade_places(seed: u64, a in 1usize..120, b in 1usize..120) {
        let ring = PolyRing::new(Fp32::new(101).unwrap());
        let mut words = Random::new(seed);
        let [a, b] = [a, b].map(|len| random(ring.field(), &mut words, len));
        let [there, back] = [(&a, &b), (&b, &a)].map(|(a, b)| ring.subresultant_chain(a, b).unwrap());
        prop_assert_eq!(there.len(), back.len());
        let members = there.len() - usize::from(a.len() == b.len());
        for (j, (x, y)) in there.iter().zip(&back).enumerate().take(members) {
            let mut expected = y.coefficients().to_vec();
            if (a.len() - 1 - j) % 2 == 1 && (b.len() - 1 - j) % 2 == 1 {
                ring.field().neg_slice(&mut expected);
            }
            prop_assert_eq!(x.coefficients(), expected);
        }
    }
}
