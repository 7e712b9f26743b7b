//! How much memory a computation may take.
//!
//! ```
//! use sunzi::memory::Budget;
//!
//! let budget = Budget::system();
//! assert!(budget.require(1 << 10).is_ok());
//! ```

#[doc(inline)]
pub use sunzi_machine::memory::{Budget, Drawn, OutOfMemory, Shown};
