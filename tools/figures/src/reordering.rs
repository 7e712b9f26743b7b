//! What the tables on reordering share: their arguments, and misses of products.

use sunzi_sparse::{
    CsrMatrix,
    cache::{CacheShape, Replacement, Spmv, simulate},
};

use crate::common::{Failure, Usage, argument, names_or};

/// 128 KiB of doubles.
const CACHE_WORDS: usize = 1 << 14;
/// Lines of 64 bytes.
const LINE_WORDS: usize = 8;
/// Of generated matrices and random orders.
pub const SEED: u64 = 1;

/// The cache and the names of the matrices that `[--cache WORDS] [MATRIX]...` asks for.
pub fn cache_and_names(
    arguments: &[String],
    usual: &[&str],
) -> Result<(CacheShape, Vec<String>), Failure> {
    let (caches, names) = caches_and_names(arguments, &[CACHE_WORDS], usual)?;
    Ok((caches[0], names))
}

/// The caches, at least one, and the names that `[--cache WORDS]... [MATRIX]...` asks for.
pub fn caches_and_names(
    arguments: &[String],
    usual_words: &[usize],
    usual: &[&str],
) -> Result<(Vec<CacheShape>, Vec<String>), Failure> {
    let mut names = arguments.to_vec();
    let mut words = Vec::new();
    while let Some(at) = names.iter().position(|name| name == "--cache") {
        let wanted = argument(&names, at + 1, "a number of words")?;
        words.push(wanted.ok_or_else(|| Usage("--cache wants a number of words".into()))?);
        names.drain(at..at + 2);
    }
    if words.is_empty() {
        words.extend_from_slice(usual_words);
    }
    let caches = words
        .into_iter()
        .map(|words| CacheShape::new(words, LINE_WORDS));
    Ok((caches.collect::<Result<_, _>>()?, names_or(&names, usual)))
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
