//! Square matrices over Z/p and over Z.

use flint3_sys as sys;

use super::{Signed, long, set_limbs};

/// A matrix over Z/p.
pub struct NmodMatrix(pub(super) sys::nmod_mat_struct);

// SAFETY: the object owns its memory, and FLINT keeps no reference to the thread that made it.
unsafe impl Send for NmodMatrix {}

impl NmodMatrix {
    /// The matrix of order n with these residues, row by row.
    pub fn new(p: u64, order: usize, residues: &[u64]) -> Self {
        Self::of_shape(p, (order, order), residues)
    }

    /// The matrix of these rows and columns.
    pub fn of_shape(p: u64, (rows, columns): (usize, usize), residues: &[u64]) -> Self {
        assert_eq!(residues.len(), rows * columns);
        let mut matrix = sys::nmod_mat_struct::default();
        // SAFETY: `init` makes `matrix` a valid object of so many rows of `columns` entries, `stride` apart, into which as
        // many residues each are copied.
        unsafe {
            sys::nmod_mat_init(&mut matrix, long(rows), long(columns), p);
            let stride = usize::try_from(matrix.stride).expect("not negative");
            for (i, row) in residues.chunks_exact(columns.max(1)).enumerate() {
                let target = matrix.entries.add(i * stride);
                std::ptr::copy_nonoverlapping(row.as_ptr(), target, columns);
            }
        }
        Self(matrix)
    }

    /// The determinant, for a prime p.
    pub fn determinant(&self) -> u64 {
        // SAFETY: a valid object.
        unsafe { sys::nmod_mat_det(&self.0) }
    }
}

impl Drop for NmodMatrix {
    fn drop(&mut self) {
        // SAFETY: a valid object, cleared once.
        unsafe { sys::nmod_mat_clear(&mut self.0) }
    }
}

/// A matrix over Z.
pub struct FmpzMatrix(pub(super) sys::fmpz_mat_struct);

// SAFETY: as for `NmodMatrix`; fmpz memory may be freed by any thread.
unsafe impl Send for FmpzMatrix {}

impl FmpzMatrix {
    /// The matrix of order n with these entries, row by row.
    pub fn new(order: usize, entries: &[Signed]) -> Self {
        Self::of_shape((order, order), entries)
    }

    /// The matrix of these rows and columns.
    pub fn of_shape((rows, columns): (usize, usize), entries: &[Signed]) -> Self {
        assert_eq!(entries.len(), rows * columns);
        let mut matrix = sys::fmpz_mat_struct::default();
        // SAFETY: `init` makes `matrix` a valid object of these rows and columns; `fmpz_mat_entry` gives places
        // within it.
        unsafe {
            sys::fmpz_mat_init(&mut matrix, long(rows), long(columns));
            for (at, (negative, limbs)) in entries.iter().enumerate() {
                let entry = sys::fmpz_mat_entry(&matrix, long(at / columns), long(at % columns));
                set_limbs(entry, limbs);
                if *negative {
                    sys::fmpz_neg(entry, entry);
                }
            }
        }
        Self(matrix)
    }

    /// The determinant, proved: its sign (1 if negative) and `width` limbs.
    pub fn determinant(&self, width: usize) -> Vec<u64> {
        let mut words = vec![0; width + 1];
        let mut value: sys::fmpz = 0;
        // SAFETY: a valid matrix; `value` is a valid fmpz from its start at zero to its clear, and its absolute
        // value fits `width` limbs, which is checked before the copy.
        unsafe {
            sys::fmpz_mat_det(&mut value, &self.0);
            words[0] = u64::from(sys::fmpz_sgn(&value) < 0);
            sys::fmpz_abs(&mut value, &value);
            let size = usize::try_from(sys::fmpz_size(&value)).expect("not negative");
            assert!(size <= width, "the determinant fits its bound");
            sys::fmpz_get_ui_array(words[1..].as_mut_ptr(), long(width), &value);
            sys::fmpz_clear(&mut value);
        }
        words
    }
}

impl Drop for FmpzMatrix {
    fn drop(&mut self) {
        // SAFETY: a valid object, cleared once.
        unsafe { sys::fmpz_mat_clear(&mut self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_determinants() {
        assert_eq!(NmodMatrix::new(7, 2, &[1, 2, 3, 4]).determinant(), 5);
        let entries = [1, 2, 3, 4].map(|x| (false, vec![x]));
        assert_eq!(FmpzMatrix::new(2, &entries).determinant(2), [1, 2, 0]);
    }
}
