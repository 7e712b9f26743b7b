//! Tests of products of integers and their text.
//!
//! One program, so that what the tests share is compiled once.

mod division;
mod fermat;
mod gcd;
mod number;
mod plan;
mod products;
mod roots;
#[cfg(target_arch = "x86_64")]
mod schoolbook;
mod text;
mod transform;
