//! A tree of products of x - point, kept for many evaluations.

use flint3_sys as sys;

use super::{NmodPoly, long};

/// The subproduct tree of some points modulo p.
pub struct NmodTree {
    levels: *mut sys::nn_ptr,
    points: usize,
    /// The polynomial 0: it carries the modulus in FLINT's form.
    zero: NmodPoly,
}

// SAFETY: the object owns its memory, and FLINT keeps no reference to the thread that made it.
unsafe impl Send for NmodTree {}

impl NmodTree {
    /// The tree of these reduced points.
    pub fn new(p: u64, points: &[u64]) -> Self {
        let zero = NmodPoly::new(p, &[]);
        let count = long(points.len());
        // SAFETY: FLINT allocates the levels for as many points as it then reads.
        let levels = unsafe {
            let levels = sys::_nmod_poly_tree_alloc(count);
            sys::_nmod_poly_tree_build(levels, points.as_ptr(), count, zero.modulus());
            levels
        };
        Self {
            levels,
            points: points.len(),
            zero,
        }
    }

    /// The values of `poly` at the points.
    pub fn evaluate(&self, values: &mut [u64], poly: &NmodPoly) {
        assert_eq!(values.len(), self.points);
        assert_eq!(poly.0.mod_.n, self.zero.0.mod_.n);
        // SAFETY: a valid object and a whole tree of one modulus, room for every value, which is exclusive.
        unsafe {
            sys::_nmod_poly_evaluate_nmod_vec_fast_precomp(
                values.as_mut_ptr(),
                poly.0.coeffs,
                poly.0.length,
                self.levels,
                long(self.points),
                poly.modulus(),
            );
        }
    }
}

impl Drop for NmodTree {
    fn drop(&mut self) {
        // SAFETY: the levels were allocated for this many points, and are freed once.
        unsafe { sys::_nmod_poly_tree_free(self.levels, long(self.points)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_tree_gives_the_values_of_several_polynomials() {
        let points: Vec<u64> = (0..7).collect();
        let tree = NmodTree::new(101, &points);
        for residues in [&[1, 0, 1][..], &[5], &[], &[3, 100, 0, 7, 1, 1, 1]] {
            let poly = NmodPoly::new(101, residues);
            let (mut values, mut expected) = ([0; 7], [0; 7]);
            tree.evaluate(&mut values, &poly);
            poly.evaluate_one_by_one(&mut expected, &points);
            assert_eq!(values, expected);
        }
    }
}
