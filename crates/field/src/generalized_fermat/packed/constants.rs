//! What the kernels need of r, computed once.

/// Bits of a limb.
pub(super) const LIMB: u32 = 52;
pub(super) const MASK: u64 = (1 << LIMB) - 1;

/// Operands of products may be sums of at most this number of normalized digits, of any signs.
pub const MOST_TERMS: usize = 32;

/// A zero whose digits are all positive and large, `c·(r + 1, r − 1, …, r − 1)` in limbs: the first
/// digit, and every other.
type Zero = [[u64; 2]; 2];

/// Constants of a field with `r ≥ 2^52`.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    pub(super) radix: u64,
    /// 2^104 − r in limbs.
    pub(super) complement: [u64; 2],
    /// 1/r, 2^52/r.
    pub(super) inverses: [f64; 2],
    /// Lifts sums of [`MOST_TERMS`] digits above 0.
    pub(super) lift: Zero,
    /// A power of two, by which quotients of sums of products are too large, so that they are positive.
    pub(super) bias: f64,
    /// Lifts sums of products above 0, modulo 2^104, once they are divided by r with such quotients.
    pub(super) lift_product: Zero,
    /// Normalized digits are at most that much more than r/2.
    excess: u64,
    /// r/2 and r in limbs, where r is so near 2^64 that digits must be brought below r/2 + 2 to fit in signed
    /// words.
    pub(super) tight: Option<[[u64; 2]; 2]>,
}

/// Limbs modulo 2^104.
const fn in_limbs(value: u128) -> [u64; 2] {
    [value as u64 & MASK, (value >> LIMB) as u64 & MASK]
}

const fn zero(radix: u64, times: u128) -> Zero {
    let r = radix as u128;
    [
        in_limbs(times.wrapping_mul(r + 1)),
        in_limbs(times.wrapping_mul(r - 1)),
    ]
}

impl Constants {
    /// The smallest radix: the higher limb of 2^104 − r is one of 52 bits, and what is neglected of
    /// sums is small beside it.
    pub(super) const LEAST_RADIX: u64 = 1 << LIMB;

    /// The radix r.
    #[must_use]
    pub const fn radix(&self) -> u64 {
        self.radix
    }

    /// Those of a field with K digits, unless r is too small, or 2^64 − 2.
    pub fn new(radix: u64, digits: usize) -> Option<Self> {
        if !(Self::LEAST_RADIX..u64::MAX - 2).contains(&radix) {
            return None;
        }
        let (r, k) = (u128::from(radix), digits as u128);
        // Products of normalized digits, by sums of them, are below r/2·32·r/2, and somewhat more; so sums
        // of K are below 9K·r². In doubles, their quotients are wrong by (K + 12)·2^-53 of it, for a
        // rounding of each factor, product and sum, of 1/r, and of the quotient and its bias. With the
        // rest, a rounding down and what a neighbour's quotient carries:
        let quotient = k * (MOST_TERMS as u128 / 4 + 1);
        let bias = (quotient * r).next_power_of_two();
        let error = ((k + 12) * quotient * r) >> 53;
        let times = error + 2 * quotient + 8;
        // D·r·2^-50: what estimates of quotients below D are wrong by, and carries below D.
        let excess = ((2 * times * r) >> 50) + 2;
        let tight = r / 2 + excess >= 1 << 63;
        let inverse = 1.0 / radix as f64;
        let two_52 = (1u64 << LIMB) as f64;
        Some(Self {
            radix,
            complement: in_limbs((1 << (2 * LIMB)) - r),
            inverses: [inverse, two_52 * inverse],
            lift: zero(radix, MOST_TERMS as u128 / 2 + 1),
            bias: bias as f64,
            lift_product: zero(radix, times + bias),
            excess: excess as u64,
            tight: tight.then(|| [in_limbs(r / 2), in_limbs(r)]),
        })
    }

    /// Whether sums of `terms` normalized digits, of any signs, fit in signed words.
    #[must_use]
    pub const fn fit_in_words(&self, terms: usize) -> bool {
        (terms as u128) * (self.radix as u128 / 2 + self.excess as u128) < 1 << 63
    }
}
