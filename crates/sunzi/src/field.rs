//! Prime fields of word size and modulo r^k + 1, their primes, and moduli as expressions.
//!
//! ```
//! use sunzi::Natural;
//! use sunzi::field::{AnyField, Field, Fp64, parse_expression};
//!
//! let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
//! assert_eq!(field.inv(42).map(|inverse| field.mul(inverse, 42)), Some(1));
//!
//! // A field whose prime is known at run time only, also as an expression or by its name.
//! let any: AnyField = "2^60-2^18+1".parse()?;
//! assert_eq!(any.modulus::<Natural>(), parse_expression::<Natural>("2^60-2^18+1")?);
//! assert_eq!("P8".parse::<AnyField>()?.width(), 8);
//! # Ok::<(), sunzi::Error>(())
//! ```

#[doc(inline)]
pub use sunzi_field::expression::{ExpressionError, ExpressionProblem, parse as parse_expression};
#[doc(inline)]
pub use sunzi_field::generalized_fermat::{
    DIGITS, Multiplication, NAMED, NamedPrime, PrimalityProof, PrimeSearch, ProductTimes,
    SignedPower, SparsePrime, named_prime, recognize,
};
#[doc(inline)]
pub use sunzi_field::primality::{factor, is_prime, ntt_primes};
#[doc(inline)]
pub use sunzi_field::{
    AnyField, Digits, Field, FieldError, Fp32, Fp50, Fp64, Fp64Full, GeneralizedFermat,
    GeneralizedFermatError, LongInteger, Rows, TwoAdicField, WordRows, WordRowsMut,
};
