//! Division and power series against long division, the definition, and GMP.

use std::iter::once;

use crate::common::{long_transforms, random_of_len, random_poly, short_transforms};
use proptest::prelude::*;
use rug::Integer;
use rug::integer::Order;
use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_poly::{CoefficientField, Divisor, Poly, PolyError, PolyRing};
use sunzi_testkit::{Random, convolution_over, on_threads};

/// Quotient and remainder by long division, one coefficient after the other.
fn long_division<F: Field>(
    field: &F,
    a: &Poly<F::Elem>,
    b: &Poly<F::Elem>,
) -> (Poly<F::Elem>, Poly<F::Elem>) {
    let (&leading, below) = b.coefficients().split_last().unwrap();
    let inverse = field.inv(leading).unwrap();
    let mut rest = a.coefficients().to_vec();
    let mut quotient = vec![];
    while rest.len() > below.len() {
        let factor = field.mul(rest.pop().unwrap(), inverse);
        let start = rest.len() - below.len();
        for (x, &y) in rest[start..].iter_mut().zip(below) {
            *x = field.sub(*x, field.mul(factor, y));
        }
        quotient.push(factor);
    }
    quotient.reverse();
    (Poly::new(quotient), Poly::new(rest))
}

fn sum<F: Field>(field: &F, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Poly<F::Elem> {
    let mut sum = vec![field.zero(); a.len().max(b.len())];
    for operand in [a, b] {
        field.add_assign_slice(&mut sum[..operand.len()], operand.coefficients());
    }
    Poly::new(sum)
}

/// q·b + r by definition.
fn dividend<F: Field>(
    field: &F,
    q: &Poly<F::Elem>,
    b: &Poly<F::Elem>,
    r: &Poly<F::Elem>,
) -> Poly<F::Elem> {
    let qb = convolution_over(field, q.coefficients(), b.coefficients());
    sum(field, &Poly::new(qb), r)
}

/// Coefficients that are 0 but for the last one and for two at either end of a run of zeros.
fn sparse<F: Field>(field: &F, len: usize) -> Poly<F::Elem> {
    let mut coefficients = vec![field.zero(); len];
    for at in [0, len / 3, len - 1] {
        coefficients[at] = field.from_i64(-1);
    }
    Poly::new(coefficients)
}

fn field_label<F: Field>(field: &F) -> String {
    let bits = field.modulus::<sunzi_integer::Natural>().to_string();
    format!(
        "mod {}…, {} digits",
        &bits[..bits.len().min(20)],
        bits.len()
    )
}

/// Every way of dividing, where the result is known.
fn check_division<F: CoefficientField>(
    ring: &PolyRing<F>,
    prepared: &Divisor<F>,
    a: &Poly<F::Elem>,
    b: &Poly<F::Elem>,
    expected: &(Poly<F::Elem>, Poly<F::Elem>),
) {
    let (field, len_a, len_b) = (field_label(ring.field()), a.len(), b.len());
    let case = || format!("{field}: {len_a} by {len_b} coefficients");
    assert!(ring.divrem(a, b).unwrap() == *expected, "{}", case());
    let found = prepared.divrem(a).unwrap();
    assert!(found == *expected, "prepared, {}", case());
    assert!(prepared.rem(a).unwrap() == expected.1, "rem, {}", case());
    match ring.div_exact(a, b) {
        Ok(quotient) => {
            assert!(expected.1.is_zero(), "inexact, {}", case());
            assert!(quotient == expected.0, "exact, {}", case());
        }
        Err(error) => {
            let (dividend, divisor) = (a.degree().unwrap(), b.degree().unwrap());
            assert_eq!(error, PolyError::Inexact { dividend, divisor });
            assert!(!expected.1.is_zero(), "exact, {}", case());
        }
    }
}

/// Up to this many coefficients every quotient is divided in all three ways; longer ones take one each, in turn.
const SHORT: usize = 105;

/// Quotients of this many coefficients by a divisor: any dividend, one whose remainder is 0 and one whose
/// quotient has runs of zeros.
fn check_quotients<F: CoefficientField>(
    ring: &PolyRing<F>,
    b: &Poly<F::Elem>,
    quotient_lens: &[usize],
) {
    let field = ring.field();
    let prepared = Divisor::new(ring, b).unwrap();
    assert_eq!(prepared.coefficients(), b.coefficients());
    for (index, &len) in quotient_lens.iter().enumerate() {
        let turn = (index + b.len()) % 3;
        let is_due = |way| len.max(b.len()) <= SHORT || quotient_lens.len() == 1 || way == turn;
        let seed = (10_000 * len + b.len()) as u64;
        if is_due(0) {
            let a = random_poly(field, seed, len + b.len() - 2);
            check_division(ring, &prepared, &a, b, &long_division(field, &a, b));
        }
        if is_due(1) {
            let q = random_of_len(field, seed, len);
            let exact = dividend(field, &q, b, &Poly::zero());
            check_division(ring, &prepared, &exact, b, &(q, Poly::zero()));
        }
        if is_due(2) {
            let (q, r) = (sparse(field, len), random_of_len(field, seed, b.len() - 1));
            let a = dividend(field, &q, b, &r);
            check_division(ring, &prepared, &a, b, &(q, r));
        }
    }
}

/// Quotients and divisors of all these lengths, and dividends shorter than the divisor.
fn battery<F: CoefficientField>(field: F, lens: &[usize]) {
    let ring = PolyRing::new(field);
    let field = ring.field();
    for &len in lens {
        let b = random_poly(field, len as u64, len - 1);
        check_quotients(&ring, &b, lens);
        let prepared = Divisor::new(&ring, &b).unwrap();
        for shorter in [0, 1, len / 2, len - 1] {
            if shorter < len {
                let a = random_of_len(field, shorter as u64, shorter);
                check_division(&ring, &prepared, &a, &b, &(Poly::zero(), a.clone()));
            }
        }
    }
}

/// Where algorithms over fields of word size change.
const WORD_LENS: [usize; 34] = [
    1, 2, 16, 17, 31, 32, 33, 63, 64, 65, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 127,
    128, 129, 239, 240, 241, 255, 256, 257, 479, 480, 481, 1000,
];

/// Where they change over fields of several words.
const BIG_LENS: [usize; 24] = [
    1, 2, 4, 5, 8, 9, 11, 12, 13, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 63, 64, 65, 128, 257,
];

fn field32(prime: u32) -> Fp32 {
    Fp32::new(prime).unwrap()
}

fn field64(prime: u64) -> Fp64 {
    Fp64::new(prime).unwrap()
}

const P60: u64 = (1 << 60) - (1 << 18) + 1;
const P62: u64 = (1 << 62) - 57;
const P63: u64 = (1 << 63) - 25;

#[test]
fn division_over_fields_of_a_half_word() {
    for prime in [3, 5, 469_762_049, 2_147_483_647] {
        battery(field32(prime), &WORD_LENS);
    }
}

#[test]
fn division_over_fields_of_a_word() {
    for prime in [P60, P62, P63] {
        battery(field64(prime), &WORD_LENS);
    }
}

#[test]
fn division_over_fields_with_short_transforms() {
    // p − 1 has 8, 9 and 12 factors 2: some operands fit the field's transforms, and some do not.
    let lens = [
        1, 2, 33, 103, 104, 105, 127, 128, 129, 255, 256, 257, 479, 480, 511, 513, 1000,
    ];
    for prime in [257, 7681, 12_289] {
        battery(field32(prime), &lens);
        battery(field64(prime.into()), &lens);
    }
}

#[test]
fn division_over_generalized_fermat_fields() {
    battery(long_transforms(), &BIG_LENS);
    battery(short_transforms(), &BIG_LENS);
    battery(GeneralizedFermat::<4>::new(6).unwrap(), &BIG_LENS);
}

#[test]
fn quotients_much_longer_or_shorter_than_the_divisor() {
    fn check<F: CoefficientField>(field: F, sizes: &[(usize, usize)]) {
        let ring = PolyRing::new(field);
        for &(quotient, divisor) in sizes {
            let b = random_poly(ring.field(), quotient as u64, divisor - 1);
            check_quotients(&ring, &b, &[quotient]);
        }
    }
    let sizes = [
        (3000, 1),
        (3000, 2),
        (3000, 33),
        (5000, 105),
        (4001, 257),
        (4000, 481),
        (2047, 512),
        (1, 3000),
        (2, 3000),
        (33, 3000),
        (105, 5000),
        (257, 4001),
        (481, 4000),
    ];
    check(field32(469_762_049), &sizes);
    check(field32(2_147_483_647), &sizes);
    check(field64(P60), &sizes);
    check(field64(P63), &sizes);
    let sizes = [
        (1000, 1),
        (1000, 3),
        (900, 14),
        (600, 70),
        (3, 1000),
        (14, 900),
        (70, 600),
    ];
    check(long_transforms(), &sizes);
    check(short_transforms(), &sizes);
}

#[test]
fn monic_and_sparse_divisors() {
    fn check<F: CoefficientField>(field: F, lens: &[usize]) {
        let ring = PolyRing::new(field);
        let (field, one) = (ring.field(), ring.field().one());
        for &len in lens {
            let power: Vec<_> = (0..len).map(|_| field.zero()).chain(once(one)).collect();
            let mut binomial = power.clone();
            binomial[0] = field.from_i64(-1);
            let mut monic = Random::new(len as u64).elements(field, len);
            monic.push(one);
            for b in [power, binomial, monic] {
                check_quotients(&ring, &Poly::new(b), &[1, len, 2 * len + 1]);
            }
        }
    }
    let lens = [1, 16, 33, 64, 105, 128, 256, 481];
    check(field32(3), &lens);
    check(field32(469_762_049), &lens);
    check(field32(2_147_483_647), &lens);
    check(field64(P60), &lens);
    check(field64(P62), &lens);
    check(long_transforms(), &lens[..6]);
    check(short_transforms(), &lens[..6]);
}

#[test]
fn division_by_zero_and_with_remainders_is_refused() {
    fn check<F: CoefficientField>(field: F) {
        let ring = PolyRing::new(field);
        let (zero, a) = (Poly::zero(), random_poly(ring.field(), 1, 600));
        for a in [&zero, &a] {
            assert_eq!(ring.divrem(a, &zero), Err(PolyError::DivisionByZero));
            assert_eq!(ring.div_exact(a, &zero), Err(PolyError::DivisionByZero));
        }
        let refused = Divisor::new(&ring, &zero).unwrap_err();
        assert_eq!(refused, PolyError::DivisionByZero);
        assert_eq!(ring.divrem(&zero, &a), Ok((Poly::zero(), Poly::zero())));
        assert_eq!(ring.div_exact(&zero, &a), Ok(Poly::zero()));
        let constant = Poly::new(vec![ring.field().from_i64(-1)]);
        let (dividend, divisor) = (0, 600);
        assert_eq!(
            ring.div_exact(&constant, &a),
            Err(PolyError::Inexact { dividend, divisor })
        );
    }
    check(field32(3));
    check(field32(469_762_049));
    check(field64(P63));
    check(long_transforms());
    check(short_transforms());
}

/// GMP's side of a comparison: polynomials as integers, coefficients `width` words apart.
struct Packing<'a, F> {
    field: &'a F,
    width: usize,
    modulus: Integer,
}

impl<'a, F: Field> Packing<'a, F> {
    fn new(field: &'a F) -> Self {
        let modulus = Integer::from_digits(&field.modulus_limbs(), Order::Lsf);
        Self {
            field,
            width: (2 * modulus.significant_bits() as usize + 64).div_ceil(64),
            modulus,
        }
    }

    fn pack(&self, coefficients: &[F::Elem]) -> Integer {
        let mut words = vec![0; coefficients.len() * self.width];
        for (words, &coefficient) in words.chunks_mut(self.width).zip(coefficients) {
            let integer: sunzi_integer::Natural = self.field.to_integer(coefficient);
            words[..integer.as_limbs().len()].copy_from_slice(integer.as_limbs());
        }
        Integer::from_digits(&words, Order::Lsf)
    }

    /// The first `len` coefficients, reduced.
    fn unpack(&self, packed: &Integer, len: usize) -> Vec<Integer> {
        let mut words = packed.to_digits::<u64>(Order::Lsf);
        words.resize(words.len().max(len * self.width), 0);
        let coefficients = words.chunks(self.width).take(len);
        coefficients
            .map(|words| Integer::from_digits(words, Order::Lsf) % &self.modulus)
            .collect()
    }

    /// The first `len` coefficients of x·y + z.
    fn product_and_sum(&self, [x, y, z]: [&[F::Elem]; 3], len: usize) -> Vec<Integer> {
        self.unpack(&(self.pack(x) * self.pack(y) + self.pack(z)), len)
    }

    /// Canonical residues.
    fn integers(&self, coefficients: &[F::Elem], len: usize) -> Vec<Integer> {
        self.unpack(&self.pack(coefficients), len)
    }
}

#[test]
fn long_divisions_match_gmp_for_every_number_of_threads() {
    fn check<F: CoefficientField>(field: F, sizes: &[(usize, usize)]) {
        let packing = Packing::new(&field);
        for &(len_q, len_b) in sizes {
            let a = random_poly(&field, 1, len_q + len_b - 2);
            let b = random_poly(&field, 2, len_b - 1);
            let [found, parallel] = [1, 3].map(|threads| {
                on_threads(threads, || {
                    let ring = PolyRing::new(field.clone());
                    let prepared = Divisor::new(&ring, &b).unwrap();
                    let found = ring.divrem(&a, &b).unwrap();
                    assert!(prepared.divrem(&a).unwrap() == found);
                    found
                })
            });
            assert!(found == parallel, "{len_q}, {len_b}");
            let (q, r) = (found.0.coefficients(), found.1.coefficients());
            assert!(q.len() == len_q && r.len() < len_b);
            let sum = packing.product_and_sum([q, b.coefficients(), r], a.len());
            let expected = packing.integers(a.coefficients(), a.len());
            assert!(sum == expected, "{}: {len_q}, {len_b}", field_label(&field));
        }
    }
    let sizes = [
        (20_000, 9000),
        (9000, 20_000),
        (8192, 8193),
        (16_385, 16_384),
        (30_000, 700),
    ];
    check(field32(469_762_049), &sizes);
    check(field32(2_147_483_647), &sizes);
    check(field64(P60), &sizes);
    check(field64(P62), &sizes);
    check(field64(P63), &sizes);
    check(
        long_transforms(),
        &[(1500, 1400), (1024, 1025), (3000, 300), (300, 3000)],
    );
    check(short_transforms(), &[(700, 600), (1200, 130), (130, 1200)]);
}

/// The first `n` coefficients of the product by definition.
fn low_product<F: Field>(field: &F, a: &[F::Elem], b: &[F::Elem], n: usize) -> Vec<F::Elem> {
    let mut low = vec![field.zero(); n];
    for (i, &x) in a.iter().enumerate().take(n) {
        for (out, &y) in low[i..].iter_mut().zip(b) {
            *out = field.add(*out, field.mul(x, y));
        }
    }
    low
}

/// The first `n` coefficients, 0 beyond the end.
fn padded<F: Field>(field: &F, a: &[F::Elem], n: usize) -> Vec<F::Elem> {
    let zeros = std::iter::repeat(field.zero());
    a.iter().copied().chain(zeros).take(n).collect()
}

/// A power series that has an inverse, of at least one coefficient.
fn unit<F: Field>(field: &F, seed: u64, len: usize) -> Vec<F::Elem> {
    let mut series = Random::new(seed).elements(field, len);
    if series[0] == field.zero() {
        series[0] = field.from_i64(-1);
    }
    series
}

/// Inverses and quotients of series shorter than the precision, as long, and longer.
fn check_series<F: CoefficientField>(field: F, precisions: &[usize]) {
    let ring = PolyRing::new(field);
    let field = ring.field();
    let one = [field.one()];
    for &n in precisions {
        for len_f in [1, 2, n / 2 + 1, n.max(1), n + 7] {
            let case = format!("{}: {len_f} to {n}", field_label(field));
            let f = unit(field, (n + 3 * len_f) as u64, len_f);
            let inverse = ring.inverse_series(&f, n).unwrap();
            assert_eq!(inverse.len(), n, "{case}");
            let found = low_product(field, &f, &inverse, n);
            assert!(found == padded(field, &one, n), "{case}");
            for len_a in [0, 1, n / 2, n / 2 + 1, n, n + 9] {
                let a = Random::new(len_a as u64).elements(field, len_a);
                let quotient = ring.divide_series(&a, &f, n).unwrap();
                assert_eq!(quotient.len(), n, "{len_a} by {case}");
                let found = low_product(field, &f, &quotient, n);
                assert!(found == padded(field, &a, n), "{len_a} by {case}");
            }
        }
    }
}

#[test]
fn power_series_over_fields_of_word_size() {
    let precisions: Vec<usize> = once(0).chain(WORD_LENS).collect();
    for prime in [3, 5, 257, 12_289, 469_762_049, 2_147_483_647] {
        check_series(field32(prime), &precisions);
    }
    for prime in [P60, P62, P63] {
        check_series(field64(prime), &precisions);
    }
}

#[test]
fn power_series_over_generalized_fermat_fields() {
    let precisions: Vec<usize> = once(0).chain(BIG_LENS).collect();
    check_series(long_transforms(), &precisions);
    check_series(short_transforms(), &precisions);
    check_series(GeneralizedFermat::<4>::new(6).unwrap(), &precisions);
}

#[test]
fn series_without_constant_term_have_no_inverse() {
    fn check<F: CoefficientField>(field: F) {
        let ring = PolyRing::new(field);
        let mut series = Random::new(1).elements(ring.field(), 700);
        series[0] = ring.field().zero();
        for f in [&[], &series[..1], &series[..2], &series[..]] {
            for n in [0, 1, 2, 16, 17, 100, 1000] {
                let refused = Err(PolyError::NoInverse);
                assert_eq!(ring.inverse_series(f, n), refused);
                assert_eq!(ring.divide_series(&series, f, n), refused);
            }
        }
    }
    check(field32(3));
    check(field32(469_762_049));
    check(field64(P62));
    check(long_transforms());
    check(short_transforms());
}

#[test]
fn long_series_match_gmp_for_every_number_of_threads() {
    fn check<F: CoefficientField>(field: F, precisions: &[usize]) {
        let packing = Packing::new(&field);
        for &n in precisions {
            let (a, f) = (Random::new(1).elements(&field, n), unit(&field, 2, n));
            let [found, parallel] = [1, 3].map(|threads| {
                on_threads(threads, || {
                    let ring = PolyRing::new(field.clone());
                    let inverse = ring.inverse_series(&f, n).unwrap();
                    (inverse, ring.divide_series(&a, &f, n).unwrap())
                })
            });
            assert!(found == parallel, "{n}");
            let (inverse, quotient) = found;
            for (factor, expected) in [(inverse, &[field.one()][..]), (quotient, &a)] {
                let found = packing.product_and_sum([&f, &factor, &[]], n);
                let expected = packing.integers(expected, n);
                assert!(found == expected, "{}: {n}", field_label(&field));
            }
        }
    }
    let precisions = [5000, 8191, 8192, 8193, 12_289, 20_000];
    check(field32(469_762_049), &precisions);
    check(field32(2_147_483_647), &precisions);
    check(field64(P60), &precisions);
    check(field64(P63), &precisions);
    check(long_transforms(), &[1023, 1024, 1025, 1500]);
    check(short_transforms(), &[300, 1000]);
}

#[test]
fn many_polynomials_at_once_divide_as_one_by_one() {
    fn check<F: CoefficientField>(field: F, divisor_lens: &[usize]) {
        let ring = PolyRing::new(field);
        let field = ring.field();
        for &len in divisor_lens {
            let b = random_poly(field, 5, len - 1);
            let divisor = Divisor::new(&ring, &b).unwrap();
            let lens = [0, 1, len - 1, len, len + 1, 2 * len - 1, 3 * len, 3];
            let polynomials = lens.map(|n| random_of_len(field, n as u64, n));
            let expected: Vec<_> = polynomials
                .iter()
                .map(|a| long_division(field, a, &b))
                .collect();
            for threads in [1, 3] {
                let found = on_threads(threads, || divisor.divrem_all(&polynomials));
                assert!(found.unwrap() == expected, "{}", field_label(field));
            }
            assert_eq!(divisor.divrem_all(&[]), Ok(vec![]));
        }
    }
    check(field32(5), &[1, 2, 33, 500]);
    check(field32(469_762_049), &[1, 2, 33, 300]);
    check(field64(P63), &[1, 2, 33, 300]);
    check(long_transforms(), &[1, 2, 20, 100]);
    check(short_transforms(), &[1, 2, 20, 70]);
}

/// Quotient and remainder come back, by every way, on 1 and 3 threads.
fn dividend_gives_its_parts_back<F: CoefficientField>(
    field: F,
    seed: u64,
    [len_q, len_b, len_r]: [usize; 3],
) {
    let [q, b] = [len_q, len_b].map(|len| random_of_len(&field, seed ^ len as u64, len));
    // Leading coefficients may be 0.
    let r = Poly::new(Random::new(!seed).elements(&field, len_r.min(len_b - 1)));
    let a = dividend(&field, &q, &b, &r);
    for threads in [1, 3] {
        on_threads(threads, || {
            let ring = PolyRing::new(field.clone());
            let prepared = Divisor::new(&ring, &b).unwrap();
            check_division(&ring, &prepared, &a, &b, &(q.clone(), r.clone()));
        });
    }
}

/// f·f⁻¹ = 1 and f·(a/f) = a modulo x^n, on 1 and 3 threads.
fn series_divide<F: CoefficientField>(field: F, seed: u64, [n, len_a, len_f]: [usize; 3]) {
    let (a, f) = (
        Random::new(seed).elements(&field, len_a),
        unit(&field, !seed, len_f),
    );
    for threads in [1, 3] {
        let (inverse, quotient) = on_threads(threads, || {
            let ring = PolyRing::new(field.clone());
            let quotient = ring.divide_series(&a, &f, n).unwrap();
            (ring.inverse_series(&f, n).unwrap(), quotient)
        });
        for (factor, expected) in [(inverse, &[field.one()][..]), (quotient, &a)] {
            assert_eq!(factor.len(), n);
            let found = low_product(&field, &f, &factor, n);
            assert!(found == padded(&field, expected, n), "{threads} threads");
        }
    }
}

/// Runs a generic function over the field of this index.
macro_rules! over_field {
    ($index:expr, $check:ident, $seed:expr, $lens:expr) => {
        match $index {
            0 => $check(field32(3), $seed, $lens),
            1 => $check(field32(5), $seed, $lens),
            2 => $check(field32(7681), $seed, $lens),
            3 => $check(field32(469_762_049), $seed, $lens),
            4 => $check(field32(2_147_483_647), $seed, $lens),
            5 => $check(field64(P60), $seed, $lens),
            6 => $check(field64(P62), $seed, $lens),
            7 => $check(field64(P63), $seed, $lens),
            8 => $check(long_transforms(), $seed, $lens.map(|len| len.div_ceil(6))),
            _ => $check(short_transforms(), $seed, $lens.map(|len| len.div_ceil(6))),
        }
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn dividends_give_their_parts_back(
        index in 0usize..10,
        seed: u64,
        q in 0usize..1500,
        b in 1usize..1500,
        r in 0usize..1500,
    ) {
        over_field!(index, dividend_gives_its_parts_back, seed, [q, b, r]);
    }

    #[test]
    fn series_times_their_inverses_are_one(
        index in 0usize..10,
        seed: u64,
        n in 0usize..1500,
        a in 0usize..2000,
        f in 1usize..2000,
    ) {
        over_field!(index, series_divide, seed, [n, a, f]);
    }
}
