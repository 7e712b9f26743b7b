//! The six-step transform: N = n1·n2 points as a matrix, whose columns and rows fit a cache.
//!
//! With i = i1·n2 + i2 and j = j1 + n1·j2,
//! `X_j = Σ_{i2} ω^{i2·j1}·(Σ_{i1} x_i·ω^{n2·i1·j1})·ω^{n1·i2·j2}`. So: transpose, transform the n2
//! rows of n1 points, multiply by powers of ω, transpose, transform the n1 rows of n2 points,
//! transpose. A vector larger than the cache is moved five times, instead of log N.
//!
//! D. Bailey, *FFTs in external or hierarchical memory* (1990), after W. Gentleman and G. Sande
//! (1966).

use super::algorithm::{Order, ScalarDft};
use super::stockham::Stockham;
use crate::transposition::transpose;
use sunzi_field::TwoAdicField;
use sunzi_machine::{Grain, threads::Threads};

/// Points from which rows are shared between threads.
const PARALLEL_LEN: usize = 1 << 12;

/// The transform of one length.
#[derive(Debug)]
pub(crate) struct SixStep<F: TwoAdicField> {
    field: F,
    root: F::Elem,
    /// Transforms of n1 points.
    columns: Stockham<F>,
    /// Transforms of n2 points.
    rows: Stockham<F>,
    /// n1, at most n2.
    height: usize,
    grain: Grain,
}

impl<F: TwoAdicField> SixStep<F> {
    /// For `2^log_n` points; `grain` says how finely work is cut.
    pub(crate) fn new(field: &F, root: F::Elem, log_n: u32, grain: Grain) -> Self {
        let (log_height, log_width) = (log_n / 2, log_n.div_ceil(2));
        let stockham = |log: u32| Stockham::new(field, field.pow(root, 1 << (log_n - log)), log);
        Self {
            field: field.clone(),
            root,
            columns: stockham(log_height),
            rows: stockham(log_width),
            height: 1 << log_height,
            grain,
        }
    }
}

/// Calls `f` with every row's number and the row, on several threads if there are `shared` elements,
/// and with scratch memory of a row.
fn each_row<E: Copy + Default + Send>(
    data: &mut [E],
    shared: usize,
    width: usize,
    f: impl Fn(usize, &mut [E], &mut [E]) + Sync + Send,
) {
    let threads = Threads::when(data.len() >= shared);
    let height = data.len() / width;
    let piece = threads.piece(height, shared / 2 / width);
    let pieces = data.chunks_mut(piece * width).enumerate();
    threads.each(pieces, |(index, rows)| {
        let mut scratch = vec![E::default(); width];
        for (i, row) in rows.chunks_exact_mut(width).enumerate() {
            f(index * piece + i, row, &mut scratch);
        }
    });
}

impl<F: TwoAdicField> ScalarDft<F> for SixStep<F> {
    fn order(&self) -> Order {
        Order::Natural
    }

    fn scratch_len(&self, len: usize) -> usize {
        len
    }

    fn table_len(&self) -> usize {
        self.columns.table_len() + self.rows.table_len()
    }

    fn forward(&self, data: &mut [F::Elem], scratch: &mut [F::Elem]) {
        let field = &self.field;
        let (height, width) = (self.height, data.len() / self.height);
        let shared = self.grain.of(PARALLEL_LEN);
        transpose(data, scratch, width, shared);
        each_row(scratch, shared, height, |i2, row, scratch| {
            self.columns.forward(row, scratch);
            let step = field.pow(self.root, i2 as u64);
            let mut power = field.one();
            for x in row {
                *x = field.mul(*x, power);
                power = field.mul(power, step);
            }
        });
        transpose(scratch, data, height, shared);
        each_row(data, shared, width, |_, row, scratch| {
            self.rows.forward(row, scratch)
        });
        transpose(data, scratch, width, shared);
        data.copy_from_slice(scratch);
    }
}
