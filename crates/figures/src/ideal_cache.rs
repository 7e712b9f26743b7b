//! The speed of the simulator, in CPU time: the misses of a product with a random sparse matrix of about 10^8 accesses.
//!
//! `cargo run --release -p sunzi-model --example ideal_cache [NONZEROS_IN_MILLIONS]`

use cpu_time::ThreadTime;
use sunzi_model::{CacheShape, Replacement, Spmv, simulate};

fn main() {
    let millions: usize = std::env::args()
        .nth(1)
        .map_or(25, |text| text.parse().expect("a number of millions"));
    let (nonzeros, n) = (millions * 1_000_000, 1 << 20);
    let mut state = 1u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state >> 32
    };
    let columns: Vec<u32> = (0..nonzeros)
        .map(|_| ((random() * n as u64) >> 32) as u32)
        .collect();
    let row_ptr: Vec<usize> = (0..=n).map(|i| i * nonzeros / n).collect();
    let product = Spmv::new(&row_ptr, &columns, n).expect("a matrix by rows");
    // 1 MiB in lines of 64 bytes, of words of 8 bytes.
    let cache = CacheShape::new(1 << 17, 8).expect("a cache");
    for replacement in [Replacement::Optimal, Replacement::LeastRecentlyUsed] {
        let start = ThreadTime::now();
        let report = simulate(&product, cache, replacement).expect("arrays within bounds");
        let seconds = start.elapsed().as_secs_f64();
        let accesses = report.accesses() as f64;
        println!(
            "{replacement:?}: {accesses:.3e} accesses in {seconds:.2} s, {:.1} ns an access",
            seconds / accesses * 1e9
        );
        println!("{report}\n");
    }
}
