//! Permutations cut into runs wherever they can be, against the definition.

use sunzi_sparse::internals::{Compressed, lines};
use sunzi_sparse::{CsrMatrix, Permutation};
use sunzi_testkit::on_every_thread_count;

/// Lines of these lengths: empty ones where runs are cut, and one that is longer than all others.
fn matrix(lens: &[usize], width: usize) -> CsrMatrix<u32> {
    let entries = lens.iter().enumerate().flat_map(|(row, &len)| {
        (0..len).map(move |place| (row as u32, ((place * 5 + row) % width) as u32))
    });
    let entries: Vec<_> = entries
        .zip(1..)
        .map(|((row, column), value)| (row, column, value))
        .collect();
    CsrMatrix::from_triplets(lens.len(), width, &entries).unwrap()
}

/// A permutation of n things, by a step that is prime to their number.
fn order(n: usize, step: usize) -> Permutation {
    Permutation::new((0..n).map(|i| (i * step % n) as u32).collect()).unwrap()
}

#[test]
fn every_cut_on_every_number_of_threads() {
    let width = 23;
    let lens = [
        vec![],
        vec![4],
        vec![0; 7],
        vec![1; 30],
        vec![20, 0, 0, 0, 0],
        vec![0, 0, 0, 0, 20],
        vec![0, 3, 0, 22, 0, 1, 0],
        (0..23).collect(),
    ];
    for lens in lens {
        let matrix = matrix(&lens, width);
        for step in [1, 29] {
            let (rows, columns) = (order(lens.len(), step), order(width, 1 + step / 2));
            let mut permuted = vec![None; lens.len() * width];
            let mut moved = permuted.clone();
            for (i, &from) in rows.order().iter().enumerate() {
                for (j, &column) in columns.order().iter().enumerate() {
                    let at = i * width + j;
                    permuted[at] = matrix.get(from as usize, column as usize).copied();
                    moved[at] = matrix.get(from as usize, j).copied();
                }
            }
            on_every_thread_count(|threads| {
                for grain in [1, 2, 3, 9] {
                    let all = |found: Compressed<u32>| -> Vec<Option<u32>> {
                        let places = (0..lens.len() * width).map(|at| (at / width, at % width));
                        places.map(|(i, j)| found.get(i, j).copied()).collect()
                    };
                    let case = (&lens, step, grain, threads);
                    let found = lines(&matrix).permuted(&rows, &columns, grain);
                    assert_eq!(all(found), permuted, "{case:?}");
                    let found = lines(&matrix).permute_lines(&rows, grain);
                    assert_eq!(all(found), moved, "{case:?}");
                }
            });
        }
    }
}
