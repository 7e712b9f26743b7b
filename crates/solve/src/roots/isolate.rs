//! Disjoint intervals that hold one root each of a square-free polynomial.

use super::dyadic::Dyadic;
use super::interval::DyadicInterval;
use super::sign::Evaluator;
use dashu_int::IBig;
use dashu_int::ops::BitTest;
use std::cmp::Ordering;

/// A root that is a dyadic number, or an open interval with one root.
pub(super) type Found = DyadicInterval;

/// All real roots of a square-free polynomial, ascending.
pub(super) fn isolate(f: &Evaluator) -> Vec<Found> {
    let coefficients = f.polynomial().coefficients();
    let mut found = Vec::new();
    let mirrored: Vec<IBig> = coefficients
        .iter()
        .enumerate()
        .map(|(k, c)| if k % 2 == 1 { -c } else { c.clone() })
        .collect();
    for root in positive(&mirrored).into_iter().rev() {
        found.push(-&root);
    }
    if coefficients[0].is_zero() {
        found.push(DyadicInterval::point(Dyadic::zero()));
    }
    found.extend(positive(coefficients));
    found
}

fn positive(f: &[IBig]) -> Vec<Found> {
    let bound = f.iter().map(|c| c.bit_len()).max().unwrap_or(0) as i64 + 1;
    let scaled: Vec<IBig> = f
        .iter()
        .enumerate()
        .map(|(k, c)| c << (k * bound as usize))
        .collect();
    let mut found = Vec::new();
    descend(scaled, &Dyadic::zero(), bound, &mut found);
    found
}

fn shift(f: &mut [IBig]) {
    for start in 0..f.len() {
        for i in (start..f.len() - 1).rev() {
            let next = f[i + 1].clone();
            f[i] += next;
        }
    }
}

/// Roots of f(y) with 0 < y < 1, at x = offset + y·2^size.
fn descend(f: Vec<IBig>, offset: &Dyadic, size: i64, found: &mut Vec<Found>) {
    let mut test: Vec<IBig> = f.iter().rev().cloned().collect();
    shift(&mut test);
    let signs = test.iter().map(|c| c.cmp(&IBig::ZERO));
    let signs: Vec<Ordering> = signs.filter(|s| *s != Ordering::Equal).collect();
    let variations = signs.windows(2).filter(|w| w[0] != w[1]).count();
    let width = Dyadic::new(IBig::ONE, size);
    match variations {
        0 => {}
        1 => found.push(DyadicInterval::new(offset.clone(), offset + &width)),
        _ => {
            let n = f.len() - 1;
            let left: Vec<IBig> = f.iter().enumerate().map(|(k, c)| c << (n - k)).collect();
            let mut right = left.clone();
            shift(&mut right);
            let middle = offset + &width.scaled(-1);
            let zero = right[0].is_zero();
            descend(left, offset, size - 1, found);
            if zero {
                found.push(DyadicInterval::point(middle.clone()));
            }
            descend(right, &middle, size - 1, found);
        }
    }
}
