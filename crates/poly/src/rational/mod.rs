//! Polynomials over the rational numbers: division, greatest common divisors with cofactors, values and interpolation.
//!
//! **Problem.** Steps with fractions take a greatest common divisor of integers each, and their fractions may grow far beyond results.
//! **Way.** Operands are brought over a common denominator ([`Numerators`]); the work is done over Z, where there are bounds; and
//! each coefficient of the result is brought to lowest terms once.
//!
//! | operation | over Z |
//! |---|---|
//! | division | pseudo-division: coefficients grow by the leading one of the divisor with each step |
//! | gcd, cofactors | cofactors of the resultant modulo primes, proved by Hadamard's bound (`integer::modular::bezout`) |
//! | values | the homogeneous form of f, by halves |
//! | interpolation | sums of products with linear factors up a tree, over the least common denominator of the weights |

mod arithmetic;
mod euclid;
mod points;

use sunzi_integer::{Integer, Natural, Rational};

use sunzi_machine::memory::Budget;
use sunzi_machine::threads::Threads;

use std::sync::OnceLock;

use crate::error::PolyError;
use crate::integer::IntegerPolyRing;
use crate::poly::Poly;

/// Coefficients from which on threads share those of one polynomial.
const FOR_THREADS: usize = 1 << 8;

/// The ring of polynomials over Q: a context that keeps what its products precompute. It may be shared between threads.
///
/// ```
/// use sunzi::poly::RationalPolyRing;
///
/// let ring = RationalPolyRing::new();
/// let (quotient, remainder) = ring.divrem(&"x^2 + 1".parse()?, &"2*x + 1/3".parse()?)?;
/// assert_eq!(quotient.to_string(), "1/2*x - 1/12");
/// assert_eq!(remainder.to_string(), "37/36");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct RationalPolyRing {
    integers: IntegerPolyRing,
}

impl RationalPolyRing {
    /// The ring. Nothing is precomputed before a product needs it.
    pub fn new() -> Self {
        Self::default()
    }

    /// The one that operators compute with.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<RationalPolyRing> = OnceLock::new();
        SHARED.get_or_init(Self::new)
    }
}

/// A polynomial over Q as one over Z by a denominator, the least there is.
struct Numerators {
    numerators: Poly<Integer>,
    denominator: Natural,
}

impl Numerators {
    /// Those of `f`, if there is memory for them: each may be longer by the common denominator.
    fn of(f: &Poly<Rational>) -> Result<Self, PolyError> {
        let denominator = common_denominator(f.coefficients());
        let each = (denominator.bit_len() / 8 + size_of::<Integer>()) as u64;
        Budget::system().require(each.saturating_mul(f.len() as u64))?;
        let scaled = |x: &Rational| x.numerator() * (&denominator / x.denominator());
        let numerators = Poly::new(f.coefficients().iter().map(scaled).collect());
        Ok(Self {
            numerators,
            denominator,
        })
    }
}

/// The least common denominator; of no numbers 1.
fn common_denominator(numbers: &[Rational]) -> Natural {
    numbers.iter().fold(Natural::ONE, |common, number| {
        let next = number.denominator();
        let factor = next / common.gcd(next);
        match factor.is_one() {
            true => common,
            false => common * factor,
        }
    })
}

/// The quotient of two integers, of which the second is not 0.
fn quotient(numerator: Integer, denominator: &Integer) -> Rational {
    let numerator = match denominator.is_negative() {
        true => -numerator,
        false => numerator,
    };
    Rational::from_parts(numerator, denominator.magnitude().clone())
}

/// `factor`·f/`denominator`, in lowest terms.
fn divided(f: &Poly<Integer>, factor: &Integer, denominator: &Integer) -> Poly<Rational> {
    let of = |x: &Integer| quotient(x * factor, denominator);
    let coefficients = f.coefficients();
    Poly::new(Threads::when(coefficients.len() >= FOR_THREADS).map(coefficients, of))
}
