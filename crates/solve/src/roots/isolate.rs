//! Open intervals that hold one root each of a square-free polynomial, by Descartes' rule.
//!
//! **Problem.** All real roots of f over Z, f(0) ≠ 0 and without multiple roots: disjoint open intervals with one root each.
//!
//! **Way.** Positive roots are those of f below 2^s and the inverses of those of x^n f(1/x) below 2^−s, where s lies amid the
//! roots' magnitudes (by Newton's polygon); negative ones are those of f(−x). Each part is cut at powers of two; where one
//! term outweighs all others there is no root. The rest is bisected while Bernstein's coefficients have several variations of
//! sign ([Vincent, Collins, Akritas]), in fixed-point arithmetic of few bits: intervals of unclear signs get twice as many.
//! Where variations stay as the intervals shrink there is a [cluster](super::cluster).
//!
//! Sources: Collins and Akritas 1976; Rouillier and Zimmermann 2004; Sagraloff and Mehlhorn 2016.

use super::bernstein::{Bernstein, Count, End};
use super::cluster::{self, Narrowed};
use super::dyadic::Dyadic;
use super::size::bits_of;
use super::source::{ERROR, Source};
use std::cmp::Ordering;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use sunzi_integer::Integer;
use sunzi_machine::threads::Threads;

/// A root within an open interval, or a dyadic number that is a root.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) lower: Dyadic,
    pub(super) upper: Dyadic,
    /// The sign above the lower end and below the root; `Equal` for a root that is both ends.
    pub(super) before: Ordering,
    /// Whether the ends are known to be no roots.
    pub(super) is_free: [bool; 2],
}

impl Found {
    pub(super) fn point(at: Dyadic) -> Self {
        Self {
            lower: at.clone(),
            upper: at,
            before: Ordering::Equal,
            is_free: [false; 2],
        }
    }
}

/// An interval lo < y < lo + 2^width, and what is known of its ends.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) lo: Dyadic,
    pub(super) width: i64,
    pub(super) ends: [End; 2],
}

impl Cell {
    pub(super) fn upper(&self) -> Dyadic {
        &self.lo + &Dyadic::new(Integer::ONE, self.width)
    }

    fn middle(&self) -> Dyadic {
        &self.lo + &Dyadic::new(Integer::ONE, self.width - 1)
    }

    fn halves(&self, middle: Ordering) -> [Self; 2] {
        let end = match middle {
            Ordering::Equal => End::Root,
            sign => End::Sign(sign),
        };
        [
            Self {
                lo: self.lo.clone(),
                width: self.width - 1,
                ends: [self.ends[0], end],
            },
            Self {
                lo: self.middle(),
                width: self.width - 1,
                ends: [end, self.ends[1]],
            },
        ]
    }

    fn found(&self, before: Ordering) -> Found {
        Found {
            lower: self.lo.clone(),
            upper: self.upper(),
            before,
            is_free: self.ends.map(|end| end != End::Root),
        }
    }
}

/// Bits to begin with.
const BITS: u32 = 64;
/// Digits whose sums are worth a thread: tens of microseconds.
const WORTH: usize = 200_000;
/// Intervals of unclear signs from which on all is done with more bits, rather than these alone.
const MANY: usize = 3;
/// How often bits are doubled at most before an interval is halved although most signs are unclear.
const DOUBLINGS: u32 = 6;

/// The roots with 0 < y < 2^top, ascending; `end` is what is known of 2^top.
pub(super) fn isolate_below(f: &Source, top: i64, end: End) -> Vec<Found> {
    let search = Search { f };
    let (mut top, mut end) = (top, end);
    let mut pieces = Vec::new();
    while let Some(next) = search.first_possible(top) {
        if next < top {
            (top, end) = (next, search.end_at(next));
        }
        let cell = Cell {
            lo: Dyadic::zero(),
            width: top,
            ends: [End::Sign(f.sign_at_zero()), end],
        };
        let (found, below) = search.shell(&cell);
        pieces.push(found);
        match below {
            None => break,
            Some(known) => (top, end) = (top - 1, known),
        }
    }
    pieces.into_iter().rev().flatten().collect()
}

/// How far an interval is halved before something else is tried.
#[derive(Clone, Copy)]
struct Limits<'a> {
    /// So often, then it is expanded anew.
    depth: u32,
    /// So often with unclear signs, which zeros make that no more bits would tell; then bits are doubled. There is one more
    /// for each doubling.
    patience: u32,
    /// How many parts are unclear: once there are too many, nothing of this is used.
    unclear: &'a AtomicUsize,
}

impl Limits<'_> {
    fn are_passed(&self) -> bool {
        self.unclear.load(Relaxed) >= MANY
    }
}

struct Search<'a> {
    f: &'a Source,
}

/// What an interval turned out to hold.
enum Part {
    Found(Found),
    /// The signs are unclear.
    Unclear(Cell),
    /// There are several variations still.
    Deep(Cell, usize),
}

impl Search<'_> {
    /// The least power of two such that there is no root between it and 2^top; `None` if there is none below at all.
    ///
    /// If |a_m| y^m is more than twice the sum of higher terms at 2^top, it is so below; and if the lower terms are at
    /// most 4^(k−m) of it at 2^s, they sum up to less than half of it from there on.
    fn first_possible(&self, top: i64) -> Option<i64> {
        let logs = self.f.logs();
        let at = |k: usize| logs[k] + k as f64 * top as f64;
        let most = (0..logs.len()).max_by(|&i, &j| at(i).total_cmp(&at(j)))?;
        let above: f64 = (most + 1..logs.len())
            .map(|k| (at(k) - at(most)).exp2())
            .sum();
        if above > 0.49 {
            return Some(top);
        }
        let slope = |k: usize| (logs[k] - logs[most]) / (most - k) as f64;
        let slopes = (0..most).map(slope);
        let steepest = slopes.fold(f64::NEG_INFINITY, f64::max);
        (most > 0).then(|| top.min((steepest + 1e-6).ceil() as i64 + 2))
    }

    fn end_at(&self, power: i64) -> End {
        match self.f.sign_at(&Dyadic::new(Integer::ONE, power)) {
            Ordering::Equal => End::Root,
            sign => End::Sign(sign),
        }
    }

    /// The roots in the upper half of an interval from zero on, or in all of it, and if only the upper half is done, what
    /// is known of the middle.
    fn shell(&self, cell: &Cell) -> (Vec<Found>, Option<End>) {
        for step in 0.. {
            let bits = BITS << step;
            let whole = self.bernstein(cell, bits);
            match whole.count() {
                Count::None => return (Vec::new(), None),
                Count::One(before) => return (vec![cell.found(before)], None),
                // A few coefficients may be zero, which no more bits tell.
                Count::Unclear(unknown)
                    if step == 0 || (step < DOUBLINGS && unknown > 2 + whole.degree() / 4) =>
                {
                    continue;
                }
                Count::Unclear(_) | Count::Several(_) => {}
            }
            let (_, right, sign) = whole.halves(|| self.f.sign_at(&cell.middle()));
            let [below, above] = cell.halves(sign);
            let limits = Limits {
                depth: self.depth(&whole),
                patience: step,
                unclear: &AtomicUsize::new(0),
            };
            let parts = self.bisect(&above, right, limits);
            if !limits.are_passed() {
                let mut found = self.resolve(parts, bits, step);
                if sign == Ordering::Equal {
                    found.insert(0, Found::point(cell.middle()));
                }
                return (found, Some(below.ends[1]));
            }
        }
        unreachable!("some number of bits suffices for a polynomial without multiple roots")
    }

    /// The roots in an interval that does not begin at zero.
    fn cell(&self, cell: &Cell, bits: u32, patience: u32) -> Vec<Found> {
        for step in 0.. {
            let (bits, patience) = (bits << step, patience + step);
            let whole = self.bernstein(cell, bits);
            let limits = Limits {
                depth: self.depth(&whole),
                patience,
                unclear: &AtomicUsize::new(0),
            };
            let parts = self.bisect(cell, whole, limits);
            if !limits.are_passed() {
                return self.resolve(parts, bits, patience);
            }
        }
        unreachable!("some number of bits suffices for a polynomial without multiple roots")
    }

    /// How often an interval is halved before it is expanded anew.
    fn depth(&self, whole: &Bernstein) -> u32 {
        8 + bits_of(whole.degree())
    }

    fn bernstein(&self, cell: &Cell, bits: u32) -> Bernstein {
        let rows = self.f.expansion(&cell.lo, cell.width, bits).to_bernstein();
        Bernstein::new(rows, ERROR, cell.ends)
    }

    /// What is in an interval, by halving it; ascending.
    fn bisect(&self, cell: &Cell, whole: Bernstein, limits: Limits) -> Vec<Part> {
        if limits.are_passed() {
            return Vec::new();
        }
        let mut inner = limits;
        let variations = match whole.count() {
            Count::None => return Vec::new(),
            Count::One(before) => return vec![Part::Found(cell.found(before))],
            Count::Unclear(_) if limits.patience == 0 || limits.depth == 0 => {
                limits.unclear.fetch_add(1, Relaxed);
                return vec![Part::Unclear(cell.clone())];
            }
            Count::Unclear(_) => {
                inner.patience -= 1;
                0
            }
            Count::Several(variations) => variations,
        };
        if limits.depth == 0 {
            return vec![Part::Deep(cell.clone(), variations)];
        }
        inner.depth -= 1;
        let (left, right, sign) = whole.halves(|| self.f.sign_at(&cell.middle()));
        let [below, above] = cell.halves(sign);
        let (mut parts, upper) = Threads::when(whole.effort() >= WORTH).join(
            || self.bisect(&below, left, inner),
            || self.bisect(&above, right, inner),
        );
        if sign == Ordering::Equal {
            parts.push(Part::Found(Found::point(cell.middle())));
        }
        parts.extend(upper);
        parts
    }

    /// All roots of the parts.
    fn resolve(&self, parts: Vec<Part>, bits: u32, patience: u32) -> Vec<Found> {
        let found = Threads::all().map(parts, |part| match part {
            Part::Found(found) => vec![found],
            Part::Unclear(cell) => self.cell(&cell, 2 * bits, patience + 1),
            Part::Deep(cell, variations) => self.cluster(cell, variations, bits, patience),
        });
        found.into_iter().flatten().collect()
    }

    /// The roots in an interval much narrower than the distance to other roots.
    fn cluster(&self, cell: Cell, variations: usize, bits: u32, patience: u32) -> Vec<Found> {
        let expansion = self.f.expansion(&cell.lo, cell.width, bits);
        match cluster::narrow(&expansion, variations) {
            Some(Narrowed { lo, width }) => {
                let lo = &cell.lo + &lo.scaled(cell.width);
                let narrowed = self.inside(&cell, lo, cell.width + width);
                self.cell(&narrowed, bits, patience)
            }
            None => self.cell(&cell, bits, patience),
        }
    }

    /// An interval within another one, at whose own ends there are no roots.
    fn inside(&self, cell: &Cell, lo: Dyadic, width: i64) -> Cell {
        let mut inner = Cell {
            lo,
            width,
            ends: [End::Approximate; 2],
        };
        if inner.lo == cell.lo {
            inner.ends[0] = cell.ends[0];
        }
        if inner.upper() == cell.upper() {
            inner.ends[1] = cell.ends[1];
        }
        inner
    }
}
