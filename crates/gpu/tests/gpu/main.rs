//! Tests of kernels on a device, against the processor.
//!
//! One program, so that what the tests share is compiled once.

mod big_prime;
mod budgets;
mod carry;
mod catalogue;
mod configs;
mod convolution;
mod counts;
mod determinant;
mod euclid;
mod integer;
mod limits;
mod modular;
mod ntt;
mod peak;
mod products;
mod resident;
mod residues;
mod runtimes;
mod schoolbook;
mod support;
mod tree;
