//! Tests of sorts through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod counting;
mod counting_limits;
mod integers;
mod refinement;
