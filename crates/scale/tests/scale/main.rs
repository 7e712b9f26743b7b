//! Tests of transforms through files.

mod faults;
mod npy;
mod plans;
mod resume;
mod support;
mod transforms;
