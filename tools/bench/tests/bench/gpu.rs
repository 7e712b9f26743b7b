//! `sunzi bench gpu`: what it tells and writes, and what it refuses. Times themselves are nobody's promise.

use crate::sandbox::Sandbox;
use serde_json::Value;
use sunzi::gpu::{Device, Selection};
use sunzi_testkit::required_or_skipped;

/// A measurement of the smallest kind.
const QUICK: [&str; 3] = ["gpu", "--seconds", "0.0002"];

/// Runs the program, which must succeed; compilers of devices may talk to standard error.
fn succeed(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let outcome = sandbox.run(arguments);
    assert_eq!(outcome.code, Some(0), "{arguments:?}: {outcome:?}");
    outcome.stdout
}

/// Whether there is something to measure.
fn device() -> bool {
    required_or_skipped(Device::open(Selection::Any)).is_some()
}

#[test]
fn all_groups_are_measured_and_written() {
    if !device() {
        return;
    }
    let sandbox = Sandbox::with(&[]);
    let arguments = [
        &QUICK[..],
        &["--json", "--out", "some/plots", "-o", "all.json"],
    ]
    .concat();
    assert_eq!(succeed(&sandbox, &arguments), "");
    let report: Value = serde_json::from_str(&sandbox.read("all.json")).unwrap();
    let positive = |value: &Value| assert!(value.as_f64().unwrap() > 0.0, "{value}");
    for rate in [
        "kernel_copy_bytes",
        "driver_copy_bytes",
        "upload_bytes",
        "wide_products",
        "launch_seconds",
    ] {
        positive(&report["result"]["ceilings"][rate]);
    }
    assert_eq!(report["result"]["left_out"], Value::Array(Vec::new()));
    let cases = report["result"]["cases"].as_array().unwrap();
    for case in cases {
        for key in ["median", "quartile1", "quartile3"] {
            positive(&case["seconds"][key]);
        }
        positive(&case["operations"]);
        // What runs on the device has a floor.
        let on_host = case["contender"].as_str().unwrap().starts_with("processor");
        assert_eq!(case["floor"].is_null(), on_host, "{case}");
    }
    let has = |key: &str, value: &str| {
        let found = cases
            .iter()
            .any(|case| case[key].as_str().unwrap().starts_with(value));
        assert!(found, "no {key} is {value}");
    };
    for section in ["ntt", "big-primes", "integers", "polynomials", "algebra"] {
        has("section", section);
    }
    for group in [
        "31-bit prime, one by one, forward",
        "31-bit prime, in batches, inverse",
        "61-bit prime, one by one",
        "batches of products",
        "over Z, 41 bits",
        "modulo a prime of 31 bits",
        "modulo a prime of 61 bits, by primes of 31",
    ] {
        has("group", group);
    }
    for contender in [
        "schoolbook",
        "columns",
        "m5",
        "naive",
        "operand_scanning",
        "schoolbook with copies",
        "with copies",
        "processor",
    ] {
        has("contender", contender);
    }

    let text = sandbox.read("some/plots/gpu.csv");
    let comments = text
        .lines()
        .take_while(|line| line.starts_with("# "))
        .count();
    assert!(comments > 3, "{text}");
    let mut lines = text.lines().skip(comments);
    assert_eq!(
        lines.next(),
        Some(
            "section,group,case,size,threads,contender,median_s,quartile1_s,quartile3_s,counts,batch,floor_s,passes"
        )
    );
    assert_eq!(lines.count(), cases.len());
    for name in ["ntt.svg", "integers.svg", "polynomials.svg"] {
        let svg = sandbox.read(&format!("some/plots/{name}"));
        assert!(
            svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"),
            "{name}"
        );
    }
}

#[test]
fn tables_say_what_they_are_measured_against() {
    if !device() {
        return;
    }
    let sandbox = Sandbox::with(&[]);
    let text = succeed(
        &sandbox,
        &[&QUICK[..], &["--groups", "launch,integers"]].concat(),
    );
    for part in [
        "what it does at most:",
        "copy by a kernel",
        "of the host's time (goal: 10.0 µs at most)",
        "Batches of products of integers",
        "of ceiling",
        "processor, ",
        "Measured for about 200 µs a case.",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(!text.contains("transforms, without copies"), "{text}");
    assert!(sandbox.names().is_empty());
}

#[test]
fn without_a_device_there_is_nothing_to_measure() {
    let sandbox = Sandbox::with(&[]);
    let mut command = sandbox.command(&QUICK);
    let output = command.env("SUNZI_HIDE_DEVICES", "all").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("sunzi: there is no device for `any`: ")
            && said.contains("SUNZI_HIDE_DEVICES hides it"),
        "{said}"
    );
    assert!(output.stdout.is_empty() && sandbox.names().is_empty());

    let said = sandbox.fail(1, &[&QUICK[..], &["--device", "opencl:999"]].concat());
    assert!(
        said.contains("there is no device for `opencl:999`"),
        "{said}"
    );
}

#[test]
fn wrong_wishes_are_refused_in_sentences() {
    let sandbox = Sandbox::with(&[("file", "")]);
    let refused = |more: &[&str]| sandbox.fail(2, &[&["gpu"], more].concat());
    let said = refused(&["--groups", "ntt,fft"]);
    assert!(
        said.contains("nothing is measured by the name `fft`: the names are launch, ntt, big-primes, integers, polynomials, algebra"),
        "{said}"
    );
    let said = refused(&["--device", "cpu"]);
    assert!(said.contains("--device opencl"), "{said}");
    let said = refused(&["--seconds", "0"]);
    assert!(said.contains("a number of seconds above 0"), "{said}");
    let said = refused(&["--out", "file/plots"]);
    assert!(said.contains("cannot be made"), "{said}");
}
