//! Plain products: every coefficient times every coefficient (the "long" multiplication of the
//! papers' Notation 1: 2d² − 2d + 1 operations for two polynomials of degree below d).
//!
//! Each output coefficient is one sum that is reduced once, at its end; blocks of outputs are kept
//! in vector registers while the terms stream past. Nothing is allocated.

mod window;
mod words32;
mod words64;

pub(crate) use words32::product as product_32;
pub(crate) use words64::product as product_64;

/// The longest stretch of the shorter operand that one pass takes: its sums are bounded by it, and
/// it lies on the stack.
const MAX_SHORT: usize = 256;

/// Outputs for which the longer operand is widened at a time.
const TILE: usize = 512;

/// Calls `pass(out, long, short, accumulate)` for stretches of the shorter operand, such that
/// `out` ends as the product.
///
/// # Panics
/// If `out.len() != a.len() + b.len() − 1` or an operand is empty.
fn in_stretches<T: Copy + Default>(
    out: &mut [T],
    a: &[T],
    b: &[T],
    mut pass: impl FnMut(&mut [T], &[T], &[T], bool),
) {
    assert!(!a.is_empty() && !b.is_empty(), "operands are not empty");
    assert_eq!(out.len(), a.len() + b.len() - 1, "room for the product");
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    if short.len() <= MAX_SHORT {
        return pass(out, long, short, false);
    }
    out.fill(T::default());
    for (index, stretch) in short.chunks(MAX_SHORT).enumerate() {
        let start = index * MAX_SHORT;
        let end = start + long.len() + stretch.len() - 1;
        pass(&mut out[start..end], long, stretch, true);
    }
}
