//! Tests of linear algebra through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod closed_forms;
mod common;
mod condensation;
mod elimination;
mod exact;
mod float;
mod float_range;
mod integer_determinants;
mod rational;
mod reduced;
mod sparse_any;
mod sparse_damage;
mod sparse_files;
mod sparse_files_written;
mod sparse_gallery;
mod sparse_orders;
mod sparse_products;
mod sparse_reorder;
mod sparse_solving;
mod sparse_structure;
mod threads;
