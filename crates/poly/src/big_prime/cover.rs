//! How the length of a product is covered by transforms, whose lengths are powers of two.

use sunzi_field::{GeneralizedFermat, TwoAdicField};

/// Transforms that give a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    /// Modulo x^points − 1, which is as long as the product.
    Whole { points: usize },
    /// Modulo x^points − 1 and x^(points/2^halvings) − s, s^(2^halvings) = −1.
    Split { points: usize, halvings: u32 },
    /// The longer operand in pieces, each modulo x^points − 1.
    Pieces { points: usize },
}

/// What lengths a field has, and what they cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    /// The shortest transform that has vectors; shorter ones, one element at a time, take longer.
    pub(super) min_points: usize,
    /// The longest transform of the field.
    pub(super) max_points: usize,
    /// K.
    pub(super) digits: usize,
    /// Whether transforms take eight elements at a time.
    pub(super) vectors: bool,
}

/// The shortest transforms for x^T − s: shorter ones do not fill their vectors.
const LEAST_TWISTED: usize = 64;

/// The cost of a point of a transform for x^T − s, in eighths of that for x^T − 1: points are weighted, and
/// operands are folded first.
const TWISTED_EIGHTHS: u64 = 14;

impl Cover {
    /// About how many bytes a product takes besides operands and result: its operands' values, the
    /// working memory of a transform, and tables.
    pub(super) fn scratch_bytes(self, digits: usize) -> u64 {
        let vectors =
            |count: u64, points: usize| (8 * digits as u64 * count).saturating_mul(points as u64);
        match self {
            Self::Whole { points } => vectors(5, points),
            Self::Split { points, halvings } => {
                // Of the shorter transforms operands and result, too, and two tables of weights.
                vectors(5, points).saturating_add(vectors(10, points >> halvings))
            }
            Self::Pieces { points } => {
                let threads = sunzi_machine::threads::count() as u64;
                vectors(3 + 4 * threads, points)
            }
        }
    }
}

impl Lengths {
    /// Those of a field.
    pub(super) fn of<const K: usize>(field: &GeneralizedFermat<K>) -> Self {
        // Longer ones fit into no memory.
        let max_points = 1 << field.two_adicity().min(usize::BITS - 2);
        let vectors = K >= 4 && field.constants().is_some();
        Self {
            // Some fields have no transforms as long as these.
            min_points: if vectors { 64.min(max_points) } else { 1 },
            max_points,
            digits: K,
            vectors,
        }
    }

    /// The cheapest transforms for operands of these lengths, neither 0; `None` if the field has none
    /// that are long enough.
    pub(super) fn cover(self, len_a: usize, len_b: usize) -> Option<Cover> {
        let (long, short) = (len_a.max(len_b), len_a.min(len_b));
        let len = len_a.checked_add(len_b)? - 1;
        let mut found: Option<(u64, Cover)> = None;
        let mut offer = |cost: u64, cover| {
            if found.is_none_or(|(least, _)| cost < least) {
                found = Some((cost, cover));
            }
        };
        let points = len.checked_next_power_of_two()?.max(self.min_points);
        if points <= self.max_points {
            offer(cost(points).saturating_mul(3), Cover::Whole { points });
            for halvings in 1..=self.digits.trailing_zeros() {
                let (low, high) = (points / 2, points >> (halvings + 1));
                if low + high >= len && high >= LEAST_TWISTED {
                    let twisted = (cost(high) / 8).saturating_mul(TWISTED_EIGHTHS);
                    let cover = Cover::Split {
                        points: low,
                        halvings,
                    };
                    offer(cost(low).saturating_add(twisted).saturating_mul(3), cover);
                }
            }
        }
        // At least half of each transform for a piece must be of use.
        let points = short.checked_next_power_of_two()?.checked_mul(2)?;
        let mut points = points.max(self.min_points);
        while points <= self.max_points && points / 2 < long {
            let pieces = len.div_ceil(points - short + 1) as u64;
            offer(
                cost(points).saturating_mul(2 * pieces + 1),
                Cover::Pieces { points },
            );
            points *= 2;
        }
        found.map(|(_, cover)| cover)
    }
}

/// The cost of a transform, in arbitrary units.
fn cost(points: usize) -> u64 {
    let log = u64::from(points.trailing_zeros());
    (points as u64).saturating_mul(12 + log)
}
