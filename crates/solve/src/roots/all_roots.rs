//! All real roots of a square-free polynomial, from the positive roots of four others.

use super::bernstein::End;
use super::dyadic::Dyadic;
use super::isolate::{Found, isolate_below};
use super::sign::Evaluator;
use super::source::Source;
use std::cmp::Ordering;
use sunzi_integer::Integer;
use sunzi_machine::threads::Threads;

/// All real roots, ascending: points, or open intervals at whose ends there are no roots.
pub(super) fn isolate(f: &Evaluator) -> Vec<Found> {
    let coefficients = f.polynomial().coefficients();
    let has_zero = coefficients[0].is_zero();
    let rest = &coefficients[usize::from(has_zero)..];
    let is_even = rest.iter().skip(1).step_by(2).all(Integer::is_zero);
    let mirror = |(k, c): (usize, &Integer)| if k % 2 == 1 { -c } else { c.clone() };
    let (negative, positive) = match is_even {
        true => {
            let positive = isolate_positive(rest.to_vec());
            (positive.clone(), positive)
        }
        false => {
            let mirrored = rest.iter().enumerate().map(mirror).collect();
            Threads::all().join(
                || isolate_positive(mirrored),
                || isolate_positive(rest.to_vec()),
            )
        }
    };

    let mut found: Vec<Found> = negative.into_iter().rev().map(Found::mirrored).collect();
    if has_zero {
        found.push(Found::point(Dyadic::zero()));
    }
    // x·f has the signs of f on the right, and the opposite ones on the left.
    if has_zero {
        for root in &mut found {
            root.before = root.before.reverse();
        }
    }
    found.extend(positive);
    found
}

/// All positive roots of a polynomial with a constant term, ascending.
fn isolate_positive(coefficients: Vec<Integer>) -> Vec<Found> {
    match variations(&coefficients) {
        0 => return Vec::new(),
        1 => return vec![only_root(&Source::new(coefficients))],
        _ => {}
    }
    let reversed: Vec<Integer> = coefficients.iter().rev().cloned().collect();
    let (low, high) = (Source::new(coefficients), Source::new(reversed));
    let power = low.middle();
    let cut = Dyadic::new(Integer::ONE, power);
    let sign = low.sign_at(&cut);
    let end = match sign {
        Ordering::Equal => End::Root,
        sign => End::Sign(sign),
    };
    let (mut found, above) = Threads::all().join(
        || freed(&low, isolate_below(&low, power, end)),
        || {
            let found = freed(&high, isolate_below(&high, -power, end));
            inverses(&low, &high, found, &Dyadic::new(Integer::ONE, -power))
        },
    );
    if sign == Ordering::Equal {
        found.push(Found::point(cut));
    }
    found.extend(above);
    found
}

/// How often the coefficients change their sign: by Descartes' rule the number of positive roots, or greater by an even number.
fn variations(coefficients: &[Integer]) -> usize {
    let terms = coefficients.iter().filter(|c| !c.is_zero());
    let signs = terms.map(|c| *c > Integer::ZERO);
    signs
        .clone()
        .zip(signs.skip(1))
        .filter(|(a, b)| a != b)
        .count()
}

/// The only positive root of a polynomial with a constant term, between two powers of two. So polynomials of few terms and of
/// any degree need no expansion in Bernstein's basis, which has as many terms as the degree says.
fn only_root(f: &Source) -> Found {
    let before = f.sign_at_zero();
    let (mut low, mut high) = (-f.inverse_bound(), f.bound());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let at = Dyadic::new(Integer::ONE, middle);
        match f.sign_at(&at) {
            Ordering::Equal => return Found::point(at),
            sign if sign == before => low = middle,
            _ => high = middle,
        }
    }
    Found {
        lower: Dyadic::new(Integer::ONE, low),
        upper: Dyadic::new(Integer::ONE, high),
        before,
        is_free: [true; 2],
    }
}

/// The same roots, with ends that are none.
fn freed(f: &Source, mut found: Vec<Found>) -> Vec<Found> {
    for root in &mut found {
        if root.is_point() || root.is_free == [true; 2] {
            continue;
        }
        // Where one root is a dyadic number, the next may be such in the middle.
        let middle = Dyadic::midpoint(&root.lower, &root.upper);
        if f.sign_at(&middle) == Ordering::Equal {
            *root = Found::point(middle);
            continue;
        }
        if !root.is_free[0] {
            root.lower = f.beside(&root.lower, &root.upper);
        }
        if !root.is_free[1] {
            root.upper = f.beside(&root.upper, &root.lower);
        }
        root.is_free = [true; 2];
    }
    found
}

/// The roots x of f, by those 1/x of the reversed polynomial, which are all that it has below `limit`; ascending.
fn inverses(f: &Source, reversed: &Source, found: Vec<Found>, limit: &Dyadic) -> Vec<Found> {
    let mut inverted = Vec::with_capacity(found.len());
    for (at, root) in found.iter().enumerate() {
        let inverse = match root.is_point() {
            true if *root.lower.mantissa() == Integer::ONE => {
                Found::point(Dyadic::new(Integer::ONE, -root.lower.exponent()))
            }
            true => {
                // A rational number: an interval around it, up to half way to the neighbours.
                let before = match at.checked_sub(1) {
                    Some(before) => found[before].upper.clone(),
                    None => Dyadic::zero(),
                };
                let after = match found.get(at + 1) {
                    Some(after) => after.lower.clone(),
                    None => limit.clone(),
                };
                let lower = Dyadic::midpoint(&before, &root.lower);
                let around = Found {
                    before: reversed.sign_at(&lower),
                    lower,
                    upper: Dyadic::midpoint(&root.lower, &after),
                    is_free: [true; 2],
                };
                inverse(f, &around)
            }
            false => inverse(f, root),
        };
        inverted.push(inverse);
    }
    inverted.reverse();
    inverted
}

/// An interval with dyadic ends around the root x of f, where 1/x lies in an interval.
fn inverse(f: &Source, root: &Found) -> Found {
    let before = root.before.reverse();
    // 2^bits/y, rounded down, and with `up` rounded up.
    let scaled = |y: &Dyadic, bits: i64, up: bool| {
        let power = bits - y.exponent();
        let quotient = match power >= 0 {
            true => {
                let up = Integer::from(up) * (y.mantissa() - Integer::ONE);
                ((Integer::ONE << power as usize) + up).div_floor(y.mantissa())
            }
            false => Integer::from(up),
        };
        Dyadic::new(quotient, -bits)
    };
    // No root is greater.
    let most = f.bound();
    let upper_of = |bits: i64| match root.lower.is_zero() {
        true => Dyadic::new(Integer::ONE, most),
        false => scaled(&root.lower, bits, false),
    };
    // About the size of the interval: (v − u)/(u v), the root bound where u = 0.
    let size = |y: &Dyadic| y.magnitude().unwrap_or(-most);
    let difference = &root.upper - &root.lower;
    let mut bits = size(&root.upper) + size(&root.lower) - size(&difference) + 2;
    let mut ends: [Option<Dyadic>; 2] = [None, None];
    loop {
        let lower = match &ends[0] {
            Some(lower) => lower.clone(),
            None => scaled(&root.upper, bits, true),
        };
        let upper = match &ends[1] {
            Some(upper) => upper.clone(),
            None => upper_of(bits),
        };
        // Each candidate tells on which side of it the root is.
        if lower < upper {
            for candidate in [lower, upper] {
                match f.sign_at(&candidate) {
                    Ordering::Equal => return Found::point(candidate),
                    sign if sign == before => {
                        if ends[0].as_ref().is_none_or(|lower| *lower < candidate) {
                            ends[0] = Some(candidate);
                        }
                    }
                    _ => {
                        if ends[1].as_ref().is_none_or(|upper| *upper > candidate) {
                            ends[1] = Some(candidate);
                        }
                    }
                }
            }
        }
        if let [Some(lower), Some(upper)] = ends {
            return Found {
                lower,
                upper,
                before,
                is_free: [true; 2],
            };
        }
        bits += 4;
    }
}

impl Found {
    pub(super) fn is_point(&self) -> bool {
        self.before == Ordering::Equal
    }

    /// The root of f(−x).
    fn mirrored(self) -> Self {
        Self {
            lower: -self.upper,
            upper: -self.lower,
            before: self.before.reverse(),
            is_free: [self.is_free[1], self.is_free[0]],
        }
    }
}

impl Source {
    /// The power of two amid the magnitudes of roots: of the edge of Newton's polygon over the middle power.
    fn middle(&self) -> i64 {
        let logs = self.logs();
        let (half, last) = (logs.len() / 2, logs.len() - 1);
        // The upper hull, from left to right.
        let mut hull: Vec<usize> = Vec::new();
        for k in 0..=last {
            if logs[k] == f64::NEG_INFINITY {
                continue;
            }
            while let [.., a, b] = hull[..] {
                let rise = |from: usize, to: usize| (logs[to] - logs[from]) / (to - from) as f64;
                if rise(a, b) > rise(b, k) {
                    break;
                }
                hull.pop();
            }
            hull.push(k);
        }
        let edge = hull
            .windows(2)
            .find(|edge| edge[1] > half)
            .or(hull.windows(2).last());
        edge.map_or(0, |edge| {
            let slope = (logs[edge[0]] - logs[edge[1]]) / (edge[1] - edge[0]) as f64;
            slope.round() as i64
        })
    }

    /// A power of two that exceeds all roots: |x| ≤ 1 + max |a_k/a_n| (Cauchy).
    fn bound(&self) -> i64 {
        self.bound_by(self.coefficients().last())
    }

    /// One that exceeds the inverses of all roots, which are the roots of the reversed polynomial.
    fn inverse_bound(&self) -> i64 {
        self.bound_by(self.coefficients().first())
    }

    fn bound_by(&self, leading: Option<&Integer>) -> i64 {
        let bits = |c: &Integer| c.bit_len() as i64;
        let most = self.coefficients().iter().map(bits).max().unwrap_or(0);
        most - leading.map_or(0, bits) + 2
    }

    /// Near a root that is an end of an interval with one root within, a number from which on to the end there is none.
    fn beside(&self, end: &Dyadic, other: &Dyadic) -> Dyadic {
        let sign = self.sign_beside(end, other);
        let mut near = Dyadic::midpoint(end, other);
        while self.sign_at(&near) != sign {
            near = Dyadic::midpoint(end, &near);
        }
        near
    }
}
