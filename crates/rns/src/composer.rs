//! From a few mixed-radix digits to limbs.

use dashu_int::UBig;

/// Composes values of `N` limbs from up to `N` mixed-radix digits by primes below 2^63: unsigned values, or signed ones in two's
/// complement. A value takes N(N − 1)/2 products of words.
///
/// ```
/// use sunzi_rns::Composer;
///
/// let composer = Composer::<2>::new(&[101, 103]);
/// assert_eq!(composer.unsigned([5, 1]), [5 + 101, 0]);
/// assert_eq!(composer.signed([100, 102]), [u64::MAX; 2]); // −1, modulo both
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Composer<const N: usize> {
    /// The primes, then zeros.
    primes: [u64; N],
    /// Half the modulus, rounded down: what exceeds it stands for a negative value.
    half: [u64; N],
    modulus: [u64; N],
}

impl<const N: usize> Composer<N> {
    /// For these primes, of which the digits are.
    ///
    /// # Panics
    /// If there are more than `N`.
    #[must_use]
    pub fn new(primes: &[u64]) -> Self {
        assert!(primes.len() <= N, "a limb for each prime");
        let modulus: UBig = primes.iter().map(|&prime| UBig::from(prime)).product();
        let mut padded = [0; N];
        padded[..primes.len()].copy_from_slice(primes);
        Self {
            primes: padded,
            half: limbs(&(&modulus >> 1)),
            modulus: limbs(&modulus),
        }
    }

    /// `v_0 + q_0·(v_1 + q_1·(v_2 + …))`, least significant limb first; digits beyond the primes are
    /// zero.
    #[inline(always)]
    #[must_use]
    pub fn unsigned(&self, digits: [u64; N]) -> [u64; N] {
        let mut value = [0; N];
        for step in 0..N {
            let (prime, digit) = (self.primes[N - 1 - step], digits[N - 1 - step]);
            // `step` digits below primes of at most 64 bits fit as many limbs.
            let mut carry = u128::from(digit);
            for limb in &mut value[..=step] {
                carry += u128::from(prime) * u128::from(*limb);
                *limb = carry as u64;
                carry >>= u64::BITS;
            }
        }
        value
    }

    /// The value with these digits that is closest to zero.
    #[inline(always)]
    #[must_use]
    pub fn signed(&self, digits: [u64; N]) -> [u64; N] {
        let value = self.unsigned(digits);
        // half − value is negative just above the half: no branch, as signs are unpredictable.
        let above = subtract(self.half, &value)[N - 1] as i64 >> (i64::BITS - 1);
        subtract(value, &self.modulus.map(|limb| limb & above as u64))
    }
}

impl Composer<3> {
    /// Adds the values with these digits up, each a limb above the one before, and writes as many limbs as there is room for; gives what is
    /// left over, to be added behind them. `carried` is added to the first one; both are below 2^127.
    ///
    /// ```
    /// use sunzi_rns::Composer;
    ///
    /// let composer = Composer::<3>::new(&[(1 << 61) - 1, (1 << 62) - 57]);
    /// let mut limbs = [0; 2];
    /// // (7·p + 5), and the same times 2^64.
    /// let left_over = composer.overlapping(&mut limbs, 0, |_| [5, 7, 0]);
    /// let value = 7 * ((1u128 << 61) - 1) + 5;
    /// assert_eq!(u128::from(limbs[0]), value);
    /// assert_eq!((u128::from(limbs[1]), left_over), (value, 0));
    /// ```
    #[inline(always)]
    pub fn overlapping(
        &self,
        limbs: &mut [u64],
        carried: u128,
        digits: impl Fn(usize) -> [u64; 3],
    ) -> u128 {
        // What is carried stays below 2^127: it is at most the largest value over 2^64, and 1.
        let mut carried = carried;
        for (i, limb) in limbs.iter_mut().enumerate() {
            let [low, middle, high] = self.unsigned(digits(i));
            let (sum, overflow) = (carried as u64).overflowing_add(low);
            *limb = sum;
            carried = (carried >> 64)
                + (u128::from(middle) | u128::from(high) << 64)
                + u128::from(overflow);
        }
        carried
    }
}

fn limbs<const N: usize>(value: &UBig) -> [u64; N] {
    let mut limbs = [0; N];
    for (slot, &limb) in limbs.iter_mut().zip(value.as_words()) {
        *slot = limb;
    }
    limbs
}

/// `value − other` in two's complement.
#[inline(always)]
fn subtract<const N: usize>(mut value: [u64; N], other: &[u64; N]) -> [u64; N] {
    let mut borrow = false;
    for (limb, &other) in value.iter_mut().zip(other) {
        let (difference, first) = limb.overflowing_sub(other);
        let (difference, second) = difference.overflowing_sub(borrow.into());
        (*limb, borrow) = (difference, first | second);
    }
    value
}
