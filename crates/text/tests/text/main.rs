//! Tests of readers of text through the public face.
//!
//! One program, so that what the tests share is compiled once.

mod decompressed;
mod scanner;
