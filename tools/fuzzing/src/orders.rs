//! Orders of small sparse matrices.
//!
//! The oracles are definitions: a permuted matrix entry by entry, the misses of a product line by line, and of a search
//! breadth first that each node is found from a node found no earlier than that of the node before.

use crate::bytes::Bytes;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use sunzi::sparse::{
    CsrMatrix, Permutation,
    cache::CacheShape,
    matrix_market::{Reals, Symmetry, read, write},
    reorder::{AutoOrdering, GrayOrdering, Method, auto_ordering, gray_ordering},
};

/// Rows and columns at most.
const MOST_LINES: usize = 40;
/// Entries at most.
const MOST_ENTRIES: usize = 250;

type Orders = (Permutation, Permutation);

pub fn run(data: &[u8]) -> bool {
    let mut bytes = Bytes::new(data);
    let matrix = matrix(&mut bytes);
    let lines = usize::from(bytes.byte() % 8) + 1;
    let line = usize::from(bytes.byte() % 8) + 1;
    let default = GrayOrdering {
        line: NonZeroU32::new(line as u32).expect("a word at least"),
        ..GrayOrdering::default()
    };
    let gray = GrayOrdering {
        // Between 0 and 1, both excluded.
        stop: f64::from(bytes.byte() % 254 + 1) / 255.0,
        ..default
    };
    let cache = CacheShape::new(lines * line, line).expect("whole lines");
    let given = (
        Permutation::identity(matrix.rows()),
        Permutation::identity(matrix.columns()),
    );
    let of_gray = |order: &GrayOrdering| {
        let found = gray_ordering(&matrix, order).expect("a share of the columns");
        (found.rows, found.columns)
    };
    check(&matrix, &of_gray(&gray));
    let orders = [
        (Method::Given, given),
        (Method::Bipartite, matrix.bipartite_cuthill_mckee()),
        (Method::Bordered, matrix.bordered_cuthill_mckee()),
        (Method::Gray, of_gray(&default)),
        (Method::CuthillMckee, matrix.reverse_cuthill_mckee()),
    ];
    let counted: BTreeMap<&str, u64> = orders
        .iter()
        .map(|(method, orders)| (method.name(), misses(&check(&matrix, orders), cache)))
        .collect();
    check_bipartite(&check(&matrix, &orders[1].1));
    let (rows, columns) = &orders[4].1;
    assert!(matrix.rows() != matrix.columns() || rows == columns);

    let found = auto_ordering(&matrix, &AutoOrdering::new(cache)).expect("a small cache");
    for trial in &found.trials {
        assert_eq!(
            counted.get(trial.method.name()),
            Some(&trial.misses),
            "{trial:?}"
        );
    }
    let chosen = misses(&check(&matrix, &(found.rows, found.columns)), cache);
    assert_eq!(counted.get(found.method.name()), Some(&chosen));
    let fewest = counted.values().min().copied().unwrap_or(0);
    assert!(found.least_misses <= fewest && 100 * chosen <= 105 * fewest);
    true
}

/// A matrix of any pattern; its values are all different.
fn matrix(bytes: &mut Bytes) -> CsrMatrix<f64> {
    let (rows, columns) = (bytes.within(0..=MOST_LINES), bytes.within(0..=MOST_LINES));
    let count = match rows * columns {
        0 => 0,
        _ => bytes.within(0..=MOST_ENTRIES),
    };
    let mut places = BTreeMap::new();
    for value in 1..=count {
        let place = (
            usize::from(bytes.byte()) % rows,
            usize::from(bytes.byte()) % columns,
        );
        places.insert(place, value as f64);
    }
    let triplets: Vec<_> = places
        .into_iter()
        .map(|((i, j), value)| (i as u32, j as u32, value))
        .collect();
    CsrMatrix::from_triplets(rows, columns, &triplets).expect("places within")
}

/// The matrix in an order: that of permutations, entry by entry, which a file keeps.
fn check(matrix: &CsrMatrix<f64>, (rows, columns): &Orders) -> CsrMatrix<f64> {
    for (order, count) in [(rows, matrix.rows()), (columns, matrix.columns())] {
        let mut sorted = order.order().to_vec();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..count as u32));
    }
    let permuted = matrix.permuted(rows, columns).expect("orders of its lines");
    assert_eq!(permuted.nnz(), matrix.nnz());
    for (k, l, value) in permuted.iter() {
        let (i, j) = (rows.order()[k as usize], columns.order()[l as usize]);
        assert_eq!(matrix.get(i as usize, j as usize), Some(&value));
    }
    let mut file = Vec::new();
    write(&mut file, &permuted, Symmetry::General, "").expect("memory");
    assert_eq!(read(&file[..], &Reals).expect("what was written"), permuted);
    permuted
}

/// Misses on x, where the line that is needed last leaves a full cache.
fn misses(matrix: &CsrMatrix<f64>, cache: CacheShape) -> u64 {
    let lines: Vec<usize> = matrix
        .iter()
        .map(|(_, column, _)| column as usize / cache.line_words())
        .collect();
    let mut held: Vec<usize> = Vec::new();
    let mut misses = 0;
    for (time, line) in lines.iter().enumerate() {
        if held.contains(line) {
            continue;
        }
        misses += 1;
        if held.len() == cache.words() / cache.line_words() {
            let later = &lines[time..];
            let next = |of: &usize| {
                later
                    .iter()
                    .position(|line| line == of)
                    .unwrap_or(usize::MAX)
            };
            let last = (0..held.len()).max_by_key(|&at| next(&held[at]));
            held.swap_remove(last.expect("a cache of a line or more"));
        }
        held.push(*line);
    }
    misses
}

/// From the end to the beginning, rows and columns are walks breadth first: the first neighbour of a line comes no
/// earlier than that of the line before it.
fn check_bipartite(matrix: &CsrMatrix<f64>) {
    let by_columns = matrix.to_csc();
    let of_rows = (0..matrix.rows()).rev().map(|i| matrix.row(i).0.last());
    let of_columns = (0..matrix.columns())
        .rev()
        .map(|j| by_columns.column(j).0.last());
    for firsts in [of_rows.collect::<Vec<_>>(), of_columns.collect()] {
        // Lines without entries come at the end of an order.
        let alone = firsts.iter().take_while(|first| first.is_none()).count();
        let firsts: Option<Vec<_>> = firsts[alone..].iter().copied().collect();
        assert!(firsts.is_some_and(|firsts| firsts.is_sorted_by(|a, b| a >= b)));
    }
}
