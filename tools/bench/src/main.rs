//! The program `sunzi-bench`.

use std::process::ExitCode;
use sunzi_files::memory::Counted;

#[global_allocator]
static MEMORY: Counted = Counted;

fn main() -> ExitCode {
    sunzi_bench::main()
}
