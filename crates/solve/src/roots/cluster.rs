//! From an interval whose Descartes count stays at k ≥ 2 to a much narrower one that holds the same roots.
//!
//! **Problem.** k roots lie close together, and far from all others; bisection would cost one step for each bit of their
//! distance. **Way.** With f = Σ c_j t^j on 0 ≤ t ≤ 1: their mean is about the root τ of the derivative of order k − 1, which
//! Newton's iteration finds, as that is nearly linear. With f = Σ s_j (t − τ)^j, where |s_j| sum up to less than |s_k|/4 for
//! j > k, no root has ρ ≤ |t − τ| ≤ 1 if Σ_{j<k} |s_j| ρ^(j−k) ≤ |s_k|/2 (Pellet). The bits known of τ and the width
//! double with the bits of the expansion, so that the number of steps is logarithmic in the bits of the distance.
//!
//! Sources: Abbott 2014 and Sagraloff and Mehlhorn 2016, for Newton's iteration on clusters.

use super::dyadic::Dyadic;
use super::size::log2;
use super::source::Expansion;
use sunzi_integer::Integer;

/// The part lo ≤ t ≤ lo + 2^width of 0 ≤ t ≤ 1; there is no root elsewhere, nor at its ends, unless they are 0 or 1.
pub(super) struct Narrowed {
    pub(super) lo: Dyadic,
    pub(super) width: i64,
}

/// log2 of what the expansion leaves out or rounds, in its coarse units, all together.
const LOG_ERROR: f64 = 2.0;
/// An interval of at least this power of two is left to bisection.
const WIDE: i64 = -4;

/// The part that holds all roots, if there are `count` and they lie close together.
pub(super) fn narrow(f: &Expansion, count: usize) -> Option<Narrowed> {
    let degree = f.terms.len() - 1;
    if count > degree {
        return None;
    }
    let bits = f.terms.iter().map(|term| term.bit_len()).max()?;
    let mean = mean(f, count, bits)?;

    // Digits behind the units, as a Taylor shift by τ ≤ 1 may double errors for each power.
    let extra = degree + 8;
    let mut terms: Vec<Integer> = f.terms.iter().map(|term| term << extra).collect();
    for last in 0..=degree {
        for at in (last..degree).rev() {
            let product = (&terms[at + 1] * &mean) >> bits;
            terms[at] += product;
        }
    }
    // Upper bounds: a unit beyond covers what was rounded.
    let logs: Vec<f64> = terms
        .iter()
        .map(|term| log2(&(term.clone() << 1)).max(extra as f64) - 1.0)
        .collect();
    let leading = log2(&terms[count]) - 1e-6;
    let error = LOG_ERROR + (extra + f.guard) as f64;
    let above: f64 = logs[count + 1..]
        .iter()
        .map(|log| (log - leading).exp2())
        .sum();
    if above.is_nan() || above >= 0.24 {
        return None;
    }
    let slope = |at: usize| {
        let log = match at {
            0 => logs[0].max(error) + 1.0,
            _ => logs[at],
        };
        (log - leading + 1e-6) / (count - at) as f64
    };
    let radius = (0..count).map(slope).fold(f64::NEG_INFINITY, f64::max);
    let radius = radius.ceil() as i64 + 2;
    let width = radius + 2;
    if width > WIDE {
        return None;
    }
    let mean = Dyadic::new(mean, -(bits as i64));
    let most = &Dyadic::from(1) - &Dyadic::new(Integer::ONE, width);
    let lo = (&mean - &Dyadic::new(Integer::ONE, radius)).floor_to(-radius);
    let lo = lo.clamp(Dyadic::zero(), most);
    Some(Narrowed { lo, width })
}

/// The root of the derivative of order count − 1, in units of 2^−bits; `None` if Newton's iteration leaves 0 … 1.
fn mean(f: &Expansion, count: usize, bits: usize) -> Option<Integer> {
    // Derivatives without their common factor (count − 1)!.
    let mut binomial = Integer::ONE;
    let mut derivative = Vec::new();
    for (at, term) in f.terms[count - 1..].iter().enumerate() {
        if at > 0 {
            binomial = binomial * Integer::from(at + count - 1) / Integer::from(at);
        }
        derivative.push(term * &binomial);
    }
    let one = Integer::ONE << bits;
    let mut at = &one >> 1;
    // Enough to double the bits up to any number of them, from one.
    for _ in 0..2 * usize::BITS {
        let (mut value, mut slope) = (Integer::ZERO, Integer::ZERO);
        for term in derivative.iter().rev() {
            slope = ((slope * &at) >> bits) + &value;
            value = ((value * &at) >> bits) + term;
        }
        if slope.is_zero() {
            return None;
        }
        let step = (value << bits) / slope;
        at -= &step;
        if at < Integer::ZERO || at > one {
            return None;
        }
        if step.bit_len() <= bits / 2 {
            // The next step would leave what is known.
            return Some(at);
        }
    }
    None
}
