//! Tests once more, in processes of their own: with every command as late as OpenCL allows, and on a second runtime.

use crate::{OpenClLate, required_or_skipped, skip};
use std::path::Path;
use std::process::Command;

/// The library of a second runtime, if there is one: `scripts/intel-opencl` prints it.
const SECOND_RUNTIME: &str = "SUNZI_SECOND_OPENCL";
/// How often it runs the tests: an order that is missing shows now and then.
const TIMES: usize = 10;

/// Runs tests of this program on OpenCL in a process that sees other variables.
fn run(tests: &[&str], prepare: impl FnOnce(&mut Command), where_: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg("--exact");
    command.args(tests.iter().map(|test| format!("{test}::opencl")));
    prepare(&mut command);
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let passed = format!("{} passed", tests.len());
    assert!(
        output.status.success() && said.contains(&passed),
        "{where_}: {said}"
    );
}

/// Runs tests of this program, which [`on_every_device!`](crate::on_every_device) made, where commands are late and shuffled.
///
/// # Panics
/// If one of them fails, or is not there.
pub fn run_late_and_shuffled(tests: &[&str]) {
    let Some(layer) = required_or_skipped(OpenClLate::build()) else {
        return;
    };
    for seed in [0, 1] {
        let prepare = |command: &mut Command| {
            layer.lend(command, seed);
        };
        run(tests, prepare, &format!("under the layer with seed {seed}"));
    }
}

/// Runs the same on a second runtime, several times.
///
/// # Panics
/// As [`run_late_and_shuffled`].
pub fn run_on_a_second_runtime(tests: &[&str]) {
    let Some(library) = std::env::var_os(SECOND_RUNTIME) else {
        return skip(&format!(
            "{SECOND_RUNTIME} names no library of a second runtime"
        ));
    };
    assert!(
        Path::new(&library).is_file(),
        "{SECOND_RUNTIME}: {library:?}"
    );
    for time in 0..TIMES {
        let prepare = |command: &mut Command| {
            command
                .env("OCL_ICD_VENDORS", &library)
                .env("OCL_ICD_FILENAMES", &library);
        };
        run(tests, prepare, &format!("on {library:?}, time {time}"));
    }
}
