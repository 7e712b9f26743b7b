//! What fuzz targets do with bytes, and how they know what is right.
//!
//! Every target is a function of bytes that panics where something is wrong. `tools/fuzz/` runs them under libFuzzer, the
//! tests of this crate on the stable compiler: on the seeds in `tools/fuzz/seeds`, and on bytes that proptest makes.

mod bytes;
mod calc;
mod coefficients;
mod expressions;
mod integers;
mod json;
mod made_matrix;
mod matrix_market;
mod moduli;
mod npy;
mod options;
mod orders;
mod polynomials;
mod pools;
mod readers;
mod reading;
mod tokens;
mod two_variables;

/// A target: its name, and what it does; whether the input was accepted, so that it was computed with.
pub type Target = (&'static str, fn(&[u8]) -> bool);

/// All of them.
pub const TARGETS: [Target; 14] = [
    ("matrix_market", matrix_market::run),
    ("failing_readers", readers::run),
    ("expressions", expressions::run),
    ("two_variables", two_variables::run),
    ("coefficients", coefficients::run),
    ("moduli", moduli::run),
    ("npy", npy::run),
    ("calc", calc::run),
    ("json", json::run),
    ("int_mul", integers::run_products),
    ("multiplier", integers::run_algorithms),
    ("polynomials", polynomials::run),
    ("orders", orders::run),
    ("options", options::run),
];

/// Runs a target by its name: whether it accepts the input.
///
/// # Panics
/// If there is no such target, or it finds something wrong.
///
/// ```
/// assert!(sunzi_fuzzing::run("moduli", b"2^61-1"));
/// assert!(!sunzi_fuzzing::run("moduli", b"2^"));
/// ```
pub fn run(name: &str, data: &[u8]) -> bool {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    let (_, body) = target.expect("a target of this name");
    body(data)
}
