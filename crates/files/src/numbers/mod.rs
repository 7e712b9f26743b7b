//! Numbers, from text and to text.

pub mod integers;
pub mod rationals;
pub mod residues;
