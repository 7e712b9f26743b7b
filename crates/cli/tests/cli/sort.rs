//! `sunzi sort`, on good and on wrong input.

use crate::common::Sandbox;
use rug::Integer;
use rug::integer::Order;
use sunzi_testkit::Random;

/// Integers of all sizes, with equal ones and neighbours of powers of two among them.
fn integers(count: u64, seed: u64, negative: bool) -> Vec<Integer> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|i| {
            let size = random.below(4);
            let value = match size {
                0 => Integer::from(random.below(10)),
                1 => Integer::from(random.below(1 << 40)),
                2 => (Integer::from(1) << random.below(200) as u32) - random.below(3) as u32,
                _ => Random::new(seed + i)
                    .decimal(1 + random.below(300) as usize)
                    .parse()
                    .unwrap(),
            };
            match negative && random.below(2) == 1 {
                true => -value,
                false => value.max(Integer::new()),
            }
        })
        .collect()
}

fn lines(values: &[Integer]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// The place of a code word in the Gray code: the exclusive or of all its shifts.
fn rank(code: &Integer) -> Integer {
    let mut rank = Integer::new();
    let mut shifted = code.clone();
    while shifted != 0 {
        rank ^= &shifted;
        shifted >>= 1;
    }
    rank
}

/// An integer as the positions of its ones, the highest first.
fn positions(value: &Integer) -> String {
    let ones: Vec<String> = (0..value.significant_bits())
        .rev()
        .filter(|&bit| value.get_bit(bit))
        .map(|bit| bit.to_string())
        .collect();
    match ones.is_empty() {
        true => "none".to_owned(),
        false => ones.join(" "),
    }
}

#[test]
fn integers_of_any_size_are_sorted() {
    for (count, negative) in [(1, true), (2, true), (500, true), (500, false)] {
        let mut values = integers(count, count + 3, negative);
        let sandbox = Sandbox::with(&[("a", &lines(&values))]);
        values.sort();
        for threads in ["1", "2"] {
            let sorted = sandbox.succeed(&["sort", "a", "--threads", threads]);
            assert_eq!(sorted, lines(&values));
        }
        let mut unique = values.clone();
        unique.dedup();
        assert_eq!(sandbox.succeed(&["sort", "a", "--unique"]), lines(&unique));
        values.reverse();
        assert_eq!(sandbox.succeed(&["sort", "a", "--reverse"]), lines(&values));
        unique.reverse();
        let both = sandbox.succeed(&["sort", "a", "--reverse", "--unique"]);
        assert_eq!(both, lines(&unique));
    }
}

#[test]
fn words_are_sorted() {
    let mut random = Random::new(1);
    for range in [2u64, 1000, 1 << 33, u64::MAX] {
        for negative in [false, true] {
            let mut values: Vec<Integer> = (0..20_000)
                .map(|_| Integer::from(random.below(range)))
                .map(|value| match negative {
                    true => value - range / 2,
                    false => value,
                })
                .collect();
            values.extend([0, 1].map(Integer::from));
            if negative {
                values.extend([i64::MIN, i64::MIN + 1, i64::MAX].map(Integer::from));
            }
            let sandbox = Sandbox::with(&[("a", &lines(&values))]);
            values.sort();
            assert!(sandbox.succeed(&["sort", "a"]) == lines(&values), "{range}");
            if !negative {
                values.sort_by_key(rank);
                let sorted = sandbox.succeed(&["sort", "a", "--order", "gray"]);
                assert!(sorted == lines(&values), "{range}");
            }
        }
    }
}

#[test]
fn gray_codes_are_sorted_by_rank() {
    let first: Vec<Integer> = (0..16).map(Integer::from).collect();
    let sandbox = Sandbox::with(&[("a", &lines(&first))]);
    let sorted = sandbox.succeed(&["sort", "a", "--order", "gray"]);
    let expected = "0 1 3 2 6 7 5 4 12 13 15 14 10 11 9 8";
    assert_eq!(sorted.trim().replace('\n', " "), expected);

    let mut values = integers(400, 9, false);
    sandbox.write("a", lines(&values).as_bytes());
    values.sort_by_key(rank);
    for threads in ["1", "2"] {
        let sorted = sandbox.succeed(&["sort", "a", "--order", "gray", "--threads", threads]);
        assert_eq!(sorted, lines(&values));
    }
    values.reverse();
    let sorted = sandbox.succeed(&["sort", "a", "--order", "gray", "--reverse"]);
    assert_eq!(sorted, lines(&values));
}

#[test]
fn integers_are_sorted_by_the_positions_of_their_ones() {
    let mut values = integers(400, 17, false);
    values.push(Integer::from_digits(&[u64::MAX; 9], Order::Lsf));
    let text = |values: &[Integer]| -> String {
        values.iter().map(|value| positions(value) + "\n").collect()
    };
    let sandbox = Sandbox::with(&[("a", &text(&values))]);
    for (order, by_rank) in [("value", false), ("gray", true)] {
        values.sort_by_key(|value| if by_rank { rank(value) } else { value.clone() });
        for threads in ["1", "2"] {
            let wanted = ["sort", "a", "--bits", "sparse", "--order", order];
            let sorted = sandbox.succeed(&[&wanted[..], &["--threads", threads]].concat());
            assert_eq!(sorted, text(&values));
        }
    }
    values.sort();
    values.dedup();
    values.reverse();
    let sorted = sandbox.succeed(&["sort", "a", "--bits", "sparse", "--reverse", "--unique"]);
    assert_eq!(sorted, text(&values));
}

#[test]
fn positions_may_come_in_any_order() {
    let input = "# nine\n0 3\n\n5\t1 # thirty-four\nnone\n4294967294 0\n 3 0\n";
    let sandbox = Sandbox::with(&[("a", input)]);
    assert_eq!(
        sandbox.succeed(&["sort", "a", "--bits", "sparse"]),
        "none\n3 0\n3 0\n5 1\n4294967294 0\n"
    );
    let found = sandbox.json(&["sort", "a", "--bits", "sparse", "--unique"]);
    let expected = serde_json::json!([[], [3, 0], [5, 1], [4_294_967_294u32, 0]]);
    assert_eq!(found["results"], expected);
}

#[test]
fn json_tells_what_ran() {
    let sandbox = Sandbox::with(&[("a", "0x10\n-3\n+7 # seven\n-3\n")]);
    let found = sandbox.json(&["sort", "a", "--unique"]);
    assert_eq!(found["command"], "sort");
    assert_eq!(found["inputs"]["bits"], "dense");
    assert_eq!(found["inputs"]["order"], "value");
    assert_eq!(
        (&found["inputs"]["reverse"], &found["inputs"]["unique"]),
        (&false.into(), &true.into())
    );
    assert_eq!(
        (&found["details"]["read"], &found["details"]["written"]),
        (&4.into(), &3.into())
    );
    assert_eq!(found["results"], serde_json::json!(["-3", "7", "16"]));
    assert!(found["algorithm"].is_string() && found["seconds"]["total"].is_number());
    let outcome = sandbox.run_with_input(&["sort", "-"], b"2\n10\n1\n");
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(0), "1\n2\n10\n")
    );
    assert_eq!(sandbox.succeed(&["sort", "a", "-o", "a"]), "");
    assert_eq!(sandbox.read("a"), "-3\n-3\n7\n16\n");
}

#[test]
fn wrong_lines_are_located() {
    let sandbox = Sandbox::with(&[]);
    let refused = |text: &str, more: &[&str]| {
        sandbox.write("a", text.as_bytes());
        sandbox.fail(2, &[&["sort", "a", "-o", "out"], more].concat())
    };
    let sparse = ["--bits", "sparse"];
    assert_eq!(
        refused("1\n# comment\n 2x\n", &[]),
        "sunzi: a, line 3, column 3: 'x' is not a decimal digit\n"
    );
    assert_eq!(
        refused("1\n2 3\n", &[]),
        "sunzi: a, line 2, column 2: a space is not a decimal digit: write one integer a line\n"
    );
    assert_eq!(
        refused("1.5\n", &[]),
        "sunzi: a, line 1, column 2: '.' is not a decimal digit\n"
    );
    assert_eq!(
        refused("1\n -2\n", &["--order", "gray"]),
        "sunzi: a, line 2, column 2: a negative integer has no place in the Gray code: leave --order gray out\n"
    );
    assert_eq!(
        refused("1\n7 5  7\n", &sparse),
        "sunzi: a, line 2, column 6: position 7 stands twice in this line\n"
    );
    assert_eq!(
        refused("1 -2\n", &sparse),
        "sunzi: a, line 1, column 3: -2 is no position of a one: write numbers from 0 on, or `none`\n"
    );
    for (line, column) in [("none 3", 1), ("3 none", 3)] {
        assert_eq!(
            refused(&format!("{line}\n"), &sparse),
            format!(
                "sunzi: a, line 1, column {column}: `none` is 0, which has no ones: it stands alone in its line\n"
            )
        );
    }
    assert_eq!(
        refused("4294967295\n", &sparse),
        "sunzi: a, line 1, column 1: the position is too large: the greatest is 4294967294\n"
    );
    for empty in ["", "\n\n", "# nothing\n"] {
        let said = "sunzi: a: the file holds no integer: write one a line\n";
        assert_eq!(refused(empty, &[]), said);
        assert_eq!(refused(empty, &sparse), said);
    }
}

#[test]
fn wrong_usage_is_refused() {
    let sandbox = Sandbox::with(&[("a", "3\n1\n")]);
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    for (code, arguments) in [
        (2, &["sort"][..]),
        (2, &["sort", "a", "b"]),
        (2, &["sort", "absent"]),
        (2, &["sort", "folder"]),
        (2, &["sort", "a", "-o", "folder"]),
        (2, &["sort", "a", "--bits", "few"]),
        (2, &["sort", "a", "--order", "grey"]),
        (1, &["sort", "a", "--max-memory", "10"]),
        (2, &["sort", "a", "--device", "cuda"]),
    ] {
        assert_ne!(sandbox.fail(code, arguments), "", "{arguments:?}");
    }
    let said = sandbox.fail(1, &["sort", "a", "--max-memory", "10"]);
    assert!(
        said.starts_with("sunzi: a: the sorting needs at least about")
            && said.contains("of memory, and 10 bytes can be used"),
        "{said}"
    );
}

#[test]
fn random_bytes_never_crash_the_program() {
    let sandbox = Sandbox::with(&[]);
    let mut random = Random::new(5);
    let alphabet = b"0123456789 -+x#\n\n\n\r\t.nz\xff\0";
    for _ in 0..40 {
        let text = random.text(alphabet, 40);
        sandbox.write("a", &text);
        for bits in ["dense", "sparse"] {
            let outcome = sandbox.run(&["sort", "a", "--bits", bits]);
            assert!(matches!(outcome.code, Some(0 | 2)), "{text:?}: {outcome:?}");
            assert!(!outcome.stderr.contains("panicked"), "{outcome:?}");
        }
    }
}
