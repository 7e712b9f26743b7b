//! Determinants, ranks, systems, inverses, nullspaces, echelon forms and products of dense matrices modulo primes, against FLINT.

use sunzi_linalg::MatrixError;
use sunzi_linalg::dense::condensation::{self, Variant};
use sunzi_linalg::dense::{Decomposition, DenseMatrix, unblocked};

use super::trial::Trial;
use super::twin::{FieldCase, Peered, Polynomial, Twin};
use crate::flint::{FmpzModMatrix, NmodMatrix};

/// What fields do with matrices, by name; the long ones of orders that threads share.
pub fn cases<F: Polynomial>() -> Vec<FieldCase<F>> {
    let mut cases = Vec::new();
    for (end, order) in [("", short_order as Order<F>), ("-long", long_order)] {
        let name = |start: &str| format!("{start}{end}");
        cases.extend([
            FieldCase::shared(name("det"), move |twin, trial| {
                determinant(twin, trial, order, sunzi_linalg::dense::determinant)
            }),
            FieldCase::shared(name("det-unblocked"), move |twin, trial| {
                determinant(twin, trial, order, |field, ours| {
                    unblocked::determinant(field, &ours)
                })
            }),
            FieldCase::shared(name("solve"), move |twin, trial| solve(twin, trial, order)),
        ]);
        for variant in Variant::ALL {
            let name = name(&format!("det-{}", word_of(variant)));
            cases.push(FieldCase::shared(name, move |twin, trial| {
                determinant(twin, trial, order, |field, ours| {
                    condensation::determinant_by(variant, field, &ours)
                })
            }));
        }
    }
    cases.extend([
        FieldCase::shared("decomposition", decomposition),
        FieldCase::shared("inverse", inverse),
        FieldCase::shared("reduced", reduced),
        FieldCase::shared("solve-any", solve_any),
        FieldCase::shared("product", product),
    ]);
    cases
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

fn word_of(variant: Variant) -> &'static str {
    match variant {
        Variant::PivotPowers => "pivot-powers",
        Variant::UnitPivots => "unit-pivots",
        Variant::ThreeSteps => "three-steps",
    }
}

/// An order of square matrices.
type Order<F> = fn(&Twin<F>, &mut Trial) -> usize;

fn short_order<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> usize {
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

/// Threads share steps on 2^17 bytes, and 2^18 products of residues.
fn long_order<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> usize {
    let steps = ((1 << 17) / size_of::<F::Elem>()).isqrt();
    match twin.width {
        1 => trial.beside(&[64, steps]).min(steps + 4),
        _ => trial.beside(&[steps]).min(steps + 2),
    }
}

fn determinant<F: Polynomial>(
    twin: &Twin<F>,
    trial: &mut Trial,
    order: Order<F>,
    by: impl Fn(&F, DenseMatrix<F::Elem>) -> Result<F::Elem, MatrixError>,
) {
    let n = order(twin, trial);
    let entries = entries(twin, trial, n, n);
    let rows = twin.rows(&entries);
    let theirs = match twin.width {
        1 => vec![NmodMatrix::new(twin.field().modulus_limbs()[0], n, &rows).determinant()],
        width => {
            let matrix = FmpzModMatrix::new(&twin.modulus, n, n, &rows, width);
            matrix.determinant().limbs(width)
        }
    };
    let ours = DenseMatrix::new(n, n, entries).and_then(|matrix| by(twin.field(), matrix));
    if let Some(ours) = trial.expect("determinant", ours) {
        twin.compare_rows(
            trial,
            &format!("determinant of order {n}"),
            &[ours],
            &theirs,
        );
    }
}

/// What the elimination of a matrix of any shape tells.
fn decomposition<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let (rows, columns) = match trial.below(2) {
        0 => (short_order(twin, trial), short_order(twin, trial)),
        _ => [short_order(twin, trial); 2].into(),
    };
    let (ours, theirs) = matrix(twin, trial, rows, columns);
    let found = Decomposition::new(twin.field(), ours);
    let what = format!("of {rows} by {columns}");
    trial.compare_one(&format!("rank {what}"), found.rank(), theirs.rank());
    trial.compare(
        &format!("pivots {what}"),
        found.pivot_columns(),
        &theirs.pivot_columns(),
    );
    match found.determinant() {
        Ok(ours) => {
            trial.check("only square matrices have a determinant", rows == columns);
            let theirs = theirs.determinant().limbs(twin.width);
            twin.compare_rows(trial, &format!("determinant {what}"), &[ours], &theirs);
        }
        Err(error) => {
            let refused = rows != columns && matches!(error, MatrixError::NotSquare { .. });
            trial.check(&format!("{what}: {error}"), refused);
        }
    }
}

/// The one solution of a system whose right side was made of it by FLINT, or that there are others.
fn solve<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial, order: Order<F>) {
    let n = order(twin, trial);
    let columns = trial.length(6, 12);
    let (ours, theirs) = matrix(twin, trial, n, n);
    let (solution, peer) = matrix(twin, trial, n, columns);
    let right = theirs.times(&peer).limbs(twin.width);
    let right = right.chunks_exact(twin.width);
    let right = right.map(|row| twin.field().element(row)).collect();
    let right = DenseMatrix::new(n, columns, right).expect("as many entries as the shape says");
    match Decomposition::new(twin.field(), ours).solve(&right) {
        Ok(ours) => {
            let theirs = twin.rows(solution.entries());
            let what = format!("solution of order {n}");
            twin.compare_rows(trial, &what, ours.entries(), &theirs);
        }
        Err(MatrixError::Singular { rank, .. }) => {
            trial.compare_one("rank of a singular matrix", rank, theirs.rank());
            trial.check("a singular matrix has a lower rank", rank < n);
        }
        Err(error) => trial.fail(error.to_string()),
    }
}

fn inverse<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let order = short_order(twin, trial);
    let (ours, theirs) = matrix(twin, trial, order, order);
    let ours = Decomposition::new(twin.field(), ours).inverse();
    match (ours, theirs.inverse()) {
        (Ok(ours), Some(theirs)) => {
            twin.compare_rows(trial, "inverse", ours.entries(), &theirs.limbs(twin.width));
        }
        (Err(MatrixError::Singular { rank, .. }), None) => {
            trial.compare_one("rank of a singular matrix", rank, theirs.rank());
        }
        (ours, theirs) => trial.fail(format!("{ours:?}, FLINT inverts: {}", theirs.is_some())),
    }
}

/// The reduced echelon form and the nullspace of a matrix of any shape.
fn reduced<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let [rows, columns] = [(); 2].map(|()| short_order(twin, trial));
    let (ours, theirs) = matrix(twin, trial, rows, columns);
    let decomposition = Decomposition::new(twin.field(), ours);
    let what = format!("of {rows} by {columns}");
    let form = decomposition.reduced_row_echelon_form();
    let expected = theirs.reduced().limbs(twin.width);
    twin.compare_rows(
        trial,
        &format!("echelon form {what}"),
        form.entries(),
        &expected,
    );
    let basis = decomposition.nullspace();
    let expected = theirs.nullspace(twin.width);
    twin.compare_rows(
        trial,
        &format!("nullspace {what}"),
        basis.entries(),
        &expected,
    );
}

/// A solution of a system of any shape, whose right side was made of one by FLINT, is multiplied by FLINT again.
fn solve_any<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let [rows, columns] = [(); 2].map(|()| short_order(twin, trial));
    let sides = trial.length(4, 9);
    let (ours, theirs) = matrix(twin, trial, rows, columns);
    let (_, peer) = matrix(twin, trial, columns, sides);
    let right = theirs.times(&peer).limbs(twin.width);
    let elements = right.chunks_exact(twin.width);
    let elements = elements.map(|row| twin.field().element(row)).collect();
    let sides_of =
        DenseMatrix::new(rows, sides, elements).expect("as many entries as the shape says");
    let found = Decomposition::new(twin.field(), ours).solve_any(&sides_of);
    if let Some(found) = trial.expect("solution", found) {
        let limbs = twin.rows(found.matrix.entries());
        let found = FmpzModMatrix::new(&twin.modulus, columns, sides, &limbs, twin.width);
        let what = format!("right side of {rows} by {columns}");
        trial.compare(&what, &theirs.times(&found).limbs(twin.width), &right);
    }
}

fn product<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let [rows, inner, columns] = [(); 3].map(|()| short_order(twin, trial));
    let (left, their_left) = matrix(twin, trial, rows, inner);
    let (right, their_right) = matrix(twin, trial, inner, columns);
    let ours = sunzi_linalg::dense::product(twin.field(), &left, &right);
    if let Some(ours) = trial.expect("product", ours) {
        let theirs = their_left.times(&their_right).limbs(twin.width);
        let what = format!("product of {rows} by {inner} by {columns}");
        twin.compare_rows(trial, &what, ours.entries(), &theirs);
    }
}
