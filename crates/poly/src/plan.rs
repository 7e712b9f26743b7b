//! What will run for given sizes, as a value: comparable, printable, testable without running it.

use std::fmt;

/// The ways to multiply two polynomials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// Every coefficient times every coefficient; its name is `plain`.
    Schoolbook,
    /// Three half-size products (Karatsuba and Ofman, 1962).
    Karatsuba,
    /// Transforms over the field itself.
    Ntt,
    /// Transforms over several word primes and Chinese remaindering.
    CrtNtt,
    /// One product of two long integers that hold the coefficients (Kronecker substitution).
    Kronecker,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 5] = [
        Self::Schoolbook,
        Self::Karatsuba,
        Self::Ntt,
        Self::CrtNtt,
        Self::Kronecker,
    ];

    /// The name by which a user asks for it.
    ///
    /// ```
    /// use sunzi::poly::Algorithm;
    ///
    /// assert_eq!(Algorithm::Schoolbook.name(), "plain");
    /// assert_eq!(Algorithm::CrtNtt.name(), "crt-ntt");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schoolbook => "plain",
            Self::Karatsuba => "karatsuba",
            Self::Ntt => "ntt",
            Self::CrtNtt => "crt-ntt",
            Self::Kronecker => "kronecker",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why an algorithm was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// An operand is zero: there is nothing to multiply.
    NoTerms,
    /// The shorter operand has fewer coefficients than where the next algorithm begins to win.
    Below {
        /// That measured length.
        threshold: usize,
    },
    /// The shorter operand has at least as many coefficients as where this algorithm begins to
    /// win.
    From {
        /// That measured length.
        threshold: usize,
    },
    /// No faster algorithm covers these sizes.
    OnlyOne,
    /// The caller named it.
    Asked,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTerms => f.write_str("an operand is zero"),
            Self::Below { threshold } => {
                write!(
                    f,
                    "fastest below {threshold} coefficients of the shorter one"
                )
            }
            Self::From { threshold } => {
                write!(
                    f,
                    "fastest from {threshold} coefficients of the shorter one on"
                )
            }
            Self::OnlyOne => f.write_str("no faster method covers these sizes"),
            Self::Asked => f.write_str("asked for"),
        }
    }
}

/// The algorithm chosen for a product of given sizes, and why.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::poly::{Algorithm, PolyRing};
///
/// let ring = PolyRing::new(Fp32::new(469762049)?);
/// let plan = ring.plan(3, 100);
/// assert_eq!(plan.algorithm, Algorithm::Schoolbook);
/// println!("{plan}");
/// # Ok::<(), sunzi::field::FieldError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Coefficients of the left operand.
    pub len_a: usize,
    /// Coefficients of the right operand.
    pub len_b: usize,
    /// The algorithm of the outermost level.
    pub algorithm: Algorithm,
    /// Why it was chosen.
    pub reason: Reason,
    /// About how many bytes it takes beside operands and result.
    pub scratch_bytes: u64,
}

impl fmt::Display for Plan {
    /// One sentence, such as `plain for 3 × 100 coefficients: fastest below …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} for {} × {} coefficients: {}",
            self.algorithm, self.len_a, self.len_b, self.reason
        )
    }
}
