//! The problem: which transform of how many points is asked for, and whether there is one.

use std::fmt;
use sunzi_field::TwoAdicField;
use sunzi_machine::memory::OutOfMemory;
use thiserror::Error;

/// Which way a transform goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From coefficients to values: `X_j = Σ x_i·ω^{ij}`.
    Forward,
    /// From values to coefficients: `x_i = (1/N)·Σ X_j·ω^{−ij}`.
    Inverse,
}

/// The order of the values of a transform. Coefficients are always in natural order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ordering {
    /// Value j at position j.
    Natural,
    /// Value j at the position whose log N bits are those of j from the other end.
    BitReversed,
    /// The order in which the context computes them, whatever it is: no pass is spent on moving them.
    ///
    /// It is the same for all vectors of a context, so pointwise operations may be done in it; between
    /// contexts, kernels and versions it differs.
    Internal,
}

/// What the product of two vectors means as a product of polynomials.
///
/// Transforms at the roots of x^N − 1 multiply modulo that polynomial. The roots of x^N + 1 are
/// the odd powers of a root of order 2N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convolution {
    /// Modulo x^N − 1: what runs over the end comes back at the beginning.
    Cyclic,
    /// Modulo x^N + 1: what runs over the end comes back negated.
    Negacyclic,
    /// The whole product, which must have at most N coefficients.
    Plain,
}

impl fmt::Display for Convolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Convolution::Cyclic => "cyclic",
            Convolution::Negacyclic => "negacyclic",
            Convolution::Plain => "plain",
        })
    }
}

impl Convolution {
    /// log2 of the order of the root of unity that transforms of `2^log_n` points need.
    pub(crate) fn log_order(self, log_n: u32) -> u32 {
        match self {
            Convolution::Negacyclic => log_n + 1,
            Convolution::Cyclic | Convolution::Plain => log_n,
        }
    }
}

/// An algorithm for the transform of N = 2^k points.
///
/// | | order of values | scratch | products | moves of the vector |
/// |---|---|---|---|---|
/// | `Reference` | natural | N | N² | N |
/// | `CooleyTukey`, `CooleyTukeyOnTheFly` | bit-reversed | 0 | (N/2)·log N (and N a level) | log N |
/// | `Stockham` | natural | N | (N/2)·log N | log N |
/// | `SixStep` | natural | N | (N/2)·log N + 2N | 6 |
/// | `Split` | bit-reversed by blocks | 0 | (N/2)·log N, in vectors | 1 + ½·log(N/block) |
/// | `Rotations` | natural | 2N | N·(⌈log N/log 2K⌉ − 1), in vectors | log N/4 + 2 |
///
/// All but the last two work over any [`TwoAdicField`], one element at a time
/// ([`DftContext::scalar`](crate::DftContext::scalar)). `Split` is the one to use for word-size primes, and
/// `Rotations` for fields modulo r^K + 1, where r is a root of unity of order 2K and its products are rotations
/// of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// The sums of the definition, N² products: the reference of all others.
    Reference,
    /// Radix 2 in place, with a table of the N/2 powers of ω.
    CooleyTukey,
    /// Radix 2 in place, with log N constants from which the powers are computed on the way.
    CooleyTukeyOnTheFly,
    /// Radix 2 between two vectors, which sorts on the way: natural order without a permutation.
    Stockham,
    /// √N transforms of √N points, twice, with tiled transpositions between: few cache misses,
    /// on all threads.
    SixStep,
    /// Splitting of x^N − 1, radix 4 in vector registers, recursive over the levels of the cache,
    /// on all threads.
    Split,
    /// Groups of 2K points without products, in vector registers, on all threads: for fields modulo
    /// r^K + 1 alone.
    Rotations,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 7] = [
        Algorithm::Reference,
        Algorithm::CooleyTukey,
        Algorithm::CooleyTukeyOnTheFly,
        Algorithm::Stockham,
        Algorithm::SixStep,
        Algorithm::Split,
        Algorithm::Rotations,
    ];
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Algorithm::Reference => "the naive sums",
            Algorithm::CooleyTukey => "Cooley-Tukey with a table of powers",
            Algorithm::CooleyTukeyOnTheFly => "Cooley-Tukey with powers computed on the way",
            Algorithm::Stockham => "Stockham's self-sorting transform",
            Algorithm::SixStep => "the six-step transform",
            Algorithm::Split => "recursive splitting in vector registers",
            Algorithm::Rotations => "rotations of digits in vector registers",
        })
    }
}

/// Why a transform or a convolution can't be computed as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DftError {
    /// The field has no roots of unity of the order that the length needs.
    #[error(
        "length {len} is too long for this prime: its field has transforms of up to {max} points; \
         choose a prime p with a larger power of two in p - 1, or several primes"
    )]
    TooLong {
        /// The length asked for.
        len: usize,
        /// The longest that the field has.
        max: usize,
    },
    /// The number of points is no power of two.
    #[error(
        "a transform of {len} points can't be planned, lengths are powers of two: \
         pad the vector with zeros to {next}"
    )]
    NotPowerOfTwo {
        /// The length asked for.
        len: usize,
        /// The next power of two.
        next: usize,
    },
    /// The number of points does not divide p − 1: the field has no root of unity of that order.
    #[error(
        "a transform of {len} points needs {len} to divide p - 1, which it does not: {}",
        in_words(*below, *above)
    )]
    NoSuchLength {
        /// The length asked for.
        len: usize,
        /// The longest length below it that the field has.
        below: Option<usize>,
        /// The shortest length above it that the field has.
        above: Option<usize>,
    },
    /// A slice is not as long as it must be.
    #[error("a slice of length {expected} is needed here, this one has {found}")]
    Shape {
        /// The length that fits.
        expected: usize,
        /// The length given.
        found: usize,
    },
    /// Values are wanted in an order that only powers of two have, at the powers of the field's own root.
    #[error(
        "{points} values have no bit-reversed order here: only a power of two has one, with the field's own root of unity"
    )]
    OrderOfLength {
        /// The number of values.
        points: usize,
    },
    /// A root of unity was given whose order is another.
    #[error(
        "the root given is no root of unity of order {order}: its powers repeat earlier, or do not come back to 1"
    )]
    NoRootOfOrder {
        /// The order that is needed, the number of points.
        order: usize,
    },
    /// The algorithm needs vector arithmetic, which this way of planning leaves out.
    #[error(
        "{0} runs on vector arithmetic only: plan it with `DftContext::with`, for word-size primes"
    )]
    NeedsLanes(Algorithm),
    /// The algorithm needs a root of unity whose powers are rotations.
    #[error("{0} are for fields modulo r^k + 1: plan them with `DftContext::over_big_prime`")]
    NeedsBigPrime(Algorithm),
    /// Two transforms are not of the same plan, so their values don't belong to the same points.
    #[error("the two transforms come from different plans: transform both operands with one plan")]
    ForeignSpectrum,
    /// The product of the primes does not exceed the bound on the values.
    #[error(
        "a basis of {primes} primes represents {basis_bits} bits, the values need {needed_bits}: \
         take more primes"
    )]
    BasisTooSmall {
        /// Primes of the basis.
        primes: usize,
        /// Bits of their product.
        basis_bits: usize,
        /// Bits of the number of values to tell apart.
        needed_bits: usize,
    },
    /// More primes than there are below the word bound.
    #[error("a basis of {asked} primes was asked for, there are at most {max}")]
    TooManyPrimes {
        /// Primes asked for.
        asked: usize,
        /// Primes that a basis may have.
        max: usize,
    },
    /// The modulus of a product over several primes is 0.
    #[error("a modulus of 0 has no residues: give a positive modulus")]
    ZeroModulus,
    /// Residues of the modulus don't fit the coefficients' type.
    #[error("residues modulo {modulus} do not fit 32 bits: take coefficients of 64 bits")]
    ModulusTooLarge {
        /// The modulus.
        modulus: u64,
    },
    /// An operand of a product over several primes lies outside the range that the product was made for.
    #[error("coefficient {index} is out of range: its absolute value must be below 2^64")]
    OutOfRange {
        /// Position of the first such coefficient.
        index: usize,
    },
    /// The tables would not fit the memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}

/// The lengths that would do, in a sentence.
fn in_words(below: Option<usize>, above: Option<usize>) -> String {
    match (below, above) {
        (Some(below), Some(above)) => {
            format!("the nearest lengths that do are {below} and {above}")
        }
        (Some(below), None) => format!("the longest length that does is {below}"),
        (None, Some(above)) => format!("the shortest length that does is {above}"),
        (None, None) => "the shortest length that does is 1".to_owned(),
    }
}

/// log2 of the number of points, if the field has such transforms.
pub fn checked_log<F: TwoAdicField>(
    field: &F,
    len: usize,
    convolution: Convolution,
) -> Result<u32, DftError> {
    // Lengths above 2^(BITS − 2) fit no memory, and would overflow in what follows.
    let two_adicity = field.two_adicity().min(usize::BITS - 2);
    let max = (1usize << two_adicity) >> convolution.log_order(0);
    if len > max {
        return Err(DftError::TooLong { len, max });
    }
    if !len.is_power_of_two() {
        return Err(DftError::NotPowerOfTwo {
            len,
            next: len.next_power_of_two(),
        });
    }
    Ok(len.trailing_zeros())
}
