//! Every instruction set against plain word arithmetic, on edge words crossed with each other.

use sunzi_machine::InstructionSet;
use sunzi_machine::simd::{Simd, SimdTask};
use sunzi_testkit::{edge_words, skip};

/// Runs a binary vector operation over pairs of words.
struct Pairwise<'a, O> {
    operation: O,
    a: &'a [u64],
    b: &'a [u64],
}

/// A binary operation on vectors.
trait VectorOperation {
    fn apply<S: Simd>(&self, simd: S, a: S::Vector, b: S::Vector) -> S::Vector;
}

impl<S: Simd, O: VectorOperation> SimdTask<S> for Pairwise<'_, O> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run(self, simd: S) -> Vec<u64> {
        let mut results = vec![0; self.a.len()];
        let operands = self
            .a
            .chunks_exact(S::LANES)
            .zip(self.b.chunks_exact(S::LANES));
        for (result, (a, b)) in results.chunks_exact_mut(S::LANES).zip(operands) {
            let value = self.operation.apply(simd, simd.load(a), simd.load(b));
            simd.store(result, value);
        }
        results
    }
}

macro_rules! check {
    ($name:ident, |$simd:ident, $a:ident, $b:ident| $vector:expr, |$x:ident, $y:ident| $word:expr) => {
        #[test]
        fn $name() {
            struct Operation;
            impl VectorOperation for Operation {
                #[inline(always)]
                fn apply<S: Simd>(&self, $simd: S, $a: S::Vector, $b: S::Vector) -> S::Vector {
                    $vector
                }
            }
            let words = edge_words();
            let (mut left, mut right) = (Vec::new(), Vec::new());
            for &x in &words {
                for &y in &words {
                    left.push(x);
                    right.push(y);
                }
            }
            // Whole vectors of every width.
            left.resize(left.len().next_multiple_of(16), 7);
            right.resize(left.len(), 9);
            for set in InstructionSet::ALL {
                let task = Pairwise {
                    operation: Operation,
                    a: &left,
                    b: &right,
                };
                let Some(results) = set.run(task) else {
                    skip(&format!("this machine lacks {set:?}"));
                    continue;
                };
                for ((&$x, &$y), &result) in left.iter().zip(&right).zip(&results) {
                    assert_eq!(result, $word, "{set:?}: {:#x}, {:#x}", $x, $y);
                }
            }
        }
    };
}

fn halves(x: u64, y: u64, operation: impl Fn(u32, u32) -> u32) -> u64 {
    let low = operation(x as u32, y as u32);
    let high = operation((x >> 32) as u32, (y >> 32) as u32);
    u64::from(high) << 32 | u64::from(low)
}

fn product(x: u64, y: u64) -> u128 {
    u128::from(x) * u128::from(y)
}

const MASK_52: u64 = (1 << 52) - 1;

check!(add64, |s, a, b| s.add64(a, b), |x, y| x.wrapping_add(y));
check!(sub64, |s, a, b| s.sub64(a, b), |x, y| x.wrapping_sub(y));
check!(add32, |s, a, b| s.add32(a, b), |x, y| halves(
    x,
    y,
    u32::wrapping_add
));
check!(sub32, |s, a, b| s.sub32(a, b), |x, y| halves(
    x,
    y,
    u32::wrapping_sub
));
check!(min32, |s, a, b| s.min32(a, b), |x, y| halves(
    x,
    y,
    u32::min
));
check!(and, |s, a, b| s.and(a, b), |x, y| x & y);
check!(or, |s, a, b| s.or(a, b), |x, y| x | y);
check!(shift_right, |s, a, _b| s.shift_right64(a, 31), |x, _y| x
    >> 31);
check!(
    shift_right_all,
    |s, a, _b| s.shift_right64(a, 64),
    |_x, _y| 0
);
check!(shift_left, |s, a, _b| s.shift_left64(a, 63), |x, _y| x
    << 63);
check!(shift_left_all, |s, a, _b| s.shift_left64(a, 64), |_x, _y| 0);
check!(
    mul_low_halves,
    |s, a, b| s.mul_low_halves(a, b),
    |x, y| product(x & 0xffff_ffff, y & 0xffff_ffff) as u64
);
check!(mul_low64, |s, a, b| s.mul_low64(a, b), |x, y| x
    .wrapping_mul(y));
check!(mul_wide_low, |s, a, b| s.mul_wide64(a, b).0, |x, y| x
    .wrapping_mul(y));
check!(
    mul_high64,
    |s, a, b| s.mul_high64(a, b),
    |x, y| (product(x, y) >> 64) as u64
);
check!(add_low52, |s, a, b| s.add_low52(a, a, b), |x, y| x
    .wrapping_add(
        product(x & MASK_52, y & MASK_52) as u64 & MASK_52
    ));
check!(add_high52, |s, a, b| s.add_high52(a, a, b), |x, y| x
    .wrapping_add((product(x & MASK_52, y & MASK_52) >> 52) as u64));
check!(
    reduce_once64,
    // The operation is specified for a < 2b and b ≤ 2^63 only: build such operands.
    |s, a, b| {
        let bound = s.shift_right64(b, 1);
        let value = s.add64(s.shift_right64(a, 2), s.shift_right64(b, 2));
        s.reduce_once64(value, bound)
    },
    |x, y| {
        let (value, bound) = ((x >> 2) + (y >> 2), y >> 1);
        if value >= bound { value - bound } else { value }
    }
);
check!(splat32, |s, _a, _b| s.splat32(0x8000_0001), |_x, _y| {
    0x8000_0001_8000_0001
});

/// The build script leaves kernels out only where the processor could not run them: in a target folder of another one,
/// `cargo clean -p sunzi-machine`.
#[cfg(target_arch = "x86_64")]
#[test]
fn no_kernel_is_left_out_that_the_processor_has() {
    let has = std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512dq")
        && std::arch::is_x86_feature_detected!("avx512vl")
        && std::arch::is_x86_feature_detected!("avx512ifma");
    assert_eq!(InstructionSet::Avx512.is_available(), has);
}
