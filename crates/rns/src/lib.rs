//! Residue number systems: integers modulo many primes of a word, and integers from their residues.
//!
//! Whatever is computed over Z by sums and products can be computed modulo primes, side by side, and is put together at the end.
//!
//! | to do | with |
//! |---|---|
//! | primes, as many as a bound asks for | [`WordPrimes`], [`primes_above`], [`PRIMES_31`], [`enough`], [`CoefficientBound`] |
//! | residues of a few integers modulo many primes | [`residues`], [`Digits`]: a prime a lane |
//! | residues of many integers modulo one prime after the other | [`Planes`]: an integer a lane |
//! | integers of either sign from residues | [`Reconstruction`]: a tree, quick for many primes |
//! | residues of many short integers modulo other primes | [`MixedRadix`], [`Extension`]: digits in vectors |
//! | integers from digits in mixed radix | [`RadixTree`], [`Composer`] for a few words |
//! | fractions from residues | [`fraction()`] |
//! | integers whose images are computed until they are proved, or agree | [`gather`], [`early`] |
//! | the same, whose images are computed in parts, anywhere | [`images`] |
//! | arithmetic modulo several primes at once | [`PrimeLanes`] |
//! | arithmetic on limbs | [`limbs`] |
//!
//! **Bounds.** Integers below 2^β in absolute value are known by primes whose product is above 2^(β + 1); with a probability, by fewer
//! ([`early`]). **Cost.** Of m primes below 2^50 and integers of n limbs, 1.3·m·n products an integer to its residues, and back m
//! products of a limb for each prime in groups of 48, then products of long integers. Digits in mixed radix take m²/2 products.
//!
//! Sources: H. Garner, *The residue number system*, 1959; D. Knuth, *The Art of Computer Programming 2*, §4.3.2; J. von zur Gathen
//! and J. Gerhard, *Modern Computer Algebra*, §5.4 and §10.3.
//!
//! ```
//! use sunzi::{Integer, Natural};
//! use sunzi_rns::{Reconstruction, WordPrimes, residues};
//!
//! let value = Integer::from(-7) * Integer::from(10).pow(40);
//! let primes: Vec<u64> = WordPrimes::new().take(3).collect();
//! let images = residues(std::slice::from_ref(&value), &primes);
//! let product = |a: &[u64], b: &[u64]| (Natural::from_limbs(a.to_vec()) * Natural::from_limbs(b.to_vec())).into_limbs();
//! let back: Vec<Integer> = Reconstruction::new(&primes, product).signed_all(&images);
//! assert_eq!(back, [value]);
//! ```

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(feature = "internals", allow(missing_docs))]

mod bound;
mod carry;
mod composer;
pub mod early;
mod fraction;
mod gather;
pub mod images;
mod known;
mod lanes;
pub mod limbs;
mod mixed_radix;
mod planes;
mod primes;
mod reconstruction;
mod residues;
mod tree;
mod vectors;

pub use bound::CoefficientBound;
pub use composer::Composer;
pub use fraction::fraction;
pub use gather::{Image, Primes, gather};
pub use known::Known;
pub use lanes::{LaneSum, MOST_LANES, PrimeLanes};
pub use mixed_radix::{Extension, MixedRadix, RadixTree};
pub use planes::{Planes, powers_of_two};
pub use primes::{PRIMES_31, PRIMES_50, WordPrimes, enough, primes_above};
pub use reconstruction::Reconstruction;
pub use residues::{Digits, residues};
pub use tree::Product;
pub use vectors::{Combination, Entry, NextDigit, prepared};

/// What the tests of this crate reach into.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::lanes::PRIME_BITS;
    pub use crate::primes::{FIRST, Proved, SMALL, WINDOW, primes_below};
    pub use crate::tree::GROUP;
}
