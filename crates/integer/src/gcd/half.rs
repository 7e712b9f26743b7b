//! The first half of Euclid's algorithm, by the leading halves of its operands.
//!
//! N. Möller, *On Schönhage's algorithm and subquadratic integer GCD computation* (2008). For a and b of n limbs and s = ⌊n/2⌋ + 1 a matrix M
//! of determinant 1 without negative entries is found, with (a, b) = M·(α, β), and both α and β longer than s limbs. **Why leading limbs
//! are enough.** With M = (u v; u′ v′), limbs that were cut off change α by more than −v and β by more than −u′ units, whatever they are; and
//! entries are below 2^(64(n−s)), as M·(α, β) has n limbs, while α and β are at least 2^(64s). So both stay positive, and nothing is
//! ever put right. **Cost.** O(M(n)·log n).

use super::Gcd;
use super::leading::leading_steps;
use super::matrix::{Matrix, Number, reduce_by_words, reduce_low};
use crate::multiplier::Multiplier;
use sunzi_rns::limbs::{add_assign, sub_1, truncate_zeros};

impl Gcd<'_> {
    /// Reduces a pair to numbers longer than half of it, and multiplies `matrix`, which is 1, by the steps.
    pub fn half_gcd(&self, pair: &mut [Number; 2], matrix: &mut Matrix) {
        let n = longer(pair);
        let s = n / 2 + 1;
        if pair[0].len().min(pair[1].len()) <= s {
            return;
        }
        if n >= self.lengths.half.max(8) {
            self.recurse(pair, n / 2, matrix);
            // A few steps, so that the second part is no longer than the first.
            while longer(pair) > 3 * n / 4 + 1 {
                if !step(self.multiplier, pair, s, matrix) {
                    return;
                }
            }
            let rest = longer(pair);
            if rest > s + 2 {
                self.recurse(pair, 2 * s - rest + 1, matrix);
            }
        }
        while step(self.multiplier, pair, s, matrix) {}
    }

    /// Reduces a pair by its limbs from p upward.
    fn recurse(&self, pair: &mut [Number; 2], p: usize, matrix: &mut Matrix) {
        if let Some(found) = self.by_upper_limbs(pair, p) {
            match matrix.is_one() {
                true => *matrix = found,
                false => matrix.by(self.multiplier, &found),
            }
        }
    }

    /// Reduces a pair by its limbs from p upward; the matrix, unless it is 1.
    pub(super) fn by_upper_limbs(&self, pair: &mut [Number; 2], p: usize) -> Option<Matrix> {
        let mut high = [0, 1].map(|i| pair[i].get(p..).unwrap_or_default().to_vec());
        let mut matrix = Matrix::one();
        self.half_gcd(&mut high, &mut matrix);
        if matrix.is_one() {
            return None;
        }
        reduce_low(self.multiplier, pair, p, high, &matrix);
        Some(matrix)
    }
}

/// Takes off the larger number what leaves both longer than s limbs; whether there was something.
fn step(multiplier: &Multiplier, pair: &mut [Number; 2], s: usize, matrix: &mut Matrix) -> bool {
    // Steps by leading bits leave numbers at most a limb shorter.
    if longer(pair) > s + 1
        && let Some(words) = leading_steps(&pair[0], &pair[1])
    {
        reduce_by_words(pair, words);
        matrix.by_words(words);
        return true;
    }
    let larger = usize::from(sunzi_rns::limbs::cmp(&pair[0], &pair[1]).is_lt());
    let smaller = &pair[1 - larger];
    if smaller.len() <= s {
        return false;
    }
    let divided = multiplier.div_rem(&pair[larger], smaller);
    let (mut quotient, mut remainder) = divided.expect("it is longer than s limbs");
    if remainder.len() <= s {
        // Once less.
        sub_1(&mut quotient, 1);
        truncate_zeros(&mut quotient);
        if quotient.is_empty() {
            return false;
        }
        remainder.resize(smaller.len(), 0);
        let carry = add_assign(&mut remainder, smaller);
        if carry != 0 {
            remainder.push(carry);
        }
    }
    pair[larger] = remainder;
    matrix.step(multiplier, &quotient, larger);
    true
}

pub(super) fn longer(pair: &[Number; 2]) -> usize {
    pair[0].len().max(pair[1].len())
}
