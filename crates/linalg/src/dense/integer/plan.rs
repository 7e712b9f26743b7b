//! Which algorithm finds a determinant over the integers the quickest.
//!
//! Costs are counted in products of residues within blocks, about 0.15 ns each on a processor with 512-bit
//! vectors; the factors were measured there at orders from 2 to 400 and entries from 8 to 20 000 bits, those of powers of
//! two at orders up to 30. They need not be right to a few percent: where two algorithms cost about the same, either will do.

use super::bound::Bound;
use super::lifting::Shape;
use super::problem::IntegerMethod;
use super::residues::{PRIME_BITS, primes_for};
use super::two_adic;
use crate::dense::matrix::DenseMatrix;
use sunzi_integer::Integer;

/// What finds a determinant over the integers, by primes of a word or without any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Plan {
    Residues,
    Lifting(Shape),
    FractionFree,
    /// Modulo 2^64 to the power of this.
    TwoAdic(usize),
}

impl Plan {
    /// For a matrix that is not obviously singular; `early` if few residues may do.
    pub(super) fn new(
        method: IntegerMethod,
        early: bool,
        matrix: &DenseMatrix<Integer>,
        bound: &Bound,
    ) -> Self {
        if early {
            return Self::Residues;
        }
        let costs = Costs::of(matrix, bound);
        let lifting = costs.quickest_lifting();
        match method {
            IntegerMethod::Lifting => Self::Lifting(lifting.1),
            IntegerMethod::FractionFree => Self::FractionFree,
            IntegerMethod::TwoAdic => match two_adic::words_for(bound.bits) {
                Some(words) => Self::TwoAdic(words),
                None => Self::FractionFree,
            },
            IntegerMethod::Automatic => costs.quickest(lifting).1,
            IntegerMethod::Residues | IntegerMethod::BigPrime => Self::Residues,
        }
    }
}

/// The work of all residues over that of the quickest plan.
pub(super) fn residues_over_quickest(matrix: &DenseMatrix<Integer>, bound: &Bound) -> f64 {
    let costs = Costs::of(matrix, bound);
    costs.residues() / costs.quickest(costs.quickest_lifting()).0
}

/// Words of the power of two for few rows of short entries, whose determinant is below 2^bits, if residues of matrices that are there
/// would not be quicker.
pub(super) fn words_of_short_entries(order: usize, bits: f64) -> Option<usize> {
    let words = two_adic::words_for(bits)?;
    let residues = primes_for(bits) as f64 * elimination(order);
    (two_adic(order, words) < residues).then_some(words)
}

/// A determinant modulo a prime.
fn elimination(order: usize) -> f64 {
    let n = order as f64;
    n * n * (n / 3.0 + 60.0)
}

/// A determinant modulo a power of two of so many words.
fn two_adic(order: usize, words: usize) -> f64 {
    const WORD_PRODUCT: f64 = 3.0;
    let (n, words) = (order as f64, words as f64);
    WORD_PRODUCT * n * n * (n / 3.0 + 1.0) * words * (words + 1.0) / 2.0
}

/// To find a prime, and all that is done once for it.
const NEW_PRIME: f64 = 40_000.0;

/// Most primes that a linear system is lifted by at once.
const MOST_LIFTED: usize = 32;

/// What the algorithms cost for matrices of one order and one length of entries.
#[derive(Clone, Copy, Debug)]
struct Costs<'a> {
    order: usize,
    entry_bits: usize,
    bound: &'a Bound,
}

impl<'a> Costs<'a> {
    fn of(matrix: &DenseMatrix<Integer>, bound: &'a Bound) -> Self {
        let entry_bits = |entry: &Integer| entry.bit_len();
        Self {
            order: matrix.rows(),
            entry_bits: matrix.entries().iter().map(entry_bits).max().unwrap_or(0),
            bound,
        }
    }

    /// What the quickest plan costs, and that plan, given the quickest lifting.
    fn quickest(&self, (lifting, shape): (f64, Shape)) -> (f64, Plan) {
        let residues = self.residues();
        let fraction_free = self.fraction_free();
        let least = fraction_free.min(residues).min(lifting);
        if let Some(words) = two_adic::words_for(self.bound.bits) {
            let cost = two_adic(self.order, words);
            if cost < least {
                return (cost, Plan::TwoAdic(words));
            }
        }
        let plan = if fraction_free == least {
            Plan::FractionFree
        } else if lifting < residues {
            Plan::Lifting(shape)
        } else {
            Plan::Residues
        };
        (least, plan)
    }

    /// The best number of primes to lift by, and what it costs.
    fn quickest_lifting(&self) -> (f64, Shape) {
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
        let planes = (self.entry_bits as f64 / PRIME_BITS).ceil();
        planes * (self.size() * self.size() * 3.6 + 360.0)
    }

    /// One determinant modulo a prime.
    fn elimination(&self) -> f64 {
        elimination(self.order)
    }

    /// One residue.
    fn residue(&self) -> f64 {
        NEW_PRIME + self.elimination() + self.reduction()
    }

    /// As many as prove the determinant.
    fn residues(&self) -> f64 {
        primes_for(self.bound.bits) as f64 * self.residue()
    }

    /// A linear system of this shape, and the primes that are left for most matrices.
    fn lifting(&self, shape: &Shape) -> f64 {
        // An inverse is an elimination and three times as much again; rows times matrices are bound by the
        // caches; residues of one step become those of the next prime by prime, each after those before it.
        const INVERSE: f64 = 4.0;
        const ROW: f64 = 1.5;
        const RESIDUE: f64 = 180.0;
        const RESIDUE_OF_ROW: f64 = 3.6;
        const SHORT: usize = 200;
        let n = self.size();
        let inverse = INVERSE * self.elimination() + self.reduction();
        let products = shape.steps * (shape.lifted + shape.kept);
        let changes = shape.steps * shape.kept * (shape.kept + SHORT);
        // For random entries, Hadamard's bound is expected to be a factor e^(n/2) too large.
        let left = 1.0 + n * 0.5 * std::f64::consts::LOG2_E / PRIME_BITS;
        (shape.lifted + shape.kept) as f64 * NEW_PRIME
            + shape.lifted as f64 * inverse
            + shape.kept as f64 * self.reduction()
            + left * self.residue()
            + products as f64 * n * (n * ROW + 100.0)
            + changes as f64 * (n * RESIDUE_OF_ROW + RESIDUE)
    }

    /// Elimination of integers that grow by an entry's length with each row: two products and a division each.
    fn fraction_free(&self) -> f64 {
        const WORD_OPERATION: f64 = 135.0;
        const GROWTH: f64 = 1.48;
        let bits = self.bound.bits / self.size();
        let step = |k: usize| {
            let words = (k as f64 * bits / 64.0).max(1.0);
            let entries = (self.order - k) as f64;
            entries * entries * words.powf(GROWTH)
        };
        WORD_OPERATION * (1..self.order).map(step).sum::<f64>()
    }
}
