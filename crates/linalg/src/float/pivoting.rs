//! The choice of a pivot in a row.

/// Which entry of the first row becomes the pivot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pivoting {
    /// The one of largest absolute value: Gauss's elimination with partial pivoting. The more accurate one.
    #[default]
    Largest,
    /// The one whose absolute value a is nearest to 1, in that the larger one of a and 1/a is smallest:
    /// condensation in floating point.
    NearestToOne,
}

impl Pivoting {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Largest, Self::NearestToOne];

    /// The place of the pivot, the first of equals; `None` in a row of zeros.
    pub(super) fn choose(self, row: &[f64]) -> Option<usize> {
        let badness = |entry: f64| match self {
            Self::Largest => -entry.abs(),
            Self::NearestToOne => entry.abs().max(entry.abs().recip()),
        };
        let candidates = row.iter().enumerate().filter(|&(_, &entry)| entry != 0.0);
        candidates
            .min_by(|(_, a), (_, b)| badness(**a).total_cmp(&badness(**b)))
            .map(|(place, _)| place)
    }
}
