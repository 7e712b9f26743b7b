//! How fast a root is refined.

/// What the last steps have taught.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    /// ν: the interval is divided into 2^ν parts next.
    pub(super) gain: usize,
    /// Words that values needed last.
    pub(super) words: usize,
}

impl Pace {
    pub(super) fn start() -> Self {
        Self { gain: 2, words: 1 }
    }
}
