//! Tables of powers and of products, as long as the operands that they are made for: filled by vector
//! operations, on all threads.

mod chunks;
mod progressions;
mod running_products;

pub(crate) use chunks::{in_chunks, in_chunks_of};
pub(crate) use progressions::{chirp, consecutive, progression};
pub(crate) use running_products::products_and_inverses;
