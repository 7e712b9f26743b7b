//! Input that is well-formed in parts, or large: what is told, and how soon.

use crate::common::Sandbox;

#[test]
fn carriage_returns_within_lines_are_refused_everywhere() {
    let sandbox = Sandbox::with(&[
        ("numbers", "1\r2\r3\n"),
        ("comment", "# one\r1\n2\n"),
        (
            "array",
            "%%MatrixMarket matrix array real general\n2 2\n1\r2\r3\n4\n",
        ),
        (
            "entries",
            "%%MatrixMarket matrix coordinate real general\r2 2 1\r1 1 3\r",
        ),
        (
            "hidden",
            "%%MatrixMarket matrix array real general\n% c\r1 1\n1 1\n3\n",
        ),
        ("two", "1 2\n3 4\n"),
        ("one", "1\n"),
    ]);
    for (command, place) in [
        ("int mul numbers one", "numbers, line 1, column 2"),
        ("poly mul numbers one", "numbers, line 1, column 2"),
        ("poly mul numbers one --mod 97", "numbers, line 1, column 2"),
        (
            "poly eval one numbers --mod 97",
            "numbers, line 1, column 2",
        ),
        ("dft numbers --mod 97", "numbers, line 1, column 2"),
        ("sort numbers", "numbers, line 1, column 2"),
        ("sort comment", "comment, line 1"),
        ("det numbers", "numbers, line 1, column 2"),
        ("det array", "array, line 3, column 2"),
        ("det entries", "entries, line 1, column 46"),
        ("det hidden", "hidden, line 2"),
        ("sparse info array", "array, line 3, column 2"),
        ("sparse spmv array one", "array, line 3, column 2"),
    ] {
        let said = sandbox.fail(2, &command.split(' ').collect::<Vec<_>>());
        let expected = format!("sunzi: {place}: a carriage return without a line feed");
        assert!(said.starts_with(&expected), "{command}: {said}");
    }
    // In front of a line feed, or at the end, it belongs to the end of the line.
    sandbox.write("two", b"1 2\r\n3 4\r");
    assert_eq!(sandbox.succeed(&["det", "two"]), "-2\n");
}

#[test]
fn what_is_not_square_is_refused_before_it_is_read() {
    let sandbox = Sandbox::with(&[(
        "header",
        "%%MatrixMarket matrix array integer general\n4000000000 3\nno entries\n",
    )]);
    let said = sandbox.fail(1, &["det", "header"]);
    assert_eq!(
        said,
        "sunzi: header: the matrix has 4000000000 rows and 3 columns; a determinant needs as many rows as columns\n"
    );
    // What stands behind is not read.
    sandbox.write(
        "long",
        ("1 2\n".repeat(3_000_000) + "no number\n").as_bytes(),
    );
    let said = sandbox.fail(1, &["det", "long", "--mod", "97"]);
    assert_eq!(
        said,
        "sunzi: long: the matrix has more than 2 rows and 2 columns; a determinant needs as many rows as columns\n"
    );
    sandbox.write(
        "wide",
        ("1 ".repeat(9_000_000) + "\nno number\n").as_bytes(),
    );
    let said = sandbox.fail(1, &["det", "wide", "--float"]);
    assert!(
        said.starts_with(
            "sunzi: wide: the file is too short for as many rows as the entries of its first row, "
        ),
        "{said}"
    );
    // Small ones are, and their sizes told.
    sandbox.write("small", b"1\n2\n3\n");
    let said = sandbox.fail(1, &["det", "small"]);
    assert!(said.contains("has 3 rows and 1 column;"), "{said}");
}

#[test]
fn a_row_is_held_against_the_memory_while_it_is_read() {
    let sandbox = Sandbox::with(&[]);
    let row = "1 ".repeat(20_000_000) + "x";
    // Of what is piped no size is known.
    let outcome = sandbox.run_with_input(&["det", "-", "--max-memory", "100M"], row.as_bytes());
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    // The reader asks now and then; what counts every block may be the first to know.
    let said = outcome.stderr;
    assert!(
        said.starts_with("sunzi: ") && said.lines().count() == 1 && said.contains("100.0 MiB"),
        "{said}"
    );
}

#[test]
fn products_beyond_floating_point_are_refused() {
    let head = "%%MatrixMarket matrix coordinate real general\n";
    let sandbox = Sandbox::with(&[
        (
            "m",
            &format!("{head}2 3 4\n1 1 1\n2 1 1e200\n2 2 1\n2 3 1e308\n"),
        ),
        ("x", "1e200\n2\n3\n"),
        ("cancels", &format!("{head}1 2 2\n1 1 1e308\n1 2 -1e308\n")),
        ("tens", "10\n10\n"),
    ]);
    for json in [&[][..], &["--json"], &["--repeat", "3"]] {
        let said = sandbox.fail(
            1,
            &[&["sparse", "spmv", "m", "x", "-o", "y"][..], json].concat(),
        );
        assert!(
            said.starts_with("sunzi: m: row 2 times the vector is too large for floating point"),
            "{said}"
        );
        let said = sandbox.fail(
            1,
            &[&["sparse", "spmv", "cancels", "tens"][..], json].concat(),
        );
        assert!(said.starts_with("sunzi: cancels: row 1 times"), "{said}");
    }
    sandbox.write("y", b"1\n1e155\n");
    let said = sandbox.fail(1, &["sparse", "spmv", "m", "y", "--transpose"]);
    assert!(said.starts_with("sunzi: m: column 1 times"), "{said}");
}

#[test]
fn options_of_devices_do_not_disturb_the_processor() {
    let sandbox = Sandbox::with(&[("a", "12\n")]);
    for more in [&[][..], &["--device", "cpu"], &["--device", "auto"]] {
        let arguments = [&["int", "mul", "a", "a"][..], more].concat();
        let mut command = sandbox.command(&arguments);
        let output = command.env("SUNZI_GPU_MEMORY", "abc").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(
            (&output.stdout[..], &output.stderr[..]),
            (&b"144\n"[..], &b""[..])
        );
    }
}

#[test]
fn a_byte_order_mark_is_left_out() {
    let sandbox = Sandbox::with(&[(
        "m",
        "\u{feff}%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n",
    )]);
    assert_eq!(sandbox.succeed(&["det", "m"]), "1\n");
    assert!(sandbox.succeed(&["sparse", "info", "m"]).contains("rows"));
    // Columns are counted without it, and one is enough.
    sandbox.write("n", "\u{feff}12 x\n".as_bytes());
    let said = sandbox.fail(2, &["int", "mul", "n", "-e", "2"]);
    assert!(said.starts_with("sunzi: n, line 1, column 3: "), "{said}");
    sandbox.write("n", "\u{feff}\u{feff}12\n".as_bytes());
    sandbox.fail(2, &["int", "mul", "n", "-e", "2"]);
}

#[test]
fn empty_matrices_keep_their_kind() {
    for kind in ["real", "integer", "pattern"] {
        let header = format!("%%MatrixMarket matrix coordinate {kind} general\n2 3 0\n");
        let sandbox = Sandbox::with(&[("m", &header)]);
        let reordered = sandbox.succeed(&["sparse", "reorder", "m", "--method", "gray"]);
        let first = reordered.lines().next().unwrap();
        assert_eq!(first, header.lines().next().unwrap());
    }
}
