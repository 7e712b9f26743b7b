//! Matrix Market files: what they mean, and what is wrong with them.

use std::io::{self, Read};

use sunzi_field::{AnyField, Field, Fp32, Fp64};
use sunzi_linalg::DenseMatrix;
use sunzi_sparse::matrix_market::{
    Integers, Places, Reader, Reals, ResidueRows, Residues, Symmetry, Warning, read, read_dense,
};
use sunzi_testkit::{Pieces, gzip};

/// The header of most files.
pub const GENERAL: &str = "%%MatrixMarket matrix coordinate real general\n";

fn rows(matrix: &DenseMatrix<f64>) -> Vec<Vec<f64>> {
    (0..matrix.rows()).map(|i| matrix.row(i).to_vec()).collect()
}

/// Reads a file in both ways, which must agree.
pub fn both(text: &str) -> Vec<Vec<f64>> {
    let dense = read_dense(text.as_bytes(), &Reals).unwrap();
    let sparse = read(text.as_bytes(), &Reals).unwrap();
    let mut again = DenseMatrix::from_fn(sparse.rows(), sparse.columns(), |_, _| 0.0);
    for (i, j, value) in sparse.iter() {
        again[(i as usize, j as usize)] = value;
    }
    assert_eq!(dense, again);
    rows(&dense)
}

#[test]
fn every_format_is_read() {
    let head = |kind: &str, body: &str| format!("%%MatrixMarket matrix {kind}\n{body}");
    assert_eq!(
        both(&head(
            "coordinate real general",
            "2 3 2\n1 3 1.5\n2 1 -2e3\n"
        )),
        [[0.0, 0.0, 1.5], [-2000.0, 0.0, 0.0]]
    );
    assert_eq!(
        both(&head("coordinate integer symmetric", "2 2 2\n1 1 4\n2 1 3")),
        [[4.0, 3.0], [3.0, 0.0]]
    );
    assert_eq!(
        both(&head("coordinate real skew-symmetric", "2 2 1\n2 1 3\n")),
        [[0.0, -3.0], [3.0, 0.0]]
    );
    assert_eq!(
        both(&head("coordinate pattern symmetric", "2 2 2\n2 1\n2 2\n")),
        [[0.0, 1.0], [1.0, 1.0]]
    );
    assert_eq!(
        both(&head("array real general", "2 3\n1\n2\n3\n4\n5\n6\n")),
        [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]
    );
    assert_eq!(
        both(&head("array integer symmetric", "3 3\n1\n2\n3\n4\n5\n6\n")),
        [[1.0, 2.0, 3.0], [2.0, 4.0, 5.0], [3.0, 5.0, 6.0]]
    );
    assert_eq!(
        both(&head("array real skew-symmetric", "3 3\n1\n2\n3\n")),
        [[0.0, -1.0, -2.0], [1.0, 0.0, -3.0], [2.0, 3.0, 0.0]]
    );
    // Several numbers of an array in a line.
    assert_eq!(
        both(&head("array real general", "2 2\n1 2\n3 4\n")),
        [[1.0, 3.0], [2.0, 4.0]]
    );
    // Sizes of nothing.
    assert_eq!(both(&head("array real skew-symmetric", "1 1\n")), [[0.0]]);
    assert!(both(&head("array real skew-symmetric", "0 0\n")).is_empty());
    assert!(both(&head("coordinate real general", "0 5 0\n")).is_empty());
    // Repeated entries are summed.
    assert_eq!(
        both(&head("coordinate real general", "1 1 2\n1 1 2\n1 1 3\n")),
        [[5.0]]
    );
}

#[test]
fn layout_is_free() {
    let text = "%%matrixmarket MATRIX Coordinate REAL General  \r\n% a comment\r\n\r\n%\r\n \t\r\n 2\t2  2 \r\n\r\n  1 1 +1.5\r\n% between\r\n2 2 .5\r\n\r\n";
    assert_eq!(both(text), [[1.5, 0.0], [0.0, 0.5]]);
    let latin = [GENERAL.as_bytes(), b"% B\xe9zout\n1 1 1\n1 1 3\n"].concat();
    assert_eq!(read(&latin[..], &Reals).unwrap().values(), [3.0]);
}

#[test]
fn values_become_what_is_asked_for() {
    let text = "%%MatrixMarket matrix coordinate integer general\n1 3 3\n1 1 -1\n1 2 123456789012345678901234567890\n1 3 +7\n";
    let integers = read_dense(text.as_bytes(), &Integers).unwrap();
    let shown: Vec<String> = integers.row(0).iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["-1", "123456789012345678901234567890", "7"]);
    let field = Fp64::new((1 << 61) - 1).unwrap();
    let residues = read(text.as_bytes(), &Residues(&field)).unwrap();
    let expected: Vec<u64> = integers
        .row(0)
        .iter()
        .map(|n| field.from_integer(n))
        .collect();
    assert_eq!(residues.values(), expected);
    assert_eq!(
        read(text.as_bytes(), &Places).unwrap().column_indices(),
        [0, 1, 2]
    );

    let exact = |value: &str| {
        let text = format!("{GENERAL}1 1 1\n1 1 {value}\n");
        let read = read_dense(text.as_bytes(), &Integers);
        read.map(|matrix| matrix[(0, 0)].to_string())
            .map_err(|error| error.to_string())
    };
    for (value, integer) in [
        ("1.0", "1"),
        ("-1.000e+00", "-1"),
        ("1.25e2", "125"),
        ("+12E3", "12000"),
        ("1200e-2", "12"),
        ("-0.0", "0"),
        ("0e999999999999", "0"),
        (".5e1", "5"),
        ("1e30", "1000000000000000000000000000000"),
    ] {
        assert_eq!(exact(value).as_deref(), Ok(integer), "{value}");
    }
    for (value, sentence) in [
        ("2.5", "line 3, column 5: `2.5` is no integer"),
        ("1e-1", "line 3, column 5: `1e-1` is no integer"),
        (
            "1e4097",
            "line 3, column 5: the exponent of `1e4097` adds more than 4096 zeros to an integer: write its digits, or read it modulo a prime",
        ),
        (
            "1e1000000000",
            "line 3, column 5: the exponent of `1e1000000000` adds more than 4096 zeros to an integer: write its digits, or read it modulo a prime",
        ),
        (
            "10e9223372036854775807",
            "line 3, column 5: `10e9223372036854775807` is too large",
        ),
        (
            "1e99999999999999999999",
            "line 3, column 5: `1e99999999999999999999` is no number",
        ),
        (
            "-1.5e-9223372036854775808",
            "line 3, column 5: `-1.5e-9223372036854775808` is too large",
        ),
        ("nan", "line 3, column 5: `nan` is no number"),
        ("--1", "line 3, column 5: `--1` is no number"),
        (".", "line 3, column 5: `.` is no number"),
        ("1_000", "line 3, column 5: `1_000` is no number"),
    ] {
        assert_eq!(exact(value), Err(sentence.to_owned()));
    }
    assert_eq!(exact("1e4096"), Ok("1".to_owned() + &"0".repeat(4096)));
    // Zeros that are written are as many as anyone likes.
    let written = "1".to_owned() + &"0".repeat(200_000);
    assert_eq!(exact(&written).as_ref(), Ok(&written));
    assert_eq!(exact(&format!("{written}.00e1")), Ok(written + "0"));
    let field = Fp32::new(7).unwrap();
    // 10^6 = 1 modulo 7.
    for (value, residue) in [
        ("1e6", 1),
        ("1e6000000000001", 3),
        ("-1.5e6000000000001", 6),
        ("1400e6000000000001", 0),
    ] {
        let text = format!("{GENERAL}1 1 1\n1 1 {value}\n");
        let matrix = read(text.as_bytes(), &Residues(&field)).unwrap();
        assert_eq!(matrix.values(), [residue], "{value}");
    }
    let text = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3.0\n";
    assert_eq!(
        read(text.as_bytes(), &Residues(&field)).unwrap().values(),
        [4, 3]
    );
}

#[test]
fn compressed_files_are_decompressed() {
    let text = format!("{GENERAL}2 2 2\n1 1 3\n2 2 4\n");
    let (start, end) = text.as_bytes().split_at(60);
    let members = [gzip(start), gzip(end)].concat();
    for packed in [gzip(&text), members] {
        assert_eq!(read(&packed[..], &Reals).unwrap().values(), [3.0, 4.0]);
        // Byte by byte, as a slow pipe gives them.
        let slow = Pieces::new(&packed, 1, false);
        assert_eq!(read(slow, &Reals).unwrap().values(), [3.0, 4.0]);
        for length in 2..packed.len() {
            // Cut between two members the text is too short, elsewhere the pack is.
            let error = read(&packed[..length], &Reals).unwrap_err().to_string();
            assert!(error.starts_with("line "), "{error}");
        }
    }
    assert_eq!(
        read(Pieces::new(&text, 1, false), &Reals).unwrap().values(),
        [3.0, 4.0]
    );
    let garbage = [gzip(&text), b"more".to_vec()].concat();
    assert!(
        read(&garbage[..], &Reals)
            .unwrap_err()
            .to_string()
            .contains("can't be read on")
    );
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let head = |rest: &str| format!("%%MatrixMarket matrix {rest}");
    let real = |body: &str| format!("{GENERAL}{body}");
    let supported = "matrices are not supported: only real, integer and pattern ones are, general, symmetric or skew-symmetric";
    let no_header = "line 1: the first line must be of the kind `%%MatrixMarket matrix coordinate real general`";
    let cases: Vec<(String, String)> = vec![
        ("".into(), "line 1: the file is empty".into()),
        ("\n".into(), no_header.into()),
        ("1 1 1\n1 1 1\n".into(), no_header.into()),
        ("%MatrixMarket matrix coordinate real general\n".into(), no_header.into()),
        (head("coordinate real\n"), no_header.into()),
        (head("coordinate real general more\n"), no_header.into()),
        ("%%MatrixMarket vector array real general\n".into(), "line 1: `vector` in the header: `matrix` is expected there".into()),
        (head("sparse real general\n"), "line 1: `sparse` in the header: `coordinate` or `array` is expected there".into()),
        (head("array float general\n"), "line 1: `float` in the header: `real`, `integer` or `pattern` is expected there".into()),
        (head("array real diagonal\n"), "line 1: `diagonal` in the header: `general`, `symmetric` or `skew-symmetric` is expected there".into()),
        (head("coordinate complex general\n"), format!("line 1: complex {supported}")),
        (head("coordinate real hermitian\n"), format!("line 1: hermitian {supported}")),
        (head("array pattern general\n"), "line 1: a matrix can't be an array and a pattern".into()),
        (head("coordinate pattern skew-symmetric\n"), "line 1: a matrix can't be a pattern and skew-symmetric".into()),
        (real(""), "line 2: the file ends before the line of sizes".into()),
        (real("% only\n\n"), "line 4: the file ends before the line of sizes".into()),
        (real("2 2\n"), "line 2: the line of sizes has 2 numbers instead of 3: rows, columns and entries".into()),
        (real("2 2 1 1\n"), "line 2: the line of sizes has 4 numbers instead of 3: rows, columns and entries".into()),
        (head("array real general\n2 2 4\n"), "line 2: the line of sizes has 3 numbers instead of 2: rows and columns".into()),
        (real("2 x 1\n"), "line 2, column 3: `x` is no natural number".into()),
        (real("2 -2 1\n"), "line 2, column 3: `-2` is no natural number".into()),
        (real("2 2 1.0\n"), "line 2, column 5: `1.0` is no natural number".into()),
        (real("2 2 99999999999999999999\n"), "line 2, column 5: `99999999999999999999` is too large".into()),
        (real("4294967296 2 1\n"), "line 2: 4294967296 rows are too many: at most 2^32 - 1 are supported".into()),
        (real("2 18446744073709551615 1\n"), "line 2: 18446744073709551615 columns are too many: at most 2^32 - 1 are supported".into()),
        (head("coordinate real symmetric\n2 3 0\n"), "line 2: a symmetric matrix is square, and this has 2 rows and 3 columns".into()),
        (head("array real skew-symmetric\n2 3\n"), "line 2: a skew-symmetric matrix is square, and this has 2 rows and 3 columns".into()),
        (real("2 2 1\n0 1 1\n"), "line 3, column 1: row 0 is not among 1 to 2".into()),
        (real("2 2 1\n\n3 1 1\n"), "line 4, column 1: row 3 is not among 1 to 2".into()),
        (real("2 2 1\n1 0 1\n"), "line 3, column 3: column 0 is not among 1 to 2".into()),
        (real("2 2 1\n1 4294967297 1\n"), "line 3, column 3: column 4294967297 is not among 1 to 2".into()),
        (real("2 2 1\n1 -1 1\n"), "line 3, column 3: `-1` is no natural number".into()),
        (real("2 2 1\n1\n"), "line 3: the line ends where column is expected".into()),
        (real("2 2 1\n1 1\n"), "line 3: the line ends where a value is expected".into()),
        (real("2 2 1\n1 1 1 1\n"), "line 3, column 7: `1` follows after the entry, where the line should end".into()),
        (head("coordinate pattern general\n1 1 1\n1 1 5\n"), "line 3, column 5: `5` follows after the entry, where the line should end".into()),
        (real("2 2 1\n1 1 one\n"), "line 3, column 5: `one` is no number".into()),
        (real("2 2 1\n1 1 NaN\n"), "line 3, column 5: `NaN` is not finite".into()),
        (real("2 2 1\n1 1 -inf\n"), "line 3, column 5: `-inf` is not finite".into()),
        (real("2 2 1\n1 1 1e400\n"), "line 3, column 5: `1e400` is too large for a double".into()),
        (real("2 2 2\n1 1 1e308\n1 1 1e308\n"), "the entries at one place (row 1, column 1) add up to more than a double holds".into()),
        (head("coordinate integer general\n1 1 1\n1 1 1.5\n"), "line 3, column 5: `1.5` is no integer".into()),
        (real("2 2 2\n1 1 1\n"), "line 4: the file ends after 1 of 2 declared entries".into()),
        (real("2 2 18446744073709551615\n1 1 1\n"), "line 4: the file ends after 1 of 18446744073709551615 declared entries".into()),
        (real("2 2 1\n1 1 1\n2 2 1\n"), "line 4, column 1: there are more entries than the 1 that are declared".into()),
        (head("array real general\n2 2\n1\n2\n3\n"), "line 6: the file ends after 3 of 4 declared entries".into()),
        (head("array real general\n2 2\n1 2 3 4 5\n"), "line 3, column 9: there are more entries than the 4 that are declared".into()),
        (head("array real general\n4000000000 4000000000\n1\n"), "line 4: the file ends after 1 of 16000000000000000000 declared entries".into()),
        (head("coordinate real symmetric\n2 2 2\n1 2 3\n2 1 4\n"), "line 5: row 2, column 1 and row 1, column 2 are both given in a symmetric file, with values that do not follow from each other: leave one of them out, or say `general` in the header".into()),
        (head("coordinate real symmetric\n3 3 3\n3 1 3\n1 3 0\n1 1 1\n"), "line 6: row 3, column 1 and row 1, column 3 are both given in a symmetric file".into()),
        (head("coordinate real skew-symmetric\n2 2 2\n1 2 3\n2 1 3\n"), "line 5: row 2, column 1 and row 1, column 2 are both given in a skew-symmetric file".into()),
    ];
    for (text, sentence) in cases {
        let sparse = read(text.as_bytes(), &Reals).unwrap_err().to_string();
        assert!(sparse.contains(&sentence), "{text:?}: {sparse}");
        let dense = read_dense(text.as_bytes(), &Reals).unwrap_err().to_string();
        assert!(dense.contains(&sentence), "{text:?}: {dense}");
    }
    let long = "9".repeat(500) + "x";
    let word = "q".repeat(500);
    let error = read(head(&format!("{word} real general\n")).as_bytes(), &Reals).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "line 1: `{}...` in the header: `coordinate` or `array` is expected there",
            "q".repeat(40)
        )
    );
    let error = read(real(&format!("1 1 1\n1 1 {long}\n")).as_bytes(), &Reals)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        format!("line 3, column 5: `{}...` is no number", "9".repeat(40))
    );
}

/// A coordinate file with these entries, and what is told of it.
fn noted(kind: &str, n: usize, entries: &[&str]) -> (Vec<Vec<f64>>, Vec<String>) {
    let count = entries.len();
    let text = format!(
        "%%MatrixMarket matrix coordinate {kind}\n{n} {n} {count}\n{}\n",
        entries.join("\n")
    );
    let (mut sparse, mut dense) = (Vec::new(), Vec::new());
    let open = || Reader::open(text.as_bytes()).unwrap();
    let matrix = open().with_warnings(&mut sparse).sparse(&Reals).unwrap();
    assert!(open().with_warnings(&mut dense).dense(&Reals).is_ok());
    assert_eq!(sparse, dense);
    let symmetric = open().header().symmetry == Symmetry::Symmetric;
    assert!(!symmetric || Symmetry::of(&matrix) == Symmetry::Symmetric);
    (both(&text), sparse.iter().map(Warning::to_string).collect())
}

#[test]
fn what_breaks_the_format_is_read_and_told() {
    let read = |kind, n, entries: &[&str]| noted(kind, n, entries);
    let above = "above the diagonal of a symmetric file, which holds those below";
    // As scipy.io.mmread reads them.
    assert_eq!(
        read("real symmetric", 3, &["1 1 1", "1 3 5"]),
        (
            vec![
                vec![1.0, 0.0, 5.0],
                vec![0.0, 0.0, 0.0],
                vec![5.0, 0.0, 0.0]
            ],
            vec![format!(
                "line 4: an entry {above}: it is mirrored as they are"
            )]
        )
    );
    assert_eq!(
        read("integer symmetric", 2, &["1 2 5", "2 2 1", "1 2 3"]),
        (
            vec![vec![0.0, 8.0], vec![8.0, 1.0]],
            vec![format!(
                "line 3: the first of 2 entries {above}: they are mirrored as those are"
            )]
        )
    );
    assert_eq!(
        read("pattern symmetric", 2, &["1 2"]).0,
        [[0.0, 1.0], [1.0, 0.0]]
    );
    assert_eq!(
        read("real skew-symmetric", 3, &["3 2 1", "1 3 5"]).0,
        [[0.0, 0.0, 5.0], [0.0, 0.0, -1.0], [-5.0, 1.0, 0.0]]
    );
    assert_eq!(
        read("real skew-symmetric", 2, &["1 1 5", "2 1 7", "2 2 0"]),
        (
            vec![vec![5.0, -7.0], vec![7.0, 0.0]],
            vec![
                "line 3: the first of 2 entries on the diagonal of a skew-symmetric file, which should have none: they are \
                 kept as they are"
                    .to_owned()
            ]
        )
    );
    let told = read("real skew-symmetric", 2, &["2 2 3", "1 2 5"]).1;
    assert_eq!(
        told,
        [
            "line 4: an entry above the diagonal of a skew-symmetric file, which holds those below: it is mirrored as they are",
            "line 3: an entry on the diagonal of a skew-symmetric file, which should have none: it is kept as it is",
        ]
    );
    // What is as it should be is not told of.
    for entries in [&["2 1 5", "2 2 1"][..], &[]] {
        assert!(read("real symmetric", 2, entries).1.is_empty());
    }
    assert!(read("real general", 2, &["1 2 5", "1 1 4"]).1.is_empty());
    assert!(read("real skew-symmetric", 2, &["2 1 5"]).1.is_empty());
}

#[test]
fn a_place_given_on_both_sides_counts_once() {
    let once = "1 place is given below the diagonal, too: it counts once";
    let (matrix, told) = noted("real symmetric", 2, &["1 2 5", "2 1 5", "2 2 7"]);
    assert_eq!(matrix, [[0.0, 5.0], [5.0, 7.0]]);
    assert!(told.len() == 1 && told[0].ends_with(once), "{told:?}");
    let entries = ["1 2 5", "2 1 -5", "3 1 2", "1 3 -2", "3 2 1"];
    let (matrix, told) = noted("real skew-symmetric", 3, &entries);
    assert_eq!(
        matrix,
        [[0.0, 5.0, -2.0], [-5.0, 0.0, -1.0], [2.0, 1.0, 0.0]]
    );
    let twice = "2 places are given below the diagonal, too: each counts once";
    assert!(told[0].ends_with(twice), "{told:?}");
    // Those on one side are summed first.
    let entries = ["2 1 2", "1 2 5", "2 1 3"];
    assert_eq!(
        noted("integer symmetric", 2, &entries).0,
        [[0.0, 5.0], [5.0, 0.0]]
    );
    assert_eq!(
        noted("pattern symmetric", 2, &["1 2", "2 1"]).0,
        [[0.0, 1.0], [1.0, 0.0]]
    );
    let text = "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 2 19\n2 1 5\n";
    let field = Fp32::new(7).unwrap();
    // 19 = 5 modulo 7 alone.
    let matrix = read(text.as_bytes(), &Residues(&field)).unwrap();
    assert_eq!(matrix.values(), [5, 5]);
    let rows = ResidueRows::new(&AnyField::generalized_fermat(2, 4).unwrap());
    assert!(read(text.as_bytes(), &rows).is_err());
    let rows = ResidueRows::new(&AnyField::generalized_fermat(10, 2).unwrap());
    let text = text.replace("19", "106");
    assert_eq!(read(text.as_bytes(), &rows).unwrap().nnz(), 2);
    let error = read_dense(text.as_bytes(), &Integers).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("row 2, column 1 and row 1, column 2")
    );
    assert_eq!(read(text.as_bytes(), &Places).unwrap().nnz(), 2);
}

#[test]
fn unsigned_integers_are_integers() {
    let text = "%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 18446744073709551615\n";
    let matrix = read_dense(text.as_bytes(), &Integers).unwrap();
    assert_eq!(matrix[(0, 0)], u64::MAX);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let entry = [GENERAL.as_bytes(), b"1 1 1\n1 1 \xff\xfe\n"].concat();
    let error = read(&entry[..], &Reals).unwrap_err().to_string();
    assert_eq!(error, "line 3, column 5: the line is not UTF-8 text");
    let index = [GENERAL.as_bytes(), b"1 1 1\n1 \xff 1\n"].concat();
    let error = read(&index[..], &Reals).unwrap_err().to_string();
    assert_eq!(error, "line 3, column 3: `\u{fffd}` is no natural number");
    let error = read(&b"%%MatrixMarket \xff\n"[..], &Reals)
        .unwrap_err()
        .to_string();
    assert_eq!(error, "line 1: the line is not UTF-8 text");
}

/// A file that goes on with one byte for so long.
fn endless(start: &str, byte: u8, count: u64, end: &'static str) -> impl Read {
    let start = io::Cursor::new(start.as_bytes().to_vec());
    start
        .chain(io::repeat(byte).take(count))
        .chain(end.as_bytes())
}

#[test]
fn lines_without_end_are_refused() {
    for (start, line) in [
        (String::new(), 1),
        (GENERAL.to_owned(), 2),
        (format!("{GENERAL}% comment\n\n1 1 1\n1 1 "), 5),
    ] {
        // Without a limit this would not end.
        for byte in [b'1', b' '] {
            let error = read(endless(&start, byte, u64::MAX, ""), &Reals).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "line {line}: the line has more than 64 MiB: break it where there are spaces"
                )
            );
        }
    }
    let comment = format!("{GENERAL}%");
    let file = endless(&comment, b'x', 1 << 27, "\n%\n1 1 1\n1 1 x\n");
    let error = read(file, &Reals).unwrap_err().to_string();
    assert_eq!(error, "line 5, column 5: `x` is no number");
    let file = endless(&comment, b'x', 1 << 27, "\n1 1 1\n1 1 5\n% the end");
    assert_eq!(read(file, &Reals).unwrap().values(), [5.0]);
}

#[test]
fn billions_of_rows_of_nothing_are_read_at_once() {
    let array = "%%MatrixMarket matrix array real general\n";
    for (rows, columns) in [(4_294_967_295, 0), (0, 4_294_967_295)] {
        for text in [
            format!("{array}{rows} {columns}\n"),
            format!("{GENERAL}{rows} {columns} 0\n"),
        ] {
            let matrix = read_dense(text.as_bytes(), &Reals).unwrap();
            assert_eq!((matrix.rows(), matrix.columns()), (rows, columns));
            let error = read_dense(format!("{text}1 1 1\n").as_bytes(), &Reals).unwrap_err();
            assert_eq!(error.line, 3);
        }
    }
}

#[test]
fn sizes_beyond_the_memory_are_refused() {
    let text = "%%MatrixMarket matrix coordinate real general\n4000000000 4000000000 0\n";
    let error = read_dense(text.as_bytes(), &Reals).unwrap_err().to_string();
    assert!(error.starts_with("line 2: this needs about"), "{error}");
}
