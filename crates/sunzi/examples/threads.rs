//! On how many threads Sunzi computes: `cargo run --release -p sunzi --example threads`.

use std::time::Instant;
use sunzi::{Natural, ThreadPoolBuilder};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let a = (Natural::ONE << 2_000_000) - 1u32;
    let mut squares = Vec::new();
    for threads in [1, 2] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let start = Instant::now();
        squares.push(pool.install(|| &a * &a)); // without a pool: on all processors
        println!("{threads} threads: {:?}", start.elapsed());
    }
    assert_eq!(squares[0], squares[1]); // results never depend on threads
    Ok(())
}
