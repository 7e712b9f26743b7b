//! Row echelon forms by blocks: P·A = L·E.
//!
//! **Problem.** For a matrix A of m rows and n columns modulo a prime: a permutation P of rows, L unit lower
//! triangular, and E in row echelon form, whose r pivots stand in columns that are told; r is the rank.
//!
//! **Algorithm.** By halves of columns: the left half first; its row exchanges and its L, applied to the
//! right half, leave a smaller matrix there. This is the PLE decomposition of C.-P. Jeannerod, C. Pernet and
//! A. Storjohann, *Rank-profile revealing Gaussian elimination and the CUP matrix decomposition* (2013); for
//! invertible matrices it is the recursive LU decomposition of S. Toledo (1997). All but narrow panels
//! ([`panel`]) is products of blocks ([`super::product`]): n³/3 products of residues for a square matrix.
//!
//! L's column t and E share the place of A: below the t-th row, E is 0 up to its next pivot, which is not
//! to the left of column t + 1.

mod panel;
mod triangular;

use super::panels::Panels;
use super::product::MatrixField;
use super::product::Room;
use super::view::ViewMut;
use crate::elimination::{MULTIPLICATIONS, multiplications};
use sunzi_field::Field;
use sunzi_machine::threads::Work;

pub(crate) use triangular::{solve_unit_lower, solve_upper};

/// What elimination did to a matrix that now holds L and E.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Echelon {
    /// The column of each row's pivot.
    pub pivots: Vec<usize>,
    /// Row t was exchanged with this one, t = 0, 1, …
    pub(crate) exchanges: Vec<usize>,
}

impl Echelon {
    /// Whether the exchanges amount to an odd permutation.
    pub(crate) fn is_odd(&self) -> bool {
        let exchanged = |&(t, &other): &(usize, &usize)| t != other;
        self.exchanges.iter().enumerate().filter(exchanged).count() % 2 == 1
    }

    /// Carries the exchanges out on a matrix of as many rows.
    pub(crate) fn exchange_rows<E>(&self, view: &mut ViewMut<'_, E>) {
        for (t, &other) in self.exchanges.iter().enumerate() {
            view.swap_rows(t, other);
        }
    }
}

/// Turns a matrix into its L and E.
// A function of its own in every program, whose instructions `scripts/instructions` counts.
#[inline(never)]
pub(crate) fn eliminate<F: MatrixField>(field: &F, matrix: ViewMut<'_, F::Elem>) -> Echelon {
    let all = multiplications(matrix.rows(), matrix.columns());
    let work = Work::new(all, MULTIPLICATIONS);
    by_halves(field, &mut Room::new(), matrix, &work)
}

pub fn by_halves<F: MatrixField>(
    field: &F,
    room: &mut Room<F::Elem>,
    mut matrix: ViewMut<'_, F::Elem>,
    work: &Work,
) -> Echelon {
    if matrix.columns() <= panel::WIDTH || matrix.rows() <= 1 {
        work.done(multiplications(matrix.rows(), matrix.columns()));
        return panel::eliminate(field, matrix);
    }
    let middle = (matrix.columns() / 2).next_multiple_of(panel::WIDTH);
    let (mut left, mut right) = matrix.reborrow().split_columns(middle);
    let mut echelon = by_halves(field, room, left.reborrow(), work);
    echelon.exchange_rows(&mut right);

    let rank = echelon.pivots.len();
    let (left_top, mut left_bottom) = left.split_rows(rank);
    let (mut right_top, mut right_bottom) = right.split_rows(rank);
    let (lower, _) = left_top.split_columns(rank);
    solve_unit_lower(field, room, lower.as_view(), right_top.reborrow());
    let columns = right_top.columns();
    work.done((rank * (rank + 1) / 2) as u64 * columns as u64);
    let left_view = left_bottom.as_view();
    let factors = left_view.block((0, left_view.rows()), (0, rank));
    Panels::of::<F>().subtract_product(
        field,
        room,
        right_bottom.reborrow(),
        factors,
        right_top.as_view(),
        |rows| work.done((rows * rank) as u64 * columns as u64),
    );

    let below = by_halves(field, room, right_bottom.reborrow(), work);
    below.exchange_rows(&mut left_bottom);
    if rank < middle {
        move_lower(field, matrix, (rank, middle), below.pivots.len());
    }
    echelon
        .pivots
        .extend(below.pivots.iter().map(|column| column + middle));
    echelon
        .exchanges
        .extend(below.exchanges.iter().map(|row| row + rank));
    echelon
}

/// Moves `count` columns of L, of the rows from `to` on, from the columns at `from` to those at `to`.
fn move_lower<F: Field>(
    field: &F,
    matrix: ViewMut<'_, F::Elem>,
    (to, from): (usize, usize),
    count: usize,
) {
    let (_, mut rows) = matrix.split_rows(to);
    for i in 1..rows.rows() {
        let row = rows.row_mut(i);
        // The t-th column of L begins below row t.
        for t in 0..count.min(i) {
            row[to + t] = std::mem::replace(&mut row[from + t], field.zero());
        }
    }
}
