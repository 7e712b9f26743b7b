//! How times grow with the size of the data: G, fitted to medians, as a program.

use crate::program::{ProgramBuilder, ProgramError, Value};

/// G = e^constant · size^slope, for the product of the data as size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Growth {
    constant: f64,
    slope: f64,
}

/// The logarithm of the product of the data.
pub(crate) fn log_size(data: &[i64]) -> f64 {
    data.iter().map(|&n| (n.max(1) as f64).ln()).sum()
}

impl Growth {
    /// The line through points (log of the size, log of the median, weight): constant for a single size.
    pub fn fit(points: &[(f64, f64, f64)]) -> Self {
        let mean = |f: &dyn Fn(&(f64, f64, f64)) -> f64| {
            let all: f64 = points.iter().map(|p| p.2).sum();
            points.iter().map(|p| p.2 * f(p)).sum::<f64>() / all
        };
        let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
        let spread = mean(&|p| (p.0 - x) * (p.0 - x));
        let slope = if spread > 1e-12 {
            mean(&|p| (p.0 - x) * (p.1 - y)) / spread
        } else {
            0.0
        };
        // Times of sizes that nearly agree tell no slope.
        let slope = slope.clamp(-8.0, 8.0);
        Growth {
            constant: y - slope * x,
            slope,
        }
    }

    /// G in a program. A power of the size with an exponent below 1 is the least of the chords between powers of two, for it
    /// is concave: 2 % less at most.
    pub fn in_program(
        self,
        p: &mut ProgramBuilder,
        data: &[Value],
        longest: f64,
    ) -> Result<Value, ProgramError> {
        let one = p.constant(1.0)?;
        let mut size = one;
        for &value in data {
            let value = p.maximum(value, one)?;
            size = p.multiply(size, value)?;
        }
        let whole = self.slope.floor();
        let rest = self.slope - whole;
        let mut growth = p.constant(self.constant.clamp(-300.0, 300.0).exp())?;
        for _ in 0..whole.abs() as usize {
            growth = match whole > 0.0 {
                true => p.multiply(growth, size)?,
                false => p.divide(growth, size)?,
            };
        }
        if rest > 0.0 {
            let mut least = None;
            for octave in 0..longest.max(1.0).log2().ceil().max(1.0) as i32 {
                let (from, ratio) = (2f64.powi(octave), 2f64.powf(rest));
                let value = from.powf(rest);
                let (rise, base) = (value * (ratio - 1.0) / from, value * (2.0 - ratio));
                let (rise, base) = (p.constant(rise)?, p.constant(base)?);
                let chord = p.multiply(rise, size)?;
                let chord = p.add(chord, base)?;
                least = Some(match least {
                    Some(least) => p.minimum(least, chord)?,
                    None => chord,
                });
            }
            growth = p.multiply(growth, least.unwrap_or(one))?;
        }
        Ok(growth)
    }
}
