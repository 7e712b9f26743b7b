//! Products through contexts against their definition, and transforms kept for reuse.

use crate::support::inputs;
use sunzi_dft::TransformField;
use sunzi_dft::{Algorithm, Convolution, DftContext, DftError, DftPlan};
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_machine::InstructionSet;
use sunzi_testkit::{Random, on_threads, value_at};

const KINDS: [Convolution; 3] = [
    Convolution::Cyclic,
    Convolution::Negacyclic,
    Convolution::Plain,
];

/// The product by its definition.
fn reference<F: Field>(
    field: &F,
    len: usize,
    kind: Convolution,
    a: &[F::Elem],
    b: &[F::Elem],
) -> Vec<F::Elem> {
    let out_len = match kind {
        Convolution::Plain if a.is_empty() || b.is_empty() => 0,
        Convolution::Plain => a.len() + b.len() - 1,
        _ => len,
    };
    let mut out = vec![field.zero(); out_len];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            let product = field.mul(x, y);
            let at = (i + j) % len;
            out[at] = match kind {
                Convolution::Negacyclic if i + j >= len => field.sub(out[at], product),
                _ => field.add(out[at], product),
            };
        }
    }
    out
}

/// Contexts of all algorithms and kernels for the products of a kind, if there are any.
fn contexts<F: TransformField>(field: &F, len: usize, kind: Convolution) -> Vec<DftContext<F>> {
    let Ok(fastest) = DftContext::for_convolution(field, len, kind) else {
        return vec![];
    };
    let mut contexts = vec![fastest];
    for algorithm in Algorithm::ALL {
        if algorithm == Algorithm::Rotations {
            let refused = DftContext::scalar(field, len, kind, algorithm).err();
            assert_eq!(refused, Some(DftError::NeedsBigPrime(algorithm)));
            continue;
        }
        if algorithm != Algorithm::Split {
            contexts.push(DftContext::scalar(field, len, kind, algorithm).unwrap());
            continue;
        }
        for kernel in InstructionSet::ALL {
            if kernel.is_available() {
                let plan = DftPlan::forced(field, len, kind, algorithm, kernel).unwrap();
                contexts.push(DftContext::from_plan(field, plan).unwrap());
            } else {
                sunzi_testkit::skip(&format!("this processor has no {kernel}"));
            }
        }
    }
    contexts
}

fn check<F: TransformField>(field: &F) {
    for kind in KINDS {
        for log in 0..=7 {
            let len = 1usize << log;
            let half = len.div_ceil(2);
            let shapes = [
                (len, len),
                (half, len - half + 1),
                (1, len),
                (len.min(3), half),
                (0, len),
            ];
            for context in contexts(field, len, kind) {
                for (la, lb) in shapes {
                    if context.product_len(la, lb) > len {
                        continue;
                    }
                    let (a, b) = (
                        Random::new(1).elements(field, la),
                        Random::new(2).elements(field, lb),
                    );
                    let mut out = vec![field.one(); context.product_len(la, lb)];
                    context.convolve(&mut out, &a, &b).unwrap();
                    let expected = reference(field, len, kind, &a, &b);
                    assert!(out == expected, "{field:?} {la}×{lb}: {context}");
                }
                if kind != Convolution::Plain && log == 5 {
                    let edges = inputs(field, len);
                    for (a, b) in edges.iter().zip(edges.iter().rev()) {
                        let mut out = vec![field.one(); len];
                        context.convolve(&mut out, a, b).unwrap();
                        assert!(
                            out == reference(field, len, kind, a, b),
                            "{field:?}: {context}"
                        );
                        context.convolve(&mut out, a, a).unwrap();
                        assert!(
                            out == reference(field, len, kind, a, a),
                            "{field:?}: {context}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn products_agree_with_the_definition() {
    with_fields!(check);
}

/// Long products modulo x^N ∓ 1, at a root of that polynomial and as a whole between algorithms.
#[test]
fn long_products_on_one_and_two_threads() {
    fn check<F: TransformField>(field: &F) {
        for kind in [Convolution::Cyclic, Convolution::Negacyclic] {
            for log in [9, 12, 15] {
                let len = 1usize << log;
                let (a, b) = (
                    Random::new(5).elements(field, len),
                    Random::new(6).elements(field, len),
                );
                let mut first: Option<Vec<F::Elem>> = None;
                for context in contexts(field, len, kind) {
                    if context.plan().algorithm() == Algorithm::Reference && log > 9 {
                        continue;
                    }
                    for threads in [1, 2] {
                        let mut out = vec![field.zero(); len];
                        on_threads(threads, || context.convolve(&mut out, &a, &b)).unwrap();
                        assert!(
                            *first.get_or_insert_with(|| out.clone()) == out,
                            "{context}"
                        );
                    }
                }
                let out = first.unwrap();
                let psi = field.root_of_unity(log + 1).unwrap();
                let odd = u64::from(kind == Convolution::Negacyclic);
                for j in [0, 1, len as u64 / 3, len as u64 - 1] {
                    let point = field.pow(psi, 2 * j + odd);
                    let [a, b, out] = [&a, &b, &out].map(|x| value_at(field, x, point));
                    assert!(field.mul(a, b) == out, "{field:?} {kind} {len}");
                }
            }
        }
    }
    check(&Fp32::new(469_762_049).unwrap());
    check(&Fp32::new(2_013_265_921).unwrap());
    check(&Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
}

#[test]
fn spectra_multiply_many_and_belong_to_their_plan() {
    let field = Fp32::new(469_762_049).unwrap();
    let context = DftContext::for_convolution(&field, 512, Convolution::Plain).unwrap();
    let a = Random::new(3).elements(&field, 300);
    let kept = context.spectrum(&a).unwrap();
    assert_eq!((kept.len(), kept.is_empty()), (300, false));
    for lb in [0, 1, 100, 213] {
        let b = Random::new(4).elements(&field, lb);
        let mut out = vec![1; context.product_len(300, lb)];
        context
            .multiply_spectra(&mut out, &kept, &context.spectrum(&b).unwrap())
            .unwrap();
        assert_eq!(out, reference(&field, 512, Convolution::Plain, &a, &b));
    }
    let long = context
        .spectrum(&Random::new(4).elements(&field, 214))
        .unwrap();
    let refused = context.multiply_spectra(&mut [0; 513], &kept, &long);
    assert_eq!(refused, Err(DftError::TooLong { len: 513, max: 512 }));
    let refused = context.multiply_spectra(&mut [0; 5], &kept, &kept);
    assert_eq!(refused, Err(DftError::TooLong { len: 599, max: 512 }));
    let one = context.spectrum(&[1]).unwrap();
    let refused = context.multiply_spectra(&mut [0; 5], &one, &kept);
    assert_eq!(
        refused,
        Err(DftError::Shape {
            expected: 300,
            found: 5
        })
    );
    assert!(matches!(
        context.spectrum(&[0; 513]),
        Err(DftError::Shape { .. })
    ));

    // A second context that does the same understands it, another does not.
    let mut out = [0; 300];
    let twin = DftContext::for_convolution(&field, 512, Convolution::Plain).unwrap();
    twin.multiply_spectra(&mut out, &one, &kept).unwrap();
    assert_eq!(out[..], a);
    for other in [
        DftContext::for_convolution(&field, 512, Convolution::Negacyclic),
        DftContext::scalar(&field, 512, Convolution::Plain, Algorithm::Stockham),
        DftContext::for_convolution(&Fp32::new(998_244_353).unwrap(), 512, Convolution::Plain),
    ] {
        let refused = other.unwrap().multiply_spectra(&mut [0; 300], &one, &kept);
        assert_eq!(refused, Err(DftError::ForeignSpectrum));
    }
}
