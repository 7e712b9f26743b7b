//! Digits on their way to canonical form.

use super::digits::Digits;
use crate::word_modulus::WordModulus;
use sunzi_machine::arrays;

/// Signed digits of any size: the number `Σ d_i·r^i` mod p. They arise inside an operation only.
pub(super) struct Unnormalized<const K: usize>(pub(super) [i128; K]);

impl<const K: usize> Unnormalized<K> {
    /// Nothing.
    pub(super) const fn zero() -> Self {
        Self([0; K])
    }

    /// Adds `digit·r^power` for a power below 2K: r^K = −1.
    #[inline(always)]
    pub(super) const fn add(&mut self, power: usize, digit: i128) {
        if power < K {
            self.0[power] += digit;
        } else {
            self.0[power - K] -= digit;
        }
    }

    /// The canonical element, of digits that are below `bound·r` in absolute value; `bound` is
    /// below 2^15.
    ///
    /// Each is divided by r on its own, so that what is left for the chain of carries is small.
    pub(super) fn normalize(mut self, bound: i128, radix: &WordModulus) -> Digits<K> {
        let mut carries = [0; K];
        for (digit, carry) in self.0.iter_mut().zip(&mut carries) {
            // Not negative, and below 2^16·r for any r.
            let raised = *digit + bound * i128::from(radix.get());
            let (quotient, rest) = radix.div_rem_wide(raised as u128);
            *carry = i128::from(quotient) - bound;
            *digit = rest.into();
        }
        for (power, &carry) in carries.iter().enumerate() {
            self.add(power + 1, carry);
        }
        // Where r is small, a carry is more than r.
        if u128::from(radix.get()) < 2 * bound as u128 {
            return self.carry_slowly(radix.get());
        }
        self.carry(radix.get())
    }

    /// The canonical element, of digits from −r to 2r. A digit −r arises from p − 1 only, whose lower
    /// digits are 0: no borrow comes from below it.
    #[inline(always)]
    pub(super) fn carry(self, radix: u64) -> Digits<K> {
        let r = i128::from(radix);
        let mut carry = 0;
        let digits = arrays::map(self.0, |digit| {
            let mut digit = digit + carry;
            // Without branches, as digits are unpredictable.
            let below = digit >> 127;
            digit += r & below;
            carry = below;
            // With carries the bounds are −r − 1 and 2r + 1.
            for _ in 0..2 {
                let reduced = digit - r;
                let reaches = !(reduced >> 127);
                digit -= r & reaches;
                carry -= reaches;
            }
            digit as u64
        });
        wrap(Digits(digits), carry, radix)
    }

    /// The same for digits of any size, in a time that grows with their quotients by r.
    fn carry_slowly(self, radix: u64) -> Digits<K> {
        let r = i128::from(radix);
        let mut carry = 0;
        let digits = arrays::map(self.0, |digit| {
            let sum = digit + carry;
            carry = sum.div_euclid(r);
            sum.rem_euclid(r) as u64
        });
        wrap(Digits(digits), carry, radix)
    }
}

/// `x + carry·r^K`, which is `x − carry`.
pub(super) fn wrap<const K: usize>(mut x: Digits<K>, carry: i128, radix: u64) -> Digits<K> {
    for _ in 0..carry {
        decrement(&mut x, radix);
    }
    for _ in carry..0 {
        increment(&mut x.0, radix);
    }
    x
}

/// p − 1, whose digits are its own: `(0, …, 0, r)`.
pub(super) const fn minus_one<const K: usize>(radix: u64) -> Digits<K> {
    let mut digits = [0; K];
    digits[K - 1] = radix;
    Digits(digits)
}

/// `x − 1`.
pub(super) fn decrement<const K: usize>(x: &mut Digits<K>, radix: u64) {
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
pub(super) fn increment(x: &mut [u64], radix: u64) {
    let last = x.len() - 1;
    // Of canonical digits, only those of p − 1 = r^K have one that is r.
    if x[last] == radix {
        x[last] = 0;
        return;
    }
    for digit in x.iter_mut() {
        if *digit < radix - 1 {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
    // All digits were r − 1: r^K = p − 1.
    x[last] = radix;
}
