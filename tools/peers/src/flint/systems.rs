//! What FLINT finds of matrices by elimination, and products.

use flint3_sys as sys;
use rug::Integer;
use rug::integer::Order;

use super::{FmpzMatrix, NmodMatrix, long};

/// Rational results are compared modulo this prime, which divides no denominator of random matrices.
pub const CHECK_PRIME: u64 = (1 << 61) - 1;

impl NmodMatrix {
    /// Zeros.
    pub fn zero(p: u64, (rows, columns): (usize, usize)) -> Self {
        Self::of_shape(p, (rows, columns), &vec![0; rows * columns])
    }

    pub fn rank(&self) -> usize {
        // SAFETY: a valid object, which is copied.
        let rank = unsafe { sys::nmod_mat_rank(&self.0) };
        usize::try_from(rank).expect("not negative")
    }

    /// The inverse, if there is one, into a matrix of the same order.
    pub fn inverse(&self, out: &mut Self) -> bool {
        // SAFETY: valid objects of one order, the result exclusive.
        unsafe { sys::nmod_mat_inv(&mut out.0, &self.0) != 0 }
    }

    /// The reduced row echelon form, into a matrix of the same shape.
    pub fn reduced(&self, out: &mut Self) {
        // SAFETY: valid objects of one shape, the result exclusive.
        unsafe {
            sys::nmod_mat_set(&mut out.0, &self.0);
            sys::nmod_mat_rref(&mut out.0);
        }
    }

    /// A basis of the nullspace, as the first columns of a square matrix; how many there are.
    pub fn nullspace(&self, out: &mut Self) -> usize {
        // SAFETY: valid objects, the result exclusive and of as many rows and columns as `self` has columns.
        let nullity = unsafe { sys::nmod_mat_nullspace(&mut out.0, &self.0) };
        usize::try_from(nullity).expect("not negative")
    }

    /// The X with self·X = right, if there is one, into a matrix of the same shape as that.
    pub fn solve(&self, right: &Self, out: &mut Self) -> bool {
        // SAFETY: valid objects, the result exclusive and of the same shape as the right side.
        unsafe { sys::nmod_mat_solve(&mut out.0, &self.0, &right.0) != 0 }
    }

    /// The product, into a matrix of the right shape.
    pub fn times(&self, right: &Self, out: &mut Self) {
        // SAFETY: valid objects of fitting shapes, the result exclusive.
        unsafe { sys::nmod_mat_mul(&mut out.0, &self.0, &right.0) }
    }

    /// The entries of the first columns, row by row.
    pub fn words(&self, columns: usize) -> Vec<u64> {
        let size = |count: i64| usize::try_from(count).expect("not negative");
        assert!(columns <= size(self.0.c));
        let rows = 0..size(self.0.r);
        let row = |i: usize| {
            // SAFETY: row i of a valid object starts there, and has more entries than are read.
            unsafe {
                let start = self.0.entries.add(i * size(self.0.stride));
                std::slice::from_raw_parts(start, columns)
            }
        };
        rows.flat_map(row).copied().collect()
    }
}

impl FmpzMatrix {
    /// Zeros.
    pub fn zero((rows, columns): (usize, usize)) -> Self {
        Self::of_shape((rows, columns), &vec![(false, Vec::new()); rows * columns])
    }

    pub fn rank(&self) -> usize {
        // SAFETY: a valid object.
        let rank = unsafe { sys::fmpz_mat_rank(&self.0) };
        usize::try_from(rank).expect("not negative")
    }

    /// Integers that span the nullspace over Q, as the first columns of a square matrix; how many there are.
    pub fn nullspace(&self, out: &mut Self) -> usize {
        // SAFETY: valid objects, the result exclusive and of as many rows and columns as `self` has columns.
        let nullity = unsafe { sys::fmpz_mat_nullspace(&mut out.0, &self.0) };
        usize::try_from(nullity).expect("not negative")
    }

    /// The product, into a matrix of the right shape.
    pub fn times(&self, right: &Self, out: &mut Self) {
        // SAFETY: valid objects of fitting shapes, the result exclusive.
        unsafe { sys::fmpz_mat_mul(&mut out.0, &self.0, &right.0) }
    }

    /// The entries of the first columns modulo [`CHECK_PRIME`], row by row.
    pub fn residues(&self, columns: usize) -> Vec<u64> {
        let size = |count: i64| usize::try_from(count).expect("not negative");
        assert!(columns <= size(self.0.c));
        let places = (0..size(self.0.r)).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let residue = |(i, j)| {
            // SAFETY: a valid object with such a row and column.
            unsafe {
                sys::fmpz_fdiv_ui(sys::fmpz_mat_entry(&self.0, long(i), long(j)), CHECK_PRIME)
            }
        };
        places.map(residue).collect()
    }
}

/// A matrix over Q.
pub struct FmpqMatrix {
    matrix: sys::fmpq_mat_struct,
    shape: (usize, usize),
}

// SAFETY: as for `FmpzMatrix`.
unsafe impl Send for FmpqMatrix {}

impl FmpqMatrix {
    /// Zeros.
    pub fn zero(shape: (usize, usize)) -> Self {
        let mut matrix = sys::fmpq_mat_struct::default();
        // SAFETY: `init` makes `matrix` a valid object.
        unsafe { sys::fmpq_mat_init(&mut matrix, long(shape.0), long(shape.1)) }
        Self { matrix, shape }
    }

    /// The integers of a matrix.
    pub fn of_integers(integers: &FmpzMatrix, shape: (usize, usize)) -> Self {
        let mut out = Self::zero(shape);
        assert!(integers.0.r == long(shape.0) && integers.0.c == long(shape.1));
        // SAFETY: valid objects of one shape, the result exclusive.
        unsafe { sys::fmpq_mat_set_fmpz_mat(&mut out.matrix, &integers.0) }
        out
    }

    /// The X with matrix·X = right by Dixon's lifting, if there is one.
    pub fn solve(&mut self, matrix: &FmpzMatrix, right: &FmpzMatrix) -> bool {
        // SAFETY: valid objects, the result exclusive and of the right side's shape.
        unsafe { sys::fmpq_mat_solve_fmpz_mat_dixon(&mut self.matrix, &matrix.0, &right.0) != 0 }
    }

    /// The inverse, if there is one, into a matrix of the same order.
    pub fn inverse(&self, out: &mut Self) -> bool {
        // SAFETY: valid objects of one order, the result exclusive.
        unsafe { sys::fmpq_mat_inv(&mut out.matrix, &self.matrix) != 0 }
    }

    /// The reduced row echelon form.
    pub fn reduced(&self) -> Self {
        let mut out = Self::zero(self.shape);
        // SAFETY: valid objects of one shape, the result exclusive.
        unsafe { sys::fmpq_mat_rref(&mut out.matrix, &self.matrix) };
        out
    }

    /// Numerators and denominators modulo [`CHECK_PRIME`], row by row.
    pub fn residues(&self) -> Vec<[u64; 2]> {
        let residue = |part: &sys::fmpz| {
            // SAFETY: a valid integer.
            unsafe { sys::fmpz_fdiv_ui(part, CHECK_PRIME) }
        };
        self.map(|entry| [&entry.num, &entry.den].map(residue))
    }

    /// Numerators and denominators, row by row.
    pub fn entries(&self) -> Vec<[Integer; 2]> {
        let integer = |part: &sys::fmpz| {
            // SAFETY: a valid integer; the limbs of its absolute value are as many as it says.
            let (negative, limbs) = unsafe {
                let mut magnitude: sys::fmpz = 0;
                sys::fmpz_abs(&mut magnitude, part);
                let size = usize::try_from(sys::fmpz_size(part)).expect("not negative");
                let mut limbs = vec![0u64; size];
                if size > 0 {
                    sys::fmpz_get_ui_array(limbs.as_mut_ptr(), long(size), &magnitude);
                }
                sys::fmpz_clear(&mut magnitude);
                (sys::fmpz_sgn(part) < 0, limbs)
            };
            let value = Integer::from_digits(&limbs, Order::Lsf);
            if negative { -value } else { value }
        };
        self.map(|entry| [&entry.num, &entry.den].map(integer))
    }

    /// What is made of the entries, row by row.
    fn map<T>(&self, made: impl Fn(&sys::fmpq) -> T) -> Vec<T> {
        let (rows, columns) = self.shape;
        let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let entry = |(i, j)| {
            // SAFETY: a valid object with such a row and column, whose entry nothing changes meanwhile.
            unsafe { made(&*sys::fmpq_mat_entry(&self.matrix, long(i), long(j))) }
        };
        places.map(entry).collect()
    }
}

impl Drop for FmpqMatrix {
    fn drop(&mut self) {
        // SAFETY: a valid object, cleared once.
        unsafe { sys::fmpq_mat_clear(&mut self.matrix) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_matrices() {
        let matrix = NmodMatrix::new(7, 2, &[1, 2, 2, 4]);
        let mut out = NmodMatrix::zero(7, (2, 2));
        matrix.reduced(&mut out);
        assert_eq!((matrix.rank(), out.words(2)), (1, vec![1, 2, 0, 0]));
        assert_eq!((matrix.nullspace(&mut out), out.words(1)), (1, vec![5, 1]));
        assert!(!matrix.inverse(&mut out));
        matrix.times(&matrix, &mut out);
        assert_eq!(out.words(2), [5, 3, 3, 6]);
        let integers = FmpzMatrix::new(1, &[(true, vec![2])]);
        let mut inverse = FmpqMatrix::zero((1, 1));
        assert!(FmpqMatrix::of_integers(&integers, (1, 1)).inverse(&mut inverse));
        assert_eq!(inverse.residues(), [[CHECK_PRIME - 1, 2]]);
    }
}
