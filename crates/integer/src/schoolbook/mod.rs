//! Schoolbook products: every limb of one operand times every limb of the other.
//!
//! Quadratic, with the smallest constant: the base case of everything else.

pub(crate) mod portable;
