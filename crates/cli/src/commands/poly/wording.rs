//! How sentences and figures speak of what is computed modulo primes and over Z alike.

use crate::operation::Wording;

/// Greatest common divisors.
pub const GCDS: Wording = Wording {
    one: "gcd",
    many: "gcds",
    doing: "dividing",
    between: "and",
};

/// Resultants.
pub const RESULTANTS: Wording = Wording {
    one: "resultant",
    many: "resultants",
    doing: "dividing",
    between: "and",
};
