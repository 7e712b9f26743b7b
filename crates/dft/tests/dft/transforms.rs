//! Every algorithm, kernel, order and direction against the sums of the definition.

use crate::support::inputs;
use sunzi_dft::TransformField;
use sunzi_dft::{
    Algorithm, Convolution, DftContext, DftError, DftPlan, Direction, Ordering, Reason,
};
use sunzi_field::{Fp32, Fp64, TwoAdicField};
use sunzi_machine::InstructionSet;
use sunzi_testkit::{Random, on_threads, value_at};

/// i with its low `bits` bits reversed, by its definition.
fn reversed(i: usize, bits: u32) -> usize {
    (0..bits).fold(0, |r, bit| r << 1 | (i >> bit & 1))
}

/// Values at the powers of ω, by their definition.
pub fn reference<F: TwoAdicField>(field: &F, x: &[F::Elem]) -> Vec<F::Elem> {
    let omega = field.root_of_unity(x.len().trailing_zeros()).unwrap();
    let powers: Vec<_> = (0..x.len() as u64).map(|j| field.pow(omega, j)).collect();
    powers
        .iter()
        .map(|&power| value_at(field, x, power))
        .collect()
}

/// Contexts of all algorithms and kernels that this processor has.
fn contexts<F: TransformField>(field: &F, len: usize) -> Vec<DftContext<F>> {
    let mut contexts = vec![DftContext::new(field, len).unwrap()];
    for algorithm in Algorithm::ALL {
        for kernel in InstructionSet::ALL {
            if !kernel.is_available() {
                sunzi_testkit::skip(&format!("this processor has no {kernel}"));
            } else if algorithm == Algorithm::Rotations {
                let refused = DftContext::with(field, len, algorithm, kernel).err();
                assert_eq!(refused, Some(DftError::NeedsBigPrime(algorithm)));
            } else if algorithm == Algorithm::Split || kernel == InstructionSet::Portable {
                contexts.push(DftContext::with(field, len, algorithm, kernel).unwrap());
            }
        }
    }
    contexts
}

fn check<F: TransformField>(field: &F, log_max: u32) {
    for log in 0..=log_max.min(field.two_adicity()) {
        check_at(field, log);
    }
}

fn check_at<F: TransformField>(field: &F, log: u32) {
    let len = 1 << log;
    let inputs = inputs(field, len);
    let values: Vec<_> = inputs.iter().map(|x| reference(field, x)).collect();
    for context in contexts(field, len) {
        let case = format!("{field:?}: {context}");
        for (x, values) in inputs.iter().zip(&values) {
            let mut y = x.clone();
            context.forward(&mut y, Ordering::Natural).unwrap();
            assert!(y == *values, "{case}");
            context.inverse(&mut y, Ordering::Natural).unwrap();
            assert!(y == *x, "{case}");

            context.forward(&mut y, Ordering::BitReversed).unwrap();
            assert!((0..len).all(|i| y[i] == values[reversed(i, log)]), "{case}");
            context.inverse(&mut y, Ordering::BitReversed).unwrap();
            assert!(y == *x, "{case}");

            context.forward_in_place(&mut y).unwrap();
            assert!(y.iter().all(|&y| field.is_canonical(y)), "{case}");
            context.inverse_in_place(&mut y).unwrap();
            assert!(y == *x, "{case}");
        }
        // The private order is one permutation for all vectors.
        let [mut a, b] = [1, 2].map(|seed| Random::new(seed).elements(field, len));
        let mut sum: Vec<_> = a.iter().zip(&b).map(|(&a, &b)| field.add(a, b)).collect();
        let mut b = b;
        for x in [&mut a, &mut b, &mut sum] {
            context.forward_in_place(x).unwrap();
        }
        assert!((0..len).all(|i| sum[i] == field.add(a[i], b[i])), "{case}");
    }
}

#[test]
fn every_algorithm_agrees_with_the_definition() {
    with_fields!(check, 7);
    // Two squares of 256 points of the widest kernel, and edges in them.
    check_at(&Fp32::new(469_762_049).unwrap(), 9);
    check_at(&Fp32::new(2_147_473_409).unwrap(), 8);
    check_at(&Fp64::new(4_611_686_018_326_724_609).unwrap(), 8);
}

#[test]
fn every_algorithm_agrees_with_the_definition_at_512_and_1024_points() {
    fn check<F: TransformField>(field: &F) {
        for len in [512, 1024] {
            if field.two_adicity() < 10 {
                continue;
            }
            let x = Random::new(9).elements(field, len);
            let values = reference(field, &x);
            for context in contexts(field, len) {
                let mut y = x.clone();
                context.forward(&mut y, Ordering::Natural).unwrap();
                assert!(y == values, "{field:?}: {context}");
                context.inverse(&mut y, Ordering::Natural).unwrap();
                assert!(y == x, "{field:?}: {context}");
            }
        }
    }
    with_fields!(check);
}

/// Long vectors at some outputs, by Horner's rule; all algorithms, on one and two threads.
fn check_long<F: TransformField>(field: &F, logs: &[u32]) {
    for &log in logs {
        if log > field.two_adicity() {
            continue;
        }
        let len = 1usize << log;
        let x = Random::new(u64::from(log)).elements(field, len);
        let omega = field.root_of_unity(log).unwrap();
        let mut first: Option<Vec<F::Elem>> = None;
        for context in contexts(field, len) {
            if context.plan().algorithm() == Algorithm::Reference {
                continue;
            }
            for threads in [1, 2] {
                let case = format!("{field:?}, {threads} threads: {context}");
                let mut y = x.clone();
                on_threads(threads, || context.forward(&mut y, Ordering::Natural)).unwrap();
                let values = first.get_or_insert_with(|| {
                    for j in [0, 1, 2, len / 2, len / 3, len / 5 * 4, len - 1] {
                        let point = field.pow(omega, j as u64);
                        assert!(y[j] == value_at(field, &x, point), "{case}");
                    }
                    y.clone()
                });
                assert!(y == *values, "{case}");
                on_threads(threads, || context.inverse(&mut y, Ordering::Natural)).unwrap();
                assert!(y == x, "{case}");
                on_threads(threads, || context.forward(&mut y, Ordering::BitReversed)).unwrap();
                assert!((0..len).all(|i| y[i] == values[reversed(i, log)]), "{case}");
                on_threads(threads, || context.inverse(&mut y, Ordering::BitReversed)).unwrap();
                assert!(y == x, "{case}");
                on_threads(threads, || context.forward_in_place(&mut y)).unwrap();
                assert!(y.iter().all(|&y| field.is_canonical(y)), "{case}");
                on_threads(threads, || context.inverse_in_place(&mut y)).unwrap();
                assert!(y == x, "{case}");
            }
        }
    }
}

#[test]
fn long_transforms_agree_on_any_number_of_threads() {
    with_fields!(check_long, &[11, 14]);
    check_long(&Fp32::new(469_762_049).unwrap(), &[12, 13, 15, 17, 19]);
    check_long(
        &Fp64::new(4_611_686_018_326_724_609).unwrap(),
        &[12, 13, 18],
    );
}

#[test]
fn batches_are_vectors_one_by_one() {
    fn check<F: TransformField>(field: &F) {
        for (log, count) in [(0, 5), (1, 3), (3, 0), (4, 9), (6, 40), (10, 33)] {
            let len = 1 << log;
            if log > field.two_adicity() {
                continue;
            }
            let x = Random::new(3).elements(field, len * count);
            for context in contexts(field, len) {
                for ordering in [Ordering::Natural, Ordering::BitReversed, Ordering::Internal] {
                    let mut expected = x.clone();
                    for vector in expected.chunks_exact_mut(len) {
                        context.forward(vector, ordering).unwrap();
                    }
                    for threads in [1, 2] {
                        on_threads(threads, || {
                            let mut y = x.clone();
                            context
                                .transform_batch(&mut y, Direction::Forward, ordering)
                                .unwrap();
                            assert!(y == expected, "{field:?}: {context}, {count} vectors");
                            context
                                .transform_batch(&mut y, Direction::Inverse, ordering)
                                .unwrap();
                            assert!(y == x, "{field:?}: {context}, {count} vectors");
                        });
                    }
                }
            }
        }
    }
    check(&Fp32::new(469_762_049).unwrap());
    check(&Fp32::new(17).unwrap());
    check(&Fp64::new(4_611_686_018_326_724_609).unwrap());
}

#[test]
fn the_root_is_primitive_and_the_fields_own() {
    fn check<F: TransformField>(field: &F) {
        for log in 1..=field.two_adicity().min(12) {
            let len = 1 << log;
            let omega = field.root_of_unity(log).unwrap();
            assert!(field.pow(omega, len / 2) == field.neg(field.one()));
            // The transform of x has the powers of ω.
            let mut x = vec![field.zero(); len as usize];
            x[1] = field.one();
            let context = DftContext::new(field, len as usize).unwrap();
            context.forward(&mut x, Ordering::Natural).unwrap();
            assert!((0..len).all(|j| x[j as usize] == field.pow(omega, j)));
        }
    }
    with_fields!(check);
}

#[test]
fn plans_say_what_runs_and_why() {
    let field = Fp32::new(17).unwrap();
    let plan = DftPlan::choose(&field, 1, Convolution::Plain, InstructionSet::Avx512).unwrap();
    assert_eq!(plan.algorithm(), Algorithm::CooleyTukey);
    assert_eq!(plan.reason(), Reason::Tiny);
    // 16 points are no square block of AVX2 or AVX-512, and 17 has no longer transforms.
    let plan = DftPlan::choose(&field, 16, Convolution::Cyclic, InstructionSet::Avx2).unwrap();
    assert_eq!(plan.algorithm(), Algorithm::Split);
    assert_eq!(plan.kernel(), InstructionSet::Portable);
    assert_eq!(
        plan.reason(),
        Reason::NarrowerKernel {
            asked: InstructionSet::Avx2
        }
    );
    assert_eq!(plan.points(), 16);
    assert!(
        plan.to_string()
            .starts_with("cyclic transform of 16 points by recursive")
    );
    let context = DftContext::from_plan(&field, plan).unwrap();
    assert_eq!(
        (context.plan(), context.to_string()),
        (&plan, plan.to_string())
    );
    // A plan of another field is checked again.
    let other = Fp32::new(3).unwrap();
    let refused = DftContext::from_plan(&other, plan);
    assert_eq!(refused.err(), Some(DftError::TooLong { len: 16, max: 2 }));
}

#[test]
fn wrong_lengths_are_refused() {
    let field = Fp32::new(469_762_049).unwrap();
    let refused = |len| DftContext::new(&field, len).err();
    assert_eq!(
        refused(0),
        Some(DftError::NotPowerOfTwo { len: 0, next: 1 })
    );
    assert_eq!(
        refused(100),
        Some(DftError::NotPowerOfTwo {
            len: 100,
            next: 128
        })
    );
    let max = 1 << 26;
    assert_eq!(
        refused(1 << 27),
        Some(DftError::TooLong { len: 1 << 27, max })
    );
    let scalar = DftContext::scalar(&field, 8, Convolution::Cyclic, Algorithm::Split);
    assert_eq!(scalar.err(), Some(DftError::NeedsLanes(Algorithm::Split)));

    let context =
        DftContext::with(&field, 8, Algorithm::Stockham, InstructionSet::Portable).unwrap();
    assert_eq!(context.scratch_len(), 8);
    let shape = |expected, found| Err(DftError::Shape { expected, found });
    assert_eq!(context.forward(&mut [0; 7], Ordering::Natural), shape(8, 7));
    assert_eq!(context.inverse_in_place(&mut [0; 9]), shape(8, 9));
    let (forward, natural) = (Direction::Forward, Ordering::Natural);
    assert_eq!(
        context.transform_batch(&mut [0; 17], forward, natural),
        shape(24, 17)
    );
    let (data, scratch) = (&mut [0; 8], &mut [0; 7]);
    assert_eq!(
        context.transform_with_scratch(data, scratch, forward, natural),
        shape(8, 7)
    );
    assert_eq!(
        context.transform_with_scratch(data, &mut [9; 9], forward, natural),
        Ok(())
    );
}
