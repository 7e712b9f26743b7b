//! The program `sunzi`.
fn main() {}
