//! Tests of sparse matrices through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod any;
mod damage;
mod files;
mod files_written;
mod orderings;
mod products;
mod propositions;
mod reorder;
mod replacement;
mod solving;
mod structure;
mod test_matrices;
mod threads;
