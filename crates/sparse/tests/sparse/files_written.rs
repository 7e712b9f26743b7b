//! Matrix Market files that are written read back, and changed ones make no reader panic.

use std::collections::BTreeMap;
use std::io::Read;

use proptest::prelude::*;
use sunzi_field::Fp32;
use sunzi_linalg::DenseMatrix;
use sunzi_sparse::{
    CsrMatrix,
    matrix_market::{
        Integers, Places, Reader, Reals, Residues, Symmetry, read, read_dense, write, write_dense,
    },
};
use sunzi_testkit::gzip;

use crate::files::{GENERAL, both};

#[test]
fn no_number_for_what_is_not_finite() {
    let matrix = CsrMatrix::from_triplets(1, 1, &[(0, 0, f64::NAN)]).unwrap();
    let error = write(Vec::new(), &matrix, Symmetry::General, "").unwrap_err();
    assert_eq!(
        error.to_string(),
        "NaN has no place in a Matrix Market file"
    );
    assert!(
        write_dense(
            Vec::new(),
            &DenseMatrix::new(1, 1, vec![()]).unwrap(),
            Symmetry::General,
            ""
        )
        .is_err()
    );
}

#[test]
fn what_is_not_symmetric_is_not_written_so() {
    let written = |triplets: &[(u32, u32, i64)], columns, symmetry| {
        let matrix = CsrMatrix::from_triplets(3, columns, triplets).unwrap();
        let mut file = Vec::new();
        let said = write(&mut file, &matrix, symmetry, "").map_err(|error| error.to_string());
        assert_eq!(said.is_err(), file.is_empty());
        let dense = DenseMatrix::from_fn(3, columns, |i, j| matrix.get(i, j).copied().unwrap_or(0));
        let mut file = Vec::new();
        let dense = write_dense(&mut file, &dense, symmetry, "");
        assert_eq!(dense.is_err(), file.is_empty());
        (said.err().unwrap_or_default(), dense.is_ok())
    };
    let (half, skew) = (Symmetry::Symmetric, Symmetry::SkewSymmetric);
    let cases: [(&[_], usize, Symmetry, &str, bool); 10] = [
        (&[(0, 1, 5), (1, 0, 5)], 3, half, "", true),
        (
            &[(0, 1, 5), (1, 0, 4)],
            3,
            half,
            "the matrix is not symmetric: see row 1, column 2",
            false,
        ),
        (
            &[(2, 1, 5)],
            3,
            half,
            "the matrix is not symmetric: see row 2, column 3",
            false,
        ),
        (
            &[(0, 2, 1), (1, 2, 1), (2, 0, 1)],
            3,
            half,
            "the matrix is not symmetric: see row 2, column 3",
            false,
        ),
        (
            &[(0, 1, 0)],
            3,
            half,
            "the matrix is not symmetric: see row 1, column 2",
            true,
        ),
        (
            &[],
            2,
            half,
            "a symmetric matrix is square, and this has 3 rows and 2 columns",
            false,
        ),
        (
            &[(0, 1, 5), (1, 0, 5)],
            3,
            skew,
            "the matrix is not skew-symmetric: see row 1, column 2",
            false,
        ),
        (&[(1, 1, 0)], 3, skew, "", true),
        (
            &[(1, 1, 2)],
            3,
            skew,
            "the matrix is not skew-symmetric: see row 2, column 2",
            false,
        ),
        (
            &[(0, 1, i64::MIN), (1, 0, i64::MIN)],
            3,
            skew,
            "the matrix is not skew-symmetric: see row 1, column 2",
            false,
        ),
    ];
    for (triplets, columns, symmetry, sentence, dense) in cases {
        assert_eq!(
            written(triplets, columns, symmetry),
            (sentence.to_owned(), dense),
            "{triplets:?}"
        );
    }
    let pattern = CsrMatrix::<u32>::from_triplets(1, 1, &[])
        .unwrap()
        .pattern();
    let error = write(Vec::new(), &pattern, skew, "").unwrap_err();
    assert_eq!(error.to_string(), "a pattern can't be skew-symmetric");
    assert_eq!(Symmetry::of(&pattern), half);
    let nan = CsrMatrix::from_triplets(1, 1, &[(0, 0, f64::NAN)]).unwrap();
    assert_eq!(Symmetry::of(&nan), Symmetry::General);
}

fn finite() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>()
            .prop_map(f64::from_bits)
            .prop_filter("finite", |x| x.is_finite()),
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            0.1,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            1e16,
            1e300
        ]),
    ]
}

fn sparse() -> impl Strategy<Value = CsrMatrix<f64>> {
    (1usize..20, 1usize..20).prop_flat_map(|(rows, columns)| {
        let entry = ((0..rows as u32, 0..columns as u32), finite());
        prop::collection::btree_map(entry.0, entry.1, 0..30).prop_map(move |entries| {
            let triplets: Vec<_> = entries.into_iter().map(|((i, j), x)| (i, j, x)).collect();
            CsrMatrix::from_triplets(rows, columns, &triplets).unwrap()
        })
    })
}

/// Whether a size is so large that reading would take long for nothing.
fn is_huge(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text
        .lines()
        .skip(1)
        .filter(|line| !line.trim_start().starts_with('%') && !line.trim().is_empty());
    lines
        .next()
        .is_some_and(|sizes| sizes.split_whitespace().any(|size| size.len() > 4))
}

/// A file that is read gives a matrix that is as it should be; one that is not, a line.
fn survives(bytes: &[u8]) -> Result<(), TestCaseError> {
    if is_huge(bytes) {
        return Ok(());
    }
    match read(bytes, &Reals) {
        Ok(matrix) => {
            let (rows, columns) = (matrix.rows(), matrix.columns());
            let (starts, indices, values) = matrix.into_parts();
            prop_assert!(values.iter().all(|x| x.is_finite()));
            prop_assert!(CsrMatrix::new(rows, columns, starts, indices, values).is_ok());
        }
        Err(error) => {
            prop_assert!(error.line >= 1);
            let shown = error.to_string();
            prop_assert!(shown.starts_with("line ") && shown.len() < 400);
        }
    }
    let _ = read_dense(bytes, &Integers);
    let _ = read(bytes, &Places);
    let _ = read(bytes, &Residues(&Fp32::new(7).unwrap()));
    Ok(())
}

/// Changes of a file: bytes replaced, inserted, removed, the rest cut off.
fn mutated(bytes: &[u8], changes: &[(usize, u8, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for &(place, byte, kind) in changes {
        let place = place % (bytes.len() + 1);
        let byte = if kind & 8 == 0 {
            byte
        } else {
            b"0123456789 \n%-+.eE"[byte as usize % 18]
        };
        match kind % 8 {
            0..3 if place < bytes.len() => bytes[place] = byte,
            3..5 => bytes.insert(place, byte),
            5..7 if place < bytes.len() => drop(bytes.remove(place)),
            7 => bytes.truncate(place),
            _ => {}
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn written_files_read_back(matrix in sparse()) {
        let mut file = Vec::new();
        write(&mut file, &matrix, Symmetry::General, "two\nlines").unwrap();
        let again = read(&file[..], &Reals).unwrap();
        let bits = |m: &CsrMatrix<f64>| m.map(|x| x.to_bits());
        prop_assert_eq!(bits(&again), bits(&matrix));
        let pattern = matrix.pattern();
        let mut file = Vec::new();
        write(&mut file, &pattern, Symmetry::General, "").unwrap();
        prop_assert_eq!(read(&file[..], &Places).unwrap(), pattern);
    }

    #[test]
    fn halves_read_back_whole(
        n in 0u32..12,
        entries in prop::collection::vec((any::<(u32, u32)>(), any::<i32>()), 0..40),
    ) {
        let below: Vec<_> = entries
            .iter()
            .filter(|_| n > 0)
            .map(|&((i, j), value)| ((i % n).max(j % n), (i % n).min(j % n), i64::from(value)))
            .collect();
        let with_mirror = |sign: i64| {
            let mirrored = below.iter().map(|&(i, j, value)| (j, i, sign * value));
            let all = below.iter().copied().chain(mirrored).filter(|&(i, j, _)| sign > 0 || i != j);
            let sum = |a, b| a + b;
            CsrMatrix::from_triplets_with(n as usize, n as usize, &all.collect::<Vec<_>>(), sum).unwrap()
        };
        for (symmetry, matrix) in [(Symmetry::Symmetric, with_mirror(1)), (Symmetry::SkewSymmetric, with_mirror(-1))] {
            let mut file = Vec::new();
            write(&mut file, &matrix.map(|&x| x as f64), symmetry, "half").unwrap();
            prop_assert_eq!(Reader::open(&file[..]).unwrap().header().symmetry, symmetry);
            prop_assert_eq!(read(&file[..], &Reals).unwrap(), matrix.map(|&x| x as f64));
            let dense = DenseMatrix::from_fn(n as usize, n as usize, |i, j| matrix.get(i, j).copied().unwrap_or(0));
            let dense = dense.map(|&x| sunzi_integer::Integer::from(x));
            let mut file = Vec::new();
            write_dense(&mut file, &dense, symmetry, "").unwrap();
            prop_assert_eq!(read_dense(&file[..], &Integers).unwrap(), dense);
        }
        let pattern = with_mirror(1).pattern();
        let mut file = Vec::new();
        write(&mut file, &pattern, Symmetry::Symmetric, "").unwrap();
        prop_assert_eq!(read(&file[..], &Places).unwrap(), pattern);
    }

    #[test]
    fn entries_may_be_on_either_side(
        n in 1u32..12,
        entries in prop::collection::vec((any::<(u32, u32)>(), any::<i32>(), 0u8..3), 0..40),
        skew in any::<bool>(),
    ) {
        let sign = if skew { -1 } else { 1 };
        let mut expected = vec![vec![0; n as usize]; n as usize];
        let mut lines = BTreeMap::new();
        for ((i, j), value, sides) in entries {
            let (i, j) = ((i % n).max(j % n), (i % n).min(j % n));
            let (below, value) = ((i as usize, j as usize), i64::from(value));
            expected[below.0][below.1] = value;
            let (below, above) = (format!("{} {} {value}", i + 1, j + 1), format!("{} {} {}", j + 1, i + 1, sign * value));
            if i == j {
                lines.insert((i, j), below);
                continue;
            }
            expected[j as usize][i as usize] = sign * value;
            lines.insert((i, j), [below.clone(), above.clone(), format!("{above}\n{below}")][sides as usize].clone());
        }
        let body: Vec<String> = lines.into_values().collect();
        let body = body.join("\n");
        let kind = if skew { "skew-symmetric" } else { "symmetric" };
        let text = format!("%%MatrixMarket matrix coordinate integer {kind}\n{n} {n} {}\n{body}\n", body.lines().count());
        let matrix = read_dense(text.as_bytes(), &Integers).unwrap();
        for (i, row) in expected.iter().enumerate() {
            let row: Vec<sunzi_integer::Integer> = row.iter().map(|&x| x.into()).collect();
            prop_assert_eq!(matrix.row(i), &row[..]);
        }
        both(&text);
    }

    #[test]
    fn written_integers_read_back(rows in 0usize..6, columns in 0usize..6, numbers in prop::collection::vec(any::<i64>(), 36)) {
        let matrix = DenseMatrix::from_fn(rows, columns, |i, j| sunzi_integer::Integer::from(numbers[6 * i + j]).pow(3));
        let mut file = Vec::new();
        write_dense(&mut file, &matrix, Symmetry::General, "").unwrap();
        prop_assert_eq!(read_dense(&file[..], &Integers).unwrap(), matrix);
    }

    #[test]
    fn changed_files_are_read_or_refused(
        matrix in sparse(),
        kind in 0usize..6,
        changes in prop::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 1..8),
    ) {
        let mut file = Vec::new();
        match kind {
            0 => write(&mut file, &matrix.pattern(), Symmetry::General, "").unwrap(),
            1 => write_dense(&mut file, &DenseMatrix::new(2, 2, vec![1i64, -2, 3, -4]).unwrap(), Symmetry::General, "").unwrap(),
            2 => file.extend_from_slice(b"%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 4\n2 1 -3\n3 2 100\n"),
            3 => file.extend_from_slice(b"%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2.5\n3e1\n"),
            _ => write(&mut file, &matrix, Symmetry::General, "").unwrap(),
        }
        survives(&mutated(&file, &changes))?;
        let packed = mutated(&gzip(&file), &changes);
        if packed.starts_with(&[0x1f, 0x8b]) {
            // Sizes are protected by a checksum only at the end, so that any may come out first.
            let mut text = Vec::new();
            let _ = flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut text);
            if is_huge(&text) {
                return Ok(());
            }
        }
        survives(&packed)?;
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&bytes)?;
        survives(&[GENERAL.as_bytes(), &bytes].concat())?;
    }
}
