//! Tests of models and choices through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod functions;
mod launch_configs;
mod many_core;
mod mwp_cwp;
mod programs;
mod refusals;
