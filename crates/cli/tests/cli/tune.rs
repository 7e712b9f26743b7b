//! `sunzi tune`: formulas from times, choices, code, kernels on a device, and what is refused.

use crate::common::Sandbox;
use crate::devices::has_device;

pub const SUMS: &str = "version = 1
[[kernel]]
name = \"sums\"
data = { n = { from = 1, to = 65536, samples = [16, 64] } }
program = { bx = { values = [8, 64] } }
block = [\"bx\"]
grid = [\"ceil(n / bx)\"]
arguments = [
  { buffer = \"to\", element = \"u32\", length = \"n\", result = true },
  { buffer = \"from\", element = \"u32\", length = \"n + 1\", fill = \"random\" },
  { value = \"n\", element = \"u32\" },
]
";
pub const CODE: &str = "__kernel void sums(__global uint* to, __global const uint* from, uint n) {
  uint i = get_global_id(0);
  if (i < n) to[i] = from[i] + from[i + 1];
}
";
pub const DEVICE: &str = "multiprocessors = 4
warps = 64
blocks = 16
l2_bytes = 4194304
bandwidth = 100.0
";
/// 64 threads are twice as fast as 8.
pub const TIMES: &str = "n,bx,milliseconds,remark
16,8,2.0,first
16,64,1.0,
64,8,8.0,
64,64,4.0,
64,8,90.0,disturbed
64,8,8.1,
";

fn sandbox() -> Sandbox {
    Sandbox::with(&[
        ("sums.toml", SUMS),
        ("sums.cl", CODE),
        ("device.toml", DEVICE),
        ("times.csv", TIMES),
    ])
}

const FIT: [&str; 9] = [
    "tune",
    "fit",
    "times.csv",
    "--describe",
    "sums.toml",
    "--profile",
    "device.toml",
    "-o",
    "m.json",
];

/// With one part of a file replaced, a command fails with this code and says that.
fn refuses(
    sandbox: &Sandbox,
    (file, from, to): (&str, &str, &str),
    (code, said): (i32, &str),
    arguments: &[&str],
) {
    let whole = sandbox.read(file);
    let wrong = whole.replacen(from, to, 1);
    assert_ne!(wrong, whole);
    sandbox.write(file, wrong.as_bytes());
    let error = sandbox.fail(code, arguments);
    assert!(error.contains(said), "{error}");
    sandbox.write(file, whole.as_bytes());
}

#[test]
fn programs_are_drawn_as_flowcharts_with_their_pieces() {
    let sandbox = sandbox();
    sandbox.succeed(&FIT);
    let choose = ["tune", "choose", "m.json", "n=10000", "--flowchart"];
    let drawn = |name: &str| sandbox.succeed(&[&choose[..], &[name]].concat());
    assert_eq!(drawn("m.svg"), "bx=64\n");
    let chart = sandbox.read("m.svg");
    for part in [
        "grid_blocks = ceil(n / bx)",
        ">yes<",
        ">no<",
        "Pieces at n=10000",
        "shapes: bx=",
    ] {
        assert!(chart.contains(part), "{part}: {chart}");
    }
    assert_eq!(drawn("m.png"), "bx=64\n");
    assert!(
        std::fs::read(sandbox.path("m.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
    let told = sandbox.json(&[&choose[..], &["m.svg"]].concat());
    let pieces = told["result"]["pieces"].as_array().unwrap();
    let shapes = |piece: &serde_json::Value| piece["shapes"].as_array().unwrap().len();
    let plain = sandbox.json(&["tune", "choose", "m.json", "n=10000", "--top", "100"]);
    assert!(plain["result"]["pieces"].is_null());
    // Each shape is in one of them.
    let all = plain["result"]["shapes"].as_array().unwrap().len();
    assert_eq!(pieces.iter().map(shapes).sum::<usize>(), all);
    assert!(
        pieces
            .iter()
            .all(|piece| piece["answers"][0]["question"].is_string())
    );
    let refused = |more: &[&str]| sandbox.fail(2, &[&choose[..], more].concat());
    assert!(refused(&["m.pdf"]).contains(".svg or .png"));
    assert!(refused(&["none/m.svg"]).contains("none/m.svg"));
    refused(&["same.svg", "-o", "same.svg"]);
    assert!(!sandbox.path("same.svg").exists());
}

#[test]
fn formulas_from_times_choose_explain_and_become_code() {
    let sandbox = sandbox();
    assert_eq!(sandbox.succeed(&FIT), "");
    assert_eq!(
        sandbox.succeed(&["tune", "choose", "m.json", "n=10000"]),
        "bx=64\n"
    );
    let top = sandbox.succeed(&["tune", "choose", "m.json", "n=10000", "--top", "5"]);
    assert_eq!(top.lines().count(), 2, "{top}");
    let told = sandbox.succeed(&["tune", "choose", "m.json", "n=10000", "--explain"]);
    for part in [
        "bx=64",
        "  waves = ",
        "grid_blocks = ceil(n / bx)",
        "milliseconds = shape_factor * growth",
    ] {
        assert!(told.contains(part), "{told}");
    }
    let json = sandbox.succeed(&["tune", "choose", "m.json", "n=10000", "--explain", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (
            &json["command"],
            &json["result"]["shapes"][0]["shape"]["bx"]
        ),
        (&"tune choose".into(), &64.into())
    );
    let result = &json["result"];
    assert!(result["shapes"][0]["parts"]["waves"].is_number() && result["formulas"].is_string());
    let rust = sandbox.succeed(&["tune", "code", "m.json", "--lang", "rust"]);
    let c = sandbox.succeed(&["tune", "code", "m.json", "--lang", "c"]);
    assert!(
        rust.contains("pub fn choose(n: i64) -> Option<[i64; 1]>")
            && c.contains("int choose(int64_t n, int64_t shape[1])")
    );
    let report = sandbox.succeed(&[&FIT[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(
        (&report["result"]["samples"], &report["result"]["shapes"]),
        (&6.into(), &2.into())
    );
}

#[test]
fn times_and_models_that_are_none_are_refused_with_their_place() {
    let sandbox = sandbox();
    let fit = |times: &str, said: &str| {
        sandbox.write("times.csv", times.as_bytes());
        let error = sandbox.fail(2, &FIT);
        assert!(error.contains(said), "{error}");
        assert!(!sandbox.names().contains(&"m.json".to_owned()));
    };
    fit("", "no column `n`");
    fit(
        "n,bx,time\n",
        "no column `milliseconds`; it has n, bx, time",
    );
    fit(
        "n,bx,milliseconds\n16,8,1\n",
        "times of 1 size for kernel `sums`",
    );
    fit(
        "n,bx,milliseconds\n16,8,1\n64,8,-1\n",
        "times.csv, line 3, column 6: \"-1\" is no positive number",
    );
    fit(
        "n,bx,milliseconds\n16,8,NaN\n",
        "line 2, column 6: \"NaN\" is no positive number",
    );
    fit(
        "n,bx,milliseconds\n16,x,1\n",
        "line 2, column 4: \"x\" is no integer for column `bx`",
    );
    fit("n,bx,milliseconds\n0,8,1\n", "line 2: this is of data [0]");
    fit(
        "n,bx,milliseconds\n16,9,1\n",
        "line 2: this is of shape [9]",
    );
    fit(
        "n,bx,milliseconds\n99999999999999999999,8,1\n",
        "is no integer",
    );
    sandbox.write("times.csv", TIMES.as_bytes());
    for (file, from, to, said) in [
        (
            "device.toml",
            "warps = 64",
            "warps = 0",
            "device.toml, line 2, column 1: `warps` is a positive number",
        ),
        ("device.toml", "blocks = 16", "", "missing field `blocks`"),
        (
            "sums.toml",
            "ceil(n / bx)",
            "ceil(n / by)",
            "sums.toml, line 7, column 19: `by` is unknown here; known are n, bx",
        ),
        (
            "sums.toml",
            "values = [8, 64]",
            "values = []",
            "`bx` needs values",
        ),
        (
            "sums.toml",
            "from = 1, to = 65536",
            "from = 2, to = 1",
            "contradictory",
        ),
        (
            "sums.toml",
            "samples = [16, 64]",
            "samples = [64, 16]",
            "samples of `n`",
        ),
        (
            "sums.toml",
            "length = \"n\"",
            "length = \"n / 0\"",
            "no expression",
        ),
        (
            "sums.toml",
            "version = 1",
            "version = 7",
            "line 1, column 11: version 7",
        ),
    ] {
        refuses(&sandbox, (file, from, to), (2, said), &FIT);
    }
    sandbox.succeed(&FIT);
    let model = sandbox.read("m.json");
    sandbox.write(
        "other.json",
        model
            .replacen("\"version\":1", "\"version\":2", 1)
            .as_bytes(),
    );
    for (arguments, said) in [
        (
            ["tune", "choose", "m.json", "n=0"],
            "the model takes n from 1 to 65536",
        ),
        (
            ["tune", "choose", "m.json", "m=1"],
            "the model's data are n",
        ),
        (
            ["tune", "choose", "m.json", "n=1e3"],
            "no NAME=VALUE with an integer",
        ),
        (
            ["tune", "choose", "other.json", "n=1"],
            "version 2 of models",
        ),
        (["tune", "choose", "times.csv", "n=1"], "no model"),
        (["tune", "choose", "none.json", "n=1"], "no such file"),
    ] {
        let error = sandbox.fail(2, &arguments);
        assert!(error.contains(said), "{error}");
    }
    assert!(sandbox.fail(2, &FIT[..7]).contains("name it with -o"));
    assert!(
        sandbox
            .fail(2, &["tune", "code", "m.json", "--lang", "c", "--json"])
            .contains("leave --json out")
    );
}

#[test]
fn kernels_are_run_on_devices_and_checked() {
    let sandbox = sandbox();
    if !has_device(&sandbox) {
        return;
    }
    let kernel = [
        "tune",
        "kernel",
        "sums.cl",
        "--describe",
        "sums.toml",
        "--device",
        "opencl",
        "--runs",
        "2",
        "-o",
        "m.json",
    ];
    assert_eq!(
        sandbox.succeed(&[&kernel[..], &["--times", "new.csv"]].concat()),
        ""
    );
    assert_eq!(sandbox.read("new.csv").lines().count(), 5);
    assert!(
        sandbox
            .succeed(&["tune", "choose", "m.json", "n=65536"])
            .starts_with("bx=")
    );
    sandbox.succeed(&[
        "tune",
        "fit",
        "new.csv",
        "--describe",
        "sums.toml",
        "--profile",
        "device.toml",
        "-o",
        "n.json",
    ]);
    for (file, from, to, said) in [
        (
            "sums.cl",
            "if (i < n) ",
            "",
            "the kernel writes past the end of buffer `to` for data [16] and shape [64]",
        ),
        (
            "sums.cl",
            "from[i + 1]",
            "(i < 3 ? 0 : get_local_size(0))",
            "another `to[3]` by shape [64] than by shape [8]",
        ),
        ("sums.cl", "uint i", "uint j", "sums.cl does not compile"),
        (
            "sums.cl",
            "void sums",
            "void sum",
            "sums.cl has no kernel `sums`",
        ),
        (
            "sums.toml",
            "length = \"n\"",
            "length = \"n * (1 + floor(bx / 64) * 1000000000000)\"",
            "bytes",
        ),
        (
            "sums.toml",
            "length = \"n\"",
            "length = \"n - 20\"",
            "buffer `to` has -4 elements for data [16]",
        ),
    ] {
        refuses(&sandbox, (file, from, to), (1, said), &kernel);
    }
    let same = [&kernel[..], &["--times", "m.json"]].concat();
    assert!(sandbox.fail(2, &same).contains("m.json"));
    let without: String = SUMS
        .lines()
        .filter(|line| !line.contains('{') || line.contains("data") || line.contains("program"))
        .map(|line| format!("{line}\n"))
        .collect();
    sandbox.write("sums.toml", without.as_bytes());
    assert!(sandbox.fail(1, &kernel).contains("has no arguments"));
    sandbox.write("sums.toml", SUMS.as_bytes());
    assert!(
        sandbox
            .fail(
                2,
                &[
                    "tune",
                    "kernel",
                    "sums.cl",
                    "--describe",
                    "sums.toml",
                    "--device",
                    "cpu",
                    "-o",
                    "m.json"
                ]
            )
            .contains("cuda or opencl")
    );
}

/// The processor's part needs no device. Products are the same by it, and by one of another processor, which a note tells.
#[test]
fn thresholds_are_measured_kept_and_used() {
    let sandbox = sandbox();
    let file = sandbox.path("tuning.json");
    let run = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        let command = command.env("SUNZI_TUNING", &file);
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (told, error) = (text(output.stdout), text(output.stderr));
        (output.status.code(), told, error)
    };
    let (code, told, error) = run(&["tune", "self", "--cpu", "--quick"]);
    // Tests run beside it.
    let is_busy = error.starts_with("sunzi: note: other programs had the processor for ");
    assert!(
        code == Some(0) && (error.is_empty() || is_busy && error.lines().count() == 1),
        "{error}"
    );
    for part in ["processor: ", "karatsuba", "leaves", "(built in: 480)"] {
        assert!(told.contains(part), "{told}");
    }
    assert_eq!(run(&["tune", "show"]).1, told);
    let json: serde_json::Value =
        serde_json::from_str(&run(&["tune", "show", "--json"]).1).unwrap();
    assert!(json["result"]["thresholds"].as_array().unwrap().len() >= 15);
    assert_eq!(json["result"]["device"], serde_json::Value::Null);

    // What runs is what the kept thresholds say.
    let kept = std::fs::read_to_string(&file).unwrap();
    let ones = "1 ".repeat(20);
    sandbox.write("f", format!("{ones}\n").as_bytes());
    let of = |ntt: usize| {
        let key = "\"words32\":{\"ntt\":";
        let (before, after) = kept.split_once(key).unwrap();
        let (_, after) = after.split_once(',').unwrap();
        format!("{before}{key}{ntt},{after}")
    };
    let multiply = [
        "poly",
        "mul",
        "f",
        "f",
        "--mod",
        "469762049",
        "--device",
        "cpu",
        "--json",
    ];
    let mut products = Vec::new();
    for (ntt, algorithm) in [(5, "ntt"), (500, "plain")] {
        std::fs::write(&file, of(ntt)).unwrap();
        let (code, told, error) = run(&multiply);
        assert_eq!((code, error.as_str()), (Some(0), ""));
        let json: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert_eq!(json["algorithms"][algorithm], 1, "{told}");
        products.push(json["results"].clone());
    }
    assert!(products[0] == products[1] && !products[0].is_null());
    let foreign = of(5).replacen("{\"name\":\"", "{\"name\":\"another ", 1);
    std::fs::write(&file, foreign).unwrap();
    let (code, told, note) = run(&multiply);
    assert!(code == Some(0) && told.contains("\"plain\""), "{told}");
    assert!(note.contains("measured on another"), "{note}");

    for (arguments, problem) in [
        (
            &["tune", "self", "--cpu", "--gpu"][..],
            "cannot be used with",
        ),
        (
            &["tune", "self", "--cpu", "--device", "opencl"],
            "give one of them",
        ),
        (
            &["tune", "self", "--gpu", "--device", "cpu"],
            "cuda or opencl",
        ),
    ] {
        let (code, _, error) = run(arguments);
        assert!(code == Some(2) && error.contains(problem), "{error}");
    }
    assert!(run(&["tune", "reset"]).1.starts_with("nothing is measured") && !file.exists());
}

#[test]
fn own_kernels_are_measured_kept_shown_and_forgotten() {
    let sandbox = sandbox();
    if !has_device(&sandbox) {
        return;
    }
    let file = sandbox.path("kept/tuning.json");
    let with = |file: &std::path::Path, arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        let output = command
            .env("SUNZI_TUNING", file)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let run = |arguments: &[&str]| with(&file, arguments);
    assert!(run(&["tune", "show"]).1.starts_with("nothing is measured"));
    let (code, told, error) = run(&["tune", "self", "--quick", "--device", "opencl"]);
    assert_eq!(code, Some(0), "{error}");
    for part in [
        "tuning.json",
        "products term by term: ",
        "transforms: ",
        "milliseconds = ",
    ] {
        assert!(told.contains(part), "{told}");
    }
    assert_eq!(run(&["tune", "show"]).1, told);
    let json: serde_json::Value =
        serde_json::from_str(&run(&["tune", "show", "--json"]).1).unwrap();
    assert!(json["result"]["kernels"].as_array().unwrap().len() >= 2);
    assert_eq!(json["result"]["processor"], serde_json::Value::Null);
    // Products are the same by it, without, and by one of another device or a damaged one, which notes tell.
    sandbox.write("a", b"1 2 3 4 5\n");
    let product = ["poly", "mul", "a", "a", "--mod", "97", "--device", "opencl"];
    let (_, expected, quiet) = run(&product);
    assert_eq!(
        (expected.as_str(), quiet.as_str()),
        ("1 4 10 20 35 44 46 40 25\n", "")
    );
    let kept = std::fs::read_to_string(&file).unwrap();
    let foreign = kept.replacen("\"name\":\"", "\"name\":\"another ", 1);
    assert!(kept.starts_with("{\"version\":2,"));
    for (text, said) in [
        (foreign.as_str(), "were chosen for another"),
        ("{", "no tuning"),
        (
            &kept.replacen("\"version\":2", "\"version\":9", 1),
            "version 9",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        let (code, product, note) = run(&product);
        assert_eq!((code, product), (Some(0), expected.clone()));
        assert!(note.contains("note: ") && note.contains(said), "{note}");
    }
    assert_eq!(run(&["tune", "show"]).0, Some(2));
    assert!(run(&["tune", "reset"]).1.starts_with("nothing is measured") && !file.exists());
    assert_eq!(run(&["tune", "reset"]).0, Some(0));
    let (code, _, error) = with("".as_ref(), &["tune", "self", "--quick"]);
    assert!(code == Some(2) && error.contains("SUNZI_TUNING"), "{error}");
}
