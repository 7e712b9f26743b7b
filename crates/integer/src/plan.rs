//! What will run for given sizes, as a value: comparable, printable, testable without running it.

use std::fmt;

use crate::cpu::CpuClass;

/// The ways to multiply two integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// Every limb times every limb, 64 bits at a time.
    Schoolbook,
    /// Schoolbook on 52-bit digits, eight columns at a time (AVX-512 IFMA).
    Ifma,
    /// Three half-size products.
    Karatsuba,
    /// Five third-size products.
    Toom3,
    /// Number-theoretic transforms over several primes.
    Transform,
}

impl Algorithm {
    /// All algorithms, from the smallest sizes to the largest.
    pub const ALL: [Self; 5] = [
        Self::Schoolbook,
        Self::Ifma,
        Self::Karatsuba,
        Self::Toom3,
        Self::Transform,
    ];

    /// The name by which a user asks for it.
    ///
    /// ```
    /// assert_eq!(sunzi_integer::Algorithm::Toom3.name(), "toom3");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Schoolbook => "schoolbook",
            Self::Ifma => "ifma",
            Self::Karatsuba => "karatsuba",
            Self::Toom3 => "toom3",
            Self::Transform => "transform",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The algorithm chosen for a product of given sizes, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Limbs of the longer operand.
    pub long: usize,
    /// Limbs of the shorter operand.
    pub short: usize,
    /// The algorithm of the outermost level.
    pub algorithm: Algorithm,
    /// Into how many pieces the longer operand is cut before that (1: not cut).
    pub pieces: usize,
    /// The size of the shorter operand, in limbs, from which on this algorithm is the fastest here; 0
    /// for the one of the shortest.
    pub from: usize,
    /// The kernels in use.
    pub cpu: CpuClass,
}

impl fmt::Display for Plan {
    /// One sentence, such as `karatsuba for 512 × 512 limbs: fastest from 176 limbs on (AVX-512 IFMA kernels)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} for {} × {} limbs",
            self.algorithm, self.long, self.short
        )?;
        if self.pieces > 1 {
            write!(f, ", the longer operand in {} pieces", self.pieces)?;
        }
        if self.from > 0 {
            write!(f, ": fastest from {} limbs on", self.from)?;
        } else {
            write!(f, ": fastest for so few limbs")?;
        }
        write!(f, " ({} kernels)", self.cpu)
    }
}
