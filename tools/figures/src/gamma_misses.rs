//! The γ non-zeros after the Gray order: their misses, between bounds that hold for the matrix in this order, and the misses of
//! other orders that begin with a breadth-first search.
//!
//! Matrices are taken with rows and columns in random orders, as in the table of misses by order.

use std::collections::HashSet;

use sunzi_measure::GALLERY;
use sunzi_sparse::{
    CsrMatrix, Permutation,
    cache::{CacheShape, Replacement, Spmv, simulate},
    reorder::{GrayOrdering, NonZeroKind, Reordering, classify, gray_ordering},
    test_matrices::{TestMatrix, shuffled},
};

use crate::common::{Failure, head};
use crate::reordering::{SEED, cache_and_names, misses};

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let (cache, names) = cache_and_names(arguments, &GALLERY)?;
    println!(
        "Misses on x in a cache of {} words in lines of {}:\n",
        cache.words(),
        cache.line_words()
    );
    let columns = [
        "matrix, permuted",
        "γ/n",
        "least of γ",
        "misses of γ alone",
        "most of γ",
        "others alone",
        "Gray",
        "bordered, then Gray",
        "breadth first, then Gray",
        "Gray, then rows by their columns",
        "bipartite",
        "bordered",
    ];
    head(&columns, "---:");
    for name in names {
        let (matrix, ..) = shuffled(&name.parse::<TestMatrix>()?.generate(SEED)?, SEED);
        let (gray, found) = gray_of(&matrix)?;
        let kinds = classify(&gray, &found.report)?;
        let is_gamma = |kind| kind == NonZeroKind::Gamma;
        let gamma = of_kinds(&gray, &kinds.kinds, is_gamma);
        let others = of_kinds(&gray, &kinds.kinds, |kind| !is_gamma(kind));
        let [least, most] = bounds(&gamma.1, cache);
        print!(
            "| {name} | {:.2} | {least}",
            kinds.gamma as f64 / matrix.columns() as f64
        );
        print!(
            " | {} | {most} | {}",
            alone(&gamma, &matrix, cache)?,
            alone(&others, &matrix, cache)?
        );
        let (rows, columns) = matrix.bipartite_cuthill_mckee();
        let bipartite = matrix.permuted(&rows, &columns)?;
        let (breadth_first, _) = gray_of(&bipartite)?;
        let (rows, columns) = matrix.bordered_cuthill_mckee();
        let bordered = matrix.permuted(&rows, &columns)?;
        let (after_border, _) = gray_of(&bordered)?;
        let by_columns = rows_by_columns(&gray)?;
        for of in [
            &gray,
            &after_border,
            &breadth_first,
            &by_columns,
            &bipartite,
            &bordered,
        ] {
            print!(" | {}", misses(of, cache)?);
        }
        println!(" |");
    }
    Ok(())
}

fn gray_of(matrix: &CsrMatrix<f64>) -> Result<(CsrMatrix<f64>, Reordering), Failure> {
    let found = gray_ordering(matrix, &GrayOrdering::default())?;
    Ok((matrix.permuted(&found.rows, &found.columns)?, found))
}

/// The rows by the column in the middle of their non-zeros.
fn rows_by_columns(matrix: &CsrMatrix<f64>) -> Result<CsrMatrix<f64>, Failure> {
    let middle = |row: usize| {
        let columns =
            &matrix.column_indices()[matrix.row_starts()[row]..matrix.row_starts()[row + 1]];
        columns.get(columns.len() / 2).copied().unwrap_or(u32::MAX)
    };
    let mut order: Vec<u32> = (0..matrix.rows() as u32).collect();
    order.sort_by_key(|&row| middle(row as usize));
    let columns = Permutation::identity(matrix.columns());
    Ok(matrix.permuted(&Permutation::new(order)?, &columns)?)
}

/// The non-zeros of some kinds, as the starts of rows and the indices of columns.
fn of_kinds(
    matrix: &CsrMatrix<f64>,
    kinds: &[NonZeroKind],
    wanted: impl Fn(NonZeroKind) -> bool,
) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0];
    let mut indices = Vec::new();
    for row in matrix.row_starts().windows(2) {
        let places = row[0]..row[1];
        let found = kinds[places.clone()]
            .iter()
            .zip(&matrix.column_indices()[places]);
        indices.extend(
            found
                .filter(|(kind, _)| wanted(**kind))
                .map(|(_, column)| column),
        );
        starts.push(indices.len());
    }
    (starts, indices)
}

fn alone(
    (starts, indices): &(Vec<usize>, Vec<u32>),
    matrix: &CsrMatrix<f64>,
    cache: CacheShape,
) -> Result<u64, Failure> {
    let product = Spmv::new(starts, indices, matrix.columns())?;
    Ok(simulate(&product.x_only(), cache, Replacement::Optimal)?.misses())
}

/// What accesses to these columns cost at least and at most, cut where they have touched twice as many lines as the cache holds, or
/// just as many: of the former, the cache holds at most one half beforehand; the latter are all loaded once.
fn bounds(columns: &[u32], cache: CacheShape) -> [usize; 2] {
    let mut totals = [0; 2];
    for (total, times) in totals.iter_mut().zip([2, 1]) {
        let mut lines = HashSet::new();
        let held = (times - 1) * cache.lines();
        for &column in columns {
            let line = column as usize / cache.line_words();
            if lines.len() == times * cache.lines() && !lines.contains(&line) {
                *total += lines.len() - held;
                lines.clear();
            }
            lines.insert(line);
        }
        *total += lines.len().saturating_sub(held);
    }
    totals
}
