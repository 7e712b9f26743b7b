//! Products of polynomials over generalized Fermat fields, p = r^K + 1.
//!
//! **Problem.** Dense polynomials whose coefficients have K words, in any two lengths. **Algorithms.**
//! Short operands by every coefficient times every coefficient, eight elements of the field at a time
//! (`plain`). Others by transforms over the field itself (`transforms`), in one of three ways (`cover`):
//! modulo x^N − 1 as a whole; modulo x^N − 1 and x^T − s for a shorter T, so that a length just above a
//! power of two does not cost the next one (`twist`); or the longer operand in pieces, the transform of
//! the shorter one kept. Where p − 1 has too few factors 2 for any of these, Karatsuba's method with
//! transforms at its end, or one product of long integers (Kronecker substitution).
//!
//! **Floor.** A product of length L takes three transforms of L points (two for a square) and L products
//! in the field.

mod cover;
mod methods;
mod parts;
mod plain;
mod products;
mod thresholds;
mod transforms;
mod twist;

pub use products::BigPrimeProducts;
