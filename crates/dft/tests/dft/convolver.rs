//! Convolutions of every field and kernel against the definition.

use sunzi_dft::TransformField;
use sunzi_dft::{Convolver, DftError};
use sunzi_field::{Field, Fp32, Fp50, Fp64, TwoAdicField};
use sunzi_machine::InstructionSet;
use sunzi_testkit::{Random, convolution_over, on_threads};

fn check<F: TransformField>(field: &F, lengths: &[(usize, usize)]) {
    for kernel in InstructionSet::ALL {
        if !kernel.is_available() {
            println!("skipped: this processor has no {kernel}");
            continue;
        }
        let convolver = Convolver::with_kernel(field, kernel);
        for &(la, lb) in lengths {
            let (a, b) = (
                Random::new(1).elements(field, la),
                Random::new(2).elements(field, lb),
            );
            let mut out = vec![field.one(); (la + lb).saturating_sub(1)];
            if la == 0 || lb == 0 {
                out.clear();
            }
            let fits = out.len() <= convolver.max_len();
            let result = convolver.convolve(&mut out, &a, &b);
            assert_eq!(result.is_ok(), fits, "{field:?} {kernel} {la}×{lb}");
            if fits {
                assert!(
                    out == convolution_over(field, &a, &b),
                    "{field:?} {kernel} {la}×{lb}"
                );
            }
            // The largest coefficients there are.
            let top = field.neg(field.one());
            let (a, b) = (vec![top; la], vec![top; lb]);
            if fits {
                convolver.convolve(&mut out, &a, &b).unwrap();
                for (k, &value) in out.iter().enumerate() {
                    let terms = (k + 1).min(la).min(lb).min(la + lb - 1 - k);
                    assert!(
                        value == field.from_u64(terms as u64),
                        "{field:?} {kernel} {la}×{lb}"
                    );
                }
            }
        }
    }
}

const LENGTHS: [(usize, usize); 26] = [
    (0, 0),
    (0, 3),
    (1, 1),
    (1, 2),
    (2, 2),
    (3, 5),
    (7, 9),
    (8, 8),
    (8, 9),
    (16, 17),
    (31, 33),
    (1, 64),
    (64, 65),
    (100, 29),
    (128, 128),
    (129, 128),
    (255, 258),
    (300, 300),
    (513, 700),
    (1000, 1100),
    (2048, 2049),
    (1, 4097),
    // Little more than a power of two: one operand about as long, of half the length, or short.
    (1030, 3),
    (1020, 70),
    (530, 520),
    (2300, 1900),
];

#[test]
fn primes_below_2_31() {
    for p in [469_762_049, 998_244_353, 2_013_265_921, 2_147_473_409] {
        check(&Fp32::new(p).unwrap(), &LENGTHS);
    }
}

#[test]
fn small_primes_have_short_transforms() {
    for p in [3, 5, 7, 17, 97, 193, 257, 7681, 12289, 65537] {
        check(&Fp32::new(p).unwrap(), &LENGTHS[..14]);
        check(&Fp50::new(p.into()).unwrap(), &LENGTHS[..14]);
        check(&Fp64::new(p.into()).unwrap(), &LENGTHS[..14]);
    }
}

#[test]
fn primes_below_2_50() {
    for p in sunzi_field::primality::ntt_primes(50, 24).take(3) {
        check(&Fp50::new(p).unwrap(), &LENGTHS);
    }
    check(&Fp50::new(469_762_049).unwrap(), &LENGTHS);
}

#[test]
fn primes_below_2_63() {
    for bits in [40, 60, 61, 62, 63] {
        let p = sunzi_field::primality::ntt_primes(bits, 20).next().unwrap();
        check(&Fp64::new(p).unwrap(), &LENGTHS);
    }
    check(&Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(), &LENGTHS);
    check(&Fp64::new(4_611_686_018_326_724_609).unwrap(), &LENGTHS);
}

/// Long products, checked by evaluation at a point.
#[test]
fn long_products_on_one_and_two_threads() {
    fn at<F: Field>(field: &F, coefficients: &[F::Elem], x: F::Elem) -> F::Elem {
        coefficients
            .iter()
            .rev()
            .fold(field.zero(), |sum, &c| field.add(field.mul(sum, x), c))
    }
    fn long<F: TransformField>(field: &F) {
        for (la, lb) in [
            (5000, 60_000),
            (32_768, 32_769),
            (70_000, 70_001),
            (100_000, 30),
            (131_073, 100),
            (131_071, 9000),
        ] {
            let (a, b) = (
                Random::new(5).elements(field, la),
                Random::new(6).elements(field, lb),
            );
            let x = field.from_u64(123_456_789);
            let expected = field.mul(at(field, &a, x), at(field, &b, x));
            let mut outcomes = vec![];
            for threads in [1, 2] {
                for kernel in InstructionSet::ALL {
                    let convolver = Convolver::with_kernel(field, kernel);
                    let mut out = vec![field.zero(); la + lb - 1];
                    on_threads(threads, || convolver.convolve(&mut out, &a, &b)).unwrap();
                    assert!(
                        at(field, &out, x) == expected,
                        "{field:?} {kernel} {la}×{lb}"
                    );
                    outcomes.push(out);
                }
            }
            assert!(outcomes.iter().all(|out| *out == outcomes[0]));
        }
    }
    long(&Fp32::new(469_762_049).unwrap());
    long(&Fp32::new(2_013_265_921).unwrap());
    long(&Fp50::new(sunzi_field::primality::ntt_primes(50, 24).next().unwrap()).unwrap());
    long(&Fp64::new(4_611_686_018_326_724_609).unwrap());
}

/// Tables and buffers grow with the products asked for, and serve shorter ones.
#[test]
fn lengths_up_and_down_on_one_convolver() {
    let field = Fp50::new(sunzi_field::primality::ntt_primes(50, 24).next().unwrap()).unwrap();
    for kernel in InstructionSet::ALL {
        let convolver = Convolver::with_kernel(&field, kernel);
        let n = 1 << 17;
        for len in [
            n + 1,
            n + 3 * (n >> 4),
            n,
            n + n / 2 + 1,
            n + 5,
            2 * n,
            99,
            n + n / 4,
            2 * n + 1,
        ] {
            // (1 + x + … )·(1 − x) = 1 − x^len.
            let mut product = vec![field.zero(); len + 1];
            let ones = vec![field.one(); len];
            let difference = [field.one(), field.neg(field.one())];
            convolver
                .convolve(&mut product, &ones, &difference)
                .unwrap();
            assert_eq!((product[0], product[len]), (difference[0], difference[1]));
            assert!(
                product[1..len].iter().all(|&c| c == field.zero()),
                "{kernel} {len}"
            );
            // Two operands of half the length: 1, 2, 3, …
            let half = vec![field.one(); len / 2];
            let mut product = vec![field.zero(); 2 * (len / 2) - 1];
            convolver
                .convolve(&mut product, &half, &half.clone())
                .unwrap();
            for (k, &c) in product.iter().enumerate() {
                let terms = (k + 1).min(product.len() - k);
                assert!(c == field.from_u64(terms as u64), "{kernel} {len} {k}");
            }
        }
    }
}

#[test]
fn a_kernel_fits_the_transforms_of_its_field() {
    // 97 − 1 = 2^5·3: no square block of 8 by 8 residues.
    let convolver = Convolver::new(&Fp50::new(97).unwrap());
    assert!(convolver.kernel() < InstructionSet::Avx512);
    assert_eq!(convolver.max_len(), 32);
}

#[test]
fn transforms_kept_for_reuse_multiply_many() {
    let field = Fp32::new(469_762_049).unwrap();
    let convolver = Convolver::new(&field);
    let a = Random::new(3).elements(&field, 700);
    let kept = convolver.transform(&a, 1500).unwrap();
    assert_eq!(kept.len(), 700);
    // A later, longer product replaces the tables; what is kept stays valid.
    convolver
        .convolve(&mut vec![0; 9999], &[1; 5000], &[1; 5000])
        .unwrap();
    for lb in [1, 9, 700, 801] {
        let b = Random::new(4).elements(&field, lb);
        let other = convolver.transform(&b, 1500).unwrap();
        let mut out = vec![0; 700 + lb - 1];
        convolver
            .multiply_transformed(&mut out, &kept, &other)
            .unwrap();
        assert_eq!(out, convolution_over(&field, &a, &b));
    }
    assert!(matches!(
        convolver.transform(&a, 699),
        Err(DftError::Shape { .. })
    ));
    let short = convolver.transform(&a, 700).unwrap();
    assert!(
        convolver
            .multiply_transformed(&mut [0; 1399], &kept, &short)
            .is_err()
    );
}

#[test]
fn transforms_of_other_convolvers_are_refused() {
    let field = Fp32::new(469_762_049).unwrap();
    let convolver = Convolver::new(&field);
    let a = Random::new(3).elements(&field, 100);
    let foreign = [
        Convolver::with_kernel(&field, InstructionSet::Portable),
        Convolver::new(&Fp32::new(998_244_353).unwrap()),
    ];
    // Lengths for which both kernels evaluate at equally many points.
    let own = convolver.transform(&a, 512).unwrap();
    for other in foreign {
        let spectrum = other.transform(&a, 512).unwrap();
        let same = other.kernel() == convolver.kernel() && other.field() == convolver.field();
        let result = convolver.multiply_transformed(&mut [0; 199], &own, &spectrum);
        assert_eq!(result.is_ok(), same);
        let result = convolver.multiply_transformed(&mut [0; 199], &spectrum, &spectrum);
        assert_eq!(result.is_ok(), same);
    }
}

#[test]
fn wrong_lengths_are_refused() {
    let field = Fp64::new((1 << 60) - (1 << 18) + 1).unwrap();
    assert_eq!(field.two_adicity(), 18);
    let convolver = Convolver::new(&field);
    assert_eq!(
        convolver.convolve(&mut [0; 3], &[1, 2], &[3]),
        Err(DftError::Shape {
            expected: 2,
            found: 3
        })
    );
    let (mut out, a) = (vec![0; 1 << 19], vec![1; 1 << 18]);
    let b = vec![1; (1 << 18) + 1];
    assert!(matches!(
        convolver.convolve(&mut out, &a, &b),
        Err(DftError::TooLong { .. })
    ));
}
