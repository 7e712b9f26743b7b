//! Tests through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod system;
