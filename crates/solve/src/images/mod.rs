//! Images of integers modulo many primes of a word, and integers from their images.
//!
//! All primes are below 2^50: products of residues fit the 52-bit multipliers and the doubles of vector units. Whatever is done
//! modulo many primes alike is done with one prime a lane ([`PrimeLanes`]).

mod euclid;
mod gather;
mod lanes;
mod primes;
mod rational;
mod reconstruction;
mod residues;

pub(crate) use euclid::{Euclid, Step};
pub(crate) use gather::{Image, gather};
pub(crate) use lanes::{MOST_LANES, PrimeLanes};
pub(crate) use primes::{WordPrimes, primes_above};
pub(crate) use rational::rational;
pub(crate) use reconstruction::Reconstruction;
pub(crate) use residues::{Digits, residues};
