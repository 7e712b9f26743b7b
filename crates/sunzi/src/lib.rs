//! Exact arithmetic on all cores and on GPUs: the public face of Sunzi.
//!
//! | module | holds |
//! |---|---|
//! | [`integer`] | natural numbers, integers and rational numbers of any size: operators, roots, divisors, text |
//! | [`field`] | prime fields of word size and modulo r^k + 1, their primes, moduli as expressions |
//! | [`transform`] | number-theoretic transforms (NTT) of any length, and convolutions |
//! | [`poly`] | dense polynomials over prime fields and over the integers |
//! | [`matrix`] | dense matrices: determinants, rank, solutions and inverses |
//! | [`sparse`] | sparse matrices, orderings in which they fit the cache, files |
//! | [`solve`] | GCDs, resultants and roots over Z, and systems of two equations |
//! | [`sort`] | sorting in linear time: counting sort, big sparse integers, Gray codes |
//! | [`engine`] | batches on the processor or on a GPU, whichever is faster |
//! | [`gpu`] | devices, and what runs on them |
//! | [`tune`] | launch shapes chosen for sizes that were never run, and measured thresholds of Sunzi's own algorithms |
//! | [`scale`] | transforms of vectors that are longer than memory, through files |
//! | [`memory`] | how much memory a computation may take |
//!
//! [`engine`], [`gpu`] and [`tune`] come with the feature `gpu`; [`matrix`], [`poly`], [`scale`], [`solve`], [`sort`] and [`sparse`] with
//! those of their names. All are on by default: a program that needs numbers or fields alone compiles faster with `default-features = false`.
//!
//! An [`Error`] is made of the errors of all of them by `?`: it has a [kind](ErrorKind), and a sentence.
//!
//! Numbers of any size are [`Natural`], [`Integer`] and [`Rational`], whose operators run the fastest algorithms. Work runs on all
//! processors, or on the threads of the [`ThreadPool`] that it is called in. A [`Meter`] shows other threads how much of a long computation is
//! done, a [`Cancel`] ends it, and [`alone`] keeps it on one thread without a pool.
//!
//! ```
//! use sunzi::{Integer, Natural};
//!
//! let f: Natural = (1..=1000u64).product();
//! println!("{}", &f * &f);
//!
//! let a: Integer = "123456789012345678901234567890".parse()?;
//! let b: Integer = "-0x10000000000000000".parse()?;
//! assert_eq!((a * b).to_string(), "-2277375791072698140248390838022561708011411210240");
//! # Ok::<(), sunzi::Error>(())
//! ```
//!
//! Another thread can see how far a determinant is:
//!
//! ```
//! use std::{sync::Arc, thread, time::Duration};
//! use sunzi::matrix::DenseMatrix;
//! use sunzi::{Integer, Meter};
//!
//! let meter = Arc::new(Meter::new());
//! let shown = Arc::clone(&meter);
//! thread::spawn(move || {
//!     // Until the determinant has let go of the other end.
//!     while Arc::strong_count(&shown) > 1 {
//!         if let Some(reading) = shown.read() {
//!             println!("{reading}"); // 60 of 200 lifting steps
//!         }
//!         thread::sleep(Duration::from_millis(100));
//!     }
//! });
//! let matrix = DenseMatrix::from_fn(60, 60, |i, j| Integer::from(i * j + i.pow(3) % 101));
//! let determinant = meter.watch(|| matrix.determinant())?;
//! # assert_eq!(determinant, Integer::ZERO);
//! # Ok::<(), sunzi::Error>(())
//! ```

#[cfg(feature = "gpu")]
pub mod engine;
mod error;
pub mod field;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod images;
pub mod integer;
#[cfg(feature = "matrix")]
pub mod matrix;
pub mod memory;
#[cfg(feature = "poly")]
pub mod poly;
#[cfg(feature = "scale")]
pub mod scale;
#[cfg(feature = "solve")]
pub mod solve;
#[cfg(feature = "sort")]
pub mod sort;
#[cfg(feature = "sparse")]
pub mod sparse;
pub mod transform;
#[cfg(feature = "gpu")]
pub mod tune;

pub use error::{Error, ErrorKind};
pub use integer::{Integer, Natural, Rational};
pub use rayon::{ThreadPool, ThreadPoolBuilder};
#[doc(inline)]
pub use sunzi_machine::InstructionSet;
#[doc(inline)]
pub use sunzi_machine::threads::{Cancel, Cancelled, Meter, Reading, alone};
