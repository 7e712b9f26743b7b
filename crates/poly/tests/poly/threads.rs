//! Every operation that threads share, on several numbers of threads, with shares as short as they can be; where
//! lengths are fixed, at the lengths from which threads share. Against the definitions and GMP.

use crate::big_prime_products::by_gmp;
use crate::common::{distinct, product_of_points, random_poly, remainder};
use sunzi_field::{Digits, Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_machine::Grain;
use sunzi_poly::{
    Algorithm, AnyLengthDft, CoefficientField, Divisor, Poly, PolyRing, RemainderTree,
    SubinverseTree, SubproductTree,
};
use sunzi_testkit::{
    Random, convolution_over, gmp_residue, long_convolution_mod, on_every_thread_count, value_at,
};

/// A ring whose work is cut wherever it can be.
fn finest<F: CoefficientField>(field: F) -> PolyRing<F> {
    PolyRing::new(field).with_grain(Grain::finer(usize::BITS))
}

/// Random, all −1, and one coefficient alone at the end.
fn structured<F: Field>(field: &F, len: usize) -> [Vec<F::Elem>; 3] {
    let mut single = vec![field.zero(); len];
    if let Some(last) = single.last_mut() {
        *last = field.from_i64(-1);
    }
    [
        Random::new(len as u64).elements(field, len),
        vec![field.from_i64(-1); len],
        single,
    ]
}

fn check_trees<F: CoefficientField>(ring: &PolyRing<F>, counts: &[usize])
where
    F::Elem: std::fmt::Debug,
{
    let field = ring.field();
    for &count in counts {
        let points = distinct(field, count);
        let whole = Poly::new(product_of_points(field, &points));
        let inputs = structured(field, count).map(Poly::new);
        let longer = Poly::new(Random::new(5).elements(field, 2 * count + 3));
        let values_of = |f: &Poly<F::Elem>| -> Vec<F::Elem> {
            points
                .iter()
                .map(|&u| value_at(field, f.coefficients(), u))
                .collect()
        };
        let expected = inputs.each_ref().map(values_of);
        let of_longer = values_of(&longer);
        on_every_thread_count(|threads| {
            for threshold in [0, 2] {
                let tree = SubproductTree::with_threshold(ring, &points, threshold).unwrap();
                let case = format!("{count} points, leaves of 2^{threshold}, {threads} threads");
                assert_eq!(tree.product(), whole, "{case}");
                assert_eq!(tree.evaluate_all(&inputs).unwrap(), expected, "{case}");
                assert_eq!(tree.evaluate(&longer).unwrap(), of_longer, "{case}");
                let inverses = SubinverseTree::new(&tree).unwrap();
                for (f, values) in inputs.iter().zip(&expected) {
                    assert_eq!(
                        inverses.evaluate(f).unwrap(),
                        *values,
                        "{case}, by inverses"
                    );
                    assert_eq!(tree.interpolate(values).unwrap(), *f, "{case}");
                }
            }
        });
    }
}

#[test]
fn trees() {
    // Last nodes over one point, over half of theirs, and whole.
    let counts: Vec<usize> = (1..20).chain([31, 32, 33, 48, 63, 64, 65]).collect();
    let field = Fp32::new(469_762_049).unwrap();
    // The nodes of a level, each on one thread while their transforms are short; as if all were long.
    let short = PolyRing::new(field.clone()).with_grain(Grain::finer(12));
    check_trees(&short, &counts);
    check_trees(&finest(field), &counts);
    check_trees(&finest(Fp64::new((1 << 63) - 25).unwrap()), &[3, 33, 65]);
    let p4 = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
    check_trees(&finest(p4), &[1, 7, 33]);
}

#[test]
fn remainders() {
    let ring = finest(Fp32::new(469_762_049).unwrap());
    let field = ring.field();
    for degrees in [
        vec![1],
        vec![5, 1],
        vec![1; 9],
        vec![40, 1, 1, 30],
        (1..14).collect(),
        vec![70, 70],
    ] {
        let n: usize = degrees.iter().sum();
        let points = distinct(field, n);
        let mut rest = &points[..];
        let moduli: Vec<_> = degrees
            .iter()
            .map(|&degree| {
                let (own, others) = rest.split_at(degree);
                rest = others;
                Poly::new(product_of_points(field, own))
            })
            .collect();
        let inputs = structured(field, n).map(Poly::new);
        let expected = inputs.each_ref().map(|f| -> Vec<_> {
            let remainders = moduli
                .iter()
                .map(|m| remainder(field, f.coefficients(), m.coefficients()));
            remainders.collect()
        });
        on_every_thread_count(|threads| {
            let case = format!("{degrees:?}, {threads} threads");
            let tree = RemainderTree::new(&ring, &moduli).unwrap();
            assert_eq!(tree.remainders_all(&inputs).unwrap(), expected, "{case}");
            for (f, remainders) in inputs.iter().zip(&expected) {
                assert_eq!(tree.combine(remainders).unwrap(), *f, "{case}");
            }
            let divisor = Divisor::new(&ring, &moduli[0]).unwrap();
            for ((quotient, rest), f) in divisor.divrem_all(&inputs).unwrap().iter().zip(&inputs) {
                assert_eq!(
                    *rest,
                    remainder(field, f.coefficients(), moduli[0].coefficients()),
                    "{case}"
                );
                let back =
                    convolution_over(field, quotient.coefficients(), moduli[0].coefficients());
                assert_eq!(ring.add(&Poly::new(back), rest), *f, "{case}");
            }
        });
    }
}

/// The resultant of the product of all x − u with g is that of all g(u).
#[test]
fn greatest_common_divisors() {
    let ring = finest(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
    let field = ring.field();
    // Below and above where products become those of values.
    for (common, n, m) in [
        (0, 1, 1),
        (1, 2, 1),
        (0, 60, 60),
        (30, 150, 150),
        (1, 300, 299),
        (0, 260, 90),
    ] {
        let points = distinct(field, common + n);
        let shared = product_of_points(field, &points[..common]);
        let a = Poly::new(product_of_points(field, &points));
        let cofactor = random_poly(field, 9, m);
        let b = Poly::new(convolution_over(field, &shared, cofactor.coefficients()));
        let values = points.iter().map(|&u| value_at(field, b.coefficients(), u));
        let resultant = values.fold(field.one(), |product, value| field.mul(product, value));
        on_every_thread_count(|threads| {
            let case = format!("degrees {n}, {m} and {common}, {threads} threads");
            let pairs = [[a.clone(), b.clone()], [b.clone(), a.clone()]];
            for gcd in ring.gcd_all(&pairs).unwrap() {
                assert_eq!(gcd.coefficients(), shared, "{case}");
            }
            let found = ring.xgcd(&a, &b).unwrap();
            let sum = ring.add(&ring.mul(&found.s, &a), &ring.mul(&found.t, &b));
            assert_eq!(
                (found.gcd.coefficients(), sum.coefficients()),
                (&shared[..], &shared[..]),
                "{case}"
            );
            assert_eq!(
                ring.resultant_all(&pairs[..1]).unwrap(),
                [resultant],
                "{case}"
            );
        });
    }
}

#[test]
fn values_shifts_and_composition() {
    fn check<F: CoefficientField>(field: F, lengths: &[usize])
    where
        F::Elem: std::fmt::Debug,
    {
        let ring = finest(field);
        let field = ring.field();
        let g = Poly::new(vec![field.one(), field.from_i64(-1), field.from_i64(-1)]);
        let point = field.from_i64(-2);
        // f(x + a) by Horner's rule: what x + a takes the place of x in.
        let substituted = |f: &[F::Elem], g: &[F::Elem]| -> Poly<F::Elem> {
            Poly::new(f.iter().rev().fold(vec![], |sum, &c| {
                let mut sum = convolution_over(field, &sum, g);
                match sum.first_mut() {
                    Some(constant) => *constant = field.add(*constant, c),
                    None => sum = vec![c],
                }
                sum
            }))
        };
        for &len in lengths {
            for f in structured(field, len) {
                let value = value_at(field, &f, point);
                let shifted = substituted(&f, &[point, field.one()]);
                let composed = substituted(&f, g.coefficients());
                let f = Poly::new(f);
                on_every_thread_count(|threads| {
                    let case = format!(
                        "{len} coefficients modulo {}, {threads} threads",
                        field.modulus::<sunzi_integer::Natural>()
                    );
                    assert_eq!(ring.evaluate_at(&f, point).unwrap(), value, "{case}");
                    assert_eq!(ring.taylor_shift(&f, point).unwrap(), shifted, "{case}");
                    assert_eq!(ring.compose(&f, &g).unwrap(), composed, "{case}");
                });
            }
        }
    }
    let lengths: Vec<usize> = (0..20).chain([63, 64, 65, 66, 130]).collect();
    check(Fp32::new(469_762_049).unwrap(), &lengths);
    // Several blocks, the last of them short: n is greater than p.
    check(Fp32::new(3).unwrap(), &[1, 2, 3, 4, 9, 10, 26, 27, 28, 100]);
    check(Fp64::new(61).unwrap(), &[60, 61, 62, 122, 130]);
}

#[test]
fn batches_of_products() {
    let prime = 2_147_483_647;
    let ring = finest(Fp32::new(prime).unwrap());
    for (la, lb) in [(1, 1), (2, 1), (3, 5), (40, 33)] {
        for count in [0, 1, 2, 3, 7, 20] {
            let a: Vec<u32> = (0..la * count).map(|i| prime - 1 - i as u32 % 3).collect();
            let b: Vec<u32> = (0..lb * count)
                .map(|i| prime - 1 - (i as u32 * i as u32) % 2)
                .collect();
            let words = |x: &[u32]| -> Vec<u64> { x.iter().map(|&x| x.into()).collect() };
            let pairs = a.chunks(la).zip(b.chunks(lb));
            let expected: Vec<u64> = pairs
                .flat_map(|(a, b)| long_convolution_mod(&words(a), &words(b), prime.into()))
                .collect();
            on_every_thread_count(|threads| {
                let mut out = vec![1; expected.len()];
                ring.mul_batch(&mut out, &a, &b, la, lb).unwrap();
                assert_eq!(
                    words(&out),
                    expected,
                    "{count} of {la}×{lb}, {threads} threads"
                );
            });
        }
    }
}

/// Series and geometric progressions use products and tables of chirps, which are shared from 2^14 words on.
#[test]
fn series_and_geometric_progressions() {
    let prime = (1 << 60) - (1 << 18) + 1;
    let field = Fp64::new(prime).unwrap();
    let ring = PolyRing::new(field.clone());
    let (start, ratio) = (3, prime - 5);
    for n in [8191, 8192, 8193, 16_384] {
        let [f, ..] = structured(&field, n);
        let points = [0, 1, 1023, n / 2, n - 2, n - 1];
        let expected = points.map(|i| {
            let point = field.mul(start, field.pow(ratio, i as u64));
            value_at(&field, &f, point)
        });
        let f = Poly::new(f);
        let mut unit = structured(&field, n)[1].clone();
        unit[0] = 2;
        on_every_thread_count(|threads| {
            let case = format!("{n} coefficients, {threads} threads");
            let values = ring.evaluate_geometric(&f, start, ratio, n).unwrap();
            assert_eq!(points.map(|i| values[i]), expected, "{case}");
            let back = ring.interpolate_geometric(start, ratio, &values).unwrap();
            assert!(back == f, "{case}, back");
            let quotient = ring.divide_series(f.coefficients(), &unit, n).unwrap();
            let product = long_convolution_mod(&quotient, &unit, prime);
            let mut expected = f.coefficients().to_vec();
            expected.resize(n, 0);
            assert!(product[..n] == expected, "{case}, series");
        });
    }
}

/// Lengths at which tables, parts and pieces begin to be shared: 2^17 bytes, 2^14 words.
#[test]
fn lengths_that_are_fixed() {
    // A chirp of N weights.
    let field = Fp64::new((1 << 60) - (1 << 18) + 1).unwrap();
    for len in [16_256, 16_383, 16_512] {
        let x = Random::new(3).elements(&field, len);
        let plan = AnyLengthDft::new(&field, len).unwrap();
        let root = plan.root_of_unity();
        let places = [0, 1, 1023, 1024, len / 2, len - 1];
        let expected = places.map(|j| value_at(&field, &x, field.pow(root, j as u64)));
        on_every_thread_count(|threads| {
            let mut y = x.clone();
            plan.forward(&mut y).unwrap();
            assert_eq!(
                places.map(|j| y[j]),
                expected,
                "{len} points, {threads} threads"
            );
            plan.inverse(&mut y).unwrap();
            assert!(y == x, "{len} points, {threads} threads, back");
        });
    }
    // Products covered by one transform, by two, and by many short ones.
    let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
    let ring = PolyRing::new(field.clone());
    let greatest = Digits([field.radix() - 1; 4]);
    for (la, lb) in [
        (4047, 49),
        (4048, 49),
        (4049, 49),
        (4200, 4100),
        (6000, 6200),
        (20_000, 500),
        // Pieces of 2^15 words, which threads share, and of 2^16, which are shared themselves.
        (20_000, 2000),
        (40_000, 4000),
    ] {
        let mut a = Random::new(1).elements(&field, la);
        let b = vec![greatest; lb];
        a[la / 2..].fill(greatest);
        let expected = by_gmp(&field, &a, &b);
        on_every_thread_count(|threads| {
            for algorithm in [Algorithm::Ntt, Algorithm::Kronecker] {
                let mut out = vec![field.zero(); la + lb - 1];
                ring.mul_slices_with(algorithm, &mut out, &a, &b).unwrap();
                let found = out.iter().map(|&x| gmp_residue(&field, x));
                assert!(
                    found.eq(expected.iter().cloned()),
                    "{la}×{lb}, {algorithm}, {threads} threads"
                );
            }
        });
    }
}
