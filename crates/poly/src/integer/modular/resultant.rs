//! Resultants over the integers.
//!
//! **Bound.** ‖f‖₂^deg g·‖g‖₂^deg f (`bound`). **Algorithm.** Images modulo primes of 50 bits, by Euclid's algorithm on as many
//! primes at once as a vector has lanes, until the product of the primes is more than twice the bound (G. Collins, *The
//! calculation of multivariate polynomial resultants*, 1971). A prime that divides one leading coefficient is as good as any other:
//! the image is the determinant of the same matrix; one that divides both tells nothing. With a linear polynomial it is a value
//! ([`linear`]).

use super::big_prime::{BigPrime, prime_above};
use super::bound;
use super::euclid::SylvesterImages;
use super::linear;
use super::method::Method;
use super::plan::ModularPlan;
use super::resultant_problem::Problem;
use crate::{IntegerPolyRing, Poly, PolyError};
use sunzi_integer::Integer;
use sunzi_integer::mul_limbs;
use sunzi_machine::memory::Budget;

use sunzi_rns::early::EarlyTermination;
use sunzi_rns::{Known, Primes, gather};

/// How resultants over the integers are to be computed.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
/// use sunzi::solve::IntegerResultant;
///
/// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect());
/// let (f, g) = (poly(&[1, 0, 1]), poly(&[3, 1])); // x² + 1, x + 3
/// let known = IntegerResultant::new().compute(&f, &g)?;
/// assert_eq!((known.value, known.proved), (Integer::from(10), true));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntegerResultant {
    method: Method,
    early: Option<EarlyTermination>,
}

impl IntegerResultant {
    /// Proved, by the quickest method.
    pub fn new() -> Self {
        Self::default()
    }

    /// By this method.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// Whatever the method, modulo primes of 50 bits that are drawn by this seed, until some of them
    /// have changed nothing: as many as make a wrong value less probable than 2^−[`ERROR_BITS`](sunzi_rns::early::ERROR_BITS). The
    /// result is then not proved, unless the bound was reached.
    #[must_use]
    pub fn early(self, seed: u128) -> Self {
        Self {
            early: Some(EarlyTermination::new(seed)),
            ..self
        }
    }

    /// What will run for these operands, unless that is clear without any prime; fewer primes where the operands have contents or
    /// may stop early.
    ///
    /// # Errors
    /// [`PolyError::NoNamedPrime`] if there is no prime r^k + 1 large enough.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::poly::Poly;
    /// use sunzi::solve::{IntegerResultant, Method};
    ///
    /// let (f, g) = (Poly::new(vec![Integer::from(7); 30]), Poly::new(vec![Integer::from(5); 20]));
    /// let plan = IntegerResultant::new().method(Method::BigPrime).plan(&f, &g)?;
    /// assert_eq!(plan.to_string(), "big prime: P4 of 239 bits, for numbers of 231 bits");
    /// # Ok::<(), sunzi::poly::PolyError>(())
    /// ```
    pub fn plan(&self, f: &Poly<Integer>, g: &Poly<Integer>) -> Result<ModularPlan, PolyError> {
        let (Some(m), Some(n)) = (f.degree(), g.degree()) else {
            return ModularPlan::new(Method::Words, 0);
        };
        let bits = bound::norms(f.coefficients(), n, g.coefficients(), m);
        match self.method_for([m, n]) {
            Method::Linear => Ok(ModularPlan::linear(bits)),
            method => ModularPlan::new(method, bits),
        }
    }

    /// What runs for operands of these degrees; never [`Method::Automatic`].
    fn method_for(&self, degrees: [usize; 2]) -> Method {
        match self.method {
            _ if self.early.is_some() => Method::Words,
            Method::BigPrime => Method::BigPrime,
            Method::Automatic | Method::Linear if degrees.contains(&1) => Method::Linear,
            _ => Method::Words,
        }
    }

    /// The resultant of `f` and `g`, with the conventions of [`resultant`].
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory.
    pub fn compute(
        &self,
        f: &Poly<Integer>,
        g: &Poly<Integer>,
    ) -> Result<Known<Integer>, PolyError> {
        let problem = Problem::new(f, g);
        let Some([f, g]) = problem.primitive() else {
            return Ok(Known::exactly(problem.factor()));
        };
        let (m, n, bits) = (f.len() - 1, g.len() - 1, problem.bits);
        let method = self.method_for([m, n]);
        if method == Method::Linear {
            Budget::system().require(ModularPlan::linear(bits).bytes(1))?;
            let (of, b, a) = match n {
                1 => (f, &g[0], &g[1]),
                _ => (g, &f[0], &f[1]),
            };
            let value = linear::homogeneous(of, &-b, a);
            // The resultant of f and g, and that of g and f, differ in sign where both degrees are odd.
            let value = if n == 1 && m % 2 == 1 { -value } else { value };
            return Ok(Known::exactly(value * problem.factor()));
        }
        let known = if method == Method::BigPrime {
            by_big_prime(f, g, bits)?
        } else {
            let sylvester = SylvesterImages::new(f, g);
            // A prime tells nothing if it divides both leading coefficients.
            let silent = f[m].bit_len().min(g[n].bit_len());
            let primes = Primes::of_50_bits(bits, self.early.as_ref().map(|how| (how, silent)));
            let known = gather(primes, mul_limbs, &mut |primes, work| {
                sylvester.resultants(primes, work)
            })?;
            known.map(|values| values.into_iter().next().unwrap_or_default())
        };
        Ok(known.map(|value| value * problem.factor()))
    }

    /// The discriminant of `f`, with the conventions of [`discriminant`], and how it is known: as the resultant of `f` and its
    /// derivative is, for which [`plan`](Self::plan) tells what runs.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::solve::IntegerResultant;
    ///
    /// let known = IntegerResultant::new().discriminant(&"x^3 - 2".parse()?)?;
    /// assert_eq!((known.value, known.proved), (Integer::from(-108), true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`IntegerResultant::compute`].
    pub fn discriminant(&self, f: &Poly<Integer>) -> Result<Known<Integer>, PolyError> {
        let (Some(degree @ 1..), Some(leading)) = (f.degree(), f.coefficients().last()) else {
            return Ok(Known::exactly(Integer::ZERO));
        };
        let known = self.compute(f, &IntegerPolyRing::new().derivative(f))?;
        Ok(known.map(|value| match degree % 4 {
            0 | 1 => value / leading,
            _ => -(value / leading),
        }))
    }
}

/// The resultant modulo one prime above twice the bound.
fn by_big_prime(f: &[Integer], g: &[Integer], bits: u64) -> Result<Known<Integer>, PolyError> {
    let mut prime = BigPrime::new(&prime_above(bits + 1)?)?;
    let mut dropped = 0;
    loop {
        let (image_f, image_g) = (prime.image(f)?, prime.image(g)?);
        // The resultant of images is the image of the resultant where both keep their degrees.
        if image_f.len() == f.len() && image_g.len() == g.len() {
            return Ok(Known {
                value: prime.signed(&prime.ring.resultant(&image_f, &image_g)?),
                proved: true,
                primes: 1,
                dropped,
            });
        }
        prime = prime.next()?;
        dropped += 1;
    }
}

/// The resultant of `f` and `g`: the determinant of their Sylvester matrix, the product of the leading coefficients' powers and
/// of all differences of a root of `f` and one of `g`.
///
/// It is 0 if they have a common root. Of a constant c and a polynomial of degree n it is c^n, of two constants 1; of 0 and any
/// polynomial it is 0, as of [`PolyRing::resultant`](crate::PolyRing::resultant).
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
///
/// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect());
/// let f = poly(&[6, -5, 1]); // (x − 2)(x − 3)
/// assert_eq!(sunzi::solve::resultant(&f, &poly(&[-4, 2]))?, Integer::ZERO);
/// assert_eq!(sunzi::solve::resultant(&f, &poly(&[0, 1]))?, Integer::from(6));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
///
/// # Errors
/// As [`IntegerResultant::compute`].
pub fn resultant(f: &Poly<Integer>, g: &Poly<Integer>) -> Result<Integer, PolyError> {
    Ok(IntegerResultant::new().compute(f, g)?.value)
}

/// The discriminant of `f` of degree n and leading coefficient l: (−1)^(n(n−1)/2)·res(f, f')/l, which is l^(2n − 2) times the
/// product of the squares of all differences of roots; 0 if and only if there is a multiple root. Of constants it is 0 by
/// convention, of degree 1 it is 1.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
///
/// let f = Poly::new([5, 3, 2].map(Integer::from).to_vec()); // 2x² + 3x + 5: 3² − 4·2·5
/// assert_eq!(sunzi::solve::discriminant(&f)?, Integer::from(-31));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
///
/// # Errors
/// As [`IntegerResultant::compute`].
pub fn discriminant(f: &Poly<Integer>) -> Result<Integer, PolyError> {
    Ok(IntegerResultant::new().discriminant(f)?.value)
}
