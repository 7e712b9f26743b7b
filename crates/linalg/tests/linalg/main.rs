//! Tests of linear algebra through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod closed_forms;
mod common;
mod condensation;
mod elimination;
mod exact;
mod float;
mod float_range;
mod integer_determinants;
mod rational;
mod reduced;
mod threads;
