//! Files of sparse matrices, as `sunzi sparse …` reads and writes them.

use crate::common::Sandbox;

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
    let found = sandbox.json(&["sparse", "spmv", "m", "x", "--repeat", "5"]);
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
fn halves_and_compressed_files_are_written_on_demand() {
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
    let compressed = std::fs::read(sandbox.path("half.mtx.gz")).unwrap();
    assert_eq!(compressed[..2], [0x1f, 0x8b]);
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
    let facts = sandbox.json(&["sparse", "info", "m", "--max-memory", "1M"]);
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
    sandbox.write("compressed", &sunzi_testkit::gzip(plain));
    let run = |file: &str| sandbox.succeed(&["sparse", "spmv", file]);
    assert_eq!(run("plain"), "1\n-3\n");
    assert_eq!(run("compressed"), "1\n-3\n");
    assert_eq!(run("array"), "1\n-3\n");
    assert_eq!(run("skew"), "3\n-3\n");
    assert_eq!(run("pattern"), "1\n1\n");
    let outcome = sandbox.run_with_input(&["sparse", "spmv", "-"], plain.as_bytes());
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(0), "1\n-3\n")
    );
    let values = |file: &str| sandbox.json(&["sparse", "info", file])["result"]["values"].clone();
    assert_eq!(
        (values("plain"), values("array"), values("pattern")),
        ("integer".into(), "real".into(), "pattern".into())
    );
    let symmetric =
        |file: &str| sandbox.json(&["sparse", "info", file])["result"]["symmetric"].clone();
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
    let facts = &sandbox.json(&["sparse", "info", "long"])["result"];
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
    let sum = sandbox.succeed(&["sparse", "reorder", "sum", "--method", "gray"]);
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
