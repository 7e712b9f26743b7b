//! What measurements share: how times are taken, kept and drawn.
//!
//! - [`in_turn`] times several works so that whatever else the machine does falls on all of them alike.
//! - [`Records`] are timings in a file of comma-separated values.
//! - [`Chart`] draws curves as SVG.
//! - [`GALLERY`] names the sparse matrices that orders are compared on.
//! - [`text`] writes times and numbers for people.
//!
//! The program's `bench` commands and the comparison with other libraries stand on it.

mod chart;
mod clock;
mod records;
mod test_matrices;
pub mod text;

pub use chart::{Chart, Curve, Scale, svg};
pub use clock::{ByOwnClock, Clock, Run, Timing, Work, in_turn};
pub use records::{Record, Records, RecordsError};
pub use test_matrices::{CACHE_WORDS, GALLERY};
