//! Numbers of any size: [`Natural`], [`Integer`] and [`Rational`], with operators; below them products, quotients, roots and greatest
//! common divisors of limb vectors by a [`Multiplier`].
//!
//! ```
//! use sunzi::{Integer, Natural, Rational};
//!
//! let f: Natural = (1..=20_000u64).product();
//! let square = &f * &f; // the fastest product for its length
//! assert_eq!(square.to_string().len(), 154_675);
//! assert_eq!(square.sqrt(), f);
//!
//! let a: Integer = "-123456789012345678901234567890".parse()?;
//! assert_eq!(&a % 1000, -890); // as machine integers do; as Python does:
//! assert_eq!(a.rem_floor(&1000.into()), 110);
//!
//! let third: Rational = "1/3".parse()?;
//! assert_eq!(third + 1, "4/3".parse::<Rational>()?);
//! # Ok::<(), sunzi::Error>(())
//! ```
//!
//! Numbers of other crates become these, and these become them, by `into()` and in linear time, with the features `dashu`, `num-bigint`,
//! `rug` (GMP) and `malachite`; further features are `num-traits` and `serde`.

#[doc(inline)]
pub use sunzi_integer::text::{DecimalTables, TextError, TextErrorKind};
#[doc(inline)]
pub use sunzi_integer::{
    Algorithm, ArithmeticError, Bezout, DivisionByZero, Divisor, Integer, MulError, Multiplier,
    Natural, OutOfRange, Plan, Rational, Thresholds, products,
};
