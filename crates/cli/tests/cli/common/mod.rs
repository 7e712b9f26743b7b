//! What tests of the program share.

pub mod matrices;
pub mod polynomials;
mod sandbox;
pub mod sparse;

pub use sandbox::{Outcome, Sandbox, outcome_with_input};

use std::path::{Path, PathBuf};

/// The folder `examples` of the repository.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Seeded digits, the first of them not zero.
pub fn digits(count: usize, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |range: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % range
    };
    (0..count)
        .map(|i| {
            let digit = if i == 0 { 1 + next(9) } else { next(10) };
            char::from(b'0' + digit as u8)
        })
        .collect()
}
