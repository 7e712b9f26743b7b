//! Regular chains over Q.
//!
//! **Algorithm.** As modulo a prime ([`split`](super::split)), with subresultants over Z from images modulo many primes, whose number
//! a bound tells ([`subresultant_y`]), and greatest common divisors over Z that divisions prove: so the chains are. They are not made
//! monic, which would square the length of coefficients (X. Dahan, É. Schost, *Sharp estimates for triangular sets*, 2004).

use super::chain::{RegularChain, RegularChains};
use super::split::{Base, Split};
use sunzi_integer::Integer;
use sunzi_poly::{
    BivariatePoly, ChainOptions, IntegerPolyRing, Poly, PolyError, bivariate_gcd, gcd, square_free,
    subresultant_y,
};
use sunzi_rns::Known;

/// The common zeros of `f` and `g` in C², as regular chains over Q with integral coefficients.
///
/// All T are primitive with positive leading coefficients. The coefficients of S have no divisor in common, neither a number nor a
/// polynomial in x; that of the highest power of x in the leading one in y is positive. S is reduced modulo T where that
/// makes it shorter. Several chains may have the same degree in y.
///
/// With the default options the result is proved. With [`ChainOptions::early`] it is only if the bound was reached; `primes` are those of the
/// greatest common divisor and of all subresultants.
///
/// ```
/// use sunzi::solve::{ChainOptions, regular_chains};
///
/// // A circle and a hyperbola meet in four points: x = ±1 and ±2, y = 2/x.
/// let (f, g) = ("x^2 + y^2 - 5".parse()?, "x*y - 2".parse()?);
/// let found = regular_chains(&f, &g, ChainOptions::new())?;
/// assert!(found.proved);
/// let chain = &found.value.chains[0];
/// assert_eq!((chain.t.to_string().as_str(), &chain.s), ("x^4 - 5*x^2 + 4", &g));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PolyError::EveryPoint`] if both are 0; too little memory.
pub fn regular_chains(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
    how: ChainOptions,
) -> Result<Known<RegularChains<Integer>>, PolyError> {
    if f.is_zero() && g.is_zero() {
        return Err(PolyError::EveryPoint);
    }
    let found = bivariate_gcd(f, g)?;
    let mut rational = Rational {
        ring: IntegerPolyRing::new(),
        how,
        known: Known {
            value: (),
            proved: found.proved,
            primes: found.primes,
            dropped: found.dropped,
        },
    };
    let found = found.value;
    let common = found.is_curve().then_some(found.gcd);
    let mut chains = Vec::new();
    if !f.is_zero() && !g.is_zero() {
        let parts = Split::common_zeros(&mut rational, found.first, found.second)?;
        for part in parts {
            chains.push(rational.primitive(part)?);
        }
    }
    chains.sort_by_key(|chain| (chain.s.degree_y(), chain.t.degree()));
    Ok(rational.known.map(|()| RegularChains { common, chains }))
}

/// Polynomials over Q by multiples with integral coefficients.
struct Rational {
    ring: IntegerPolyRing,
    how: ChainOptions,
    /// How the subresultants so far are known.
    known: Known<()>,
}

impl Rational {
    /// The chain with primitive polynomials.
    fn primitive(&self, chain: RegularChain<Integer>) -> Result<RegularChain<Integer>, PolyError> {
        let mut common = Poly::zero();
        // The shortest ones first: mostly two are enough.
        let mut rows: Vec<&Poly<Integer>> =
            chain.s.rows().iter().filter(|row| !row.is_zero()).collect();
        rows.sort_by_key(|row| row.len());
        for row in rows {
            common = gcd(&common, row)?;
            if common.len() == 1 && common[0].is_one() {
                break;
            }
        }
        if chain.s.leading() < Integer::ZERO {
            common = Poly::new(common.coefficients().iter().map(|c| -c).collect());
        }
        let rows = chain
            .s
            .rows()
            .iter()
            .map(|row| self.ring.div_exact(row, &common));
        let s = BivariatePoly::new(rows.collect::<Result<_, _>>()?);
        Ok(RegularChain { t: chain.t, s })
    }
}

impl Base for Rational {
    type Elem = Integer;

    fn gcd(&self, a: &Poly<Integer>, b: &Poly<Integer>) -> Result<Poly<Integer>, PolyError> {
        gcd(a, b)
    }

    fn quotient(&self, a: &Poly<Integer>, b: &Poly<Integer>) -> Result<Poly<Integer>, PolyError> {
        self.ring.div_exact(a, b)
    }

    fn square_free_part(&self, f: &Poly<Integer>) -> Result<Poly<Integer>, PolyError> {
        let factors = square_free(f)?.factors.into_iter();
        let one = Poly::new(vec![Integer::ONE]);
        Ok(factors.fold(one, |product, (factor, _)| self.ring.mul(&product, &factor)))
    }

    fn reduced(
        &self,
        f: &BivariatePoly<Integer>,
        t: &Poly<Integer>,
    ) -> Result<BivariatePoly<Integer>, PolyError> {
        let longest = f.rows().iter().map(Poly::len).max().unwrap_or(0);
        let (Some(degree), Some(leading)) = (t.degree(), t.coefficients().last()) else {
            return Ok(f.clone());
        };
        if longest <= degree {
            return Ok(f.clone());
        }
        // A step of a division lengthens coefficients by those of t; short ones take a word, too.
        let steps = longest - degree;
        let bits = |rows: &[Poly<Integer>]| {
            let coefficients = rows.iter().flat_map(Poly::coefficients);
            coefficients.map(Integer::bit_len).max().unwrap_or(0)
        };
        let (bits_f, bits_t) = (64 + bits(f.rows()), bits(std::slice::from_ref(t)));
        if degree * (bits_f + steps * bits_t) > longest * bits_f {
            return Ok(f.clone());
        }
        let rows = f.rows().iter().map(|row| {
            let (_, mut remainder) = self.ring.pseudo_divrem(row, t)?;
            // All rows are multiplied by the same power.
            let power = leading.pow(steps - (row.len().saturating_sub(degree)));
            if !power.is_one() {
                remainder = Poly::new(
                    remainder
                        .coefficients()
                        .iter()
                        .map(|c| c * &power)
                        .collect(),
                );
            }
            Ok::<_, PolyError>(remainder)
        });
        let reduced = BivariatePoly::new(rows.collect::<Result<_, _>>()?);
        if reduced.is_zero() {
            return Ok(reduced);
        }
        Ok(reduced.divided_by(&reduced.content()))
    }

    fn subresultants(
        &mut self,
        f: &BivariatePoly<Integer>,
        g: &BivariatePoly<Integer>,
        wanted: &[usize],
    ) -> Result<Vec<BivariatePoly<Integer>>, PolyError> {
        let found = subresultant_y(f, g, wanted, self.how.part())?;
        self.known.proved &= found.proved;
        self.known.primes += found.primes;
        self.known.dropped += found.dropped;
        Ok(found.value)
    }
}
