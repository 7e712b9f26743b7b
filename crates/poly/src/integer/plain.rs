//! Plain products of polynomials whose coefficients fit a word and a sign: sums of three words.

use dashu_int::{IBig, Sign, UBig};

/// A coefficient: its sign and its magnitude.
#[derive(Clone, Copy, Debug)]
struct Coefficient {
    /// All ones if it is negative, else 0.
    sign: u64,
    magnitude: u64,
}

impl Coefficient {
    fn new(value: &IBig) -> Self {
        let (sign, words) = value.as_sign_words();
        Self {
            sign: if sign == Sign::Negative { u64::MAX } else { 0 },
            magnitude: words.first().copied().unwrap_or(0),
        }
    }
}

/// The product of two polynomials that are not zero, with coefficients below 2^64 in absolute
/// value. Every sum is below 2^191 for fewer than 2^63 terms, so three words in two's complement
/// hold it.
pub(super) fn multiply(a: &[IBig], b: &[IBig]) -> Vec<IBig> {
    let flatten = |values: &[IBig]| values.iter().map(Coefficient::new).collect::<Vec<_>>();
    let (a, b) = (flatten(a), flatten(b));
    let (long, short) = if a.len() >= b.len() {
        (&a, &b)
    } else {
        (&b, &a)
    };
    (0..long.len() + short.len() - 1)
        .map(|k| {
            let first = (k + 1).saturating_sub(long.len());
            let last = k.min(short.len() - 1);
            let values = long[k - last..=k - first].iter().rev();
            integer(sum_of_products(values, &short[first..=last]))
        })
        .collect()
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

fn integer([low, middle, high]: [u64; 3]) -> IBig {
    let negative = high >> 63 == 1;
    let mut words = [low, middle, high];
    if negative {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    IBig::from_parts(Sign::from(negative), UBig::from_words(&words))
}
