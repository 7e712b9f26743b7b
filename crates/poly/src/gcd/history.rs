//! What resultants need to know of Euclid's algorithm.
//!
//! Let A and B be two remainders that follow each other, of degrees α and β, and R = u·A − q·B the next,
//! of degree ρ. Then res(A, B) = (−1)^(αβ)·u^(−β)·lc(B)^(α−ρ)·res(B, R). So the steps' leading
//! coefficients, factors u and degrees give the resultant in the end, by one inversion.

use sunzi_field::Field;

/// One step.
#[derive(Clone, Copy, Debug)]
struct Step<E> {
    /// By how much the divisor's degree is below the dividend's.
    drop: isize,
    /// The leading coefficient of the divisor.
    leading: E,
    /// What the dividend is multiplied by.
    factor: E,
}

/// All steps so far.
#[derive(Clone, Debug)]
pub(super) struct History<E> {
    steps: Vec<Step<E>>,
}

impl<E> Default for History<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> History<E> {
    pub(super) const fn new() -> Self {
        Self { steps: Vec::new() }
    }
}

impl<E: Copy + PartialEq> History<E> {
    /// A step that divides a polynomial of `len` coefficients, times `factor`, by the `divisor`; leading
    /// parts of both will do.
    pub(super) fn push(&mut self, len: usize, divisor: &[E], factor: E) {
        if let Some(&leading) = divisor.last() {
            self.steps.push(Step {
                drop: len as isize - divisor.len() as isize,
                leading,
                factor,
            });
        }
    }

    /// The resultant of two polynomials of these degrees, of which the last remainder that is not 0 is
    /// `last`.
    pub(super) fn resultant<F: Field<Elem = E>>(
        &self,
        field: &F,
        [alpha, beta]: [usize; 2],
        last: &[E],
    ) -> E {
        if last.len() > 1 {
            return field.zero();
        }
        let mut degrees = vec![alpha, beta];
        for step in &self.steps[1..] {
            let degree = degrees[degrees.len() - 1];
            degrees.push(degree.saturating_add_signed(-step.drop));
        }
        debug_assert!(self.steps[0].drop == alpha as isize - beta as isize);
        let mut numerator = field.one();
        let mut odd_signs = false;
        // Π u_i^β_i, as the product over j of all u_i with β_i ≥ j.
        let (mut denominator, mut factors) = (field.one(), field.one());
        for (i, step) in self.steps.iter().enumerate() {
            let (alpha, beta) = (degrees[i], degrees[i + 1]);
            factors = field.mul(factors, step.factor);
            let Some(&rho) = degrees.get(i + 2) else {
                // The divisor is a constant c: res(A, c) = c^α, and nothing is multiplied by u.
                numerator = field.mul(numerator, field.pow(step.leading, alpha as u64));
                break;
            };
            odd_signs ^= alpha % 2 == 1 && beta % 2 == 1;
            // Only in the first step ρ may be above α.
            let power = field.pow(step.leading, alpha.saturating_sub(rho) as u64);
            numerator = field.mul(numerator, power);
            let power = match beta - rho {
                1 => factors,
                drop => field.pow(factors, drop as u64),
            };
            denominator = field.mul(denominator, power);
        }
        let resultant = field
            .inv(denominator)
            .map(|inverse| field.mul(numerator, inverse));
        // The factors are units.
        let resultant = resultant.unwrap_or(numerator);
        if odd_signs {
            field.neg(resultant)
        } else {
            resultant
        }
    }
}
