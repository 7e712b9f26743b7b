//! Toom-3: five products of a third of the size instead of nine.
//!
//! Both operands are cut into three parts, read as polynomials of degree 2 in x = 2^(64k), and evaluated
//! at 0, 1, −1, 2 and ∞; the product of degree 4 is interpolated by the sequence of M. Bodrato and
//! A. Zanoni, "Integer and polynomial multiplication: towards optimal Toom-Cook matrices" (ISSAC 2007).
//! Every intermediate value is a non-negative integer, except for those at −1, kept as absolute value
//! and sign.

use sunzi_rns::limbs::{
    add_1, add_assign, addmul_1, cmp, div_exact_3, shr_assign, sub_1, sub_assign, sub_from,
    submul_1, trim,
};

/// `out = a · b` for `a.len() ≥ b.len() > 2⌈a.len()/3⌉`, both the same where `square` says so; `scratch` has
/// 8(⌈a.len()/3⌉ + 1) limbs of its own and those of `mul`, the product of a third of the size.
pub(crate) fn mul(
    out: &mut [u64],
    a: &[u64],
    b: &[u64],
    square: bool,
    scratch: &mut [u64],
    mul: impl Fn(&mut [u64], &[u64], &[u64], &mut [u64]),
) {
    let k = a.len().div_ceil(3);
    debug_assert!(a.len() >= b.len() && b.len() > 2 * k && out.len() == a.len() + b.len());
    let size = 2 * (k + 1);
    let (at_1, scratch) = scratch.split_at_mut(size);
    let (at_m1, scratch) = scratch.split_at_mut(size);
    let (at_2, scratch) = scratch.split_at_mut(size);
    let (values, scratch) = scratch.split_at_mut(size);
    let (va, vb) = values.split_at_mut(k + 1);
    let (pa, pb) = (parts(a, k), parts(b, k));
    let mut multiply = |out: &mut [u64], va: &[u64], vb: &[u64]| {
        mul(out, va, if square { va } else { vb }, scratch);
    };

    let negative = evaluate_at_minus_1(va, pa) != (!square && evaluate_at_minus_1(vb, pb));
    let negative = negative && !square;
    multiply(at_m1, va, vb);
    evaluate_at_1(va, pa);
    if !square {
        evaluate_at_1(vb, pb);
    }
    multiply(at_1, va, vb);
    evaluate_at_2(va, pa);
    if !square {
        evaluate_at_2(vb, pb);
    }
    multiply(at_2, va, vb);
    multiply(&mut out[..2 * k], pa[0], pb[0]);
    multiply(&mut out[4 * k..], pa[2], pb[2]);

    interpolate(out, k, at_1, at_m1, negative, at_2);
}

/// The three parts of an operand, the lower two of k limbs.
fn parts(x: &[u64], k: usize) -> [&[u64]; 3] {
    [&x[..k], &x[k..2 * k], &x[2 * k..]]
}

/// `value = x₀ + x₁ + x₂`
fn evaluate_at_1(value: &mut [u64], x: [&[u64]; 3]) {
    let k = x[0].len();
    value[..k].copy_from_slice(x[0]);
    value[k] = 0;
    add_assign(value, x[2]);
    add_assign(value, x[1]);
}

/// `value = |x₀ − x₁ + x₂|`; says whether the value is negative.
fn evaluate_at_minus_1(value: &mut [u64], x: [&[u64]; 3]) -> bool {
    let k = x[0].len();
    value[..k].copy_from_slice(x[0]);
    value[k] = 0;
    add_assign(value, x[2]);
    if cmp(value, x[1]).is_lt() {
        // The value is below x₁, hence has k limbs.
        sub_from(&mut value[..k], x[1]);
        true
    } else {
        sub_assign(value, x[1]);
        false
    }
}

/// `value = x₀ + 2x₁ + 4x₂`
fn evaluate_at_2(value: &mut [u64], x: [&[u64]; 3]) {
    let k = x[0].len();
    value[..k].copy_from_slice(x[0]);
    value[k] = addmul_1(&mut value[..k], x[1], 2);
    let carry = addmul_1(&mut value[..x[2].len()], x[2], 4);
    add_1(&mut value[x[2].len()..], carry);
}

/// From the values at 0 (`out[..2k]`), ∞ (`out[4k..]`), 1, −1 and 2 to the whole product in `out`.
fn interpolate(
    out: &mut [u64],
    k: usize,
    at_1: &mut [u64],
    at_m1: &mut [u64],
    negative: bool,
    at_2: &mut [u64],
) {
    // c₀ … c₄ are the coefficients of the product.
    // at_2 = (v(2) − v(−1))/3 = c₁ + c₂ + 3c₃ + 5c₄; at_m1 = (v(1) − v(−1))/2 = c₁ + c₃.
    if negative {
        add_assign(at_2, at_m1);
        add_assign(at_m1, at_1);
    } else {
        sub_assign(at_2, at_m1);
        sub_from(at_m1, at_1);
    }
    div_exact_3(at_2);
    shr_assign(at_m1, 1);
    let at_0 = &out[..2 * k];
    let at_infinity = &out[4 * k..];
    sub_assign(at_1, at_0); // c₁ + c₂ + c₃ + c₄
    sub_assign(at_2, at_1);
    shr_assign(at_2, 1); // c₃ + 2c₄
    sub_assign(at_1, at_m1);
    sub_assign(at_1, at_infinity); // c₂
    let borrow = submul_1(&mut at_2[..at_infinity.len()], at_infinity, 2);
    sub_1(&mut at_2[at_infinity.len()..], borrow); // c₃
    sub_assign(at_m1, at_2); // c₁

    // c₂ fits between the two ends but for its top limbs, which are added like the rest.
    out[2 * k..4 * k].copy_from_slice(&at_1[..2 * k]);
    add_assign(&mut out[4 * k..], trim(&at_1[2 * k..]));
    add_assign(&mut out[k..], at_m1);
    add_assign(&mut out[3 * k..], trim(at_2));
}
