//! `sunzi matrix`, on good and on wrong input.

use crate::common::Sandbox;
use crate::common::matrices::{self, PRIMES, hilbert, random, table};
use rug::{Integer, Rational};

type Table = Vec<Vec<Rational>>;

/// A matrix as the program writes it.
fn read(text: &str) -> Table {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| line.split(' ').map(|word| word.parse().unwrap()).collect();
    lines.map(row).collect()
}

fn product(a: &Table, b: &Table) -> Table {
    let entry = |row: &Vec<Rational>, j: usize| -> Rational {
        let terms = row.iter().zip(b).map(|(x, y)| Rational::from(x * &y[j]));
        terms.sum()
    };
    let columns = b.first().map_or(0, Vec::len);
    let row = |row: &Vec<Rational>| (0..columns).map(|j| entry(row, j)).collect();
    a.iter().map(row).collect()
}

/// Runs a command on files `a` and `b`, which must fail and write nothing.
fn refused(code: i32, command: &str, a: &str, b: &str) -> String {
    let sandbox = Sandbox::with(&[("a", a), ("b", b)]);
    let words: Vec<&str> = command.split(' ').collect();
    let said = sandbox.fail(code, &[&words[..], &["-o", "out"]].concat());
    assert_eq!(sandbox.names(), ["a", "b"], "{command}");
    said
}

#[test]
fn small_matrices_over_q() {
    let sandbox = Sandbox::with(&[
        ("a", "1 2\n3 4\n"),
        ("b", "5\n6\n"),
        ("wide", "1 2 3 # one\n2 4 7\n"),
        ("singular", "1 2\n2 4\n"),
        ("ones", "1\n2\n"),
        ("halves", "1/2 0.25\n-1/3 1e1\n"),
        ("zero", "0 0\n0 0\n"),
        ("one", "-4\n"),
        (
            "market",
            "%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 1 2\n2 3 5\n",
        ),
    ]);
    for (arguments, expected) in [
        ("rank a", "2\n"),
        ("rank wide", "2\n"),
        ("rank singular", "1\n"),
        ("rank zero", "0\n"),
        ("rank market", "2\n"),
        ("solve a b", "-4\n9/2\n"),
        ("solve a a", "1 0\n0 1\n"),
        (
            "solve singular ones",
            "1\n0\n# not the only solution: the rank is 1, and there are 2 variables\n",
        ),
        ("inverse a", "-2 1\n3/2 -1/2\n"),
        ("inverse one", "-1/4\n"),
        ("inverse halves", "120/61 -3/61\n4/61 6/61\n"),
        ("nullspace wide", "-2\n1\n0\n"),
        (
            "nullspace a",
            "# no column: only the zero vector is in the nullspace\n",
        ),
        ("nullspace zero", "1 0\n0 1\n"),
        ("nullspace market", "0\n1\n0\n"),
        ("rref wide", "1 2 0\n0 0 1\n"),
        ("rref singular", "1 2\n0 0\n"),
        ("rref market", "1 0 0\n0 0 1\n"),
        ("mul a b", "17\n39\n"),
        ("mul halves a", "5/4 2\n89/3 118/3\n"),
        ("rank a --mod 97", "2\n"),
        ("solve a b --mod 97", "93\n53\n"),
        ("inverse a --mod 97", "95 1\n50 48\n"),
        ("nullspace wide --mod P8", "-2\n1\n0\n"),
        ("rref singular --mod 97", "1 2\n0 0\n"),
        ("mul a a --mod 5", "2 0\n0 2\n"),
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let found = sandbox.succeed(&[&["matrix"], &words[..]].concat());
        let p8 = || sandbox.prime("P8") - 2u32;
        let expected = match arguments.contains("P8") {
            true => expected.replace("-2", &p8().to_string()),
            false => expected.to_owned(),
        };
        assert_eq!(found, expected, "{arguments}");
    }
}

#[test]
fn results_over_q_satisfy_their_equations() {
    for (n, bits) in [(1, 20), (5, 70), (12, 300), (30, 32)] {
        let square = random(n, bits, n as u64);
        let right = random(n, 40, 7 + n as u64);
        let sandbox = Sandbox::with(&[("a", &table(&square)), ("b", &table(&right))]);
        let (a, b) = (read(&table(&square)), read(&table(&right)));
        let multiplied = sandbox.succeed(&["matrix", "mul", "a", "b"]);
        assert_eq!(read(&multiplied), product(&a, &b), "{n}");
        if matrices::bareiss(&square) == 0 {
            continue;
        }
        let solution = sandbox.succeed(&["matrix", "solve", "a", "b"]);
        assert_eq!(product(&a, &read(&solution)), b, "{n}");
        for threads in ["1", "2", "3", "7"] {
            let again = sandbox.succeed(&["matrix", "solve", "a", "b", "--threads", threads]);
            assert_eq!(again, solution, "{n} on {threads} threads");
        }
        // What is written is read back.
        sandbox.succeed(&["matrix", "inverse", "a", "-o", "inverse"]);
        assert_eq!(
            sandbox.succeed(&["matrix", "mul", "inverse", "b"]),
            solution
        );
    }
}

#[test]
fn results_modulo_primes_are_images() {
    let square = random(9, 60, 3);
    let sandbox = Sandbox::with(&[("a", &table(&square)), ("b", &table(&random(9, 50, 4)))]);
    for command in ["solve a b", "inverse a", "mul a b", "rref a"] {
        let words: Vec<&str> = ["matrix"].into_iter().chain(command.split(' ')).collect();
        let exact = read(&sandbox.succeed(&words));
        for prime in PRIMES {
            let p = sandbox.prime(prime);
            let found = sandbox.succeed(&[&words[..], &["--mod", prime]].concat());
            let expected: Vec<Vec<Integer>> = exact
                .iter()
                .map(|row| row.iter().map(|x| matrices::modulo(x, &p)).collect())
                .collect();
            assert_eq!(found, table(&expected), "{command} mod {prime}");
        }
    }
}

#[test]
fn hilbert_matrices_and_their_inverses() {
    let sandbox = Sandbox::with(&[("h", &hilbert(20))]);
    sandbox.succeed(&["matrix", "inverse", "h", "-o", "i"]);
    let product = read(&sandbox.succeed(&["matrix", "mul", "h", "i"]));
    for (i, row) in product.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            assert_eq!(*entry, u32::from(i == j));
        }
    }
    assert_eq!(
        sandbox.succeed(&["matrix", "inverse", "i"]),
        hilbert(20).replace("1/1 ", "1 ")
    );
}

#[test]
fn both_halves_of_a_symmetric_file_count_once_modulo_any_prime() {
    let file =
        "%%MatrixMarket matrix coordinate integer symmetric\n3 3 4\n1 1 4\n1 2 -5\n2 1 -5\n3 3 1\n";
    let sandbox = Sandbox::with(&[("m", file)]);
    for more in ["", " --mod 97", " --mod 2^60-2^18+1", " --mod P8"] {
        let words = format!("matrix rank m{more}");
        let words: Vec<&str> = words.split(' ').collect();
        let told = sandbox.run(&words);
        assert_eq!(
            (told.code, told.stdout.as_str()),
            (Some(0), "3\n"),
            "{more}"
        );
        assert!(told.stderr.ends_with("it counts once\n"), "{}", told.stderr);
    }
}

#[test]
fn json_tells_rank_and_uniqueness() {
    let sandbox = Sandbox::with(&[("a", "1 2\n2 4\n"), ("b", "1\n2\n"), ("c", "2 1\n1 1\n")]);
    let found = sandbox.json(&["matrix", "solve", "a", "b"]);
    assert_eq!(found["command"], "matrix solve");
    assert_eq!(
        (&found["inputs"]["rows"], &found["inputs"]["columns"]),
        (&2.into(), &2.into())
    );
    assert_eq!(found["inputs"]["arithmetic"], "exact");
    assert_eq!(found["results"], serde_json::json!([["1"], ["0"]]));
    assert_eq!(
        (&found["details"]["rank"], &found["details"]["unique"]),
        (&1.into(), &false.into())
    );
    assert!(found["seconds"]["total"].is_number());
    let found = sandbox.json(&["matrix", "inverse", "c", "--mod", "7"]);
    assert_eq!(
        found["results"],
        serde_json::json!([["1", "6"], ["6", "2"]])
    );
    assert_eq!(
        (&found["inputs"]["modulus"], &found["details"]["rank"]),
        (&"7".into(), &2.into())
    );
    assert!(found["details"].get("unique").is_none());
    let found = sandbox.json(&["matrix", "rank", "a"]);
    assert_eq!(found["result"], serde_json::json!({"rank": 1}));
    let found = sandbox.json(&["matrix", "nullspace", "c"]);
    assert_eq!(found["results"], serde_json::json!([]));
}

#[test]
fn what_has_no_answer_is_refused() {
    for more in ["", " --mod 97", " --mod P8"] {
        let singular = refused(1, &format!("matrix inverse a{more}"), "1 2\n2 4\n", "");
        assert_eq!(
            singular,
            "sunzi: a: the matrix is singular: its rank is 1, and it has 2 rows\n"
        );
        let none = refused(
            1,
            &format!("matrix solve a b{more}"),
            "1 2\n2 4\n",
            "1 1\n2 3\n",
        );
        assert_eq!(
            none,
            "sunzi: a: the system has no solution: column 2 of the right side is no combination of the matrix's \
             columns\n"
        );
        let not_square = refused(1, &format!("matrix inverse a{more}"), "1 2 3\n2 4 5\n", "");
        assert_eq!(
            not_square,
            "sunzi: a: the matrix has 2 rows and 3 columns; an inverse needs as many rows as columns\n"
        );
        let shapes = refused(1, &format!("matrix mul a b{more}"), "1 2\n2 4\n", "1\n");
        assert_eq!(
            shapes,
            "sunzi: a has 2 columns and b has 1 row; a product needs as many\n"
        );
        let shapes = refused(1, &format!("matrix solve a b{more}"), "1 2\n", "1\n2\n");
        assert_eq!(
            shapes,
            "sunzi: a has 1 row and b has 2 rows; a system needs as many\n"
        );
        let entry = refused(2, &format!("matrix mul a b{more}"), "1 2\n3 4\n", "1\n4x\n");
        assert_eq!(
            entry,
            "sunzi: b, line 2, column 2: 'x' is not a decimal digit\n"
        );
        let empty = refused(2, &format!("matrix rank a{more}"), "# nothing\n", "");
        assert_eq!(
            empty,
            "sunzi: a: the file holds no row of a matrix: write one a line\n"
        );
    }
    let twice = refused(2, "matrix mul - -", "", "");
    assert_eq!(twice, "sunzi: only one file can be standard input (-)\n");
    let denominator = refused(2, "matrix rank a --mod 7", "1/7\n", "");
    assert_eq!(
        denominator,
        "sunzi: a, line 1, column 3: the denominator 7 is 0 modulo 7, so that there is no such residue\n"
    );
    let device = refused(2, "matrix rank a --device opencl", "1\n", "");
    assert!(
        device.contains("unexpected argument '--device'"),
        "{device}"
    );
}

#[test]
fn what_is_too_large_is_refused_before_it_starts() {
    // Of few rows, the nullspace has nearly as many entries as there are pairs of columns.
    let row = "1 ".repeat(5000);
    for more in ["", " --mod 97"] {
        let said = refused(
            1,
            &format!("matrix nullspace a --max-memory 20M{more}"),
            &row,
            "",
        );
        assert!(
            said.starts_with("sunzi: a: the nullspace needs at least about "),
            "{said}"
        );
    }
    let column = "1\n".repeat(5000);
    let said = refused(1, "matrix mul a b --max-memory 20M", &column, &row);
    assert!(
        said.starts_with("sunzi: a: the product needs at least about "),
        "{said}"
    );
    let dense = table(&random(60, 300, 1));
    let said = refused(1, "matrix inverse a --max-memory 2M", &dense, "");
    assert!(
        said.starts_with("sunzi: a: the inverse needs about "),
        "{said}"
    );
}

#[test]
fn matrices_are_read_as_other_programs_print_them() {
    let sandbox = Sandbox::with(&[
        ("python", "[[1, 2], [3, 4]]\n"),
        ("numpy", "[[1 2]\n [3 4]]\n"),
        ("pari", "[1, 2; 3, 4]\n"),
        ("json", "[\n  [1, 2],\n  [3, 4]\n]\n"),
        ("lists", "[1, 2],\n[3, 4]\n"),
        ("comment", "# two rows\n\n[[1, 2], [3, 4]]  # these\n"),
    ]);
    for file in ["python", "numpy", "pari", "json", "lists", "comment"] {
        assert_eq!(sandbox.succeed(&["det", file]), "-2\n", "{file}");
        assert_eq!(
            sandbox.succeed(&["det", file, "--mod", "97"]),
            "95\n",
            "{file}"
        );
        assert_eq!(
            sandbox.succeed(&["matrix", "inverse", file]),
            "-2 1\n3/2 -1/2\n",
            "{file}"
        );
    }
    for (text, told) in [
        (
            "[[1, 2], [3]]",
            "the row has 1 entry, but the first row, in line 1, has 2",
        ),
        ("[[1, 2], [3, x]]", "line 1, column 14: 'x' is not"),
        ("[[1, 2], [3, 4]", "without the ']' that closes the matrix"),
        (
            "[[1, 2], 3]",
            "line 1, column 10: each row has brackets of its own",
        ),
        ("[[1, [2]]]", "line 1, column 6: a '[' within a row"),
        ("[]", "column 2: "),
    ] {
        let said = sandbox.fail(2, &["det", "-e", text]);
        assert!(said.contains(told), "{text}: {said}");
    }
    // A long row is read whole.
    let row = (0..400)
        .map(|i| i.to_string())
        .collect::<Vec<_>>()
        .join(", ");
    let rows = vec![format!("[{row}]"); 400].join(", ");
    sandbox.write("long", format!("[{rows}]").as_bytes());
    assert_eq!(
        sandbox.succeed(&["matrix", "rank", "long", "--mod", "97"]),
        "1\n"
    );
}

#[test]
fn a_market_file_without_its_first_line_is_no_matrix() {
    let sandbox = Sandbox::with(&[
        ("values", "2 2 2\n1 1 5\n2 2 7\n"),
        ("more", "2 2 4\n1 1 5\n2 2 7\n1 2 1\n2 1 3\n"),
        ("pattern", "3 3 2\n1 1\n3 3\n"),
        ("matrix", "2 2 2\n1 3 5\n2 2 7\n"),
        ("rows", "[[2, 2, 2], [1, 1, 5], [2, 2, 7]]\n"),
    ]);
    for file in ["more", "pattern"] {
        for command in [&["det", file][..], &["matrix", "rank", file]] {
            let said = sandbox.fail(2, command);
            let expected = format!("sunzi: {file}: these are the sizes of a Matrix Market file");
            assert!(said.starts_with(&expected), "{said}");
        }
    }
    // A few rows may be a matrix by chance.
    let outcome = sandbox.run(&["det", "values"]);
    assert_eq!((outcome.code, &*outcome.stdout), (Some(0), "0\n"));
    assert!(
        outcome
            .stderr
            .starts_with("sunzi: note: values: these are the sizes"),
        "{}",
        outcome.stderr
    );
    assert_eq!(sandbox.succeed(&["det", "matrix"]), "20\n");
    assert_eq!(sandbox.succeed(&["det", "rows"]), "0\n");
}
