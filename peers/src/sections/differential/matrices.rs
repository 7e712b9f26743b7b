//! Determinants, ranks, systems and inverses of dense matrices: modulo primes, over Z and Q against FLINT, of
//! doubles against the exact value.

use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;
use rug::integer::Order;
use rug::{Integer, Rational};
use sunzi_integer::convert::rug::{from_rug, to_rug};
use sunzi_linalg::dense::condensation::{self, Variant};
use sunzi_linalg::dense::{
    Decomposition, DenseMatrix, IntegerDeterminant, IntegerDeterminantError, IntegerMethod,
    SystemError, rational_determinant, unblocked,
};
use sunzi_linalg::float::{self, Pivoting};

use super::operation::Operation;
use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};
use crate::flint::{FmpzMatrix, FmpzModMatrix, Signed};

/// What fields do with matrices, by name.
pub fn cases<F: Peered>() -> Vec<(&'static str, FieldCase<F>)> {
    vec![
        ("det", determinant),
        ("det-condensation", condensed),
        ("det-unblocked", unblocked_determinant),
        ("rank", rank),
        ("solve", solve),
        ("inverse", inverse),
    ]
}

/// What matrices over Z, Q and of doubles have.
pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new("det-integer", "FLINT", integer),
        Operation::new("det-rational", "FLINT", rational),
        Operation::new("det-float", "GMP (within a bound of the error)", floating),
    ]
}

/// Entries of a kind; now and then some rows are multiples of others.
fn entries<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    rows: usize,
    columns: usize,
) -> Vec<F::Elem> {
    let mut entries = twin.operand(trial, rows * columns);
    if rows > 1 && trial.below(4) == 0 {
        for _ in 0..=trial.below(rows / 2 + 1) {
            let [from, to] = [(); 2].map(|()| trial.below(rows));
            let factor = twin.element(trial);
            for j in 0..columns {
                entries[to * columns + j] = twin.field().mul(factor, entries[from * columns + j]);
            }
        }
    }
    entries
}

fn order<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> usize {
    let rare = if twin.width == 1 { 48 } else { 16 };
    trial.length(8, rare)
}

type Both<F> = (DenseMatrix<<F as sunzi_field::Field>::Elem>, FmpzModMatrix);

/// A matrix on both sides.
fn matrix<F: Peered>(twin: &Twin<F>, trial: &mut Trial, rows: usize, columns: usize) -> Both<F> {
    let entries = entries(twin, trial, rows, columns);
    let limbs = twin.rows(&entries);
    let theirs = FmpzModMatrix::new(&twin.modulus, rows, columns, &limbs, twin.width);
    let ours = DenseMatrix::new(rows, columns, entries).expect("as many entries as the shape says");
    (ours, theirs)
}

/// A square matrix on both sides.
fn square<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> Both<F> {
    let order = order(twin, trial);
    matrix(twin, trial, order, order)
}

fn compare_determinants<F: Peered, E: ToString>(
    twin: &Twin<F>,
    trial: &mut Trial,
    what: &str,
    ours: Result<F::Elem, E>,
    theirs: &FmpzModMatrix,
) {
    match ours {
        Ok(ours) => {
            let theirs = theirs.determinant().limbs(twin.width);
            twin.compare_rows(trial, what, &[ours], &theirs);
        }
        Err(error) => trial.fail(error.to_string()),
    }
}

fn determinant<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (ours, theirs) = square(twin, trial);
    let ours = sunzi_linalg::dense::determinant(twin.field(), ours);
    compare_determinants(twin, trial, "determinant", ours, &theirs);
}

fn condensed<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (ours, theirs) = square(twin, trial);
    let variant = *trial.pick(&Variant::ALL);
    let ours = condensation::determinant_by(variant, twin.field(), &ours);
    compare_determinants(twin, trial, &format!("{variant:?}"), ours, &theirs);
}

fn unblocked_determinant<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (ours, theirs) = square(twin, trial);
    let ours = unblocked::determinant(twin.field(), &ours);
    compare_determinants(twin, trial, "determinant", ours, &theirs);
}

fn rank<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (rows, columns) = (order(twin, trial), order(twin, trial));
    let (ours, theirs) = matrix(twin, trial, rows, columns);
    let found = Decomposition::new(twin.field(), ours).rank();
    trial.compare_one(
        &format!("rank of {rows} by {columns}"),
        found,
        theirs.rank(),
    );
}

/// Entries, or that there is no solution.
fn compare_solutions<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    ours: Result<DenseMatrix<F::Elem>, SystemError>,
    theirs: Option<FmpzModMatrix>,
) {
    match (ours, theirs) {
        (Ok(ours), Some(theirs)) => {
            twin.compare_rows(trial, "solution", ours.entries(), &theirs.limbs(twin.width));
        }
        (Err(SystemError::Singular { .. }), None) => trial.compare_one("singular", 1, 1),
        (ours, theirs) => trial.fail(format!("{ours:?}, FLINT solves: {}", theirs.is_some())),
    }
}

fn solve<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (ours, theirs) = square(twin, trial);
    let columns = trial.length(8, 24);
    let (right, peer) = matrix(twin, trial, ours.rows(), columns);
    let ours = Decomposition::new(twin.field(), ours).solve(&right);
    compare_solutions(twin, trial, ours, theirs.solve(&peer));
}

fn inverse<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (ours, theirs) = square(twin, trial);
    let ours = Decomposition::new(twin.field(), ours).inverse();
    compare_solutions(twin, trial, ours, theirs.inverse());
}

/// Signed entries of up to so many limbs, of a kind.
fn integers(trial: &mut Trial, order: usize, width: usize) -> Vec<Integer> {
    let (kind, piece) = (trial.operand_kind(), trial.piece());
    let limbs = kind.limbs(order * order * width, piece, &mut trial.random);
    let shift = trial.below(64) as u32;
    let mut entries: Vec<Integer> = limbs
        .chunks_exact(width)
        .map(|limbs| {
            let value = Integer::from_digits(limbs, Order::Lsf) >> shift;
            if trial.below(2) == 0 { -value } else { value }
        })
        .collect();
    if order > 1 && trial.below(6) == 0 {
        let [from, to] = [(); 2].map(|()| trial.below(order));
        for j in 0..order {
            entries[to * order + j] = Integer::from(&entries[from * order + j] * -3i32);
        }
    }
    entries
}

/// The determinant by FLINT.
fn by_flint(order: usize, entries: &[Integer]) -> Integer {
    let signed = |entry: &Integer| -> Signed { (*entry < 0, entry.as_abs().to_digits(Order::Lsf)) };
    let matrix = FmpzMatrix::new(order, &entries.iter().map(signed).collect::<Vec<_>>());
    let bits: u64 = entries
        .chunks_exact(order.max(1))
        .map(|row| {
            let longest = row.iter().map(Integer::significant_bits).max();
            u64::from(longest.unwrap_or(0)) + u64::from(order.ilog2()) + 1
        })
        .sum();
    let words = matrix.determinant((bits / 64 + 1) as usize);
    let magnitude = Integer::from_digits(&words[1..], Order::Lsf);
    if words[0] == 1 { -magnitude } else { magnitude }
}

fn integer(trial: &mut Trial) {
    // One value a case: most are found the quickest way.
    let method = match trial.below(16) {
        0 => *trial.pick(&[
            IntegerMethod::Residues,
            IntegerMethod::Lifting,
            IntegerMethod::BigPrime,
            IntegerMethod::FractionFree,
        ]),
        _ => IntegerMethod::Automatic,
    };
    let order = trial.length(4, 24);
    let width = trial.length(2, if order < 12 { 16 } else { 3 });
    let entries = integers(trial, order, width);
    let ours = DenseMatrix::new(order, order, entries.iter().map(from_rug).collect());
    let ours = ours.expect("as many entries as the shape says");
    match IntegerDeterminant::new().method(method).compute(&ours) {
        Ok(found) => {
            let theirs = by_flint(order, &entries);
            trial.compare_one(&format!("order {order}"), to_rug(&found.value), theirs);
        }
        // More bits than the largest named prime has.
        Err(IntegerDeterminantError::TooLarge { .. }) => {}
        Err(error) => trial.fail(error.to_string()),
    }
}

fn rational(trial: &mut Trial) {
    let order = trial.length(4, 12);
    let numerators = integers(trial, order, 1);
    let denominators: Vec<Integer> = integers(trial, order, 1)
        .into_iter()
        .map(|value| (value.abs() >> 48u32) + 1u32)
        .collect();
    let ratio = |(numerator, denominator): (&Integer, &Integer)| {
        let (sign, denominator) = from_rug(denominator).into_parts();
        debug_assert_eq!(sign, Sign::Positive);
        RBig::from_parts(from_rug(numerator), denominator)
    };
    let ours = numerators.iter().zip(&denominators).map(ratio).collect();
    let ours = DenseMatrix::new(order, order, ours).expect("as many entries as the shape says");
    // Each row by the product of its denominators.
    let mut whole = Vec::with_capacity(order * order);
    let mut product = Integer::from(1);
    for i in 0..order {
        let row = i * order..(i + 1) * order;
        let multiple: Integer = denominators[row.clone()].iter().product();
        for j in row {
            whole.push(Integer::from(&numerators[j] * &multiple) / &denominators[j]);
        }
        product *= multiple;
    }
    let theirs = Rational::from((by_flint(order, &whole), product));
    match rational_determinant(&ours) {
        Ok(found) => {
            let numerator = to_rug(found.numerator());
            let denominator = to_rug(&IBig::from(UBig::clone(found.denominator())));
            trial.compare_one("numerator", &numerator, theirs.numer());
            trial.compare_one("denominator", &denominator, theirs.denom());
        }
        Err(error) => trial.fail(error.to_string()),
    }
}

/// Elimination with partial pivoting has a bound: its errors are those of entries changed by at most
/// n²·2^(n−1)·2^−53 times the largest, and the determinant changes by so much times n and the other rows' norms.
fn floating(trial: &mut Trial) {
    let order = trial.length(6, 8);
    let entries: Vec<Integer> = integers(trial, order, 1)
        .into_iter()
        .map(|entry| entry >> 24u32)
        .collect();
    let doubles: Vec<f64> = entries.iter().map(Integer::to_f64).collect();
    let largest = doubles
        .iter()
        .fold(0f64, |most, entry| most.max(entry.abs()));
    let matrix =
        DenseMatrix::new(order, order, doubles).expect("as many entries as the shape says");
    let n = order as f64;
    let change = n * n * 2f64.powi(order as i32 - 1) * 2f64.powi(-52) * largest;
    let bound = n * n * change * (n.sqrt() * (largest + change)).powi(order as i32 - 1);
    match float::determinant_by(Pivoting::Largest, &matrix) {
        Ok(found) => {
            let exact = Rational::from(by_flint(order, &entries));
            let ours = Rational::from_f64(found.to_f64()).unwrap_or_default();
            let error = (ours - exact).to_f64().abs();
            trial.compare_one(
                &format!("error {error:e} within {bound:e}"),
                error <= bound,
                true,
            );
        }
        Err(error) => trial.fail(error.to_string()),
    }
}
