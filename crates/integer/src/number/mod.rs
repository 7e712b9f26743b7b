//! Numbers of any size with operators: [`Natural`], [`Integer`], [`Rational`].

mod aggregate;
mod attempt;
mod bits;
mod combinatorics;
#[cfg(feature = "dashu")]
mod dashu;
mod division;
mod divisor;
mod divisors;
mod float;
mod fraction_text;
mod integer;
mod long_integer;
mod machine;
#[cfg(feature = "malachite")]
mod malachite;
mod natural;
#[cfg(feature = "num-bigint")]
mod num_bigint;
#[cfg(feature = "num-traits")]
mod num_traits;
mod operators;
mod pairs;
mod power;
mod primality;
mod product;
mod radix;
mod rational;
mod residues;
mod root;
#[cfg(feature = "rug")]
mod rug;
#[cfg(feature = "serde")]
mod serde;
mod shift;
mod storage;
mod sum;
mod text;

pub use attempt::ArithmeticError;
pub use divisor::Divisor;
pub use integer::Integer;
pub use machine::{MachineInteger, OutOfRange};
pub use natural::Natural;
pub use pairs::products;
pub use rational::Rational;
