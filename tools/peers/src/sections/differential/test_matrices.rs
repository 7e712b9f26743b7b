//! Test matrices against their definitions: grids by their stencils, boundaries of complexes by their sets.

use sunzi_sparse::{
    CsrMatrix, SparseError,
    test_matrices::{TestMatrix, shuffled},
};

use super::operation::Operation;
use super::trial::Trial;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::alone("gallery-grids", "the definition", grids),
        Operation::alone("gallery-complexes", "the definition", complexes),
        Operation::new("gallery-shuffled", "the definition", in_random_order),
    ]
}

type Entries = Vec<(u32, u32, f64)>;

fn compare(
    trial: &mut Trial,
    test_matrix: TestMatrix,
    made: Result<CsrMatrix<f64>, SparseError>,
    shape: (usize, usize),
    theirs: &Entries,
) {
    let what = test_matrix.to_string();
    let parsed = what.parse::<TestMatrix>().ok();
    trial.check(
        &format!("{what} is read as it is written"),
        parsed == Some(test_matrix),
    );
    if let Some(ours) = trial.expect(&what, made) {
        trial.compare_one(
            &format!("shape of {what}"),
            (ours.rows(), ours.columns()),
            shape,
        );
        trial.compare(&what, &ours.iter().collect::<Vec<_>>(), theirs);
    }
}

/// Every pair of points at most one step apart in each direction.
fn grids(trial: &mut Trial) {
    let [x, y, z] = [(); 3].map(|()| 1 + trial.below(6) as u32);
    let full = trial.below(2) == 0;
    let (test_matrix, depth, entries) = match (trial.below(2), full) {
        (0, false) => (TestMatrix::Grid2d { x, y, full }, 1, [4.0, -1.0, 0.0, 0.0]),
        (0, true) => {
            let entries = [8.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0, 0.0];
            (TestMatrix::Grid2d { x, y, full }, 1, entries)
        }
        (_, false) => (
            TestMatrix::Grid3d { x, y, z, full },
            z,
            [6.0, -1.0, 0.0, 0.0],
        ),
        (_, true) => (
            TestMatrix::Grid3d { x, y, z, full },
            z,
            [26.0, -1.0, -1.0, -1.0],
        ),
    };
    let points = x * y * depth;
    let place = |point: u32| [point % x, point / x % y, point / (x * y)];
    let mut theirs = Vec::new();
    for from in 0..points {
        for to in 0..points {
            let (a, b) = (place(from), place(to));
            let steps = [0, 1, 2].map(|axis| a[axis].abs_diff(b[axis]));
            let directions = steps.iter().filter(|&&step| step == 1).count();
            if steps.iter().all(|&step| step <= 1) && entries[directions] != 0.0 {
                theirs.push((from, to, entries[directions]));
            }
        }
    }
    let made = test_matrix.generate(trial.random.word());
    compare(
        trial,
        test_matrix,
        made,
        (points as usize, points as usize),
        &theirs,
    );
}

/// Every set of this many edges that have no ends in common, in lexicographic order.
fn matchings(edges: &[(u32, u32)], size: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = all.iter().flat_map(|set| {
            let next = set.last().map_or(0, |&last| last + 1);
            let free = move |&edge: &usize| {
                let (a, b) = edges[edge];
                set.iter().all(|&own| {
                    let (c, d) = edges[own];
                    a != c && a != d && b != c && b != d
                })
            };
            (next..edges.len()).filter(free).map(move |edge| {
                let mut set = set.clone();
                set.push(edge);
                set
            })
        });
        all = longer.collect();
    }
    all
}

/// The boundary of a set is the alternating sum of those with one edge less.
fn complexes(trial: &mut Trial) {
    let k = 1 + trial.below(3) as u32;
    let (test_matrix, edges) = match trial.below(2) {
        0 => {
            let (rows, columns) = (1 + trial.below(5) as u32, 1 + trial.below(5) as u32);
            let edges = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, rows + j)));
            (TestMatrix::Chessboard { rows, columns, k }, edges.collect())
        }
        _ => {
            let points = 2 + trial.below(7) as u32;
            let edges = (0..points).flat_map(|i| (i + 1..points).map(move |j| (i, j)));
            (
                TestMatrix::Matching { points, k },
                edges.collect::<Vec<_>>(),
            )
        }
    };
    let (faces, simplices) = (
        matchings(&edges, k as usize),
        matchings(&edges, k as usize + 1),
    );
    let mut theirs = Vec::new();
    for (row, simplex) in simplices.iter().enumerate() {
        for omitted in 0..simplex.len() {
            let mut face = simplex.clone();
            face.remove(omitted);
            let column = faces
                .iter()
                .position(|own| *own == face)
                .expect("a part is a matching");
            let sign = if omitted % 2 == 0 { 1.0 } else { -1.0 };
            theirs.push((row as u32, column as u32, sign));
        }
    }
    theirs.sort_by_key(|&(i, j, _)| (i, j));
    let made = test_matrix.generate(trial.random.word());
    compare(
        trial,
        test_matrix,
        made,
        (simplices.len(), faces.len()),
        &theirs,
    );
}

/// Rows and columns in orders that come with the matrix.
fn in_random_order(trial: &mut Trial) {
    let test_matrix = match trial.below(3) {
        0 => TestMatrix::Circuit {
            nodes: 1 + trial.below(300) as u32,
        },
        1 => TestMatrix::LinearProgram {
            columns: 64 + trial.below(300) as u32,
        },
        _ => TestMatrix::RMat {
            log_n: trial.below(8) as u32,
            degree: 1 + trial.below(8) as u32,
        },
    };
    let made = test_matrix.generate(trial.random.word());
    let Some(matrix) = trial.expect("matrix", made) else {
        return;
    };
    let (ours, rows, columns) = shuffled(&matrix, trial.random.word());
    let (rows, columns) = (rows.order(), columns.order());
    let mut theirs = Entries::new();
    for (i, &row) in rows.iter().enumerate() {
        for (j, &column) in columns.iter().enumerate() {
            let entry = matrix.get(row as usize, column as usize);
            theirs.extend(entry.map(|&entry| (i as u32, j as u32, entry)));
        }
    }
    trial.compare(
        &test_matrix.to_string(),
        &ours.iter().collect::<Vec<_>>(),
        &theirs,
    );
}
