//! Square-free factors over a field of p elements.
//!
//! **Problem.** f = l·Π g_i^i with monic, square-free and coprime g_i. **Algorithm** (D. Yun, *On square-free decomposition
//! algorithms*, 1976). With w the product of the g_i whose derivatives count, f' = gcd(f, f')·Σ i·g_i'·w/g_i: the factors of
//! multiplicity k divide w and Σ (i − k)·g_i'·w/g_i, which Yun's steps find one k after the other. In characteristic p they tell
//! i modulo p only (J. von zur Gathen, J. Gerhard, *Modern Computer Algebra*, exercise 14.30): step k < p gives h_k, the product of all
//! g_i with i ≡ k. What f is by Π h_k^k is then a p-th power, of Π g_i^⌊i/p⌋, whose coefficients are those of f at multiples
//! of p, as a^p = a. Its own factors s_q, by recursion, are the products of all g_i with ⌊i/p⌋ = q: g_(q·p + k) = gcd(h_k, s_q).
//!
//! **Floor.** Degrees of w add up to n at most over all steps: O(M(n)·log n), as a greatest common divisor takes, for p > n. For
//! p ≤ n also one of each h_k and s_q: of these there are few, as different degrees of factors add up to n.

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;
use sunzi_integer::Natural;

/// A polynomial over a field as leading · Π factor^multiplicity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareFreeFactors<E, P = Poly<E>> {
    /// The leading coefficient.
    pub leading: E,
    /// Monic factors of degree 1 at least, square-free and coprime, each with its multiplicity; these ascend.
    pub factors: Vec<(P, usize)>,
}

/// Factors with what belongs to each.
type Factors<E> = Vec<(Poly<E>, usize)>;

impl<F: CoefficientField> PolyRing<F> {
    /// The square-free factors of `f`, in any characteristic.
    ///
    /// Takes about as many operations as [`PolyRing::gcd`] for p above the degree.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::PolyRing;
    ///
    /// let ring = PolyRing::new(Fp32::new(3)?);
    /// let f = ring.parse("2*x^4*(x^3 + 2)").unwrap(); // x³ + 2 = (x + 2)³
    /// let found = ring.square_free(&f)?;
    /// assert_eq!(found.leading, 2);
    /// let factors = found.factors.iter().map(|(factor, power)| (factor.to_string(), *power));
    /// assert_eq!(factors.collect::<Vec<_>>(), [("x + 2".into(), 3), ("x".into(), 4)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::EveryFactor`] for 0, [`PolyError::OutOfMemory`].
    pub fn square_free(&self, f: &Poly<F::Elem>) -> Result<SquareFreeFactors<F::Elem>, PolyError> {
        (F::compiled().square_free)(self, f)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn square_free_here(
        &self,
        f: &Poly<F::Elem>,
    ) -> Result<SquareFreeFactors<F::Elem>, PolyError> {
        let &leading = f.coefficients().last().ok_or(PolyError::EveryFactor)?;
        let mut factors = self.monic_factors(self.monic(f))?;
        factors.sort_by_key(|(_, multiplicity)| *multiplicity);
        Ok(SquareFreeFactors { leading, factors })
    }

    /// The factors of a monic polynomial, in any order.
    fn monic_factors(&self, f: Poly<F::Elem>) -> Result<Factors<F::Elem>, PolyError> {
        let mut residues = self.factors_by_residue(&f)?;
        let degree = |f: &Poly<F::Elem>| f.len() - 1;
        let found: usize = residues.iter().map(|(h, k)| k * degree(h)).sum();
        if found == degree(&f) {
            return Ok(residues);
        }
        // Only primes up to the degree come here.
        let prime = usize::try_from(self.field().modulus::<Natural>()).unwrap_or(usize::MAX);
        let mut power = f;
        for (h, k) in &residues {
            (power, _) = self.divrem(&power, &self.try_pow(h, *k as u64)?)?;
        }
        let root = power.coefficients().iter().step_by(prime).copied();
        let mut factors = Vec::new();
        for (mut rest, q) in self.monic_factors(Poly::new(root.collect()))? {
            for (h, k) in &mut residues {
                let common = self.gcd(h, &rest)?;
                if degree(&common) > 0 {
                    (rest, _) = self.divrem(&rest, &common)?;
                    (*h, _) = self.divrem(h, &common)?;
                    factors.push((common, q * prime + *k));
                }
            }
            factors.push((rest, q * prime));
        }
        factors.append(&mut residues);
        factors.retain(|(factor, _)| degree(factor) > 0);
        Ok(factors)
    }

    /// By k from 1 to p − 1, the product of all factors whose multiplicity is k modulo p, unless it is 1.
    fn factors_by_residue(&self, f: &Poly<F::Elem>) -> Result<Factors<F::Elem>, PolyError> {
        let mut found = Vec::new();
        let derivative = self.derivative(f);
        let common = self.gcd(f, &derivative)?;
        let (mut product, _) = self.divrem(f, &common)?;
        let (mut rest, _) = self.divrem(&derivative, &common)?;
        for k in 1.. {
            if product.len() <= 1 {
                break;
            }
            let difference = self.sub(&rest, &self.derivative(&product));
            let factor = self.gcd(&product, &difference)?;
            if factor.len() > 1 {
                (product, _) = self.divrem(&product, &factor)?;
                (rest, _) = self.divrem(&difference, &factor)?;
                found.push((factor, k));
            } else {
                rest = difference;
            }
        }
        Ok(found)
    }
}
