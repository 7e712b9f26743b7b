//! Powers of ω for the products between groups of stages.

use super::pass::{Computed, Factors};
use super::stages::{LANES, Stage, Stages, Twiddle};
use sunzi_field::generalized_fermat::packed::blocks::normalized;
use sunzi_field::generalized_fermat::packed::{Line, Packed};
use sunzi_field::{Digits, Field, GeneralizedFermat, TwoAdicField};
use sunzi_machine::threads::Threads;

/// The factors of one stage.
#[derive(Debug)]
enum Table {
    None,
    /// One element for all lanes of a block: those of column p, one after the other.
    Elements(Vec<u64>),
    /// One for each lane.
    Blocks(Vec<Line>),
    /// None but those from which factors are computed.
    Computed {
        /// The exponent of a column's second power.
        unit: usize,
        /// For the last product, `ω^(l·j)` in lane l: for j below a power of two, and for its multiples.
        lanes: Option<[Vec<Line>; 2]>,
    },
}

/// The factors of every stage of a transform.
#[derive(Debug)]
pub(super) struct Tables<const K: usize> {
    tables: Vec<Table>,
    /// What factors are computed from; nothing if none are.
    powers: PowerWords,
}

/// The normalized digits of the powers of ω from 0 on, and of the powers of `ω^(2^log_low)`.
#[derive(Debug, Default)]
struct PowerWords {
    low: Vec<u64>,
    high: Vec<u64>,
    log_low: u32,
}

impl<const K: usize> Tables<K> {
    /// For the root ω of order `2^log_n`: N elements for the last product, N/8 for each before it. If
    /// they take more than `limit` bytes, there are O(√N) from which factors are computed, by up to four
    /// products instead of one.
    pub(super) fn new(
        field: &GeneralizedFermat<K>,
        stages: &Stages,
        log_n: u32,
        limit: usize,
    ) -> Self {
        let powers = Powers::new(field, log_n);
        if Self::full_bytes(stages, log_n) > limit {
            return Self {
                tables: stages
                    .stages
                    .iter()
                    .map(|stage| computed(stage, &powers))
                    .collect(),
                powers: PowerWords {
                    low: powers.words(powers.low.iter().copied()),
                    high: powers.words(powers.high.iter().copied()),
                    log_low: powers.log_low,
                },
            };
        }
        let tables = stages.stages.iter().map(|stage| full(stage, &powers));
        Self {
            tables: tables.collect(),
            powers: PowerWords::default(),
        }
    }

    /// Bytes of tables with one factor for every product.
    fn full_bytes(stages: &Stages, log_n: u32) -> usize {
        let elements = |stage: &Stage| match stage.twiddle {
            Twiddle::None | Twiddle::Rotation { .. } => 0,
            Twiddle::Product { len, .. } => len,
            Twiddle::LastProduct { .. } => 1 << log_n,
        };
        stages.stages.iter().map(elements).sum::<usize>() * size_of::<Digits<K>>()
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
            (
                Table::Computed { unit, lanes },
                Twiddle::Product { stride, .. } | Twiddle::LastProduct { stride },
            ) => Factors::Computed(Computed {
                unit: *unit,
                stride,
                low: &self.powers.low,
                high: &self.powers.high,
                log_low: self.powers.log_low,
                lanes: lanes.as_ref().map(|[low, high]| [&low[..], &high[..]]),
            }),
            (_, Twiddle::Rotation { step, width }) => Factors::Rotation { step, width },
            _ => Factors::None,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let bytes = |table: &Table| match table {
            Table::None | Table::Computed { lanes: None, .. } => 0,
            Table::Elements(words) => size_of_val(&words[..]),
            Table::Blocks(lines) => size_of_val(&lines[..]),
            Table::Computed {
                lanes: Some([low, high]),
                ..
            } => size_of_val(&low[..]) + size_of_val(&high[..]),
        };
        let powers = size_of_val(&self.powers.low[..]) + size_of_val(&self.powers.high[..]);
        self.tables.iter().map(bytes).sum::<usize>() + powers
    }
}

/// A factor for every product of a stage.
fn full<const K: usize>(stage: &Stage, powers: &Powers<'_, K>) -> Table {
    let field = powers.field;
    match stage.twiddle {
        Twiddle::None | Twiddle::Rotation { .. } => Table::None,
        Twiddle::Product { len, .. } => {
            let step = (1 << powers.log_n) / len;
            let count = len / stage.columns;
            let words = (0..stage.columns).flat_map(|p| powers.row(step * p, count));
            Table::Elements(powers.words(words))
        }
        Twiddle::LastProduct { stride } => {
            let values = stage.stride * stage.radix;
            let mut lines = vec![Line::default(); values * stage.columns * K];
            let rows = lines.chunks_exact_mut(stage.columns * K).enumerate();
            Threads::all().each(rows, |(j, lines)| {
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
    }
}

/// What the factors of a stage are computed from.
fn computed<const K: usize>(stage: &Stage, powers: &Powers<'_, K>) -> Table {
    match stage.twiddle {
        Twiddle::None | Twiddle::Rotation { .. } => Table::None,
        Twiddle::Product { len, .. } => Table::Computed {
            unit: (1 << powers.log_n) / len,
            lanes: None,
        },
        Twiddle::LastProduct { stride } => {
            let log_values = (stage.stride * stage.radix).trailing_zeros();
            let log_low = log_values / 2;
            let lanes = |step: usize, count: usize| {
                let blocks = (0..count).map(|j| powers.field.pack(&powers.row(step * j, LANES)));
                blocks.flat_map(|block| block.lines().to_vec()).collect()
            };
            let (low, high) = (
                lanes(1, 1 << log_low),
                lanes(1 << log_low, 1 << (log_values - log_low)),
            );
            Table::Computed {
                unit: LANES * stride,
                lanes: Some([low, high]),
            }
        }
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
            low: field.first_powers(root, 1 << log_low),
            high: field.first_powers(step, 1 << (log_n - log_low)),
        }
    }

    /// The normalized digits of elements, one after the other.
    fn words(&self, elements: impl Iterator<Item = Digits<K>>) -> Vec<u64> {
        let radix = self.field.radix();
        elements
            .flat_map(|element| normalized(&element, radix))
            .collect()
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

/// What makes cyclic transforms negacyclic, packed: `ψ^i` for coefficient i before a transform, ψ a root
/// of order `2·2^log_n`, and `ψ^−i` for coefficients after an inverse one, which stand at `N − i`.
pub(super) fn weights<const K: usize>(field: &GeneralizedFermat<K>, log_n: u32) -> [Packed<K>; 2] {
    let powers = Powers::new(field, log_n + 1).row(1, 1 << log_n);
    // ψ^−(N − i) = −ψ^i, as ψ^N = −1; at place 0 stands coefficient 0.
    let mut inverses: Vec<_> = powers.iter().map(|&power| field.neg(power)).collect();
    inverses[0] = field.one();
    [field.pack(&powers), field.pack(&inverses)]
}
