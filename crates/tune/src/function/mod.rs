//! Rational functions of several variables, from values: how counts and times grow with data and shapes.

mod denominator;
mod fit;
mod least_squares;

use crate::error::ModelError;
use crate::program::{ProgramBuilder, ProgramError, Value};

/// Bounds on the degrees in each variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Degrees {
    /// Of the numerator.
    pub numerator: Vec<usize>,
    /// Of the denominator: all 0 for a polynomial.
    pub denominator: Vec<usize>,
}

/// A quotient of polynomials in several variables, whose denominator is positive all over its domain.
///
/// **Fit.** p − f·q = 0 at all samples, with q(0) = 1, is linear in the coefficients. Variables and values are scaled to 1 at
/// most, equations weighted by 1/|f|, so that errors are relative; they are solved by singular values, of which those below
/// 10⁻¹² of the largest count as zero: samples that lie on a line or a surface have many solutions, of which the shortest is taken
/// (thesis of 2021, chapter 4). With s samples and c coefficients it takes O(s c²).
///
/// ```
/// use sunzi::tune::{Degrees, RationalFunction};
///
/// let points: Vec<Vec<f64>> = (1..10).map(|n| vec![f64::from(n)]).collect();
/// let values: Vec<f64> = points.iter().map(|p| p[0] * p[0] / (p[0] + 5.0)).collect();
/// let degrees = Degrees { numerator: vec![2], denominator: vec![1] };
/// let f = RationalFunction::fit(&points, &values, &degrees, &[(1.0, 1000.0)])?;
/// assert!((f.evaluate(&[100.0]) - 10_000.0 / 105.0).abs() < 1e-6);
/// # Ok::<(), sunzi::tune::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RationalFunction {
    degrees: Degrees,
    domain: Vec<(f64, f64)>,
    /// What variables are divided by.
    scales: Vec<f64>,
    /// Coefficients of scaled variables, those of the last variable next to each other.
    numerator: Vec<f64>,
    denominator: Vec<f64>,
    /// Below the denominator all over the domain.
    least: f64,
}

/// Coefficients of polynomials of these degrees.
fn count(degrees: &[usize]) -> usize {
    degrees.iter().fold(1, |all: usize, degree| {
        all.saturating_mul(degree.saturating_add(1))
    })
}

impl RationalFunction {
    /// The degrees that it was fitted with.
    pub fn degrees(&self) -> &Degrees {
        &self.degrees
    }

    /// Where the denominator is positive: an interval for each variable.
    pub fn domain(&self) -> &[(f64, f64)] {
        &self.domain
    }

    /// The value at a point of the domain.
    ///
    /// # Panics
    /// If there are not as many numbers as variables; [`Self::try_evaluate`] returns an error instead.
    pub fn evaluate(&self, point: &[f64]) -> f64 {
        match self.try_evaluate(point) {
            Ok(value) => value,
            Err(error) => panic!("{error}"),
        }
    }

    /// The same.
    ///
    /// # Errors
    /// [`ModelError::Samples`] if there are not as many numbers as variables.
    pub fn try_evaluate(&self, point: &[f64]) -> Result<f64, ModelError> {
        if point.len() != self.scales.len() {
            return Err(ModelError::Samples(
                "a point has a number for each variable",
            ));
        }
        let scaled: Vec<f64> = point
            .iter()
            .zip(&self.scales)
            .map(|(x, scale)| x / scale)
            .collect();
        let numerator = evaluate(&self.numerator, &self.degrees.numerator, &scaled);
        Ok(numerator / evaluate(&self.denominator, &self.degrees.denominator, &scaled))
    }

    /// The same as steps of a program, over values of it that are within the domain.
    ///
    /// # Errors
    /// [`ProgramError::Overflow`].
    pub fn in_program(
        &self,
        program: &mut ProgramBuilder,
        point: &[Value],
    ) -> Result<Value, ProgramError> {
        let mut scaled = Vec::new();
        for (&x, &scale) in point.iter().zip(&self.scales) {
            let scale = program.constant(scale)?;
            scaled.push(program.divide(x, scale)?);
        }
        let numerator = horner(program, &self.numerator, &self.degrees.numerator, &scaled)?;
        let denominator = horner(
            program,
            &self.denominator,
            &self.degrees.denominator,
            &scaled,
        )?;
        // Its bounds by intervals are wider than those that were proved.
        let least = program.constant(self.least)?;
        let denominator = program.maximum(denominator, least)?;
        program.divide(numerator, denominator)
    }
}

/// A polynomial at a point, by Horner's rule in each variable.
fn evaluate(coefficients: &[f64], degrees: &[usize], point: &[f64]) -> f64 {
    let Some((&x, rest)) = point.split_first() else {
        return coefficients[0];
    };
    let inner = count(&degrees[1..]);
    let rows = coefficients.chunks(inner).rev();
    rows.fold(0.0, |sum, row| sum * x + evaluate(row, &degrees[1..], rest))
}

fn horner(
    program: &mut ProgramBuilder,
    coefficients: &[f64],
    degrees: &[usize],
    point: &[Value],
) -> Result<Value, ProgramError> {
    let Some((&x, rest)) = point.split_first() else {
        return program.constant(coefficients[0]);
    };
    let mut sum = program.constant(0.0)?;
    for row in coefficients.chunks(count(&degrees[1..])).rev() {
        let value = horner(program, row, &degrees[1..], rest)?;
        sum = program.multiply(sum, x)?;
        sum = program.add(sum, value)?;
    }
    Ok(sum)
}
