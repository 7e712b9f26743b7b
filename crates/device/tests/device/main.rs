//! Tests of devices, and of what streams and threads share on them.
//!
//! One program, so that what the tests share is compiled once.

mod devices;
mod double_buffer;
mod hazards;
mod nvidia;
mod runtimes;
mod sharing;
