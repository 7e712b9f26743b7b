//! Results of modular methods, and how they are known.

/// A result, and how it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known<T> {
    /// The result; if it is not proved, it is wrong for one seed in 2^[`ERROR_BITS`](crate::early::ERROR_BITS) at most.
    pub value: T,
    /// Whether that is proved, by a bound or by a division: always without early termination.
    pub proved: bool,
    /// Primes whose images it was made of.
    pub primes: usize,
    /// Primes whose images were dropped because they told of another result: unlucky ones, and those that divide a leading
    /// coefficient.
    pub dropped: usize,
}

impl<T> Known<T> {
    /// A result for which no prime was needed.
    pub fn exactly(value: T) -> Self {
        Self {
            value,
            proved: true,
            primes: 0,
            dropped: 0,
        }
    }

    /// What is made of the result, known as it is.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Known<U> {
        Known {
            value: make(self.value),
            proved: self.proved,
            primes: self.primes,
            dropped: self.dropped,
        }
    }
}
