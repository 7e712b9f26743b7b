//! Products of integers of any size, and their text; quotients, roots and greatest common divisors of limb vectors.
//!
//! ```
//! use sunzi::integer::{mul, parse_integer, to_decimal};
//! let a = parse_integer(b"123456789012345678901234567890")?;
//! let b = parse_integer(b"-0x10000000000000000")?;
//! assert_eq!(to_decimal(&mul(&a, &b)), "-2277375791072698140248390838022561708011411210240");
//! # Ok::<(), sunzi::integer::TextError>(())
//! ```

pub use sunzi_integer::text::{
    DecimalTables, TextError, TextErrorKind, format_decimal, format_hex, parse_integer,
    parse_integer_with, to_decimal, to_hex,
};
pub use sunzi_integer::{
    Algorithm, Bezout, DivisionByZero, MulError, Multiplier, Plan, Thresholds, convert, mul,
};
