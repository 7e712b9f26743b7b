//! The program `sunzi`.

use std::process::ExitCode;

fn main() -> ExitCode {
    sunzi_cli::main()
}
