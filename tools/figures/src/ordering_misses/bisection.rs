//! Recursive bisection of the columns, a rival of the orders in `sunzi_linalg`.
//!
//! Columns are halved so that rows have their non-zeros in one half as far as can be, each half again, down to a line of
//! cache (Dhulipala, Kabiljo, Karrer, Ottaviano, Pupyrev and Shalita, "Compressing graphs and indexes with recursive
//! graph bisection", 2016): in each step the columns of both halves that gain most by a move change places. The halves
//! are those of a given order at first. Rows then follow the halves in which most of their non-zeros lie.

use sunzi_sparse::{CsrMatrix, Permutation, SparseError};

/// Most rounds of moves for each halving.
const ROUNDS: usize = 20;
/// Columns that are not halved any more.
const LEAF: usize = 8;

/// The orderings of rows and columns; columns are halved from the order given.
pub fn bisection(
    matrix: &CsrMatrix<f64>,
    first: &Permutation,
) -> Result<(Permutation, Permutation), SparseError> {
    let widest = (0..matrix.rows()).map(|row| matrix.row(row).0.len()).max();
    // Binary logarithms of 0, 1, 2, … in units of 2^-16.
    let logs: Vec<i64> = (0..widest.unwrap_or(0) + 3)
        .map(|k| ((k.max(1) as f64).log2() * 65536.0).round() as i64)
        .collect();
    let mut order = vec![0; matrix.columns()];
    let by_columns = matrix.to_csc();
    let mut all = Part::default();
    for &column in first.order() {
        let rows = by_columns.column(column as usize).0.iter().copied();
        all.push(
            column,
            rows.filter(|&row| matrix.row(row as usize).0.len() > 1),
        );
    }
    all.rows = matrix.rows();
    all.halve(&mut order, &logs);
    let columns = Permutation::new(order)?;
    let places = columns.inverse();
    let mut rows: Vec<(usize, u32)> = (0..matrix.rows())
        .map(|row| {
            let own = matrix.row(row).0.iter();
            let own = own.map(|&column| places.order()[column as usize] as usize);
            (home(own.collect(), matrix.columns()), row as u32)
        })
        .collect();
    rows.sort_unstable();
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    Ok((Permutation::new(rows)?, columns))
}

/// Where the larger part of a row's columns lies, halving by halving; rows without columns come last.
fn home(mut columns: Vec<usize>, count: usize) -> usize {
    columns.sort_unstable();
    let mut columns = &columns[..];
    let (mut start, mut end) = (0, count);
    while end - start > 1 && columns.len() > 1 {
        let middle = start + (end - start) / 2;
        let (left, right) = columns.split_at(columns.partition_point(|&place| place < middle));
        (columns, start, end) = match left.len() >= right.len() {
            true => (left, start, middle),
            false => (right, middle, end),
        };
    }
    columns.first().copied().unwrap_or(count)
}

/// Some columns and their rows, which are numbered anew in each part.
#[derive(Default)]
struct Part {
    columns: Vec<u32>,
    ends: Vec<usize>,
    entries: Vec<u32>,
    rows: usize,
}

impl Part {
    fn push(&mut self, column: u32, rows: impl Iterator<Item = u32>) {
        self.columns.push(column);
        self.entries.extend(rows);
        self.ends.push(self.entries.len());
    }

    fn rows_of(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start..self.ends[at]]
    }

    /// Writes the columns in their order.
    fn halve(self, order: &mut [u32], logs: &[i64]) {
        let count = self.columns.len();
        if count <= LEAF || self.entries.is_empty() {
            return order.copy_from_slice(&self.columns);
        }
        let half = count / 2;
        let mut sides: Vec<usize> = (0..count).map(|at| usize::from(at >= half)).collect();
        let mut shares = vec![[0usize; 2]; self.rows];
        for (at, &side) in sides.iter().enumerate() {
            let rows = self.rows_of(at).iter();
            rows.for_each(|&row| shares[row as usize][side] += 1);
        }
        for _ in 0..ROUNDS {
            if self.exchange(&mut sides, &mut shares, logs) * 500 <= count {
                break;
            }
        }
        let [left, right] = [0, 1].map(|side| self.taken(side, &sides, &shares));
        drop((self, sides, shares));
        let (first, second) = order.split_at_mut(half);
        left.halve(first, logs);
        right.halve(second, logs);
    }

    /// Exchanges columns of both sides as long as that gains something; how many of each.
    fn exchange(&self, sides: &mut [usize], shares: &mut [[usize; 2]], logs: &[i64]) -> usize {
        let cost = |share: usize| -(share as i64) * logs[share + 1];
        // What a row gains when one of its columns leaves either side.
        let gains = shares.iter().map(|&[a, b]| {
            let moved = |from: usize, to: usize| match from {
                0 => 0,
                _ => cost(from) + cost(to) - cost(from - 1) - cost(to + 1),
            };
            [moved(a, b), moved(b, a)]
        });
        let gains: Vec<[i64; 2]> = gains.collect();
        let mut candidates = [Vec::new(), Vec::new()];
        for (at, &side) in sides.iter().enumerate() {
            let rows = self.rows_of(at).iter();
            let gain: i64 = rows.map(|&row| gains[row as usize][side]).sum();
            candidates[side].push((-gain, at));
        }
        let best = candidates
            .each_ref()
            .map(|side| side.iter().min().map_or(0, |of| of.0));
        for (side, candidates) in candidates.iter_mut().enumerate() {
            candidates.retain(|&(loss, _)| loss + best[1 - side] < 0);
            candidates.sort_unstable();
        }
        let [left, right] = &candidates;
        let pairs = left.iter().zip(right).take_while(|(a, b)| a.0 + b.0 < 0);
        let mut exchanged = 0;
        for (&(_, a), &(_, b)) in pairs {
            for (from, at) in [(0, a), (1, b)] {
                sides[at] = 1 - from;
                for &row in self.rows_of(at) {
                    shares[row as usize][from] -= 1;
                    shares[row as usize][1 - from] += 1;
                }
            }
            exchanged += 1;
        }
        exchanged
    }

    /// The columns of a side, with the rows that have several of them.
    fn taken(&self, side: usize, sides: &[usize], shares: &[[usize; 2]]) -> Self {
        let mut numbers = vec![u32::MAX; self.rows];
        let mut next = 0;
        let mut part = Self::default();
        for (at, _) in sides.iter().enumerate().filter(|(_, of)| **of == side) {
            let rows = self.rows_of(at).iter().map(|&row| row as usize);
            let rows = rows.filter(|&row| shares[row][side] > 1).map(|row| {
                if numbers[row] == u32::MAX {
                    numbers[row] = next;
                    next += 1;
                }
                numbers[row]
            });
            part.push(self.columns[at], rows);
        }
        part.rows = next as usize;
        part
    }
}
