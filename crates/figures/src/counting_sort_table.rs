//! Times of the classical and of the bucketed counting sort, as in Table 4.1 of the 2013 thesis:
//! n random keys of 32 bits below r = n, on one thread.
//!
//!     cargo run --release -p sunzi-order --example counting_sort_table [millions of keys ...]
//!
//! Without arguments: 100 to 600 million keys, which takes 12 GB of memory.

use std::time::Instant;

use sunzi_order::{CountingSort, reference};

/// The thesis's seconds on a Core i7 at 2.93 GHz: millions of keys, classical, cache-oblivious.
const THESIS: [(usize, f64, f64); 6] = [
    (100, 13.74, 4.66),
    (200, 30.20, 9.93),
    (300, 50.19, 16.02),
    (400, 71.55, 22.13),
    (500, 94.32, 28.37),
    (600, 116.74, 34.61),
];

fn main() {
    let asked: Result<Vec<usize>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    let Ok(mut asked) = asked else {
        eprintln!("arguments are numbers of keys, in millions");
        std::process::exit(2);
    };
    if asked.is_empty() {
        asked.extend(THESIS.map(|(millions, _, _)| millions));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.expect("a thread");
    println!(
        "| n = r | thesis: classical | thesis: bucketed | ratio | here: classical | here: bucketed | ratio |"
    );
    println!("|---|---|---|---|---|---|---|");
    for millions in asked {
        let (classical, bucketed) = pool.install(|| times(millions * 1_000_000));
        let thesis = THESIS.iter().find(|line| line.0 == millions);
        let thesis = thesis.map_or("– | – | –".to_owned(), |(_, classical, bucketed)| {
            format!(
                "{classical:.2} s | {bucketed:.2} s | {:.2}",
                bucketed / classical
            )
        });
        println!(
            "| {millions}·10^6 | {thesis} | {classical:.2} s | {bucketed:.2} s | {:.3} |",
            bucketed / classical
        );
    }
}

/// Seconds of both sorts of n keys below n, the best of two runs of each.
fn times(n: usize) -> (f64, f64) {
    let mut state = 88172645463325252u64;
    let mut keys: Vec<u32> = (0..n)
        .map(|_| {
            // Xorshift (Marsaglia 2003).
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ((u128::from(state) * n as u128) >> 64) as u32
        })
        .collect();
    let sort = CountingSort::new(n as u64);
    let classical = (0..2).map(|_| {
        let start = Instant::now();
        let sorted = reference::counting_sort(&keys, n as u64).expect("keys below n");
        (start.elapsed().as_secs_f64(), sorted)
    });
    let (classical, sorted) = classical
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .expect("two runs");
    let copy = keys.clone();
    let mut bucketed = f64::INFINITY;
    for _ in 0..2 {
        keys.copy_from_slice(&copy);
        let start = Instant::now();
        sort.sort(&mut keys).expect("keys below n");
        bucketed = bucketed.min(start.elapsed().as_secs_f64());
    }
    assert!(keys == sorted, "both sorts agree");
    (classical, bucketed)
}
