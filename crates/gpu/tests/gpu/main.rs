//! Tests of kernels on a device, against the processor.
//!
//! One program, so that what the tests share is compiled once.

mod carry;
mod ceilings;
mod common;
mod convolution;
mod devices;
mod integer_batches;
mod ntt;
mod nvidia;
mod plain_products;
mod products;
mod residues;
