//! Every seam of the segments, with operands made for it, on several threads, against GMP.

use super::TransformContext;
use sunzi_crt::Segmentation;
use sunzi_field::lanes::Kernel;
use sunzi_testkit::{Kind, Random, mul_limbs, on_threads, ones, power_sum};

/// Products of `a` and `b`, as limbs and as short digits, with segments of so many blocks of 16
/// coefficients: 16 limbs each, or 14.
fn check(context: &TransformContext, blocks: usize, a: &[u64], b: &[u64]) {
    let expected = mul_limbs(a, b);
    let cut = |_| Segmentation::of_blocks(Segmentation::GRAIN, blocks);
    // What lies in the result before must not count.
    let mut out = vec![u64::MAX; expected.len()];
    context.mul_limbs(&mut out, a, b, cut).unwrap();
    assert!(out == expected, "limbs, {blocks} blocks: {a:x?} · {b:x?}");
    out.fill(u64::MAX);
    context.mul_short_digits(&mut out, a, b, cut).unwrap();
    assert!(out == expected, "digits, {blocks} blocks: {a:x?} · {b:x?}");
}

/// (2^i − 1)·(2^j + 2^k): a run of ones that begins and ends anywhere, and carries into and through
/// whole segments, the last ones among them.
#[test]
fn carries_run_through_segments() {
    const LEN: usize = 33;
    for threads in [1, 2, 3, 7] {
        on_threads(threads, || {
            let context = TransformContext::new(Kernel::detect());
            let beside = |limbs: usize| (64 * limbs).saturating_sub(1)..=64 * limbs + 1;
            for i in (0..=LEN).step_by(threads).flat_map(beside) {
                let a = ones(i.min(64 * LEN), LEN);
                for limbs in [0, 1, 13, 14, 15, 16, 17, 27, 28, 31, 32] {
                    for j in beside(limbs) {
                        let b = power_sum(&[j, 20 * 64], LEN);
                        check(&context, 1, &a, &b);
                        check(&context, 2, &b, &a);
                    }
                }
            }
        });
    }
}

#[test]
fn all_lengths_around_the_ends_of_segments() {
    let mut random = Random::new(18);
    let context = TransformContext::new(Kernel::detect());
    on_threads(3, || {
        for len_a in 1..=34 {
            for len_b in 1..=34 {
                check(
                    &context,
                    1,
                    &ones(64 * len_a, len_a),
                    &ones(64 * len_b, len_b),
                );
                let [a, b] = [len_a, len_b]
                    .map(|len| Kind::ALL[random.below(6) as usize].limbs(len, 14, &mut random));
                check(&context, 1 + len_a % 3, &a, &b);
                if len_a == len_b {
                    check(&context, 1, &a, &a);
                }
            }
        }
    });
}

#[test]
fn structured_operands_on_every_instruction_set() {
    for kernel in Kernel::ALL
        .into_iter()
        .filter(|kernel| kernel.is_available())
    {
        let context = TransformContext::new(kernel);
        let mut random = Random::new(19);
        for case in 0..400 {
            let [a, b] = [0, 1].map(|shift| {
                let kind = Kind::ALL[(case + shift * (case / 6)) % 6];
                let len = 1 + random.below(100) as usize;
                kind.limbs(len, 14 + 2 * (case % 2), &mut random)
            });
            check(&context, 1 + case % 3, &a, &b);
        }
    }
}
