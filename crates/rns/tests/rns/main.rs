//! Tests of residues, and of integers made of them; files are named as those that they test.

mod early;
mod fraction;
mod gather;
mod lanes;
mod limbs;
mod mixed_radix;
mod planes;
mod primes;
mod reconstruction;
