//! Determinants of Hilbert's matrices and the time they take, in Markdown, beside Tables 7.1 and 7.2 of
//! the thesis of 2013.

use sunzi_linalg::DenseMatrix;
use sunzi_linalg::float::{Pivoting, ScaledFloat, determinant_by};

use crate::common::{Failure, head, median, seconds};

/// Order; the value and the seconds that the thesis has for condensation on its GPU. Where no double of its
/// program held the value, it is a product of several.
const THESIS: [(usize, &str, f64); 25] = [
    (5, "3.74967e-12", 0.000_530),
    (6, "5.36556e-18", 0.000_570),
    (7, "4.44292e-25", 0.000_595),
    (8, "-3.92813e-33", 0.000_631),
    (9, "-2.79235e-41", 0.000_741),
    (10, "-4.44342e-50", 0.000_447),
    (15, "-9.47742e-103", 0.000_964),
    (20, "3.81829e-164", 0.001_078),
    (25, "-3.82134e-239", 0.001_271),
    (30, "-2.50914e-319", 0.001_460),
    (35, "3.50293e-398", 0.001_671),
    (40, "-7.42227e-479", 0.001_896),
    (70, "-1.42973e-961", 0.003_083),
    (100, "1.96009e-1467", 0.005_145),
    (200, "9.43651e-3169", 0.012_488),
    (295, "3.27673e-4811", 0.023_402),
    (300, "-1.95564e-4897", 0.023_759),
    (320, "7.2904e-4951", 0.026_633),
    (340, "-8.67557e-4949 · 2.08848e-644", 0.029_433),
    (360, "9.84118e-4938 · 8.32678e-1006", 0.032_401),
    (380, "-3.28068e-4950 · -6.51644e-1341", 0.035_940),
    (400, "-6.19676e-4945 · 6.56337e-1696", 0.038_955),
    (500, "1.40177e-4939 · -2.22223e-3444", 0.058_193),
    (
        600,
        "-2.55164e-4950 · 1.99856e-4945 · 6.19736e-232",
        0.081_969,
    ),
    (
        800,
        "4.25009e-4940 · -2.21715e-4940 · -2.17891e-3739",
        0.147_037,
    ),
];

const ROUNDS: usize = 5;

pub fn run(_: &[String]) -> Result<(), Failure> {
    let mut times = String::new();
    let columns = [
        "order",
        "thesis: condensation",
        "condensation",
        "largest pivots",
        "exact",
    ];
    head(&columns, "---");
    for (order, value, thesis) in THESIS {
        let matrix = DenseMatrix::from_fn(order, order, |i, j| 1.0 / (i + j + 1) as f64);
        let (condensation, condensation_ms) = timed(Pivoting::NearestToOne, &matrix)?;
        let (largest, largest_ms) = timed(Pivoting::Largest, &matrix)?;
        println!(
            "| {order} | {value} | {condensation:.5} | {largest:.5} | {:.5} |",
            exact(order)
        );
        times += &format!(
            "| {order} | {:.2} | {condensation_ms:.3} | {largest_ms:.3} |\n",
            thesis * 1e3
        );
    }
    println!();
    let columns = [
        "order",
        "thesis: condensation, ms",
        "condensation, ms",
        "largest pivots, ms",
    ];
    head(&columns, "---");
    print!("{times}");
    Ok(())
}

/// The determinant, and the median of its times in milliseconds.
fn timed(pivoting: Pivoting, matrix: &DenseMatrix<f64>) -> Result<(ScaledFloat, f64), Failure> {
    let mut times = Vec::new();
    let mut value = ScaledFloat::ONE;
    for _ in 0..ROUNDS {
        let (determinant, time) = seconds(|| determinant_by(pivoting, matrix));
        value = determinant?.value();
        times.push(time * 1e3);
    }
    Ok((value, median(times)))
}

/// c_n^4/c_2n with c_n = ∏ i! over 0 < i < n. By one order more it is multiplied by (n!)^4/((2n)!·(2n + 1)!),
/// that is by the inverse of (2n + 1)·(2n over n)².
fn exact(order: usize) -> ScaledFloat {
    // The binomial (2n over n) grows by (4n + 2)/(n + 1).
    let mut binomial = ScaledFloat::ONE;
    let mut value = ScaledFloat::ONE;
    for n in 0..order {
        let odd = ScaledFloat::from_f64((2 * n + 1) as f64);
        let divisor = binomial * binomial * odd;
        value = value * ScaledFloat::new(1.0 / divisor.mantissa(), -divisor.exponent());
        binomial = binomial * ScaledFloat::from_f64((4 * n + 2) as f64 / (n + 1) as f64);
    }
    value
}
