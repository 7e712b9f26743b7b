//! Determinants by condensation: operations, kernels, and misses of an ideal cache.
//!
//! **Problem.** Salem and Said's condensation makes of a matrix of order n one of order n − 1, each entry a minor of order 2 with the
//! pivot's row and column, and ends at order 2. What does it cost, and how often does a cache of Z words in lines of L miss, where
//! matrices lie by columns?
//!
//! **Formulas** (S. A. Haque, *Hardware Acceleration Technologies in Computer Algebra*, 2013, section 7.2). A step to order m has 2m²
//! products and m² differences, so that all have n³ − 3n²/2 + n/2 − 3 operations. While a column does not fit the cache, a step on order k
//! reads the other columns and the pivot's, the latter once for each column of the result, and writes the result: 3(k − 1)²/L + k/L + 4
//! misses. The sum from k = Z + 1 to n is (7.2): (n − Z)(n² − n + Z² − Z + Zn + 1 + 4L)/L.
//!
//! **What (7.2) leaves out**, as counting in an optimal cache shows:
//!
//! - A column read again and again begins anywhere in a line, so that each of its k − 1 scans may touch a line more: with Z = 40, L = 8,
//!   k = 51 and the pivot in column 2 there are 968 misses, and the step's formula has 948.
//! - The five streams of a step (pivot, head of a column, pivot's column, other column, result) take five lines; with four there are
//!   three times as many misses.
//! - Steps with k ≤ Z, whose columns fit but whose matrices don't, miss 2k²/L times each; for n < Z the formula is below 0.
//!
//! [`IdealCache::condensation_bound`] has all steps, and is never exceeded.

use sunzi_integer::Rational;

use super::ManyCoreProgram;
use super::program::{KernelCosts, sheet};

/// The kernels of condensation: each thread computes `each` neighbouring entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CondensationLaunch {
    /// Threads of a block: T.
    pub threads: u64,
    /// Entries of a thread: t.
    pub each: u64,
}

impl CondensationLaunch {
    /// Operations of the determinant of a matrix of order 2 or more, the last one left out: n³ − 3n²/2 + n/2 − 3.
    ///
    /// ```
    /// use sunzi::tune::CondensationLaunch;
    /// assert_eq!(CondensationLaunch::work(3), 3 * 4);
    /// assert_eq!(CondensationLaunch::work(4), 3 * (9 + 4));
    /// ```
    pub const fn work(order: u64) -> u128 {
        let n = order as u128;
        match n {
            0..=2 => 0,
            _ => (n * (n - 1) * (2 * n - 1)) / 2 - 3,
        }
    }

    /// Its kernels for a matrix of a given order: for each step one thread that looks for the pivot in the first row, at worst in
    /// all of it, and ⌈(k − 1)²/(Tt)⌉ blocks, where an entry takes 3 operations and 5 words.
    ///
    /// ```
    /// use sunzi::tune::{CondensationLaunch, MachineModel};
    ///
    /// let machine = MachineModel { u: 1_u8.into(), z: 1024, sms: 4 };
    /// let bound = |each| {
    ///     let program = CondensationLaunch { threads: 64, each }.program(100);
    ///     program.bound_by_steps(&machine)
    /// };
    /// // A thread that has more entries leaves fewer blocks for all multiprocessors.
    /// assert!(bound(1) < bound(64));
    /// ```
    pub fn program(&self, order: u64) -> ManyCoreProgram {
        let each = self.each.max(1);
        let steps = (3..=order).rev().flat_map(|k| {
            let pivot = KernelCosts {
                blocks: 1,
                work: k,
                span: k,
                words: k,
            };
            let entries = (k - 1) * (k - 1);
            let threads = entries.div_ceil(each);
            let entries = sheet(threads, self.threads, 3 * each, 5 * each);
            [vec![pivot], vec![entries]]
        });
        ManyCoreProgram::of_steps(steps)
    }
}

/// A cache of Z words in lines of L, which any word may be in, and which leaves out the line that is needed last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdealCache {
    /// Z.
    pub words: u64,
    /// L.
    pub line: u64,
}

impl IdealCache {
    /// Lines that so many neighbouring words touch at most.
    const fn lines(&self, words: u128) -> u128 {
        match words {
            0 => 0,
            _ => (words - 1).div_ceil(if self.line == 0 { 1 } else { self.line as u128 }) + 1,
        }
    }

    /// (7.2) as it is printed: misses of the steps on orders Z + 1 to `order`, about.
    ///
    /// ```
    /// use sunzi::{Rational, tune::IdealCache};
    ///
    /// let cache = IdealCache { words: 40, line: 8 };
    /// let of_one_step = cache.condensation_estimate(41) * Rational::from(8);
    /// assert_eq!(of_one_step, Rational::from(3 * 40 * 40 + 41 + 4 * 8));
    /// ```
    pub fn condensation_estimate(&self, order: u64) -> Rational {
        let [n, z, l] = [order, self.words, self.line.max(1)].map(Rational::from);
        let four = Rational::from(4_u8);
        let sum = &n * &n - &n + &z * &z - &z + &z * &n + Rational::ONE + four * &l;
        (n - z) * sum / l
    }

    /// Misses of a step on a matrix of a given order, at most, in a cache of five lines or more.
    pub const fn condensation_step_bound(&self, order: u64) -> u128 {
        let k = order as u128;
        if k < 2 {
            return 0;
        }
        // Four other lines are in use while the pivot's column is read.
        let fits = k + 6 * self.line as u128 <= self.words as u128;
        let scans = if fits { 1 } else { k - 1 };
        // Other columns are on both sides of the pivot's.
        let others = self.lines(k * (k - 1)) + 2;
        scans * self.lines(k) + others + self.lines((k - 1) * (k - 1))
    }

    /// Misses of the determinant of a matrix of a given order, at most, in a cache of five lines or more.
    ///
    /// ```
    /// use sunzi::{Rational, tune::IdealCache};
    ///
    /// let cache = IdealCache { words: 40, line: 8 };
    /// // Small steps cost something, too.
    /// assert!(cache.condensation_estimate(30) < Rational::from(0));
    /// assert!(cache.condensation_bound(30) > 0);
    /// ```
    pub fn condensation_bound(&self, order: u64) -> u128 {
        (3..=order).map(|k| self.condensation_step_bound(k)).sum()
    }
}
