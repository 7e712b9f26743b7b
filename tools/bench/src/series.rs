//! Times of one method at several sizes.

use serde::Serialize;
use sunzi_measure::Timing;

/// A method and its times, sizes ascending.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// `(a)`, by which tables and sentences call it.
    pub mark: String,
    pub name: String,
    /// The file that it comes from, unless it was measured here and now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub times: Vec<Sized>,
}

/// A time at a size.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sized {
    pub points: u64,
    #[serde(rename = "seconds")]
    pub timing: Timing,
}

impl Series {
    /// The n-th method, counted from 0, with no times as yet.
    pub fn new(n: usize, name: impl Into<String>) -> Self {
        let letter = u8::try_from(n).map_or('z', |n| char::from(b'a' + n.min(25)));
        Self {
            mark: format!("({letter})"),
            name: name.into(),
            file: None,
            times: Vec::new(),
        }
    }

    /// Median seconds at a size.
    pub fn at(&self, points: u64) -> Option<f64> {
        let found = self.times.iter().find(|time| time.points == points)?;
        Some(found.timing.median)
    }

    /// Whether one run at the double of the last size would take at most this many seconds, as far as is known.
    pub fn may_double_within(&self, seconds: f64) -> bool {
        /// Twice, and some more for N·log N and caches.
        const GROWTH: f64 = 2.2;
        let last = self.times.last();
        last.is_none_or(|last| GROWTH * last.timing.median <= seconds)
    }
}
