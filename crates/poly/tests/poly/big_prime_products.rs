//! Products over generalized Fermat fields against the definition and against GMP.

use rug::Integer;
use rug::integer::Order;
use sunzi_field::generalized_fermat::named_prime;
use sunzi_field::{AnyField, Digits, Field, GeneralizedFermat, TwoAdicField, with_field};
use sunzi_poly::{Algorithm, Poly, PolyError, PolyRing};
use sunzi_testkit::{Random, convolution_over, gmp_residue, on_threads};

/// By one product of GMP's integers.
pub fn by_gmp<const K: usize>(
    field: &GeneralizedFermat<K>,
    a: &[Digits<K>],
    b: &[Digits<K>],
) -> Vec<Integer> {
    let width = 2 * 64 * K + 64;
    let pack = |x: &[Digits<K>]| {
        let words: Vec<u64> = x
            .iter()
            .flat_map(|&x| {
                let mut words = gmp_residue(field, x).to_digits::<u64>(Order::Lsf);
                words.resize(width / 64, 0);
                words
            })
            .collect();
        Integer::from_digits(&words, Order::Lsf)
    };
    let modulus = Integer::from_digits(&field.modulus_limbs(), Order::Lsf);
    let mut words = (pack(a) * pack(b)).to_digits::<u64>(Order::Lsf);
    words.resize((a.len() + b.len() - 1) * (width / 64), 0);
    let coefficients = words.chunks(width / 64);
    coefficients
        .map(|words| Integer::from_digits(words, Order::Lsf) % &modulus)
        .collect()
}

fn names(names: &[&str], mut work: impl FnMut(u64, usize)) {
    for name in names {
        let prime = named_prime(name).unwrap();
        work(prime.radix, prime.digits);
    }
}

/// Fields whose radix has few factors 2, so that their transforms are short: of 16, 4 … points.
const SMALL: [(u64, usize); 4] = [(6, 4), (10, 2), ((1 << 60) - 2, 4), (118, 8)];

/// Calls a function with the field modulo `radix^digits + 1`.
macro_rules! in_field {
    ($radix:expr, $digits:expr, $work:expr) => {
        match AnyField::generalized_fermat($radix, $digits) {
            Ok(field) => {
                with_field!(&field, field: GeneralizedFermat => $work(field), _ => unreachable!())
            }
            Err(error) => panic!("{}^{}+1: {error}", $radix, $digits),
        }
    };
}

/// Every product over the field modulo `radix^digits + 1`, by these algorithms, against the definition.
fn compare(radix: u64, digits: usize, lengths: &[(usize, usize)], algorithms: &[Algorithm]) {
    fn typed<const K: usize>(
        field: &GeneralizedFermat<K>,
        lengths: &[(usize, usize)],
        algorithms: &[Algorithm],
    ) {
        let ring = PolyRing::new(field.clone());
        for &(len_a, len_b) in lengths {
            let a = Random::new(len_a as u64 + 1).digits(field.radix(), len_a);
            let b = Random::new(77 + len_b as u64).digits(field.radix(), len_b);
            let expected = convolution_over(field, &a, &b);
            let mut found = vec![field.one(); expected.len()];
            ring.mul_slices(&mut found, &a, &b);
            assert!(
                found == expected,
                "K = {K}, {len_a} × {len_b}: {}",
                ring.plan(len_a, len_b)
            );
            for &algorithm in algorithms {
                found.fill(field.one());
                match ring.mul_slices_with(algorithm, &mut found, &a, &b) {
                    Ok(()) => {
                        assert!(found == expected, "K = {K}, {len_a} × {len_b}: {algorithm}");
                    }
                    Err(error) => {
                        let short = 1 << field.two_adicity().min(40) < 4 * len_a.min(len_b);
                        assert!(short && algorithm == Algorithm::Ntt, "{error}");
                    }
                }
            }
        }
    }
    in_field!(radix, digits, |field| typed(field, lengths, algorithms));
}

const ALL: [Algorithm; 4] = [
    Algorithm::Schoolbook,
    Algorithm::Karatsuba,
    Algorithm::Ntt,
    Algorithm::Kronecker,
];

#[test]
fn short_products_match_the_definition_in_every_pair_of_lengths() {
    let lengths: Vec<_> = (0..=70)
        .flat_map(|a| (0..=70).map(move |b| (a, b)))
        .collect();
    let lengths = &lengths[..];
    let algorithms = &[Algorithm::Ntt][..];
    names(&["P4", "P8", "P2F"], |radix, digits| {
        compare(radix, digits, lengths, algorithms);
    });
}

#[test]
fn every_algorithm_matches_the_definition_at_edge_lengths() {
    let edges = [1, 2, 7, 8, 9, 16, 17, 31, 33, 63, 64, 65];
    let lengths: Vec<_> = edges.iter().flat_map(|&a| edges.map(|b| (a, b))).collect();
    let lengths = &lengths[..];
    let algorithms = &ALL;
    names(
        &["P4", "P4F", "P8", "P8F", "P16", "P2F"],
        |radix, digits| {
            compare(radix, digits, lengths, algorithms);
        },
    );
    for (radix, digits) in SMALL {
        compare(radix, digits, lengths, algorithms);
    }
}

#[test]
fn long_elements_match_the_definition() {
    let lengths = &[(1, 1), (2, 9), (24, 24), (33, 33), (40, 65), (60, 71)];
    let algorithms = &ALL;
    names(&["P32", "P64F", "P128F"], |radix, digits| {
        compare(radix, digits, lengths, algorithms);
    });
}

#[test]
fn covers_of_every_kind_match_the_definition() {
    // Around lengths of products where the transforms change: N·(1 + 1/2^h) ± 1.
    let mut lengths = vec![
        (200, 25),
        (700, 30),
        (1000, 64),
        (513, 100),
        (1, 300),
        (25, 25),
    ];
    for points in [64, 128, 256, 512] {
        for halvings in 0..4 {
            for difference in [0usize, 1, 2] {
                let len = points + (points >> halvings) + difference;
                lengths.push((len / 2, len - len / 2));
                lengths.push((len / 3, len - len / 3));
                lengths.push((len / 8, len - len / 8));
            }
        }
    }
    let lengths = &lengths[..];
    let algorithms = &[Algorithm::Ntt];
    names(&["P4", "P8", "P2F"], |radix, digits| {
        compare(radix, digits, lengths, algorithms);
    });
}

#[test]
fn edge_elements_make_right_products_everywhere() {
    fn edges<const K: usize>(field: &GeneralizedFermat<K>) {
        let ring = PolyRing::new(field.clone());
        let edges = [
            field.zero(),
            field.one(),
            field.from_i64(-1),
            Digits([field.radix() - 1; K]),
        ];
        for x in edges {
            for y in edges {
                for (len_a, len_b) in [(3, 8), (40, 41), (97, 96)] {
                    let mut found = vec![field.zero(); len_a + len_b - 1];
                    ring.mul_slices(&mut found, &vec![x; len_a], &vec![y; len_b]);
                    for (k, &found) in found.iter().enumerate() {
                        let count = (k + 1).min(len_a).min(len_b).min(len_a + len_b - 1 - k);
                        let sum = field.mul(field.mul(x, y), field.from_u64(count as u64));
                        assert_eq!(found, sum, "K = {K}, {len_a} × {len_b}, x^{k}");
                    }
                }
            }
        }
    }
    names(
        &["P4", "P8", "P8F", "P16", "P2F", "P64"],
        |radix, digits| {
            in_field!(radix, digits, edges);
        },
    );
    for (radix, digits) in SMALL {
        in_field!(radix, digits, edges);
    }
}

#[test]
fn long_products_match_gmp_for_every_number_of_threads() {
    fn against_gmp<const K: usize>(field: &GeneralizedFermat<K>, len_a: usize, len_b: usize) {
        let (a, b) = (
            Random::new(3).digits(field.radix(), len_a),
            Random::new(4).digits(field.radix(), len_b),
        );
        let (expected, square) = (by_gmp(field, &a, &b), by_gmp(field, &a, &a));
        let (a, b) = (Poly::new(a), Poly::new(b));
        for threads in [1, 3] {
            on_threads(threads, || {
                let ring = PolyRing::new(field.clone());
                let check = |found: Poly<Digits<K>>, expected: &[Integer]| {
                    let found = found.coefficients().iter();
                    let found: Vec<_> = found.map(|&x| gmp_residue(field, x)).collect();
                    let len = expected
                        .iter()
                        .rposition(|x| !x.is_zero())
                        .map_or(0, |i| i + 1);
                    let plan = ring.plan(len_a, len_b);
                    assert!(found == expected[..len], "K = {K}, {plan}");
                };
                check(ring.mul(&a, &b), &expected);
                check(ring.sqr(&a), &square);
            });
        }
    }
    for (len_a, len_b) in [(3000, 3000), (1030, 1025), (700, 640), (9000, 50)] {
        names(&["P8"], |radix, digits| {
            in_field!(radix, digits, |field| against_gmp(field, len_a, len_b));
        });
    }
    names(&["P4", "P16F", "P2F"], |radix, digits| {
        in_field!(radix, digits, |field| against_gmp(field, 1200, 500));
    });
    in_field!(SMALL[2].0, SMALL[2].1, |field| against_gmp(field, 700, 600));
}

#[test]
fn wrong_shapes_and_impossible_sizes_are_refused() {
    let field = GeneralizedFermat::<4>::new(6).unwrap();
    let ring = PolyRing::new(field.clone());
    let x = vec![field.one(); 20];
    let mut out = vec![field.zero(); 39];
    assert_eq!(
        ring.try_mul_slices(&mut out[..38], &x, &x),
        Err(PolyError::OutputLength {
            expected: 39,
            found: 38
        })
    );
    let error = ring.mul_slices_with(Algorithm::Ntt, &mut out, &x, &x);
    assert_eq!(
        error.unwrap_err().to_string(),
        "ntt cannot multiply 20 by 20 coefficients here: the longest transform modulo p has 2^4 points, \
         which does for up to 8 coefficients of the shorter operand: name karatsuba or kronecker, or choose \
         a prime with a greater power of two in p − 1"
    );
    // As told: 8 do, with any other operand, and 9 do not.
    for len in [1, 8, 9, 20, 1000] {
        let plan = |short| ring.plan_with(Algorithm::Ntt, short, len);
        assert!(plan(8).is_ok(), "8 × {len}");
        assert_eq!(plan(9).is_ok(), len <= 8, "9 × {len}");
    }
    let error = ring.mul_slices_with(Algorithm::CrtNtt, &mut out, &x, &x);
    assert!(error.unwrap_err().to_string().contains("word-size primes"));
    let plan = ring.plan(usize::MAX, usize::MAX);
    assert!(plan.scratch_bytes > 1 << 60, "{plan:?}");
    assert_eq!(ring.plan(0, 5).scratch_bytes, 0);
    assert!(ring.mul(&Poly::zero(), &Poly::new(x)).is_zero());
    // A huge length has a plan, but no memory.
    let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    let plan = PolyRing::new(field).plan(1 << 50, 1 << 50);
    assert!(plan.scratch_bytes > 1 << 56, "{plan:?}");
}
