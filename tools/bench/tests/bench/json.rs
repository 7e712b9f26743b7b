//! The JSON form is as the page `docs/json.md` describes it.

use crate::json_page::assert_told_as_described;
use crate::sandbox::Sandbox;
use sunzi::gpu::{Device, Selection};
use sunzi_testkit::required_or_skipped;

/// A call of each command.
const CALLS: &[&str] = &[
    "bench gfp --primes P4 --seconds 0.0001",
    "bench gpu --groups launch --seconds 0.0001",
    "bench scale --scratch . --max-memory 2M",
    "paper list",
    "paper 2021-table-3.2 --quick --seconds 0.0001",
];

#[test]
fn every_command_tells_what_the_page_describes() {
    let sandbox = Sandbox::with(&[]);
    let has_device = required_or_skipped(Device::open(Selection::Any)).is_some();
    let is_here = |command: &str| match command {
        "bench gpu" => has_device,
        _ => command.starts_with("bench ") || command.starts_with("paper"),
    };
    assert_told_as_described(CALLS, is_here, |words| match words {
        ["bench", rest @ ..] => sandbox.command(rest),
        words => sandbox.command(words),
    });
}
