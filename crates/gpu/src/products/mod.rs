//! Products of whole batches that lie on the host: polynomials over ℤ and ℤ/m, and integers.
//!
//! An operand is a row of 32-bit words: coefficients of equal length, or the digits of an integer. Batches are cut
//! into pieces that fit the device's memory, and pieces take turns on several lanes, each with a stream and memory of
//! its own, so that the copies of one overlap the kernels of another (P. Emeliyanenko, *Efficient multiplication of
//! polynomials on graphics hardware*, 2009, §5, found four streams best).

mod add;
mod integers;
mod lanes;
mod operand;
mod resident;
mod shape;
mod transform;
mod transformer;

pub use integers::IntegerProducts;
pub use operand::Operand;
pub use resident::{ResidentPolynomials, ResidentProducts};
pub use shape::{Finish, TransformShape};
pub use transform::TransformProducts;
pub use transformer::{ProductForm, Transformer};
