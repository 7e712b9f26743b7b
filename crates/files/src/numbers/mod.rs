//! Numbers, from text and to text.

pub mod integers;
pub mod positions;
pub mod rationals;
pub mod residues;
