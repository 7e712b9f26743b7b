//! Transforms and products of what is longer than memory, through files.
//!
//! **Problem.** N elements of w bytes lie in a file, and memory holds a part of them. **Algorithm.** Six steps: columns and rows of a
//! matrix of n1·n2 entries ([`Bands`](sunzi_dft::Bands)), a band of them in memory at a time; between passes the matrix lies in a file
//! (`matrix`), such that whoever reads it reads long runs. D. Bailey, *FFTs in external or hierarchical memory* (1990).
//!
//! | pass | reads | computes | writes |
//! |---|---|---|---|
//! | 1 | bands of columns of the input, n1 runs each | columns, products with powers of ω | the band, as tiles |
//! | 2 | bands of rows, a tile of each band of columns | rows | values in the order of the matrix, or tiles |
//! | 3, for natural order | bands of columns | nothing: they are transposed | values in natural order |
//!
//! A product of polynomials transforms columns of both operands, then rows of both and of their product at a time, then columns back.
//! Values in the order of the matrix ([`Order::Transposed`]) are led back by two passes: rows first, then columns.
//!
//! **Bound.** Every pass reads and writes all elements: 4·N·w bytes to transposed order, 6·N·w to natural order, 8·N·w for a product,
//! besides the sums of checks. With M bytes of memory a band has M/3, as one is read and one written while the third is computed; rows of
//! two operands have half of that. Runs of
//! the first pass are M/(3·n1) bytes long, those of the others longer; n1 is as large as keeps them at a mebibyte, if it can be. Time is at least that of
//! the bytes on the disk, or that of the processor: the [`Plan`] tells both.
//!
//! **Failures.** What a pass has written is never overwritten by the same job. Each band that is on the disk is told in a journal, so
//! that the same call goes on behind the last one; every tile has a checksum, tested when it is read, and so has every band of the result,
//! tested before a job goes on; three values are compared with their definition, which are computed beside the first pass. The result has
//! its name only when it is complete.
//!
//! Ranks, on one machine or on many, share all that ([`Ranks`]), and images of determinants and resultants, too ([`share_images`]).
//!
//! A call goes down: `request` (what is asked for), `plan`, `job` (what is done already), `task` (which passes, and what they
//! compute), `run` (one pass after the other), `pass` (reading, computing, writing at the same time), `matrix` (where bands lie),
//! `storage` (bytes of files), `disk` (what the system does).

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(feature = "internals", allow(missing_docs))]

pub mod npy;

/// What is for systems whose files are read and written in parts, in any order, and locked.
macro_rules! for_unix {
    ($($item:item)*) => {
        $(#[cfg(unix)] $item)*
    };
}

for_unix! {
    mod buffer;
    mod disk;
    mod error;
    mod input;
    mod job;
    mod matrix;
    mod pass;
    mod plan;
    mod ranks;
    mod request;
    mod run;
    mod storage;
    mod task;

    pub use error::ScaleError;
    pub use job::folder::{FoundJob, clean, found};
    pub use plan::{Order, Plan, Route};
    pub use ranks::images::{Shared, SharedError, share_images};
    #[cfg(feature = "mpi")]
    pub use ranks::mpi::{Mpi, MpiError};
    pub use ranks::threads::Threads;
    pub use ranks::{Alone, Gone, Ranks};
    pub use request::product::FileProduct;
    pub use request::transform::FileTransform;
    pub use run::{Report, Resumed, Started};
}

/// What the tests of this crate reach into.
#[cfg(all(feature = "internals", unix))]
#[doc(hidden)]
pub mod internals {
    pub use crate::disk::{Disk, System};
    pub use crate::ranks::hand_out::{Numbers, hand_out};
}
