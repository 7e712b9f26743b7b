//! Dense polynomials over prime fields and over the integers.
