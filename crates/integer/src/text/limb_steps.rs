//! The few loops over limbs that conversions need besides those of [`crate::limbs`].

/// `x := x·word + add`; the carry out of the top is returned.
#[inline]
pub(super) fn mul_add_word(x: &mut [u64], word: u64, add: u64) -> u64 {
    let mut carry = add;
    for limb in x {
        let product = u128::from(*limb) * u128::from(word) + u128::from(carry);
        *limb = product as u64;
        carry = (product >> 64) as u64;
    }
    carry
}

/// Removes zero limbs at the top.
pub(super) fn trim(x: &mut Vec<u64>) {
    while x.last() == Some(&0) {
        x.pop();
    }
}

/// `x := 2^(64·len) − x` modulo 2^(64·len).
pub(super) fn negate(x: &mut [u64]) {
    let mut borrow = true;
    for limb in x {
        let (value, carry) = (!*limb).overflowing_add(u64::from(borrow));
        *limb = value;
        borrow = carry;
    }
}

/// Fills `out` with the bits of x from bit `offset` upward; bits beyond x are zero.
pub(super) fn extract_bits(out: &mut [u64], x: &[u64], offset: usize) {
    let (skip, bits) = (offset / 64, offset % 64);
    let limb = |i: usize| x.get(i).copied().unwrap_or(0);
    for (i, word) in out.iter_mut().enumerate() {
        let low = limb(skip + i);
        *word = if bits == 0 {
            low
        } else {
            low >> bits | limb(skip + i + 1) << (64 - bits)
        };
    }
}
