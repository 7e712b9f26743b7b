//! Which way to a determinant over the integers is the quickest.
//!
//! Costs are counted in products of residues within blocks, about 0.15 ns each on a processor with 512-bit
//! vectors; the factors were measured there at orders from 10 to 400 and entries from 20 to 20 000 bits. They need
//! not be right to a few percent: where two ways cost about the same, either will do.

use super::Way;
use super::bound::Bound;
use super::lifting::Shape;
use super::primes;
use super::primes_for;

/// Most primes that a linear system is lifted by at once.
const MOST_LIFTED: usize = 32;

/// What the ways cost for matrices of one order and one length of entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs<'a> {
    order: usize,
    entry_bits: usize,
    bound: &'a Bound,
}

impl<'a> Costs<'a> {
    pub(super) fn new(order: usize, entry_bits: usize, bound: &'a Bound) -> Self {
        Self {
            order,
            entry_bits,
            bound,
        }
    }

    /// The quickest way, given the quickest lifting.
    pub(super) fn quickest(&self, (lifting, shape): (f64, Shape)) -> Way {
        let residues = primes_for(self.bound.bits) as f64 * self.residue();
        let fraction_free = self.fraction_free();
        if fraction_free < residues.min(lifting) {
            Way::FractionFree
        } else if lifting < residues {
            Way::Lifting(shape)
        } else {
            Way::Residues
        }
    }

    /// The best number of primes to lift by, and what it costs.
    pub(super) fn quickest_lifting(&self) -> (f64, Shape) {
        let with = |lifted| {
            let shape = Shape::new(self.order, self.entry_bits, self.bound, lifted);
            (self.lifting(&shape), shape)
        };
        let better =
            |best: (f64, Shape), next: (f64, Shape)| if next.0 < best.0 { next } else { best };
        (2..=MOST_LIFTED).map(with).fold(with(1), better)
    }

    fn size(&self) -> f64 {
        self.order as f64
    }

    /// The residues of the entries modulo one prime.
    fn reduction(&self) -> f64 {
        let planes = (self.entry_bits as f64 / primes::BITS).ceil();
        planes * (self.size() * self.size() + 800.0)
    }

    /// One determinant modulo a prime.
    fn elimination(&self) -> f64 {
        let n = self.size();
        n * n * (n / 3.0 + 60.0)
    }

    /// One residue.
    fn residue(&self) -> f64 {
        self.elimination() + self.reduction()
    }

    /// A linear system of this shape, and the primes that are left for most matrices.
    fn lifting(&self, shape: &Shape) -> f64 {
        // An inverse is an elimination and three times as much again; rows times matrices are bound by the
        // caches.
        const INVERSE: f64 = 4.0;
        const ROW: f64 = 1.5;
        let n = self.size();
        let inverse = INVERSE * self.elimination() + self.reduction();
        let products = shape.steps * (shape.lifted + shape.kept);
        // For random entries, Hadamard's bound is expected to be a factor e^(n/2) too large.
        let left = 1.0 + n * 0.5 * std::f64::consts::LOG2_E / primes::BITS;
        shape.lifted as f64 * inverse
            + shape.kept as f64 * self.reduction()
            + left * self.residue()
            + products as f64 * n * (n * ROW + 100.0)
    }

    /// Elimination of integers that grow by an entry's length with each row: two products and a division each.
    fn fraction_free(&self) -> f64 {
        const WORD_OPERATION: f64 = 120.0;
        const KARATSUBA: f64 = 1.58;
        let bits = self.bound.bits / self.size();
        let step = |k: usize| {
            let words = (k as f64 * bits / 64.0).max(1.0);
            let entries = (self.order - k) as f64;
            entries * entries * words.powf(KARATSUBA)
        };
        WORD_OPERATION * (1..self.order).map(step).sum::<f64>()
    }
}
