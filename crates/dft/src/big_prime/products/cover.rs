//! How the length of a product is covered by transforms, whose lengths are powers of two.

use crate::big_prime::stages::Stages;
use sunzi_field::{GeneralizedFermat, TwoAdicField};

/// Transforms that give a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// Modulo x^points − 1, which is as long as the product.
    Whole {
        /// Points of the transforms.
        points: usize,
    },
    /// Modulo x^points − 1 and x^(points/2^halvings) − s, s^(2^halvings) = −1.
    Split {
        /// Points of the longer transforms.
        points: usize,
        /// How often these are halved for the shorter ones.
        halvings: u32,
    },
    /// The longer operand in pieces, each modulo x^points − 1.
    Pieces {
        /// Points of the transforms.
        points: usize,
    },
}

/// What a product of two different operands takes. Saturating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Products of two elements of the field.
    pub products: u64,
    /// Points of all transforms.
    pub points: u64,
    /// Sums of two elements: points times levels.
    pub sums: u64,
}

impl Work {
    /// That of so many transforms.
    fn of_transforms(count: u64, points: usize, digits: usize) -> Self {
        let log = points.trailing_zeros();
        let all = (points as u64).saturating_mul(count);
        let products = match Stages::new(log, digits) {
            Some(stages) => stages.products().saturating_mul(count),
            // One element at a time, half of them on each level.
            None => all.saturating_mul(u64::from(log)) / 2,
        };
        Self {
            products,
            points: all,
            sums: all.saturating_mul(u64::from(log)),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            products: self.products.saturating_add(other.products),
            points: self.points.saturating_add(other.points),
            sums: self.sums.saturating_add(other.sums),
        }
    }

    fn and_products(self, products: usize) -> Self {
        Self {
            products: self.products.saturating_add(products as u64),
            ..self
        }
    }
}

/// What lengths a field has, and what they cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// The shortest transform that has vectors; shorter ones, one element at a time, take longer.
    pub min_points: usize,
    /// The longest transform of the field.
    pub max_points: usize,
    /// K.
    pub digits: usize,
    /// Whether transforms take eight elements at a time.
    pub vectors: bool,
}

/// The shortest transforms for x^T − s: shorter ones do not fill their vectors.
const LEAST_TWISTED: usize = 64;

/// The cost of a point of a transform for x^T − s, in eighths of that for x^T − 1: points are weighted, and
/// operands are folded first.
const TWISTED_EIGHTHS: u64 = 14;

impl Cover {
    /// About how many bytes a product takes besides operands and result: its operands' values, the
    /// working memory of a transform, and tables.
    pub fn scratch_bytes(self, digits: usize) -> u64 {
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

    /// What the product of operands of these lengths takes that this covers.
    pub fn work(self, digits: usize, [len_a, len_b]: [usize; 2]) -> Work {
        let transforms = |count, points| Work::of_transforms(count, points, digits);
        match self {
            Self::Whole { points } => transforms(3, points).and_products(points),
            Self::Split { points, halvings } => {
                let twisted = points >> halvings;
                // Three products with weights: of both operands and of the result.
                transforms(3, points)
                    .and(transforms(3, twisted))
                    .and_products(points + 4 * twisted)
            }
            Self::Pieces { points } => {
                let pieces = pieces(points, len_a, len_b);
                transforms(2 * pieces as u64 + 1, points)
                    .and_products(pieces.saturating_mul(points))
            }
        }
    }
}

impl Lengths {
    /// Those of a field.
    pub fn of<const K: usize>(field: &GeneralizedFermat<K>) -> Self {
        Self::with(K, field.two_adicity(), field.constants().is_some())
    }

    /// Those of the field modulo radix^digits + 1, without the field: its digits suit vectors.
    pub fn of_prime(radix: u64, digits: usize) -> Self {
        Self::with(digits, digits as u32 * radix.trailing_zeros(), true)
    }

    fn with(digits: usize, two_adicity: u32, vectors: bool) -> Self {
        // Longer ones fit into no memory.
        let max_points = 1 << two_adicity.min(usize::BITS - 2);
        let vectors = digits >= 4 && vectors;
        Self {
            // Some fields have no transforms as long as these.
            min_points: if vectors { 64.min(max_points) } else { 1 },
            max_points,
            digits,
            vectors,
        }
    }

    /// The cheapest transforms for operands of these lengths, neither 0; `None` if the field has none
    /// that are long enough.
    pub fn cover(self, len_a: usize, len_b: usize) -> Option<Cover> {
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
            let pieces = pieces(points, len_a, len_b) as u64;
            offer(
                cost(points).saturating_mul(2 * pieces + 1),
                Cover::Pieces { points },
            );
            points *= 2;
        }
        found.map(|(_, cover)| cover)
    }
}

/// How many pieces a product has whose coefficients are right behind the shorter operand's length of each transform.
fn pieces(points: usize, len_a: usize, len_b: usize) -> usize {
    (len_a + len_b - 1).div_ceil(points - len_a.min(len_b) + 1)
}

/// The cost of a transform, in arbitrary units.
fn cost(points: usize) -> u64 {
    let log = u64::from(points.trailing_zeros());
    (points as u64).saturating_mul(12 + log)
}
