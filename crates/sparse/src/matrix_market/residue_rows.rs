//! Values as rows of words, which stand one after the other: their type is the same for every field.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dashu_int::IBig;
use sunzi_field::{AnyField, Field, Rows, with_field};

use super::error::Problem;
use super::values::{Residues, Values};

/// Values as elements of a field that is known at run time only. A value is the index of a row of words, all of which
/// lie in one vector; row 0 is the element 0. [`AnySparseMatrix`](crate::AnySparseMatrix) and
/// [`AnyDenseMatrix`](sunzi_linalg::dense::AnyDenseMatrix) are made of indices and rows.
///
/// Texts are read as by [`Residues`]. A vector holds at most 2^32 − 1 rows; the matrices refuse the indices of what comes
/// after them.
///
/// ```
/// use sunzi_field::AnyField;
/// use sunzi_sparse::matrix_market::{self, ResidueRows};
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
    pub fn quotient(&self, numerator: &IBig, denominator: &IBig) -> Option<u32> {
        with_field!(&self.field, field => {
            let numerator = field.from_integer(numerator);
            let element = match denominator.is_one() {
                true => numerator,
                false => field.mul(numerator, field.inv(field.from_integer(denominator))?),
            };
            Some(self.push(field, element))
        })
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push<F: Rows>(&self, field: &F, element: F::Elem) -> u32 {
        if element == field.zero() {
            return 0;
        }
        let rows = &mut self.lock().rows;
        match u32::try_from(rows.len() / self.width) {
            Ok(NO_ROW) | Err(_) => NO_ROW,
            Ok(index) => {
                rows.extend_from_slice(&F::rows(&[element]));
                index
            }
        }
    }

    fn element<F: Rows>(&self, _: &F, index: u32) -> F::Elem {
        let start = index as usize * self.width;
        let row = self
            .lock()
            .rows
            .get(start..start + self.width)
            .map(<[_]>::to_vec);
        let elements = F::from_rows(row.unwrap_or_default());
        elements.first().copied().unwrap_or_default()
    }

    fn put_sum<F: Rows>(&self, field: &F, a: u32, b: u32) -> u32 {
        let sum = field.add(self.element(field, a), self.element(field, b));
        let mut store = self.lock();
        if store.sums.contains(&a) {
            let start = a as usize * self.width;
            store.rows[start..][..self.width].copy_from_slice(&F::rows(&[sum]));
            return a;
        }
        drop(store);
        let index = self.push(field, sum);
        if index != 0 && index != NO_ROW {
            self.lock().sums.insert(index);
        }
        index
    }
}

impl Values for ResidueRows {
    type Value = u32;

    fn real(&self, text: &str) -> Result<u32, Problem> {
        with_field!(&self.field, field => Ok(self.push(field, Residues(field).real(text)?)))
    }

    fn integer(&self, text: &str) -> Result<u32, Problem> {
        with_field!(&self.field, field => Ok(self.push(field, Residues(field).integer(text)?)))
    }

    fn zero(&self) -> u32 {
        0
    }

    fn one(&self) -> u32 {
        with_field!(&self.field, field => self.push(field, field.one()))
    }

    fn is_zero(&self, value: &u32) -> bool {
        *value == 0
    }

    fn negated(&self, value: &u32) -> u32 {
        with_field!(&self.field, field => {
            self.push(field, field.neg(self.element(field, *value)))
        })
    }

    fn sum(&self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (0, other) | (other, 0) => other,
            (NO_ROW, _) | (_, NO_ROW) => NO_ROW,
            _ => with_field!(&self.field, field => self.put_sum(field, a, b)),
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
