//! Everything against GMP integers, on random and on all crossed edge elements.

use dashu_int::{IBig, UBig};
use rug::Integer;
use rug::ops::RemRounding;
use sunzi_field::generalized_fermat::{Multiplication, NAMED, named_prime, recognize};
use sunzi_field::internals::Ring;
use sunzi_field::primality::is_prime;
use sunzi_field::{Digits, Field, GeneralizedFermat, GeneralizedFermatError, TwoAdicField};
use sunzi_testkit::{Random, to_gmp};

/// An element as GMP sees it.
fn gmp<const K: usize>(x: &Digits<K>, radix: u64) -> Integer {
    x.0.iter()
        .rev()
        .fold(Integer::new(), |sum, &digit| sum * radix + digit)
}

fn modulus(radix: u64, digits: usize) -> Integer {
    use rug::ops::Pow;
    Integer::from(radix).pow(digits as u32) + 1
}

/// The elements that break carries, rotations and reductions.
fn edges<const K: usize>(r: u64) -> Vec<Digits<K>> {
    let filled = |low: u64, high: u64, at: usize| {
        Digits(std::array::from_fn(|i| if i < at { low } else { high }))
    };
    let power =
        |at: usize, digit: u64| Digits(std::array::from_fn(|i| if i == at { digit } else { 0 }));
    let mut edges = vec![
        Digits::default(),
        power(0, 1),
        power(K - 1, r),
        filled(r - 1, r - 1, K),
        power(K - 1, 1),
        power(K - 1, r - 1),
        power(0, r - 1),
        power(1, 1),
        power(K / 2, r - 1),
        filled(0, r - 1, 1),
        filled(0, 1, K / 2),
        filled(r - 1, 0, K / 2),
        filled(r - 1, 1, 1),
        filled(1, r - 1, K - 1),
    ];
    edges.extend([1, 2, 3].map(|digit| power(0, digit % r)));
    edges.extend([1, 2, 3].map(|digit| filled(0, digit % r, K - 1)));
    // The low word of the number is 0.
    edges.push(power(
        1,
        if r.trailing_zeros() >= 32 { 1 << 32 } else { 0 } % r,
    ));
    edges
}

fn random<const K: usize>(source: &mut Random, radix: u64) -> Digits<K> {
    Digits(std::array::from_fn(|_| source.below(radix)))
}

fn check_pair<const K: usize>(
    field: &GeneralizedFermat<K>,
    p: &Integer,
    x: Digits<K>,
    y: Digits<K>,
) {
    let r = field.radix();
    let (a, b) = (gmp(&x, r), gmp(&y, r));
    let check = |found: Digits<K>, expected: Integer, what: &str| {
        assert!(field.is_canonical(found), "{what} {x:?} {y:?}");
        assert_eq!(gmp(&found, r), expected.rem_euc(p), "{what} {x:?} {y:?}");
    };
    check(field.add(x, y), Integer::from(&a + &b), "+");
    check(field.sub(x, y), Integer::from(&a - &b), "-");
    check(field.mul(x, y), Integer::from(&a * &b), "*");
    for algorithm in Multiplication::ALL {
        let product = field.mul_by(algorithm, x, y);
        check(product, Integer::from(&a * &b), &algorithm.to_string());
    }
}

fn check_field<const K: usize>(radix: u64) {
    let field = GeneralizedFermat::<K>::new(radix).unwrap();
    let p = modulus(radix, K);
    assert_eq!(to_gmp(&field.modulus::<UBig>()), p);
    let mut source = Random::new(radix ^ K as u64);
    let mut elements = edges::<K>(radix);
    elements.extend((0..8).map(|_| random(&mut source, radix)));
    for &x in &elements {
        assert!(field.is_canonical(x), "{x:?}");
        for &y in &elements {
            check_pair(&field, &p, x, y);
            assert_eq!(x < y, gmp(&x, radix) < gmp(&y, radix));
        }
        // All products with x at once, and one at a time.
        let mut products = vec![x; elements.len()];
        field.mul_assign_slice(&mut products, &elements);
        for (&product, &y) in products.iter().zip(&elements) {
            assert_eq!(product, field.mul(x, y), "{x:?} {y:?}");
        }
        // Step by step.
        let pairs: Vec<_> = elements.iter().map(|&y| [x, y]).collect();
        assert_eq!(field.products_timed(&pairs).0, products);
        let value = gmp(&x, radix);
        assert_eq!(gmp(&field.neg(x), radix), (-value.clone()).rem_euc(&p));
        for power in [
            0,
            1,
            2,
            K / 2,
            K - 1,
            K,
            K + 1,
            2 * K - 1,
            2 * K,
            2 * K + 3,
            7 * K - 1,
        ] {
            let exact = modulus(radix, power) - 1;
            let product: Integer = exact * &value;
            let expected = product.rem_euc(&p);
            let rotated = field.mul_by_radix_power(x, power);
            assert!(field.is_canonical(rotated));
            assert_eq!(gmp(&rotated, radix), expected, "{power}");
        }
        let integer: UBig = field.to_integer(x);
        assert_eq!(to_gmp(&integer), value);
        assert_eq!(field.from_integer(&integer), x);
        // Beyond p on both sides.
        let above = IBig::from(integer.clone()) + field.modulus::<IBig>() * IBig::from(12345);
        assert_eq!(field.from_integer(&above), x);
        let below = IBig::from(integer) - field.modulus::<IBig>() * IBig::from(3);
        assert_eq!(field.from_integer(&below), x);
        match field.inv(x) {
            None => assert_eq!(x, field.zero()),
            Some(inverse) => assert_eq!(field.mul(x, inverse), field.one(), "{x:?}"),
        }
        let text = serde_json::to_string(&x).unwrap();
        assert_eq!(serde_json::from_str::<Digits<K>>(&text).unwrap(), x);
    }
    for word in [0, 1, radix - 1, radix, u64::MAX] {
        assert_eq!(
            gmp(&field.from_u64(word), radix),
            Integer::from(word).rem_euc(&p)
        );
    }
    check_roots(&field, &p);
}

fn check_roots<const K: usize>(field: &GeneralizedFermat<K>, p: &Integer) {
    let order = Integer::from(p - 1);
    assert_eq!(field.two_adicity(), order.find_one(0).unwrap());
    // The least non-residue, by GMP's Legendre symbol.
    let expected = (2..).find(|&a| Integer::from(a).legendre(p) == -1).unwrap();
    assert_eq!(field.least_non_residue(), expected);
    let log_cycle = 2 * K;
    let logs = [
        0,
        1,
        2,
        log_cycle.trailing_zeros(),
        log_cycle.trailing_zeros() + 2,
    ];
    for log_n in logs.into_iter().chain([12, field.two_adicity()]) {
        if log_n > field.two_adicity() {
            continue;
        }
        let root = gmp(&field.root_of_unity(log_n).unwrap(), field.radix());
        // By the definition: g = a^((p−1)/N), and the least power of it that fits.
        let n = Integer::from(1) << log_n;
        let power = |a: &Integer, e: Integer| a.clone().pow_mod(&e, p).unwrap();
        if log_n > 0 {
            assert_eq!(power(&root, Integer::from(&n / 2)), order, "{log_n}");
        } else {
            assert_eq!(root, 1);
        }
        if n >= log_cycle {
            assert_eq!(
                power(&root, Integer::from(&n / log_cycle as u32)),
                field.radix()
            );
            let g = power(&Integer::from(expected), Integer::from(&order / &n));
            let rotation = power(&g, Integer::from(&n / log_cycle as u32));
            let j = (1u32..)
                .find(|&j| power(&rotation, j.into()) == field.radix())
                .unwrap();
            assert_eq!(root, power(&g, j.into()));
        } else {
            let exponent = Integer::from(log_cycle) / n;
            assert_eq!(root, power(&field.radix().into(), exponent));
        }
    }
    assert_eq!(field.root_of_unity(field.two_adicity() + 1), None);
}

#[test]
fn named_primes_up_to_32_digits() {
    for prime in NAMED {
        match prime.digits {
            2 => check_field::<2>(prime.radix),
            4 => check_field::<4>(prime.radix),
            8 => check_field::<8>(prime.radix),
            16 => check_field::<16>(prime.radix),
            32 => check_field::<32>(prime.radix),
            _ => {}
        }
    }
}

#[test]
fn named_primes_of_64_and_128_digits() {
    check_field::<64>(named_prime("P64").unwrap().radix);
    check_field::<64>(named_prime("P64F").unwrap().radix);
    check_field::<128>(named_prime("P128").unwrap().radix);
    check_field::<128>(named_prime("P128F").unwrap().radix);
}

#[test]
fn the_table_of_names() {
    for prime in NAMED {
        assert_eq!(named_prime(prime.name), Some(prime));
        let value = UBig::from(prime.radix).pow(prime.digits) + UBig::ONE;
        assert_eq!(
            recognize(&value),
            Some((prime.radix, prime.digits)),
            "{}",
            prime.name
        );
    }
    assert_eq!(named_prime("P9"), None);
    for value in [0u64, 1, 2, 3, 4, 6, 12] {
        assert_eq!(recognize(&UBig::from(value)), None, "{value}");
    }
    assert_eq!(recognize(&UBig::from(17u8)), Some((4, 2)));
}

/// Small radices: every r^K + 1 below 2^64, prime or not.
#[test]
fn small_primes_and_composites() {
    fn check<const K: usize>(radix: u64) {
        let p = modulus(radix, K).to_u64().unwrap();
        match GeneralizedFermat::<K>::new(radix) {
            Ok(field) => {
                assert!(is_prime(p), "{radix}^{K}+1");
                for (x, y) in edges::<K>(radix)
                    .into_iter()
                    .zip(edges::<K>(radix).into_iter().rev())
                {
                    check_pair(&field, &p.into(), x, y);
                }
                check_roots(&field, &p.into());
            }
            Err(error) => {
                assert!(!is_prime(p), "{radix}^{K}+1");
                if let GeneralizedFermatError::Composite {
                    factor: Some(factor),
                    ..
                } = error
                {
                    assert!(p.is_multiple_of(factor) && factor > 1 && factor < p);
                }
            }
        }
    }
    (2..400).step_by(2).for_each(check::<2>);
    (2..200).step_by(2).for_each(check::<4>);
    (2..100).step_by(2).for_each(check::<8>);
    (2..16).step_by(2).for_each(check::<16>);
    check::<32>(2);
    check::<2>((1 << 31) + 10);
    check::<2>(4_294_967_290);
}

#[test]
fn refusals_say_what_is_wrong() {
    let error = GeneralizedFermat::<8>::new(1).unwrap_err();
    assert_eq!(error, GeneralizedFermatError::RadixTooSmall { radix: 1 });
    let error = GeneralizedFermat::<8>::new(u64::MAX).unwrap_err();
    assert!(error.to_string().contains("is even"), "{error}");
    let error = GeneralizedFermat::<8>::new(1 << 63).unwrap_err();
    assert!(error.to_string().contains("divides it"), "{error}");
    // No small divisor: a power of a witness shows it.
    let error = GeneralizedFermat::<32>::new(2).unwrap_err();
    assert!(error.to_string().contains("641 divides it"), "{error}");
}

#[test]
fn proofs_name_their_theorem() {
    let proof = |name| {
        let radix = named_prime(name).unwrap().radix;
        GeneralizedFermat::<4>::new(radix)
            .unwrap()
            .primality()
            .clone()
    };
    // 2^50 in r alone exceeds √r; of 2^59 + 2^58 + 2^11, only 2^11 does not.
    let dense = proof("P4F").to_string();
    assert!(dense.starts_with("proved: Proth, "), "{dense}");
    let sparse = proof("P4").to_string();
    assert!(
        sparse.starts_with("proved: Pocklington, with the bases"),
        "{sparse}"
    );
}

/// Every algorithm against GMP for radices about powers of 2^52 and of the word, prime or not, and small
/// ones.
#[test]
fn single_products_for_radices_of_all_sizes() {
    fn check<const K: usize>(radix: u64) {
        let ring = Ring::<K>::new(radix);
        let p = modulus(radix, K);
        let mut source = Random::new(radix ^ K as u64);
        let mut elements = edges::<K>(radix);
        let high = |source: &mut Random| radix - 1 - source.below(radix.min(3));
        let low = |source: &mut Random| source.below(radix.min(2));
        elements.extend((0..3).map(|_| random(&mut source, radix)));
        elements.extend((0..3).map(|_| Digits(std::array::from_fn(|_| high(&mut source)))));
        elements.extend((0..3).map(|_| Digits(std::array::from_fn(|_| low(&mut source)))));
        let values: Vec<Integer> = elements.iter().map(|x| gmp(x, radix)).collect();
        for (x, a) in elements.iter().zip(&values) {
            for (y, b) in elements.iter().zip(&values) {
                let expected = Integer::from(a * b).rem_euc(&p);
                for algorithm in Multiplication::ALL {
                    let product = ring.mul_by(algorithm, x, y);
                    let told = || format!("{algorithm}, {radix}^{K}+1: {x:?} {y:?}");
                    assert!(ring.is_canonical(&product), "{}", told());
                    assert_eq!(gmp(&product, radix), expected, "{}", told());
                }
            }
        }
    }
    let near = |bits: u32| [(1u64 << bits) - 2, 1 << bits, (1 << bits) + 2];
    let sizes = [2, 3, 7, 20, 32, 39, 40, 41, 45, 51, 52, 53, 57, 58, 60, 63];
    let radices = sizes.into_iter().flat_map(near);
    for radix in radices.chain([u64::MAX - 1, u64::MAX - 0x3001]) {
        check::<2>(radix);
        check::<4>(radix);
        check::<8>(radix);
        check::<16>(radix);
        check::<32>(radix);
    }
    for radix in [2, 1 << 20, 1 << 40, (1 << 58) - 2, u64::MAX - 1] {
        check::<64>(radix);
        check::<128>(radix);
        check::<256>(radix);
    }
}

/// Vectors of products against single ones where estimates are at their worst: radices about powers
/// of 2^52 and of the word, prime or not.
#[test]
fn products_at_once_for_radices_of_all_sizes() {
    if !sunzi_machine::InstructionSet::Avx512.is_available() {
        return sunzi_testkit::skip("this processor has no AVX-512 IFMA");
    }
    fn check<const K: usize>(radix: u64) {
        let ring = Ring::<K>::new(radix);
        let mut source = Random::new(radix);
        let mut elements = edges::<K>(radix);
        let high = |source: &mut Random| radix - 1 - source.below(3);
        elements.extend((0..4).map(|_| random(&mut source, radix)));
        elements.extend((0..4).map(|_| Digits(std::array::from_fn(|_| high(&mut source)))));
        for &x in &elements {
            let mut products = vec![x; elements.len()];
            ring.mul_assign(&mut products, &elements);
            for (&product, y) in products.iter().zip(&elements) {
                assert_eq!(product, ring.mul(&x, y), "{radix}^{K}+1: {x:?} {y:?}");
            }
        }
    }
    let near = |bits: u32| [(1u64 << bits) - 2, 1 << bits, (1 << bits) + 2];
    let radices = [20, 40, 41, 45, 50, 51, 52, 53, 54, 60, 63].map(near);
    for radix in radices
        .into_iter()
        .flatten()
        .chain([u64::MAX - 1, u64::MAX - 0x3001])
    {
        check::<2>(radix);
        check::<8>(radix);
        check::<32>(radix);
    }
    for radix in near(52).into_iter().chain([1 << 40, u64::MAX - 1]) {
        check::<256>(radix);
    }
}
