//! Values as rows of words, which stand one after the other: their type is the same for every field.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sunzi_field::AnyField;
use sunzi_integer::Integer;

use super::error::Problem;
use super::values::{Decimal, Integers, Values, is_integer};

/// Values as elements of a field that is known at run time only. A value is the index of a row of words, all of which
/// lie in one vector; row 0 is the element 0. [`AnySparseMatrix`](crate::AnySparseMatrix) and
/// [`AnyDenseMatrix`](sunzi_linalg::dense::AnyDenseMatrix) are made of indices and rows.
///
/// Texts are read as by [`Residues`](super::Residues). A vector holds at most 2^32 − 1 rows; the matrices refuse the indices of what comes
/// after them.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::sparse::matrix_market;
/// use sunzi::sparse::matrix_market::ResidueRows;
///
/// let values = ResidueRows::new(&AnyField::generalized_fermat(10, 2)?); // 10² + 1
/// let file = "%%MatrixMarket matrix coordinate integer general\n1 2 2\n1 1 -1\n1 2 1042\n";
/// let matrix = matrix_market::read(file.as_bytes(), &values)?;
/// assert_eq!(matrix.values(), [1, 2]);
/// assert_eq!(values.into_rows(), [0, 0, 0, 10, 2, 3]); // 1042 ≡ 32
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ResidueRows {
    field: AnyField,
    width: usize,
    /// Several threads may read.
    store: Mutex<Store>,
}

#[derive(Debug)]
struct Store {
    rows: Vec<u64>,
    /// The indices of rows that are sums: each belongs to one place, and takes what is added there later.
    sums: HashSet<u32>,
}

/// The index of what is beyond the rows that indices reach.
const NO_ROW: u32 = u32::MAX;

impl ResidueRows {
    /// No values yet, but 0.
    #[must_use]
    pub fn new(field: &AnyField) -> Self {
        let width = field.width();
        Self {
            field: field.clone(),
            width,
            store: Mutex::new(Store {
                rows: vec![0; width],
                sums: HashSet::new(),
            }),
        }
    }

    /// All rows, one after the other.
    #[must_use]
    pub fn into_rows(self) -> Vec<u64> {
        let store = self.store.into_inner();
        store.unwrap_or_else(PoisonError::into_inner).rows
    }

    /// The value of a quotient, if its denominator is not 0 modulo the prime.
    pub fn quotient(&self, numerator: &Integer, denominator: &Integer) -> Option<u32> {
        let numerator = self.image(numerator);
        Some(match denominator.is_one() {
            true => self.keep(&numerator),
            false => {
                let inverse = self.field.inverse_row(&self.image(denominator))?;
                self.keep(&self.field.product_row(&numerator, &inverse))
            }
        })
    }

    /// The row of an integer.
    fn image(&self, value: &Integer) -> Vec<u64> {
        let mut row = Vec::with_capacity(self.width);
        self.field.push_integer(value, &mut row);
        row
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, row: &[u64]) -> u32 {
        self.push(|rows| rows.extend_from_slice(row))
    }

    /// The index of the row that is appended.
    fn push(&self, append: impl FnOnce(&mut Vec<u64>)) -> u32 {
        let rows = &mut self.lock().rows;
        let end = rows.len();
        append(rows);
        let index = match rows[end..].iter().all(|&word| word == 0) {
            true => 0,
            false => u32::try_from(end / self.width).unwrap_or(NO_ROW),
        };
        if index == 0 || index == NO_ROW {
            rows.truncate(end);
        }
        index
    }

    /// The row with this index; that of 0 if there is none.
    fn row(&self, index: u32) -> Vec<u64> {
        let rows = &self.lock().rows;
        let start = index as usize * self.width;
        let row = rows.get(start..start + self.width);
        row.unwrap_or(&rows[..self.width]).to_vec()
    }

    fn put_sum(&self, a: u32, b: u32) -> u32 {
        let sum = self.field.sum_row(&self.row(a), &self.row(b));
        let mut store = self.lock();
        if store.sums.contains(&a) {
            let start = a as usize * self.width;
            store.rows[start..][..self.width].copy_from_slice(&sum);
            return a;
        }
        drop(store);
        let index = self.keep(&sum);
        if index != 0 && index != NO_ROW {
            self.lock().sums.insert(index);
        }
        index
    }
}

impl Values for ResidueRows {
    type Value = u32;

    fn real(&self, text: &str) -> Result<u32, Problem> {
        if is_integer(text) {
            return self.integer(text);
        }
        let decimal = Decimal::parse(text)?;
        let power = self
            .field
            .power_row(&self.image(&Integer::from(10)), decimal.power);
        let significant = self.image(&decimal.signed_significant());
        Ok(self.keep(&self.field.product_row(&significant, &power)))
    }

    fn integer(&self, text: &str) -> Result<u32, Problem> {
        Ok(match text.parse::<u64>() {
            Ok(small) => self.push(|rows| self.field.push_u64(small, rows)),
            Err(_) => self.keep(&self.image(&Integers.integer(text)?)),
        })
    }

    fn zero(&self) -> u32 {
        0
    }

    fn one(&self) -> u32 {
        self.push(|rows| self.field.push_u64(1, rows))
    }

    fn is_zero(&self, value: &u32) -> bool {
        *value == 0
    }

    fn negated(&self, value: &u32) -> u32 {
        self.keep(&self.field.negated_row(&self.row(*value)))
    }

    fn sum(&self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (0, other) | (other, 0) => other,
            (NO_ROW, _) | (_, NO_ROW) => NO_ROW,
            _ => self.put_sum(a, b),
        }
    }

    /// Rows are compared, not indices; what has none is refused later.
    fn are_equal(&self, a: &u32, b: &u32) -> bool {
        let store = self.lock();
        let row = |index: u32| {
            let start = index as usize * self.width;
            store.rows.get(start..start + self.width)
        };
        row(*a) == row(*b)
    }

    /// Those of a row, which every entry of a matrix has in the end.
    fn heap_bytes(&self, _value: &u32) -> u64 {
        (size_of::<u64>() * self.width) as u64
    }
}
