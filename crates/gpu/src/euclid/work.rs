//! What division and Euclid's algorithm come to, for the pairs that they take longest for: coprime, and degrees drop by one.
//! Threads without a coefficient wait for those with one.

use super::plan::{CHUNK, EuclidConfig};
use crate::word::Word;
use crate::work::sum_of;
use sunzi_device::Work;

/// Pairs of which each moves so many elements and adds up so many sums of products.
pub(super) fn of_pairs(
    word: Word,
    pairs: usize,
    elements: usize,
    (sums, products): (usize, usize),
    barriers: usize,
) -> Work {
    let multiplications = sums as u64 * sum_of(word.width(), products);
    Work {
        bytes: (word.bytes() * pairs * elements) as u64,
        multiplications: multiplications.saturating_mul(pairs as u64),
        barriers,
    }
}

/// Division by one group a pair.
pub(super) fn division(word: Word, pairs: usize, threads: usize, [n, m]: [usize; 2]) -> Work {
    let steps = n.checked_sub(m).map_or(0, |drop| drop + 1);
    let met = |len: usize| len.next_multiple_of(threads);
    let sums = met(n + m) + steps * met(m - 1);
    of_pairs(word, pairs, n + m + n.max(m), (sums, 1), 1 + steps)
}

/// Euclid's algorithm by one group a pair, with cofactors or without.
pub(super) fn euclid(
    word: Word,
    pairs: usize,
    threads: usize,
    lengths: [usize; 2],
    has_cofactors: bool,
) -> Work {
    let [n, m] = [lengths[0].max(lengths[1]), lengths[0].min(lengths[1])];
    let of = |len: usize, terms| len.next_multiple_of(threads) as u64 * sum_of(word.width(), terms);
    let (mut barriers, mut multiplications) = (1, of(n + m, 1));
    let least = usize::from(!has_cofactors);
    let (mut x, mut y) = ([n, 1, 0], [m, 0, 1]);
    while y[0] > least {
        let shift = x[0] - y[0];
        let drop = if shift > 0 { 2 } else { 1 };
        barriers += 1;
        let left = x[0].saturating_sub(drop);
        if has_cofactors {
            x = [left, x[1].max(y[1] + shift), x[2].max(y[2] + shift)];
            multiplications += x.iter().map(|&len| of(len, 3)).sum::<u64>();
        } else {
            x[0] = left;
            multiplications += of(left, 1 + drop);
        }
        if x[0] < y[0] {
            (x, y) = (y, x);
        }
    }
    let written = if has_cofactors { 3 * n } else { n };
    Work {
        multiplications: multiplications.saturating_mul(pairs as u64),
        ..of_pairs(word, pairs, n + m + written, (0, 1), barriers)
    }
}

/// A round for pairs of these lengths, after so many coefficients were taken off by those before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub config: EuclidConfig,
    pub lengths: [usize; 2],
    pub done: usize,
    pub parts: usize,
}

impl Round {
    /// Coefficients of the quotient that are left.
    fn quotient_left(&self) -> usize {
        let [n, m] = self.lengths;
        (n + 1).saturating_sub(m + self.done)
    }

    fn met(&self, len: usize) -> usize {
        len.next_multiple_of(self.config.round_threads())
    }

    /// Coefficients of quotients.
    pub(super) fn quotients(&self, word: Word, pairs: usize) -> Work {
        let count = self.config.steps.min(self.quotient_left());
        let sums = (0..count).map(|k| self.met(k)).sum();
        of_pairs(word, pairs, 2 * count, (sums, 1), count + 1)
    }

    /// What is left of both polynomials, and steps of two terms at a time.
    fn left(&self) -> ([usize; 2], usize) {
        let left = self.lengths.map(|len| len.saturating_sub(self.done));
        (left, self.config.steps.min(left[0].min(left[1])))
    }

    /// Steps of Euclid's algorithm.
    pub(super) fn steps(&self, word: Word, pairs: usize) -> Work {
        let (left, count) = self.left();
        let window = (2 * self.config.steps).min(left[0].max(left[1]));
        let sums = (0..count).map(|k| self.met(window.saturating_sub(k)) + 2 * self.met(k));
        of_pairs(word, pairs, 2 * window, (sums.sum(), 3), count + 4)
    }

    /// A matrix with polynomials, applied to rows: two for each pair of rows.
    pub(super) fn apply(&self, word: Word, pairs: usize, is_division: bool) -> Work {
        let (count, rows, terms) = if is_division {
            let left = self.quotient_left();
            let len = self.lengths[1] - 1 + left;
            (self.config.steps.min(left), vec![len], 1)
        } else {
            let (left, count) = self.left();
            let mut rows = left.to_vec();
            if self.parts > 1 && count > 0 {
                rows.extend([self.done + count; 4]);
            }
            (count, rows, 2)
        };
        let each = self.config.outputs(word);
        let sums = rows.iter().map(|len| len.next_multiple_of(each)).sum();
        let moved = 2 * rows.iter().sum::<usize>();
        let barriers = 2 * terms * count.div_ceil(CHUNK);
        of_pairs(word, pairs, moved, (sums, terms * count), barriers)
    }
}
