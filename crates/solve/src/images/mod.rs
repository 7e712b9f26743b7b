//! Images of integers modulo many primes of a word, and integers from their images.
//!
//! All primes are below 2^50: products of residues fit the 52-bit multipliers of vector units. Whatever is done
//! modulo many primes alike is done with one prime a lane ([`PrimeLanes`]).

mod euclid;
mod gather;
mod lanes;
mod primes;
mod reconstruction;
mod residues;

pub(crate) use euclid::Euclid;
pub(crate) use gather::{Early, Image, gather};
pub(crate) use lanes::{MOST_LANES, PrimeLanes};
pub(crate) use primes::{WordPrimes, primes_above};
pub(crate) use reconstruction::Reconstruction;
pub(crate) use residues::{Digits, residues};
