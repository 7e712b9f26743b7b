//! Fits of rational functions by singular values.

use super::denominator::least;
use super::least_squares::solution;
use super::{Degrees, RationalFunction, count};
use crate::error::ModelError;

/// Errors that are as good as none.
const EXACT: f64 = 1e-9;
/// Coefficients at most.
const MOST_UNKNOWNS: usize = 512;

impl RationalFunction {
    /// Fits a function to values at points. A denominator that is not proved positive on the domain, which is an interval for each
    /// variable, loses a degree, down to a polynomial.
    ///
    /// # Errors
    /// [`ModelError`].
    pub fn fit(
        points: &[Vec<f64>],
        values: &[f64],
        degrees: &Degrees,
        domain: &[(f64, f64)],
    ) -> Result<Self, ModelError> {
        check(points, values, degrees, domain)?;
        let mut degrees = degrees.clone();
        loop {
            let fitted = solve(points, values, &degrees, domain)?;
            if let Some(function) = fitted {
                return Ok(function);
            }
            let largest = degrees.denominator.iter_mut().max();
            largest
                .into_iter()
                .for_each(|degree| *degree = degree.saturating_sub(1));
        }
    }

    /// Fits with the degrees up to `most` that predict best what they have not seen: all samples of one size, which is the first
    /// variable, are left out in turn. Of degrees that do about as well the least are taken.
    ///
    /// # Errors
    /// [`ModelError`].
    pub fn fit_within(
        points: &[Vec<f64>],
        values: &[f64],
        most: &Degrees,
        domain: &[(f64, f64)],
    ) -> Result<Self, ModelError> {
        check(
            points,
            values,
            &Degrees {
                numerator: vec![0; domain.len()],
                denominator: vec![0; domain.len()],
            },
            domain,
        )?;
        let mut sizes: Vec<f64> = points.iter().map(|point| point[0]).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let mut judged = Vec::new();
        for degrees in below(most) {
            let variables =
                count(&degrees.numerator).saturating_add(count(&degrees.denominator) - 1);
            if variables > MOST_UNKNOWNS {
                continue;
            }
            if let Some(error) = unseen_error(points, values, &degrees, domain, &sizes) {
                judged.push((variables, degrees, error));
            }
        }
        judged.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        let best = judged.iter().map(|one| one.2).fold(f64::INFINITY, f64::min);
        let good = judged
            .into_iter()
            .find(|one| one.2 <= (1.5 * best).max(EXACT));
        let (_, degrees, _) = good.ok_or(ModelError::TooFew {
            samples: points.len(),
            variables: 2,
        })?;
        Self::fit(points, values, &degrees, domain)
    }
}

/// All degrees up to these.
fn below(most: &Degrees) -> Vec<Degrees> {
    let all = [&most.numerator[..], &most.denominator].concat();
    let mut found = vec![Vec::new()];
    for &degree in &all {
        let longer = |prefix: Vec<usize>| (0..=degree).map(move |d| [&prefix[..], &[d]].concat());
        found = found.into_iter().flat_map(longer).collect();
    }
    let split = |mut degrees: Vec<usize>| {
        let denominator = degrees.split_off(most.numerator.len());
        Degrees {
            numerator: degrees,
            denominator,
        }
    };
    found.into_iter().map(split).collect()
}

/// How wrong values of sizes are, relative and as the root of the mean of squares, for functions that have not seen them; the
/// larger the size the more it counts, since functions are for larger ones.
fn unseen_error(
    points: &[Vec<f64>],
    values: &[f64],
    degrees: &Degrees,
    domain: &[(f64, f64)],
    sizes: &[f64],
) -> Option<f64> {
    let (mut squares, mut weights) = (0.0, 0.0);
    for (rank, &size) in sizes.iter().enumerate() {
        let seen = || {
            points
                .iter()
                .zip(values)
                .filter(|(point, _)| point[0] != size)
        };
        let (seen_points, seen_values): (Vec<_>, Vec<_>) =
            seen().map(|(p, v)| (p.clone(), *v)).unzip();
        let function = solve(&seen_points, &seen_values, degrees, domain).ok()??;
        let (mut own, mut all) = (0.0, 0.0);
        for (point, value) in points
            .iter()
            .zip(values)
            .filter(|(point, _)| point[0] == size)
        {
            let error = (function.evaluate(point) - value) / value.abs().max(f64::MIN_POSITIVE);
            own += error.abs().min(1e6).powi(2);
            all += 1.0;
        }
        let weight = (rank + 1) as f64;
        squares += weight * own / f64::max(all, 1.0);
        weights += weight;
    }
    Some((squares / weights).sqrt())
}

fn check(
    points: &[Vec<f64>],
    values: &[f64],
    degrees: &Degrees,
    domain: &[(f64, f64)],
) -> Result<(), ModelError> {
    let variables = domain.len();
    if variables == 0
        || degrees.numerator.len() != variables
        || degrees.denominator.len() != variables
    {
        return Err(ModelError::Samples(
            "each variable, one at least, has two degrees and a range",
        ));
    }
    if points.len() != values.len() || points.iter().any(|point| point.len() != variables) {
        return Err(ModelError::Samples(
            "each point has a value, and a number for each variable",
        ));
    }
    let is_range = |&(from, to): &(f64, f64)| from.is_finite() && to.is_finite() && from <= to;
    if !domain.iter().all(is_range) {
        return Err(ModelError::Samples(
            "a domain is a finite range for each variable, the lower end first",
        ));
    }
    let sound = |x: &f64| x.abs() < 1e300;
    let mut samples = points.iter().zip(values);
    match samples.position(|(point, value)| !sound(value) || !point.iter().all(sound)) {
        Some(index) => Err(ModelError::NotFinite(index)),
        None => Ok(()),
    }
}

/// The values of all monomials at a scaled point.
fn monomials(degrees: &[usize], point: &[f64]) -> Vec<f64> {
    let mut found = vec![1.0];
    for (&degree, &x) in degrees.iter().zip(point) {
        let powers = |value: f64| (0..=degree as i32).map(move |k| value * x.powi(k));
        found = found.into_iter().flat_map(powers).collect();
    }
    found
}

/// The function of these degrees; `None` where its denominator is not proved positive.
fn solve(
    points: &[Vec<f64>],
    values: &[f64],
    degrees: &Degrees,
    domain: &[(f64, f64)],
) -> Result<Option<RationalFunction>, ModelError> {
    let (above, below) = (count(&degrees.numerator), count(&degrees.denominator));
    let (samples, variables) = (points.len(), above.saturating_add(below - 1));
    if samples < variables || variables > MOST_UNKNOWNS {
        return Err(ModelError::TooFew { samples, variables });
    }
    let positive = |x: f64| if x > 0.0 { x } else { 1.0 };
    let largest = |of: &dyn Fn(&Vec<f64>) -> f64| {
        points
            .iter()
            .map(of)
            .fold(0.0, |all: f64, x| all.max(x.abs()))
    };
    let scales: Vec<f64> = (0..domain.len())
        .map(|k| positive(largest(&|point| point[k])))
        .collect();
    let height = positive(values.iter().fold(0.0, |all: f64, x| all.max(x.abs())));
    let nonzero = values.iter().map(|x| x.abs()).filter(|x| *x > 0.0);
    let lowest = positive(nonzero.fold(height, f64::min));
    // Columns of the equations, and their right sides.
    let mut columns = vec![vec![0.0; samples]; variables];
    let mut right = vec![0.0; samples];
    for (row, (point, value)) in points.iter().zip(values).enumerate() {
        let scaled: Vec<f64> = point
            .iter()
            .zip(&scales)
            .map(|(x, scale)| x / scale)
            .collect();
        let (value, weight) = (value / height, height / value.abs().max(lowest));
        for (column, x) in monomials(&degrees.numerator, &scaled)
            .into_iter()
            .enumerate()
        {
            columns[column][row] = weight * x;
        }
        for (column, x) in monomials(&degrees.denominator, &scaled)
            .into_iter()
            .enumerate()
            .skip(1)
        {
            columns[above + column - 1][row] = -weight * value * x;
        }
        right[row] = weight * value;
    }
    let solution = solution(columns, &right).ok_or(ModelError::NoDecomposition)?;
    let numerator = solution[..above].iter().map(|x| x * height).collect();
    let denominator = [&[1.0], &solution[above..]].concat();
    let ends: Vec<(f64, f64)> = domain
        .iter()
        .zip(&scales)
        .map(|(&(a, b), s)| (a / s, b / s))
        .collect();
    let positive = least(&denominator, &degrees.denominator, &ends);
    Ok(positive.map(|least| RationalFunction {
        degrees: degrees.clone(),
        domain: domain.to_vec(),
        scales,
        numerator,
        denominator,
        least,
    }))
}
