//! Determinants over the integers modulo one power of two, for small orders.
//!
//! **Problem.** det A for few rows of short entries. **Bound.** Hadamard's: |det A| < 2^(64·W − 1) for W words, so that the
//! determinant modulo 2^(64·W), taken between −2^(64·W − 1) and 2^(64·W − 1), is det A.
//!
//! **Algorithm.** Gauss's elimination in Z/2^(64·W), a chain ring: the pivot of a column is an entry with the fewest factors
//! of 2, by which all others can be divided (A. Storjohann, *Algorithms for matrix canonical forms*, 2000, §1.1). Rows take
//! multiples of others only, so that the determinant is the product of the pivots however many digits a quotient has lost. No
//! entry is reduced or divided: products are cut off above the W-th word, W·(W + 1)/2 products of words each, n³/3 of them.
//! Orders up to 4 with entries below 2^30 take Laplace's expansion in 128 bits.

use super::plan::words_of_short_entries;
use super::words::Words;
use crate::dense::matrix::DenseMatrix;
use sunzi_integer::Integer;

/// Most words that there are.
pub const MOST_WORDS: usize = 12;

/// Entries of a matrix whose determinant [`expanded`] finds are shorter.
const EXPANDED_BITS: u32 = 30;

/// Words for determinants below 2^bits in absolute value.
pub fn words_for(bits: f64) -> Option<usize> {
    let wanted = (bits.max(0.0) + 1.0) / 64.0;
    let words = (wanted <= MOST_WORDS as f64).then(|| wanted.ceil() as usize)?;
    // Each number of words is compiled by itself: all up to 6, then every other.
    Some(match words {
        ..=6 => words,
        _ => words.next_multiple_of(2),
    })
}

/// The determinant of a square matrix, if it is below 2^(64·words − 1) in absolute value.
pub fn determinant(matrix: &DenseMatrix<Integer>, words: usize) -> Integer {
    match words {
        1 => modulo::<1>(matrix),
        2 => modulo::<2>(matrix),
        3 => modulo::<3>(matrix),
        4 => modulo::<4>(matrix),
        5 => modulo::<5>(matrix),
        6 => modulo::<6>(matrix),
        8 => modulo::<8>(matrix),
        10 => modulo::<10>(matrix),
        12 => modulo::<12>(matrix),
        _ => unreachable!("{words} words"),
    }
}

fn modulo<const W: usize>(matrix: &DenseMatrix<Integer>) -> Integer {
    let n = matrix.rows();
    let mut entries: Vec<Words<W>> = matrix.entries().iter().map(Words::of).collect();
    eliminated(&mut entries, n).map_or(Integer::ZERO, Words::signed)
}

/// The determinant of n rows, which become upper triangular but for what is below the diagonal; `None` if it is 0 for want of a
/// pivot.
fn eliminated<const W: usize>(entries: &mut [Words<W>], n: usize) -> Option<Words<W>> {
    let (mut pivots, mut is_odd) = (Words::ONE, false);
    for k in 0..n {
        let mut best = (k, u32::MAX);
        for i in k..n {
            let valuation = entries[i * n + k].valuation();
            if valuation < best.1 {
                best = (i, valuation);
            }
            if valuation == 0 {
                break;
            }
        }
        let (found, valuation) = best;
        if valuation == 64 * W as u32 {
            return None;
        }
        let (above, below) = entries.split_at_mut((k + 1) * n);
        let top = &mut above[k * n + k..];
        if found != k {
            let other = (found - k - 1) * n + k;
            top.swap_with_slice(&mut below[other..other + n - k]);
            is_odd = !is_odd;
        }
        let (&mut pivot, top) = top.split_first_mut()?;
        pivots = pivots.times(pivot);
        let negative = pivot.shifted(valuation).inverse().negated();
        for row in below.chunks_exact_mut(n) {
            let (first, row) = row[k..].split_first_mut()?;
            if first.is_zero() {
                continue;
            }
            let factor = first.shifted(valuation).times(negative);
            for (entry, &above) in row.iter_mut().zip(&*top) {
                *entry = entry.plus_product(factor, above);
            }
        }
    }
    Some(if is_odd { pivots.negated() } else { pivots })
}

/// Rows of matrices whose bound is found without logarithms.
const MOST_ROWS: usize = 32;

/// The determinant of few rows of entries of a word each, with neither a plan nor a bound of logarithms before it; `None` if
/// there are more, or other methods may be quicker.
pub fn of_short_entries(matrix: &DenseMatrix<Integer>) -> Option<Integer> {
    let n = matrix.rows();
    match n {
        0 => return Some(Integer::ONE),
        1 if matrix[(0, 0)].bit_len() <= 64 => return Some(matrix[(0, 0)].clone()),
        1 => return None,
        2..=4 => {
            if let Some(found) = expanded(matrix) {
                return Some(found);
            }
        }
        5..=MOST_ROWS => {}
        _ => return None,
    }
    let mut columns = [0.0; MOST_ROWS];
    let mut rows = 1.0;
    for i in 0..n {
        let mut row = 0.0;
        for (entry, column) in matrix.row(i).iter().zip(&mut columns) {
            let entry = u64::try_from(entry.magnitude()).ok()? as f64;
            row += entry * entry;
            *column += entry * entry;
        }
        rows *= f64::sqrt(row);
    }
    let columns: f64 = columns[..n].iter().map(|&square| square.sqrt()).product();
    // Sums, roots and products of numbers above 0 are right to n² units of 2^−52 together.
    let bound = rows.min(columns) * (1.0 + 1e-9);
    // |det A| < 2^bits; of infinity, which is too many bits, too.
    let bits = (bound.to_bits() >> 52) as f64 - 1022.0;
    let words = words_of_short_entries(n, bits)?;
    Some(determinant(matrix, words))
}

/// The determinant of order 2 to 4 by expansion, if its entries are short enough.
fn expanded(matrix: &DenseMatrix<Integer>) -> Option<Integer> {
    let mut entries = [0i64; 16];
    let mut bits = 0;
    for (short, entry) in entries.iter_mut().zip(matrix.entries()) {
        *short = i64::try_from(entry).ok()?;
        bits |= short.unsigned_abs();
    }
    let is_short = bits < 1 << EXPANDED_BITS;
    // The minor of two columns of two rows of short entries: below 2^61.
    let minor = |a: i64, b: i64, c: i64, d: i64| a * d - b * c;
    let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
    let found = match (matrix.rows(), entries) {
        (2, [a, b, c, d, ..]) => product(a, d) - product(b, c),
        (3, [a, b, c, d, e, f, g, h, i, ..]) if is_short => {
            product(a, minor(e, f, h, i)) - product(b, minor(d, f, g, i))
                + product(c, minor(d, e, g, h))
        }
        (4, e) if is_short => {
            // By the first two rows and the last two (Laplace).
            let upper = |i: usize, j: usize| minor(e[i], e[j], e[4 + i], e[4 + j]);
            let lower = |i: usize, j: usize| minor(e[8 + i], e[8 + j], e[12 + i], e[12 + j]);
            product(upper(0, 1), lower(2, 3)) - product(upper(0, 2), lower(1, 3))
                + product(upper(0, 3), lower(1, 2))
                + product(upper(1, 2), lower(0, 3))
                - product(upper(1, 3), lower(0, 2))
                + product(upper(2, 3), lower(0, 1))
        }
        _ => return None,
    };
    Some(found.into())
}
