//! Radix 2 in place, from natural to bit-reversed order, with and without a table of powers.
//!
//! Block j of the level with 2^m blocks holds a polynomial modulo x^n − t², which is split into
//! remainders modulo x^{n/2} ∓ t by `(a, b) → (a + t·b, a − t·b)`, where t = t_j is ω^{j'} and j'
//! is j with its log N − 1 bits reversed. So one multiplier serves a whole block, its values run
//! through the same sequence at every level, and t_{j+1}/t_j depends on the number of trailing ones
//! of j only: log N constants are enough to compute them all on the way, at one product each.
//!
//! J. Cooley and J. Tukey, *An algorithm for the machine calculation of complex Fourier series*
//! (1965); as a splitting of polynomials, C. Fiduccia, *Polynomial evaluation via the division
//! algorithm* (1972). N/2·log N butterflies; each level reads and writes the vector once.

use super::algorithm::{Order, ScalarDft};
use crate::bit_reversal::reversed;
use sunzi_field::TwoAdicField;

/// Where the multipliers t_j come from.
#[derive(Debug)]
enum Multipliers<E> {
    /// t_0, t_1, …, t_{N/2−1}.
    Table(Vec<E>),
    /// t_{j+1}/t_j for j with 0, 1, 2 … trailing ones.
    Steps(Vec<E>),
}

/// The transform of one length.
#[derive(Debug)]
pub(crate) struct CooleyTukey<F: TwoAdicField> {
    field: F,
    there: Multipliers<F::Elem>,
    /// Those of 1/ω.
    back: Multipliers<F::Elem>,
}

impl<F: TwoAdicField> CooleyTukey<F> {
    /// With a table of all powers, for `2^log_n` points.
    pub(crate) fn with_table(field: &F, root: F::Elem, log_n: u32) -> Self {
        let table = |root| {
            let log_half = log_n.saturating_sub(1);
            let mut powers = vec![field.one(); 1 << log_half];
            let mut power = field.one();
            for i in 0..powers.len() {
                powers[reversed(i, log_half)] = power;
                power = field.mul(power, root);
            }
            Multipliers::Table(powers)
        };
        Self::new(field, root, table)
    }

    /// With log N constants.
    pub(crate) fn on_the_fly(field: &F, root: F::Elem, log_n: u32) -> Self {
        // From j = …01…1 with k ones to j + 1 = …10…0, bit k is set and those below are not. As
        // reversed, with h = N/2: the exponent grows by h/2^{k+1} and loses h/2 + … + h/2^k.
        let steps = |root| {
            let half = (1u64 << log_n) >> 1;
            let step = |ones: u32| {
                let lost = half - (half >> ones);
                let order = 2 * half;
                field.pow(root, (order - lost + (half >> (ones + 1))) % order.max(1))
            };
            Multipliers::Steps((0..log_n).map(step).collect())
        };
        Self::new(field, root, steps)
    }

    fn new(
        field: &F,
        root: F::Elem,
        multipliers: impl Fn(F::Elem) -> Multipliers<F::Elem>,
    ) -> Self {
        // A root of unity is a unit.
        let inverse = field.inv(root).unwrap_or(field.one());
        Self {
            field: field.clone(),
            there: multipliers(root),
            back: multipliers(inverse),
        }
    }

    /// Calls `f` with the halves of every block of `2·half` elements and the block's multiplier.
    fn each_block(
        &self,
        multipliers: &Multipliers<F::Elem>,
        data: &mut [F::Elem],
        half: usize,
        f: impl Fn(&mut F::Elem, &mut F::Elem, F::Elem),
    ) {
        let mut power = self.field.one();
        for (j, block) in data.chunks_exact_mut(2 * half).enumerate() {
            let t = match multipliers {
                Multipliers::Table(powers) => powers[j],
                Multipliers::Steps(_) => power,
            };
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                f(a, b, t);
            }
            if let Multipliers::Steps(steps) = multipliers
                && let Some(&step) = steps.get(j.trailing_ones() as usize)
            {
                power = self.field.mul(power, step);
            }
        }
    }
}

impl<F: TwoAdicField> ScalarDft<F> for CooleyTukey<F> {
    fn order(&self) -> Order {
        Order::BitReversed
    }

    fn scratch_len(&self, _len: usize) -> usize {
        0
    }

    fn table_len(&self) -> usize {
        let len = |multipliers: &Multipliers<_>| match multipliers {
            Multipliers::Table(table) | Multipliers::Steps(table) => table.len(),
        };
        len(&self.there) + len(&self.back)
    }

    fn forward(&self, data: &mut [F::Elem], _scratch: &mut [F::Elem]) {
        let field = &self.field;
        let mut half = data.len() / 2;
        while half >= 1 {
            self.each_block(&self.there, data, half, |a, b, t| {
                let product = field.mul(*b, t);
                (*a, *b) = (field.add(*a, product), field.sub(*a, product));
            });
            half /= 2;
        }
    }

    fn inverse(&self, data: &mut [F::Elem], _scratch: &mut [F::Elem]) {
        let field = &self.field;
        let mut half = 1;
        while 2 * half <= data.len() {
            self.each_block(&self.back, data, half, |a, b, t| {
                (*a, *b) = (field.add(*a, *b), field.mul(field.sub(*a, *b), t));
            });
            half *= 2;
        }
    }
}
