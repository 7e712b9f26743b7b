//! The field of a tree, as its kernels know it.

use super::kernels::{Constants, Of};
use crate::big_prime::context::Radix;
use crate::field::{Fields, Scale};
use std::sync::Arc;
use sunzi_device::{GpuError, Kernel, Launch, Program};

/// What elements are, and what kernels are told of them.
#[derive(Debug)]
pub(super) struct Field {
    /// log2 of the words of 32 bits of an element.
    log_width: u32,
    /// Threads of a group, and how many of them have an element together: a power of two.
    threads: usize,
    threads_each: usize,
    known: Known,
}

#[derive(Debug)]
enum Known {
    /// Primes of a word, in their table.
    Primes(Arc<Fields>),
    /// r^k + 1.
    Digits(Radix),
}

impl Field {
    /// A prime of a word, or several, for groups of so many threads, each of which has an element.
    pub(super) fn of_words(fields: &Arc<Fields>, threads: usize) -> Self {
        Self {
            log_width: fields.word().width().trailing_zeros(),
            threads,
            threads_each: 1,
            known: Known::Primes(Arc::clone(fields)),
        }
    }

    /// Elements of so many digits, each of which a thread has.
    pub(super) fn of_digits(radix: Radix, digits: usize, threads: usize) -> Self {
        Self {
            log_width: digits.trailing_zeros() + 1,
            threads,
            threads_each: digits,
            known: Known::Digits(radix),
        }
    }

    /// The kernel of its program that does so.
    pub(super) fn kernel(&self, program: &Program, what: &str) -> Result<Kernel, GpuError> {
        program.kernel(&match &self.known {
            Known::Primes(_) => format!("tree_{what}"),
            Known::Digits(_) => format!("element_{what}"),
        })
    }

    /// Whether groups of threads have leaves of many points: those of digits have one.
    pub(super) const fn has_leaves(&self) -> bool {
        matches!(self.known, Known::Primes(_))
    }

    /// Words of 32 bits of an element.
    pub(super) const fn width(&self) -> usize {
        1 << self.log_width
    }

    /// Threads for `count` elements, for each of so many primes.
    pub(super) fn launch(&self, count: usize, primes: usize) -> Result<Launch, GpuError> {
        let groups = count.div_ceil(self.threads / self.threads_each) as u64;
        Launch::rows(groups, primes, self.threads, 0)
    }

    /// What kernels are told that add.
    pub(super) fn constants(&self) -> Constants<'_> {
        self.told(Of::Fields, Of::Radix)
    }

    /// What kernels are told that multiply.
    pub(super) fn to_multiply(&self) -> Constants<'_> {
        self.told(|fields| Of::Scaled(Scale::ProductOne, fields), Of::Radix)
    }

    /// What kernels are told that only copy.
    pub(super) fn to_copy(&self) -> Constants<'_> {
        self.told(|_| Of::Nothing, |_, log_k| Of::Digits(log_k))
    }

    fn told<'a>(
        &'a self,
        of_primes: impl Fn(&'a Fields) -> Of<'a>,
        of_digits: impl Fn(Radix, u32) -> Of<'a>,
    ) -> Constants<'a> {
        Constants {
            log_width: self.log_width,
            told: match &self.known {
                Known::Primes(fields) => of_primes(fields),
                Known::Digits(radix) => of_digits(*radix, self.threads_each.trailing_zeros()),
            },
        }
    }
}
