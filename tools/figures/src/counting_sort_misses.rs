//! Misses of the classical and of the cache-oblivious counting sort, beside the bounds of the 2013 thesis.

use sunzi_sparse::cache::{
    BetweenRounds, CacheError, CacheShape, CountingSort, PartitionFurther, PreprocessingThenSort,
    Replacement, Trace, simulate,
};

use crate::common::{Failure, Random, Usage, argument, head};

/// 128 KiB in lines of 64 bytes, of words of 8 bytes.
const WORDS: usize = 1 << 14;
const LINE: usize = 8;

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    const POWER: &str = "the power of two of the number of keys, 1 to 26";
    let log = argument(arguments, 0, POWER)?.unwrap_or(20);
    if !(1..=26).contains(&log) {
        return Err(Usage(format!("{log} is not {POWER}")).into());
    }
    let n = 1usize << log;
    println!("n = 2^{log} random keys; a cache of {WORDS} words in lines of {LINE}.\n");
    let columns = [
        "sort",
        "r",
        "m",
        "bound",
        "misses, ideal cache",
        "of the bound",
        "misses, least recently used",
    ];
    head(&columns, "---");
    let (nf, l) = (n as f64, LINE as f64);

    let r = 1 << 20;
    let keys = random_keys(n, r);
    let rf = r as f64;
    let bound = 3.0 * nf + 2.0 * nf / l + 2.0 * rf / l + 4.0;
    let name = "classical (Proposition 2)";
    line(name, r, None, bound, &CountingSort::new(&keys, r)?)?;

    let few = 1 << 10;
    let bound = 3.0 * nf / l + few as f64 * (1.0 + 1.0 / l) + 3.0;
    let name = "classical, few values (Proposition 3)";
    let few_values = random_keys(n, few);
    line(
        name,
        few,
        None,
        bound,
        &CountingSort::new(&few_values, few)?,
    )?;

    // r = m^(u + 1) with u rounds.
    for (m, rounds) in [(1u64 << 10, "1 round"), (1 << 5, "3 rounds")] {
        let (mf, u) = (m as f64, (rf.log2() / (m as f64).log2()) - 1.0);
        let bound = 3.0 * nf / l + mf / l + (2.0 + mf) + 1.0;
        let name = "first round of bucketing (Proposition 6)";
        let round = PartitionFurther::new(&keys, m, r, r)?;
        line(name, r, Some(m), bound, &round)?;

        // Equation 4.4.
        let bound = 3.0 * nf * (u + 1.0) / l
            + mf * u / l
            + u
            + (2.0 + mf) * ((mf.powf(u) - 1.0) / (mf - 1.0) + rf / mf)
            + 4.0 * rf / l
            + 4.0;
        let name = format!("{rounds} of bucketing, then classical (Proposition 8)");
        let whole = PreprocessingThenSort::new(&keys, m, r, BetweenRounds::Swap)?;
        line(&name, r, Some(m), bound, &whole)?;
    }
    Ok(())
}

/// One line of the table.
fn line(
    name: &str,
    r: u64,
    m: Option<u64>,
    bound: f64,
    trace: &impl Trace,
) -> Result<(), CacheError> {
    let cache = CacheShape::new(WORDS, LINE)?;
    let misses = |replacement| simulate(trace, cache, replacement).map(|report| report.misses());
    let ideal = misses(Replacement::Optimal)?;
    let recent = misses(Replacement::LeastRecentlyUsed)?;
    let m = m.map_or("–".to_owned(), |m| m.to_string());
    println!(
        "| {name} | 2^{} | {m} | {bound:.0} | {ideal} | {:.2} | {recent} |",
        r.ilog2(),
        ideal as f64 / bound
    );
    Ok(())
}

/// `n` keys below `range`.
fn random_keys(n: usize, range: u64) -> Vec<u64> {
    let mut random = Random::new();
    (0..n).map(|_| random.below(range)).collect()
}
