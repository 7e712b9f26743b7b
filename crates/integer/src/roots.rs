//! Square roots of limb vectors with remainder.
//!
//! **Algorithm.** P. Zimmermann, *Karatsuba square root* (1999), as in R. Brent and P. Zimmermann, *Modern Computer Arithmetic*, algorithm
//! 1.12: the root of the upper half, then one division by it for the lower limbs. **Cost.** O(M(n)), M(n) the cost of a product.

use crate::division::Divide;
use crate::multiplier::Multiplier;
use crate::scratch::with_limbs;
use sunzi_rns::limbs::{
    add_assign, cmp, difference, shl, shr_assign, sub_1, sub_assign, trim, truncate_zeros,
};

impl Multiplier {
    /// The integer part s of the square root of a vector of limbs, and a − s², without zeros at their ends.
    ///
    /// ```
    /// let (root, remainder) = sunzi::integer::Multiplier::new().sqrt_rem(&[3, 0, 4]); // of 4·2^128 + 3
    /// assert_eq!((root, remainder), (vec![0, 2], vec![3]));
    /// ```
    pub fn sqrt_rem(&self, a: &[u64]) -> (Vec<u64>, Vec<u64>) {
        self.divide().sqrt_rem(a)
    }

    /// What is made of the integer part of the square root of a vector of limbs, without zeros at its end.
    pub(crate) fn sqrt<T>(&self, a: &[u64], make: impl FnOnce(&[u64]) -> T) -> T {
        self.divide().shifted_root(trim(a), false, |root, _, bits| {
            shr_assign(root, bits);
            make(root)
        })
    }
}

impl Divide<'_> {
    /// [`Multiplier::sqrt_rem`].
    pub fn sqrt_rem(&self, a: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let a = trim(a);
        self.shifted_root(a, true, |root, remainder, bits| {
            shr_assign(root, bits);
            let mut remainder = match bits {
                0 => remainder.to_vec(),
                _ => {
                    let mut square = vec![0; 2 * root.len()];
                    self.multiplier.sqr(&mut square, root);
                    difference(a, &square).0
                }
            };
            truncate_zeros(&mut remainder);
            (root.to_vec(), remainder)
        })
    }

    /// What is made of the root of a number without zeros at its end that was shifted by twice as many bits, and of what is left of that,
    /// if it is wanted. The root has no zero at its end, shifted back or not.
    fn shifted_root<T>(
        &self,
        a: &[u64],
        wanted: bool,
        make: impl FnOnce(&mut [u64], &[u64], u32) -> T,
    ) -> T {
        let Some(&top) = a.last() else {
            return make(&mut [], &[], 0);
        };
        // An even number of limbs, and one of the two highest bits is set.
        let odd = a.len() % 2;
        let zeros = top.leading_zeros() / 2 * 2;
        let n = (a.len() + odd) / 2;
        with_limbs(4 * n, |scratch| {
            let (remainder, rest) = scratch.split_at_mut(2 * n);
            let (root, scratch) = rest.split_at_mut(n);
            shl(&mut remainder[odd..], a, zeros);
            self.sqrt(root, remainder, scratch, wanted);
            make(root, remainder, (64 * odd as u32 + zeros) / 2)
        })
    }

    /// The root of as many limbs as fit into `root`, twice as many, of whose two highest bits one is set. The remainder, at most twice the
    /// root, is left in the low limbs of `a`; limbs above are zero then. `scratch` is as long as the root.
    /// Where the remainder is not wanted, `a` is left as it comes.
    fn sqrt(&self, root: &mut [u64], a: &mut [u64], scratch: &mut [u64], wanted: bool) {
        if let ([root], [low, high]) = (&mut *root, &mut *a) {
            let value = u128::from(*high) << 64 | u128::from(*low);
            *root = normalized_root(value);
            let remainder = value - u128::from(*root) * u128::from(*root);
            (*low, *high) = (remainder as u64, (remainder >> 64) as u64);
            return;
        }
        let n = root.len();
        let low = n / 2;
        let (quotient, upper) = root.split_at_mut(low);
        self.sqrt(upper, &mut a[2 * low..], scratch, true);
        // What is left, r′, followed by the next limbs, is divided by twice the upper root: by the root, and the quotient is halved.
        let window = &mut a[low..=low + n];
        let rest = &mut window[low..];
        let twice = cmp(rest, upper).is_ge();
        if twice {
            sub_assign(rest, upper);
        }
        if cmp(rest, upper).is_ge() {
            // r′ was twice the upper root: the quotient would be one limb more, but a root has no more than its limbs.
            quotient.fill(u64::MAX);
            window[low..].fill(0);
            add_assign(window, upper);
            add_assign(window, upper);
        } else {
            self.normalized(quotient, &mut window[..n], upper);
            let odd = quotient[0] & 1;
            shr_assign(quotient, 1);
            quotient[low - 1] |= u64::from(twice) << 63;
            if odd == 1 {
                add_assign(window, upper);
            }
        }
        if !wanted {
            // What is left, r″·2^(64·low) and lower limbs, is compared with the square of the quotient by the leading limbs of both.
            let rest = u128::from(window[low]) << 64 | u128::from(window[low - 1]);
            let above = window[low + 1..].iter().any(|&limb| limb != 0);
            let leading = u128::from(quotient[low - 1]);
            // The square's leading limb is this one, or up to 3 more: q² ≤ (q + 1)² ≤ q² + 2·2^64.
            let square = (leading * leading) >> 64;
            if above || rest > square + 3 {
                return;
            }
            if rest + 1 < square {
                sub_1(root, 1);
                return;
            }
        }
        let square = &mut scratch[..2 * low];
        self.multiplier.sqr(square, quotient);
        let remainder = &mut a[..=n];
        if sub_assign(remainder, square) != 0 {
            // The root is one too large: 2·root − 1 come back.
            add_assign(remainder, root);
            sub_1(root, 1);
            add_assign(&mut a[..=n], root);
        }
    }
}

/// The integer part of the root of a number of two limbs, of whose two highest bits one is set.
///
/// That of the higher limb as the processor finds it has 52 right bits; half of what the square lacks, divided by it, is added.
fn normalized_root(value: u128) -> u64 {
    debug_assert!(value >> 126 != 0);
    let estimate = (((value >> 64) as f64).sqrt() * 4_294_967_296.0) as u64;
    let square = |root: u64| u128::from(root) * u128::from(root);
    let lack = value.wrapping_sub(square(estimate)) as i128;
    // It is below 2^78: 2^24 less of it is exact enough, as the correction may be wrong by 1.
    let correction = (lack >> 24) as i64 as f64 * (8_388_608.0 / estimate as f64);
    let mut root = estimate.saturating_add_signed(correction as i64);
    while square(root) > value {
        root -= 1;
    }
    while value - square(root) > 2 * u128::from(root) {
        root += 1;
    }
    root
}

/// The integer part of the root of a number of at most two limbs.
pub(crate) fn root_of_two_limbs(value: u128) -> u64 {
    if value == 0 {
        return 0;
    }
    let bits = value.leading_zeros() / 2;
    normalized_root(value << (2 * bits)) >> bits
}
