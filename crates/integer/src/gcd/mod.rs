//! Greatest common divisors of limb vectors, with cofactors.
//!
//! **Problem.** g = gcd(a, b), and s, t with g = s·a + t·b. **Algorithm.** As long as both numbers are long, the leading third of their
//! limbs gives a matrix that makes them shorter ([half]); then steps that 126 leading bits determine ([leading]), sixty bits at a
//! time; the last limbs by themselves ([words]). **Cost.** O(M(n)·log n) for n limbs, M(n) the cost of a product; of short numbers n².
//!
//! With (a, b) = M·(α, β), M the matrix (u v; u′ v′) of all steps, α = v′·a − v·b and β = −u′·a + u·b. At the end one of them is g, and the
//! other is 0: cofactors are entries of M, and so are a/g and b/g.

pub(crate) mod half;
pub(crate) mod leading;
pub(crate) mod matrix;
pub(crate) mod words;

use crate::multiplier::Multiplier;
use crate::scratch::with_limbs;
use half::longer;
use leading::leading_steps;
use matrix::{Matrix, Row, add_product, reduce_limbs_by_words, row_by, row_by_words};
use sunzi_rns::limbs::{cmp, sub_assign, trim, truncate_zeros};
use words::{euclid, gcd_of_two_limbs};

/// The lengths in limbs from which algorithms take over: tests make them short.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// Of the leading halves of [`half::half_gcd`].
    pub half: usize,
    /// From which the whole algorithm uses them.
    pub gcd: usize,
    /// The same with cofactors.
    pub gcd_ext: usize,
}

impl Lengths {
    /// Measured with AVX2 on a core of an AMD EPYC (Zen 3), for two numbers of as many limbs.
    pub const BUILT_IN: Self = Self {
        half: 200,
        gcd: 450,
        gcd_ext: 250,
    };
}

/// A greatest common divisor g of a and b, and its cofactors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bezout {
    /// g, 0 if both are.
    pub gcd: Vec<u64>,
    /// s with g ≡ s·a modulo b, 0 ≤ s < b/g; 1 if b is 0, 0 if a is.
    pub cofactor: Vec<u64>,
}

impl Multiplier {
    /// The greatest common divisor of two vectors of limbs, without zeros at its end.
    ///
    /// ```
    /// assert_eq!(sunzi::integer::Multiplier::new().gcd(&[0, 12], &[18]), [6]); // of 12·2^64 and 18
    /// ```
    pub fn gcd(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        self.greatest_divisors().gcd(a, b)
    }

    /// The greatest common divisor of two vectors of limbs, and the least cofactor of the first that is not negative.
    ///
    /// ```
    /// let found = sunzi::integer::Multiplier::new().gcd_ext(&[12], &[18]);
    /// assert_eq!((found.gcd, found.cofactor), (vec![6], vec![2])); // 6 = 2·12 − 18
    /// ```
    pub fn gcd_ext(&self, a: &[u64], b: &[u64]) -> Bezout {
        self.greatest_divisors().gcd_ext(a, b)
    }

    pub(crate) fn greatest_divisors(&self) -> Gcd<'_> {
        Gcd {
            multiplier: self,
            lengths: Lengths::BUILT_IN,
        }
    }
}

/// What computes greatest common divisors.
pub struct Gcd<'a> {
    pub multiplier: &'a Multiplier,
    pub lengths: Lengths,
}

/// The lower row of the matrix 1, and the upper one: what [`Gcd::reduced`] multiplies, with memory for numbers of so many limbs.
pub(crate) fn rows_of_one(limbs: usize) -> [Row; 2] {
    let entry = |one: bool| {
        // A product has up to two limbs more before its zeros are known.
        let mut entry = Vec::with_capacity(limbs + 2);
        if one {
            entry.push(1);
        }
        entry
    };
    [[entry(false), entry(true)], [entry(true), entry(false)]]
}

impl Gcd<'_> {
    /// [`Multiplier::gcd`].
    pub fn gcd(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        self.reduced(a, b, &mut [], <[u64]>::to_vec).0
    }

    /// [`Multiplier::gcd_ext`].
    pub fn gcd_ext(&self, a: &[u64], b: &[u64]) -> Bezout {
        let mut rows = rows_of_one(a.len().max(b.len()));
        let (gcd, left) = self.reduced(a, b, &mut rows[..1], <[u64]>::to_vec);
        let [mut row, _] = rows;
        let modulus = std::mem::take(&mut row[left]);
        let mut cofactor = std::mem::take(&mut row[1 - left]);
        // β = −u′·a + u·b.
        if left == 1 && !cofactor.is_empty() {
            let magnitude = std::mem::replace(&mut cofactor, modulus);
            sub_assign(&mut cofactor, &magnitude);
            truncate_zeros(&mut cofactor);
        } else if cofactor == modulus {
            cofactor.clear();
        }
        Bezout { gcd, cofactor }
    }

    /// What is made of the greatest common divisor, and which of the two numbers it is that is left, α or β. The rows of M that are given, the
    /// lower one first, are those of 1 before, and of the matrix of all steps then.
    pub(crate) fn reduced<T>(
        &self,
        a: &[u64],
        b: &[u64],
        rows: &mut [Row],
        make: impl FnOnce(&[u64]) -> T,
    ) -> (T, usize) {
        let (a, b) = (trim(a), trim(b));
        let long = match rows {
            [] => self.lengths.gcd,
            _ => self.lengths.gcd_ext,
        };
        let long = long.max(8);
        if a.len().max(b.len()) < long {
            return self.by_leading_bits([a, b], rows, make);
        }
        let mut pair = [a.to_vec(), b.to_vec()];
        while longer(&pair) >= long {
            // N. Möller finds the leading third better than the half.
            let p = 2 * longer(&pair) / 3;
            if let Some(matrix) = self.by_upper_limbs(&mut pair, p) {
                for row in &mut *rows {
                    row_by(self.multiplier, row, &matrix);
                }
                continue;
            }
            let larger = usize::from(cmp(&pair[0], &pair[1]).is_lt());
            if pair[1 - larger].is_empty() {
                break;
            }
            pair[larger] = self.remainder(&pair[larger], &pair[1 - larger], larger, rows);
        }
        if rows.is_empty() {
            return self.by_leading_bits([&pair[0], &pair[1]], rows, make);
        }
        // Rows are long by now: they are multiplied once, by the matrix of all steps that are left.
        let mut rest = rows_of_one(longer(&pair));
        let found = self.by_leading_bits([&pair[0], &pair[1]], &mut rest, make);
        let [lower, upper] = rest;
        let matrix = Matrix([upper, lower]);
        for row in rows {
            row_by(self.multiplier, row, &matrix);
        }
        found
    }

    /// [`Self::reduced`] for short numbers without zeros at their ends.
    fn by_leading_bits<T>(
        &self,
        [a, b]: [&[u64]; 2],
        rows: &mut [Row],
        make: impl FnOnce(&[u64]) -> T,
    ) -> (T, usize) {
        let mut n = a.len().max(b.len());
        with_limbs(2 * n, |scratch| {
            let (x, y) = scratch.split_at_mut(n);
            x[..a.len()].copy_from_slice(a);
            y[..b.len()].copy_from_slice(b);
            // Both have n limbs, the last of which is zero of one of them at most.
            let mut pair = [x, y];
            while n > 1 {
                if n == 2 && rows.is_empty() {
                    let [x, y] = pair.map(|x| u128::from(x[1]) << 64 | u128::from(x[0]));
                    let gcd = gcd_of_two_limbs(x, y);
                    return (make(trim(&[gcd as u64, (gcd >> 64) as u64])), 0);
                }
                if let Some(words) = leading_steps(&pair[0][..n], &pair[1][..n]) {
                    let [x, y] = &mut pair;
                    reduce_limbs_by_words(&mut x[..n], &mut y[..n], words);
                    for row in &mut *rows {
                        row_by_words(row, words);
                    }
                } else {
                    let larger = usize::from(cmp(&pair[0][..n], &pair[1][..n]).is_lt());
                    let divisor = trim(&pair[1 - larger][..n]);
                    if divisor.is_empty() {
                        return (make(&pair[larger][..n]), larger);
                    }
                    let remainder = self.remainder(&pair[larger][..n], divisor, larger, rows);
                    let (low, high) = pair[larger][..n].split_at_mut(remainder.len());
                    low.copy_from_slice(&remainder);
                    high.fill(0);
                }
                while n > 0 && pair[0][n - 1] | pair[1][n - 1] == 0 {
                    n -= 1;
                }
            }
            let found = euclid(
                pair[0].first().copied().unwrap_or(0),
                pair[1].first().copied().unwrap_or(0),
            );
            for row in rows {
                row_by_words(row, found.matrix);
            }
            (make(trim(&[found.gcd])), found.left)
        })
    }

    /// The remainder by a divisor that is not empty, which takes the place of the number `shrunk`.
    fn remainder(&self, a: &[u64], b: &[u64], shrunk: usize, rows: &mut [Row]) -> Vec<u64> {
        let divide = self.multiplier.divide();
        let divided = divide.divided(a, b, |quotient, remainder| {
            for row in rows {
                add_product(self.multiplier, row, quotient, shrunk);
            }
            remainder.to_vec()
        });
        divided.expect("it is not 0")
    }
}
