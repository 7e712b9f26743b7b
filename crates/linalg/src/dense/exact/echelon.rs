//! Reduced echelon forms over the integers, proved.
//!
//! **Problem.** For [A | B] of integers: the pivot columns of A, and how its other columns and those of B are combined of
//! them: N and d > 0 with A_J·N = d·[A_F | B] for the pivot columns J and the others F.
//!
//! **Algorithm.** Modulo one prime, elimination tells r independent rows I and columns J. They are independent over Q,
//! too, so that A_IJ is invertible and A_IJ·N = d·[A_IF | B_I] has one solution ([`super::lifted`]). **Proof.** That
//! N is right in the other rows, as well, is compared exactly: then r is the rank, since all columns are combinations
//! of r. J are the first independent columns if no column is combined of later ones. If either fails in a column of A,
//! the prime divides a minor, and another one is taken; if it fails in a column of B, that system has no solution.
//!
//! Small matrices, and few rows of long entries, are eliminated without fractions instead.

use super::lifted::{self, Sizes};
use super::product::{first_difference, most_bits};
use crate::dense::decomposition::Decomposition;
use crate::dense::integer::residues::prime_fields;
use crate::dense::matrix::DenseMatrix;
use crate::dense::reduced::free_columns;
use crate::dense::reference;
use crate::error::MatrixError;
use sunzi_field::Fp32;
use sunzi_integer::{Integer, Natural};
use sunzi_machine::memory::Budget;
use sunzi_rns::Planes;

/// [A | B], reduced.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    /// Of A, ascending.
    pub(super) pivots: Vec<usize>,
    /// The other columns of A.
    pub(super) free: Vec<usize>,
    /// A row for each pivot, and a column for each free one of A, then for each of B.
    pub(super) numerators: DenseMatrix<Integer>,
    pub(super) denominator: Natural,
}

/// What a matrix is modulo a prime: its pivots, and its rows, those with a pivot first.
pub(super) struct Profile {
    pub(super) pivots: Vec<usize>,
    rows: Vec<usize>,
}

/// The profiles modulo one prime after the other.
pub(super) fn profiles(
    matrix: &DenseMatrix<Integer>,
) -> impl Iterator<Item = Result<Profile, MatrixError>> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let planes = Planes::new(matrix.entries().iter());
    prime_fields().map(move |field: Fp32| {
        let image = DenseMatrix::new(rows, columns, planes.reduce(&field))?;
        let decomposition = Decomposition::new(&field, image);
        let mut order: Vec<usize> = (0..rows).collect();
        for (t, &other) in decomposition.echelon.exchanges.iter().enumerate() {
            order.swap(t, other);
        }
        Ok(Profile {
            pivots: decomposition.pivot_columns().to_vec(),
            rows: order,
        })
    })
}

/// What a profile and the start of a lifting cost at least, in products of residues within blocks: what takes less without fractions
/// has neither.
const START: f64 = 100_000.0;

/// Reduces [A | B].
pub(super) fn reduce(
    a: &DenseMatrix<Integer>,
    b: &DenseMatrix<Integer>,
    budget: Budget,
) -> Result<Reduced, MatrixError> {
    if fraction_free_cost(a, b, a.rows().min(a.columns())) < START {
        return fraction_free(a, b);
    }
    for profile in profiles(a) {
        let Profile { pivots, rows } = profile?;
        let (top, bottom) = rows.split_at(pivots.len());
        let free = free_columns(a.columns(), &pivots);
        let square = |rows: &[usize]| {
            DenseMatrix::from_fn(rows.len(), pivots.len(), |i, j| {
                a[(rows[i], pivots[j])].clone()
            })
        };
        let right = |rows: &[usize]| {
            DenseMatrix::from_fn(rows.len(), free.len() + b.columns(), |i, j| {
                match free.get(j) {
                    Some(&column) => a[(rows[i], column)].clone(),
                    None => b[(rows[i], j - free.len())].clone(),
                }
            })
        };
        let (matrix, wanted) = (square(top), right(top));
        let sizes = Sizes::new(&matrix, &wanted);
        if let Some(sizes) = &sizes {
            budget.require(sizes.bytes())?;
            if fraction_free_cost(a, b, pivots.len()) < sizes.least_cost() {
                return fraction_free(a, b);
            }
        }
        let solved = match &sizes {
            Some(sizes) => lifted::solve(&matrix, &wanted, sizes)?,
            None if wanted.entries().is_empty() => Some((wanted, Natural::ONE)),
            None => None,
        };
        let Some((numerators, denominator)) = solved else {
            continue;
        };
        let is_echelon = pivots.iter().enumerate().all(|(t, pivot)| {
            let before = free.partition_point(|column| column < pivot);
            numerators.row(t)[..before].iter().all(Integer::is_zero)
        });
        if !is_echelon {
            continue;
        }
        let different =
            first_difference(&square(bottom), &numerators, &denominator, &right(bottom));
        match different {
            None => {
                return Ok(Reduced {
                    pivots,
                    free,
                    numerators,
                    denominator,
                });
            }
            Some(column) if column >= free.len() => {
                let column = column - free.len();
                return Err(MatrixError::Inconsistent { column });
            }
            Some(_) => continue,
        }
    }
    // There are more primes than any minor can have.
    fraction_free(a, b)
}

/// What elimination without fractions costs, in products of residues within blocks.
fn fraction_free_cost(a: &DenseMatrix<Integer>, b: &DenseMatrix<Integer>, rank: usize) -> f64 {
    const WORD_OPERATION: f64 = 120.0;
    const KARATSUBA: f64 = 1.58;
    let bits = most_bits(a).max(most_bits(b)) as f64 + (rank as f64 + 1.0).log2() / 2.0;
    let entries = a.rows() as f64 * (a.columns() + b.columns()) as f64;
    let step = |k: usize| entries * (k as f64 * bits / 64.0).max(1.0).powf(KARATSUBA);
    WORD_OPERATION * (1..=rank).map(step).sum::<f64>()
}

/// Reduces [A | B] without fractions.
fn fraction_free(
    a: &DenseMatrix<Integer>,
    b: &DenseMatrix<Integer>,
) -> Result<Reduced, MatrixError> {
    let columns = a.columns();
    let both = DenseMatrix::from_fn(a.rows(), columns + b.columns(), |i, j| {
        match j.checked_sub(columns) {
            Some(j) => b[(i, j)].clone(),
            None => a[(i, j)].clone(),
        }
    });
    let (d, form, pivots) = reference::integer_row_echelon_form(&both, columns);
    let left = (pivots.len()..a.rows()).filter_map(|i| {
        let right = &form.row(i)[columns..];
        right.iter().position(|entry| !entry.is_zero())
    });
    if let Some(column) = left.min() {
        return Err(MatrixError::Inconsistent { column });
    }
    let free = free_columns(columns, &pivots);
    let is_negative = d < Integer::ZERO;
    let numerators = DenseMatrix::from_fn(pivots.len(), free.len() + b.columns(), |t, j| {
        let column = free.get(j).copied();
        let entry = &form[(t, column.unwrap_or(columns + j - free.len().min(j)))];
        if is_negative { -entry } else { entry.clone() }
    });
    Ok(Reduced {
        pivots,
        free,
        numerators,
        denominator: d.into_magnitude(),
    })
}
