//! `sunzi bench gpu --peers`: what stands beside Sunzi's times, and what becomes of programs that do not do what they
//! should. Shell scripts stand in for them.

use crate::sandbox::{Outcome, Sandbox};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};
use sunzi::gpu::{Device, Selection};
use sunzi_testkit::required_or_skipped;

const QUICK: [&str; 5] = ["gpu", "--seconds", "0.0001", "--groups", "ntt"];

/// Answers what it is asked; the first argument is the device, the second what it says of both tasks.
fn answers(device: &str, verdict: &str) -> String {
    format!(
        r#"#!/bin/sh
echo 'a library that talks'
[ "$1" != multiply ] || {{ printf 'peer\tcannot\tproducts are not its business\n'; exit; }}
for task in forward inverse; do
  printf 'peer\ttime\t%s\t%s\t%s\t%s\t2e-3\t1e-3\t3e-3\t%s\t%s\tbit-reversed\n' $task $2 $3 $4 {verdict} '{device}'
done
"#
    )
}

/// A folder with `peers/bin`, and in it these programs.
fn sandbox(programs: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::with(&[]);
    fs::create_dir_all(sandbox.path("peers/bin")).unwrap();
    for (name, script) in programs {
        let name = format!("peers/bin/{name}");
        sandbox.write(&name, script.as_bytes());
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(sandbox.path(&name), mode).unwrap();
    }
    sandbox
}

/// The name of what is measured, if there is something.
fn device() -> Option<String> {
    let device = required_or_skipped(Device::open(Selection::Any))?;
    Some(device.info().name.clone())
}

fn succeed(sandbox: &Sandbox, more: &[&str]) -> Outcome {
    let outcome = sandbox.run(&[&QUICK[..], more].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    outcome
}

#[test]
fn peers_stand_beside_and_none_of_them_stops_the_measurement() {
    let Some(device) = device() else { return };
    let sandbox = sandbox(&[
        ("babbles", "#!/bin/sh\nprintf 'peer\\ttime\\tsoon\\n'\n"),
        (
            "breaks",
            "#!/bin/sh\necho one >&2\necho 'out of luck' >&2\nexit 3\n",
        ),
        ("cufft", &answers(&device, "reference")),
        ("elsewhere", &answers("Abacus", "checked")),
        ("hangs", "#!/bin/sh\nexec sleep 1000\n"),
        ("mute", "#!/bin/sh\n"),
        ("butterflies", &answers(&device, "checked")),
        (
            "unable",
            "#!/bin/sh\nprintf 'peer\\tcannot\\tit is late\\n'\n",
        ),
        ("unstartable", "#!/nowhere/interpreter\n"),
    ]);
    sandbox.write("peers/bin/notes.txt", b"no program");
    let start = Instant::now();
    succeed(
        &sandbox,
        &[
            "--peers",
            "peers",
            "--peer-limit",
            "0.5",
            "--json",
            "-o",
            "all.json",
            "--out",
            "plots",
        ],
    );
    assert!(start.elapsed() < Duration::from_secs(100));

    let report: Value = serde_json::from_str(&sandbox.read("all.json")).unwrap();
    let left_out: Vec<&str> = report["result"]["left_out"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap())
        .collect();
    for (name, parts) in [
        (
            "babbles",
            &[
                "does not answer as",
                "3 fields instead of 12 in `peer time soon`",
                "asked for `ntt 32 ",
            ][..],
        ),
        (
            "breaks",
            &["failed (exit status: 3), and said last: out of luck; asked for"],
        ),
        ("elsewhere", &["ran on `Abacus`, another device"]),
        ("hangs", &["was ended after 0.5 s, which is --peer-limit"]),
        ("mute", &["no line begins with `peer` and a tab"]),
        ("unable", &["leaves something out: it is late."]),
        ("unstartable", &["cannot be started: "]),
    ] {
        let lines: Vec<_> = left_out
            .iter()
            .filter(|line| line.starts_with(name))
            .collect();
        assert_eq!(lines.len(), 1, "{name} in {left_out:?}");
        for part in parts {
            assert!(lines[0].contains(part), "{part} is missing in {}", lines[0]);
        }
    }
    assert_eq!(left_out.len(), 7, "{left_out:?}");

    // Both who answer have a time for each of Sunzi's, but for those in doubles.
    let cases = report["result"]["cases"].as_array().unwrap();
    let comparable = |case: &&Value| !case["group"].as_str().unwrap().contains("doubles");
    let comparable = cases.iter().filter(comparable).count();
    let peers = report["result"]["peers"].as_array().unwrap();
    assert_eq!(peers.len(), 2 * comparable);
    for peer in peers {
        let same = |case: &&Value| {
            ["group", "size", "batch"]
                .iter()
                .all(|key| case[key] == peer[key])
        };
        let case = cases.iter().find(same).unwrap();
        let ratio = case["seconds"]["median"].as_f64().unwrap() / 2e-3;
        assert!(
            (peer["ratio"].as_f64().unwrap() / ratio - 1.0).abs() < 1e-9,
            "{peer}"
        );
        assert_eq!(peer["seconds"]["quartile3"], 3e-3);
        let reference = peer["peer"] == "cufft";
        assert_eq!(
            peer["verdict"],
            if reference { "reference" } else { "checked" }
        );
    }

    let text = sandbox.read("plots/gpu.csv");
    assert!(
        text.contains("\n# cufft: bit-reversed (other work, for reference)\n"),
        "{text}"
    );
    let rows = |part: &str| text.lines().filter(|line| line.contains(part)).count();
    assert_eq!(rows(",1,cufft,0.002,0.001,0.003,false,"), comparable);
    assert_eq!(rows(",1,butterflies,0.002,0.001,0.003,true,"), comparable);
}

#[test]
fn tables_have_a_column_for_each_peer() {
    let Some(device) = device() else { return };
    let with_one = sandbox(&[("another", &answers(&device, "unchecked"))]);
    let text = succeed(&with_one, &["--peers", "peers"]).stdout;
    for part in [
        "The same by others, on the same device; in brackets Sunzi's time over theirs",
        "Sunzi  ",
        "another\n",
        "2.00 ms (",
        "another: bit-reversed (results not checked)",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }

    let empty = Sandbox::with(&[]);
    fs::create_dir(empty.path("peers")).unwrap();
    let arguments = [
        "gpu",
        "--seconds",
        "0.0001",
        "--groups",
        "launch",
        "--peers",
        "peers",
    ];
    let outcome = empty.run(&arguments);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let told = "There is no program in peers/bin: scripts/gpu-peers peers builds cuFFT's, and";
    assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
}

#[test]
fn wrong_folders_and_limits_are_refused() {
    let sandbox = Sandbox::with(&[("file", "")]);
    let refused = |more: &[&str]| sandbox.fail(2, &[&QUICK[..], more].concat());
    for (folder, why) in [
        ("missing", "scripts/gpu-peers makes one"),
        ("file", "it is a file"),
    ] {
        let said = refused(&["--peers", folder]);
        let start = format!("sunzi: {folder}: no folder of peers that can be read: ");
        assert!(said.starts_with(&start) && said.contains(why), "{said}");
    }
    let said = refused(&["--peers", ".", "--peer-limit", "0"]);
    assert!(said.contains("a number of seconds above 0"), "{said}");
    let said = refused(&["--peer-limit", "3"]);
    assert!(said.contains("--peers"), "{said}");
}
