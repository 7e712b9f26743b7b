//! Tests of residue number systems through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod products;
mod values;
