//! Every kernel against plain Rust: every length that it takes, and no limb written beyond the product.

use sunzi_integer::internals::{Kernel, portable, run};
use sunzi_machine::InstructionSet;
use sunzi_testkit::Random;

/// What stands beyond a product before and after.
const GUARD: u64 = 0x0123_4567_89AB_CDEF;
const LONGEST: usize = 40;

/// Limbs that make carries run far: zeros and ones throughout, and mixtures with random limbs.
fn operands(len: usize, random: &mut Random) -> Vec<Vec<u64>> {
    let mut all = vec![vec![0; len], vec![u64::MAX; len]];
    for _ in 0..4 {
        let limb = |_| match random.below(4) {
            0 => 0,
            1 => u64::MAX,
            _ => random.word(),
        };
        all.push((0..len).map(limb).collect());
    }
    all.push(random.words(len));
    all
}

fn check(kernel: Kernel, a: &[u64], b: &[u64]) {
    let len = a.len() + b.len();
    let mut expected = vec![GUARD; len + 1];
    portable(&mut expected[..len], a, b);
    let mut found = vec![GUARD; len + 1];
    // SAFETY: callers ask the kernel for these lengths and the processor for its instructions; `len` limbs.
    unsafe { run(kernel, &mut found[..len], a, b) };
    assert!(found == expected, "{kernel:?}: {a:x?} × {b:x?}: {found:x?}");
}

/// The kernels of products that this processor runs, but for the one that they are compared with.
fn kernels() -> Vec<Kernel> {
    let adx = [
        Kernel::Unrolled,
        Kernel::Empty,
        Kernel::OneWord,
        Kernel::TwoWords,
        Kernel::Strip,
        Kernel::Strips,
    ];
    let ifma = [Kernel::Ifma, Kernel::IfmaTiled];
    let sets = [
        (InstructionSet::Avx2, &adx[..]),
        (InstructionSet::Avx512, &ifma[..]),
    ];
    let able = sets.into_iter().filter(|(set, _)| {
        let able = set.has_carry_chains();
        if !able {
            println!("skipped: this processor does not run the {set} kernels");
        }
        able
    });
    able.flat_map(|(_, kernels)| kernels).copied().collect()
}

#[test]
fn products_of_every_length() {
    let kernels = kernels();
    let mut random = Random::new(1);
    for len_a in 0..=LONGEST {
        for len_b in 0..=LONGEST {
            let able = kernels.iter().filter(|kernel| kernel.takes(len_a, len_b));
            let able: Vec<_> = able.copied().collect();
            for a in operands(len_a, &mut random) {
                for b in operands(len_b, &mut random) {
                    for &kernel in &able {
                        check(kernel, &a, &b);
                    }
                }
            }
        }
    }
}

#[test]
fn squares_of_every_length() {
    let set = InstructionSet::Avx2;
    if !set.has_carry_chains() {
        println!("skipped: this processor does not run the {set} kernels");
        return;
    }
    let mut random = Random::new(1);
    for len in 0..=LONGEST {
        for _ in 0..100 {
            for a in operands(len, &mut random) {
                for kernel in [Kernel::UnrolledSquare, Kernel::LongSquare] {
                    if kernel.takes(len, len) {
                        check(kernel, &a, &a);
                    }
                }
            }
        }
    }
}
