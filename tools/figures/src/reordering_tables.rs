//! Tables 6.1 to 6.3 of the 2013 thesis for generated matrices, in Markdown.
//!
//! Matrices are written as in `sunzi_sparse::test_matrices`. Each is taken as it is given and with its
//! rows and columns in random orders. Times are CPU times of one thread, the fastest of several passes that
//! go through all orders in turn.

use sunzi_sparse::{
    CsrMatrix, Permutation,
    cache::CacheShape,
    reorder::{GrayOrdering, GrayReport, NonZeroKinds, classify, gray_ordering},
    test_matrices::{TestMatrix, shuffled},
};

use crate::common::{Failure, head, on_one_thread, processor_seconds};
use crate::reordering::{SEED, cache_and_names, misses};

const MATRICES: [&str; 15] = [
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

const PASSES: usize = 25;
const ORDER_PASSES: usize = 3;

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let (cache, names) = cache_and_names(arguments, &MATRICES)?;
    let measured = on_one_thread(|| {
        let measured = names.into_iter().map(|name| {
            eprintln!("{name}");
            measure(name, cache)
        });
        measured.collect::<Result<Vec<_>, _>>()
    })?;
    kinds_table(&measured);
    order_table(&measured, cache);
    cost_table(&measured);
    Ok(())
}

/// All that the tables say of a matrix.
struct Measured {
    name: String,
    rows: usize,
    columns: usize,
    nonzeros: usize,
    kinds: NonZeroKinds,
    /// For the matrix as given, after Gray order, in random order, and this after Gray order and after the orders of
    /// reverse Cuthill–McKee: rows and columns alike, apart, and with a border.
    misses: [u64; VARIANTS],
    seconds: [f64; VARIANTS],
    /// Of the Gray order of the matrix in random order.
    report: GrayReport,
    order_seconds: f64,
    permuted_seconds: f64,
    band_seconds: [f64; BANDS.len()],
}

type Orders = (Permutation, Permutation);

/// The orders of Cuthill and McKee.
const BANDS: [fn(&CsrMatrix<f64>) -> Orders; 3] = [
    CsrMatrix::reverse_cuthill_mckee,
    CsrMatrix::bipartite_cuthill_mckee,
    CsrMatrix::bordered_cuthill_mckee,
];

const VARIANTS: usize = 4 + BANDS.len();

fn measure(name: String, cache: CacheShape) -> Result<Measured, Failure> {
    let given = name.parse::<TestMatrix>()?.generate(SEED)?;
    let (random, ..) = shuffled(&given, SEED);
    let options = GrayOrdering::default();
    let gray = |matrix: &CsrMatrix<f64>| -> Result<_, Failure> {
        let order = gray_ordering(matrix, &options)?;
        Ok((matrix.permuted(&order.rows, &order.columns)?, order.report))
    };
    let (given_gray, given_report) = gray(&given)?;
    let kinds = classify(&given_gray, &given_report)?;
    let (random_gray, report) = gray(&random)?;
    let mut band_seconds = [f64::MAX; BANDS.len()];
    let mut bands = Vec::new();
    for (order, seconds) in BANDS.iter().zip(&mut band_seconds) {
        let ((rows, columns), time) = processor_seconds(|| order(&random));
        *seconds = time;
        bands.push(random.permuted(&rows, &columns)?);
    }

    let orders = [
        &given,
        &given_gray,
        &random,
        &random_gray,
        &bands[0],
        &bands[1],
        &bands[2],
    ];
    let mut missed = [0; VARIANTS];
    for (missed, matrix) in missed.iter_mut().zip(orders) {
        *missed = misses(matrix, cache)?;
    }
    let seconds = product_seconds(orders)?;
    let [mut order_seconds, mut permuted_seconds] = [f64::MAX; 2];
    for _ in 0..ORDER_PASSES {
        let (order, first) = processor_seconds(|| gray_ordering(&random, &options));
        let order = order?;
        let permute = || random.permuted(&order.rows, &order.columns);
        let (permuted, second) = processor_seconds(permute);
        std::hint::black_box(permuted?);
        for (order, seconds) in BANDS.iter().zip(&mut band_seconds) {
            let (order, time) = processor_seconds(|| order(&random));
            std::hint::black_box(order);
            *seconds = seconds.min(time);
        }
        order_seconds = order_seconds.min(first);
        permuted_seconds = permuted_seconds.min(first + second);
    }
    Ok(Measured {
        name,
        rows: given.rows(),
        columns: given.columns(),
        nonzeros: given.nnz(),
        kinds,
        misses: missed,
        seconds,
        report,
        order_seconds,
        permuted_seconds,
        band_seconds,
    })
}

fn product_seconds(matrices: [&CsrMatrix<f64>; VARIANTS]) -> Result<[f64; VARIANTS], Failure> {
    let x: Vec<f64> = (0..matrices[0].columns()).map(|j| (j % 7) as f64).collect();
    let mut y = vec![0.0; matrices[0].rows()];
    let mut fastest = [f64::MAX; VARIANTS];
    for _ in 0..PASSES {
        for (fastest, matrix) in fastest.iter_mut().zip(matrices) {
            // The first product brings x into the caches, as products one after the other do.
            matrix.mul_vector_into(&x, &mut y)?;
            let (done, time) = processor_seconds(|| matrix.mul_vector_into(&x, &mut y));
            done?;
            *fastest = fastest.min(time);
            std::hint::black_box(&y);
        }
    }
    Ok(fastest)
}

fn kinds_table(measured: &[Measured]) {
    println!("### Kinds of non-zeros after the Gray order of the given matrix (Table 6.1)\n");
    head(
        &["matrix", "m", "n", "τ", "ρ", "α", "β", "γ", "δ", "λ"],
        "---:",
    );
    for of in measured {
        let kinds = &of.kinds;
        let per_column = |count: usize| format!("{:.2}n", count as f64 / of.columns as f64);
        let [a, b, c, d, e] = [
            kinds.alpha,
            kinds.beta,
            kinds.gamma,
            kinds.delta,
            kinds.lambda,
        ]
        .map(per_column);
        let mean = of.nonzeros as f64 / of.rows as f64;
        println!(
            "| {} | {} | {} | {} | {mean:.1} | {a} | {b} | {c} | {d} | {e} |",
            of.name, of.rows, of.columns, of.nonzeros
        );
    }
}

fn order_table(measured: &[Measured], cache: CacheShape) {
    let columns = [
        "matrix",
        "Gray",
        "random",
        "random, then Gray",
        "random, then RCM",
        "bipartite RCM",
        "bordered",
    ];
    println!(
        "\n### Misses on x in an ideal cache of {} words in lines of {}; the given order is 1 (Table 6.2)\n",
        cache.words(),
        cache.line_words()
    );
    head(&columns, "---:");
    for of in measured {
        print!("| {}", of.name);
        let given = of.misses[0] as f64;
        let others = of.misses[1..].iter();
        others.for_each(|misses| print!(" | {:.2}", *misses as f64 / given));
        println!(" |");
    }
    println!("\n### Time of a product; the given order is 1 (Table 6.2)\n");
    head(&columns, "---:");
    for of in measured {
        print!("| {}", of.name);
        let others = of.seconds[1..].iter();
        others.for_each(|seconds| print!(" | {:.2}", seconds / of.seconds[0]));
        println!(" |");
    }
}

fn cost_table(measured: &[Measured]) {
    println!(
        "\n### Cost of the Gray order of the matrix in random order, in products with it (Table 6.3)\n"
    );
    let columns = [
        "matrix",
        "b",
        "𝓡/m",
        "iterations",
        "lists/n",
        "columns not told apart",
        "product, ms",
        "order",
        "order and permuted matrix",
        "RCM order",
        "bipartite",
        "bordered",
    ];
    head(&columns, "---:");
    for of in measured {
        let report = &of.report;
        let product = of.seconds[2];
        println!(
            "| {} | {} | {:.2} | {} | {:.2} | {} | {:.2} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
            of.name,
            report.merge,
            report.won_rows as f64 / of.rows as f64,
            report.iterations,
            report.lists as f64 / of.columns as f64,
            report.open_columns,
            product * 1e3,
            of.order_seconds / product,
            of.permuted_seconds / product,
            of.band_seconds[0] / product,
            of.band_seconds[1] / product,
            of.band_seconds[2] / product,
        );
    }
}
