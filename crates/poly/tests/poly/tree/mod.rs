//! What trees cost, counted.

mod counted;
mod operations;
mod published;
