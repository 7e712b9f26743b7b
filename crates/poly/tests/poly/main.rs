//! Tests of polynomials and of what they are made of.
//!
//! One program, so that what the tests share is compiled once for each field.

mod any;
mod any_length;
mod big_prime_products;
mod bits;
mod bivariate;
mod calculus;
mod common;
mod cyclic;
mod division;
mod expressions;
mod field_products;
mod gcd;
mod integer;
mod integer_calculus;
mod integer_division;
mod integer_products;
mod karatsuba;
mod laws;
mod modular;
mod operators;
mod polynomial;
mod rational;
mod remainders;
mod running_products;
mod scalar;
mod schoolbook;
mod serde;
mod square_free;
mod subinverse;
mod subresultants;
mod text;
mod threads;
mod thresholds;
mod tree;
mod trees;
mod words;
