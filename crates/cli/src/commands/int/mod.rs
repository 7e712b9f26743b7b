//! `sunzi int`.

/// What files of integers hold.
macro_rules! integers {
    () => {
        "One integer a line, decimal or 0x…; # starts a comment; empty lines do not count.
"
    };
}

/// How lines meet.
macro_rules! together {
    () => {
        "Lines of the same number go together. A file of one line goes with every line of the others.
Files are read piece by piece, so they may be longer than the memory.
"
    };
}

mod arithmetic;
mod integers;
mod mul;
mod product;

pub use integers::TEXT;

super::commands! {
    /// The commands on integers.
    IntCommand {
        /// Products of integers, line by line
        Mul(mul::Mul),
        /// Quotients, rounded down, and what they leave, line by line
        Divrem(arithmetic::Divrem),
        /// Greatest common divisors, line by line
        Gcd(arithmetic::Gcd),
        /// Greatest common divisors with cofactors, line by line
        Xgcd(arithmetic::Xgcd),
        /// Powers, line by line
        Pow(arithmetic::Pow),
        /// Powers modulo integers, line by line
        Powmod(arithmetic::Powmod),
        /// Roots, rounded towards zero, line by line
        Root(arithmetic::Root),
        /// The product of all integers of a file
        Product(product::Product),
    }
}
