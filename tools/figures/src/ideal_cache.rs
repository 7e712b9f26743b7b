//! The speed of the simulator, in CPU time: the misses of a product with a random sparse matrix of about 10^8 accesses.

use sunzi_sparse::cache::{CacheShape, Replacement, Spmv, simulate};

use crate::common::{Failure, Random, argument, processor_seconds};

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let millions: usize = argument(arguments, 0, "a number of millions")?.unwrap_or(25);
    let (nonzeros, n) = (millions * 1_000_000, 1 << 20);
    let mut random = Random::new();
    let columns: Vec<u32> = (0..nonzeros)
        .map(|_| random.below(n as u64) as u32)
        .collect();
    let row_ptr: Vec<usize> = (0..=n).map(|i| i * nonzeros / n).collect();
    let product = Spmv::new(&row_ptr, &columns, n)?;
    // 1 MiB in lines of 64 bytes, of words of 8 bytes.
    let cache = CacheShape::new(1 << 17, 8)?;
    for replacement in [Replacement::Optimal, Replacement::LeastRecentlyUsed] {
        let (report, seconds) = processor_seconds(|| simulate(&product, cache, replacement));
        let report = report?;
        let accesses = report.accesses() as f64;
        println!(
            "{replacement:?}: {accesses:.3e} accesses in {seconds:.2} s, {:.1} ns an access",
            seconds / accesses * 1e9
        );
        println!("{report}\n");
    }
    Ok(())
}
