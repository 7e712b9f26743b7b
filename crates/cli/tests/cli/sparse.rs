//! `sunzi sparse …` on good input.

use crate::common;
use crate::common::Sandbox;
use crate::common::sparse::{Triplets, parse, random};
use std::collections::BTreeMap;

const METHODS: [&str; 6] = ["gray", "rcm", "bipartite", "bordered", "auto", "random"];

fn json(sandbox: &Sandbox, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&sandbox.succeed(&[arguments, &["--json"]].concat())).unwrap()
}

/// Numbers of a file, one a line.
fn column<T: std::str::FromStr>(text: &str) -> Vec<T> {
    text.lines()
        .map(|line| line.parse().ok().unwrap_or_else(|| panic!("{line}")))
        .collect()
}

#[test]
fn products_match_the_definition() {
    for (rows, columns, count) in [
        (1, 1, 1),
        (3, 5, 7),
        (40, 30, 200),
        (300, 500, 3000),
        (4, 4, 0),
    ] {
        let matrix = random(rows, columns, count, 7);
        let x: Vec<i64> = (0..columns as i64).map(|j| j * j % 19 - 9).collect();
        let y: Vec<i64> = (0..rows as i64).map(|i| i * i % 23 - 11).collect();
        let lines = |values: &[i64]| -> String {
            values.iter().map(|value| format!("{value}\n")).collect()
        };
        let sandbox = Sandbox::with(&[
            ("m", &matrix.market("integer")),
            ("x", &lines(&x)),
            ("y", &lines(&y)),
        ]);
        for threads in ["1", "2"] {
            let more = ["--threads", threads];
            let run = |arguments: &[&str]| -> Vec<i64> {
                column(&sandbox.succeed(&[&["sparse", "spmv", "m"], arguments, &more].concat()))
            };
            assert_eq!(run(&["x"]), matrix.times(&x));
            assert_eq!(run(&["y", "--transpose"]), matrix.transposed().times(&y));
            assert_eq!(run(&[]), matrix.times(&vec![1; columns]));
            assert_eq!(run(&["x", "--repeat", "3"]), matrix.times(&x));
        }
        for (text, prime) in [
            ("97", 97),
            ("469762049", 469_762_049),
            ("2^31+11", (1i64 << 31) + 11),
        ] {
            let residues = |values: Vec<i64>| -> Vec<i64> {
                values
                    .into_iter()
                    .map(|value| value.rem_euclid(prime))
                    .collect()
            };
            sandbox.write("r", lines(&residues(x.clone())).as_bytes());
            let found = sandbox.succeed(&["sparse", "spmv", "m", "r", "--mod", text]);
            assert_eq!(
                column::<i64>(&found),
                residues(matrix.times(&x)),
                "mod {text}"
            );
            sandbox.write("s", lines(&residues(y.clone())).as_bytes());
            let found =
                sandbox.succeed(&["sparse", "spmv", "m", "s", "--mod", text, "--transpose"]);
            assert_eq!(
                column::<i64>(&found),
                residues(matrix.transposed().times(&y)),
                "mod {text}"
            );
        }
    }
}

#[test]
fn products_modulo_primes_of_many_words_are_exact() {
    let mut matrix = random(30, 40, 300, 13);
    matrix
        .entries
        .values_mut()
        .for_each(|value| *value = value.abs());
    let prime = common::matrices::prime(&Sandbox::with(&[]), "P4");
    let x: Vec<i64> = (0..40).map(|j| j * 1_000_003).collect();
    let lines = |sign: i64| -> String {
        let residue = |value: &i64| (rug::Integer::from(sign * value)).modulo(&prime);
        x.iter()
            .map(|value| format!("{}\n", residue(value)))
            .collect()
    };
    let sandbox = Sandbox::with(&[
        ("m", &matrix.market("integer")),
        ("x", &lines(1)),
        ("y", &lines(-1)),
    ]);
    for (file, sign) in [("x", 1), ("y", -1)] {
        let found = sandbox.succeed(&["sparse", "spmv", "m", file, "--mod", "P4"]);
        let found: Vec<rug::Integer> = column(&found);
        let product = matrix.times(&x).into_iter();
        let expected: Vec<_> = product
            .map(|value| rug::Integer::from(sign * value).modulo(&prime))
            .collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn matrices_are_made_by_their_definition() {
    let sandbox = Sandbox::with(&[]);
    let generate = |kind: &str, more: &[&str]| {
        sandbox.succeed(&[&["sparse", "generate", kind], more].concat())
    };
    let boundary = generate("chessboard:4,4,2", &[]);
    let head = "%%MatrixMarket matrix coordinate real general\n\
                % sunzi sparse generate chessboard:4,4,2 --seed 1\n96 72 288\n";
    assert!(boundary.starts_with(head), "{boundary}");
    assert_eq!(boundary, generate("chessboard:4,4,2", &["--seed", "1"]));
    let seeds = |seed: &str| generate("rmat:6,4", &["--permuted", "--seed", seed]);
    assert_eq!(seeds("3"), seeds("3"));
    assert_ne!(seeds("3"), seeds("4"));
    let found = json(
        &sandbox,
        &["sparse", "generate", "grid2d:2,1", "--permuted"],
    );
    assert_eq!(
        (&found["inputs"]["kind"], &found["inputs"]["seed"]),
        (&"grid2d:2,1".into(), &1.into())
    );
    assert_eq!(found["results"].as_array().unwrap().len(), 4);
    for kind in [
        "matching:6,1",
        "grid2d9:3,4",
        "grid3d:2,3,4",
        "grid3d27:3,3,3",
        "circuit:50",
        "lp:128",
    ] {
        sandbox.write("m", generate(kind, &[]).as_bytes());
        assert_eq!(
            json(&sandbox, &["sparse", "info", "m"])["result"]["values"],
            "real",
            "{kind}"
        );
    }
}

#[test]
fn systems_are_solved() {
    let sandbox = Sandbox::with(&[]);
    sandbox.succeed(&["sparse", "generate", "grid2d:9,7", "-o", "m"]);
    let found = json(&sandbox, &["sparse", "solve", "m", "--tolerance", "1e-12"]);
    assert_eq!(
        (&found["command"], &found["inputs"]["rows"]),
        (&"sparse solve".into(), &63.into())
    );
    let details = &found["details"];
    assert!(
        details["residual"].as_f64().unwrap() < 1e-10 && details["iterations"].as_u64() > Some(3)
    );
    for threads in ["1", "2"] {
        sandbox.succeed(&["sparse", "solve", "m", "-o", "x", "--threads", threads]);
        let ones: Vec<f64> = column(&sandbox.succeed(&["sparse", "spmv", "m", "x"]));
        assert!(
            ones.iter().all(|value| (value - 1.0).abs() < 1e-8),
            "{ones:?}"
        );
    }
}

#[test]
fn numbers_that_are_no_integers_are_written_so_that_they_read_back() {
    let sandbox = Sandbox::with(&[
        (
            "m",
            "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 0.1\n1 2 0.2\n3 1 1e-300\n",
        ),
        ("x", "1\n1 # one\n"),
    ]);
    let found = sandbox.succeed(&["sparse", "spmv", "m", "x"]);
    assert_eq!(found, "0.30000000000000004\n0\n1e-300\n");
    let found = json(&sandbox, &["sparse", "spmv", "m", "x", "--repeat", "5"]);
    assert_eq!(
        found["results"],
        serde_json::json!([0.30000000000000004, 0, 1e-300])
    );
    assert_eq!(found["command"], "sparse spmv");
    let inputs = &found["inputs"];
    assert_eq!(
        (&inputs["rows"], &inputs["columns"], &inputs["nonzeros"]),
        (&3.into(), &2.into(), &3.into())
    );
    assert_eq!(inputs["repeat"], 5);
    assert!(
        found["details"]["seconds_per_product"].is_number()
            && found["seconds"]["total"].is_number()
    );
}

#[test]
fn halves_and_packed_files_are_written_on_demand() {
    let sandbox = Sandbox::with(&[]);
    let run = |arguments: &str| {
        let words: Vec<&str> = arguments.split(' ').collect();
        sandbox.succeed(&words)
    };
    let half = run("sparse generate grid2d:2,1 --symmetric");
    let head = "%%MatrixMarket matrix coordinate real symmetric\n";
    assert!(half.starts_with(head), "{half}");
    assert!(
        half.ends_with("2 2 3\n1 1 4.0\n2 1 -1.0\n2 2 4.0\n"),
        "{half}"
    );

    run("sparse generate grid2d:9,7 --symmetric -o half.mtx.gz");
    run("sparse generate grid2d:9,7 -o whole.mtx");
    let packed = std::fs::read(sandbox.path("half.mtx.gz")).unwrap();
    assert_eq!(packed[..2], [0x1f, 0x8b]);
    assert_eq!(run("sparse spmv half.mtx.gz"), run("sparse spmv whole.mtx"));
    let rcm = "sparse reorder half.mtx.gz --method rcm";
    run(&format!("{rcm} --symmetric -o rcm.mtx.gz"));
    run(&format!("{rcm} -o rcm.mtx"));
    assert_eq!(run("sparse spmv rcm.mtx.gz"), run("sparse spmv rcm.mtx"));

    let lopsided = [
        "sparse",
        "generate",
        "lp:30",
        "--symmetric",
        "-o",
        "none.mtx",
    ];
    let said = sandbox.fail(1, &lopsided);
    let sentence = "the matrix is neither symmetric nor skew-symmetric: leave out --symmetric";
    assert!(said.contains(sentence), "{said}");
    assert!(!sandbox.path("none.mtx").exists());
    let unlike = "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 5\n";
    sandbox.write("unlike.mtx", unlike.as_bytes());
    for (code, arguments, sentence) in [
        (
            2,
            "generate grid2d:2,1 --symmetric --json",
            "leave it out, or --json",
        ),
        (
            2,
            "generate grid2d:2,1 --json -o none.gz",
            "does not end in .gz",
        ),
        (
            2,
            "reorder whole.mtx --symmetric",
            "--symmetric goes with --method rcm",
        ),
        (
            1,
            "reorder unlike.mtx --symmetric --method rcm",
            "leave out --symmetric",
        ),
    ] {
        let words: Vec<&str> = ["sparse"].into_iter().chain(arguments.split(' ')).collect();
        let said = sandbox.fail(code, &words);
        assert!(said.contains(sentence), "{said}");
        assert!(!sandbox.path("none.gz").exists());
    }
}

#[test]
fn zeros_of_an_array_take_no_memory() {
    let zeros = "%%MatrixMarket matrix array integer general\n1000 1000\n".to_owned();
    let file = zeros + &"0 ".repeat(999_999) + "7\n";
    let sandbox = Sandbox::with(&[("m", &file)]);
    let facts = json(&sandbox, &["sparse", "info", "m", "--max-memory", "1M"]);
    assert_eq!(facts["result"]["nonzeros"], 1);
    let said = sandbox.fail(1, &["sparse", "info", "m", "--max-memory", "10k"]);
    assert!(said.contains("the matrix needs at least"), "{said}");
}

#[test]
fn files_of_every_kind_are_read() {
    let plain =
        "%%MatrixMarket matrix coordinate integer symmetric\n% a comment\n\n2 2 2\n1 1 4\n2 1 -3\n";
    let sandbox = Sandbox::with(&[
        ("plain", plain),
        (
            "array",
            "%%MatrixMarket matrix array real general\n2 2\n4\n-3\n-3\n0\n",
        ),
        (
            "skew",
            "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -3\n",
        ),
        (
            "pattern",
            "%%matrixmarket MATRIX coordinate pattern general\n2 2 2\n1 1\n2 1\n",
        ),
    ]);
    sandbox.write("packed", &sunzi_testkit::gzip(plain));
    let run = |file: &str| sandbox.succeed(&["sparse", "spmv", file]);
    assert_eq!(run("plain"), "1\n-3\n");
    assert_eq!(run("packed"), "1\n-3\n");
    assert_eq!(run("array"), "1\n-3\n");
    assert_eq!(run("skew"), "3\n-3\n");
    assert_eq!(run("pattern"), "1\n1\n");
    let outcome = sandbox.run_with_input(&["sparse", "spmv", "-"], plain.as_bytes());
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(0), "1\n-3\n")
    );
    let values = |file: &str| json(&sandbox, &["sparse", "info", file])["result"]["values"].clone();
    assert_eq!(
        (values("plain"), values("array"), values("pattern")),
        ("integer".into(), "real".into(), "pattern".into())
    );
    let symmetric =
        |file: &str| json(&sandbox, &["sparse", "info", file])["result"]["symmetric"].clone();
    assert_eq!(
        (symmetric("plain"), symmetric("skew"), symmetric("pattern")),
        ("values".into(), "skew".into(), "no".into())
    );
}

#[test]
fn what_breaks_the_format_is_told_once() {
    let head = "%%MatrixMarket matrix coordinate integer";
    let sandbox = Sandbox::with(&[
        (
            "above",
            &format!("{head} symmetric\n3 3 4\n1 1 2\n1 2 5\n1 3 7\n2 1 5\n"),
        ),
        (
            "skew",
            &format!("{head} skew-symmetric\n2 2 2\n1 1 3\n2 1 4\n"),
        ),
        ("both", &format!("{head} symmetric\n2 2 2\n1 2 5\n2 1 4\n")),
    ]);
    let above = "sunzi: note: above, line 4: the first of 2 entries above the diagonal of a symmetric file, which holds those \
                 below: they are mirrored as those are; 1 place is given below the diagonal, too: it counts once\n";
    let skew = "sunzi: note: skew, line 3: an entry on the diagonal of a skew-symmetric file, which should have none: it is \
                kept as it is\n";
    for (arguments, stdout, stderr) in [
        ("sparse spmv above", "14\n5\n7\n", above),
        ("sparse spmv above --mod 11", "3\n5\n7\n", above),
        ("sparse spmv above --mod P8", "14\n5\n7\n", above),
        ("matrix rank above", "2\n", above),
        ("det above --float", "", above),
        ("det skew", "16\n", skew),
        ("det skew --mod 97", "16\n", skew),
        ("det skew --mod P8", "16\n", skew),
        ("sparse spmv skew", "-1\n4\n", skew),
    ] {
        let outcome = sandbox.run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(outcome.code, Some(0), "{arguments}");
        assert_eq!(outcome.stderr, stderr, "{arguments}");
        if !stdout.is_empty() {
            assert_eq!(outcome.stdout, stdout, "{arguments}");
        }
    }
    let said = "sunzi: both, line 5: row 2, column 1 and row 1, column 2 are both given in a symmetric file, with values that \
                do not follow from each other: leave one of them out, or say `general` in the header\n";
    for arguments in [&["sparse", "info", "both"][..], &["det", "both"]] {
        assert_eq!(sandbox.fail(2, arguments), said);
    }
}

#[test]
fn integers_of_any_size_keep_their_digits() {
    let head = "%%MatrixMarket matrix coordinate integer";
    let long = "19223372036854775808";
    let sandbox = Sandbox::with(&[
        (
            "long",
            &format!("{head} symmetric\n2 2 2\n1 1 2147483648\n2 2 {long}\n"),
        ),
        (
            "least",
            &format!("{head} skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n"),
        ),
        (
            "sum",
            &format!(
                "{head} general\n1 2 3\n1 1 9223372036854775807\n1 1 1\n1 1 -9223372036854775808\n"
            ),
        ),
    ]);
    let facts = &json(&sandbox, &["sparse", "info", "long"])["result"];
    assert_eq!(
        (&facts["values"], &facts["symmetric"]),
        (&"integer".into(), &"values".into())
    );
    let reordered = sandbox.succeed(&["sparse", "reorder", "long", "--method", "rcm"]);
    assert!(
        reordered.contains(&format!(" {long}\n")) && reordered.contains(" 2147483648\n"),
        "{reordered}"
    );
    let reordered = sandbox.succeed(&["sparse", "reorder", "least", "--method", "rcm"]);
    for value in ["-9223372036854775808", "9223372036854775808"] {
        assert!(reordered.contains(&format!(" {value}\n")), "{reordered}");
    }
    let half = ["--method", "rcm", "--symmetric"];
    let half = sandbox.succeed(&[&["sparse", "reorder", "least"], &half[..]].concat());
    assert!(half.contains("integer skew-symmetric\n"), "{half}");
    let sum = sandbox.succeed(&["sparse", "reorder", "sum"]);
    assert!(
        sum.ends_with("1 2 1\n1 1 0\n") || sum.ends_with("1 2 1\n1 2 0\n"),
        "{sum}"
    );
    assert_eq!(
        sandbox.succeed(&["det", "long"]),
        "41281877108566084398385987584\n"
    );
    // Blanks before a header are read over.
    sandbox.write(
        "blank",
        format!(" {head} general\n1 1 1\n1 1 {long}\n").as_bytes(),
    );
    assert_eq!(sandbox.succeed(&["det", "blank"]), format!("{long}\n"));
    assert_eq!(
        sandbox.succeed(&["sparse", "spmv", "long"]),
        "2147483648\n1.9223372036854776e19\n"
    );
}

#[test]
fn reordering_permutes_and_products_follow() {
    for (rows, columns, count) in [
        (1, 1, 1),
        (60, 60, 300),
        (50, 80, 300),
        (90, 40, 100),
        (3, 3, 0),
    ] {
        let matrix = random(rows, columns, count, 11);
        let sandbox = Sandbox::with(&[("m", &matrix.market("integer"))]);
        for method in METHODS {
            if method == "rcm" && rows != columns {
                continue;
            }
            let mut written = Vec::new();
            for threads in ["1", "2"] {
                let wanted = [
                    "sparse",
                    "reorder",
                    "m",
                    "--method",
                    method,
                    "-o",
                    "reordered",
                ];
                let orders = ["--rows", "p", "--columns", "q", "--threads", threads];
                let outcome = sandbox.run(&[&wanted[..], &orders].concat());
                assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), ""));
                let said = match method {
                    "auto" => "sunzi: note: m: the order is ",
                    _ => "",
                };
                assert!(outcome.stderr.starts_with(said), "{}", outcome.stderr);
                assert_eq!(outcome.stderr.is_empty(), said.is_empty());
                written.push(sandbox.read("reordered"));
            }
            assert!(written[0] == written[1], "{method}");
            // Without entries too the kind is that of the file.
            let head = "%%MatrixMarket matrix coordinate integer general\n";
            assert!(written[0].starts_with(head));
            let (p, q) = (
                column::<usize>(&sandbox.read("p")),
                column::<usize>(&sandbox.read("q")),
            );
            let is_permutation = |order: &[usize], count: usize| {
                let mut sorted = order.to_vec();
                sorted.sort_unstable();
                sorted == (1..=count).collect::<Vec<_>>()
            };
            assert!(
                is_permutation(&p, rows) && is_permutation(&q, columns),
                "{method}"
            );
            let found = parse(&written[0]);
            assert_eq!((found.rows, found.columns), (rows, columns));
            let place: BTreeMap<usize, usize> = p.iter().copied().zip(1..).collect();
            let across: BTreeMap<usize, usize> = q.iter().copied().zip(1..).collect();
            let moved = |(&(i, j), &value): (&(usize, usize), &i64)| {
                ((place[&(i + 1)] - 1, across[&(j + 1)] - 1), value)
            };
            let expected: BTreeMap<_, _> = matrix.entries.iter().map(moved).collect();
            assert_eq!(found.entries, expected, "{method}");
            // The product of the reordered matrix is the reordered product.
            let y: Vec<i64> = column(&sandbox.succeed(&["sparse", "spmv", "m"]));
            let again: Vec<i64> = column(&sandbox.succeed(&["sparse", "spmv", "reordered"]));
            assert_eq!(again, p.iter().map(|&i| y[i - 1]).collect::<Vec<_>>());
        }
    }
}

#[test]
fn reordering_tells_what_ran() {
    let matrix = random(60, 60, 300, 3);
    let sandbox = Sandbox::with(&[("m", &matrix.market("real"))]);
    for method in METHODS {
        let found = json(
            &sandbox,
            &["sparse", "reorder", "m", "--method", method, "-o", "-"],
        );
        assert_eq!(found["command"], "sparse reorder");
        assert_eq!(found["inputs"]["method"], method);
        for (lines, count) in [("row_order", 60), ("column_order", 60)] {
            let mut order: Vec<u64> =
                serde_json::from_value(found["details"][lines].clone()).unwrap();
            order.sort_unstable();
            assert_eq!(order, (1..=count).collect::<Vec<_>>());
        }
        assert!(found["seconds"]["total"].is_number());
    }
    let seeds = |seed: &str| {
        sandbox.succeed(&[
            "sparse", "reorder", "m", "--method", "random", "--seed", seed,
        ])
    };
    assert_eq!(seeds("4"), seeds("4"));
    assert_ne!(seeds("4"), seeds("5"));
    sandbox.succeed(&[
        "sparse",
        "reorder",
        "m",
        "--block",
        "4",
        "--fraction",
        "0.5",
    ]);
}

#[test]
fn the_order_chosen_is_told_with_its_reason() {
    let sandbox = Sandbox::with(&[]);
    let run = |text: &str| {
        let words: Vec<&str> = ["sparse"].into_iter().chain(text.split(' ')).collect();
        let outcome = sandbox.run(&words);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.stderr
    };
    run("generate grid2d:40,40 -o plain");
    run("generate grid2d:40,40 --permuted -o hidden");
    let said = run("reorder hidden --method auto --words 256 -o ordered");
    assert_eq!(
        said,
        "sunzi: note: hidden: the order is bipartite, since no order can miss more than 5 % less; misses on x alone in a \
         cache of 256 words in lines of 8: given 4,197, bipartite 200, and at least 200\n"
    );
    let counted = json(&sandbox, &["sparse", "cache", "ordered", "--words", "256"]);
    assert_eq!(
        (
            &counted["result"]["arrays"][3]["array"],
            &counted["result"]["arrays"][3]["misses"]
        ),
        (&"x".into(), &200.into())
    );
    let text = sandbox.read("ordered");
    assert!(text.contains("in the order of sunzi sparse reorder --method auto, bipartite\n"));
    let said = run("reorder plain --method auto --words 256 -o same");
    assert!(
        said.contains("the order is given, since no order can miss more than 5 % less"),
        "{said}"
    );

    let found = json(
        &sandbox,
        &[
            "sparse", "reorder", "hidden", "--method", "auto", "--line", "4", "--words", "128",
        ],
    );
    let choice = &found["details"]["choice"];
    assert_eq!(
        (&choice["method"], &choice["cache_words"]),
        (&"bipartite".into(), &128.into())
    );
    assert_eq!(
        (&choice["cache_line"], &choice["least_misses"]),
        (&4.into(), &400.into())
    );
    assert_eq!(
        (&choice["counted_nonzeros"], &choice["trials"][0]["method"]),
        (&7840.into(), &"given".into())
    );
    let found = json(
        &sandbox,
        &["sparse", "reorder", "hidden", "--method", "bipartite"],
    );
    assert!(found["details"].get("choice").is_none());
}

#[test]
fn options_that_a_method_ignores_are_refused() {
    let sandbox = Sandbox::with(&[("m", &random(5, 5, 9, 1).market("integer"))]);
    for (arguments, sentence) in [
        (
            "reorder m --method rcm --block 3",
            "--block is for --method gray",
        ),
        (
            "reorder m --method auto --fraction 0.5",
            "--fraction is for --method gray",
        ),
        ("reorder m --seed 2", "--seed is for --method random"),
        (
            "reorder m --method bipartite --words 64",
            "--words is for --method auto",
        ),
        (
            "reorder m --method bordered --line 4",
            "--line is for --method auto",
        ),
        ("reorder m --method auto --words 4", "--words 4 --line 8"),
        (
            "reorder m --method auto --symmetric",
            "--symmetric goes with --method rcm",
        ),
        ("show m --block 3 -o m.png", "--block is for --compare gray"),
        (
            "show m --compare rcm --seed 3 -o m.png",
            "--seed is for --compare random",
        ),
    ] {
        let words: Vec<&str> = ["sparse"].into_iter().chain(arguments.split(' ')).collect();
        let said = sandbox.fail(2, &words);
        assert!(said.contains(sentence), "{said}");
    }
}

#[test]
fn a_band_is_found_again() {
    // A path whose nodes are shuffled: reverse Cuthill-McKee makes it a band again.
    let n = 101;
    let shuffled = |i: usize| i * 37 % n;
    let entries = (0..n - 1).flat_map(|i| {
        let (a, b) = (shuffled(i), shuffled(i + 1));
        [((a, b), 1), ((b, a), 1)]
    });
    let matrix = Triplets {
        rows: n,
        columns: n,
        entries: entries.collect(),
    };
    let sandbox = Sandbox::with(&[("m", &matrix.market("integer"))]);
    sandbox.succeed(&["sparse", "reorder", "m", "--method", "rcm", "-o", "band"]);
    assert_eq!(
        json(&sandbox, &["sparse", "info", "band"])["result"]["upper_bandwidth"],
        1
    );
    assert!(
        json(&sandbox, &["sparse", "info", "m"])["result"]["upper_bandwidth"].as_u64() > Some(30)
    );
}

#[test]
fn matrices_are_described() {
    let sandbox = Sandbox::with(&[(
        "m",
        "%%MatrixMarket matrix coordinate real general\n4 3 4\n1 1 5\n1 3 6\n3 1 7\n4 1 0\n",
    )]);
    let found = json(&sandbox, &["sparse", "info", "m"]);
    for (name, value) in [
        ("rows", 4),
        ("columns", 3),
        ("nonzeros", 4),
        ("fewest_in_a_row", 0),
        ("most_in_a_row", 2),
        ("empty_rows", 1),
        ("empty_columns", 1),
        ("lower_bandwidth", 3),
        ("upper_bandwidth", 2),
    ] {
        assert_eq!(found["result"][name], value, "{name}");
    }
    assert_eq!(
        (&found["result"]["rho"], &found["result"]["density"]),
        (&1.0.into(), &(1.0 / 3.0).into())
    );
    let text = sandbox.succeed(&["sparse", "info", "m"]);
    assert!(
        text.contains("\nrows ") && text.contains("no: not square"),
        "{text}"
    );
}

#[test]
fn misses_are_counted() {
    // A diagonal matrix: everything is read once, from beginning to end.
    let n = 64;
    let entries = (0..n).map(|i| ((i, i), 1)).collect();
    let matrix = Triplets {
        rows: n,
        columns: n,
        entries,
    };
    let sandbox = Sandbox::with(&[("m", &matrix.market("integer"))]);
    for policy in ["opt", "lru"] {
        let wanted = [
            "sparse", "cache", "m", "--words", "256", "--line", "8", "--policy", policy,
        ];
        let found = json(&sandbox, &wanted);
        assert_eq!(found["inputs"]["policy"], policy);
        let x = found["result"]["arrays"]
            .as_array()
            .unwrap()
            .iter()
            .find(|array| array["array"] == "x");
        let x = x.unwrap();
        assert_eq!(
            (&x["accesses"], &x["misses"], &x["cold"]),
            (&64.into(), &8.into(), &8.into())
        );
    }
    let misses = |words: &str, policy: &str| {
        let matrix = random(200, 200, 2000, 5).market("integer");
        sandbox.write("r", matrix.as_bytes());
        let wanted = [
            "sparse", "cache", "r", "--words", words, "--line", "4", "--policy", policy,
        ];
        json(&sandbox, &wanted)["result"]["total"]["misses"]
            .as_u64()
            .unwrap()
    };
    assert!(misses("64", "opt") <= misses("64", "lru"));
    assert!(misses("1024", "opt") <= misses("64", "opt"));
    let text = sandbox.succeed(&["sparse", "cache", "m"]);
    assert!(text.contains("array") && text.contains("total"), "{text}");
}

#[test]
fn patterns_are_drawn() {
    let matrix = random(700, 700, 3000, 2);
    let sandbox = Sandbox::with(&[("m", &matrix.market("integer"))]);
    sandbox.succeed(&["sparse", "show", "m", "-o", "m.png"]);
    sandbox.succeed(&[
        "sparse",
        "show",
        "m",
        "--compare",
        "gray",
        "--compare",
        "rcm",
        "--compare",
        "bipartite",
        "--compare",
        "bordered",
        "--compare",
        "auto",
        "-o",
        "m.svg",
    ]);
    let bytes = std::fs::read(sandbox.path("m.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert!(frame.width > 300 && frame.height > 300);
    assert!(pixels.iter().any(|&value| value < 100));
    let svg = sandbox.read("m.svg");
    for part in [
        "<svg",
        "as given",
        "Gray code order",
        "reverse Cuthill-McKee order",
        "bipartite Cuthill-McKee order",
        "bordered Cuthill-McKee order",
        "the order chosen",
        "700 x 700",
        "</svg>",
    ] {
        assert!(svg.contains(part), "{part}");
    }
    assert_eq!(svg.matches("<image").count(), 6);
    let found = json(&sandbox, &["sparse", "show", "m", "-o", "again.PNG"]);
    assert_eq!(
        (&found["result"]["picture"], &found["inputs"]["nonzeros"]),
        (&"again.PNG".into(), &matrix.entries.len().into())
    );
    sandbox.write(
        "empty",
        b"%%MatrixMarket matrix coordinate real general\n0 0 0\n",
    );
    sandbox.succeed(&["sparse", "show", "empty", "-o", "empty.png"]);
}
