//! Karatsuba's product: three products of half the size instead of four.
//!
//! With a = a₁x + a₀ and b = b₁x + b₀, x = 2^(64h):
//! a·b = p₂x² + (p₀ + p₂ − (a₀ − a₁)(b₀ − b₁))x + p₀, where p₀ = a₀b₀ and p₂ = a₁b₁
//! (Knuth, The Art of Computer Programming 2, §4.3.3, in its subtractive form, whose operands never
//! grow by a bit). Differences are kept as absolute value and sign.

use std::cmp::Ordering;

use sunzi_rns::limbs::{add_1, add_assign, sub_1, sub_from, sub_n};

/// `out = a · b` for `a.len() ≥ b.len() > ⌈a.len()/2⌉`, both the same where `square` says so; `mul` is the product of
/// half the size, which may use the rest of the scratch.
pub(crate) fn mul(
    out: &mut [u64],
    a: &[u64],
    b: &[u64],
    square: bool,
    scratch: &mut [u64],
    mul: impl Fn(&mut [u64], &[u64], &[u64], &mut [u64]),
) {
    let h = a.len().div_ceil(2);
    debug_assert!(b.len() > h && a.len() >= b.len() && out.len() == a.len() + b.len());
    let (a0, a1) = a.split_at(h);
    let (b0, b1) = b.split_at(h);
    let (middle, scratch) = scratch.split_at_mut(2 * h);

    // The differences live where p₀ will be: they are used up before it is computed.
    let (da, rest) = out.split_at_mut(h);
    let db = &mut rest[..h];
    let mut negative = abs_diff(da, a0, a1);
    if square {
        negative = false;
        mul(middle, da, da, scratch);
    } else {
        negative ^= abs_diff(db, b0, b1);
        mul(middle, da, db, scratch);
    }

    let (p0, p2) = out.split_at_mut(2 * h);
    mul(p0, a0, b0, scratch);
    mul(p2, a1, b1, scratch);

    let top = combine_middle(middle, p0, p2, negative);
    let (low, high) = out[h..].split_at_mut(2 * h);
    let carry = add_assign(low, middle) + top;
    add_1(high, carry);
}

/// `out = |x − y|` for `x.len() = out.len() ≥ y.len()`; says whether x < y.
fn abs_diff(out: &mut [u64], x: &[u64], y: &[u64]) -> bool {
    let (x_low, x_high) = x.split_at(y.len());
    let less = x_high.iter().all(|&limb| limb == 0) && cmp_equal_length(x_low, y) == Ordering::Less;
    if less {
        sub_n(out, y, x_low);
        out[y.len()..].fill(0);
    } else {
        let borrow = sub_n(out, x_low, y);
        out[y.len()..].copy_from_slice(x_high);
        sub_1(&mut out[y.len()..], borrow);
    }
    less
}

fn cmp_equal_length(x: &[u64], y: &[u64]) -> Ordering {
    x.iter().rev().cmp(y.iter().rev())
}

/// `middle = p0 + p2 ∓ middle` (minus unless `negative`); returns the limb above it.
fn combine_middle(middle: &mut [u64], p0: &[u64], p2: &[u64], negative: bool) -> u64 {
    // The whole is a₀b₁ + a₁b₀ ≥ 0, so a borrow is always covered by a carry.
    if negative {
        add_assign(middle, p0) + add_assign(middle, p2)
    } else {
        let borrow = sub_from(middle, p0);
        add_assign(middle, p2).wrapping_sub(borrow)
    }
}
