//! What polynomials over Z are made of.

mod flat;
mod pack;
mod plan;
