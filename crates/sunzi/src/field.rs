//! Prime fields of word size and modulo r^k + 1, their primes, and moduli as expressions.
//!
//! ```
//! use sunzi::field::{Field, Fp64, parse_expression};
//!
//! let p = u64::try_from(parse_expression("2^60-2^18+1")?)?;
//! let field = Fp64::new(p)?;
//! assert_eq!(field.inv(42).map(|inverse| field.mul(inverse, 42)), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use sunzi_field::expression::{ExpressionError, ExpressionProblem, parse as parse_expression};
pub use sunzi_field::generalized_fermat::{
    DIGITS, NAMED, NamedPrime, PrimalityProof, PrimeSearch, SignedPower, SparsePrime, named_prime,
    recognize,
};
pub use sunzi_field::primality::{factor, is_prime, ntt_primes};
pub use sunzi_field::{
    AnyField, Digits, Field, FieldError, Fp32, Fp50, Fp64, Fp64Full, GeneralizedFermat,
    GeneralizedFermatError, Rows, TwoAdicField,
};
