//! Tests of the program `sunzi-bench`: runs of it.

mod gfp;
mod gpu;
mod help;
mod json;
#[path = "../../../../crates/cli/tests/cli/json_page.rs"]
mod json_page;
mod paper;
#[cfg(unix)]
mod peers;
#[path = "../../../../crates/cli/tests/cli/common/sandbox.rs"]
mod sandbox;

/// The program that is tested.
fn program() -> &'static str {
    env!("CARGO_BIN_EXE_sunzi-bench")
}
