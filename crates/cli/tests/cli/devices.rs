//! Products on devices: the same bytes as on the processor, and a word where something is missing.

use crate::common::Sandbox;
use sunzi_testkit::{Random, required_or_skipped};

/// Whether there is a device of OpenCL; says why not.
pub fn has_device(sandbox: &Sandbox) -> bool {
    let facts = sandbox.json(&["info"]);
    let devices = facts["result"]["devices"].as_array().unwrap();
    let found = devices.iter().find(|device| device["device"] == "opencl:0");
    required_or_skipped(found.ok_or_else(|| facts["result"]["no_devices"]["opencl"].to_string()))
        .is_some()
}

/// A line of this many decimal digits, negative now and then.
fn integer(random: &mut Random, digits: usize) -> String {
    let sign = if random.word().is_multiple_of(3) {
        "-"
    } else {
        ""
    };
    let digits: String = (0..digits)
        .map(|_| char::from(b'1' + (random.word() % 9) as u8))
        .collect();
    format!("{sign}{digits}")
}

/// Files of integers and polynomials, short and long.
fn sandbox() -> Sandbox {
    let mut random = Random::new(17);
    let mut lines = |lengths: &[usize]| {
        let lines: Vec<_> = lengths
            .iter()
            .map(|&digits| integer(&mut random, digits))
            .collect();
        lines.join("\n") + "\n0\n"
    };
    let (a, b) = (
        lines(&[1, 9, 10, 40, 300, 5000, 20_000]),
        lines(&[3, 20, 1, 1000, 299, 4000, 90_000]),
    );
    let one = lines(&[200]).replace("\n0\n", "\n");
    let mut polynomials = |terms: &[usize], digits: usize| {
        let line = |&terms: &usize| {
            (0..terms)
                .map(|_| integer(&mut random, digits))
                .collect::<Vec<_>>()
                .join(" ")
        };
        terms.iter().map(line).collect::<Vec<_>>().join("\n") + "\n0\n"
    };
    let (f, g) = (
        polynomials(&[1, 5, 60, 500], 25),
        polynomials(&[4, 1, 70, 520], 12),
    );
    let residues = polynomials(&[1, 5, 100, 900], 9).replace('-', "");
    let mut vector = || polynomials(&[1; 31], 8).replace('-', "");
    let (points, values) = (vector(), vector());
    Sandbox::with(&[
        ("a", &a),
        ("b", &b),
        ("one", &one),
        ("f", &f),
        ("g", &g),
        ("r", &residues),
        ("v", &points),
        ("w", &values),
    ])
}

/// Commands whose results must not depend on where they are computed.
const COMMANDS: [&[&str]; 14] = [
    &["int", "mul", "a", "b"],
    &["int", "mul", "a", "one"],
    &["poly", "mul", "f", "g"],
    &["poly", "mul", "f", "g", "--pretty"],
    &["poly", "mul", "r", "r", "--mod", "2013265921"],
    &["poly", "mul", "r", "r", "--mod", "1000000007"],
    &["poly", "mul", "r", "r", "--mod", "2^60-2^18+1"],
    &["poly", "mul", "r", "r", "--mod", "P8"],
    &["poly", "eval", "r", "v", "--mod", "2013265921"],
    &["poly", "eval", "r", "v", "--mod", "2^60-2^18+1"],
    &["poly", "interp", "v", "w", "--mod", "469762049"],
    &["dft", "v", "--mod", "469762049"],
    &["dft", "v", "--mod", "P4", "--inverse"],
    &["dft", "v", "--mod", "P8"],
];

#[test]
fn devices_give_the_same_bytes() {
    let sandbox = sandbox();
    if !has_device(&sandbox) {
        return;
    }
    for command in COMMANDS {
        let on = |device| sandbox.succeed(&[command, &["--device", device]].concat());
        let expected = on("cpu");
        assert!(on("opencl") == expected, "{command:?}");
        assert!(on("opencl:0") == expected, "{command:?}");
        assert!(on("auto") == expected, "{command:?}");
    }
}

#[test]
fn the_device_is_named_in_the_figures() {
    let sandbox = sandbox();
    if !has_device(&sandbox) {
        return;
    }
    let told = |device| sandbox.json(&["int", "mul", "a", "b", "--device", device]);
    let (there, here) = (told("opencl"), told("cpu"));
    assert_eq!(there["results"], here["results"]);
    let products = here["results"].as_array().unwrap().len();
    assert_eq!(
        (&there["device"], &here["device"]),
        (&"opencl:0".into(), &"cpu".into())
    );
    assert_eq!(there["algorithms"]["device"], products);
}

#[test]
fn little_memory_is_no_obstacle_and_far_too_little_is_told() {
    let sandbox = sandbox();
    if !has_device(&sandbox) {
        return;
    }
    let expected = sandbox.succeed(&["int", "mul", "a", "b", "--device", "cpu"]);
    let with = |memory: &str| {
        let mut command = sandbox.command(&["int", "mul", "a", "b", "--device", "opencl"]);
        let output = command.env("SUNZI_GPU_MEMORY", memory).output().unwrap();
        let [found, said] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), found, said)
    };
    let (code, found, said) = with("64M");
    assert!(
        code == Some(0) && found == expected && said.is_empty(),
        "{said}"
    );
    let (code, found, said) = with("8K");
    assert!(code == Some(0) && found == expected, "{said}");
    assert!(
        said.contains("note: computed on the processor") && said.contains("too little memory"),
        "{said}"
    );
    let (code, _, said) = with("plenty");
    assert!(
        code == Some(1) && said.contains("SUNZI_GPU_MEMORY"),
        "{said}"
    );
}

#[test]
fn groups_of_a_few_threads_give_the_same_bytes() {
    let sandbox = sandbox();
    if !has_device(&sandbox) {
        return;
    }
    let expected = sandbox.succeed(&["int", "mul", "a", "b", "--device", "cpu"]);
    for (threads, memory, code, told) in [
        ("64", "16K", 0, ""),
        ("1024", "49152", 0, ""),
        (
            "none",
            "16K",
            1,
            "SUNZI_GPU_GROUP_THREADS is `none`: a number from 1 on",
        ),
        ("0", "16K", 1, "SUNZI_GPU_GROUP_THREADS is `0`"),
        (
            "64",
            "few",
            1,
            "SUNZI_GPU_GROUP_MEMORY is `few`: a number of bytes",
        ),
    ] {
        let mut command = sandbox.command(&["int", "mul", "a", "b", "--device", "opencl"]);
        let command = command
            .env("SUNZI_GPU_GROUP_THREADS", threads)
            .env("SUNZI_GPU_GROUP_MEMORY", memory);
        let output = command.output().unwrap();
        let [found, said] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(
            output.status.code(),
            Some(code),
            "{threads} {memory}: {said}"
        );
        match code {
            0 => assert!(
                found == expected && said.is_empty(),
                "{threads} {memory}: {said}"
            ),
            _ => assert!(
                found.is_empty() && said.contains(told),
                "{threads} {memory}: {said}"
            ),
        }
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_told() {
    let sandbox = sandbox();
    if !has_device(&sandbox) {
        return;
    }
    let mut command = sandbox.command(&["int", "mul", "one", "one", "--device", "opencl"]);
    let output = command
        .env("SUNZI_GPU_CACHE", sandbox.path("a").join("kernels"))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    // PoCL keeps compiled programs itself.
    let is_told = !sandbox.succeed(&["info"]).contains("PoCL");
    assert!(output.status.success(), "{said}");
    assert_eq!(said.contains("cannot be kept"), is_told, "{said}");
    let expected = sandbox.succeed(&["int", "mul", "one", "one", "--device", "cpu"]);
    assert!(output.stdout == expected.as_bytes());
}

#[test]
fn devices_that_are_not_there_are_refused_and_auto_does_without() {
    let sandbox = Sandbox::with(&[("a", "3\n")]);
    let hidden = |device: &str| {
        let mut command =
            sandbox.command(&["int", "mul", "a", "a", "--device", device, "-o", "out"]);
        let output = command.env("SUNZI_HIDE_DEVICES", "all").output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    for device in ["cuda", "cuda:1", "opencl", "opencl:0"] {
        let (code, said) = hidden(device);
        assert!(
            code == Some(1) && said.contains(device) && said.contains("SUNZI_HIDE_DEVICES"),
            "{said}"
        );
        assert!(!sandbox.path("out").exists());
    }
    let said = sandbox.fail(1, &["int", "mul", "a", "a", "--device", "opencl:999"]);
    assert!(said.contains("opencl:999"), "{said}");
    for device in ["auto", "cpu"] {
        assert_eq!(hidden(device), (Some(0), String::new()));
        assert_eq!(sandbox.read("out"), "9\n");
    }
}

#[test]
fn what_no_device_can_do_is_refused() {
    let sandbox = Sandbox::with(&[
        ("a", "3 1\n"),
        ("three", "1\n2\n3\n"),
        ("twice", "4\n2\n4\n"),
    ]);
    // p - 1 is 4 times an odd number: no transforms of more than 4 points.
    for command in [
        &[
            "poly",
            "eval",
            "a",
            "three",
            "--mod",
            "4294967366^2+1",
            "--device",
            "opencl",
        ][..],
        &[
            "poly",
            "interp",
            "three",
            "three",
            "--mod",
            "4294967366^2+1",
            "--device",
            "opencl",
        ],
        &[
            "poly",
            "gcd",
            "a",
            "a",
            "--mod",
            "2^64-2^32+1",
            "--device",
            "opencl",
        ],
        &["det", "a", "--mod", "2^64-2^32+1", "--device", "opencl"],
        &["dft", "three", "--mod", "97", "--device", "opencl"],
    ] {
        let said = sandbox.fail(1, command);
        assert!(
            said.contains("on the processor alone") && said.contains("--device cpu or auto"),
            "{said}"
        );
    }
    let repeated = "poly interp twice three --mod 469762049 --device opencl";
    let said = sandbox.fail(1, &repeated.split(' ').collect::<Vec<_>>());
    assert!(
        said.contains("line 3: the same point as in line 1"),
        "{said}"
    );
    let said = sandbox.fail(
        2,
        &[
            "poly",
            "mul",
            "a",
            "a",
            "--algorithm",
            "plain",
            "--device",
            "opencl",
        ],
    );
    assert!(said.contains("--algorithm"), "{said}");
}

#[test]
fn divisions_on_a_device_are_the_processors() {
    let files = [
        ("a", "1 2 1\n5\n0\n3 0 0 4 1\n"),
        ("b", "1 1\n0 7\n2\n6 0 0 8 2\n"),
    ];
    let sandbox = Sandbox::with(&files);
    if !has_device(&sandbox) {
        return;
    }
    for verb in ["divrem", "gcd", "xgcd", "resultant"] {
        for modulus in ["97", "2^60-2^18+1"] {
            let on = |device| {
                let command = ["poly", verb, "a", "b", "--mod", modulus, "--device", device];
                sandbox.succeed(&command)
            };
            assert_eq!(on("opencl"), on("cpu"), "{verb} modulo {modulus}");
        }
    }
    let by_zero = |device| {
        let command = [
            "poly", "divrem", "b", "a", "--mod", "97", "--device", device,
        ];
        sandbox.fail(1, &command)
    };
    assert_eq!(by_zero("opencl"), by_zero("cpu"));
}

#[test]
fn determinants_on_a_device_are_the_processors() {
    let files = [("m", "0 2 -1\n1/2 3 4\n5 6 0x10\n"), ("long", "1 2\n")];
    let sandbox = Sandbox::with(&files);
    if !has_device(&sandbox) {
        return;
    }
    for modulus in ["97", "2^60-2^18+1"] {
        let on = |device| sandbox.succeed(&["det", "m", "--mod", modulus, "--device", device]);
        assert_eq!(on("opencl"), on("cpu"), "modulo {modulus}");
    }
    let condensed = ["--float", "--algorithm", "condensation"];
    for how in [
        &[][..],
        &["--early", "--seed", "1"],
        &["--float"],
        &condensed,
    ] {
        let on = |device| sandbox.succeed(&[&["det", "m", "--device", device], how].concat());
        assert_eq!(on("opencl"), on("cpu"));
    }
    let facts = sandbox.json(&["det", "m", "--device", "opencl"]);
    assert_eq!(facts["device"], "opencl:0");
    assert_eq!(
        (&facts["algorithm"], &facts["result"]["proved"]),
        (&"residues".into(), &true.into())
    );
    let on = ["det", "m", "--mod", "97", "--device", "opencl"];
    let facts = sandbox.json(&on);
    assert_eq!(facts["device"], "opencl:0");
    let long = |device| sandbox.fail(1, &["det", "long", "--mod", "97", "--device", device]);
    assert_eq!(long("opencl"), long("cpu"));
    let named = [&on[..], &["--algorithm", "condensation"]].concat();
    let said = sandbox.fail(2, &named);
    assert!(said.contains("--algorithm"), "{said}");
}
