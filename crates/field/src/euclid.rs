//! Euclid's algorithm on long integers, stopped where the caller wants.
//!
//! For a modulus M and a value v, the remainders r of Euclid's algorithm come with cofactors s such that
//! s·v ≡ r mod M, and |s|·r ≤ M. The remainder 1 gives the inverse of v.
//!
//! **Algorithm.** Lehmer's (D. Knuth, *The Art of Computer Programming*, vol. 2, §4.5.2, Algorithm L): the
//! quotients come from the leading 62 bits as long as these determine them, and then all are applied to the long
//! numbers at once; O(n²) word operations for n words.

use crate::LongInteger;
use dashu_int::ops::{BitTest, DivRem};
use dashu_int::{IBig, UBig};

/// Leading bits that quotients are computed from.
const LEADING: usize = 62;

/// The first remainder r < `bound` of Euclid's algorithm for `modulus` and `value`, and the s with
/// s·value ≡ r mod `modulus`.
///
/// ```
/// use sunzi::{Integer, Natural};
/// use sunzi_field::euclid::first_remainder_below;
///
/// // 3/7 mod 101 is 87: its numerator and denominator come back.
/// let (remainder, cofactor): (Natural, Integer) = first_remainder_below(&Natural::from(101u8), &Natural::from(87u8), &Natural::from(8u8));
/// assert_eq!((remainder, cofactor), (Natural::from(3u8), Integer::from(7)));
/// ```
///
/// # Panics
/// If `bound` or `modulus` is 0.
pub fn first_remainder_below<N: LongInteger, Z: LongInteger>(
    modulus: &N,
    value: &N,
    bound: &N,
) -> (N, Z) {
    let [modulus, bound] = [modulus, bound].map(natural);
    let value = residue(value, &modulus);
    let (remainder, cofactor) = stopped(&modulus, &value, &bound);
    let (negative, limbs) = cofactor.sign_and_limbs();
    (
        N::from_natural_limbs(remainder.as_words()),
        Z::from_sign_and_limbs(negative, limbs),
    )
}

/// The absolute value.
fn natural(value: &impl LongInteger) -> UBig {
    UBig::from_words(value.sign_and_limbs().1)
}

/// The value modulo a number that is not 0, whatever its sign.
fn residue(value: &impl LongInteger, modulus: &UBig) -> UBig {
    let rest = natural(value) % modulus;
    match value.sign_and_limbs().0 && !rest.is_zero() {
        true => modulus - rest,
        false => rest,
    }
}

fn stopped(modulus: &UBig, value: &UBig, bound: &UBig) -> (UBig, IBig) {
    assert!(!bound.is_zero(), "no remainder is below 0");
    let mut state = State {
        x: modulus.clone(),
        y: value % modulus,
        s: UBig::ZERO,
        t: UBig::ONE,
        negative: false,
    };
    // One round of leading bits takes less than half of them from both numbers.
    let near = bound.bit_len() + LEADING / 2 + 2;
    while state.y >= *bound {
        let far = state.y.bit_len() > near;
        match far
            .then(|| Steps::of_leading_bits(&state.x, &state.y))
            .flatten()
        {
            Some(steps) => state.apply(&steps),
            None => state.divide(),
        }
    }
    let cofactor = IBig::from(state.t);
    (state.y, if state.negative { -cofactor } else { cofactor })
}

/// The inverse of `value` modulo `modulus`, in `[0, modulus)`, or `None` if they have a common divisor or
/// `modulus` is below 2.
///
/// ```
/// use sunzi::Natural;
/// use sunzi_field::euclid::inverse;
///
/// let inverse = |value: u8, modulus: u8| inverse(&Natural::from(value), &Natural::from(modulus));
/// assert_eq!(inverse(3, 7), Some(Natural::from(5u8)));
/// assert_eq!(inverse(3, 6), None);
/// assert_eq!(inverse(3, 0), None);
/// ```
pub fn inverse<N: LongInteger>(value: &N, modulus: &N) -> Option<N> {
    let modulus = natural(modulus);
    if modulus < UBig::from(2u8) {
        return None;
    }
    let (remainder, cofactor) = stopped(&modulus, &residue(value, &modulus), &UBig::from(2u8));
    let positive = if cofactor < IBig::ZERO {
        IBig::from(modulus) + cofactor
    } else {
        cofactor
    };
    (remainder == UBig::ONE).then(|| N::from_natural_limbs(positive.as_sign_words().1))
}

/// Two remainders in turn, x > y, and their cofactors, whose signs alternate.
struct State {
    x: UBig,
    y: UBig,
    /// |cofactor of x|.
    s: UBig,
    /// |cofactor of y|.
    t: UBig,
    /// Whether the cofactor of y is negative.
    negative: bool,
}

impl State {
    /// One step, whatever its quotient.
    fn divide(&mut self) {
        let (quotient, remainder) = (&self.x).div_rem(&self.y);
        self.x = std::mem::replace(&mut self.y, remainder);
        let cofactor = &self.s + quotient * &self.t;
        self.s = std::mem::replace(&mut self.t, cofactor);
        self.negative = !self.negative;
    }

    /// Several steps at once.
    fn apply(&mut self, steps: &Steps) {
        let [[a, b], [c, d]] = steps.matrix;
        let (x, y) = (&self.x, &self.y);
        let (next_x, next_y) = if steps.odd {
            (y * b - x * a, x * c - y * d)
        } else {
            (x * a - y * b, y * d - x * c)
        };
        let (s, t) = (&self.s, &self.t);
        (self.s, self.t) = (s * a + t * b, s * c + t * d);
        (self.x, self.y) = (next_x, next_y);
        self.negative ^= steps.odd;
    }
}

/// The matrix of several steps, by absolute values: in even ones the diagonal is positive, in odd ones the
/// rest.
struct Steps {
    matrix: [[u64; 2]; 2],
    odd: bool,
}

impl Steps {
    /// The steps that the leading bits determine, if there is one.
    ///
    /// With x̂ and ŷ cut off, x/y lies between x̂/(ŷ + 1) and (x̂ + 1)/ŷ; the bounds are carried along.
    fn of_leading_bits(x: &UBig, y: &UBig) -> Option<Self> {
        let shift = x.bit_len().saturating_sub(LEADING);
        let leading = |value: &UBig| i64::try_from(value >> shift).ok();
        let (mut x, mut y) = (leading(x)?, leading(y)?);
        let [mut a, mut b, mut c, mut d] = [1, 0, 0, 1i64];
        let mut odd = false;
        while y + c != 0 && y + d != 0 {
            let quotient = (x + a) / (y + c);
            if quotient != (x + b) / (y + d) {
                break;
            }
            (a, c) = (c, a - quotient * c);
            (b, d) = (d, b - quotient * d);
            (x, y) = (y, x - quotient * y);
            odd = !odd;
        }
        let matrix = [[a, b], [c, d]].map(|row| row.map(i64::unsigned_abs));
        (b != 0).then_some(Self { matrix, odd })
    }
}
