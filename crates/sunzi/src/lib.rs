//! Exact arithmetic on all cores: the public face of Sunzi, which re-exports the crates that do the work.
//!
//! | module | holds |
//! |---|---|
//! | [`field`] | prime fields of word size, primality, roots of unity, moduli as expressions |
//! | [`dft`] | transforms over prime fields, and convolutions |
//! | [`rns`] | integers modulo many primes and back; early termination |
//! | [`crt`] | products over several primes |
//! | [`integer`] | products of integers of any size, and their text |
//! | [`engine`] | batches of products on the processor or on a GPU, whichever is faster |
//! | [`gpu`] | devices, and what runs on them |
//! | [`poly`] | dense polynomials over prime fields and over the integers; transforms of any length |
//! | [`solve`] | GCDs, resultants and roots over Z, and systems of two equations |
//! | [`linalg`] | determinants, rank, solutions and inverses |
//! | [`text`] | text files as lines: unpacked, with comments skipped |
//! | [`sort`] | sorting in linear time: counting sort, big sparse integers, Gray codes |
//! | [`sparse`] | sparse matrices, orders in which they fit the cache, the ideal cache |
//! | [`tune`] | launch shapes chosen for sizes that were never run; models of GPUs; rational functions and programs |
//! | [`machine`] | threads, vectors and memory of the machine |
//! | [`launch`] | kernels of your own, measured on a device |
//! | [`tuning`] | shapes of Sunzi's own kernels, chosen for a device by measurement |
//!
//! Integers are [`IBig`] and [`UBig`] of [`dashu_int`](https://docs.rs/dashu-int), rational numbers [`RBig`] of
//! [`dashu_ratio`](https://docs.rs/dashu-ratio), so that a program needs no other crate to name them. Work runs on all
//! processors, or on the threads of the [`ThreadPool`] that it is called in. A [`Meter`] shows other threads how much of a
//! long computation is done.
//!
//! ```
//! use sunzi::integer::{mul, text::{parse_integer, to_decimal}};
//! let a = parse_integer(b"123456789012345678901234567890")?;
//! let b = parse_integer(b"-0x10000000000000000")?;
//! assert_eq!(to_decimal(&mul(&a, &b)), "-2277375791072698140248390838022561708011411210240");
//! # Ok::<(), sunzi::integer::text::TextError>(())
//! ```
//!
//! Another thread can see how far a determinant is:
//!
//! ```
//! use std::{sync::Arc, thread, time::Duration};
//! use sunzi::linalg::{DenseMatrix, dense::integer_determinant};
//! use sunzi::{IBig, Meter};
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
//! let matrix = DenseMatrix::from_fn(60, 60, |i, j| IBig::from(i * j + i.pow(3) % 101));
//! let determinant = meter.watch(|| integer_determinant(&matrix))?;
//! # assert_eq!(determinant, IBig::ZERO);
//! # Ok::<(), sunzi::linalg::dense::ShapeError>(())
//! ```

pub mod engine;
pub mod launch;
pub mod tuning;

pub use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig;
pub use rayon::{ThreadPool, ThreadPoolBuilder};
pub use sunzi_dft as dft;
pub use sunzi_dft::crt;
pub use sunzi_field as field;
pub use sunzi_gpu as gpu;
pub use sunzi_integer as integer;
pub use sunzi_linalg as linalg;
pub use sunzi_machine as machine;
pub use sunzi_machine::threads::{Meter, Reading};
pub use sunzi_poly as poly;
pub use sunzi_rns as rns;
pub use sunzi_solve as solve;
pub use sunzi_sort as sort;
pub use sunzi_sparse as sparse;
pub use sunzi_text as text;
pub use sunzi_tune as tune;
