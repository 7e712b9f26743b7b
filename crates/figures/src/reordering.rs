//! What the examples on reordering share: their arguments, and misses of products.

use std::error::Error;

use sunzi_linalg::sparse::CsrMatrix;
use sunzi_model::{CacheShape, Replacement, Spmv, simulate};

pub type Failure = Box<dyn Error + Send + Sync>;

/// 128 KiB of doubles.
const CACHE_WORDS: usize = 1 << 14;
/// Lines of 64 bytes.
const LINE_WORDS: usize = 8;
/// Of generated matrices and random orders.
pub const SEED: u64 = 1;

/// The cache and the names of the matrices that `[--cache WORDS] [MATRIX]...` asks for.
pub fn arguments(usual: &[&str]) -> Result<(CacheShape, Vec<String>), Failure> {
    let mut names = Vec::new();
    let mut words = CACHE_WORDS;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--cache" {
            words = arguments
                .next()
                .ok_or("--cache wants a number of words")?
                .parse()?;
        } else {
            names.push(argument);
        }
    }
    if names.is_empty() {
        names = usual.iter().copied().map(String::from).collect();
    }
    Ok((CacheShape::new(words, LINE_WORDS)?, names))
}

/// Misses on x of a product, with the best replacement.
pub fn misses(matrix: &CsrMatrix<f64>, cache: CacheShape) -> Result<u64, Failure> {
    let product = Spmv::new(
        matrix.row_starts(),
        matrix.column_indices(),
        matrix.columns(),
    )?;
    Ok(simulate(&product.x_only(), cache, Replacement::Optimal)?.misses())
}
