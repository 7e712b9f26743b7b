//! The program `sunzi`.

use std::process::ExitCode;
use sunzi_files::memory::Counted;

#[global_allocator]
static MEMORY: Counted = Counted;

fn main() -> ExitCode {
    sunzi_cli::main()
}
