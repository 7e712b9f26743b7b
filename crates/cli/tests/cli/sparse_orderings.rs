//! `sunzi sparse reorder`, and what is told of orders.

use crate::common::Sandbox;
use crate::common::sparse::{Triplets, column, parse, random};
use std::collections::BTreeMap;

const METHODS: [&str; 6] = ["gray", "rcm", "bipartite", "bordered", "auto", "random"];

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
        let found = sandbox.json(&["sparse", "reorder", "m", "--method", method, "-o", "-"]);
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
    let counted = sandbox.json(&["sparse", "cache", "ordered", "--words", "256"]);
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

    let found = sandbox.json(&[
        "sparse", "reorder", "hidden", "--method", "auto", "--line", "4", "--words", "128",
    ]);
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
    let found = sandbox.json(&["sparse", "reorder", "hidden", "--method", "bipartite"]);
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
        sandbox.json(&["sparse", "info", "band"])["result"]["upper_bandwidth"],
        1
    );
    assert!(
        sandbox.json(&["sparse", "info", "m"])["result"]["upper_bandwidth"].as_u64() > Some(30)
    );
}
