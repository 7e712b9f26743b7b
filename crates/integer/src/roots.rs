//! Square roots of limb vectors with remainder.
//!
//! **Algorithm.** P. Zimmermann, *Karatsuba square root* (1999), as in R. Brent and P. Zimmermann, *Modern Computer Arithmetic*, algorithm
//! 1.12: the root of the upper half, then one division by it for the lower limbs. **Cost.** O(M(n)), M(n) the cost of a product.

use crate::division::Divide;
use crate::multiplier::Multiplier;
use sunzi_rns::limbs::{
    add_assign, cmp, shl_assign, shr_assign, sub_1, sub_assign, trim, truncate_zeros,
};

impl Multiplier {
    /// The integer part s of the square root of a vector of limbs, and a − s², without zeros at their ends.
    ///
    /// ```
    /// let (root, remainder) = sunzi_integer::Multiplier::new().sqrt_rem(&[3, 0, 4]); // of 4·2^128 + 3
    /// assert_eq!((root, remainder), (vec![0, 2], vec![3]));
    /// ```
    pub fn sqrt_rem(&self, a: &[u64]) -> (Vec<u64>, Vec<u64>) {
        self.divide().sqrt_rem(a)
    }
}

impl Divide<'_> {
    /// [`Multiplier::sqrt_rem`].
    pub fn sqrt_rem(&self, a: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let a = trim(a);
        let Some(&top) = a.last() else {
            return (Vec::new(), Vec::new());
        };
        // An even number of limbs, and one of the two highest bits is set: shifted by 2c bits for the root of c bits more.
        let odd = a.len() % 2;
        let zeros = top.leading_zeros() / 2 * 2;
        let mut shifted = vec![0; odd];
        shifted.extend_from_slice(a);
        shl_assign(&mut shifted, zeros);
        let c = (64 * odd as u32 + zeros) / 2;
        let mut root = vec![0; shifted.len() / 2];
        self.sqrt(&mut root, &mut shifted);
        if c == 0 {
            truncate_zeros(&mut shifted);
            return (root, shifted);
        }
        shr_assign(&mut root, c);
        truncate_zeros(&mut root);
        let mut square = vec![0; 2 * root.len()];
        self.multiplier.sqr(&mut square, &root);
        let mut remainder = a.to_vec();
        sub_assign(&mut remainder, trim(&square));
        truncate_zeros(&mut remainder);
        (root, remainder)
    }

    /// The root of as many limbs as fit into `root`, twice as many, of whose two highest bits one is set. The remainder, at most twice the
    /// root, is left in the low limbs of `a`; limbs above are zero then.
    fn sqrt(&self, root: &mut [u64], a: &mut [u64]) {
        if let ([root], [low, high]) = (&mut *root, &mut *a) {
            let value = u128::from(*high) << 64 | u128::from(*low);
            *root = value.isqrt() as u64;
            let remainder = value - u128::from(*root) * u128::from(*root);
            (*low, *high) = (remainder as u64, (remainder >> 64) as u64);
            return;
        }
        let n = root.len();
        let low = n / 2;
        let (quotient, upper) = root.split_at_mut(low);
        self.sqrt(upper, &mut a[2 * low..]);
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
        let mut square = vec![0; 2 * low];
        self.multiplier.sqr(&mut square, quotient);
        let remainder = &mut a[..=n];
        if sub_assign(remainder, &square) != 0 {
            // The root is one too large: 2·root − 1 come back.
            add_assign(remainder, root);
            sub_1(root, 1);
            add_assign(&mut a[..=n], root);
        }
    }
}
