//! `sunzi sparse …` on good input: products, systems, generated matrices, descriptions, pictures.

use crate::common::Sandbox;
use crate::common::sparse::{Triplets, column, random};

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
    for text in ["P4", "2^64-2^32+1"] {
        product_is_exact(text);
    }
}

fn product_is_exact(text: &str) {
    let mut matrix = random(30, 40, 300, 13);
    matrix
        .entries
        .values_mut()
        .for_each(|value| *value = value.abs());
    let prime = Sandbox::with(&[]).prime(text);
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
        let found = sandbox.succeed(&["sparse", "spmv", "m", file, "--mod", text]);
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
    let found = sandbox.json(&["sparse", "generate", "grid2d:2,1", "--permuted"]);
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
            sandbox.json(&["sparse", "info", "m"])["result"]["values"],
            "real",
            "{kind}"
        );
    }
}

#[test]
fn systems_are_solved_in_any_order() {
    let sandbox = Sandbox::with(&[]);
    sandbox.succeed(&["sparse", "generate", "grid2d:12,9", "-o", "m"]);
    let b: String = (0..108).map(|i| format!("{}\n", i % 7)).collect();
    sandbox.write("b", b.as_bytes());
    let solution = |more: &[&str]| -> Vec<f64> {
        let outcome = sandbox.run(&[&["sparse", "solve", "m", "b"], more].concat());
        // A note tells when the order pays.
        let notes = if more.is_empty() { 0 } else { 1 };
        assert_eq!(
            (outcome.code, outcome.stderr.lines().count()),
            (Some(0), notes)
        );
        let found = outcome.stdout.lines();
        found.map(|line| line.parse().unwrap()).collect()
    };
    let expected = solution(&[]);
    assert_eq!(expected.len(), 108);
    for method in ["rcm", "gray", "bipartite", "bordered", "auto", "random"] {
        let found = solution(&["--reorder", method]);
        let mut both = found.iter().zip(&expected);
        assert!(both.all(|(x, y)| (x - y).abs() < 1e-6), "{method}");
        let told = sandbox.json(&["sparse", "solve", "m", "b", "--reorder", method]);
        let order = &told["details"]["order"];
        assert_eq!(
            (&order["method"], &told["inputs"]["reorder"]),
            (&method.into(), &method.into())
        );
        assert!(
            order["seconds"].as_f64() > Some(0.0) && order["product_after"].as_f64() > Some(0.0)
        );
    }
    let told = sandbox.json(&["sparse", "solve", "m", "b"]);
    assert!(told["details"]["order"].is_null() && told["inputs"]["reorder"].is_null());
    let outcome = sandbox.run(&["sparse", "solve", "m", "b", "--reorder", "rcm"]);
    assert!(
        outcome.stderr.contains("the order takes"),
        "{}",
        outcome.stderr
    );
    sandbox.write(
        "wide",
        b"%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n",
    );
    let said = sandbox.fail(1, &["sparse", "solve", "wide", "--reorder", "auto"]);
    assert!(said.contains("2 x 3") || said.contains("square"), "{said}");
    sandbox.fail(2, &["sparse", "solve", "m", "--reorder", "best"]);
}

#[test]
fn systems_are_solved() {
    let sandbox = Sandbox::with(&[]);
    sandbox.succeed(&["sparse", "generate", "grid2d:9,7", "-o", "m"]);
    let found = sandbox.json(&["sparse", "solve", "m", "--tolerance", "1e-12"]);
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
fn matrices_are_described() {
    let sandbox = Sandbox::with(&[(
        "m",
        "%%MatrixMarket matrix coordinate real general\n4 3 4\n1 1 5\n1 3 6\n3 1 7\n4 1 0\n",
    )]);
    let found = sandbox.json(&["sparse", "info", "m"]);
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
        let found = sandbox.json(&wanted);
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
        sandbox.json(&wanted)["result"]["total"]["misses"]
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
    let found = sandbox.json(&["sparse", "show", "m", "-o", "again.PNG"]);
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
