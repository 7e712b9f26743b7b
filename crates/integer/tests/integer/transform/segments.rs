//! Every seam of the segments, with operands made for it, on several threads, against GMP.

use sunzi_dft::crt::Segmentation;
use sunzi_integer::internals::{Digits, TransformContext};
use sunzi_machine::InstructionSet;
use sunzi_testkit::{Kind, Random, mul_limbs, on_every_thread_count, on_threads, ones, power_sum};

/// A product with GMP's answer, and in how many blocks of 16 coefficients its segments are to be cut.
struct Case {
    a: Vec<u64>,
    b: Vec<u64>,
    expected: Vec<u64>,
    blocks: usize,
}

impl Case {
    fn new(blocks: usize, a: Vec<u64>, b: Vec<u64>) -> Self {
        let expected = mul_limbs(&a, &b);
        Self {
            a,
            b,
            expected,
            blocks,
        }
    }

    /// The product as limbs and as short digits, whose blocks are 16 and 14 limbs.
    fn check(&self, context: &TransformContext) {
        let Self { a, b, blocks, .. } = self;
        let cut = |_| Segmentation::of_blocks(Segmentation::UNIT, *blocks);
        for digits in [Digits::Limbs, Digits::Short] {
            for square in [false, true] {
                if square && a != b {
                    continue;
                }
                // What lies in the result before must not count.
                let mut out = vec![u64::MAX; self.expected.len()];
                context.mul(digits, square, &mut out, [a, b], cut).unwrap();
                assert!(
                    out == self.expected,
                    "{digits:?}, {blocks} blocks: {a:x?} · {b:x?}"
                );
            }
        }
    }
}

fn check_on_every_thread_count(cases: &[Case]) {
    let context = TransformContext::new(InstructionSet::detect());
    on_every_thread_count(|_| cases.iter().for_each(|case| case.check(&context)));
}

/// (2^i − 1)·(2^j + 2^k): runs of ones that end within a bit of every limb, and carry into and through whole segments,
/// the last ones among them.
#[test]
fn carries_run_through_segments() {
    const LEN: usize = 33;
    let beside = |limbs: usize| (64 * limbs).saturating_sub(1)..=64 * limbs + 1;
    let mut cases = Vec::new();
    for i in (0..=LEN).flat_map(beside) {
        let a = ones(i.min(64 * LEN), LEN);
        for j in [0, 1, 13, 14, 15, 16, 17, 27, 28, 31, 32]
            .into_iter()
            .flat_map(beside)
        {
            let b = power_sum(&[j, 20 * 64], LEN);
            cases.push(match (i + j) % 2 {
                0 => Case::new(1, a.clone(), b),
                _ => Case::new(2, b, a.clone()),
            });
        }
    }
    check_on_every_thread_count(&cases);
}

#[test]
fn all_lengths_around_the_ends_of_segments() {
    let mut random = Random::new(18);
    let mut cases = Vec::new();
    for len_a in 1..=34 {
        for len_b in 1..=34 {
            let [a, b] = [len_a, len_b].map(|len| ones(64 * len, len));
            cases.push(Case::new(1, a, b));
            let [a, b] = [len_a, len_b]
                .map(|len| Kind::ALL[random.below(6) as usize].limbs(len, 14, &mut random));
            if len_a == len_b {
                cases.push(Case::new(1, a.clone(), a.clone()));
            }
            cases.push(Case::new(1 + len_a % 3, a, b));
        }
    }
    check_on_every_thread_count(&cases);
}

#[test]
fn structured_operands_on_every_instruction_set() {
    for kernel in InstructionSet::ALL
        .into_iter()
        .filter(|kernel| kernel.is_available())
    {
        let context = TransformContext::new(kernel);
        let mut random = Random::new(19);
        let case = |case: usize| {
            let [a, b] = [0, 1].map(|shift| {
                let kind = Kind::ALL[(case + shift * (case / 6)) % 6];
                let len = 1 + random.below(100) as usize;
                kind.limbs(len, 14 + 2 * (case % 2), &mut random)
            });
            Case::new(1 + case % 3, a, b)
        };
        let cases: Vec<_> = (0..400).map(case).collect();
        on_threads(3, || cases.iter().for_each(|case| case.check(&context)));
    }
}
