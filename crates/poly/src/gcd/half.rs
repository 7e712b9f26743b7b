//! The half-GCD: the steps of Euclid's algorithm that halve a degree, found from leading coefficients.

use super::euclid;
use super::history::History;
use super::matrix::{Column, Matrix, add};
use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::trim;
use crate::ring::PolyRing;

/// Two remainders that follow each other, and what has led there, if asked for.
pub(super) struct Half<E> {
    pub(super) a: Vec<E>,
    pub(super) b: Vec<E>,
    pub(super) matrix: Option<Matrix<E>>,
}

/// The steps from `a`, of degree n, and `b`, of a lower degree, to the first remainder of a degree below
/// ⌈n/2⌉.
///
/// The quotients of those down to degree m + k depend on the coefficients from x^(2k + m − n) on only.
pub(super) fn half_gcd<F: CoefficientField>(
    ring: &PolyRing<F>,
    a: Vec<F::Elem>,
    b: Vec<F::Elem>,
    keep: bool,
    mut history: Option<&mut History<F::Elem>>,
) -> Result<Half<F::Elem>, PolyError> {
    let field = ring.field();
    debug_assert!(a.len() > b.len());
    let half = a.len() / 2; // ⌈n/2⌉ for a.len() = n + 1.
    if b.len() <= half {
        let matrix = keep.then(|| identity(field));
        return Ok(Half { a, b, matrix });
    }
    if euclid::is_short::<F>(a.len(), keep) {
        let steps = euclid::steps(field, a, b, half, keep, history);
        return Ok(Half {
            a: steps.a,
            b: steps.b,
            matrix: steps.matrix,
        });
    }
    // Down to 3n/4, from the upper half of the coefficients.
    let ((a_low, a_high), (b_low, b_high)) = (a.split_at(half), b.split_at(half));
    let first = half_gcd(
        ring,
        a_high.to_vec(),
        b_high.to_vec(),
        true,
        history.as_deref_mut(),
    )?;
    let first_matrix = first.matrix.unwrap_or_else(|| identity(field));
    let low = first_matrix.apply(ring, [a_low, b_low])?;
    drop((a, b));
    let [a, b] = join(field, [first.a, first.b], half, low);
    if b.len() <= half {
        let matrix = keep.then_some(first_matrix);
        return Ok(Half { a, b, matrix });
    }
    // One step, so that the degree of a is known to have become less.
    let (quotient, mut remainder) = ring.divide(&a, &b)?;
    trim(&mut remainder);
    if let Some(history) = &mut history {
        history.push(a.len(), &b, field.one());
    }
    let (a, b) = (b, remainder);
    // Without the matrix, the first one is not needed any more.
    let first_matrix = match keep {
        true => Some(first_matrix.after_quotient(ring, &quotient)?),
        false => None,
    };
    if b.len() <= half {
        return Ok(Half {
            a,
            b,
            matrix: first_matrix,
        });
    }
    // Down to n/2, from the coefficients that this depends on.
    let start = 2 * half + 1 - a.len();
    let ((a_low, a_high), (b_low, b_high)) = (a.split_at(start), b.split_at(start));
    let second = half_gcd(ring, a_high.to_vec(), b_high.to_vec(), true, history)?;
    let second_matrix = second.matrix.unwrap_or_else(|| identity(field));
    let high = [second.a, second.b];
    let Some(first_matrix) = first_matrix else {
        let low = second_matrix.apply(ring, [a_low, b_low])?;
        let [a, b] = join(field, high, start, low);
        return Ok(Half { a, b, matrix: None });
    };
    let (low, matrix) = apply_and_multiply(ring, &second_matrix, [a_low, b_low], &first_matrix)?;
    let [a, b] = join(field, high, start, low);
    Ok(Half {
        a,
        b,
        matrix: Some(matrix),
    })
}

/// The products of a matrix with a column and with an earlier matrix.
type ColumnAndMatrix<E> = (Column<E>, Matrix<E>);

/// A matrix times a column, and times an earlier matrix.
fn apply_and_multiply<F: CoefficientField>(
    ring: &PolyRing<F>,
    matrix: &Matrix<F::Elem>,
    column: [&[F::Elem]; 2],
    earlier: &Matrix<F::Elem>,
) -> Result<ColumnAndMatrix<F::Elem>, PolyError> {
    let longest = column[0].len().max(column[1].len());
    let (of_column, of_matrix) = (matrix.len() + longest, matrix.len() + earlier.len());
    if ring.values_win(matrix.len().min(longest).min(earlier.len())) {
        // Both products have about as many coefficients: the values serve both.
        let len = of_column.max(of_matrix) - 1;
        let values = matrix.values(ring, ring.points_for(len, len))?;
        let [first, second] = earlier.columns();
        let lens = [of_column - 1, of_matrix - 1, of_matrix - 1];
        let [low, first, second] = values.apply(ring, [column, first, second], lens)?;
        return Ok((low, Matrix::of_columns([first, second])));
    }
    Ok((matrix.apply(ring, column)?, matrix.multiply(ring, earlier)?))
}

/// `high·x^start + low` of both.
fn join<F: CoefficientField>(
    field: &F,
    high: Column<F::Elem>,
    start: usize,
    low: Column<F::Elem>,
) -> Column<F::Elem> {
    let [a, b] = high;
    let [a_low, b_low] = low;
    let both = |high: Vec<_>, low| {
        let mut shifted = vec![field.zero(); start];
        shifted.extend_from_slice(&high);
        let mut sum = add(field, shifted, low);
        trim(&mut sum);
        sum
    };
    [both(a, a_low), both(b, b_low)]
}

fn identity<F: CoefficientField>(field: &F) -> Matrix<F::Elem> {
    Matrix::new([
        [vec![field.one()], Vec::new()],
        [Vec::new(), vec![field.one()]],
    ])
}
