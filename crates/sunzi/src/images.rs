//! Images of a result that are computed in parts, on any machines and at any times, and put together.
//!
//! A job ([`DeterminantImages`](crate::matrix::DeterminantImages), [`ResultantImages`](crate::solve::ResultantImages),
//! [`ResultantYImages`](crate::solve::ResultantYImages), [`SubresultantYImages`](crate::solve::SubresultantYImages)) numbers its
//! images; whoever has the operands computes those of a range ([`Images::compute`]), and parts in any order give the proved result
//! ([`Images::combine`]). What is missing is told by number, so that after a failure only that is computed again. Ranks of MPI share
//! all images of a job by `scale::share_images`.

#[doc(inline)]
pub use sunzi_rns::images::{FORM, Images, Part, PartsError};
