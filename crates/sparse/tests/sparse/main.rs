//! Tests of sparse matrices and of what they are made of.
//!
//! One program, so that what the tests share is compiled once.

mod any;
mod damage;
mod files;
mod files_written;
mod line_sorter;
mod orderings;
mod picture;
mod products;
mod propositions;
mod rearrange;
mod reorder;
mod replacement;
mod solving;
mod structure;
mod test_matrices;
mod threads;
