//! Tests of polynomials through the public face.
//!
//! One program, so that what the tests share is compiled once for each field.

mod any;
mod any_length;
mod big_prime_products;
mod calculus;
mod common;
mod division;
mod expressions;
mod field_products;
mod gcd;
mod integer_division;
mod integer_products;
mod laws;
mod modular;
mod operators;
mod remainders;
mod subinverse;
mod subresultants;
mod text;
mod threads;
mod thresholds;
mod trees;
