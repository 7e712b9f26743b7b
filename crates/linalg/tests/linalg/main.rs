//! Tests of linear algebra and of what it is made of.
//!
//! One program, so that what the tests share is compiled once.

mod closed_forms;
mod common;
mod condensation;
mod dense;
mod elimination;
mod exact;
mod float;
mod integer_determinants;
mod multiplications;
mod operators;
mod rational;
mod reduced;
mod row_order;
mod threads;
