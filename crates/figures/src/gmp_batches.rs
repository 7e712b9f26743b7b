//! Times GMP's `mpz_mul` over batches of products, one pair after the other on every core: what to compare with the
//! batches of `sunzi bench gpu` on the machine that it runs on. It prints comma-separated values in the same form.
//!
//! `cargo run --release -p sunzi-integer --example gmp_batches -- [SECONDS A CASE] > gmp.csv`

use rayon::prelude::*;
use rug::integer::Order;
use rug::{Assign, Integer};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;
use sunzi_testkit::Random;

/// Words of 32 bits of an operand.
const WORDS: [usize; 10] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/// Words of all operands of a batch together: far beyond the caches.
const BATCH_WORDS: usize = 1 << 24;
/// Fewer passes than this make no median.
const FEWEST: usize = 3;

/// A pair and its product, whose memory is used again.
type Row = (Integer, Integer, Integer);

fn main() -> Result<(), Box<dyn Error>> {
    let budget: f64 = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 0.5,
    };
    let threads = rayon::current_num_threads();
    println!("# GMP by rug, {threads} threads");
    println!(
        "section,group,case,size,threads,contender,median_s,quartile1_s,quartile3_s,counts,batch,floor_s,passes"
    );
    for words in WORDS {
        let batch = (BATCH_WORDS / (2 * words)).max(1);
        let mut rows = rows(words, batch);
        let mut passes = Vec::new();
        let start = Instant::now();
        multiply(&mut rows);
        while passes.len() < FEWEST || start.elapsed().as_secs_f64() < budget {
            let pass = Instant::now();
            multiply(&mut rows);
            passes.push(pass.elapsed().as_secs_f64());
        }
        passes.sort_by(f64::total_cmp);
        let at = |quarter: usize| passes[(passes.len() - 1) * quarter / 4];
        println!(
            "gpu-integers,batches of products,{batch} of {words},{words},{threads},GMP mpz_mul,{},{},{},true,{batch},,",
            at(2),
            at(1),
            at(3)
        );
    }
    Ok(())
}

fn rows(words: usize, batch: usize) -> Vec<Row> {
    let mut random = Random::new(words as u64);
    let mut operand = || Integer::from_digits(&random.words(words.div_ceil(2)), Order::Lsf);
    let row = |_| {
        let (a, b) = (operand(), operand());
        (a, b, Integer::with_capacity(64 * words))
    };
    (0..batch).map(row).collect()
}

fn multiply(rows: &mut [Row]) {
    rows.par_iter_mut()
        .with_min_len(64)
        .for_each(|(a, b, product)| {
            product.assign(black_box(&*a) * black_box(&*b));
        });
    black_box(rows);
}
