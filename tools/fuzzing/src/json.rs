//! The program's JSON: parsed back, it holds what the same command writes as text.

use crate::bytes::Bytes;
use serde_json::Value;
use std::fs;
use sunzi_cli::door;

/// Commands on the files `a` and `b`.
const COMMANDS: [&[&str]; 17] = [
    &["int", "mul", "a", "b"],
    &["poly", "mul", "a", "b"],
    &["poly", "mul", "a", "b", "--mod", "97"],
    &["poly", "divrem", "a", "b", "--mod", "97"],
    &["poly", "gcd", "a", "b", "--mod", "97"],
    &["poly", "eval", "a", "b", "--mod", "97"],
    &["dft", "a", "--mod", "97"],
    &["sort", "a"],
    &["det", "a"],
    &["det", "a", "--mod", "97"],
    &["matrix", "rank", "a"],
    &["matrix", "rref", "a"],
    &["matrix", "inverse", "a", "--mod", "97"],
    &["matrix", "solve", "a", "b"],
    &["matrix", "mul", "a", "b", "--mod", "97"],
    &["sparse", "spmv", "m", "a"],
    &["sparse", "spmv", "m", "a", "--mod", "97"],
];

const MATRIX: &[u8] =
    b"%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 3e200\n2 1 -4\n3 2 5e150\n";
const INTEGERS: &[u8] =
    b"%%MatrixMarket matrix coordinate integer general\n3 2 3\n1 1 30\n2 1 -4\n3 2 5\n";

/// Bytes of a file at most.
const LONG: usize = 2000;

pub fn run(data: &[u8]) -> bool {
    let mut bytes = Bytes::new(data);
    let kind = usize::from(bytes.byte()) % COMMANDS.len();
    let length = bytes.within(0..=LONG);
    let rest = bytes.rest();
    let rest = &rest[..rest.len().min(2 * LONG)];
    let (a, b) = rest.split_at(length.min(rest.len()));
    if [a, b].into_iter().any(is_heavy) {
        return false;
    }
    let folder = tempfile::tempdir().expect("a folder for files");
    let path = |name: &str| folder.path().join(name);
    let write = |name: &str, bytes: &[u8]| fs::write(path(name), bytes).expect("room for files");
    write("a", a);
    write("b", b);
    write(
        "m",
        if COMMANDS[kind].contains(&"--mod") {
            INTEGERS
        } else {
            MATRIX
        },
    );
    let full: Vec<String> = COMMANDS[kind]
        .iter()
        .map(|&word| match word {
            "a" | "b" | "m" => path(word).display().to_string(),
            word => word.to_owned(),
        })
        .collect();
    let in_form = |form: &[&str], name: &str| {
        let output = path(name).display().to_string();
        let mut arguments: Vec<&str> = full.iter().map(String::as_str).collect();
        arguments.extend(["--threads", "1", "-o", &output]);
        arguments.extend(form);
        door::run(&arguments).map(|()| fs::read(path(name)).expect("what was written"))
    };
    let text = in_form(&[], "text");
    let json = in_form(&["--json"], "json");
    let names: Vec<_> = fs::read_dir(folder.path()).expect("the folder").collect();
    match (text, json) {
        (Ok(text), Ok(json)) => {
            assert_eq!(names.len(), 5);
            let json: Value = serde_json::from_slice(&json).expect("JSON");
            compare(&String::from_utf8(text).expect("text"), &json);
            true
        }
        (Err(text), Err(json)) => {
            assert_eq!(names.len(), 3, "{text:?}");
            assert_eq!(text, json);
            assert!(matches!(text.0, 1 | 2), "{text:?}");
            false
        }
        (text, json) => panic!("{text:?} as text, {json:?} as JSON"),
    }
}

/// Whether a file asks for much work: other targets see to that.
fn is_heavy(file: &[u8]) -> bool {
    file.contains(&b'^')
        || file.contains(&b'e')
        || file.contains(&b'E')
        || file.starts_with(b"%")
        || file.starts_with(&[0x1f])
}

fn compare(text: &str, json: &Value) {
    let mut found = Vec::new();
    let result = ["/results", "/result/determinant", "/result/rank"]
        .iter()
        .find_map(|pointer| json.pointer(pointer));
    match result {
        Some(result) => flatten(result, &mut found),
        None => panic!("no results: {json}"),
    }
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let expected: Vec<&str> = lines.flat_map(str::split_ascii_whitespace).collect();
    assert_eq!(found.len(), expected.len(), "{json} instead of {text}");
    for (found, expected) in found.iter().zip(expected) {
        let same = found == expected || found.contains(['.', 'e']) && is_near(found, expected);
        assert!(same, "{found} instead of {expected}");
    }
}

/// Whether two floating point numbers differ by rounding at most: `serde_json` reads them to a unit in the last place.
fn is_near(found: &str, expected: &str) -> bool {
    match (found.parse::<f64>(), expected.parse::<f64>()) {
        (Ok(found), Ok(expected)) => {
            (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs()
        }
        _ => false,
    }
}

/// Numbers and strings in their order; of an empty list, which is the zero polynomial, `0`.
fn flatten(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(values) if values.is_empty() => found.push("0".to_owned()),
        Value::Array(values) => values.iter().for_each(|value| flatten(value, found)),
        Value::Object(members) => members.values().for_each(|value| flatten(value, found)),
        Value::String(text) => found.extend(text.split_ascii_whitespace().map(str::to_owned)),
        other => found.push(other.to_string()),
    }
}
