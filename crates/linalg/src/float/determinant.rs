//! Determinants of doubles, step by step.

use super::product::product;
use super::scaled::{ScaledFloat, power_of_two, split, times_power_of_two};
use super::scaling;
use super::step::{RANGE, Row, eliminate, is_near_one};
use crate::dense::DenseMatrix;
use crate::elimination::RowByRow;
use crate::error::MatrixError;

/// Which entry of the first row becomes the pivot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pivoting {
    /// The one of largest absolute value: Gauss's elimination with partial pivoting. The more accurate one.
    #[default]
    Largest,
    /// The one whose absolute value a is nearest to 1: the larger one of a and 1/a is smallest;
    /// condensation in floating point.
    NearestToOne,
}

impl Pivoting {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Largest, Self::NearestToOne];

    /// The place of the pivot, the first of equals; `None` in a row of zeros.
    fn choose(self, row: &[f64]) -> Option<usize> {
        let badness = |entry: f64| match self {
            Self::Largest => -entry.abs(),
            Self::NearestToOne => entry.abs().max(entry.abs().recip()),
        };
        let candidates = row.iter().enumerate().filter(|&(_, &entry)| entry != 0.0);
        candidates
            .min_by(|(_, a), (_, b)| badness(**a).total_cmp(&badness(**b)))
            .map(|(place, _)| place)
    }
}

/// A determinant in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatDeterminant {
    value: ScaledFloat,
    factors: Vec<f64>,
    singular_to_working_precision: bool,
}

impl FloatDeterminant {
    fn zero() -> Self {
        Self {
            value: ScaledFloat::ZERO,
            factors: vec![0.0],
            singular_to_working_precision: true,
        }
    }

    /// Mantissa and exponent, which never leave their range.
    pub fn value(&self) -> ScaledFloat {
        self.value
    }

    /// The factors it is the product of: a pivot a step, with signs, and powers of two. None for order 0,
    /// and a zero where a step found no pivot.
    pub fn factors(&self) -> &[f64] {
        &self.factors
    }

    /// The [`product`] of the factors: infinite or zero where the determinant is too large or too small for a
    /// double, and the same as that of [`FloatDeterminant::value`] else, up to rounding.
    pub fn to_f64(&self) -> f64 {
        product(&self.factors)
    }

    /// Whether a pivot is below n·2^−53 of the largest entry: then rounding errors alone may have made it, and
    /// no digit of the value need be right. Exact determinants tell whether the matrix is singular.
    pub fn is_singular_to_working_precision(&self) -> bool {
        self.singular_to_working_precision
    }
}

/// The determinant of a matrix of doubles with the more accurate [`Pivoting`].
///
/// Takes n³/3 products, bands of rows in parallel; n = 0 gives 1. Where an entry leaves 2^±256, rows and columns
/// are scaled by powers of two so that no entry reaches 2, and the largest product of n entries in different rows
/// and columns is at least 1: up to n³ additions more, on one thread. What is below 10^−300 then may count as 0;
/// that is felt only where the determinant is singular to working precision anyway.
///
/// ```
/// use sunzi::matrix::{DenseMatrix, float};
///
/// let hilbert = DenseMatrix::from_fn(6, 6, |i, j| 1.0 / (i + j + 1) as f64);
/// let determinant = float::determinant(&hilbert)?;
/// assert!((determinant.to_f64() / 5.367299887358e-18 - 1.0).abs() < 1e-9);
///
/// let tiny = DenseMatrix::from_fn(2, 2, |i, j| if i == j { 1e-300 } else { 0.0 });
/// assert_eq!(format!("{:.6}", float::determinant(&tiny)?.value()), "1.000000e-600");
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
///
/// # Errors
/// [`MatrixError::NotSquare`]; [`MatrixError::NotFinite`], which names the first entry that is infinite or no number.
pub fn determinant(matrix: &DenseMatrix<f64>) -> Result<FloatDeterminant, MatrixError> {
    determinant_by(Pivoting::default(), matrix)
}

/// The determinant of a matrix of doubles with this choice of pivots.
///
/// ```
/// use sunzi::matrix::DenseMatrix;
/// use sunzi::matrix::float::{Pivoting, determinant_by};
///
/// let matrix = DenseMatrix::new(2, 2, vec![1.0, 2.0, 3.0, 4.0])?;
/// let condensed = determinant_by(Pivoting::NearestToOne, &matrix)?;
/// assert_eq!(condensed.to_f64(), -2.0);
/// assert_eq!(condensed.factors(), [1.0, -2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`determinant`].
pub fn determinant_by(
    pivoting: Pivoting,
    matrix: &DenseMatrix<f64>,
) -> Result<FloatDeterminant, MatrixError> {
    let Some(mut begun) = Begun::new(matrix)? else {
        return Ok(FloatDeterminant::zero());
    };
    let pivots = pivots(pivoting, &mut begun.rows);
    Ok(begun.end(pivots))
}

/// A pivot as a step of elimination finds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundPivot {
    /// Its place among the columns that have had none before it.
    pub place: usize,
    /// The entry, which times 2^`shift` is the pivot.
    pub value: f64,
    /// The power of two that its row has been divided by.
    pub shift: i64,
}

/// The determinant of a matrix whose pivots are found elsewhere: `find` gets its rows one after the other, scaled where
/// entries are far apart, and gives the pivot of each, or none where a row was 0 when its turn came.
///
/// ```
/// use sunzi::matrix::DenseMatrix;
/// use sunzi::matrix::float::{FoundPivot, determinant_of_pivots};
///
/// let matrix = DenseMatrix::new(2, 2, vec![1.0, 2.0, 3.0, 4.0])?;
/// let pivot = |value| FoundPivot { place: 0, value, shift: 0 };
/// let found = determinant_of_pivots(&matrix, |entries| {
///     Ok::<_, ()>(Some(vec![pivot(entries[0]), pivot(entries[3] - entries[2] * entries[1])]))
/// });
/// assert_eq!(found.map(|found| found.map(|found| found.to_f64())), Ok(Ok(-2.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `find`, and within what it gives, as [`determinant`].
pub fn determinant_of_pivots<E>(
    matrix: &DenseMatrix<f64>,
    find: impl FnOnce(Vec<f64>) -> Result<Option<Vec<FoundPivot>>, E>,
) -> Result<Result<FloatDeterminant, MatrixError>, E> {
    let begun = match Begun::new(matrix) {
        Err(error) => return Ok(Err(error)),
        Ok(None) => return Ok(Ok(FloatDeterminant::zero())),
        Ok(Some(begun)) => begun,
    };
    let entries = begun.rows.iter().flat_map(|row| &row.entries);
    let pivots = find(entries.copied().collect())?;
    Ok(Ok(begun.end(pivots)))
}

/// A matrix as elimination begins with it.
struct Begun {
    rows: Vec<Row>,
    /// Powers of two that columns have been divided by.
    factors: Vec<f64>,
    /// Those that rows have been divided by.
    shifts: Vec<i64>,
    /// The largest entry.
    largest: f64,
}

impl Begun {
    /// None of a matrix whose products of entries in different rows and columns are all zero.
    fn new(matrix: &DenseMatrix<f64>) -> Result<Option<Self>, MatrixError> {
        let n = matrix.order()?;
        if let Some(place) = matrix.entries().iter().position(|entry| !entry.is_finite()) {
            return Err(MatrixError::NotFinite {
                row: place / n,
                column: place % n,
                value: matrix.entries()[place],
            });
        }
        let mut rows: Vec<Row> = (0..n)
            .map(|i| Row {
                entries: matrix.row(i).to_vec(),
                shift: 0,
            })
            .collect();
        let mut factors = Vec::with_capacity(n);
        if !matrix.entries().iter().copied().all(is_near_one)
            && equilibrate(&mut rows, &mut factors).is_none()
        {
            return Ok(None);
        }
        // Pivots are compared with the entries as they are now.
        let largest = rows.iter().map(|row| largest(&row.entries));
        Ok(Some(Self {
            largest: largest.fold(0.0, f64::max),
            shifts: rows.iter().map(|row| row.shift).collect(),
            rows,
            factors,
        }))
    }

    /// The determinant, given the pivot of each row.
    fn end(self, pivots: Option<Vec<FoundPivot>>) -> FloatDeterminant {
        let (n, mut factors) = (self.shifts.len(), self.factors);
        let Some(pivots) = pivots else {
            return FloatDeterminant::zero();
        };
        let mut smallest = ScaledFloat::new(1.0, i64::MAX);
        for (pivot, before) in pivots.into_iter().zip(self.shifts) {
            smallest = smallest.smaller(ScaledFloat::new(pivot.value, pivot.shift));
            let drop = dropped(pivot.value);
            let value = times_power_of_two(pivot.value, -drop);
            factors.push(if pivot.place % 2 == 0 { value } else { -value });
            push_power(before + pivot.shift + i64::from(drop), &mut factors);
        }
        let threshold = ScaledFloat::from_f64(self.largest) * ScaledFloat::new(n as f64, -53);
        FloatDeterminant {
            value: factors.iter().copied().map(ScaledFloat::from_f64).product(),
            singular_to_working_precision: n > 0 && smallest.smaller(threshold) != threshold,
            factors,
        }
    }
}

/// The power of two that a row is divided by when its pivot has this value: 0 unless that is small.
fn dropped(pivot: f64) -> i32 {
    let exponent = split(pivot).1;
    if exponent < -RANGE { exponent } else { 0 }
}

/// The pivots of these rows, which it uses up; none if a row is 0 when its turn comes.
fn pivots(pivoting: Pivoting, mut rows: &mut [Row]) -> Option<Vec<FoundPivot>> {
    let before: Vec<i64> = rows.iter().map(|row| row.shift).collect();
    let mut pivots = Vec::with_capacity(before.len());
    let work = RowByRow::of(before.len());
    for shift in before {
        let (top, below) = rows.split_first_mut()?;
        let place = pivoting.choose(&top.entries)?;
        let value = top.entries[place];
        pivots.push(FoundPivot {
            place,
            value,
            shift: top.shift - shift,
        });
        if dropped(value) != 0 {
            top.normalize(value);
        }
        eliminate(&top.entries, place, below);
        rows = below;
        work.left(rows.len());
    }
    Some(pivots)
}

/// The factor 2^`exponent`, in pieces that doubles hold.
fn push_power(mut exponent: i64, factors: &mut Vec<f64>) {
    while exponent != 0 {
        let piece = exponent.clamp(-1000, 1000);
        factors.push(power_of_two(piece as i32));
        exponent -= piece;
    }
}

/// Scales rows and columns so that the largest product of entries in different rows and columns is near 1; `None`
/// if they are all zero.
///
/// Row and column are scaled at once: an entry may leave the range of doubles by either alone.
fn equilibrate(rows: &mut [Row], factors: &mut Vec<f64>) -> Option<()> {
    let (row_exponents, column_exponents) = scaling::exponents(rows)?;
    for (row, exponent) in rows.iter_mut().zip(row_exponents) {
        for (entry, column) in row.entries.iter_mut().zip(&column_exponents) {
            let both = (exponent + column).clamp(-5000, 5000) as i32;
            *entry = times_power_of_two(*entry, -both);
        }
        row.shift = exponent;
    }
    push_power(column_exponents.iter().sum(), factors);
    Some(())
}

fn largest(entries: &[f64]) -> f64 {
    entries.iter().map(|entry| entry.abs()).fold(0.0, f64::max)
}
