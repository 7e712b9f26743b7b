//! The kinds of kernels that compute over fields.
//!
//! A field names its kind ([`Field::Kernels`](crate::Field::Kernels)); the crates above implement for each kind what they do:
//! transforms, products of polynomials, of blocks of matrices, of sparse matrices. So they know kinds, but hold no list of fields.

/// Vector kernels on words: residues of up to 63 bits.
#[derive(Clone, Copy, Debug)]
pub struct WordKernels;

/// Vector kernels on digits in radix r, modulo r^k + 1.
#[derive(Clone, Copy, Debug)]
pub struct DigitKernels;

/// One element after the other: all that is asked of a field is what [`Field`](crate::Field) and
/// [`TwoAdicField`](crate::TwoAdicField) have. A new field computes by these from the first day.
#[derive(Clone, Copy, Debug)]
pub struct ScalarKernels;
