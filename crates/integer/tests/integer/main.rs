//! Tests of products of integers through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod products;
mod transform;
