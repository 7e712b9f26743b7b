//! Sorting in linear time.

mod error;
pub mod refinement;

pub use error::OrderError;
pub use refinement::{Direction, Partition, PositionLists};
