//! Powers of ω for the products between groups of stages.

use super::pass::Factors;
use super::stages::{LANES, Stage, Stages, Twiddle};
use rayon::prelude::*;
use sunzi_field::generalized_fermat::packed::{Line, Packed};
use sunzi_field::{Digits, Field, GeneralizedFermat, TwoAdicField};

/// The factors of one stage.
#[derive(Debug)]
enum Table {
    None,
    /// One element for all lanes of a block: those of column p, one after the other.
    Elements(Vec<u64>),
    /// One for each lane.
    Blocks(Vec<Line>),
}

/// The factors of every stage of a transform.
#[derive(Debug)]
pub(super) struct Tables<const K: usize> {
    tables: Vec<Table>,
}

impl<const K: usize> Tables<K> {
    /// For the root ω of order `2^log_n`: N elements for the last product, N/8 for each before it.
    pub(super) fn new(field: &GeneralizedFermat<K>, stages: &Stages, log_n: u32) -> Self {
        let n = 1 << log_n;
        let powers = Powers::new(field, log_n);
        let table = |stage: &Stage| match stage.twiddle {
            Twiddle::None | Twiddle::Rotation { .. } => Table::None,
            Twiddle::Product { len, .. } => {
                let step = n / len;
                let count = len / stage.columns;
                let words = (0..stage.columns).flat_map(|p| powers.row(step * p, count));
                Table::Elements(words.flat_map(|Digits(words)| words).collect())
            }
            Twiddle::LastProduct { stride } => {
                let values = stage.stride * stage.radix;
                let mut lines = vec![Line::default(); values * stage.columns * K];
                let rows = lines.par_chunks_exact_mut(stage.columns * K).enumerate();
                rows.for_each(|(j, lines)| {
                    let lanes = powers.row(j, LANES);
                    let columns = powers.row(LANES * stride * (j / stride), stage.columns);
                    for (block, column) in lines.chunks_exact_mut(K).zip(columns) {
                        let mut elements = lanes.clone();
                        field.mul_assign_slice(&mut elements, &[column; LANES]);
                        block.copy_from_slice(field.pack(&elements).lines());
                    }
                });
                Table::Blocks(lines)
            }
        };
        Self {
            tables: stages.stages.iter().map(table).collect(),
        }
    }

    /// The factors of stage `index`.
    pub(super) fn factors(&self, index: usize, stage: &Stage) -> Factors<'_> {
        match (&self.tables[index], stage.twiddle) {
            (Table::Elements(words), Twiddle::Product { len, stride }) => Factors::Elements {
                words,
                count: len / stage.columns,
                stride,
            },
            (Table::Blocks(lines), _) => Factors::Blocks(lines),
            (_, Twiddle::Rotation { step, width }) => Factors::Rotation { step, width },
            _ => Factors::None,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let bytes = |table: &Table| match table {
            Table::None => 0,
            Table::Elements(words) => size_of_val(&words[..]),
            Table::Blocks(lines) => size_of_val(&lines[..]),
        };
        self.tables.iter().map(bytes).sum()
    }
}

/// Powers of ω, each by one product from two tables of about √N.
pub(super) struct Powers<'a, const K: usize> {
    field: &'a GeneralizedFermat<K>,
    log_n: u32,
    log_low: u32,
    low: Vec<Digits<K>>,
    high: Vec<Digits<K>>,
}

impl<'a, const K: usize> Powers<'a, K> {
    /// Of the field's root of order `2^log_n`, which it has.
    pub(super) fn new(field: &'a GeneralizedFermat<K>, log_n: u32) -> Self {
        let root = field.root_of_unity(log_n).unwrap_or(field.one());
        let log_low = log_n / 2;
        let step = field.pow(root, 1 << log_low);
        Self {
            field,
            log_n,
            log_low,
            low: first_powers(field, root, 1 << log_low),
            high: first_powers(field, step, 1 << (log_n - log_low)),
        }
    }

    /// The powers of `ω^step` from 0 to `count` (exclusive).
    pub(super) fn row(&self, step: usize, count: usize) -> Vec<Digits<K>> {
        let exponents = (0..count).map(|i| (i * step) & ((1 << self.log_n) - 1));
        let low = |exponent: usize| self.low[exponent & ((1 << self.log_low) - 1)];
        let high = |exponent: usize| self.high[exponent >> self.log_low];
        let mut row: Vec<_> = exponents.clone().map(low).collect();
        let factors: Vec<_> = exponents.map(high).collect();
        self.field.mul_assign_slice(&mut row, &factors);
        row
    }
}

/// 1, x, x², …: `count` of them, a power of two, by doubling so that products come in blocks.
fn first_powers<const K: usize>(
    field: &GeneralizedFermat<K>,
    x: Digits<K>,
    count: usize,
) -> Vec<Digits<K>> {
    let mut powers = vec![field.one()];
    let mut step = x;
    while powers.len() < count {
        let mut next = powers.clone();
        let factors = vec![step; next.len()];
        field.mul_assign_slice(&mut next, &factors);
        powers.append(&mut next);
        step = field.mul(step, step);
    }
    powers
}

/// The powers of a root of order `2·2^log_n`, times a factor each, packed: what makes a cyclic
/// transform a negacyclic one.
pub(super) fn weights<const K: usize>(
    field: &GeneralizedFermat<K>,
    log_n: u32,
    inverse: bool,
) -> Packed<K> {
    let powers = Powers::new(field, log_n + 1);
    let step = if inverse { (2 << log_n) - 1 } else { 1 };
    field.pack(&powers.row(step, 1 << log_n))
}
