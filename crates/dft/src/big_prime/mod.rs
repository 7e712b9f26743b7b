//! Transforms over generalized Fermat fields, p = r^K + 1: N = 2^n points, n at most the two-adicity of p − 1,
//! elements of K words each, natural order in and out.
//!
//! r is a root of unity of order 2K, so transforms of up to 2K points take no products at all, only
//! rotations of digits (L. Chen, S. Covanov, D. Mohajerani, M. Moreno Maza, *Big prime field FFT on the
//! GPU*, 2017; D. Mohajerani, thesis, 2021, §2.4). N points are joined in groups of at most 2K ([`stages`]),
//! with one product by a power of ω between groups ([`tables`]). Groups are made of base cases of up to 32
//! points ([`base_case`]), whose digits are not carried inside.
//!
//! Elements lie eight to a block, digit by digit ([`sunzi_field::generalized_fermat::packed`]), so that
//! a vector holds one digit of eight elements. Stages ([`pass`]) go from one vector of blocks to another in
//! Stockham's order, which sorts on the way; the first one reads the caller's vector and the last one writes it
//! ([`input_output`]). Every power of two from 16 on is a product of groups; for fewer points, and for fields
//! whose digits do not suit vectors (K = 2, r < 2^52), contexts fall back to one element at a time.
//!
//! Bound: ⌈log N/log 2K⌉ − 1 products an element, instead of ½·log N. With vectors of eight lanes, each takes
//! `K·(5K + 45)/8` instructions, and `K·(log N + 30)/8` go to sums, transpositions and the last carries.
//! `docs/big-prime-fft.md` explains it, and says what is reached.

mod base_case;
mod context;
pub(crate) mod fewest;
mod input_output;
mod pass;
pub(crate) mod products;
mod rotations;
pub(crate) mod stages;
mod tables;
