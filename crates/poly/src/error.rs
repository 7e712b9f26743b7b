//! Why a computation with polynomials cannot be done as asked.

use std::borrow::Cow;

use sunzi_dft::DftError;
use sunzi_field::FieldError;
use sunzi_machine::memory::OutOfMemory;
use thiserror::Error;

use crate::plan::Algorithm;

/// Why a computation with polynomials cannot be done as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolyError {
    /// The output slice has the wrong length.
    #[error("the product has {expected} coefficients, but the output slice has {found}")]
    OutputLength {
        /// The number of coefficients of the product.
        expected: usize,
        /// The number that the slice holds.
        found: usize,
    },
    /// A batch does not consist of whole operands, or its sides differ in number.
    #[error(
        "a batch of polynomials of {len_a} and {len_b} coefficients cannot be made of {found_a} and {found_b} coefficients"
    )]
    BatchLength {
        /// Coefficients of one left operand.
        len_a: usize,
        /// Coefficients of one right operand.
        len_b: usize,
        /// Coefficients of all left operands together.
        found_a: usize,
        /// Coefficients of all right operands together.
        found_b: usize,
    },
    /// The algorithm that was asked for cannot do this product.
    #[error("{algorithm} cannot multiply {len_a} by {len_b} coefficients here: {reason}")]
    Unavailable {
        /// The algorithm that was asked for.
        algorithm: Algorithm,
        /// Coefficients of the left operand.
        len_a: usize,
        /// Coefficients of the right operand.
        len_b: usize,
        /// What is missing.
        reason: Cow<'static, str>,
    },
    /// A coefficient is no element of the field.
    #[error("coefficient {index} is not in the field: coefficients are residues from 0 to p − 1")]
    CoefficientOutside {
        /// Which one, from 0 upward.
        index: usize,
    },
    /// A polynomial was made by a ring over a field of another type.
    #[error(
        "the polynomial is over a field of another type: make it by the ring that is to compute with it"
    )]
    OtherField,
    /// Division by the zero polynomial.
    #[error("division by the zero polynomial")]
    DivisionByZero,
    /// A divisor over Z leaves no remainder.
    #[error(
        "over the integers only a divisor whose leading coefficient is 1 or -1 leaves a remainder: ask for an exact quotient, or divide over a field"
    )]
    NotMonic,
    /// An exact quotient was asked for, and there is a remainder.
    #[error(
        "the divisor of degree {divisor} does not divide the polynomial of degree {dividend}: ask for the remainder, too"
    )]
    Inexact {
        /// The degree of the polynomial that was to be divided.
        dividend: usize,
        /// The degree of the divisor.
        divisor: usize,
    },
    /// A reversal is to have fewer coefficients than the polynomial.
    #[error(
        "a polynomial of degree {found} cannot be reversed as one of degree {degree}: give a degree that is not smaller"
    )]
    DegreeTooSmall {
        /// The degree that was asked for.
        degree: usize,
        /// The degree of the polynomial.
        found: usize,
    },
    /// A power series without constant term has no inverse.
    #[error("a power series whose constant term is 0 has no inverse")]
    NoInverse,
    /// A point is no element of the field.
    #[error("point {index} is not in the field: points are residues from 0 to p − 1")]
    PointOutside {
        /// Which one, from 0 upward.
        index: usize,
    },
    /// There are not as many values as points.
    #[error("{values} values cannot belong to {points} points: give one for each")]
    ValueCount {
        /// The number of points.
        points: usize,
        /// The number of values.
        values: usize,
    },
    /// Images were asked for modulo primes that there are not.
    #[error("there are {count} primes for images, and number {number} is none of them")]
    NoSuchImage {
        /// The number.
        number: u64,
        /// How many there are, counted from 0.
        count: u64,
    },
    /// Two points are the same.
    #[error("points {first} and {second} are equal: interpolation needs distinct points")]
    RepeatedPoint {
        /// The earlier one, from 0 upward.
        first: usize,
        /// The later one.
        second: usize,
    },
    /// A modulus is constant, or 0.
    #[error("modulus {index} is a constant: remainders need moduli of degree 1 or more")]
    ConstantModulus {
        /// Which one, from 0 upward.
        index: usize,
    },
    /// There are not as many remainders as moduli.
    #[error("{remainders} remainders cannot belong to {moduli} moduli: give one for each")]
    RemainderCount {
        /// The number of moduli.
        moduli: usize,
        /// The number of remainders.
        remainders: usize,
    },
    /// Two moduli are not coprime.
    #[error(
        "moduli {first} and {second} have a common factor: Chinese remaindering needs coprime moduli"
    )]
    CommonFactor {
        /// The earlier one, from 0 upward.
        first: usize,
        /// The later one.
        second: usize,
    },
    /// Square-free factors of the zero polynomial.
    #[error("0 is no product of square-free factors: give a polynomial that is not zero")]
    EveryFactor,
    /// Roots of the zero polynomial.
    #[error("every number is a root of the zero polynomial: give one that is not zero")]
    EveryNumber,
    /// Both polynomials of a system are zero.
    #[error("every point is a solution: both polynomials are zero")]
    EveryPoint,
    /// A field has fewer elements than there must be points to interpolate from.
    #[error(
        "the result takes values at {needed} residues that suit it, and of the {prime} that there are too few do: take a greater prime"
    )]
    FewPoints {
        /// The prime.
        prime: u64,
        /// Points that are needed.
        needed: u64,
    },
    /// A result may be longer than all primes together.
    #[error(
        "the result may have {bits} bits, more than there are primes of a word for: take smaller polynomials"
    )]
    FewPrimes {
        /// What the bound says.
        bits: u64,
    },
    /// A chain has no such subresultant.
    #[error("there is no subresultant S_{index}: {}", match greatest {
        Some(greatest) => format!("the last one of these polynomials is S_{greatest}"),
        None => "one of the polynomials is 0".to_string(),
    })]
    NoSubresultant {
        /// The index that was asked for.
        index: usize,
        /// The greatest index, the lesser of both degrees.
        greatest: Option<usize>,
    },
    /// No named prime is large enough.
    #[error(
        "the result may have {bits} bits, and the largest prime r^k + 1 with a name has {largest}: use primes of a word"
    )]
    NoNamedPrime {
        /// Bits that the prime would need.
        bits: u64,
        /// Bits of the largest one.
        largest: u64,
    },
    /// The prime is no field's, or too small; or rows of words are none of the field's.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A vector has the wrong length for a transform, or the field has no transform of that length.
    #[error(transparent)]
    Transform(#[from] DftError),
    /// The product needs more memory than there is.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}
