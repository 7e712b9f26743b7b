//! Digits on their way to canonical form.

use super::digits::Digits;

/// Signed digits of any size: the number `Σ d_i·r^i` mod p. They arise inside an operation only.
pub(super) struct Unnormalized<const K: usize>(pub(super) [i128; K]);

impl<const K: usize> Unnormalized<K> {
    /// Nothing.
    pub(super) const fn zero() -> Self {
        Self([0; K])
    }

    /// Adds `digit·r^power` for a power below 2K: r^K = −1.
    pub(super) const fn add(&mut self, power: usize, digit: i128) {
        if power < K {
            self.0[power] += digit;
        } else {
            self.0[power - K] -= digit;
        }
    }

    /// The canonical element. Digits should be a few times r at most: the time grows with their
    /// quotients by r.
    pub(super) fn normalize(mut self, radix: u64) -> Digits<K> {
        let mut carry = 0;
        for digit in &mut self.0 {
            (carry, *digit) = floor_division(*digit + carry, radix.into());
        }
        let mut digits = Digits(self.0.map(|digit| digit as u64));
        // carry·r^K = −carry.
        while carry > 0 {
            decrement(&mut digits, radix);
            carry -= 1;
        }
        while carry < 0 {
            increment(&mut digits, radix);
            carry += 1;
        }
        digits
    }
}

/// Quotient and rest of `value`, which is a few times `radix` at most, by `radix`.
fn floor_division(mut value: i128, radix: i128) -> (i128, i128) {
    let mut quotient = 0;
    while value < 0 {
        value += radix;
        quotient -= 1;
    }
    while value >= radix {
        value -= radix;
        quotient += 1;
    }
    (quotient, value)
}

/// p − 1, whose digits are its own: `(0, …, 0, r)`.
pub(super) const fn minus_one<const K: usize>(radix: u64) -> Digits<K> {
    let mut digits = [0; K];
    digits[K - 1] = radix;
    Digits(digits)
}

/// `x − 1`.
fn decrement<const K: usize>(x: &mut Digits<K>, radix: u64) {
    if x.0 == [0; K] {
        *x = minus_one(radix);
        return;
    }
    // p − 1 = (0, …, 0, r) gives (r − 1, …, r − 1) by the same borrows.
    for digit in &mut x.0 {
        if *digit > 0 {
            *digit -= 1;
            return;
        }
        *digit = radix - 1;
    }
}

/// `x + 1`.
fn increment<const K: usize>(x: &mut Digits<K>, radix: u64) {
    if *x == minus_one(radix) {
        *x = Digits::default();
        return;
    }
    for digit in &mut x.0 {
        if *digit < radix - 1 {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
    // All digits were r − 1: r^K = p − 1.
    *x = minus_one(radix);
}
