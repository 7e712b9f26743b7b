//! Every block of Rust in the pages compiles with `sunzi` alone, and runs.

// The blocks show calls, and need not use all that they compute.
#![allow(unused_variables, clippy::all)]

include!(concat!(env!("OUT_DIR"), "/snippets.rs"));
