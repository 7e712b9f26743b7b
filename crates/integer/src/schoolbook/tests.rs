//! The assembly against plain Rust: every length, and no limb written beyond the product.

use super::{mul, mul_by_few, mul_if_short, portable, sqr_if_faster, sqr_if_short};
use crate::cpu::CpuClass;

/// What stands beyond a product before and after.
const GUARD: u64 = 0x0123_4567_89AB_CDEF;
const LONGEST: usize = 40;

/// Limbs that make carries run far: zeros and ones throughout, and mixtures with random limbs.
fn operands(len: usize, random: &mut impl FnMut() -> u64) -> Vec<Vec<u64>> {
    let mut all = vec![vec![0; len], vec![u64::MAX; len]];
    for _ in 0..4 {
        let limb = |_| match random() % 4 {
            0 => 0,
            1 => u64::MAX,
            _ => random(),
        };
        all.push((0..len).map(limb).collect());
    }
    all.push((0..len).map(|_| random()).collect());
    all
}

fn xorshift() -> impl FnMut() -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Runs a kernel that says whether it takes these lengths, and compares what it has computed.
fn check(a: &[u64], b: &[u64], kernel: impl Fn(&mut [u64], &[u64], &[u64]) -> bool) -> bool {
    let len = a.len() + b.len();
    let mut expected = vec![GUARD; len + 1];
    portable::mul(&mut expected[..len], a, b);
    let mut found = vec![GUARD; len + 1];
    let runs = kernel(&mut found[..len], a, b);
    assert!(!runs || found == expected, "{a:x?} × {b:x?}: {found:x?}");
    runs
}

#[test]
fn products_of_every_length() {
    let cpu = CpuClass::Adx;
    if !cpu.is_supported() {
        println!("skipped: this processor does not run the {cpu} kernels");
        return;
    }
    let mut random = xorshift();
    for len_a in 0..=LONGEST {
        for len_b in 0..=LONGEST {
            for a in operands(len_a, &mut random) {
                for b in operands(len_b, &mut random) {
                    let short = check(&a, &b, |out, a, b| mul_if_short(cpu, out, a, b));
                    assert_eq!(short, (1..=8).contains(&len_a) && (1..=8).contains(&len_b));
                    if len_a < len_b {
                        continue;
                    }
                    check(&a, &b, |out, a, b| {
                        mul(cpu, out, a, b);
                        true
                    });
                    check(&a, &b, |out, a, b| {
                        let few = b.len() <= 8;
                        if few {
                            mul_by_few(cpu, out, a, b);
                        }
                        few
                    });
                }
            }
        }
    }
}

#[test]
fn squares_of_every_length() {
    let cpu = CpuClass::Adx;
    if !cpu.is_supported() {
        println!("skipped: this processor does not run the {cpu} kernels");
        return;
    }
    let mut random = xorshift();
    for len in 0..=LONGEST {
        for _ in 0..100 {
            for a in operands(len, &mut random) {
                let short = check(&a, &a, |out, a, _| sqr_if_short(cpu, out, a));
                assert_eq!(short, (1..=8).contains(&len));
                let faster = check(&a, &a, |out, a, _| sqr_if_faster(cpu, out, a));
                assert_eq!(faster, (1..=16).contains(&len));
            }
        }
    }
}
