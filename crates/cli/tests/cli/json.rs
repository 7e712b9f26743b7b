//! The JSON form of every command is as the page `docs/json.md` describes it.

use crate::common::Sandbox;
use crate::devices::has_device;
use crate::json_page::{assert_told_as_described, described};
use crate::layer::layer;
use crate::tune::{CODE, DEVICE, SUMS, TIMES};

/// Calls of all commands that have a JSON form, among them those with other members than usual.
const CALLS: &[&str] = &[
    "calc 1/3+2",
    "int mul a b",
    "int mul a b --algorithm fermat",
    "int divrem a b",
    "int gcd a b",
    "int xgcd a b",
    "int pow a -e 2",
    "int powmod a -e 2 b",
    "int root a -e 3",
    "int product a",
    "poly add f g",
    "poly sub f g --mod 97",
    "poly mul f g",
    "poly mul f g --mod 97",
    "poly pow f b",
    "poly divrem f g",
    "poly divrem f g --mod 97",
    "poly gcd f g",
    "poly gcd f g --mod 97",
    "poly xgcd f g",
    "poly xgcd f g --mod 97",
    "poly resultant f g --early",
    "poly resultant f g --combine part",
    "poly resultant --vars x,y p q",
    "poly resultant --vars x,y --subresultant 1 p q",
    "poly resultant f g --mod 97",
    "poly discriminant f",
    "poly discriminant f --mod 97",
    "poly squarefree f",
    "poly squarefree f --mod 97",
    "poly derivative f",
    "poly compose f g",
    "poly shift f b",
    "poly reverse f --mod 97",
    "poly eval f points",
    "poly eval f points --mod 97",
    "poly interp points values",
    "poly interp points values --mod 97",
    "poly roots f --digits 5",
    "poly roots f --in 0,3/2",
    "dft points --mod 97",
    "dft -o four.npy four --mod 97",
    "dft --scratch . -o there.npy four.npy --mod 97 --order transposed",
    "dft --plan --scratch . four.npy --mod 97",
    "int mul --scratch . -o limbs.npy four.npy four.npy",
    "int mul --plan --scratch . four.npy four.npy",
    "poly mul --scratch . -o square.npy four.npy four.npy --mod 97",
    "poly mul --plan --scratch . four.npy four.npy --mod 97",
    "scratch list .",
    "scratch clean .",
    "det m",
    "det m --mod 97",
    "det m --float",
    "det m --combine part-of-m",
    "matrix rank m",
    "matrix solve m right",
    "matrix inverse m --mod P8",
    "matrix nullspace m",
    "matrix rref m",
    "matrix mul m m --mod 97",
    "sparse generate grid2d:3,3",
    "sparse info grid.mtx --classes",
    "sparse reorder grid.mtx",
    "sparse reorder grid.mtx --method gray",
    "sparse reorder grid.mtx --method random",
    "sparse cache grid.mtx",
    "sparse spmv grid.mtx",
    "sparse spmv grid.mtx --mod 97",
    "sparse show grid.mtx --compare auto -o grid.png",
    "sparse solve grid.mtx",
    "sparse solve grid.mtx --reorder auto",
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
    "tune choose model.json n=500 --flowchart model.svg",
    "tune show",
    "tune reset",
    "info",
    // These run on a device.
    "tune run --json -o - -- true",
    "tune kernel kernel.cl --describe kernel.toml --budget 5 --runs 1 -o measured.json",
    "tune self --gpu --quick",
];

/// Commands that write something else, and the other name of `det`, which writes what that does.
const OTHERS: [&str; 4] = ["completions", "man", "matrix det", "tune code"];

/// Whether a command needs a device of OpenCL.
fn needs_device(command: &str) -> bool {
    matches!(command, "tune kernel" | "tune self")
}

#[test]
fn every_command_tells_what_the_page_describes() {
    let sandbox = Sandbox::with(&[
        ("a", "12\n-5\n"),
        ("b", "3\n"),
        ("f", "0 0 2 5 2\n"),
        ("g", "2 1\n"),
        ("points", "1\n2\n3\n"),
        ("four", "1\n2\n3\n4\n"),
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
    sandbox.succeed(&[
        "poly",
        "resultant",
        "f",
        "g",
        "--images",
        "0..3",
        "-o",
        "part",
    ]);
    sandbox.succeed(&["det", "m", "--images", "0..3", "-o", "part-of-m"]);
    let has_device = has_device(&sandbox);
    // `sunzi bench` and `sunzi paper` are another program, with a test of its own.
    let is_here = |command: &str| {
        let word = command.split(' ').next().unwrap_or_default();
        let has_layer = cfg!(target_os = "linux") || command != "tune run";
        !matches!(word, "bench" | "paper") && has_layer && (has_device || !needs_device(command))
    };
    assert_told_as_described(CALLS, is_here, |words| {
        let mut command = sandbox.command(words);
        command.env("SUNZI_TUNING", sandbox.path("tuning.json"));
        if cfg!(target_os = "linux") {
            command.env("SUNZI_LAYER", layer());
        }
        command
    });
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
