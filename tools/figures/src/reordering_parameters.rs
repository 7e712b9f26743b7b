//! What the parameters b and t of the Gray order do to the misses of a product, in Markdown.
//!
//! Misses on x of a randomly permuted matrix after its Gray order, over those before it; b in parts and
//! multiples of what Proposition 20 recommends.

use std::num::NonZeroU32;

use sunzi_sparse::{
    CsrMatrix,
    cache::CacheShape,
    reorder::{GrayOrdering, gray_ordering},
    test_matrices::{TestMatrix, shuffled},
};

use crate::common::{Failure, head};
use crate::reordering::{SEED, cache_and_names, misses};

const MATRICES: [&str; 5] = [
    "chessboard:9,9,3",
    "grid2d:1000,1000",
    "grid3d27:60,60,60",
    "rmat:18,8",
    "lp:500000",
];
/// Multiples of the recommended b, as numerator and denominator.
const MULTIPLES: [(u64, u64); 7] = [(1, 64), (1, 16), (1, 4), (1, 1), (4, 1), (16, 1), (64, 1)];
const STOPS: [f64; 5] = [0.01, 0.3, 0.6, 0.9, 0.99];

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let (cache, names) = cache_and_names(arguments, &MATRICES)?;
    let mut by_merge = String::new();
    let mut by_stop = String::new();
    for name in names {
        eprintln!("{name}");
        let (random, ..) = shuffled(&name.parse::<TestMatrix>()?.generate(SEED)?, SEED);
        let before = misses(&random, cache)?;
        let recommended =
            GrayOrdering::default().merge_for(random.rows(), random.columns(), random.nnz());
        by_merge += &format!("| {name} | {recommended}");
        for (numerator, denominator) in MULTIPLES {
            let merge = (u64::from(recommended.get()) * numerator / denominator).max(1);
            let merge = NonZeroU32::new(u32::try_from(merge)?);
            let options = GrayOrdering {
                merge,
                ..GrayOrdering::default()
            };
            let (after, _) = reordered(&random, &options, cache)?;
            by_merge += &format!(" | {:.2}", after as f64 / before as f64);
        }
        by_merge += " |\n";
        by_stop += &format!("| {name}");
        for stop in STOPS {
            let options = GrayOrdering {
                stop,
                ..GrayOrdering::default()
            };
            let (after, iterations) = reordered(&random, &options, cache)?;
            by_stop += &format!(" | {:.2} ({iterations})", after as f64 / before as f64);
        }
        by_stop += " |\n";
    }
    let heads = MULTIPLES.map(|(numerator, denominator)| match denominator {
        1 => format!("{numerator}·b"),
        _ => format!("b/{denominator}"),
    });
    println!(
        "Misses after over misses before, in an ideal cache of {} words in lines of {}, by b:\n",
        cache.words(),
        cache.line_words()
    );
    let mut columns = vec!["matrix", "recommended b"];
    columns.extend(heads.iter().map(String::as_str));
    head(&columns, "---:");
    println!("{by_merge}\nThe same by t (and the number of steps), with the recommended b:\n");
    let heads = STOPS.map(|stop| format!("t = {stop}"));
    let mut columns = vec!["matrix"];
    columns.extend(heads.iter().map(String::as_str));
    head(&columns, "---:");
    print!("{by_stop}");
    Ok(())
}

fn reordered(
    matrix: &CsrMatrix<f64>,
    options: &GrayOrdering,
    cache: CacheShape,
) -> Result<(u64, usize), Failure> {
    let order = gray_ordering(matrix, options)?;
    let reordered = matrix.permuted(&order.rows, &order.columns)?;
    Ok((misses(&reordered, cache)?, order.report.iterations))
}
