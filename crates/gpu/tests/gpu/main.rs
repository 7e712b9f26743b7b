//! Tests of kernels on a device, against the processor.
//!
//! One program, so that what the tests share is compiled once.

mod big_prime;
mod budgets;
mod carry;
mod ceilings;
mod convolution;
mod determinant;
mod devices;
mod euclid;
mod hazards;
mod integer;
mod limits;
mod modular;
mod ntt;
mod nvidia;
mod products;
mod resident;
mod residues;
mod runtimes;
mod schoolbook;
mod shapes;
mod sharing;
#[path = "../common/streams.rs"]
mod streams;
mod tree;
mod turns;
