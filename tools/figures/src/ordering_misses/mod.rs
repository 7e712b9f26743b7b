//! Misses of products in every order, what `auto` chooses, and the times of the orders, in Markdown.
//!
//! Matrices are written as in `sunzi_sparse::test_matrices`; each is taken as it is given and with its rows and columns
//! in random orders. Misses on x are counted with the best replacement, in lines of 8 elements. Times are CPU times of one
//! thread, the shortest of several passes that go through all orders in turn.

mod bisection;

use bisection::bisection;
use sunzi_measure::{CACHE_WORDS, GALLERY};
use sunzi_sparse::{
    CsrMatrix, Permutation,
    cache::CacheShape,
    reorder::{AutoOrdering, GrayOrdering, auto_ordering, gray_ordering},
    test_matrices::{TestMatrix, shuffled},
};

use crate::common::{Failure, head, on_one_thread, processor_seconds};
use crate::reordering::{SEED, caches_and_names, misses};

const PASSES: usize = 5;

type Orders = (Permutation, Permutation);

/// An order, and how it is found.
type Order = (&'static str, fn(&CsrMatrix<f64>) -> Result<Orders, Failure>);

const ORDERS: [Order; 5] = [
    ("Gray", |matrix| {
        let found = gray_ordering(matrix, &GrayOrdering::default())?;
        Ok((found.rows, found.columns))
    }),
    ("RCM", |matrix| Ok(matrix.reverse_cuthill_mckee())),
    ("bipartite RCM", |matrix| {
        Ok(matrix.bipartite_cuthill_mckee())
    }),
    ("bordered", |matrix| Ok(matrix.bordered_cuthill_mckee())),
    ("bisection", |matrix| {
        let (_, first) = matrix.bipartite_cuthill_mckee();
        Ok(bisection(matrix, &first)?)
    }),
];

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let (caches, names) = caches_and_names(arguments, &CACHE_WORDS, &GALLERY)?;
    let mut matrices = Vec::new();
    for name in names {
        let given = name.parse::<TestMatrix>()?.generate(SEED)?;
        let (random, ..) = shuffled(&given, SEED);
        matrices.push((name.clone(), given));
        matrices.push((format!("{name}, permuted"), random));
    }
    on_one_thread(|| {
        println!(
            "### Misses on x; the choice is among all but bisection, and compared with these\n"
        );
        let mut columns = vec!["matrix", "cache", "least", "given"];
        columns.extend(ORDERS.iter().map(|(name, _)| *name));
        columns.extend(["auto chooses", "its misses over the fewest"]);
        head(&columns, "---:");
        let mut worst: f64 = 1.0;
        for (name, matrix) in &matrices {
            worst = worst.max(miss_rows(name, matrix, &caches)?);
        }
        println!(
            "\nThe choice misses at most {worst:.2} times as much as the best of these orders."
        );
        println!("\n### Times of the orders, in products\n");
        let mut columns = vec!["matrix", "product, ms"];
        columns.extend(ORDERS.iter().map(|(name, _)| *name));
        columns.push("auto");
        head(&columns, "---:");
        for (name, matrix) in &matrices {
            time_row(name, matrix, caches[caches.len() - 1])?;
        }
        Ok(())
    })
}

/// The rows of a matrix, one a cache; the greatest ratio of the choice's misses to the fewest.
fn miss_rows(name: &str, matrix: &CsrMatrix<f64>, caches: &[CacheShape]) -> Result<f64, Failure> {
    eprintln!("{name}");
    let mut ordered = vec![matrix.clone()];
    for (_, find) in ORDERS {
        let (rows, columns) = find(matrix)?;
        ordered.push(matrix.permuted(&rows, &columns)?);
    }
    let mut worst: f64 = 1.0;
    for &cache in caches {
        let counts = ordered.iter().map(|matrix| misses(matrix, cache));
        let counts = counts.collect::<Result<Vec<_>, _>>()?;
        let choice = auto_ordering(matrix, &AutoOrdering::new(cache))?;
        let chosen = matrix.permuted(&choice.rows, &choice.columns)?;
        // The last is a rival that is no choice.
        let choices = &counts[..counts.len() - 1];
        let fewest = choices.iter().min().copied().unwrap_or(0).max(1);
        let ratio = misses(&chosen, cache)? as f64 / fewest as f64;
        worst = worst.max(ratio);
        print!("| {name} | {} | {}", cache.words(), choice.least_misses);
        counts.iter().for_each(|count| print!(" | {count}"));
        println!(" | {} | {ratio:.2} |", choice.method);
    }
    Ok(worst)
}

fn time_row(name: &str, matrix: &CsrMatrix<f64>, cache: CacheShape) -> Result<(), Failure> {
    eprintln!("{name}: times");
    let x: Vec<f64> = (0..matrix.columns()).map(|j| (j % 7) as f64).collect();
    let mut y = vec![0.0; matrix.rows()];
    let mut product = f64::MAX;
    let mut orders = [f64::MAX; ORDERS.len()];
    let mut auto = f64::MAX;
    for _ in 0..PASSES {
        // The first product brings x into the caches, as products one after the other do.
        for _ in 0..4 {
            let (done, time) = processor_seconds(|| matrix.mul_vector_into(&x, &mut y));
            done?;
            product = product.min(time);
            std::hint::black_box(&y);
        }
        for ((_, find), shortest) in ORDERS.iter().zip(&mut orders) {
            let (found, time) = processor_seconds(|| find(matrix));
            std::hint::black_box(found?);
            *shortest = shortest.min(time);
        }
        let (found, time) = processor_seconds(|| auto_ordering(matrix, &AutoOrdering::new(cache)));
        std::hint::black_box(found?);
        auto = auto.min(time);
    }
    print!("| {name} | {:.3}", product * 1e3);
    for time in orders.iter().chain([&auto]) {
        print!(" | {:.0}", time / product);
    }
    println!(" |");
    Ok(())
}
