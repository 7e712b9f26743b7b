//! Vectors that are longer than memory: transforms through files, with a restart; and what several processes share. All but
//! [`npy`] is for Unix.
//!
//! ```no_run
//! use sunzi::field::AnyField;
//! use sunzi::memory::Budget;
//! use sunzi::scale::FileTransform;
//!
//! let field = AnyField::modulo_word(4_611_686_018_326_724_609)?;
//! let transform = FileTransform::new(&field, "x.npy", "y.npy", "/scratch");
//! let started = transform.within(Budget::within(Some(4 << 30))).start()?;
//! println!("{}", started.plan()); // 256 x 2097152 points through files by 3 passes …
//! started.finish()?;
//! # Ok::<(), sunzi::Error>(())
//! ```

#[doc(inline)]
pub use sunzi_scale::npy;
#[cfg(unix)]
#[doc(inline)]
pub use sunzi_scale::{
    Alone, FileProduct, FileTransform, FoundJob, Gone, Order, Plan, Ranks, Report, Resumed, Route,
    ScaleError, Shared, SharedError, Started, Threads, clean, found, share_images,
};
#[cfg(all(unix, feature = "mpi"))]
#[doc(inline)]
pub use sunzi_scale::{Mpi, MpiError};
