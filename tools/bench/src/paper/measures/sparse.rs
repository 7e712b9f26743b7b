//! Orders of sparse matrices, on files that the user names, or on generated matrices.
//!
//! Times are CPU times of one thread, the shortest of several passes that go through all orders in turn.

use super::{Asked, Ours, failed, ms};
use crate::speedup::pool;
use cpu_time::ThreadTime;
use std::hint::black_box;
use std::path::Path;
use sunzi::memory::Budget;
use sunzi::sparse::cache::{CacheShape, Replacement, Spmv, simulate};
use sunzi::sparse::reorder::{GrayOrdering, GrayReport, classify, gray_ordering};
use sunzi::sparse::test_matrices::{TestMatrix, shuffled};
use sunzi::sparse::{CsrMatrix, Permutation, SparseError, conjugate_gradients};
use sunzi_files::failure::Failure;
use sunzi_files::input::sparse::{read_places, read_reals};

/// What is measured where no matrix is named: complexes, grids, graphs, circuits, linear programs.
const USUAL: [&str; 15] = [
    "chessboard:9,9,3",
    "chessboard:8,8,4",
    "chessboard:9,9,4",
    "matching:13,3",
    "matching:14,3",
    "matching:15,4",
    "grid2d:1000,1000",
    "grid2d9:700,700",
    "grid3d:80,80,80",
    "grid3d27:60,60,60",
    "rmat:18,8",
    "rmat:20,4",
    "circuit:400000",
    "lp:500000",
    "lp:2000000",
];
const QUICK: [&str; 2] = ["grid2d:30,30", "chessboard:5,5,2"];
/// Of generated matrices and random orders.
const SEED: u64 = 1;
/// 128 KiB of doubles in lines of 64 bytes.
const CACHE: [usize; 2] = [1 << 14, 8];
const PASSES: usize = 25;
const ORDER_PASSES: usize = 3;

/// A matrix, and its key.
struct Named {
    key: String,
    matrix: CsrMatrix<f64>,
    /// Whether its values are those of a file.
    has_values: bool,
}

/// The matrices: of a file the key is its name without the end, so that files by the names of the paper stand beside it.
fn matrices(asked: &Asked<'_>) -> Result<Vec<Named>, Failure> {
    let usual = asked.sizes(&USUAL, &QUICK);
    let usual = usual.iter().map(|&name| name.to_owned()).collect();
    let names = match asked.matrices {
        [] => usual,
        names => names.to_vec(),
    };
    names.into_iter().map(named).collect()
}

fn named(name: String) -> Result<Named, Failure> {
    if !Path::new(&name).exists() {
        let matrix = name.parse::<TestMatrix>().map_err(|error| {
            Failure::Usage(format!(
                "{name} is no file, and no generated matrix: {error}"
            ))
        })?;
        return Ok(Named {
            matrix: matrix.generate(SEED).map_err(failed)?,
            key: name,
            has_values: true,
        });
    }
    let path = Path::new(&name);
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    let key = stem.split(".mtx").next().unwrap_or_default().to_owned();
    let budget = Budget::system();
    let (matrix, has_values) = match read_reals(path, budget) {
        Ok(input) => (input.matrix, true),
        // A pattern has places alone.
        Err(_) => (read_places(path, budget)?.matrix.map(|()| 1.0), false),
    };
    Ok(Named {
        key,
        matrix,
        has_values,
    })
}

/// What the work gives, and its seconds of this thread's processor time.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = ThreadTime::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// A matrix in its Gray order, and how that was found.
fn gray(matrix: &CsrMatrix<f64>) -> Result<(CsrMatrix<f64>, GrayReport), Failure> {
    let order = gray_ordering(matrix, &GrayOrdering::default()).map_err(failed)?;
    let permuted = matrix
        .permuted(&order.rows, &order.columns)
        .map_err(failed)?;
    Ok((permuted, order.report))
}

/// Table 6.1, with the kinds γ and λ beside the paper's.
pub fn kinds(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "m", "n", "tau", "rho", "alpha/n", "beta/n", "gamma/n", "delta/n", "lambda/n",
    ]);
    for Named { key, matrix, .. } in matrices(asked)? {
        let (reordered, report) = gray(&matrix)?;
        let kinds = classify(&reordered, &report).map_err(failed)?;
        let (rows, columns, entries) = (matrix.rows(), matrix.columns(), matrix.nnz());
        let of_columns = |count: usize| count as f64 / columns as f64;
        let counts = [
            kinds.alpha,
            kinds.beta,
            kinds.gamma,
            kinds.delta,
            kinds.lambda,
        ];
        let sizes = [
            rows as f64,
            columns as f64,
            entries as f64,
            of_columns(entries),
        ];
        let all = sizes.into_iter().chain(counts.map(of_columns));
        ours.push([&key], all.map(Some).collect());
    }
    Ok(ours)
}

type Orders = (Permutation, Permutation);

/// The orders of Cuthill and McKee: rows and columns alike, apart, and with a border.
const BANDS: [fn(&CsrMatrix<f64>) -> Orders; 3] = [
    CsrMatrix::reverse_cuthill_mckee,
    CsrMatrix::bipartite_cuthill_mckee,
    CsrMatrix::bordered_cuthill_mckee,
];

/// Misses on x of a product, with the best replacement.
fn misses(matrix: &CsrMatrix<f64>) -> Result<u64, Failure> {
    let cache = CacheShape::new(CACHE[0], CACHE[1]).map_err(failed)?;
    let (starts, columns) = (matrix.row_starts(), matrix.column_indices());
    let product = Spmv::new(starts, columns, matrix.columns()).map_err(failed)?;
    let report = simulate(&product.x_only(), cache, Replacement::Optimal).map_err(failed)?;
    Ok(report.misses())
}

/// Seconds of a product with each matrix; all have the same shape.
fn product_seconds(
    asked: &Asked<'_>,
    matrices: &[CsrMatrix<f64>],
) -> Result<Vec<f64>, SparseError> {
    let (rows, columns) = matrices
        .first()
        .map_or((0, 0), |one| (one.rows(), one.columns()));
    let x: Vec<f64> = (0..columns).map(|j| (j % 7) as f64).collect();
    let mut y = vec![0.0; rows];
    let mut shortest = vec![f64::MAX; matrices.len()];
    for _ in 0..if asked.quick { 1 } else { PASSES } {
        for (shortest, matrix) in shortest.iter_mut().zip(matrices) {
            // The first product brings x into the caches, as products one after the other do.
            matrix.mul_vector_into(&x, &mut y)?;
            let (done, seconds) = timed(|| matrix.mul_vector_into(&x, &mut y));
            done?;
            *shortest = shortest.min(seconds);
            black_box(&y);
        }
    }
    Ok(shortest)
}

/// Table 6.2, with the orders of Cuthill and McKee beside the paper's.
pub fn reordered(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let orders = [
        "Gray",
        "random",
        "random, then Gray",
        "random, then RCM",
        "random, then bipartite RCM",
        "random, then bordered",
    ];
    let columns = ["misses", "time"].map(|what| orders.map(|order| format!("{what}: {order}")));
    let mut ours = Ours {
        columns: columns.into_iter().flatten().collect(),
        ..Ours::default()
    };
    let [words, line] = CACHE;
    ours.notes.push(format!(
        "Misses are those on x in an ideal cache of {words} words in lines of {line}; the given order is 1."
    ));
    let single = pool(1)?;
    for Named { key, matrix, .. } in matrices(asked)? {
        let (random, ..) = shuffled(&matrix, SEED);
        let mut all = vec![gray(&matrix)?.0, random.clone(), gray(&random)?.0];
        for order in BANDS {
            let (rows, columns) = order(&random);
            all.push(random.permuted(&rows, &columns).map_err(failed)?);
        }
        all.insert(0, matrix);
        let missed = all.iter().map(misses).collect::<Result<Vec<_>, _>>()?;
        let seconds = single
            .install(|| product_seconds(asked, &all))
            .map_err(failed)?;
        let missed = missed[1..]
            .iter()
            .map(|&count| count as f64 / missed[0] as f64);
        let seconds = seconds[1..].iter().map(|time| time / seconds[0]);
        ours.push([&key], missed.chain(seconds).map(Some).collect());
    }
    Ok(ours)
}

/// Table 6.3, for the matrix in random order, and how many iterations of conjugate gradients the cost is spread over.
pub fn costs(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "b",
        "R/m",
        "iterations",
        "lists/n",
        "columns left",
        "product, ms",
        "cost, products",
        "with the permuted matrix, products",
        "RCM, products",
        "bipartite RCM, products",
        "bordered, products",
        "iterations of conjugate gradients",
        "cost over their products",
    ]);
    ours.notes.push(
        "Conjugate gradients need a symmetric, positive definite matrix; others have no number there.".to_owned(),
    );
    let single = pool(1)?;
    for Named {
        key,
        matrix,
        has_values,
    } in matrices(asked)?
    {
        let (random, ..) = shuffled(&matrix, SEED);
        let (_, report) = gray(&random)?;
        let [mut order, mut permuted] = [f64::MAX; 2];
        let mut bands = [f64::MAX; BANDS.len()];
        let options = GrayOrdering::default();
        let product = single.install(|| -> Result<f64, Failure> {
            for _ in 0..if asked.quick { 1 } else { ORDER_PASSES } {
                let (found, first) = timed(|| gray_ordering(&random, &options));
                let found = found.map_err(failed)?;
                let (made, second) = timed(|| random.permuted(&found.rows, &found.columns));
                black_box(made.map_err(failed)?);
                order = order.min(first);
                permuted = permuted.min(first + second);
                for (order, seconds) in BANDS.iter().zip(&mut bands) {
                    let (found, time) = timed(|| order(&random));
                    black_box(found);
                    *seconds = seconds.min(time);
                }
            }
            let times = product_seconds(asked, std::slice::from_ref(&random));
            Ok(times.map_err(failed)?[0])
        })?;
        let gradients = has_values
            .then(|| conjugate_gradients(&matrix, &vec![1.0; matrix.rows()]).ok())
            .flatten()
            .map(|found| found.iterations() as f64);
        let [rows, columns] = [matrix.rows(), matrix.columns()].map(|count| count as f64);
        ours.push(
            [&key],
            [
                Some(f64::from(report.merge.get())),
                Some(report.won_rows as f64 / rows),
                Some(report.iterations as f64),
                Some(report.lists as f64 / columns),
                Some(report.open_columns as f64),
                ms(product),
                Some(order / product),
                Some(permuted / product),
            ]
            .into_iter()
            .chain(bands.map(|seconds| Some(seconds / product)))
            .chain([
                gradients,
                gradients.map(|products| permuted / product / products.max(1.0)),
            ])
            .collect(),
        );
    }
    Ok(ours)
}
