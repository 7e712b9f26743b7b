//! The table of the page `docs/json.md`, and whether commands tell what it describes.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Members that stand at the top of every document, and those that may stand there, too.
const ALWAYS: [&str; 5] = ["command", "inputs", "threads", "device", "seconds"];
const MAYBE: [&str; 6] = [
    "result",
    "results",
    "details",
    "algorithm",
    "algorithms",
    "explanation",
];

/// Names of members by the place where they stand: `inputs`, `result` or `results`, `details`.
pub type Members = BTreeMap<&'static str, BTreeSet<String>>;

/// The table of the page: what each command tells.
pub fn described() -> BTreeMap<String, Members> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let row = |line: &str| {
        let line = format!("`{line}");
        let cells: Vec<&str> = line.split('|').collect();
        let [command, inputs, found, details, ""] = cells[..] else {
            panic!("{line}");
        };
        let code = |cell: &str| -> BTreeSet<String> {
            cell.split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect()
        };
        let mut found = code(found);
        let place = match (found.remove("results"), found.remove("result")) {
            (true, false) => "results",
            (false, true) => "result",
            _ => panic!("{line}"),
        };
        let members = [
            ("inputs", code(inputs)),
            (place, found),
            ("details", code(details)),
        ];
        (command.trim_matches(['`', ' ']).to_owned(), members.into())
    };
    rows.map(row).collect()
}

/// The members that a document has.
fn members(document: &Map<String, Value>) -> Members {
    let names = |value: &Value| -> BTreeSet<String> {
        let names = value.as_object().into_iter().flat_map(Map::keys);
        names.cloned().collect()
    };
    let mut found = Members::new();
    for place in ["inputs", "result", "details"] {
        if let Some(value) = document.get(place) {
            found.insert(place, names(value));
        }
    }
    if let Some(results) = document.get("results") {
        let results = results.as_array().unwrap();
        found.insert("results", results.iter().flat_map(names).collect());
    }
    found
}

/// Looks whether a document has the members that all have, and those of the right kinds.
fn check(call: &str, document: &Map<String, Value>) {
    for name in document.keys() {
        let known = ALWAYS.contains(&&**name) || MAYBE.contains(&&**name);
        assert!(known, "{call}: {name}");
    }
    for name in ALWAYS {
        assert!(document.contains_key(name), "{call}: {name} is missing");
    }
    let command = document["command"].as_str().unwrap();
    assert!(call.starts_with(command), "{call}: {command}");
    assert!(document["threads"].is_u64() && document["device"].is_string());
    let times = document["seconds"].as_object().unwrap();
    let times: Vec<_> = times
        .iter()
        .map(|(name, time)| (&**name, time.is_f64()))
        .collect();
    let steps = ["computing", "reading", "total", "writing"];
    assert_eq!(times, steps.map(|step| (step, true)), "{call}");
    for (one, many) in [("result", "results"), ("algorithm", "algorithms")] {
        assert!(
            !(document.contains_key(one) && document.contains_key(many)),
            "{call}: {one} and {many}"
        );
    }
}

/// Runs each of the calls as `program` does, and fails unless together they tell what the page describes of all commands
/// that are `here`.
pub fn assert_told_as_described(
    calls: &[&str],
    is_here: impl Fn(&str) -> bool,
    program: impl Fn(&[&str]) -> Command,
) {
    let described = described();
    let mut found: BTreeMap<&str, Members> = BTreeMap::new();
    for &call in calls {
        let (command, _) = described
            .iter()
            .filter(|(command, _)| call.starts_with(&***command))
            .max_by_key(|(command, _)| command.len())
            .unwrap_or_else(|| panic!("{call} is not described"));
        if !is_here(command) {
            continue;
        }
        let words: Vec<_> = call.split(' ').chain(["--json"]).collect();
        let ended = program(&words).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{call}: {said}");
        let document: Map<String, Value> =
            serde_json::from_slice(&ended.stdout).unwrap_or_else(|error| panic!("{call}: {error}"));
        check(call, &document);
        let all = found.entry(command).or_default();
        for (place, names) in members(&document) {
            all.entry(place).or_default().extend(names);
        }
    }
    for (command, expected) in described.iter().filter(|(command, _)| is_here(command)) {
        let mut found = found.remove(&**command).unwrap_or_default();
        found.entry("details").or_default();
        assert_eq!(&found, expected, "{command}");
    }
}
