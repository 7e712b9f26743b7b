//! The JSON form of every command is as the page `docs/json.md` describes it.

use crate::common::Sandbox;
use crate::devices::has_device;
use crate::tune::{CODE, DEVICE, SUMS, TIMES};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Calls of all commands that have a JSON form, among them those with other members than usual.
const CALLS: &[&str] = &[
    "int mul a b",
    "poly mul f g",
    "poly mul f g --mod 97",
    "poly divrem f g --mod 97",
    "poly gcd f g",
    "poly gcd f g --mod 97",
    "poly xgcd f g --mod 97",
    "poly resultant f g --early",
    "poly resultant f g --mod 97",
    "poly squarefree f",
    "poly eval f points --mod 97",
    "poly interp points values --mod 97",
    "poly roots f --digits 5",
    "poly roots f --in 0,3/2",
    "dft points --mod 97",
    "det m",
    "det m --mod 97",
    "det m --float",
    "matrix rank m",
    "matrix solve m right",
    "matrix inverse m --mod P8",
    "matrix nullspace m",
    "matrix rref m",
    "matrix mul m m --mod 97",
    "sparse generate grid2d:3,3",
    "sparse info grid.mtx",
    "sparse reorder grid.mtx",
    "sparse reorder grid.mtx --method auto",
    "sparse reorder grid.mtx --method random",
    "sparse cache grid.mtx",
    "sparse spmv grid.mtx",
    "sparse spmv grid.mtx --mod 97",
    "sparse show grid.mtx --compare auto -o grid.png",
    "sparse solve grid.mtx",
    "solve p q",
    "solve p q --mod 97",
    "sort a",
    "sort points --bits sparse --order gray",
    "prime 97",
    "prime P8",
    "prime search --digits 8 --bits 60 --two-adicity 312 --count 1",
    "tune fit times.csv --describe kernel.toml --profile device.toml -o model.json",
    "tune choose model.json n=500",
    "tune choose model.json n=500 --explain",
    "tune show",
    "tune reset",
    "bench gfp --primes P4 --seconds 0.0001",
    "info",
    // These run on a device.
    "tune kernel kernel.cl --describe kernel.toml --budget 5 --runs 1 -o measured.json",
    "tune self --gpu --quick",
    "bench gpu --groups launch --seconds 0.0001",
];

/// Commands that write something else.
const OTHERS: [&str; 3] = ["completions", "man", "tune code"];

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
type Members = BTreeMap<&'static str, BTreeSet<String>>;

/// The table of the page: what each command tells.
fn described() -> BTreeMap<String, Members> {
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

/// Whether a command needs a device of OpenCL.
fn needs_device(command: &str) -> bool {
    matches!(command, "tune kernel" | "tune self" | "bench gpu")
}

#[test]
fn every_command_tells_what_the_page_describes() {
    let sandbox = Sandbox::with(&[
        ("a", "12\n-5\n"),
        ("b", "3\n"),
        ("f", "0 0 2 5 2\n"),
        ("g", "2 1\n"),
        ("points", "1\n2\n3\n"),
        ("values", "1\n4\n9\n"),
        ("m", "1 2\n3 4\n"),
        ("right", "1\n1\n"),
        ("p", "x^2 + y^2 - 5\n"),
        ("q", "x*y - 2\n"),
        ("kernel.toml", SUMS),
        ("kernel.cl", CODE),
        ("device.toml", DEVICE),
        ("times.csv", TIMES),
    ]);
    sandbox.succeed(&["sparse", "generate", "grid2d:3,3", "-o", "grid.mtx"]);
    let described = described();
    let has_device = has_device(&sandbox);
    let mut found: BTreeMap<&str, Members> = BTreeMap::new();
    for &call in CALLS {
        let (command, _) = described
            .iter()
            .filter(|(command, _)| call.starts_with(&***command))
            .max_by_key(|(command, _)| command.len())
            .unwrap_or_else(|| panic!("{call} is not described"));
        if needs_device(command) && !has_device {
            continue;
        }
        let mut program = sandbox.command(&[]);
        program
            .args(call.split(' '))
            .arg("--json")
            .env("SUNZI_TUNING", sandbox.path("tuning.json"));
        let ended = program.output().unwrap();
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
    for (command, expected) in &described {
        if needs_device(command) && !has_device {
            continue;
        }
        let mut found = found.remove(&**command).unwrap_or_default();
        found.entry("details").or_default();
        assert_eq!(&found, expected, "{command}");
    }
}

#[test]
fn the_page_describes_all_commands() {
    let sandbox = Sandbox::with(&[]);
    sandbox.succeed(&["man", "pages"]);
    let described = described();
    for page in std::fs::read_dir(sandbox.path("pages")).unwrap() {
        let page = page.unwrap().file_name().into_string().unwrap();
        let name = page.trim_end_matches(".1").replace('-', " ");
        let Some(command) = name.strip_prefix("sunzi ") else {
            continue;
        };
        let is_group = described
            .keys()
            .any(|known| known.starts_with(&format!("{command} ")));
        let is_known = described.contains_key(command) || OTHERS.contains(&command);
        assert!(is_group || is_known, "{command}");
    }
}
