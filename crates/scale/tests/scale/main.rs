//! Tests of transforms through files.

mod combined;
mod combined_among_ranks;
mod faults;
mod hand_out;
mod npy;
mod plans;
mod products;
mod ranks;
mod resume;
mod support;
mod transforms;
