//! Tests of the program: runs of it, on good and on wrong input.
//!
//! One program, so that what the tests share is compiled once.

#[cfg(unix)]
mod bench;
mod calc;
mod common;
mod compressed_input;
mod compressed_output;
mod cuda;
mod det;
mod devices;
mod dft;
mod hostile_input;
mod int_arithmetic;
mod int_mul;
mod json;
mod json_page;
mod layer;
mod matrix;
#[cfg(target_os = "linux")]
mod memory_limits;
mod operands;
mod output_files;
mod poly_algebra;
mod poly_algebra_refusals;
mod poly_arithmetic;
mod poly_mul;
mod poly_over_q;
mod poly_over_z;
mod poly_roots;
mod prime_and_info;
#[cfg(unix)]
mod progress;
#[cfg(unix)]
mod ranks;
mod refusals;
mod smoke;
mod solve;
mod sort;
mod sparse;
mod sparse_files;
mod sparse_orderings;
mod sparse_refusals;
#[cfg(unix)]
mod text_through_files;
#[cfg(unix)]
mod through_files;
mod tune;
#[cfg(target_os = "linux")]
mod tune_run;
mod tune_run_files;

use std::sync::OnceLock;

/// The program that is tested: the one that was built with the tests, or what `SUNZI_PROGRAM` names, such as a release.
fn program() -> &'static str {
    static NAMED: OnceLock<Option<String>> = OnceLock::new();
    let named = NAMED.get_or_init(|| std::env::var("SUNZI_PROGRAM").ok());
    named.as_deref().unwrap_or(env!("CARGO_BIN_EXE_sunzi"))
}
