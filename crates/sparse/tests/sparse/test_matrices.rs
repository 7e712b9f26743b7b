//! Generated matrices: known sizes, boundaries of boundaries, definiteness, seeds.

use sunzi_sparse::{
    CsrMatrix, GradientsOptions, Stop, conjugate_gradients_with,
    test_matrices::{TestMatrix, shuffled},
};

fn generate(text: &str) -> CsrMatrix<f64> {
    let test_matrix: TestMatrix = text.parse().unwrap();
    assert_eq!(test_matrix.to_string(), text);
    test_matrix.generate(1).unwrap()
}

/// The sizes that SuiteSparse's matrices ch*-b* and mk*-b* have.
#[test]
fn complexes_have_the_known_sizes() {
    for (text, rows, columns, nnz) in [
        ("chessboard:3,3,1", 18, 9, 36),
        ("chessboard:3,3,2", 6, 18, 18),
        ("chessboard:4,4,1", 72, 16, 144),
        ("chessboard:4,4,2", 96, 72, 288),
        ("chessboard:4,4,3", 24, 96, 96),
        ("chessboard:5,5,2", 600, 200, 1800),
        ("chessboard:7,6,1", 630, 42, 1260),
        ("chessboard:8,8,2", 18816, 1568, 56448),
        ("matching:9,1", 378, 36, 756),
        ("matching:9,2", 1260, 378, 3780),
        ("matching:9,3", 945, 1260, 3780),
        ("matching:10,2", 3150, 630, 9450),
    ] {
        let matrix = generate(text);
        assert_eq!(
            (matrix.rows(), matrix.columns(), matrix.nnz()),
            (rows, columns, nnz),
            "{text}"
        );
    }
}

/// Rook placements number C(m,k)·C(n,k)·k!, matchings n!/(2^k·k!·(n−2k)!).
#[test]
fn complexes_have_the_sizes_of_the_formulas() {
    let falling = |n: u64, k: u64| (0..k).map(|i| n.saturating_sub(i)).product::<u64>();
    let factorial = |k: u64| falling(k, k);
    for (m, n) in [(1, 1), (2, 3), (3, 2), (4, 5), (5, 5)] {
        for k in 1..=6 {
            let placements = |k| falling(m, k) * falling(n, k) / factorial(k);
            let matrix = generate(&format!("chessboard:{m},{n},{k}"));
            assert_eq!(matrix.rows() as u64, placements(k + 1));
            assert_eq!(matrix.columns() as u64, placements(k));
            assert_eq!(matrix.nnz() as u64, (k + 1) * placements(k + 1));
        }
    }
    for n in 0..9 {
        for k in 1..=4 {
            let matchings = |k: u64| falling(n, 2 * k) / factorial(k) / (1 << k);
            let matrix = generate(&format!("matching:{n},{k}"));
            assert_eq!(matrix.rows() as u64, matchings(k + 1));
            assert_eq!(matrix.columns() as u64, matchings(k));
        }
    }
}

#[test]
fn the_boundary_of_a_boundary_is_zero() {
    for (high, low) in [
        ("chessboard:4,5,2", "chessboard:4,5,1"),
        ("chessboard:5,4,3", "chessboard:5,4,2"),
        ("matching:8,2", "matching:8,1"),
        ("matching:9,3", "matching:9,2"),
    ] {
        let (high, low) = (generate(high), generate(low));
        assert_eq!(high.columns(), low.rows());
        for i in 0..high.rows() {
            let mut product = vec![0.0; low.columns()];
            let (faces, signs) = high.row(i);
            for (&face, &sign) in faces.iter().zip(signs) {
                let (points, values) = low.row(face as usize);
                for (&point, &value) in points.iter().zip(values) {
                    product[point as usize] += sign * value;
                }
            }
            assert!(product.iter().all(|&sum| sum == 0.0));
        }
    }
}

#[test]
fn grids_are_what_differences_are() {
    let matrix = generate("grid2d:3,2");
    let expected = [
        [4., -1., 0., -1., 0., 0.],
        [-1., 4., -1., 0., -1., 0.],
        [0., -1., 4., 0., 0., -1.],
        [-1., 0., 0., 4., -1., 0.],
        [0., -1., 0., -1., 4., -1.],
        [0., 0., -1., 0., -1., 4.],
    ];
    for (i, row) in expected.iter().enumerate() {
        for (j, &entry) in row.iter().enumerate() {
            assert_eq!(matrix.get(i, j).copied().unwrap_or(0.0), entry);
        }
    }
    // Along each axis n points have 3n − 2 pairs at most 1 apart.
    assert_eq!(generate("grid2d9:5,7").nnz(), 13 * 19);
    assert_eq!(generate("grid3d27:3,4,5").nnz(), 7 * 10 * 13);
    let edges = 2 * 4 * 5 + 3 * 3 * 5 + 3 * 4 * 4;
    assert_eq!(generate("grid3d:3,4,5").nnz(), 60 + 2 * edges);
    assert_eq!(generate("grid3d:0,4,5").nnz(), 0);
    // At once, not after counting that far.
    assert_eq!(generate("grid3d:0,4294967295,4294967295").nnz(), 0);
}

#[test]
fn definite_ones_are_solved() {
    for text in [
        "grid2d:20,30",
        "grid2d9:20,30",
        "grid3d:8,9,10",
        "grid3d27:8,9,10",
        "circuit:3000",
    ] {
        let matrix = generate(text);
        assert_eq!(matrix.transposed(), matrix, "{text}");
        let right: Vec<f64> = (0..matrix.rows()).map(|i| (i % 7) as f64 - 3.0).collect();
        let report =
            conjugate_gradients_with(&matrix, &right, &GradientsOptions::default()).unwrap();
        assert_eq!(report.stop, Stop::Converged, "{text}");
        assert!(
            report.true_residual < 1e-8,
            "{text}: {}",
            report.true_residual
        );
    }
}

#[test]
fn chance_follows_the_seed() {
    for text in ["rmat:10,16", "circuit:5000", "lp:5000"] {
        let test_matrix: TestMatrix = text.parse().unwrap();
        assert_eq!(
            test_matrix.generate(1).unwrap(),
            test_matrix.generate(1).unwrap()
        );
        assert_ne!(
            test_matrix.generate(1).unwrap(),
            test_matrix.generate(2).unwrap()
        );
    }
    let graph = generate("rmat:10,16");
    let edges: f64 = graph.values().iter().sum();
    assert_eq!(edges, 16.0 * 1024.0);
    let widest = (0..1024).map(|i| graph.row(i).0.len()).max().unwrap();
    assert!(widest > 100, "popular nodes are there");
    let program = generate("lp:5000");
    assert!(program.rows() < program.columns());
    let rails = generate("circuit:5000");
    let widest = (0..5000).map(|i| rails.row(i).0.len()).max().unwrap();
    assert!(widest > 30, "rails reach far");
}

#[test]
fn shuffling_is_undone() {
    let matrix = generate("lp:1000");
    let (random, rows, columns) = shuffled(&matrix, 5);
    assert_ne!(random, matrix);
    assert_eq!(
        random
            .permuted(&rows.inverse(), &columns.inverse())
            .unwrap(),
        matrix
    );
}

/// Searched for, these would take longer than anyone waits.
#[test]
fn complexes_are_counted_before_they_are_made() {
    for (text, rows, columns) in [
        ("matching:64,63", 0, 0),
        ("matching:63,33", 0, 0),
        ("matching:16,8", 0, 2_027_025),
        ("chessboard:32,32,40", 0, 0),
        ("chessboard:1,63,63", 0, 0),
        ("chessboard:10,10,10", 0, 3_628_800),
        ("chessboard:2,60,1", 3540, 120),
        ("matching:12,5", 10_395, 62_370),
        ("chessboard:7,7,6", 5040, 35_280),
    ] {
        let matrix = generate(text);
        assert_eq!((matrix.rows(), matrix.columns()), (rows, columns), "{text}");
    }
    for text in [
        "matching:64,31",
        "matching:64,32",
        "chessboard:32,32,31",
        "chessboard:32,32,16",
        "matching:64,6",
    ] {
        let error = text.parse::<TestMatrix>().unwrap().generate(0).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{text} has more rows, columns or entries than 32 bits count")
        );
    }
}

#[test]
fn what_is_no_matrix_is_refused() {
    for (text, sentence) in [
        ("chess:3,3,1", "`chess` is no family"),
        ("", "`` is no family"),
        ("grid2d:3", "a grid is written grid2d:X,Y"),
        ("grid2d:3,x", "a grid is written grid2d:X,Y"),
        ("rmat:-1,3", "a random graph is written rmat:LOG2N,DEGREE"),
        ("lp:99999999999", "a linear program is written lp:COLUMNS"),
    ] {
        let error = text.parse::<TestMatrix>().unwrap_err().to_string();
        assert!(error.contains(sentence), "{error}");
    }
    for (text, sentence) in [
        (
            "chessboard:60,60,1",
            "a chessboard has at most 64 rows and columns in all",
        ),
        (
            "chessboard:6,6,0",
            "the dimension of a boundary is at least 1 and below 64",
        ),
        ("matching:65,1", "a matching complex has at most 64 points"),
        (
            "grid2d:70000,70000",
            "grid2d:70000,70000 has more rows, columns or entries than 32 bits count",
        ),
        ("rmat:40,1", "a random graph has at most 2^31 nodes"),
        (
            "rmat:31,16",
            "rmat:31,16 has more rows, columns or entries than 32 bits count",
        ),
    ] {
        let error = text
            .parse::<TestMatrix>()
            .unwrap()
            .generate(0)
            .unwrap_err()
            .to_string();
        assert_eq!(error, sentence);
    }
}

#[test]
fn the_smallest_are_generated() {
    for text in [
        "chessboard:0,0,1",
        "matching:0,1",
        "grid2d:1,1",
        "rmat:0,0",
        "rmat:0,3",
        "circuit:0",
        "circuit:1",
        "lp:0",
        "lp:1",
    ] {
        generate(text);
    }
}
