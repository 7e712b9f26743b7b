//! Counting sorts.

use super::{Asked, Ours, count, failed};
use crate::speedup::pool;
use std::time::Instant;
use sunzi::memory::Budget;
use sunzi::sort::CountingSort;
use sunzi_files::failure::Failure;
use sunzi_files::memory::shown;
use sunzi_sort::reference;

/// Keys of a quick run.
const QUICK: usize = 1_000_000;
/// Bytes for each key: what is sorted, its copy, what comes of it, counters and buckets, amply.
const BYTES: u64 = 24;

/// Table 4.1 of the thesis of 2013: seconds of n random keys of 32 bits below n, the best of two runs of each, on one
/// thread.
pub fn counting_sorts(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["classical, s", "by buckets, s"]);
    let single = pool(1)?;
    let sizes = asked.entry.rows.iter().map(|row| count(&row[0]));
    let sizes: Vec<usize> = sizes.collect::<Result<_, _>>()?;
    let available = Budget::system().available().unwrap_or(u64::MAX);
    for &n in asked.sizes(&sizes, &[QUICK]) {
        let needed = BYTES * n as u64;
        if needed > available {
            let (needed, free) = (shown(needed), shown(available));
            ours.notes.push(format!(
                "n = {n}: left out: it takes about {needed} of memory, and {free} are free."
            ));
            continue;
        }
        let [classical, bucketed] = single.install(|| times(n))?;
        ours.push([&n], vec![Some(classical), Some(bucketed)]);
    }
    Ok(ours)
}

fn times(n: usize) -> Result<[f64; 2], Failure> {
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
        let start = Instant::now();
        sorted = reference::counting_sort(&keys, n as u64).map_err(failed)?;
        classical = classical.min(start.elapsed().as_secs_f64());
    }
    let copy = keys.clone();
    for _ in 0..2 {
        keys.copy_from_slice(&copy);
        let start = Instant::now();
        sort.sort(&mut keys).map_err(failed)?;
        bucketed = bucketed.min(start.elapsed().as_secs_f64());
    }
    match keys == sorted {
        true => Ok([classical, bucketed]),
        false => Err(failed("the two sorts disagree")),
    }
}
