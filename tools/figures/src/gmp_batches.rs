//! Times of GMP's `mpz_mul` over batches of products, one pair after the other on every core: what to compare with
//! the batches of `sunzi bench gpu` on the machine that it runs on. The table is comma-separated values in the same
//! form.

use rayon::prelude::*;
use rug::integer::Order;
use rug::{Assign, Integer};
use std::hint::black_box;
use sunzi_measure::{Clock, in_turn};

use crate::common::{Failure, Random, argument};

/// Words of 32 bits of an operand.
const WORDS: [usize; 10] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/// Words of all operands of a batch together: far beyond the caches.
const BATCH_WORDS: usize = 1 << 24;

/// A pair and its product, whose memory is used again.
type Row = (Integer, Integer, Integer);

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let budget = argument(arguments, 0, "a number of seconds")?.unwrap_or(0.5);
    let threads = rayon::current_num_threads();
    println!("# GMP by rug, {threads} threads");
    println!(
        "section,group,case,size,threads,contender,median_s,quartile1_s,quartile3_s,counts,batch,floor_s,passes"
    );
    for words in WORDS {
        let batch = (BATCH_WORDS / (2 * words)).max(1);
        let mut rows = rows(words, batch);
        let work = |times: usize| (0..times).for_each(|_| multiply(&mut rows));
        let time = in_turn(&mut [Box::new(work)], Clock::Wall, budget)[0];
        println!(
            "gpu-integers,batches of products,{batch} of {words},{words},{threads},GMP mpz_mul,{},{},{},true,{batch},,",
            time.median, time.quartile1, time.quartile3
        );
    }
    Ok(())
}

fn rows(words: usize, batch: usize) -> Vec<Row> {
    let mut random = Random::new();
    let mut operand = || {
        let digits: Vec<u64> = (0..words.div_ceil(2)).map(|_| random.word()).collect();
        Integer::from_digits(&digits, Order::Lsf)
    };
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
