//! Products modulo word primes: products are summed whole, and a sum is reduced once.

use sunzi_field::{DigitKernels, Field, Fp32, Fp64, ScalarKernels, WordKernels};
use sunzi_machine::threads::Threads;

use super::run::{self, Arithmetic};
use crate::{
    compressed::Compressed,
    error::{Line, SparseError},
    matrix::{Major, SparseMatrix},
};

/// A kind of kernels ([`Field::Kernels`]) with products of sparse matrices and vectors over the field F: product by product
/// where it says nothing else.
pub trait SparseKernels<F: Field> {
    /// Lines times x, on all threads.
    #[allow(private_interfaces)]
    fn along(field: &F, lines: &Compressed<F::Elem>, x: &[F::Elem], y: &mut [F::Elem]) {
        Threads::all().each(y.iter_mut().enumerate(), |(line, y)| {
            let (indices, values) = lines.line(line);
            let entries = indices.iter().zip(values);
            *y = entries.fold(field.zero(), |sum, (&index, &value)| {
                field.add(sum, field.mul(value, x[index as usize]))
            });
        });
    }

    /// The sum of lines times elements of x.
    #[allow(private_interfaces)]
    fn across(field: &F, lines: &Compressed<F::Elem>, x: &[F::Elem], y: &mut [F::Elem]) {
        y.fill(field.zero());
        for (line, &x) in x.iter().enumerate() {
            let (indices, values) = lines.line(line);
            for (&index, &value) in indices.iter().zip(values) {
                let y = &mut y[index as usize];
                *y = field.add(*y, field.mul(value, x));
            }
        }
    }
}

impl<F: Field> SparseKernels<F> for ScalarKernels {}
impl<F: Field> SparseKernels<F> for DigitKernels {}

/// A field in which products of sparse matrices and vectors are computed: its kind of kernels has them.
pub trait ModularProduct: Field<Kernels: SparseKernels<Self>> {}

impl<F: Field<Kernels: SparseKernels<F>>> ModularProduct for F {}

/// Implements what [`WordKernels`] do over one field: so they are compiled in this crate.
macro_rules! products {
    ($field:ty, $word:ty, $arithmetic:expr) => {
        impl SparseKernels<$field> for WordKernels {
            #[allow(private_interfaces)]
            fn along(field: &$field, lines: &Compressed<$word>, x: &[$word], y: &mut [$word]) {
                run::along(&$arithmetic(field), lines, x, y);
            }

            #[allow(private_interfaces)]
            fn across(field: &$field, lines: &Compressed<$word>, x: &[$word], y: &mut [$word]) {
                run::across(&$arithmetic(field), lines, x, y);
            }
        }
    };
}

products!(Fp32, u32, Modular32::new);
products!(Fp64, u64, Modular64);

/// Sums that a line has.
const SUMS: usize = 8;

/// Residues below 2^31. A sum stays below M, the greatest multiple of p up to 2^63: a product is less than
/// 2^62 < M, so one subtraction after an addition suffices, and nothing exceeds 2^64.
pub struct Modular32<'a> {
    field: &'a Fp32,
    multiple: u64,
}

impl<'a> Modular32<'a> {
    pub fn new(field: &'a Fp32) -> Self {
        let prime = u64::from(field.prime());
        Self {
            field,
            multiple: (1 << 63) / prime * prime,
        }
    }

    /// `sum + a·b`, less M if it reaches M.
    #[inline(always)]
    fn accumulate(&self, sum: u64, a: u32, b: u32) -> u64 {
        let sum = sum.wrapping_add(u64::from(a) * u64::from(b));
        sum.min(sum.wrapping_sub(self.multiple))
    }
}

impl Arithmetic<u32> for Modular32<'_> {
    #[inline(always)]
    fn zero(&self) -> u32 {
        0
    }

    #[inline(always)]
    unsafe fn dot(&self, indices: &[u32], values: &[u32], x: &[u32]) -> u32 {
        let (index_blocks, last_indices) = indices.as_chunks::<SUMS>();
        let (value_blocks, last_values) = values.as_chunks::<SUMS>();
        let mut sum = 0;
        if !index_blocks.is_empty() {
            let mut sums = [0; SUMS];
            for (indices, values) in index_blocks.iter().zip(value_blocks) {
                for k in 0..SUMS {
                    // SAFETY: indices are below `x.len()`, as this function asks.
                    let x = unsafe { *x.get_unchecked(indices[k] as usize) };
                    sums[k] = self.accumulate(sums[k], values[k], x);
                }
            }
            for part in sums {
                sum += u64::from(self.field.reduce(part));
            }
        }
        for (&index, &value) in last_indices.iter().zip(last_values) {
            // SAFETY: likewise, the last of these indices.
            sum = self.accumulate(sum, value, unsafe { *x.get_unchecked(index as usize) });
        }
        self.field.reduce(sum)
    }

    #[inline(always)]
    fn mul_add(&self, sum: u32, a: u32, b: u32) -> u32 {
        self.field
            .reduce(u64::from(sum).wrapping_add(u64::from(a) * u64::from(b)))
    }

    fn add(&self, sum: &mut [u32], x: &[u32]) {
        self.field.add_assign_slice(sum, x);
    }
}

/// Residues below 2^63: sums of three words.
pub struct Modular64<'a>(pub &'a Fp64);

impl Arithmetic<u64> for Modular64<'_> {
    #[inline(always)]
    fn zero(&self) -> u64 {
        0
    }

    #[inline(always)]
    unsafe fn dot(&self, indices: &[u32], values: &[u64], x: &[u64]) -> u64 {
        let (mut sum, mut carries) = (0u128, 0u64);
        for (&index, &value) in indices.iter().zip(values) {
            // SAFETY: indices are below `x.len()`, as this function asks.
            let x = unsafe { *x.get_unchecked(index as usize) };
            let (next, carry) = sum.overflowing_add(u128::from(value) * u128::from(x));
            sum = next;
            carries += u64::from(carry);
        }
        // Fewer than 2^32 products below 2^126 carry less than 2^30 times, which may exceed p.
        let high = self.0.from_u64(carries);
        let high = self.0.reduce_wide(u128::from(high) << 64 | sum >> 64);
        self.0
            .reduce_wide(u128::from(high) << 64 | u128::from(sum as u64))
    }

    #[inline(always)]
    fn mul_add(&self, sum: u64, a: u64, b: u64) -> u64 {
        self.0.add(sum, self.0.mul(a, b))
    }

    fn add(&self, sum: &mut [u64], x: &[u64]) {
        self.0.add_assign_slice(sum, x);
    }
}

impl<E: Copy + Send + Sync, M: Major> SparseMatrix<E, M> {
    /// y = A·x in a field; by a [`CsrMatrix`](crate::CsrMatrix) on all threads. Where many products are
    /// wanted, those of a matrix by rows are faster.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::sparse::CsrMatrix;
    ///
    /// let field = Fp32::new(101)?;
    /// let matrix = CsrMatrix::from_triplets(1, 2, &[(0, 0, 100), (0, 1, 50)])?;
    /// assert_eq!(matrix.mul_vector_mod(&field, &[5, 4])?, [195 - 101]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Values and elements of x are canonical residues; others give unspecified results.
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have an element for each column.
    pub fn mul_vector_mod<F: ModularProduct<Elem = E>>(
        &self,
        field: &F,
        x: &[E],
    ) -> Result<Vec<E>, SparseError> {
        SparseError::check_length("the vector", Line::Column, self.columns(), x.len())?;
        let mut y = vec![field.zero(); self.rows()];
        match M::LINE {
            Line::Row => F::Kernels::along(field, &self.lines, x, &mut y),
            Line::Column => F::Kernels::across(field, &self.lines, x, &mut y),
        }
        Ok(y)
    }

    /// y = Aᵀ·x in a field; by a [`CscMatrix`](crate::CscMatrix) on all threads. Where many such products are
    /// wanted, those of a matrix by columns are faster.
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have an element for each row.
    pub fn transposed_mul_vector_mod<F: ModularProduct<Elem = E>>(
        &self,
        field: &F,
        x: &[E],
    ) -> Result<Vec<E>, SparseError> {
        SparseError::check_length("the vector", Line::Row, self.rows(), x.len())?;
        let mut y = vec![field.zero(); self.columns()];
        match M::LINE {
            Line::Row => F::Kernels::across(field, &self.lines, x, &mut y),
            Line::Column => F::Kernels::along(field, &self.lines, x, &mut y),
        }
        Ok(y)
    }
}
