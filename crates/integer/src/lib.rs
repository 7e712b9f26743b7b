//! Natural numbers, integers and rational numbers of any size, and the products, quotients, roots, divisors and text below their operators.
//!
//! [`Natural`], [`Integer`] and [`Rational`] are numbers with all operators; the rest of this crate works on vectors of limbs, and is what
//! they compute with. The first line that one writes is the fast one:
//!
//! ```
//! use sunzi::Natural;
//! let f: Natural = (1..=20_000u64).product();
//! println!("{}", &f * &f);
//! ```
//!
//! **Problem.** The product of two integers of m ≥ n limbs of 64 bits, the least significant first; many such products of one
//! size; text to integers and back. **Algorithms.** A [`Multiplier`] makes a [`Plan`] for the lengths at hand, which can be
//! printed, and keeps tables and memory for the next product:
//!
//! | [`Algorithm`] | costs, for m = n | runs with AVX-512 IFMA | with `mulx`, AVX2 |
//! |---|---|---|---|
//! | schoolbook | n² products of limbs | n below 6, or m below 13 | n below 26 |
//! | schoolbook on 52-bit digits | 0.38·n² vector instructions | n to 149 | |
//! | Karatsuba | three products of n/2 limbs | n to 639 | n to 269 |
//! | Toom-3 | five products of n/3 limbs | n to 879 | n to 599 |
//! | transforms modulo three primes | O(n·log n): nine transforms, six for a square | from 880 | from 600 |
//! | [transforms modulo a prime r^k + 1](fermat) | three transforms, two for a square | when asked for | when asked for |
//!
//! [`Thresholds`] say where, in measurements, the next algorithm stopped losing; they are a value that can be replaced. A longer
//! operand is cut into pieces of about the other's length. **Bound.** The three primes, just below 2^50, tell 2^149.9 values
//! apart, and a coefficient of the product is at most n·2^128: right up to 2^21 limbs. Longer operands are cut into digits of 56
//! bits. **Text** of n digits takes O(log n) products of that length in each direction; hexadecimal text takes linear time.
//! **Memory.** A product by transforms takes about 7 words for each of its limbs: [`Plan::bytes`]. **Threads** share transforms,
//! primes, the products of a batch, and parts of a long text. **Division, square roots, GCDs** of n limbs take a few products of that
//! length, GCDs O(log n) of them: [`Multiplier::div_rem`], [`Multiplier::sqrt_rem`], [`Multiplier::gcd`].
//!
//! Sources: D. Knuth, *The Art of Computer Programming 2*, §4.3.3 and §4.4; M. Bodrato and A. Zanoni, *Integer and polynomial
//! multiplication: towards optimal Toom-Cook matrices*, 2007; the files name more.
//!
//! ```
//! use sunzi::Integer;
//! use sunzi::integer::{Algorithm, Multiplier};
//!
//! let multiplier = Multiplier::new();
//! let (a, b): (Integer, Integer) = ("12345678901234567890123".parse()?, "-0xffff".parse()?);
//! assert_eq!(multiplier.mul_integers(&a, &b).to_string(), "-809074066792407406679210805");
//! assert_eq!(multiplier.plan(3, 2).algorithm(), Algorithm::Schoolbook);
//! println!("{}", multiplier.plan(100_000, 50_000)); // which algorithm, and from which length it is the fastest
//! # Ok::<(), sunzi::integer::TextError>(())
//! ```

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(feature = "internals", allow(missing_docs))]

mod batch;
mod division;
pub mod fermat;
mod gcd;
mod karatsuba;
mod multiplier;
mod number;
mod plan;
mod problem;
mod roots;
mod schoolbook;
mod scratch;
pub mod text;
mod thresholds;
mod toom3;
mod transform;

pub use division::DivisionByZero;
pub use gcd::Bezout;
pub use multiplier::{Multiplier, mul_limbs};
pub use number::{
    ArithmeticError, Divisor, Integer, MachineInteger, Natural, OutOfRange, Rational, products,
};
pub use plan::{Algorithm, Plan};
pub use problem::MulError;
pub use thresholds::Thresholds;

/// What the tests of this crate reach into.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::division::{
        Divide, Kept, Lengths as DivisionLengths, divide_by_word, reciprocal, word::TwoLimbs,
    };
    pub use crate::gcd::{Gcd, Lengths as GcdLengths, leading::steps, matrix::Matrix};
    pub use crate::plan::{Planner, Step, parts};
    pub use crate::schoolbook::{Kernel, MAX_IFMA, portable, run};
    pub use crate::text::chunk::{BASE, DIGITS, value, write};
    pub use crate::text::format::chunks_by_fractions;
    pub use crate::text::tables::{MAX_LEAF, Shape, levels, limbs_of};
    pub use crate::thresholds::{NEVER, measured};
    pub use crate::transform::{Digits, TransformContext};
}
