//! Subresultants over the integers.
//!
//! **Bound.** ‖f‖₂^(deg g − j)·‖g‖₂^(deg f − j) for every coefficient of S_j (`bound`). **Algorithm.** The chains modulo primes that
//! divide no leading coefficient, whose S_j are the images of those over Z; then the Chinese remainder theorem. A prime that
//! divides a leading coefficient is dropped: the chain of the images is another one.

use super::bound;
use crate::{Poly, PolyError, PolyRing, SubresultantChain};
use sunzi_field::Fp64;
use sunzi_integer::Integer;
use sunzi_integer::mul_limbs;
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::Threads;
use sunzi_rns::Known;
use sunzi_rns::early::EarlyTermination;
use sunzi_rns::{Image, Primes, gather, residues};

/// How subresultants over the integers are to be computed.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
/// use sunzi::solve::IntegerSubresultants;
///
/// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect());
/// let (f, g) = (poly(&[5, 0, 0, 1]), poly(&[1, 3, 2])); // x³ + 5, 2x² + 3x + 1
/// let first = IntegerSubresultants::new().one(&f, &g, 1)?;
/// assert_eq!((first.value, first.proved), (poly(&[23, 7]), true)); // 2²·f − (2x − 3)·g
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntegerSubresultants {
    early: Option<EarlyTermination>,
}

impl IntegerSubresultants {
    /// Proved.
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`IntegerResultant::early`](crate::IntegerResultant::early), all coefficients of all S_j together.
    #[must_use]
    pub fn early(self, seed: u128) -> Self {
        Self {
            early: Some(EarlyTermination::new(seed)),
        }
    }

    /// S_0, S_1, … up to the lesser degree, as [`subresultants`] has them.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory.
    pub fn chain(
        &self,
        f: &Poly<Integer>,
        g: &Poly<Integer>,
    ) -> Result<Known<Vec<Poly<Integer>>>, PolyError> {
        let (Some(m), Some(n)) = (f.degree(), g.degree()) else {
            return Ok(Known::exactly(Vec::new()));
        };
        self.some(f, g, 0..m.min(n) + 1)
    }

    /// S_`j` alone: fewer primes than the chain, the greater j is.
    ///
    /// # Errors
    /// [`PolyError::NoSubresultant`] if j is above the lesser degree, or a polynomial is 0; else as
    /// [`IntegerSubresultants::chain`].
    pub fn one(
        &self,
        f: &Poly<Integer>,
        g: &Poly<Integer>,
        j: usize,
    ) -> Result<Known<Poly<Integer>>, PolyError> {
        let least = f.degree().zip(g.degree()).map(|(m, n)| m.min(n));
        if least.is_none_or(|least| j > least) {
            return Err(PolyError::NoSubresultant {
                index: j,
                greatest: least,
            });
        }
        let known = self.some(f, g, j..j + 1)?;
        Ok(known.map(|found| found.into_iter().next().unwrap_or_default()))
    }

    /// The S_j of these indices, f and g not 0.
    fn some(
        &self,
        f: &Poly<Integer>,
        g: &Poly<Integer>,
        indices: std::ops::Range<usize>,
    ) -> Result<Known<Vec<Poly<Integer>>>, PolyError> {
        let (m, n) = (f.len() - 1, g.len() - 1);
        let (f, g) = (f.coefficients(), g.coefficients());
        let first = indices.start;
        let mut bits = bound::norms(f, n - first, g, m - first);
        if m == n {
            // The last one is g by convention.
            bits = bits.max(bound::norms(g, 1, f, 0));
        }
        // S_j has j + 1 coefficients at most.
        let lengths: Vec<usize> = indices.clone().map(|j| j + 1).collect();
        let count: usize = lengths.iter().sum();
        let bytes = (count as u64).saturating_mul(bits / 4 + 64);
        Budget::system().require(bytes)?;
        let silent = f[m].bit_len() + g[n].bit_len();
        let gathered = Primes::of_50_bits(bits, self.early.as_ref().map(|how| (how, silent)));
        let known = gather::<_, PolyError>(gathered, mul_limbs, &mut |primes, work| {
            let images = residues(f, primes).into_iter().zip(residues(g, primes));
            let images = primes.iter().zip(images);
            Threads::when(primes.len() > 1).try_map(images, |(&prime, (f, g))| {
                let (f, g) = (Poly::new(f), Poly::new(g));
                work.done(1);
                if f.len() <= m || g.len() <= n {
                    return Ok(None);
                }
                let ring = PolyRing::new(Fp64::new(prime)?);
                Ok(image(&ring.subresultant_chain(&f, &g)?, indices.clone()))
            })
        })?;
        Ok(known.map(|values| {
            let mut values = values.into_iter();
            let take = |&len: &usize| Poly::new(values.by_ref().take(len).collect());
            lengths.iter().map(take).collect()
        }))
    }
}

/// The coefficients of the S_j of these indices, one after the other.
fn image(chain: &SubresultantChain<u64>, indices: std::ops::Range<usize>) -> Image {
    let mut all = Vec::new();
    for j in indices {
        let end = all.len() + j + 1;
        all.extend_from_slice(chain.get(j)?.coefficients());
        all.resize(end, 0);
    }
    Some(all)
}

/// The subresultants S_0, S_1, … of `f` and `g` up to the lesser degree, by the definition of
/// [`PolyRing::subresultant_chain`]: S_0 is the resultant, and the first that is not 0 is a multiple of the greatest common divisor.
/// If an operand is 0, there are none.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
///
/// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect());
/// let (f, g) = (poly(&[5, 0, 0, 1]), poly(&[1, 3, 2])); // x³ + 5, 2x² + 3x + 1
/// let chain = sunzi::solve::subresultants(&f, &g)?;
/// assert_eq!(chain, [poly(&[156]), poly(&[23, 7]), g]);
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
///
/// # Errors
/// As [`IntegerSubresultants::chain`].
pub fn subresultants(
    f: &Poly<Integer>,
    g: &Poly<Integer>,
) -> Result<Vec<Poly<Integer>>, PolyError> {
    Ok(IntegerSubresultants::new().chain(f, g)?.value)
}
