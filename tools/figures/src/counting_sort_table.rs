//! Times of the classical and of the bucketed counting sort, as in Table 4.1 of the 2013 thesis:
//! n random keys of 32 bits below r = n, on one thread.
//!
//! Without arguments: 100 to 600 million keys, which takes 12 GB of memory.

use sunzi_sort::{CountingSort, reference};

use crate::common::{Failure, head, numbers_or, on_one_thread, seconds};

/// The thesis's seconds on a Core i7 at 2.93 GHz: millions of keys, classical, cache-oblivious.
const THESIS: [(usize, f64, f64); 6] = [
    (100, 13.74, 4.66),
    (200, 30.20, 9.93),
    (300, 50.19, 16.02),
    (400, 71.55, 22.13),
    (500, 94.32, 28.37),
    (600, 116.74, 34.61),
];

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let usual = THESIS.map(|(millions, _, _)| millions);
    let asked = numbers_or(arguments, "a number of keys, in millions", &usual)?;
    let columns = [
        "n = r",
        "thesis: classical",
        "thesis: bucketed",
        "ratio",
        "here: classical",
        "here: bucketed",
        "ratio",
    ];
    head(&columns, "---");
    for millions in asked {
        let (classical, bucketed) = on_one_thread(|| times(millions * 1_000_000))?;
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
    Ok(())
}

/// Seconds of both sorts of n keys below n, the best of two runs of each.
fn times(n: usize) -> Result<(f64, f64), Failure> {
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
    let (mut classical, mut bucketed) = (f64::INFINITY, f64::INFINITY);
    let mut sorted = Vec::new();
    for _ in 0..2 {
        let (done, time) = seconds(|| reference::counting_sort(&keys, n as u64));
        sorted = done?;
        classical = classical.min(time);
    }
    let copy = keys.clone();
    for _ in 0..2 {
        keys.copy_from_slice(&copy);
        let (done, time) = seconds(|| sort.sort(&mut keys));
        done?;
        bucketed = bucketed.min(time);
    }
    assert!(keys == sorted, "both sorts agree");
    Ok((classical, bucketed))
}
