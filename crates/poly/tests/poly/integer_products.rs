//! Products over Z against the definition in GMP, and against products made with Maple.

use rug::Integer as GmpInteger;
use rug::integer::Order;
use sunzi_integer::Integer;
use sunzi_poly::{Algorithm, IntegerPolyRing, Poly};
use sunzi_testkit::{Kind, Random, convolution, data_dir, on_threads, zx_products};
use sunzi_testkit::{from_gmp, to_gmp};

fn polynomial(coefficients: &[GmpInteger]) -> Poly<Integer> {
    Poly::new(coefficients.iter().map(from_gmp).collect())
}

/// Checks every algorithm that can do it, and the choice.
fn check(ring: &IntegerPolyRing, a: &[GmpInteger], b: &[GmpInteger], expected: &[GmpInteger]) {
    let expected = polynomial(expected);
    let (a, b) = (polynomial(a), polynomial(b));
    assert_eq!(ring.mul(&a, &b), expected, "{}", ring.plan(&a, &b));
    for algorithm in Algorithm::ALL {
        if let Ok(product) = ring.mul_with(algorithm, &a, &b) {
            assert_eq!(product, expected, "{algorithm}");
        }
    }
}

/// A coefficient of about `bits` bits and any sign, often an extreme one.
fn coefficient(random: &mut Random, bits: u32) -> GmpInteger {
    let limit: GmpInteger = GmpInteger::from(1) << bits;
    let magnitude = match random.below(8) {
        0 => GmpInteger::new(),
        1 => GmpInteger::from(1),
        2 | 3 => limit - 1,
        4 => limit >> 1,
        _ => {
            let words = random.words(bits.div_ceil(64) as usize);
            GmpInteger::from_digits(&words, Order::Lsf) % limit
        }
    };
    if random.below(2) == 1 {
        -magnitude
    } else {
        magnitude
    }
}

#[test]
fn every_width_and_length() {
    let ring = IntegerPolyRing::new();
    let mut random = Random::new(5);
    for bits in [1, 2, 31, 32, 62, 63, 64, 65, 127, 128, 200, 512] {
        for (len_a, len_b) in [
            (1, 1),
            (1, 2),
            (2, 3),
            (7, 7),
            (16, 16),
            (31, 32),
            (32, 33),
            (64, 9),
            (39, 40),
            (41, 41),
            (111, 112),
            (113, 112),
            (150, 150),
        ] {
            let a: Vec<GmpInteger> = (0..len_a).map(|_| coefficient(&mut random, bits)).collect();
            let b: Vec<GmpInteger> = (0..len_b).map(|_| coefficient(&mut random, bits)).collect();
            check(&ring, &a, &b, &convolution(&a, &b));
            // All extremes, of equal and of alternating signs.
            let extreme: GmpInteger = (GmpInteger::from(1) << bits) - 1;
            let a = vec![GmpInteger::from(-&extreme); len_a];
            let b: Vec<GmpInteger> = (0..len_b)
                .map(|i| {
                    if i % 2 == 0 {
                        extreme.clone()
                    } else {
                        GmpInteger::from(-&extreme)
                    }
                })
                .collect();
            check(&ring, &a, &a, &convolution(&a, &a));
            check(&ring, &a, &b, &convolution(&a, &b));
        }
    }
}

#[test]
fn operands_of_different_widths() {
    let ring = IntegerPolyRing::new();
    let mut random = Random::new(6);
    for (bits_a, bits_b) in [(1, 500), (64, 65), (300, 3), (64, 1)] {
        let a: Vec<GmpInteger> = (0..40).map(|_| coefficient(&mut random, bits_a)).collect();
        let b: Vec<GmpInteger> = (0..50).map(|_| coefficient(&mut random, bits_b)).collect();
        check(&ring, &a, &b, &convolution(&a, &b));
    }
}

#[test]
fn zero_and_constants() {
    let ring = IntegerPolyRing::new();
    let one = Poly::new(vec![Integer::ONE]);
    let f = Poly::new([3, 0, -4].map(Integer::from).to_vec());
    assert!(ring.mul(&f, &Poly::zero()).is_zero());
    assert!(ring.mul(&Poly::zero(), &Poly::zero()).is_zero());
    assert_eq!(ring.mul(&f, &one), f);
    assert_eq!(ring.sqr(&f), ring.mul(&f, &f.clone()));
    assert_eq!(to_gmp(&ring.sqr(&f)[4]), 16);
}

#[test]
fn products_made_with_maple() {
    let Some(folder) = data_dir() else { return };
    let ring = IntegerPolyRing::new();
    for (file, known) in zx_products(&folder).expect("readable known answers") {
        let (a, b) = (polynomial(&known.a), polynomial(&known.b));
        let expected = polynomial(&known.product);
        for algorithm in Algorithm::ALL {
            if let Ok(product) = ring.mul_with(algorithm, &a, &b) {
                assert_eq!(product, expected, "{algorithm}: {}", file.display());
            }
        }
        assert_eq!(ring.mul(&b, &a), expected, "{}", file.display());
    }
}

#[test]
fn what_cannot_fit_is_refused_before_it_starts() {
    let ring = IntegerPolyRing::new();
    // One coefficient of 2^24 bits makes every field of the packed operands that wide.
    let mut coefficients = vec![Integer::ONE; 1 << 22];
    coefficients[0] = Integer::ONE << (1 << 24);
    let f = Poly::new(coefficients);
    let error = ring.try_mul(&f, &f).unwrap_err();
    assert!(error.to_string().contains("about 224.0 TiB"), "{error}");
}

/// Products of both ways that share work between threads, around the sizes from which they do (rows of
/// 2^15 limbs), with runs of coefficients at the ends of their range.
#[test]
fn structured_coefficients_on_threads() {
    let mut random = Random::new(21);
    for threads in [1, 2, 3, 7, 16] {
        on_threads(threads, || {
            let ring = IntegerPolyRing::new();
            // Limbs a coefficient of the product, and a length at which all of them are 2^15.
            for (bits, len) in [(60, (1 << 15) / 3), (190, (1 << 15) / 7 + 1), (64, 1 << 13)] {
                for sum in len - 1..=len + 1 {
                    let short = 113 + random.below(300) as usize;
                    let [a, b] = [sum + 1 - short, short].map(|len| {
                        let kind = Kind::ALL[random.below(6) as usize];
                        signed_coefficients(kind, len, bits, &mut random)
                    });
                    let expected = by_evaluation(&a, &b, 2 * bits + 32);
                    let (a, b, expected) = (polynomial(&a), polynomial(&b), polynomial(&expected));
                    let plan = ring.plan(&a, &b);
                    assert!(ring.mul(&a, &b) == expected, "{threads} threads, {plan}");
                    let product = ring.mul_with(Algorithm::Kronecker, &a, &b).unwrap();
                    assert!(product == expected, "{threads} threads, {bits} bits, {sum}");
                }
            }
        });
    }
}

/// Coefficients of `bits` bits: those of a natural number cut into pieces, and runs of negative ones.
fn signed_coefficients(
    kind: Kind,
    len: usize,
    bits: usize,
    random: &mut Random,
) -> Vec<GmpInteger> {
    let limbs = kind.limbs((len * bits).div_ceil(64), bits.div_ceil(64), random);
    let all = GmpInteger::from_digits(&limbs, Order::Lsf);
    let signs = Kind::Runs.residues(len, 2, 64, random);
    let piece = |(i, sign): (usize, &u64)| {
        let shifted: GmpInteger = GmpInteger::from(&all >> (i * bits) as u32);
        let value = shifted.keep_bits(bits as u32);
        if *sign == 1 { -value } else { value }
    };
    let mut coefficients: Vec<GmpInteger> = signs.iter().enumerate().map(piece).collect();
    // The length is the one asked for.
    coefficients[len - 1] = GmpInteger::from(-1);
    coefficients
}

/// The product by one product in GMP: values at 2^slot, whose digits are coefficients with borrows.
fn by_evaluation(a: &[GmpInteger], b: &[GmpInteger], slot: usize) -> Vec<GmpInteger> {
    let value = |coefficients: &[GmpInteger]| {
        let mut limbs = [GmpInteger::new(), GmpInteger::new()];
        for (negative, sum) in limbs.iter_mut().enumerate() {
            let width = slot.div_ceil(64);
            let mut digits = vec![0u64; width * coefficients.len()];
            for (row, c) in digits.chunks_mut(width).zip(coefficients) {
                if (*c < 0) == (negative == 1) {
                    let words = c.to_digits::<u64>(Order::Lsf);
                    row[..words.len()].copy_from_slice(&words);
                }
            }
            *sum = GmpInteger::from_digits(&digits, Order::Lsf);
        }
        let [positive, negative] = limbs;
        positive - negative
    };
    let width = slot.div_ceil(64) as u32 * 64;
    let mut product = value(a) * value(b);
    let negative = product < 0;
    product.abs_mut();
    let mut words = product.to_digits::<u64>(Order::Lsf);
    let limbs = width as usize / 64;
    words.resize(limbs * (a.len() + b.len()), 0);
    let mut borrow = false;
    let mut coefficient = |digits: &[u64]| {
        let mut c = GmpInteger::from_digits(digits, Order::Lsf) + u8::from(borrow);
        borrow = c.significant_bits() >= width;
        if borrow {
            c -= GmpInteger::from(1) << width;
        }
        if negative { -c } else { c }
    };
    let count = a.len() + b.len() - 1;
    let coefficients = words.chunks_exact(limbs).take(count);
    coefficients.map(&mut coefficient).collect()
}
