//! Transforms over generalized Fermat fields, p = r^K + 1, on all cores.
//!
//! # The problem
//!
//! N = 2^n points, n at most the two-adicity of p − 1, elements of K words; natural order in and out.
//!
//! # The algorithm
//!
//! r is a root of unity of order 2K, so transforms of up to 2K points take no products at all, only
//! rotations of digits (L. Chen, S. Covanov, D. Mohajerani, M. Moreno Maza, *Big prime field FFT on the
//! GPU*, 2017; D. Mohajerani, thesis, 2021, §2.4). N points are joined in groups of at most 2K, with one
//! product by a power of ω between groups: ⌈log N/log 2K⌉ − 1 products an element, instead of ½·log N.
//! Groups are made of base cases of up to 32 points ([`base_case`]), whose digits are not
//! carried inside.
//!
//! Elements lie eight to a block, digit by digit ([`sunzi_field::generalized_fermat::packed`]), so that
//! a vector holds one digit of eight elements. Stages go from one vector of blocks to another in
//! Stockham's order, which sorts on the way: the permutations of the six-step transform (D. Bailey,
//! 1990) are the addresses at which stages read and write. The eight elements of a block are joined by
//! the last stage, which transposes blocks in registers. Every power of two from 16 on is a product of
//! groups; for fewer points, and for fields whose digits do not suit vectors (K = 2, r < 2^52), contexts
//! fall back to one element at a time.
//!
//! Inverse transforms are forward ones with values read backwards, and 1/N = (r/N)·r^−1 is a product
//! with one digit and a rotation (or a few, where N does not divide r).
//!
//! # The floor
//!
//! With vectors of eight lanes, an element takes `K·(5K + 45)/8` instructions for each product, of which
//! there are ⌈log N/log 2K⌉ − 1, and `K·(log N + 30)/8` for sums, transpositions and the last carries; two a
//! cycle at best. For K = 8 and N = 4096 that is 2·85 + 42, 35 ns at 3 GHz. `docs/big-prime-fft.md` says
//! what is reached.

mod base_case;
mod context;
mod ends;
mod engine;
mod pass;
mod stages;
mod tables;
mod times;

pub use context::BigPrimeOptions;
pub use times::StepTimes;
