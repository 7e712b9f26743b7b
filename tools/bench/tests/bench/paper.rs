//! `sunzi paper`: what it lists and saves, and what it refuses. Times themselves are nobody's promise.

use crate::sandbox::Sandbox;
use serde_json::Value;
use std::time::{Duration, Instant};
use sunzi::gpu::{Device, Selection};
use sunzi_testkit::required_or_skipped;

/// What stands after the name of a table in the shortest run.
const QUICK: [&str; 5] = ["--quick", "--seconds", "0.001", "--out", "saved"];

/// The tables and figures that this program measures, and whether that takes a device.
fn measured(sandbox: &Sandbox) -> Vec<(String, bool)> {
    let list: Value = serde_json::from_str(&sandbox.succeed(&["paper", "list", "--json"])).unwrap();
    let entries = list["result"]["entries"].as_array().unwrap();
    let runs = entries.iter().filter(|entry| entry.get("run").is_some());
    runs.map(|entry| {
        let id = entry["id"].as_str().unwrap().to_owned();
        (id, entry["needs_device"].as_bool().unwrap())
    })
    .collect()
}

/// The shortest run of a table, and whether its file has the rows that were told.
fn run(sandbox: &Sandbox, id: &str, device: &str) -> Value {
    let options = ["--device", device, "--json"];
    let words = [&["paper", id], &QUICK[..], &options].concat();
    let outcome = sandbox.run(&words);
    assert_eq!(outcome.code, Some(0), "{id}: {outcome:?}");
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let result = &report["result"];
    let rows = result["rows"].as_array().unwrap();
    assert!(!rows.is_empty(), "{id}");
    let csv = sandbox.read(&format!("saved/{id}.csv"));
    let lines: Vec<&str> = csv.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), rows.len() + 1, "{id}:\n{csv}");
    for name in ["paper", "here", "date"] {
        assert!(csv.contains(&format!("# {name}: ")), "{id}: {name}");
    }
    let columns = result["columns"].as_array().unwrap();
    for column in columns {
        let column = format!("here: {}", column.as_str().unwrap());
        assert!(lines[0].contains(&column), "{id}: {column}");
    }
    for (row, line) in rows.iter().zip(&lines[1..]) {
        for key in row["keys"].as_array().unwrap() {
            assert!(line.contains(key.as_str().unwrap()), "{id}: {line}");
        }
        let here = row["here"].as_array().unwrap();
        assert_eq!(here.len(), columns.len(), "{id}");
        for value in here.iter().filter(|value| value.is_number()) {
            assert!(value.as_f64().unwrap() >= 0.0, "{id}: {line}");
        }
        assert!(here.iter().any(|value| !value.is_null()), "{id}: {line}");
    }
    report
}

#[test]
fn quick_runs_on_the_processor_take_seconds() {
    let sandbox = Sandbox::with(&[]);
    let start = Instant::now();
    for (id, needs_device) in measured(&sandbox) {
        if !needs_device {
            let report = run(&sandbox, &id, "cpu");
            assert!(report["result"]["device"].is_null(), "{id}");
        }
    }
    let files = sandbox.names();
    assert_eq!(files, ["saved"]);
    for plot in ["2021-table-3.4", "2013-table-10.3"] {
        assert!(
            sandbox
                .read(&format!("saved/{plot}.svg"))
                .starts_with("<svg")
        );
    }
    let spent = start.elapsed();
    assert!(spent < Duration::from_secs(120), "{spent:?}");
}

#[test]
fn quick_runs_on_a_device_name_it() {
    if required_or_skipped(Device::open(Selection::Any)).is_none() {
        return;
    }
    let sandbox = Sandbox::with(&[]);
    let device = match Device::open(Selection::Gpu) {
        Ok(_) => "auto",
        Err(_) => "opencl",
    };
    for id in [
        "2021-table-2.2",
        "2021-figure-5.5",
        "2013-table-8.2",
        "2013-table-9.1",
        "2009-table-1",
    ] {
        let report = run(&sandbox, id, device);
        assert!(report["result"]["device"].is_string(), "{id}");
        let notes = report["result"]["notes"].to_string();
        assert!(!notes.contains(": left out"), "{id}: {notes}");
        assert_eq!(
            device == "opencl",
            notes.contains("say nothing of a GPU"),
            "{id}: {notes}"
        );
    }
}

#[test]
fn matrices_of_the_user_stand_beside_those_of_their_names() {
    // A symmetric, positive definite matrix, and a pattern.
    let values = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 4\n2 1 1\n2 2 3\n";
    let pattern = "%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n2 2\n2 3\n";
    let sandbox = Sandbox::with(&[("cage12.mtx", values), ("own.mtx", pattern)]);
    let calls = ["2013-table-6.1", "2013-table-6.2", "2013-table-6.3"].map(|id| {
        let words = [
            &["paper", id, "cage12.mtx", "own.mtx", "grid2d:4,4"],
            &QUICK[..],
            &["--json"],
        ];
        let outcome = sandbox.run(&words.concat());
        assert_eq!(outcome.code, Some(0), "{id}: {outcome:?}");
        serde_json::from_str::<Value>(&outcome.stdout).unwrap()
    });
    for report in &calls {
        let rows = report["result"]["rows"].as_array().unwrap();
        let keys: Vec<&str> = rows
            .iter()
            .map(|row| row["keys"][0].as_str().unwrap())
            .collect();
        assert_eq!(keys, ["cage12", "own", "grid2d:4,4"]);
        let paper = |row: usize| rows[row]["paper"].as_array().unwrap().len();
        assert!(paper(0) > 0 && paper(1) == 0);
    }
    // Rows, columns, non-zeros.
    let sizes = &calls[0]["result"]["rows"][1]["here"];
    assert_eq!(
        (&sizes[0], &sizes[1], &sizes[2]),
        (&2.0.into(), &3.0.into(), &3.0.into())
    );
    // Two equations are solved by two iterations; a pattern has no solution.
    let iterations = |row: usize| {
        let result = &calls[2]["result"];
        let columns = result["columns"].as_array().unwrap();
        let is_it = |name: &Value| name == "iterations of conjugate gradients";
        let place = columns.iter().position(is_it).unwrap();
        result["rows"][row]["here"][place].clone()
    };
    assert_eq!((iterations(0), iterations(1)), (2.0.into(), Value::Null));
}

#[test]
fn what_is_not_measured_here_says_how_it_is() {
    let sandbox = Sandbox::with(&[]);
    for (id, said) in [
        ("2009-figure-3", "sunzi bench gpu --groups polynomials"),
        ("2009-figure-3", "Missing here: 6 primes of 24 bits"),
        ("2013-figure-2.2", "nothing to measure"),
    ] {
        let text = sandbox.succeed(&["paper", id]);
        assert!(text.contains(said), "{text}");
    }
    // Nothing was measured, so nothing is saved.
    assert!(sandbox.names().is_empty());
    let text = sandbox.succeed(&["paper", "list"]);
    assert!(
        text.contains("2021-table-3.4: ") && text.contains("as 2021-table-3.4"),
        "{text}"
    );
}

#[test]
fn wrong_wishes_are_refused_in_sentences() {
    let sandbox = Sandbox::with(&[("file", "")]);
    let said = sandbox.fail(2, &["paper", "2021-table-9.9"]);
    assert!(
        said.contains("no table or figure is named `2021-table-9.9`"),
        "{said}"
    );
    let said = sandbox.fail(
        2,
        &["paper", "2021-figure-5.3", "--quick", "--device", "cpu"],
    );
    assert!(said.contains("this is measured on a device"), "{said}");
    let said = sandbox.fail(2, &["paper", "2013-table-9.1", "grid2d:3,3"]);
    assert!(
        said.contains("2013-table-9.1 is not about sparse matrices"),
        "{said}"
    );
    let said = sandbox.fail(2, &["paper", "2013-table-6.1", "none.mtx", "--out", "."]);
    assert!(
        said.contains("none.mtx is no file, and no generated matrix"),
        "{said}"
    );
    let said = sandbox.fail(2, &["paper", "2021-table-3.2", "--out", "file/folder"]);
    assert!(
        said.contains("the folder for the plots cannot be made"),
        "{said}"
    );
}
