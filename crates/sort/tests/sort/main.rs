//! Tests of sorts and of what they are made of.
//!
//! One program, so that what the tests share is compiled once.

mod counting;
mod integers;
mod on_threads;
mod refinement;
mod signed;
