//! Tests of transforms through the public face.
//!
//! One program, so that what the tests share is compiled once for each field.

#[macro_use]
mod support;

mod any_length;
mod bands;
mod big_prime;
mod bit_reversal;
mod convolver;
mod crt;
mod problem;
mod products;
mod progressions;
mod threads;
mod transforms;
mod values;
