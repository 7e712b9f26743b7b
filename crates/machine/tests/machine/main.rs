//! Tests of threads, vectors and memory; files are named as those that they test.

mod memory;
mod simd;
mod threads;
