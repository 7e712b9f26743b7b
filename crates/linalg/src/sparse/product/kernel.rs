//! What products need of the values' arithmetic.

/// Sums of products of an arithmetic.
pub trait Kernel<E: Copy>: Sync {
    /// 0.
    fn zero(&self) -> E;

    /// `Σ values[k]·x[indices[k]]`.
    ///
    /// # Safety
    /// All indices are below `x.len()`.
    unsafe fn dot(&self, indices: &[u32], values: &[E], x: &[E]) -> E;

    /// `sum + a·b`.
    fn mul_add(&self, sum: E, a: E, b: E) -> E;

    /// `sum[i] += x[i]`, for slices of the same length.
    fn add(&self, sum: &mut [E], x: &[E]);
}
