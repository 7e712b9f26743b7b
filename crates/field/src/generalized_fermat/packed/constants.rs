//! What the kernels need of r, computed once.

/// Bits of a limb.
pub(super) const LIMB: u32 = 52;
pub(super) const MASK: u64 = (1 << LIMB) - 1;

/// Sums of at most so many normalized digits, of any signs, are operands of products.
pub const MOST_TERMS: usize = 32;

/// A zero whose digits are all positive and large, `c·(r + 1, r − 1, …, r − 1)` in limbs: the first
/// digit, and every other.
type Zero = [[u64; 2]; 2];

/// Constants of a field with `r ≥ 2^52`.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    pub(super) radix: u64,
    /// r in limbs.
    pub(super) limbs: [u64; 2],
    /// 2r in limbs.
    pub(super) twice: [u64; 2],
    /// 2^104 − r in limbs.
    pub(super) complement: [u64; 2],
    /// 1/r, 2^52/r, 2^104/r.
    pub(super) inverses: [f64; 3],
    /// A quotient is estimated that much too small, so that rests are positive.
    pub(super) margin: f64,
    /// Lifts sums of [`MOST_TERMS`] digits above 0.
    pub(super) lift: Zero,
    /// Lifts sums of products above 0, once they are divided by r.
    pub(super) lift_product: Zero,
    /// r + 2 in limbs, where digits of a normalized element must not be more for want of room in a
    /// word.
    pub(super) tight: Option<[u64; 2]>,
}

const fn in_limbs(value: u128) -> [u64; 2] {
    [value as u64 & MASK, (value >> LIMB) as u64]
}

const fn zero(radix: u64, times: u128) -> Zero {
    let r = radix as u128;
    [in_limbs(times * (r + 1)), in_limbs(times * (r - 1))]
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
        let inverse = 1.0 / radix as f64;
        let two_52 = (1u64 << LIMB) as f64;
        // Normalized digits are at most r·(1 + K·2^-28): see `reduce`.
        let room = u64::MAX - radix;
        let tight = u128::from(room) << 28 < (digits as u128 + 1) * u128::from(radix);
        Some(Self {
            radix,
            limbs: in_limbs(radix.into()),
            twice: in_limbs(2 * u128::from(radix)),
            complement: in_limbs((1 << (2 * LIMB)) - u128::from(radix)),
            inverses: [inverse, two_52 * inverse, two_52 * two_52 * inverse],
            margin: digits as f64 * 2f64.powi(-29),
            lift: zero(radix, MOST_TERMS as u128 + 1),
            lift_product: zero(radix, (digits as u128) << 20),
            tight: tight.then(|| in_limbs(u128::from(radix) + 2)),
        })
    }
}
