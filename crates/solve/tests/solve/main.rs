//! Tests of roots, chains and systems.
//!
//! One program, so that what the tests share is compiled once.

mod apart;
mod chains;
mod roots;
mod system;
