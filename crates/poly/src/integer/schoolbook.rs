//! Schoolbook products of polynomials whose coefficients fit a word and a sign: sums of three words.

use super::flat::{FlatPoly, sign_fill};

/// A coefficient: its sign and its magnitude.
#[derive(Clone, Copy, Debug)]
struct Coefficient {
    /// All ones if it is negative, else 0.
    sign: u64,
    magnitude: u64,
}

impl Coefficient {
    #[inline(always)]
    fn new(row: &[u64]) -> Self {
        let sign = sign_fill(row);
        Self {
            sign,
            magnitude: (row[0] ^ sign).wrapping_sub(sign),
        }
    }
}

/// Writes the product of two polynomials that have coefficients, all below 2^64 in absolute value,
/// into the rows of `width` limbs of `out`. Every sum is below 2^191 for fewer than 2^63 terms, so
/// three words in two's complement hold it.
pub(super) fn multiply(out: &mut [u64], width: usize, a: &FlatPoly, b: &FlatPoly) {
    let flatten = |poly: &FlatPoly| {
        let rows = poly.limbs().chunks(poly.width());
        rows.map(Coefficient::new).collect::<Vec<_>>()
    };
    let (a, b) = (flatten(a), flatten(b));
    let (long, short) = if a.len() >= b.len() {
        (&a, &b)
    } else {
        (&b, &a)
    };
    for (k, row) in out.chunks_mut(width).enumerate() {
        let first = (k + 1).saturating_sub(long.len());
        let last = k.min(short.len() - 1);
        let values = long[k - last..=k - first].iter().rev();
        let sum = sum_of_products(values, &short[first..=last]);
        let fill = sign_fill(&sum);
        for (slot, limb) in row
            .iter_mut()
            .zip(sum.into_iter().chain(std::iter::repeat(fill)))
        {
            *slot = limb;
        }
    }
}

/// Σ xᵢ·yᵢ as three words in two's complement, least significant first.
#[inline(always)]
fn sum_of_products<'a>(
    xs: impl Iterator<Item = &'a Coefficient>,
    ys: &'a [Coefficient],
) -> [u64; 3] {
    let (mut low, mut high) = (0u128, 0u64);
    for (x, y) in xs.zip(ys) {
        let product = u128::from(x.magnitude) * u128::from(y.magnitude);
        // −n = ¬n + 1; a sign extends over all words.
        let sign = x.sign ^ y.sign;
        let wide = u128::from(sign) << 64 | u128::from(sign);
        let (sum, carry) = low.overflowing_add(product ^ wide);
        let (sum, increment) = sum.overflowing_add(u128::from(sign & 1));
        low = sum;
        high = high
            .wrapping_add(sign)
            .wrapping_add(u64::from(carry) + u64::from(increment));
    }
    [low as u64, (low >> 64) as u64, high]
}
