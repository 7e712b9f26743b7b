//! What commands on dense matrices share: reading them.

pub mod input;
pub mod rationals;
pub mod residues;
