//! Schoolbook products on every instruction set.

mod words32;
mod words64;
