//! Schoolbook products with `mulx`, `adcx` and `adox`: two carry chains beside each multiplication.
//!
//! Partial sums stay in registers. Short operands have a function for every length; a longer operand
//! passes limb by limb over the shorter one while that has at most eight limbs, and is else cut into
//! strips of at most eight.

#[macro_use]
mod rows;
#[macro_use]
mod cross;
mod long_square;
mod shape;
mod square;
mod strip;
mod two_words;
mod word;

/// Whether [`mul_short`] takes operands of these lengths.
#[inline]
pub(super) fn is_short(len_a: usize, len_b: usize) -> bool {
    shape::exists(len_a, len_b)
}

/// `out = a · b` for lengths that are short.
///
/// # Safety
/// The processor must support BMI2 and ADX; `out.len() = a.len() + b.len()`.
#[inline]
pub(super) unsafe fn mul_short(out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert!(out.len() == a.len() + b.len());
    // SAFETY: BMI2 and ADX, and room for the product in `out`, as this function asks.
    unsafe { shape::mul_at(out.as_mut_ptr(), a, b) };
}

/// The most limbs of the shorter operand that [`mul_by_few`] takes.
const FEW: usize = 8;
/// From so many limbs on, the longer operand is cut into strips even if the other has three or four:
/// measured.
const LONG: usize = 24;

/// `out = a · b` for `a.len() ≥ b.len()`.
///
/// # Safety
/// The processor must support BMI2 and ADX; `out.len() = a.len() + b.len()`.
#[inline]
pub(super) unsafe fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    // SAFETY: what this function asks is what both ask, by the length of b; operands of more than FEW limbs are not
    // empty.
    unsafe {
        if b.len() <= FEW {
            mul_by_few(out, a, b);
        } else {
            mul_by_strips(out, a, b);
        }
    }
}

/// `out = a · b` for `a.len() ≥ b.len()`, where `b` has at most [`FEW`] limbs.
///
/// # Safety
/// As [`mul`].
#[inline]
pub(super) unsafe fn mul_by_few(out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert!(out.len() == a.len() + b.len() && a.len() >= b.len() && b.len() <= FEW);
    let (pa, pb, po) = (a.as_ptr(), b.as_ptr(), out.as_mut_ptr());
    // SAFETY: BMI2 and ADX, as this function asks; every function reads as many limbs as the slices have, at least one
    // of each, and writes as many as both, the length of `out`.
    unsafe {
        match b.len() {
            0 => out.fill(0),
            1 => word::mul(po, pa, b[0], a.len()),
            2 => two_words::mul(po, pa, pb, a.len()),
            3..=4 if a.len() >= LONG => mul_long_by_few(out, a, b),
            // The mask changes no index that occurs here, and spares the check of bounds.
            few => strip::FRESH[(few - 1) & 7](po, pb, pa, a.len()),
        }
    }
}

/// Beside [`mul_by_few`], which would save registers for it.
///
/// # Safety
/// As [`mul`]; no operand is empty.
#[inline(never)]
unsafe fn mul_long_by_few(out: &mut [u64], a: &[u64], b: &[u64]) {
    // SAFETY: this function asks the same.
    unsafe { mul_by_strips(out, a, b) };
}

/// `out = a · b` for any lengths but zero.
///
/// # Safety
/// As [`mul`]; no operand is empty.
#[inline]
unsafe fn mul_by_strips(out: &mut [u64], a: &[u64], b: &[u64]) {
    debug_assert!(out.len() == a.len() + b.len() && !a.is_empty() && !b.is_empty());
    let (pa, pb, po, rows) = (a.as_ptr(), b.as_ptr(), out.as_mut_ptr(), b.len());
    let first = (a.len() - 1) % 8 + 1;
    // SAFETY: the first strip reads `first` limbs of a and all of b, and writes as many limbs of the
    // product; each other strip starts eight limbs further up, where the strip before has left `rows`
    // limbs, and ends inside the product.
    unsafe {
        strip::FRESH[first - 1](po, pa, pb, rows);
        for start in (first..a.len()).step_by(8) {
            strip::add_8(po.add(start), pa.add(start), pb, rows);
        }
    }
}

/// Whether [`sqr_short`] takes operands of this length.
#[inline]
pub(super) fn is_short_square(len: usize) -> bool {
    square::exists(len)
}

/// `out = a²` for a length that is short.
///
/// # Safety
/// The processor must support BMI2 and ADX; `out.len() = 2 · a.len()`.
#[inline]
pub(super) unsafe fn sqr_short(out: &mut [u64], a: &[u64]) {
    // SAFETY: this function asks the same, for a length that `is_short_square`.
    unsafe { square::sqr(out, a) };
}

/// `out = a²` for lengths up to that from which on products are as fast; says whether it is.
///
/// # Safety
/// The processor must support BMI2 and ADX; `out.len() = 2 · a.len()`.
#[inline]
pub(super) unsafe fn sqr(out: &mut [u64], a: &[u64]) -> bool {
    // SAFETY: each is called for lengths that it has a function for, just asked; the rest this function asks as well.
    unsafe {
        if square::exists(a.len()) {
            square::sqr(out, a);
        } else if long_square::exists(a.len()) {
            long_square::sqr(out, a);
        } else {
            return false;
        }
    }
    true
}
