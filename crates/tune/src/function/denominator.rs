//! Whether a polynomial is positive all over a box: by its coefficients in Bernstein's basis, between the least and the largest of
//! which its values are.

use super::count;

/// How often the box is halved in all.
const HALVINGS: usize = 16;

/// A positive number below a polynomial's values all over a box; `None` where none is found.
pub(super) fn least(coefficients: &[f64], degrees: &[usize], ends: &[(f64, f64)]) -> Option<f64> {
    let mut bernstein = coefficients.to_vec();
    for (axis, &(from, to)) in ends.iter().enumerate() {
        along(&mut bernstein, degrees, axis, |line| {
            shift(line, from, to - from);
            to_bernstein(line);
        });
    }
    halved(&bernstein, degrees, HALVINGS)
}

fn halved(bernstein: &[f64], degrees: &[usize], halvings: usize) -> Option<f64> {
    let least = bernstein.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = bernstein
        .iter()
        .copied()
        .fold(0.0, |all: f64, x| all.max(x.abs()));
    // What rounding may have lost is left out.
    let least = least - 1e-9 * largest;
    if least > 0.0 {
        return Some(least);
    }
    // The first coefficient is a value.
    if halvings == 0 || bernstein[0] <= 0.0 {
        return None;
    }
    let axis = (0..degrees.len())
        .filter(|&axis| degrees[axis] > 0)
        .nth(halvings % degrees.len().max(1));
    let axis = axis.or_else(|| (0..degrees.len()).find(|&axis| degrees[axis] > 0))?;
    let (mut left, mut right) = (bernstein.to_vec(), bernstein.to_vec());
    along(&mut left, degrees, axis, |line| {
        // De Casteljau: each round leaves one coefficient of the left half.
        for first in 1..line.len() {
            for k in (first..line.len()).rev() {
                line[k] = (line[k - 1] + line[k]) / 2.0;
            }
        }
    });
    along(&mut right, degrees, axis, |line| {
        for last in (1..line.len()).rev() {
            for k in 0..last {
                line[k] = (line[k] + line[k + 1]) / 2.0;
            }
        }
    });
    let left = halved(&left, degrees, halvings - 1)?;
    Some(left.min(halved(&right, degrees, halvings - 1)?))
}

/// Does something to all lines of coefficients along an axis.
fn along(coefficients: &mut [f64], degrees: &[usize], axis: usize, f: impl Fn(&mut [f64])) {
    let (stride, len) = (count(&degrees[axis + 1..]), degrees[axis] + 1);
    let mut line = vec![0.0; len];
    for start in (0..coefficients.len()).filter(|start| start / stride % len == 0) {
        line.iter_mut()
            .enumerate()
            .for_each(|(k, x)| *x = coefficients[start + k * stride]);
        f(&mut line);
        line.iter()
            .enumerate()
            .for_each(|(k, x)| coefficients[start + k * stride] = *x);
    }
}

/// f(x) becomes f(from + width x).
fn shift(line: &mut [f64], from: f64, width: f64) {
    for first in 0..line.len() {
        for k in (first..line.len() - 1).rev() {
            line[k] += from * line[k + 1];
        }
    }
    let mut power = 1.0;
    for x in line {
        *x *= power;
        power *= width;
    }
}

/// From powers of x to Bernstein's polynomials on [0, 1].
fn to_bernstein(line: &mut [f64]) {
    let degree = line.len() - 1;
    // a_k / C(degree, k), and then sums of all before it with binomial coefficients.
    let mut binomial = 1.0;
    for (k, x) in line.iter_mut().enumerate() {
        *x /= binomial;
        binomial *= (degree - k) as f64 / (k + 1) as f64;
    }
    for first in 1..=degree {
        for k in (first..=degree).rev() {
            line[k] += line[k - 1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positive_polynomials_are_told_from_those_with_roots() {
        // 1 + x on [0, 3] is 1 at least; (x - 2)² + 1/4 and (x - 2)² - 1/4; 1 - x.
        let at = |coefficients: &[f64], from, to| {
            least(coefficients, &[coefficients.len() - 1], &[(from, to)])
        };
        assert!(at(&[1.0, 1.0], 0.0, 3.0).is_some_and(|bound| (0.99..=1.0).contains(&bound)));
        assert!(
            at(&[4.25, -4.0, 1.0], 0.0, 100.0).is_some_and(|bound| bound > 0.0 && bound <= 0.25)
        );
        assert_eq!(at(&[3.75, -4.0, 1.0], 0.0, 100.0), None);
        assert!(at(&[3.75, -4.0, 1.0], 3.0, 100.0).is_some());
        assert_eq!(at(&[1.0, -1.0], 0.0, 1.0), None);
        assert!(at(&[1.0], 0.0, 1.0).is_some());
        // 1 + x y - x on [0, 1]²: 0 at (1, 0); on [0, 1/2] × [0, 1] 1/2 at least.
        let (mixed, degrees) = ([1.0, 0.0, -1.0, 1.0], [1, 1]);
        assert_eq!(least(&mixed, &degrees, &[(0.0, 1.0), (0.0, 1.0)]), None);
        let bound = least(&mixed, &degrees, &[(0.0, 0.5), (0.0, 1.0)]);
        assert!(bound.is_some_and(|bound| (0.4..=0.5).contains(&bound)));
    }
}
