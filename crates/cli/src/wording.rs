//! How sentences and figures speak of what several commands compute.

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

/// Subresultants.
pub const SUBRESULTANTS: Wording = Wording {
    one: "subresultant",
    many: "subresultants",
    doing: "dividing",
    between: "and",
};

/// Discriminants.
pub const DISCRIMINANTS: Wording = Wording {
    one: "discriminant",
    many: "discriminants",
    doing: "dividing",
    between: "",
};

/// Square-free factors.
pub const FACTORS: Wording = Wording {
    one: "square-free factorization",
    many: "square-free factorizations",
    doing: "factoring",
    between: "and",
};

/// Quotients and remainders.
pub const DIVISIONS: Wording = Wording {
    one: "division",
    many: "divisions",
    doing: "dividing",
    between: "divided by",
};

/// Values at points.
pub const EVALUATIONS: Wording = Wording {
    one: "evaluation",
    many: "evaluations",
    doing: "evaluating",
    between: "",
};

/// What is said where measuring waited for so many percent of its time, if that is too much.
pub fn busy(percent: u8) -> Option<String> {
    /// From there on times say little.
    const BUSY: u8 = 5;
    (percent >= BUSY).then(|| {
        format!(
            "other programs had the processor for {percent} % of the time that measuring took, so that the times say little: measure again when the machine is idle"
        )
    })
}
