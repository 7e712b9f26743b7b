//! Products take no more memory than the documentation says. Linux tells how much that is.
#![cfg(target_os = "linux")]

use std::process::Command;

#[test]
fn no_product_takes_above_8_times_its_operands_and_result() {
    let program = env!("CARGO_BIN_EXE_sunzi-figures");
    let output = Command::new(program).arg("peak-memory").output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let failure = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{failure}");
    assert!(told.lines().any(|line| line.starts_with("worst")), "{told}");
}
