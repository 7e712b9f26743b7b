//! Products against GMP, on random and adversarial limbs, by every class of kernels and every algorithm.

use proptest::prelude::*;
use sunzi_integer::{Algorithm, MulError, Multiplier, Thresholds};
use sunzi_machine::InstructionSet;
use sunzi_testkit::{Kind, Random, mul_limbs, on_threads};

/// Operands of one length: constant, sparse and pseudo-random ones.
fn battery(len: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut random = Random::new(seed);
    let mut one = vec![0; len];
    let mut top = vec![0; len];
    let mut low_zero = random.words(len);
    // All 52-bit digits at their maximum but the lowest: carries ripple through every digit.
    let mut rippling = vec![u64::MAX; len];
    if len > 0 {
        one[0] = 1;
        top[len - 1] = 1 << 63;
        low_zero[0] = 0;
        rippling[0] = 1 << 52;
    }
    let alternating = (0..len)
        .map(|i| if i % 2 == 0 { 0 } else { u64::MAX })
        .collect();
    let half_words = vec![1 << 63; len];
    vec![
        vec![0; len],
        one,
        top,
        vec![u64::MAX; len],
        half_words,
        alternating,
        low_zero,
        rippling,
        random.words(len),
    ]
}

/// A multiplier for each instruction set that this processor runs.
fn multipliers() -> Vec<Multiplier> {
    InstructionSet::ALL
        .into_iter()
        .filter_map(|set| {
            let multiplier = Multiplier::with_instruction_set(set);
            if multiplier.is_err() {
                println!("skipped: this processor does not run the {set} kernels");
            }
            multiplier.ok()
        })
        .collect()
}

fn check(multiplier: &Multiplier, a: &[u64], b: &[u64]) {
    let expected = mul_limbs(a, b);
    let mut out = vec![0x5555_5555_5555_5555; a.len() + b.len()];
    multiplier.mul(&mut out, a, b);
    assert!(
        out == expected,
        "{}: {a:x?} × {b:x?}",
        multiplier.plan(a.len(), b.len())
    );
}

fn check_with(multiplier: &Multiplier, algorithm: Algorithm, a: &[u64], b: &[u64]) {
    let mut out = vec![0x5555_5555_5555_5555; a.len() + b.len()];
    match multiplier.mul_with(algorithm, &mut out, a, b) {
        Err(MulError::Unavailable { .. }) => println!("skipped: {algorithm}"),
        result => {
            assert_eq!(result, Ok(()));
            assert!(out == mul_limbs(a, b), "{algorithm}: {a:x?} × {b:x?}");
        }
    }
}

#[test]
fn all_small_lengths() {
    for multiplier in multipliers() {
        for len_a in 0..=40 {
            for len_b in 0..=40 {
                for (i, a) in battery(len_a, len_a as u64 + 1).iter().enumerate() {
                    for b in battery(len_b, len_b as u64 + 100)
                        .iter()
                        .skip(i % 3)
                        .step_by(3)
                    {
                        check(&multiplier, a, b);
                    }
                }
            }
        }
    }
}

#[test]
fn every_algorithm_at_all_small_lengths() {
    for multiplier in multipliers() {
        for algorithm in Algorithm::ALL
            .into_iter()
            .filter(|&a| a != Algorithm::Transform)
        {
            for len_a in 0..=30 {
                for len_b in 0..=30 {
                    let (a, b) = (
                        battery(len_a, len_a as u64 + 9),
                        battery(len_b, len_b as u64 + 90),
                    );
                    for (x, y) in [(8, 8), (3, 3), (7, 3), (5, 7), (6, 2), (1, 8)] {
                        check_with(&multiplier, algorithm, &a[x], &b[y]);
                    }
                }
            }
        }
    }
}

#[test]
fn long_and_unbalanced() {
    let lengths = [
        1, 12, 13, 14, 21, 22, 23, 25, 26, 27, 51, 52, 53, 64, 65, 66, 100, 149, 150, 151, 159,
        160, 161, 195, 196, 259, 260, 261, 269, 270, 271, 300, 520, 521, 639, 640, 641, 777, 1024,
    ];
    for multiplier in multipliers() {
        for len_a in lengths {
            for len_b in lengths {
                let (a, b) = (
                    battery(len_a, len_a as u64 + 1),
                    battery(len_b, len_b as u64 + 100),
                );
                for (x, y) in [(8, 8), (3, 3), (3, 8), (7, 7), (6, 2)] {
                    check(&multiplier, &a[x], &b[y]);
                }
            }
        }
    }
}

#[test]
fn every_algorithm_at_long_lengths() {
    for multiplier in multipliers() {
        for algorithm in Algorithm::ALL {
            for (len_a, len_b) in [
                (64, 64),
                (131, 90),
                (260, 260),
                (261, 261),
                (700, 80),
                (900, 650),
            ] {
                let (a, b) = (battery(len_a, 5), battery(len_b, 6));
                for (x, y) in [(8, 8), (3, 3), (7, 3), (5, 5)] {
                    check_with(&multiplier, algorithm, &a[x], &b[y]);
                }
            }
        }
    }
}

#[test]
fn squares() {
    for multiplier in multipliers() {
        for len in (0..=130).chain([255, 256, 257, 640, 1000]) {
            for a in battery(len, len as u64 + 7) {
                let mut out = vec![1; 2 * len];
                multiplier.sqr(&mut out, &a);
                assert!(out == mul_limbs(&a, &a), "square of {len} limbs {a:x?}");
            }
        }
    }
}

#[test]
fn batches() {
    for multiplier in multipliers() {
        for (limbs_a, limbs_b, count) in [
            (1, 1, 5),
            (4, 7, 100),
            (32, 32, 1200),
            (64, 8, 30),
            (300, 2, 3),
        ] {
            let a: Vec<u64> = (0..count)
                .flat_map(|i| battery(limbs_a, i)[i as usize % 9].clone())
                .collect();
            let b: Vec<u64> = (0..count)
                .flat_map(|i| battery(limbs_b, i + 5)[i as usize % 7].clone())
                .collect();
            let mut out = vec![9; a.len() + b.len()];
            assert_eq!(
                multiplier.mul_batch(&mut out, &a, &b, limbs_a, limbs_b),
                Ok(())
            );
            let pairs = a.chunks(limbs_a).zip(b.chunks(limbs_b));
            for (product, (a, b)) in out.chunks(limbs_a + limbs_b).zip(pairs) {
                assert!(
                    product == mul_limbs(a, b),
                    "{limbs_a} × {limbs_b}: {a:x?} × {b:x?}"
                );
            }
        }
    }
}

/// Around the size from which threads share a batch, 2^19 products of limbs.
#[test]
fn batches_on_threads() {
    let mut random = Random::new(22);
    for threads in [1, 2, 3, 7, 16] {
        on_threads(threads, || {
            let multiplier = Multiplier::new();
            for (limbs_a, limbs_b) in [(16, 16), (300, 7), (1, 700)] {
                let shared = (1usize << 19).div_ceil(limbs_a * limbs_b);
                for count in shared - 1..=shared + 1 {
                    let mut operands = |limbs| {
                        let kind = Kind::ALL[random.below(6) as usize];
                        kind.limbs(limbs * count, limbs, &mut random)
                    };
                    let (a, b) = (operands(limbs_a), operands(limbs_b));
                    let mut out = vec![9; a.len() + b.len()];
                    let done = multiplier.mul_batch(&mut out, &a, &b, limbs_a, limbs_b);
                    assert_eq!(done, Ok(()));
                    let pairs = a.chunks(limbs_a).zip(b.chunks(limbs_b));
                    for (product, (a, b)) in out.chunks(limbs_a + limbs_b).zip(pairs) {
                        assert!(product == mul_limbs(a, b), "{a:x?} × {b:x?}");
                    }
                }
            }
        });
    }
}

#[test]
fn wrong_lengths_are_errors() {
    let multiplier = Multiplier::new();
    let wrong = MulError::OutputLength {
        expected: 3,
        found: 4,
    };
    assert_eq!(
        multiplier.try_mul(&mut [0; 4], &[1, 2], &[3]),
        Err(wrong.clone())
    );
    for algorithm in Algorithm::ALL {
        assert_eq!(
            multiplier.mul_with(algorithm, &mut [0; 4], &[1, 2], &[3]),
            Err(wrong.clone())
        );
    }
    assert_eq!(
        multiplier.mul_batch(&mut [0; 4], &[1, 2], &[3], 2, 1),
        Err(wrong)
    );
    for (a, b, limbs_a, limbs_b) in [
        (3, 2, 1, 1),
        (3, 1, 2, 1),
        (0, 2, 0, 0),
        (2, 2, 2, 0),
        (2, 0, 1, 1),
    ] {
        let result = multiplier.mul_batch(
            &mut vec![0; a + b],
            &vec![1; a],
            &vec![1; b],
            limbs_a,
            limbs_b,
        );
        assert!(
            matches!(result, Err(MulError::BatchLength { .. })),
            "{a} {b} {limbs_a} {limbs_b}"
        );
    }
    let mut zeros = [7; 4];
    assert_eq!(
        multiplier.mul_batch(&mut zeros, &[], &[1, 2, 3, 4], 0, 2),
        Ok(())
    );
    assert_eq!(zeros, [0; 4]);
    assert_eq!(multiplier.mul_batch(&mut [], &[], &[], 3, 3), Ok(()));
    for (limbs_a, limbs_b) in [(usize::MAX, 2), (2, usize::MAX), (usize::MAX, usize::MAX)] {
        assert_eq!(
            multiplier.mul_batch(&mut [], &[], &[], limbs_a, limbs_b),
            Ok(())
        );
        assert!(
            multiplier
                .mul_batch(&mut [0; 2], &[1], &[1], limbs_a, limbs_b)
                .is_err()
        );
    }
}

#[test]
fn lengths_beyond_any_memory_are_planned_for() {
    for multiplier in multipliers() {
        for (a, b) in [(usize::MAX, usize::MAX), (usize::MAX, 1), (usize::MAX, 0)] {
            let plan = multiplier.plan(a, b);
            assert_eq!((plan.long, plan.short), (a, b));
        }
    }
    let plan = Multiplier::new().plan(usize::MAX, usize::MAX);
    assert_eq!(plan.bytes(), u64::MAX);
}

#[test]
fn working_memory_is_that_of_the_longest_transform() {
    let multiplier = Multiplier::new();
    let bytes = |a, b| multiplier.plan(a, b).bytes();
    // Two operands of 2^20 limbs are 2^21 points; from 2^21 limbs on, digits have 56 bits.
    assert_eq!(bytes(1 << 20, 1 << 20), (7 * 8) << 21);
    // 56 bits a coefficient make 9.6 million of them: transforms of 2^24 points, not all reached.
    assert!(((4 * 8) << 24..(5 * 8) << 24).contains(&bytes(1 << 22, 1 << 22)));
    // A much longer operand is cut into pieces, of eight times the other's length: its own does not count.
    let piece = 800_000;
    assert_eq!(bytes(1000 * piece, piece / 8), bytes(piece / 8, 20 * piece));
    assert!(bytes(20 * piece, piece / 8) < 2 * bytes(piece, piece / 8));
    // Karatsuba's algorithm and Toom-3 take some limbs for each of the operands', the quadratic products none.
    assert!((2 * 8 * 500..11 * 8 * 500).contains(&bytes(500, 500)));
    assert_eq!(bytes(1 << 30, 0), 0);
}

/// Each order of thresholds makes other algorithms meet; each is tried at lengths around them.
#[test]
fn thresholds_change_no_product() {
    for multiplier in multipliers() {
        let built_in = multiplier.thresholds();
        let mut multiplier = multiplier;
        for (karatsuba, toom3, transform) in [
            (0, 0, 0),
            (9, 11, 40),
            (usize::MAX, 9, 30),
            (20, 9, usize::MAX),
            (usize::MAX, usize::MAX, usize::MAX),
            (30, 60, 20),
        ] {
            let thresholds = Thresholds {
                karatsuba,
                toom3,
                transform,
                ..built_in
            };
            multiplier = multiplier.with_thresholds(thresholds);
            let kept = multiplier.thresholds();
            assert_eq!(
                [kept.karatsuba, kept.toom3, kept.transform],
                [karatsuba, toom3, transform].map(|threshold| threshold.max(9))
            );
            for (len_a, len_b) in [(8, 8), (9, 9), (19, 9), (31, 30), (64, 33), (330, 310)] {
                for (a, b) in battery(len_a, 7).iter().zip(battery(len_b, 8).iter().rev()) {
                    check(&multiplier, a, b);
                }
            }
        }
    }
}

/// A multiplier never runs what its processor does not.
#[test]
fn vectors_come_with_the_processor_alone() {
    let portable =
        Multiplier::with_instruction_set(InstructionSet::Portable).expect("every processor");
    let eager = Thresholds {
        ifma: 0,
        ifma_long: 0,
        ifma_square: 0,
        ..portable.thresholds()
    };
    let portable = portable.with_thresholds(eager);
    assert_eq!(portable.thresholds().ifma, usize::MAX);
    assert_eq!(portable.plan(20, 20).algorithm(), Algorithm::Schoolbook);
}

#[test]
fn plans_say_what_runs() {
    let portable =
        Multiplier::with_instruction_set(InstructionSet::Portable).expect("every processor");
    assert_eq!(portable.plan(3, 2).algorithm(), Algorithm::Schoolbook);
    assert_eq!(portable.plan(30, 30).algorithm(), Algorithm::Karatsuba);
    assert_eq!(portable.plan(300, 30), portable.plan(30, 300));
    assert_eq!(portable.plan(300, 30).pieces(), 10);
    let text = portable.plan(200, 200).to_string();
    assert!(
        text.starts_with("toom3 for 200 × 200 limbs: fastest from"),
        "{text}"
    );
}

proptest! {
    #[test]
    fn any_operands(
        a in prop::collection::vec(any::<u64>(), 0..90),
        b in prop::collection::vec(prop_oneof![Just(0), Just(u64::MAX), any::<u64>()], 0..90),
    ) {
        for multiplier in multipliers() {
            check(&multiplier, &a, &b);
        }
    }
}
