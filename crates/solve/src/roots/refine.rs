//! Quadratic interval refinement.
//!
//! An interval with opposite signs at its ends is divided into 2^ν equal parts. The root is supposed in that next to where the
//! secant has its zero; two signs tell whether it is there. If so, ν doubles, else it is halved. Near a simple root the guess
//! is right from some width on, as the curve differs from the secant by about the square of the width.
//!
//! Source: Abbott, "Quadratic interval refinement for real roots", 2014; Kerber and Sagraloff 2011 for approximate values.

use super::dyadic::Dyadic;
use super::horner::Value;
use super::root::RealRoot;
use std::cmp::Ordering;
use sunzi_integer::Integer;
use sunzi_machine::threads::look;

/// Bits of a value beyond those gained: the guess is right to a sixteenth of a part.
const SPARE: usize = 4;

impl RealRoot {
    /// Makes the interval at most 2^−bits wide, if it is wider.
    ///
    /// Quadratic: each step doubles the bits that are gained by the next, for two values of the factor (quadratic interval
    /// refinement, Abbott 2014), computed with about as many bits as they need.
    pub fn refine(&mut self, bits: i64) {
        // Values at the ends, as far as known.
        let mut values: [Option<Value>; 2] = [None, None];
        while !self.is_point() && self.interval().width_exceeds(bits) {
            look();
            let width = self.upper() - self.lower();
            // The width is less than 2^magnitude, and at least half of that.
            let wanted = (width.magnitude().unwrap_or(0) + bits).max(1) as usize;
            let gain = self.pace().gain.min(wanted);
            if gain == 1 {
                let middle = self.interval().midpoint();
                step(self, middle, SPARE, &mut values);
                self.pace().gain = 2;
                continue;
            }
            let (lower, upper) = (self.lower().clone(), self.upper().clone());
            let ends = [&lower, &upper];
            for (end, value) in ends.into_iter().zip(&mut values) {
                if value.as_ref().and_then(Value::excess) < Some(gain + SPARE) {
                    *value = value_at(self, end, gain + SPARE);
                }
            }
            let part = width.scaled(-(gain as i64));
            let parts = Integer::ONE << gain;
            let guess = match &values {
                [Some(low), Some(high)] => secant(low, high, gain),
                _ => Integer::ONE,
            };
            let at = |m: &Integer| &lower + &(&part * &Dyadic::from(m.clone()));
            let next = (2 * gain).min((wanted + 1).saturating_sub(gain)) + SPARE;
            let inner = |m: &Integer| *m > Integer::ZERO && *m < parts;
            // The side of the root at the guess tells the other end to try.
            let before = self.before();
            let other = match inner(&guess) {
                true => {
                    let at_guess = step(self, at(&guess), next, &mut values);
                    match at_guess {
                        Ordering::Equal => return,
                        sign if sign == before => &guess + Integer::ONE,
                        _ => &guess - Integer::ONE,
                    }
                }
                false if guess.is_zero() => Integer::ONE,
                false => &parts - Integer::ONE,
            };
            if inner(&other) && step(self, at(&other), next, &mut values) == Ordering::Equal {
                return;
            }
            let now = self.upper() - self.lower();
            let pace = self.pace();
            pace.gain = match now <= part {
                true => 2 * gain,
                false => gain / 2,
            };
        }
    }
}

fn value_at(root: &mut RealRoot, at: &Dyadic, excess: usize) -> Option<Value> {
    let mut words = root.pace().words;
    let value = root.evaluator().value(at, excess, &mut words);

    root.pace().words = words.max(root.pace().words);
    value
}

/// Replaces an end by a number in between, and its value, to so many bits; tells the sign there.
fn step(
    root: &mut RealRoot,
    at: Dyadic,
    excess: usize,
    values: &mut [Option<Value>; 2],
) -> Ordering {
    let value = value_at(root, &at, excess);
    let sign = value.as_ref().map_or(Ordering::Equal, Value::sign);
    let side = usize::from(sign != root.before());
    values[side] = value;
    root.replace(at, sign);
    sign
}

/// 2^gain·|low|/(|low| + |high|), rounded to the nearest.
fn secant(low: &Value, high: &Value, gain: usize) -> Integer {
    let unit = low.unit.min(high.unit);
    let magnitude = |value: &Value| value.mantissa.abs() << (value.unit - unit) as usize;
    let (low, high) = (magnitude(low), magnitude(high));
    let sum = &low + &high;
    // The quotient to `gain` bits needs no more than twice as many of the operands.
    let excess = sum.bit_len().saturating_sub(2 * gain + 64);
    let (low, sum) = (low >> excess, sum >> excess);
    ((low << (gain + 1)) / sum + Integer::ONE) >> 1
}
