//! Conjugate gradients, and the order of Cuthill and McKee.

use proptest::prelude::*;
use sunzi_sparse::{
    CsrMatrix, GradientsOptions, Permutation, Stop, conjugate_gradients_with,
    test_matrices::{TestMatrix, shuffled},
};
use sunzi_testkit::on_threads;

fn generate(text: &str) -> CsrMatrix<f64> {
    text.parse::<TestMatrix>().unwrap().generate(3).unwrap()
}

#[test]
fn a_known_solution_is_found() {
    let matrix = generate("grid2d:30,20");
    let known: Vec<f64> = (0..600).map(|i| f64::from(i % 13) - 6.0).collect();
    let right = matrix.mul_vector(&known).unwrap();
    for jacobi in [false, true] {
        let options = GradientsOptions {
            jacobi,
            ..Default::default()
        };
        let report = conjugate_gradients_with(&matrix, &right, &options).unwrap();
        assert_eq!(report.stop, Stop::Converged);
        assert_eq!(report.residuals.len(), report.iterations() + 1);
        assert!(report.iterations() < 200);
        assert!(report.true_residual < 1e-9);
        for (x, known) in report.solution.iter().zip(&known) {
            assert!((x - known).abs() < 1e-6);
        }
    }
}

#[test]
fn threads_change_nothing() {
    let matrix = generate("grid3d:40,30,20");
    let right: Vec<f64> = (0..24_000).map(|i| f64::from(i % 101) / 7.0).collect();
    let solve = || conjugate_gradients_with(&matrix, &right, &GradientsOptions::default()).unwrap();
    let one = on_threads(1, solve);
    assert_eq!(on_threads(2, solve), one);
    assert_eq!(on_threads(5, solve), one);
}

#[test]
fn it_stops_for_a_reason() {
    let matrix = generate("grid2d:30,30");
    let right = vec![1.0; 900];
    let few = GradientsOptions {
        max_iterations: 3,
        ..Default::default()
    };
    let report = conjugate_gradients_with(&matrix, &right, &few).unwrap();
    assert_eq!(
        (report.stop, report.iterations()),
        (Stop::IterationLimit, 3)
    );
    let exact = GradientsOptions {
        tolerance: 0.0,
        patience: 20,
        ..Default::default()
    };
    let report = conjugate_gradients_with(&matrix, &right, &exact).unwrap();
    assert!(report.stop == Stop::Stagnation || report.residuals.last() == Some(&0.0));
    assert!(report.true_residual < 1e-12);
    let report = conjugate_gradients_with(&matrix, &[0.0; 900], &few).unwrap();
    assert_eq!(
        (report.stop, report.solution),
        (Stop::Converged, vec![0.0; 900])
    );
    let empty = CsrMatrix::from_triplets(0, 0, &[]).unwrap();
    assert!(
        conjugate_gradients_with(&empty, &[], &few)
            .unwrap()
            .solution
            .is_empty()
    );
}

#[test]
fn right_sides_of_any_size_are_solved() {
    let matrix = generate("grid2d:9,7");
    let plain: Vec<f64> = (0..63).map(|i| f64::from(i % 5) + 1.0).collect();
    let options = GradientsOptions::default();
    let expected = conjugate_gradients_with(&matrix, &plain, &options).unwrap();
    for factor in [
        2f64.powi(-1000),
        2f64.powi(-600),
        2f64.powi(600),
        2f64.powi(1010),
    ] {
        let right: Vec<f64> = plain.iter().map(|b| b * factor).collect();
        let report = conjugate_gradients_with(&matrix, &right, &options).unwrap();
        let scaled: Vec<f64> = expected.solution.iter().map(|x| x * factor).collect();
        assert_eq!((report.stop, &report.solution), (Stop::Converged, &scaled));
        assert_eq!(report.residuals, expected.residuals);
    }
    let one = CsrMatrix::from_triplets(1, 1, &[(0, 0, 1.0)]).unwrap();
    let least = f64::from_bits(1);
    for b in [
        1e-200,
        -1e-200,
        least,
        3.0 * least,
        f64::MIN_POSITIVE,
        f64::MAX,
        -f64::MAX,
    ] {
        let report = conjugate_gradients_with(&one, &[b], &options).unwrap();
        assert_eq!((report.stop, report.solution), (Stop::Converged, vec![b]));
    }
}

#[test]
fn unfit_systems_are_refused() {
    let plain = GradientsOptions {
        jacobi: false,
        ..Default::default()
    };
    let solve = |triplets: &[(u32, u32, f64)], right: &[f64], options: &GradientsOptions| {
        let matrix = CsrMatrix::from_triplets(2, 2, triplets).unwrap();
        conjugate_gradients_with(&matrix, right, options)
            .unwrap_err()
            .to_string()
    };
    let identity = [(0, 0, 1.0), (1, 1, 1.0)];
    let wide = CsrMatrix::from_triplets(2, 3, &[(0, 0, 1.0)]).unwrap();
    let error = conjugate_gradients_with(&wide, &[1.0; 2], &plain).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the matrix has 2 rows and 3 columns")
    );
    for (said, sentence) in [
        (
            solve(&identity, &[1.0; 3], &plain),
            "the right side has length 3, and the matrix has 2 rows",
        ),
        (
            solve(&identity, &[1.0, f64::NAN], &plain),
            "element 1 is not finite",
        ),
        (
            solve(&[(0, 0, f64::INFINITY)], &[1.0; 2], &plain),
            "entry 0 is not finite",
        ),
        (
            solve(&[(0, 1, 1.0), (1, 0, 2.0)], &[1.0; 2], &plain),
            "the entries in row 0, column 1 and in its mirror image differ",
        ),
        (
            solve(&[(0, 1, 1.0), (1, 0, 1.0)], &[1.0, -1.0], &plain),
            "iteration 1 found a vector p with p·A·p = -2e0",
        ),
        (
            solve(&[(0, 0, 1.0)], &[1.0; 2], &GradientsOptions::default()),
            "the diagonal entry in row 1 is not positive",
        ),
        (
            solve(
                &[(0, 0, 1.0), (1, 1, -1.0)],
                &[1.0; 2],
                &GradientsOptions::default(),
            ),
            "the diagonal entry in row 1 is not positive",
        ),
        (
            solve(
                &identity,
                &[1.0; 2],
                &GradientsOptions {
                    tolerance: f64::NAN,
                    ..plain
                },
            ),
            "the tolerance is NaN",
        ),
        (
            solve(&[(0, 0, 1e308), (1, 1, 1e308)], &[1e200; 2], &plain),
            "iteration 1 left the range of doubles",
        ),
        (
            solve(&[(0, 0, 1e-300), (1, 1, 1e-300)], &[1e300; 2], &plain),
            "iteration 1 left the range of doubles",
        ),
    ] {
        assert!(said.starts_with(sentence), "{said}");
    }
}

#[test]
fn the_order_finds_narrow_bands_again() {
    for (text, band) in [
        ("grid2d:50,6", 12),
        ("grid2d9:50,6", 14),
        ("grid3d:30,4,4", 40),
    ] {
        let matrix = generate(text);
        let order = Permutation::random(matrix.rows(), 5);
        let random = matrix.permuted(&order, &order).unwrap();
        let (rows, columns) = random.reverse_cuthill_mckee();
        assert_eq!(rows, columns);
        let again = random.permuted(&rows, &columns).unwrap();
        assert!(again.bandwidth() <= band, "{text}: {}", again.bandwidth());
        assert!(random.bandwidth() > 4 * band);
    }
}

#[test]
fn a_matrix_of_other_shape_has_two_orders() {
    // Row i has entries in columns i to i + 3: shuffled, and in order again.
    let triplets: Vec<_> = (0..300u32)
        .flat_map(|i| (0..4).map(move |d| (i, i + d, 1.0)))
        .collect();
    let matrix = CsrMatrix::from_triplets(300, 303, &triplets).unwrap();
    let (random, _, _) = shuffled(&matrix, 3);
    let (rows, columns) = random.reverse_cuthill_mckee();
    assert!(random.permuted(&rows, &columns).unwrap().bandwidth() < 20);
    assert!(random.bandwidth() > 200);
}

proptest! {
    #[test]
    fn the_order_is_a_permutation(rows in 0usize..30, columns in 0usize..30, places in prop::collection::vec((0u32..30, 0u32..30), 0..80)) {
        let triplets: Vec<_> = places.into_iter()
            .filter(|&(i, j)| (i as usize) < rows && (j as usize) < columns)
            .map(|(i, j)| (i, j, 1.0))
            .collect();
        let matrix = CsrMatrix::from_triplets(rows, columns, &triplets).unwrap();
        let (p, q) = matrix.reverse_cuthill_mckee();
        prop_assert_eq!(p.len(), rows);
        prop_assert_eq!(q.len(), columns);
        prop_assert!(Permutation::new(p.order().to_vec()).is_ok());
        prop_assert!(Permutation::new(q.order().to_vec()).is_ok());
    }
}
