//! The program's options with values at their edges: whatever the numbers are, it ends soon, with an exit code that is
//! documented.
//!
//! Left out are values that are asked for in earnest and take long: a million digits, a billion repetitions.

use crate::bytes::Bytes;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use sunzi_cli::door;

/// What commands read: small operands.
const FILES: [(&str, &str); 12] = [
    ("f", "x^2 - 2\n3*x + 1\n"),
    ("g", "2*x^3 - 1\nx - 5\n"),
    ("long", "x*2^70000 - 1\n"),
    ("a", "x*y - 2\n"),
    ("b", "x^2 + y^2 - 5\n"),
    ("r", "1 2 3\n"),
    ("s", "4 5 6\n"),
    ("v", "1\n2\n"),
    (
        "d",
        "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n5\n",
    ),
    (
        "m",
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 -1\n2 2 2\n",
    ),
    (
        "times",
        "n,bx,milliseconds\n16,8,2.0\n16,64,1.0\n64,8,8.0\n64,64,4.0\n",
    ),
    (
        "kernel",
        "version = 1
[[kernel]]
name = \"sums\"
data = { n = { from = 1, to = 65536, samples = [16, 64] } }
program = { bx = { values = [8, 64] } }
block = [\"bx\"]
grid = [\"ceil(n / bx)\"]
arguments = [
  { buffer = \"to\", element = \"u32\", length = \"n\", result = true },
  { value = \"n\", element = \"u32\" },
]
",
    ),
];

const DEVICE: &str =
    "multiprocessors = 4\nwarps = 64\nblocks = 16\nl2_bytes = 4194304\nbandwidth = 100.0\n";

/// Commands, and the options that they take beside those of all.
const COMMANDS: [(&str, &[&str]); 49] = [
    ("int mul v v", &["--algorithm", "--device"]),
    ("poly mul r s", &["--mod", "--algorithm", "--device"]),
    ("poly divrem r s", &["--mod", "--device"]),
    ("poly gcd f g", &["--mod"]),
    ("poly xgcd r s", &["--mod"]),
    ("poly resultant f g", &["--mod"]),
    ("poly eval r v", &["--mod"]),
    ("poly interp r s", &["--mod"]),
    ("poly roots f", &["--digits", "--in"]),
    ("poly roots long", &["--digits", "--in"]),
    ("poly squarefree f", &["--mod"]),
    ("dft r", &["--mod"]),
    ("det d", &["--mod", "--condensation", "--device"]),
    ("matrix rank d", &["--mod"]),
    ("matrix solve d v", &["--mod"]),
    ("matrix nullspace d", &["--mod"]),
    ("sparse spmv m v", &["--mod", "--repeat"]),
    ("sparse cache m", &["--words", "--line", "--policy"]),
    ("sparse reorder m", &["--block", "--fraction", "--method"]),
    ("sparse reorder m --method random", &["--seed"]),
    ("sparse reorder m --method auto", &["--words", "--line"]),
    ("sparse solve m v", &["--tolerance", "--iterations"]),
    ("sparse generate", &["--seed"]),
    ("sparse info m", &[]),
    ("solve a b", &["--digits", "--vars", "--mod"]),
    ("solve a b --boxes", &["--digits"]),
    ("solve a b --picture", &["--window"]),
    ("sort v", &["--bits", "--order"]),
    ("prime", &[]),
    (
        "prime search --digits 2 --bits 16",
        &["--terms", "--two-adicity", "--count"],
    ),
    ("prime search --digits 2 --terms 2", &["--bits", "--count"]),
    ("prime search --bits 16 --terms 2", &["--digits"]),
    ("bench gfp --primes none", &["--seconds"]),
    ("bench gpu --groups none", &["--seconds", "--peer-limit"]),
    (
        "tune kernel none --describe kernel",
        &["--budget", "--runs", "--device"],
    ),
    ("tune fit times --describe kernel --profile device", &[]),
    ("tune choose model", &["--top"]),
    ("poly resultant f g --early", &["--seed"]),
    ("det d --early", &["--seed"]),
    ("solve a b --early", &["--seed"]),
    ("calc 2^10/3", &["--mod"]),
    ("poly add f g", &["--mod"]),
    ("poly sub f g", &["--mod"]),
    ("poly pow f v", &["--mod"]),
    ("poly derivative f", &["--mod"]),
    ("poly compose f g", &["--mod"]),
    ("poly shift f v", &["--mod"]),
    ("poly reverse f", &["--mod"]),
    ("poly discriminant f", &["--mod"]),
];

/// Options of all commands, or of most.
const COMMON: [&str; 2] = ["--threads", "--max-memory"];

/// Numbers at which a type or a format ends, and what is no number.
const EDGES: [&str; 41] = [
    "0",
    "1",
    "2",
    "3",
    "17",
    "65",
    "-1",
    "-0",
    "+1",
    "255",
    "256",
    "20000",
    "65535",
    "65536",
    "70000",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0.5",
    "1e-308",
    "5e-324",
    "1e308",
    "1e309",
    "-1e308",
    "1e99999999999999999999",
    "nan",
    "inf",
    "-inf",
    "",
    " ",
    "0x10",
    "2^64",
    "2^4294967296",
    "é",
    "٣",
];

/// The greatest value of options that are obeyed whatever the time.
const PATIENT: [(&str, u64); 3] = [("--digits", 70_000), ("--repeat", 1000), ("--count", 1000)];

/// The time that a run may take, on a machine that is busy with other work.
const LONGEST: Duration = Duration::from_secs(60);

pub fn run(data: &[u8]) -> bool {
    let mut bytes = Bytes::new(data);
    let (command, own) = COMMANDS[usize::from(bytes.byte()) % COMMANDS.len()];
    let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    let known: Vec<&str> = own.iter().chain(&COMMON).copied().collect();
    let picture = words.pop_if(|word| word == "--picture").is_some();
    match command {
        "sparse generate" => match test_matrix(&mut bytes) {
            Some(kind) => words.push(kind),
            None => return false,
        },
        "prime" => words.push(value(&mut bytes, "P")),
        "tune choose model" => words.push(format!("n={}", value(&mut bytes, "n"))),
        _ => {}
    }
    let flags = bytes.byte();
    for place in 0..1 + flags % 3 {
        let choice = usize::from(bytes.byte());
        // The first one is mostly an option of this command alone.
        let among = match (place, own.is_empty()) {
            (0, false) => own,
            _ => &known[..],
        };
        let option = among[choice % among.len()];
        let value = value(&mut bytes, option);
        let most = PATIENT.iter().find(|(name, _)| *name == option);
        if most.is_some_and(|(_, most)| value.parse().is_ok_and(|value: u64| value > *most)) {
            return false;
        }
        if option == "--mod" && value.len() > 40 {
            // The target `moduli` reads those.
            return false;
        }
        match flags & 8 {
            0 => words.extend([option.to_owned(), value]),
            _ => words.push(format!("{option}={value}")),
        }
    }
    if flags & 16 != 0 {
        words.push("--json".to_owned());
    }
    let folder = tempfile::tempdir().expect("a folder for files");
    write_operands(folder.path());
    let output = if picture { "out.svg" } else { "out" };
    words.extend(["-o".to_owned(), output.to_owned()]);
    let begun = Instant::now();
    let found = run_in(folder.path(), &words);
    let took = begun.elapsed();
    assert!(took < LONGEST, "{words:?} took {took:?}");
    match found {
        Ok(()) => true,
        Err((code, sentence)) => {
            assert!(matches!(code, 1 | 2), "{words:?}: {code}, {sentence}");
            assert!(!sentence.is_empty(), "{words:?}");
            false
        }
    }
}

/// The program on words, of which those that name operands stand for the files in a folder.
fn run_in(folder: &Path, words: &[String]) -> Result<(), (u8, String)> {
    let is_file = |word: &str| {
        let operands = FILES.iter().map(|(name, _)| *name);
        operands
            .chain(["device", "model", "none", "out", "out.svg"])
            .any(|name| name == word)
    };
    let full: Vec<String> = words
        .iter()
        .enumerate()
        .map(
            |(place, word)| match is_file(word) && !names_a_set(words, place) {
                true => folder.join(word).display().to_string(),
                false => word.clone(),
            },
        )
        .collect();
    let full: Vec<&str> = full.iter().map(String::as_str).collect();
    match full.split_first() {
        Some((&"bench", rest)) => sunzi_bench::run(rest),
        _ => door::run(&full),
    }
}

/// Whether a word is what primes or groups are called, not a file.
fn names_a_set(words: &[String], place: usize) -> bool {
    let before = place.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|before| matches!(&before[..], "--primes" | "--groups"))
}

fn write_operands(folder: &Path) {
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("room for files");
    };
    for (name, text) in FILES {
        write(name, text);
    }
    write("device", DEVICE);
    write("model", &MODEL);
}

/// A model of the times in the files.
static MODEL: LazyLock<String> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder for files");
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (name, text) in FILES {
        fs::write(path(name), text).expect("room for files");
    }
    fs::write(path("device"), DEVICE).expect("room for files");
    let [times, kernel, device, model] = ["times", "kernel", "device", "model"].map(path);
    let fit = [
        "tune",
        "fit",
        &times,
        "--describe",
        &kernel,
        "--profile",
        &device,
        "-o",
        &model,
    ];
    door::run(&fit).expect("a model of few times");
    fs::read_to_string(&model).expect("the model")
});

/// A value of an option: at an edge, two or four of those where it wants as many, or any text.
fn value(bytes: &mut Bytes<'_>, option: &str) -> String {
    let choice = bytes.byte();
    let edge = |bytes: &mut Bytes<'_>| EDGES[usize::from(bytes.byte()) % EDGES.len()];
    let several = match option {
        "--in" | "--vars" => 2,
        "--window" => 4,
        _ => 1,
    };
    match choice {
        0..=191 => {
            let edges: Vec<&str> = (0..several).map(|_| edge(bytes)).collect();
            edges.join(",")
        }
        192..=223 if option == "--device" => format!("opencl:{}", edge(bytes)),
        192..=223 => format!(
            "{}{}",
            edge(bytes),
            ["k", "M", "G", "T"][usize::from(choice % 4)]
        ),
        _ => {
            let text: Vec<u8> = (0..choice % 8).map(|_| bytes.byte()).collect();
            // No argument holds a zero.
            String::from_utf8_lossy(&text).replace('\0', "0")
        }
    }
}

/// Non-zeros, about, that are generated at most.
const MOST_POINTS: u128 = 1 << 12;

/// A test matrix with sizes at edges: a small one, or one that no index can count.
fn test_matrix(bytes: &mut Bytes<'_>) -> Option<String> {
    const FAMILIES: [(&str, usize); 9] = [
        ("chessboard", 3),
        ("matching", 2),
        ("grid2d", 2),
        ("grid2d9", 2),
        ("grid3d", 3),
        ("grid3d27", 3),
        ("rmat", 2),
        ("circuit", 1),
        ("lp", 1),
    ];
    let (family, count) = FAMILIES[usize::from(bytes.byte()) % FAMILIES.len()];
    let sizes: Vec<String> = (0..count).map(|_| value(bytes, "size")).collect();
    let numbers: Vec<Option<u32>> = sizes.iter().map(|size| size.parse().ok()).collect();
    let points = match (family, &numbers[..]) {
        ("rmat", [Some(log), Some(degree)]) => u128::from(*degree)
            .checked_shl((*log).min(90))
            .unwrap_or(u128::MAX),
        // Subsets, of which there are soon more than can be counted.
        ("chessboard" | "matching", _) => 0,
        _ => numbers
            .iter()
            .flatten()
            .map(|&size| u128::from(size))
            .product(),
    };
    let refused = numbers.contains(&None) || points > u128::from(u32::MAX);
    (refused || points <= MOST_POINTS).then(|| format!("{family}:{}", sizes.join(",")))
}
