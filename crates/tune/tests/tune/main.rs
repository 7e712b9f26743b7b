//! Tests of models and choices through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod counted_condensation;
mod counted_integers;
mod counted_trees;
mod counting;
mod functions;
mod launch_configs;
mod littles_law;
mod live;
mod many_core;
mod mwp_cwp;
mod programs;
mod refusals;
