//! Tests of machine models through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod many_core;
mod mwp_cwp;
mod propositions;
mod replacement;
