//! Two equations, and how they are to be solved.

use sunzi_integer::{Integer, Natural, Rational};

use sunzi_poly::{BivariatePoly, ChainOptions};

/// The system f(x, y) = g(x, y) = 0, and how it is to be solved.
///
/// ```
/// use sunzi::solve::BivariateSystem;
///
/// let system = BivariateSystem::new("x^2 + y^2 - 1".parse()?, "x - y".parse()?);
/// let solved = system.digits(10).solve()?;
/// let texts = solved.solutions.iter().map(|s| (s.x().to_decimal(10), s.y().to_decimal(10)));
/// let expected = ["-0.7071067812", "0.7071067812"].map(|c| (c.to_string(), c.to_string()));
/// assert_eq!(texts.collect::<Vec<_>>(), expected);
/// assert_eq!((solved.complex.distinct, solved.proved), (2, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BivariateSystem {
    pub(super) f: BivariatePoly<Integer>,
    pub(super) g: BivariatePoly<Integer>,
    pub(super) digits: Option<usize>,
    pub(super) how: ChainOptions,
}

impl BivariateSystem {
    /// The system f = g = 0: both are multiplied by the least common denominators of their coefficients.
    ///
    /// ```
    /// use sunzi::solve::BivariateSystem;
    ///
    /// let solved = BivariateSystem::new("x/3 - 1/6".parse()?, "y/2 + 1/6".parse()?).solve()?;
    /// let (x, y) = (solved.solutions[0].x(), solved.solutions[0].y());
    /// let known = [x, y].map(|root| root.rational().map(|value| value.to_string()));
    /// assert_eq!(known, [Some("1/2".to_owned()), Some("-1/3".to_owned())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(f: BivariatePoly<Rational>, g: BivariatePoly<Rational>) -> Self {
        Self::over_integers(integral(&f), integral(&g))
    }

    /// The system f = g = 0 over Z.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::solve::{BivariatePoly, BivariateSystem};
    ///
    /// let f: BivariatePoly<Integer> = "x^2 - y".parse()?;
    /// let g: BivariatePoly<Integer> = "y".parse()?;
    /// assert_eq!(BivariateSystem::over_integers(f, g).solve()?.solutions[0].multiplicity(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn over_integers(f: BivariatePoly<Integer>, g: BivariatePoly<Integer>) -> Self {
        Self {
            f,
            g,
            digits: None,
            how: ChainOptions::new(),
        }
    }

    /// Both sides of each box are at most 10^−`digits` wide, before the first digit after which decimals are cut. Without it boxes are
    /// as small as it took to separate the solutions.
    pub fn digits(self, digits: usize) -> Self {
        Self {
            digits: Some(digits),
            ..self
        }
    }

    /// Resultants and subresultants are taken as they are as soon as some further primes, drawn by this seed, have changed nothing:
    /// as many as make a wrong result less probable than 2^−[`ERROR_BITS`](sunzi_rns::early::ERROR_BITS), for all of them together. That is
    /// quicker where bounds are far. What contradicts itself is computed again, with proofs.
    pub fn early_termination(self, seed: u128) -> Self {
        Self {
            how: ChainOptions::new().early(seed),
            ..self
        }
    }
}

/// The polynomial times the least common multiple of its coefficients' denominators.
fn integral(f: &BivariatePoly<Rational>) -> BivariatePoly<Integer> {
    let coefficients = || f.rows().iter().flat_map(|row| row.coefficients());
    let common = coefficients().fold(Natural::ONE, |common, c| {
        let shared = common.gcd(c.denominator());
        common / shared * c.denominator()
    });
    f.map(|c| c.numerator() * (&common / c.denominator()))
}
