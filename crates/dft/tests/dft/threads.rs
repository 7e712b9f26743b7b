//! Every way to share and to cut a transform: on several threads, with lengths of blocks and shares as short as they
//! can be, against the definition and GMP.

use crate::support::{inputs, prime};
use sunzi_dft::TransformField;
use sunzi_dft::{
    Algorithm, BigPrimeOptions, Convolution, Convolver, DftContext, DftPlan, Direction, Ordering,
};
use sunzi_field::{Digits, Field, Fp32, Fp50, Fp64, GeneralizedFermat, TwoAdicField};
use sunzi_machine::{Grain, InstructionSet};
use sunzi_testkit::{Kind, Random, long_convolution_mod, on_every_thread_count, value_at};

/// Everything is cut wherever it can be.
const FINEST: Grain = Grain::finer(usize::BITS);

fn kernels() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL
        .into_iter()
        .filter(|kernel| kernel.is_available())
}

/// Polynomials of every kind, cut where shares of threads may be.
fn structured<F: TransformField>(field: &F, len: usize, seed: usize) -> Vec<F::Elem> {
    let kind = Kind::ALL[seed % Kind::ALL.len()];
    let residues = kind.residues(len, prime(field), 32, &mut Random::new(seed as u64));
    residues.into_iter().map(|x| field.from_word(x)).collect()
}

struct Product<F: Field> {
    a: Vec<F::Elem>,
    b: Vec<F::Elem>,
    expected: Vec<F::Elem>,
}

/// Products of these lengths, with GMP's answers.
fn products<F: TransformField>(
    field: &F,
    lengths: impl IntoIterator<Item = usize>,
) -> Vec<Product<F>> {
    let words = |x: &[F::Elem]| -> Vec<u64> { x.iter().map(|&x| field.to_word(x)).collect() };
    let product = |(case, len): (usize, usize)| {
        // Both about as long, or one much shorter.
        let short = [len / 2 + 1, len / 3 + 1, 1 + case % len.min(9)][case % 3].min(len);
        let a = structured(field, len + 1 - short, case);
        let b = structured(field, short, case / 6);
        let expected = long_convolution_mod(&words(&a), &words(&b), prime(field));
        let expected = expected.into_iter().map(|x| field.from_word(x)).collect();
        Product { a, b, expected }
    };
    lengths.into_iter().enumerate().map(product).collect()
}

fn check_products<F: TransformField>(convolver: &Convolver<F>, products: &[Product<F>]) {
    for Product { a, b, expected } in products {
        let (la, lb) = (a.len(), b.len());
        let field = convolver.field();
        let mut out = vec![field.one(); expected.len()];
        convolver.convolve(&mut out, a, b).unwrap();
        let case = || format!("{field:?} {} {la}×{lb}", convolver.kernel());
        assert!(out == *expected, "{}", case());
        let [a, b] = [a, b].map(|x| convolver.transform(x, expected.len()).unwrap());
        convolver.multiply_transformed(&mut out, &a, &b).unwrap();
        assert!(out == *expected, "{}, kept", case());
    }
}

#[test]
fn products_cut_wherever_they_can_be() {
    fn check<F: TransformField>(field: &F) {
        // Every short length; then where truncated transforms round up, by 1/32 of a power of two.
        let steps = [512, 1024, 2048, 4096].into_iter().flat_map(|half: usize| {
            (1..=16)
                .map(move |step| half + step * half / 16)
                .flat_map(|len| [len, len + 1])
        });
        let products = products(field, (1..=70).chain(steps));
        for kernel in kernels() {
            let convolver = Convolver::with_kernel(field, kernel).with_grain(FINEST);
            on_every_thread_count(|_| check_products(&convolver, &products));
        }
    }
    check(&Fp32::new(2_013_265_921).unwrap());
    check(&Fp50::new(469_762_049).unwrap());
    check(&Fp64::new(4_611_686_018_326_724_609).unwrap());
}

#[test]
fn products_at_the_lengths_that_threads_share() {
    fn check<F: TransformField>(field: &F) {
        // Operands go to two threads from 2^14 points on, passes from 2^16, multipliers are left out above.
        let around = |len: usize| [len - 1, len, len + 1];
        let lengths = [1 << 14, 1 << 16].into_iter().flat_map(around);
        let products = products(field, lengths.chain([(1 << 16) + (1 << 13), 150_000]));
        let convolver = Convolver::new(field);
        on_every_thread_count(|_| check_products(&convolver, &products));
    }
    check(&Fp32::new(469_762_049).unwrap());
    check(&Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
}

#[test]
fn transforms_cut_wherever_they_can_be() {
    fn check<F: TransformField>(field: &F) {
        for log in 0..=9 {
            let len = 1 << log;
            let mut inputs = inputs(field, len);
            if log > 6 {
                inputs.truncate(4);
            }
            let values: Vec<_> = inputs
                .iter()
                .map(|x| crate::transforms::reference(field, x))
                .collect();
            let algorithms = [Algorithm::Split, Algorithm::SixStep];
            let ways = kernels().flat_map(|kernel| algorithms.map(|algorithm| (algorithm, kernel)));
            for (algorithm, kernel) in ways {
                let convolution = Convolution::Cyclic;
                let plan = DftPlan::forced(field, len, convolution, algorithm, kernel);
                let plan = plan.unwrap().with_grain(FINEST);
                let context = DftContext::from_plan(field, plan).unwrap();
                on_every_thread_count(|threads| {
                    let case = format!("{field:?}, {threads} threads: {context}");
                    for (x, values) in inputs.iter().zip(&values) {
                        let mut y = x.clone();
                        context.forward(&mut y, Ordering::Natural).unwrap();
                        assert!(y == *values, "{case}");
                        context.inverse(&mut y, Ordering::Natural).unwrap();
                        assert!(y == *x, "{case}");
                        context.forward(&mut y, Ordering::BitReversed).unwrap();
                        let reversed = |i: usize| match log {
                            0 => 0,
                            _ => i.reverse_bits() >> (usize::BITS - log),
                        };
                        assert!((0..len).all(|i| y[i] == values[reversed(i)]), "{case}");
                    }
                    // Vectors of a batch go to different threads.
                    let direction = Direction::Forward;
                    let mut batch = inputs.concat();
                    context
                        .transform_batch(&mut batch, direction, Ordering::Natural)
                        .unwrap();
                    assert!(batch == values.concat(), "{case}, batch");
                });
            }
        }
    }
    check(&Fp32::new(469_762_049).unwrap());
    check(&Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
}

/// Digits all r − 1, −1 alone at either end or in the middle, and random ones.
fn elements<const K: usize>(field: &GeneralizedFermat<K>, len: usize) -> Vec<Vec<Digits<K>>> {
    let r = field.radix();
    let mut random = Random::new(len as u64);
    let mut vectors = vec![
        vec![Digits([r - 1; K]); len],
        vec![field.neg(field.one()); len],
        (0..len)
            .map(|_| Digits(std::array::from_fn(|_| random.below(r))))
            .collect(),
    ];
    for at in [0, len / 2, len - 1] {
        vectors.push(
            (0..len)
                .map(|i| {
                    if i == at {
                        field.from_i64(-1)
                    } else {
                        field.zero()
                    }
                })
                .collect(),
        );
    }
    vectors
}

#[test]
fn rotations_on_every_number_of_threads() {
    fn check<const K: usize>(field: &GeneralizedFermat<K>, grain: Grain, logs: &[u32]) {
        for &log in logs {
            let len = 1 << log;
            let reference =
                DftContext::scalar(field, len, Convolution::Cyclic, Algorithm::CooleyTukey)
                    .unwrap();
            let inputs = elements(field, len);
            let values: Vec<_> = inputs
                .iter()
                .map(|x| {
                    let mut values = x.clone();
                    reference.forward(&mut values, Ordering::Natural).unwrap();
                    let omega = field.root_of_unity(log).unwrap();
                    for j in [0, 1, len / 2, len - 1] {
                        let point = field.pow(omega, j as u64);
                        assert!(values[j.min(len - 1)] == value_at(field, x, point));
                    }
                    values
                })
                .collect();
            for table_limit in [usize::MAX, 0] {
                let options = BigPrimeOptions {
                    table_limit,
                    grain,
                    ..Default::default()
                };
                let context = DftContext::over_big_prime_with(field, len, &options).unwrap();
                on_every_thread_count(|threads| {
                    for (x, values) in inputs.iter().zip(&values) {
                        let mut found = x.clone();
                        context.forward(&mut found, Ordering::Natural).unwrap();
                        assert!(found == *values, "{K} digits, {threads} threads: {context}");
                        context.inverse(&mut found, Ordering::Natural).unwrap();
                        assert!(
                            found == *x,
                            "{K} digits, {threads} threads, back: {context}"
                        );
                    }
                });
            }
        }
    }
    let p4 = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
    let p8 = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    check(&p4, FINEST, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    check(&p8, FINEST, &[3, 4, 5, 6, 7, 8]);
    // Stages in pairs, tile by tile: one pair, one and a stage, and pairs with rotations between their stages.
    let p32 = GeneralizedFermat::<32>::new((1 << 58) + (1 << 55) + (1 << 17)).unwrap();
    check(&p8, FINEST, &[9, 13]);
    check(&p32, FINEST, &[11]);
    // Threads share 2^13 words.
    check(&p8, Grain::default(), &[9, 10, 11]);
}
