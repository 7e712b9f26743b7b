//! Cofactors of the resultant over the integers: S·f + T·g = res(f, g).
//!
//! **Problem.** For coprime f and g of degrees m, n ≥ 1 there is one such pair with deg S < n and deg T < m. **Bound.** Its coefficients
//! are minors of the Sylvester matrix, of all rows but one (Cramer's rule): by Hadamard's inequality they are at most
//! ‖f‖₂^n·‖g‖₂^m, as the resultant is (`bound`). **Algorithm.** Images modulo primes of 50 bits: cofactors of 1 times the
//! resultant, then the Chinese remainder theorem (J. von zur Gathen, J. Gerhard, *Modern Computer Algebra*, §6.5 and §6.10).
//! Primes are dropped if they divide a leading coefficient or the resultant, which is not 0: finitely many.

use super::bound;
use super::method::Method;
use super::plan::ModularPlan;
use crate::{Poly, PolyError, PolyRing};
use sunzi_field::Fp64;
use sunzi_integer::Integer;
use sunzi_integer::mul_limbs;
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::Threads;
use sunzi_rns::{Image, Primes, gather, residues};

/// S, T and the resultant, as above.
pub struct Bezout {
    pub s: Poly<Integer>,
    pub t: Poly<Integer>,
    pub resultant: Integer,
}

/// About the bytes that it takes to find the cofactors of `f` and `g`.
pub fn bytes(f: &Poly<Integer>, g: &Poly<Integer>) -> Result<u64, PolyError> {
    let plan = ModularPlan::new(Method::Words, bits(f, g))?;
    Ok(plan.bytes(f.len() + g.len()))
}

/// The bits of any coefficient.
fn bits(f: &Poly<Integer>, g: &Poly<Integer>) -> u64 {
    let degree = |f: &Poly<Integer>| f.degree().unwrap_or(0);
    bound::norms(f.coefficients(), degree(g), g.coefficients(), degree(f))
}

/// The cofactors of coprime `f` and `g` of degree 1 at least.
pub fn bezout(f: &Poly<Integer>, g: &Poly<Integer>) -> Result<Bezout, PolyError> {
    Budget::system().require(bytes(f, g)?)?;
    let (m, n) = (f.len() - 1, g.len() - 1);
    let gathered = Primes::of_50_bits(bits(f, g), None);
    let known = gather::<_, PolyError>(gathered, mul_limbs, &mut |primes, work| {
        let images = residues(f.coefficients(), primes).into_iter();
        let images = primes
            .iter()
            .zip(images.zip(residues(g.coefficients(), primes)));
        Threads::when(primes.len() > 1).try_map(images, |(&prime, (f, g))| {
            let pair = [Poly::new(f), Poly::new(g)];
            work.done(1);
            match pair.each_ref().map(Poly::degree) == [Some(m), Some(n)] {
                true => image(&PolyRing::new(Fp64::new(prime)?), &pair),
                false => Ok(None),
            }
        })
    })?;
    let mut values = known.value.into_iter();
    let mut take = |count: usize| values.by_ref().take(count).collect::<Vec<_>>();
    Ok(Bezout {
        s: Poly::new(take(n)),
        t: Poly::new(take(m)),
        resultant: take(1).pop().unwrap_or_default(),
    })
}

/// The coefficients of S, those of T, and the resultant modulo a prime that divides no leading coefficient; nothing if it divides
/// the resultant.
fn image(ring: &PolyRing<Fp64>, [f, g]: &[Poly<u64>; 2]) -> Result<Image, PolyError> {
    let found = ring.xgcd(f, g)?;
    if found.gcd.degree() != Some(0) {
        return Ok(None);
    }
    let resultant = ring.resultant(f, g)?;
    let mut row = Vec::with_capacity(f.len() + g.len() - 1);
    for (cofactor, other) in [(&found.s, g), (&found.t, f)] {
        let end = row.len() + other.len() - 1;
        row.extend_from_slice(ring.scale(cofactor, resultant).coefficients());
        row.resize(end, 0);
    }
    row.push(resultant);
    Ok(Some(row))
}
