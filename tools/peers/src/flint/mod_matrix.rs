//! Matrices over the integers modulo a prime of any length.

use std::sync::Arc;

use flint3_sys as sys;

use super::{Fmpz, FmpzModulus, long};

/// A matrix over Z/p.
pub struct FmpzModMatrix {
    matrix: sys::fmpz_mat_struct,
    modulus: Arc<FmpzModulus>,
    shape: (usize, usize),
}

impl FmpzModMatrix {
    /// The matrix whose entries, row by row, have `n` limbs each.
    pub fn new(
        modulus: &Arc<FmpzModulus>,
        rows: usize,
        columns: usize,
        limbs: &[u64],
        n: usize,
    ) -> Self {
        assert_eq!(limbs.len(), rows * columns * n);
        let mut out = Self::zero(modulus, rows, columns);
        for (at, entry) in limbs.chunks_exact(n).enumerate() {
            let value = Fmpz::new(entry);
            let (i, j) = (long(at / columns), long(at % columns));
            // SAFETY: a valid object with such a row and column; the value is copied.
            unsafe {
                sys::fmpz_mod_mat_set_entry(&mut out.matrix, i, j, &value.0, &*modulus.0);
            }
        }
        out
    }

    fn zero(modulus: &Arc<FmpzModulus>, rows: usize, columns: usize) -> Self {
        let mut matrix = sys::fmpz_mat_struct::default();
        // SAFETY: `init` makes a valid object.
        unsafe { sys::fmpz_mod_mat_init(&mut matrix, long(rows), long(columns), &*modulus.0) }
        Self {
            matrix,
            modulus: modulus.clone(),
            shape: (rows, columns),
        }
    }

    /// The entries, row by row, of `n` limbs each.
    pub fn limbs(&self, n: usize) -> Vec<u64> {
        let mut limbs = vec![0; self.shape.0 * self.shape.1 * n];
        for (at, entry) in limbs.chunks_exact_mut(n).enumerate() {
            let (i, j) = (long(at / self.shape.1), long(at % self.shape.1));
            // SAFETY: a valid object with such a row and column, whose entry is below the modulus of n limbs.
            unsafe {
                let value = sys::fmpz_mod_mat_entry(&self.matrix, i, j);
                sys::fmpz_get_ui_array(entry.as_mut_ptr(), long(n), value);
            }
        }
        limbs
    }

    pub fn determinant(&self) -> Fmpz {
        assert_eq!(self.shape.0, self.shape.1);
        let mut value = Fmpz::new(&[]);
        // SAFETY: a valid square matrix, the result exclusive.
        unsafe { sys::fmpz_mod_mat_det(&mut value.0, &self.matrix, &*self.modulus.0) }
        value
    }

    pub fn rank(&self) -> usize {
        // SAFETY: a valid object.
        let rank = unsafe { sys::fmpz_mod_mat_rank(&self.matrix, &*self.modulus.0) };
        usize::try_from(rank).expect("not negative")
    }

    /// The reduced row echelon form.
    pub fn reduced(&self) -> Self {
        let mut reduced = Self::zero(&self.modulus, self.shape.0, self.shape.1);
        // SAFETY: valid matrices of one shape, the result exclusive.
        unsafe { sys::fmpz_mod_mat_rref(&mut reduced.matrix, &self.matrix, &*self.modulus.0) };
        reduced
    }

    /// A basis of the nullspace as columns, row by row, of `n` limbs each.
    pub fn nullspace(&self, n: usize) -> Vec<u64> {
        let columns = self.shape.1;
        let mut out = Self::zero(&self.modulus, columns, columns);
        // SAFETY: valid matrices, the result exclusive and of as many rows and columns as `self` has columns.
        let nullity =
            unsafe { sys::fmpz_mod_mat_nullspace(&mut out.matrix, &self.matrix, &*self.modulus.0) };
        let words = usize::try_from(nullity).expect("not negative") * n;
        let rows = out.limbs(n);
        let rows = rows.chunks_exact((columns * n).max(1));
        rows.flat_map(|row| &row[..words]).copied().collect()
    }

    /// The columns in which the rows of the reduced echelon form begin.
    pub fn pivot_columns(&self) -> Vec<usize> {
        let (rows, columns) = self.shape;
        let reduced = self.reduced();
        let is_zero = |reduced: &Self, i: usize, j: usize| {
            // SAFETY: a valid object with such a row and column.
            unsafe {
                sys::fmpz_is_zero(sys::fmpz_mod_mat_entry(&reduced.matrix, long(i), long(j))) != 0
            }
        };
        let first = |i| (0..columns).find(|&j| !is_zero(&reduced, i, j));
        (0..rows).map_while(first).collect()
    }

    pub fn times(&self, other: &Self) -> Self {
        assert_eq!(self.shape.1, other.shape.0);
        let mut out = Self::zero(&self.modulus, self.shape.0, other.shape.1);
        // SAFETY: valid matrices of fitting shapes, the result exclusive.
        unsafe {
            let modulus = &*self.modulus.0;
            sys::fmpz_mod_mat_mul(&mut out.matrix, &self.matrix, &other.matrix, modulus);
        }
        out
    }

    /// `None` of a singular matrix.
    pub fn inverse(&self) -> Option<Self> {
        assert_eq!(self.shape.0, self.shape.1);
        let mut out = Self::zero(&self.modulus, self.shape.0, self.shape.1);
        // SAFETY: valid square matrices of one order, the result exclusive.
        let done =
            unsafe { sys::fmpz_mod_mat_inv(&mut out.matrix, &self.matrix, &*self.modulus.0) };
        (done != 0).then_some(out)
    }
}

impl Drop for FmpzModMatrix {
    fn drop(&mut self) {
        // SAFETY: a valid object, cleared once.
        unsafe { sys::fmpz_mod_mat_clear(&mut self.matrix, &*self.modulus.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_systems() {
        let modulus = Arc::new(FmpzModulus::new(&[7]));
        let matrix =
            |rows, columns, limbs: &[u64]| FmpzModMatrix::new(&modulus, rows, columns, limbs, 1);
        let a = matrix(2, 2, &[1, 2, 3, 4]);
        assert_eq!((a.determinant().limbs(1), a.rank()), (vec![5], 2));
        assert_eq!(a.times(&matrix(2, 1, &[1, 2])).limbs(1), [5, 4]);
        assert_eq!(a.inverse().unwrap().limbs(1), [5, 1, 5, 3]);
        let singular = matrix(2, 2, &[1, 2, 2, 4]);
        assert!(singular.inverse().is_none());
        assert_eq!((singular.rank(), singular.pivot_columns()), (1, vec![0]));
        assert_eq!(matrix(2, 3, &[0, 1, 2, 0, 2, 5]).pivot_columns(), [1, 2]);
    }
}
