//! From which length of the shorter operand on each method is the fastest, as measured by
//! `examples/big_prime_crossover.rs`.

/// Lengths of the shorter operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thresholds {
    /// Transforms over the field win over plain products.
    pub(super) ntt: usize,
    /// Karatsuba's method wins over plain products, where no transform is long enough.
    pub(super) karatsuba: usize,
    /// One product of integers wins over Karatsuba's method, where no transform is long enough.
    pub(super) kronecker: usize,
}

impl Thresholds {
    /// For fields of so many digits, with or without vectors of elements.
    pub(super) const fn of(digits: usize, vectors: bool) -> Self {
        let _ = (digits, vectors);
        Self {
            ntt: 24,
            karatsuba: 24,
            kronecker: 64,
        }
    }
}
