//! Products over several primes against definitions in GMP integers.

use rug::Integer;
use rug::ops::RemRounding;
use sunzi_dft::DftError;
use sunzi_dft::crt::{CrtBasis, ModularConvolver, Segmentation, SignedCoefficients};
use sunzi_machine::InstructionSet;
use sunzi_rns::{CoefficientBound, Composer};
use sunzi_testkit::{Kind, Random, long_convolution_mod, on_every_thread_count, on_threads};

/// The coefficients of the product, by definition.
fn reference(a: &[Integer], b: &[Integer]) -> Vec<Integer> {
    let mut out = vec![Integer::new(); a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            out[i + j] += x * y;
        }
    }
    out
}

fn available() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL.into_iter().filter(|kernel| {
        if !kernel.is_available() {
            println!("skipped: this processor has no {kernel}");
        }
        kernel.is_available()
    })
}

const LENGTHS: [(usize, usize); 9] = [
    (1, 1),
    (1, 9),
    (8, 8),
    (30, 35),
    (64, 1),
    (100, 157),
    (257, 256),
    (600, 3),
    (1500, 1300),
];

#[test]
fn modulo_any_word() {
    let moduli = [
        1,
        2,
        3,
        1 << 20,
        2_147_483_629,
        (1 << 32) - 5,
        (1 << 49) + 1,
        (1 << 60) - (1 << 18) + 1,
        (1 << 62) - 57,
        (1 << 63) - 25,
        1 << 63,
        u64::MAX,
    ];
    for m in moduli {
        for (la, lb) in LENGTHS {
            if la * lb > 10_000 && m % 2 == 0 {
                continue;
            }
            let (a, b) = (
                Random::new(1).residues(la, m),
                Random::new(2).residues(lb, m),
            );
            let exact = reference(
                &a.iter().map(|&x| Integer::from(x)).collect::<Vec<_>>(),
                &b.iter().map(|&x| Integer::from(x)).collect::<Vec<_>>(),
            );
            let expected: Vec<u64> = exact
                .iter()
                .map(|x| x.clone().rem_euc(m).to_u64().unwrap())
                .collect();
            for kernel in available() {
                let convolver = ModularConvolver::with_kernel(m, kernel).unwrap();
                let mut out = vec![0; la + lb - 1];
                convolver.convolve(&mut out, &a, &b).unwrap();
                assert!(out == expected, "mod {m}, {kernel}, {la}×{lb}");
                if m < 1 << 32 {
                    let short = |x: &[u64]| x.iter().map(|&x| x as u32).collect::<Vec<_>>();
                    let mut out = vec![0; la + lb - 1];
                    convolver
                        .convolve_short(&mut out, &short(&a), &short(&b))
                        .unwrap();
                    assert!(out == short(&expected), "mod {m}, {kernel}, {la}×{lb}");
                }
            }
        }
    }
}

#[test]
fn squares_and_empty_operands() {
    let convolver = ModularConvolver::new(97).unwrap();
    let a = Random::new(3).residues(50, 97);
    let (mut square, mut product) = (vec![0; 99], vec![0; 99]);
    convolver.convolve(&mut square, &a, &a).unwrap();
    convolver.convolve(&mut product, &a, &a.clone()).unwrap();
    assert_eq!(square, product);
    convolver.convolve(&mut [], &a, &[]).unwrap();
    assert!(convolver.convolve(&mut [0], &a, &[]).is_err());
    assert_eq!(ModularConvolver::new(0).unwrap_err(), DftError::ZeroModulus);
}

#[test]
fn short_words_take_no_modulus_above_theirs() {
    let convolver = ModularConvolver::new(1 << 32).unwrap();
    let mut product = [0; 3];
    let largest = u32::MAX;
    convolver
        .convolve_short(&mut product, &[largest, 1], &[largest, 1])
        .unwrap();
    assert_eq!(product, [1, u32::MAX - 1, 1]); // (−1 + x)² = 1 − 2x + x²
    for modulus in [(1 << 32) + 1, u64::MAX] {
        let convolver = ModularConvolver::new(modulus).unwrap();
        assert_eq!(
            convolver.convolve_short(&mut product, &[largest, 1], &[largest, 1]),
            Err(DftError::ModulusTooLarge { modulus })
        );
    }
}

#[test]
fn working_memory_grows_with_modulus_and_lengths() {
    let [short, long] = [97, u64::MAX].map(|m| ModularConvolver::new(m).unwrap());
    assert!(short.plan(1000, 1000).bytes() < long.plan(1000, 1000).bytes());
    assert_eq!(
        long.plan(5, 1_000_000).bytes(),
        long.plan(1_000_000, 5).bytes()
    );
    // Three primes: their values and multipliers and one second operand, on 2^21 points.
    assert_eq!(long.plan(1_000_000, 1_000_000).bytes(), (7 * 8) << 21);
    assert_eq!(long.plan(usize::MAX, usize::MAX).bytes(), u64::MAX);
}

#[test]
fn words_of_both_signs() {
    for (la, lb) in LENGTHS {
        let signed = |seed, len| -> Vec<i128> {
            let magnitudes = Random::new(seed).residues(len, u64::MAX);
            let signs = Random::new(seed + 9).residues(len, 1 << 40);
            magnitudes
                .iter()
                .zip(signs)
                .map(|(&x, s)| {
                    if s & 1 == 0 {
                        i128::from(x)
                    } else {
                        -i128::from(x)
                    }
                })
                .collect()
        };
        let top = i128::from(u64::MAX);
        for (a, b) in [
            (signed(4, la), signed(5, lb)),
            (vec![top; la], vec![top; lb]),
            (vec![-top; la], vec![top; lb]),
        ] {
            let expected = reference(
                &a.iter().map(|&x| Integer::from(x)).collect::<Vec<_>>(),
                &b.iter().map(|&x| Integer::from(x)).collect::<Vec<_>>(),
            );
            for kernel in available() {
                // 128 bits, the number of terms, and a sign: three primes; a fourth does no harm.
                let out = signed_product::<3>(kernel, &a, &b, Segmentation::for_threads);
                assert_eq!(out, expected, "{kernel}, {la}×{lb}");
                for blocks in 1..=3 {
                    let cut = |_| Segmentation::of_blocks(Segmentation::UNIT, blocks);
                    on_every_thread_count(|threads| {
                        let out = signed_product::<4>(kernel, &a, &b, cut);
                        let case =
                            format!("{kernel}, {la}×{lb}, {blocks} blocks, {threads} threads");
                        assert_eq!(out, expected, "{case}");
                    });
                }
            }
        }
    }
}

/// The product of signed words modulo N primes, their coefficients in two's complement.
fn signed_product<const N: usize>(
    kernel: InstructionSet,
    a: &[i128],
    b: &[i128],
    cut: impl Fn(usize) -> Segmentation,
) -> Vec<Integer> {
    let basis = CrtBasis::with_kernel(N, kernel).unwrap();
    let composer = Composer::<N>::new(basis.primes());
    let product = basis
        .multiply(
            &SignedCoefficients::new(a).unwrap(),
            Some(&SignedCoefficients::new(b).unwrap()),
        )
        .unwrap();
    let mut out = vec![Integer::new(); product.len()];
    let cut = cut(out.len());
    product.digits(
        &mut out,
        cut,
        cut.segment(),
        |(): &mut (), out, from, digits| {
            for (i, out) in out[from..from + digits[0].len()].iter_mut().enumerate() {
                let limbs = composer.signed(std::array::from_fn(|j| digits[j][i]));
                let value = Integer::from_digits(&limbs, rug::integer::Order::Lsf);
                let negative = limbs[N - 1] >> 63 == 1;
                *out = value - (Integer::from(u8::from(negative)) << (64 * N as u32));
            }
        },
    );
    out
}

#[test]
fn values_of_both_signs_from_digits() {
    // One to three primes in four limbs: values around 0 and around the change of sign.
    for primes in 1..=3 {
        let basis = CrtBasis::new(primes).unwrap();
        let composer = Composer::<4>::new(basis.primes());
        let moduli = basis.primes();
        let modulus = moduli.iter().fold(Integer::from(1), |m, &q| m * q);
        let half = Integer::from(&modulus >> 1);
        let near = |center: &Integer| [-2, -1, 0, 1, 2].map(|d| Integer::from(center + d));
        for value in [near(&Integer::new()), near(&half)].concat() {
            let residue = value.clone().rem_euc(&modulus);
            let (mut rest, mut digits) = (residue.clone(), [0; 4]);
            for (digit, &q) in digits.iter_mut().zip(moduli) {
                *digit = rest.clone().rem_euc(q).to_u64().unwrap();
                rest = (rest - *digit) / q;
            }
            let unsigned = composer.unsigned(digits);
            let found = Integer::from_digits(&unsigned, rug::integer::Order::Lsf);
            assert_eq!(found, residue);
            let signed = composer.signed(digits);
            let expected = if residue > half {
                residue - &modulus
            } else {
                residue
            };
            let found = Integer::from_digits(&signed, rug::integer::Order::Lsf);
            let wrap = Integer::from(u8::from(signed[3] >> 63 == 1)) << 256;
            assert_eq!(found - wrap, expected, "{primes} primes");
        }
    }
}

#[test]
fn bounds_are_enforced() {
    let bound = CoefficientBound::new(&(dashu_int::UBig::ONE << 100));
    assert!(matches!(
        CrtBasis::new(2).unwrap().check(&bound),
        Err(DftError::BasisTooSmall {
            primes: 2,
            needed_bits: 101,
            ..
        })
    ));
    let basis = CrtBasis::for_bound(&bound).unwrap();
    assert_eq!(basis.len(), 3);
    basis.check(&bound).unwrap();
    assert!(CrtBasis::new(100_000).is_err());
    let primes = basis.primes();
    assert!(primes.is_sorted() && primes[0] > 1 << 49);
}

#[test]
fn threads_do_not_change_results() {
    let m = (1 << 62) - 57;
    let (a, b) = (
        Random::new(6).residues(20_000, m),
        Random::new(7).residues(30_001, m),
    );
    let outcomes: Vec<Vec<u64>> = [1, 2, 3]
        .into_iter()
        .map(|threads| {
            let mut out = vec![0; 50_000];
            let convolver = ModularConvolver::new(m).unwrap();
            on_threads(threads, || convolver.convolve(&mut out, &a, &b)).unwrap();
            out
        })
        .collect();
    assert!(outcomes[0] == outcomes[1] && outcomes[1] == outcomes[2]);
    // At x = 1.
    let sum = |x: &[u64]| {
        x.iter()
            .fold(0u128, |s, &x| (s + u128::from(x)) % u128::from(m))
    };
    let product = Integer::from(sum(&a)) * Integer::from(sum(&b));
    assert_eq!(Integer::from(sum(&outcomes[0])), product.rem_euc(m));
}

/// Around the lengths from which threads share primes and segments (2^13), and from which they share
/// the transforms of one prime after the other (2^19).
#[test]
fn structured_residues_around_the_thresholds_of_threads() {
    let mut random = Random::new(13);
    for (threads, modulus) in [
        (1, u64::MAX),
        (2, u64::MAX),
        (3, (1 << 50) - 27),
        (7, 1_000_000_007),
        (16, u64::MAX - 58),
    ] {
        on_threads(threads, || {
            let convolver = ModularConvolver::new(modulus).unwrap();
            let mut check = |len: usize, kind: Kind| {
                let len_b = len / 3;
                let a = kind.residues(len + 1 - len_b, modulus, 1024, &mut random);
                let b = Kind::ALL[random.below(6) as usize];
                let b = b.residues(len_b, modulus, 1024, &mut random);
                let mut out = vec![7; len];
                convolver.convolve(&mut out, &a, &b).unwrap();
                let expected = long_convolution_mod(&a, &b, modulus);
                assert!(out == expected, "{threads} threads, {len}, {kind}");
            };
            for len in (1 << 13) - 1..=(1 << 13) + 1 {
                Kind::ALL.into_iter().for_each(|kind| check(len, kind));
            }
            check((1 << 19) - 1, Kind::Runs);
            check(1 << 19, Kind::Ones);
            check((1 << 19) + 1, Kind::Runs);
        });
    }
}
