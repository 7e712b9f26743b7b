//! A polynomial whose positive roots are sought, and its expansion on an interval, in Bernstein's basis, to so many bits.
//!
//! On lo ≤ y ≤ lo + w, with y = lo + w·t: f = Σ c_j t^j, c_j = w^j f^(j)(lo)/j!. With Bernstein's polynomials of degree d,
//! f = Σ b_i C(d,i) t^i (1−t)^(d−i), where b_i = Σ_j C(i,j) c_j/C(d,j). By Descartes' rule the number of roots with
//! 0 < t < 1 is at most that of the variations of sign of b_0 … b_d, and differs from it by an even number.
//!
//! **Bound.** All numbers are integers times a unit 2^u, 2^u ≤ 2^−bits·F(lo + w), F = Σ |a_k| y^k. High terms that sum up to
//! less than a quarter of a unit are left out, both of f and of the expansion: for any R, |c_j| ≤ F(lo + R)·(w/R)^j
//! (Cauchy). So narrow intervals have expansions of low degree. An error e of all c_j makes one of at most (d + 1)·e of b_i;
//! the guard bits are chosen such that all errors together stay below [`ERROR`] units.

use super::dyadic::Dyadic;
use super::rows::{DIGIT, Growth, Rows, normalize, shift_right, triangle};
use super::sign::Evaluator;
use super::size::{bits_of, log2_of};
use std::cmp::Ordering;
use sunzi_integer::Integer;
use sunzi_machine::threads::look;
use sunzi_poly::Poly;

/// The error of Bernstein coefficients, in units.
pub(super) const ERROR: u64 = 3;

/// A polynomial whose positive roots are sought; it has a constant term.
pub(super) struct Source {
    evaluator: Evaluator,
}

/// f = Σ c_j t^j on an interval.
pub(super) struct Expansion {
    /// The coefficients in units of 2^−guard.
    pub(super) terms: Vec<Integer>,
    pub(super) guard: usize,
}

impl Source {
    pub(super) fn new(coefficients: Vec<Integer>) -> Self {
        Self {
            evaluator: Evaluator::new(Poly::new(coefficients)),
        }
    }

    pub(super) fn coefficients(&self) -> &[Integer] {
        self.evaluator.polynomial().coefficients()
    }

    pub(super) fn logs(&self) -> &[f64] {
        self.evaluator.logs()
    }

    pub(super) fn sign_at(&self, y: &Dyadic) -> Ordering {
        self.evaluator.sign_at(y)
    }

    /// The sign just beside a root, toward another number.
    pub(super) fn sign_beside(&self, root: &Dyadic, toward: &Dyadic) -> Ordering {
        self.evaluator.sign_beside(root, toward)
    }

    /// The sign just above 0, of the constant term.
    pub(super) fn sign_at_zero(&self) -> Ordering {
        self.coefficients()[0].cmp(&Integer::ZERO)
    }

    /// log2 F(2^y), to 2^−20 and never too small.
    fn log_sum(&self, y: f64) -> f64 {
        let terms = self
            .logs()
            .iter()
            .enumerate()
            .map(|(k, log)| log + k as f64 * y);
        let most = terms.clone().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = terms.map(|term| (term - most).exp2()).sum();
        most + sum.log2() + 1e-6
    }

    /// The expansion on lo ≤ y ≤ lo + 2^width.
    pub(super) fn expansion(&self, lo: &Dyadic, width: i64, bits: u32) -> Expansion {
        let hi = lo + &Dyadic::new(Integer::ONE, width);
        let top = log2_of(&hi);
        let total = self.log_sum(top);
        let unit = total.floor() as i64 - i64::from(bits);
        // Terms beyond the last one that counts sum up to less than a quarter of a unit at the upper end.
        let small = unit as f64 - 3.0 - (self.logs().len() as f64).log2();
        let counts = |k: usize| self.logs()[k] + k as f64 * top >= small;
        let degree = (0..self.logs().len())
            .rev()
            .find(|&k| counts(k))
            .unwrap_or(0);
        if lo.is_zero() {
            let guard = i64::from(bits_of(degree + 1)) + 8;
            let unit = unit - guard;
            let terms = self.coefficients()[..=degree].iter().enumerate();
            return Expansion {
                terms: terms
                    .map(|(k, c)| shifted(c, width * k as i64 - unit))
                    .collect(),
                guard: guard as usize,
            };
        }
        self.expansion_beside(lo, width, degree, (unit, bits))
    }

    /// The same for lo > 0, with y = lo·(1 + z): Taylor's expansion in z, then z = t·w/lo.
    fn expansion_beside(
        &self,
        lo: &Dyadic,
        width: i64,
        degree: usize,
        (unit, bits): (i64, u32),
    ) -> Expansion {
        let log_lo = log2_of(lo);
        let kept = self.kept(log_lo, width as f64, degree, unit as f64);
        // How errors of the terms of f grow in those of the expansion, all together: (n + 1)·(1 + w/lo)^n.
        let growth =
            degree as f64 * (width as f64 - log_lo).exp2().ln_1p() * std::f64::consts::LOG2_E;
        let size = i64::from(bits_of(degree + 1));
        let fine = unit - size - growth.ceil() as i64 - 8;
        let precision = (unit - fine) as usize + bits as usize + size as usize + 16;

        let mut terms = Vec::with_capacity(degree + 1);
        let mut power = Rounded::from(Dyadic::from(1));
        for (k, coefficient) in self.coefficients()[..=degree].iter().enumerate() {
            if k > 0 {
                power.multiply(lo, precision);
            }
            terms.push(power.times(coefficient, precision, fine));
        }
        let terms = taylor(terms, kept);

        let unit = unit - size - 8;
        let ratio = Rounded::quotient(width, lo, precision);
        let mut power = Rounded::from(Dyadic::from(1));
        let scale = |(j, term): (usize, Integer)| {
            if j > 0 {
                power.multiply_rounded(&ratio, precision);
            }
            shifted(&(term * &power.mantissa), fine + power.exponent - unit)
        };
        Expansion {
            terms: terms.into_iter().enumerate().map(scale).collect(),
            guard: size as usize + 8,
        }
    }

    /// Up to which power the expansion counts: those beyond sum up to less than a quarter of a unit.
    fn kept(&self, log_lo: f64, width: f64, degree: usize, unit: f64) -> usize {
        let mut kept = degree;
        // R = lo/n, 4 lo/n … up to lo.
        let mut log_radius = log_lo - (degree.max(1) as f64).log2();
        while log_radius <= log_lo {
            let gain = log_radius - width;
            if gain >= 1.0 {
                let outer =
                    log_lo + (log_radius - log_lo).exp2().ln_1p() * std::f64::consts::LOG2_E;
                // Σ_{j > d} F(lo + R)·2^(−j·gain) ≤ 2·F(lo + R)·2^(−(d+1)·gain).
                let needed = (self.log_sum(outer + 1e-9) + 4.0 - unit) / gain;
                kept = kept.min(needed.max(0.0) as usize);
            }
            log_radius += 2.0;
        }
        kept
    }
}

impl Expansion {
    /// In Bernstein's basis, with errors of at most [`ERROR`] units.
    pub(super) fn to_bernstein(&self) -> Rows {
        let degree = self.terms.len() - 1;
        // Differences of b_0: s_j = c_j/C(d,j), whose errors grow to 2^d.
        let guard = degree + 8;
        let mut binomial = Integer::ONE;
        let mut differences = Vec::with_capacity(degree + 1);
        let mut bits = 0;
        for (j, term) in self.terms.iter().enumerate() {
            if j > 0 {
                binomial = binomial * Integer::from(degree + 1 - j) / Integer::from(j);
            }
            bits = bits.max(term.bit_len());
            let fine = shifted(term, guard as i64 - self.guard as i64);
            differences.push(fine / &binomial);
        }
        // |b_i| ≤ Σ |c_j|.
        let bits = (bits + bits_of(degree + 1) as usize + 2).saturating_sub(self.guard) + 2;
        let digits = (bits + 1).div_ceil(DIGIT).max(2);
        let wide = (bits + guard + 1).div_ceil(DIGIT).max(2);
        let mut ends = triangle(&Rows::from_integers(differences.iter(), wide), Growth::Kept);
        let mut rows = Rows::zeros(degree + 1, digits);
        for at in 0..=degree {
            shift_right(ends.first.row_mut(at), guard, rows.row_mut(at));
        }
        rows
    }
}

/// The first coefficients of f(z + 1), up to that of z^last: sums of the coefficients from each on, over and over.
fn taylor(terms: Vec<Integer>, last: usize) -> Vec<Integer> {
    let degree = terms.len() - 1;
    let last = last.min(degree);
    let step = bits_of(degree + 1) as usize;
    // C(k, j) ≤ 2^k and ≤ (n + 1)^j.
    let growth = degree.min((last + 1) * step) + step;
    let bits = terms.iter().map(|term| term.bit_len()).max().unwrap_or(0) + growth + 2;
    let mut rows = Rows::from_integers(terms.iter(), bits.div_ceil(DIGIT).max(2));
    // A pass may multiply lanes by n + 1.
    let passes = (super::rows::LEVELS / step).max(1);
    for pass in 0..=last {
        look();
        rows.sum_suffixes(pass);
        if pass % passes == passes - 1 {
            for at in pass..=degree {
                normalize(rows.row_mut(at));
            }
        }
    }
    (0..=last).map(|at| rows.integer(at)).collect()
}

/// A number to so many bits, rounded toward zero.
#[derive(Clone, Debug)]
struct Rounded {
    mantissa: Integer,
    exponent: i64,
}

impl From<Dyadic> for Rounded {
    fn from(x: Dyadic) -> Self {
        Self {
            mantissa: x.mantissa().clone(),
            exponent: x.exponent(),
        }
    }
}

impl Rounded {
    /// 2^width/lo for lo > 0.
    fn quotient(width: i64, lo: &Dyadic, precision: usize) -> Self {
        let shift = precision + lo.mantissa().bit_len();
        Self {
            mantissa: (Integer::ONE << shift) / lo.mantissa(),
            exponent: width - lo.exponent() - shift as i64,
        }
    }

    fn round(&mut self, precision: usize) {
        let excess = self.mantissa.bit_len().saturating_sub(precision);
        if excess > 0 {
            self.mantissa = &self.mantissa >> excess;
            self.exponent += excess as i64;
        }
    }

    fn multiply(&mut self, other: &Dyadic, precision: usize) {
        let mut other = Self::from(other.clone());
        other.round(precision);
        self.multiply_rounded(&other, precision);
    }

    fn multiply_rounded(&mut self, other: &Self, precision: usize) {
        self.mantissa *= &other.mantissa;
        self.exponent += other.exponent;
        self.round(precision);
    }

    /// A multiple, in units of 2^unit, rounded down.
    fn times(&self, factor: &Integer, precision: usize, unit: i64) -> Integer {
        let excess = factor.bit_len().saturating_sub(precision);
        let product = match excess > 0 {
            true => (factor >> excess) * &self.mantissa,
            false => factor * &self.mantissa,
        };
        shifted(&product, self.exponent + excess as i64 - unit)
    }
}

/// ⌊value · 2^power⌋.
fn shifted(value: &Integer, power: i64) -> Integer {
    match power >= 0 {
        true => value << power as usize,
        false => value >> power.unsigned_abs() as usize,
    }
}
