//! Polynomials in two variables, of which FLINT finds resultants.

use flint3_sys as sys;

use super::{Signed, set_limbs};

/// A ring Z[x, y] with two polynomials in it, and the resultant of these.
pub struct FmpzBivariate {
    ring: Box<sys::fmpz_mpoly_ctx_struct>,
    operands: [sys::fmpz_mpoly_struct; 2],
    resultant: sys::fmpz_mpoly_struct,
}

// SAFETY: the objects own their memory, and FLINT keeps no reference to the thread that made them.
unsafe impl Send for FmpzBivariate {}

impl FmpzBivariate {
    /// Two polynomials by their terms: powers of x and y, and the coefficient.
    pub fn new(operands: [&[(usize, usize, Signed)]; 2]) -> Self {
        let mut ring = Box::<sys::fmpz_mpoly_ctx_struct>::default();
        let mut made = Self {
            operands: Default::default(),
            resultant: Default::default(),
            // SAFETY: a place for a ring of two variables, which stays where it is.
            ring: unsafe {
                sys::fmpz_mpoly_ctx_init(&mut *ring, 2, sys::ordering_t_ORD_LEX);
                ring
            },
        };
        let Self {
            ring,
            operands: polynomials,
            resultant,
        } = &mut made;
        // SAFETY: `init` makes valid objects of the ring; `value` is a valid fmpz from its start at zero to its clear, and
        // pushing a term copies it; there are two exponents.
        unsafe {
            sys::fmpz_mpoly_init(resultant, &**ring);
            for (polynomial, terms) in polynomials.iter_mut().zip(operands) {
                sys::fmpz_mpoly_init(polynomial, &**ring);
                let mut value: sys::fmpz = 0;
                for (x, y, (negative, limbs)) in terms {
                    set_limbs(&mut value, limbs);
                    if *negative {
                        sys::fmpz_neg(&mut value, &value);
                    }
                    let powers = [*x as u64, *y as u64];
                    sys::fmpz_mpoly_push_term_fmpz_ui(polynomial, &value, powers.as_ptr(), &**ring);
                }
                sys::fmpz_clear(&mut value);
                sys::fmpz_mpoly_sort_terms(polynomial, &**ring);
            }
        }
        made
    }

    /// Computes the resultant that eliminates x (0) or y (1).
    pub fn eliminate(&mut self, unknown: usize) {
        assert!(unknown < 2, "there are two variables");
        let [a, b] = &self.operands;
        // SAFETY: valid objects of this ring, the result exclusive.
        let done = unsafe {
            sys::fmpz_mpoly_resultant(&mut self.resultant, a, b, unknown as i64, &*self.ring)
        };
        assert!(done == 1, "FLINT finds the resultant");
    }

    /// The resultant's coefficients of the powers of the other variable, up to `degree`: each as its sign and `width` limbs.
    pub fn words(&self, eliminated: usize, degree: usize, width: usize) -> Vec<Signed> {
        let mut value: sys::fmpz = 0;
        let coefficient = |power: usize| {
            let mut powers = [0; 2];
            powers[1 - eliminated] = power as u64;
            let mut limbs = vec![0; width];
            // SAFETY: valid objects; `width` limbs hold the absolute value, which is checked before the copy.
            let negative = unsafe {
                sys::fmpz_mpoly_get_coeff_fmpz_ui(
                    &mut value,
                    &self.resultant,
                    powers.as_ptr(),
                    &*self.ring,
                );
                assert!(sys::fmpz_size(&value) <= width as i64, "it fits its bound");
                let negative = sys::fmpz_sgn(&value) < 0;
                sys::fmpz_abs(&mut value, &value);
                sys::fmpz_get_ui_array(limbs.as_mut_ptr(), width as i64, &value);
                negative
            };
            (negative, limbs)
        };
        let words = (0..=degree).map(coefficient).collect();
        // SAFETY: a valid fmpz, cleared once.
        unsafe { sys::fmpz_clear(&mut value) };
        words
    }
}

impl Drop for FmpzBivariate {
    fn drop(&mut self) {
        // SAFETY: valid objects, each cleared once, the ring last.
        unsafe {
            for polynomial in self.operands.iter_mut().chain([&mut self.resultant]) {
                sys::fmpz_mpoly_clear(polynomial, &*self.ring);
            }
            sys::fmpz_mpoly_ctx_clear(&mut *self.ring);
        }
    }
}

/// A ring (Z/p)[x, y] with two polynomials in it, and the resultant of these.
pub struct NmodBivariate {
    ring: Box<sys::nmod_mpoly_ctx_struct>,
    operands: [sys::nmod_mpoly_struct; 2],
    resultant: sys::nmod_mpoly_struct,
}

// SAFETY: as for `FmpzBivariate`.
unsafe impl Send for NmodBivariate {}

impl NmodBivariate {
    /// Two polynomials by their rows, the coefficients of powers of y.
    pub fn new(p: u64, operands: [&[Vec<u64>]; 2]) -> Self {
        let mut ring = Box::<sys::nmod_mpoly_ctx_struct>::default();
        // SAFETY: a place for a ring of two variables, which stays where it is.
        unsafe { sys::nmod_mpoly_ctx_init(&mut *ring, 2, sys::ordering_t_ORD_LEX, p) };
        let (mut polynomials, mut resultant): ([sys::nmod_mpoly_struct; 2], _) = Default::default();
        // SAFETY: `init` makes valid objects of the ring; there are two exponents.
        unsafe {
            sys::nmod_mpoly_init(&mut resultant, &*ring);
            for (polynomial, rows) in polynomials.iter_mut().zip(operands) {
                sys::nmod_mpoly_init(polynomial, &*ring);
                for (j, row) in rows.iter().enumerate() {
                    for (i, &coefficient) in row.iter().enumerate() {
                        let powers = [i as u64, j as u64];
                        let ring = &*ring;
                        sys::nmod_mpoly_push_term_ui_ui(
                            polynomial,
                            coefficient,
                            powers.as_ptr(),
                            ring,
                        );
                    }
                }
                sys::nmod_mpoly_sort_terms(polynomial, &*ring);
            }
        }
        Self {
            ring,
            operands: polynomials,
            resultant,
        }
    }

    /// Computes the resultant that eliminates y.
    pub fn eliminate_y(&mut self) {
        let [a, b] = &self.operands;
        // SAFETY: valid objects of this ring, the result exclusive.
        let done = unsafe { sys::nmod_mpoly_resultant(&mut self.resultant, a, b, 1, &*self.ring) };
        assert!(done == 1, "FLINT finds the resultant");
    }

    /// The resultant's coefficients up to `degree`.
    pub fn words(&self, degree: usize) -> Vec<u64> {
        let coefficient = |power: usize| {
            let powers = [power as u64, 0];
            // SAFETY: valid objects, two exponents.
            unsafe {
                sys::nmod_mpoly_get_coeff_ui_ui(&self.resultant, powers.as_ptr(), &*self.ring)
            }
        };
        (0..=degree).map(coefficient).collect()
    }
}

impl Drop for NmodBivariate {
    fn drop(&mut self) {
        // SAFETY: valid objects, each cleared once, the ring last.
        unsafe {
            for polynomial in self.operands.iter_mut().chain([&mut self.resultant]) {
                sys::nmod_mpoly_clear(polynomial, &*self.ring);
            }
            sys::nmod_mpoly_ctx_clear(&mut *self.ring);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_resultants() {
        // x² + y² − 5 and x·y − 2: eliminating y gives x⁴ − 5x² + 4.
        let one = || (false, vec![1]);
        let f = [(2, 0, one()), (0, 2, one()), (0, 0, (true, vec![5]))];
        let g = [(1, 1, one()), (0, 0, (true, vec![2]))];
        let mut system = FmpzBivariate::new([&f, &g]);
        system.eliminate(1);
        let expected = [(false, 4), (false, 0), (true, 5), (false, 0), (false, 1)];
        let expected: Vec<Signed> = expected.map(|(sign, limb)| (sign, vec![limb])).into();
        assert_eq!(system.words(1, 4, 1), expected);
        let (f, g) = ([vec![96, 0, 1], vec![], vec![1]], [vec![99], vec![0, 1]]);
        let mut system = NmodBivariate::new(101, [&f, &g]);
        system.eliminate_y();
        assert_eq!(system.words(4), [4, 0, 96, 0, 1]);
    }
}
