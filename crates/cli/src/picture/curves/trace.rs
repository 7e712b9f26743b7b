//! The zeros of a polynomial in a window, as strokes and points.
//!
//! Cells without zeros are left out, the others divided down to about a pixel, so that no part of the curve is missed. A cell
//! whose arcs do not turn is crossed by segments between the changes of sign on its sides (marching squares); one where they
//! turn is divided further. What has no change of sign even there is a point, or two arcs closer than can be told apart.

use super::join::{Segment, join};
use super::local::{Cell, Exact, Local, Zeros};
use dashu_int::IBig;
use std::collections::{HashMap, HashSet, VecDeque};

/// Each side of the window has 2^LEVEL cells, and where arcs turn 2^FINEST.
const LEVEL: u32 = 9;
const FINEST: u32 = 12;
/// Cells of the finest kind on a side of the window.
const SIDE: u32 = 1 << FINEST;
/// Strokes and points closer than so many of them are not told apart.
const NEAR: u32 = 10;

/// A place in the window, from (0, 0) at its left lower corner to (1, 1).
pub type Place = [f64; 2];

/// What is seen of a curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Chains of places.
    pub strokes: Vec<Vec<Place>>,
    /// Parts of the curve too small for a stroke: isolated points, tiny ovals.
    pub points: Vec<Place>,
}

impl Trace {
    /// Whether nothing is seen.
    pub fn is_empty(&self) -> bool {
        self.strokes.is_empty() && self.points.is_empty()
    }
}

/// Traces the zeros of the polynomial of these rows, by powers of y, in a window given by its lower and upper ends.
pub fn trace(rows: &[Vec<IBig>], window: [[f64; 2]; 2]) -> Trace {
    let exact = Exact::new(rows, window);
    let mut tracing = Tracing {
        exact,
        signs: HashMap::new(),
        crossings: HashMap::new(),
        segments: Vec::new(),
        unclear: Vec::new(),
    };
    let whole = Cell {
        level: 0,
        place: [0, 0],
    };
    tracing.visit(whole, tracing.exact.on(whole));
    let strokes = join(&tracing.segments);
    separate(strokes, tracing.unclear)
}

struct Tracing<'p> {
    exact: Exact<'p>,
    /// Whether the polynomial is positive at corners, which all cells around one are told alike.
    signs: HashMap<[u32; 2], bool>,
    /// By sides of cells (lower end, length, direction), the zero on each.
    crossings: HashMap<([u32; 2], u32, usize), Place>,
    segments: Vec<Segment>,
    /// Finest cells that may have zeros, and have no change of sign.
    unclear: Vec<[u32; 2]>,
}

/// The sides of a cell: the corners (0 to 3, around the cell) at their ends.
const SIDES: [(usize, usize); 4] = [(0, 1), (1, 2), (3, 2), (0, 3)];
/// Corners, around the cell.
const CORNERS: [[u32; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

impl Tracing<'_> {
    fn visit(&mut self, cell: Cell, local: Local) {
        let mut local = local.shortened();
        let mut zeros = local.zeros();
        if zeros != Zeros::None && local.is_vague() {
            local = self.exact.on(cell).shortened();
            zeros = local.zeros();
        }
        match zeros {
            Zeros::None => {}
            Zeros::Arcs if cell.level >= LEVEL => {
                self.march(cell, &local);
            }
            Zeros::Some if cell.level == FINEST => {
                if !self.march(cell, &local) {
                    self.unclear.push(cell.place);
                }
            }
            Zeros::Arcs | Zeros::Some => {
                for (quarter, side) in cell.quarters() {
                    self.visit(quarter, local.quarter(side));
                }
            }
        }
    }

    /// Crosses a cell by segments: whether there is a change of sign.
    fn march(&mut self, cell: Cell, local: &Local) -> bool {
        let length = 1 << (FINEST - cell.level);
        let corner = |at: [u32; 2]| [0, 1].map(|axis| (cell.place[axis] + at[axis]) * length);
        let positive = CORNERS.map(|at| {
            let value = local.value(at.map(|side| 2.0 * f64::from(side) - 1.0));
            *self.signs.entry(corner(at)).or_insert(value >= 0.0)
        });
        let mut places = Vec::with_capacity(4);
        for (side, &(from, to)) in SIDES.iter().enumerate() {
            if positive[from] == positive[to] {
                continue;
            }
            let start = corner(CORNERS[from]);
            let direction = side % 2;
            let place = self.crossings.entry((start, length, direction));
            places.push(*place.or_insert_with(|| {
                let fixed = CORNERS[from].map(|side| 2.0 * f64::from(side) - 1.0);
                let along = |t: f64| {
                    let mut place = fixed;
                    place[direction] = t;
                    local.value(place)
                };
                let share = (zero_between(along, positive[from]) + 1.0) / 2.0;
                let mut place = start.map(|part| f64::from(part) / f64::from(SIDE));
                place[direction] += share * f64::from(length) / f64::from(SIDE);
                place
            }));
        }
        match places[..] {
            [a, b] => self.segments.push([a, b]),
            // Around the corners whose sign is not that of the middle.
            [below, right, above, left] => {
                let pairs = match (local.middle() >= 0.0) == positive[0] {
                    true => [[below, right], [left, above]],
                    false => [[left, below], [right, above]],
                };
                self.segments.extend(pairs);
            }
            _ => return false,
        }
        true
    }
}

/// Where a function changes its sign between −1, where it counts as positive or not as told, and 1.
fn zero_between(function: impl Fn(f64) -> f64, positive: bool) -> f64 {
    let side = |value: f64| (value >= 0.0) == positive;
    let (mut a, mut b) = (-1.0, 1.0);
    let (mut at_a, mut at_b) = (function(a), function(b));
    if !side(at_a) {
        return a;
    }
    if side(at_b) {
        return b;
    }
    // Regula falsi, the weight of an end halved where it stays twice.
    let mut last = None;
    for _ in 0..12 {
        let t = (a * at_b - b * at_a) / (at_b - at_a);
        if !(a..=b).contains(&t) {
            break;
        }
        let value = function(t);
        if side(value) {
            (a, at_a) = (t, value);
            at_b *= if last == Some(true) { 0.5 } else { 1.0 };
            last = Some(true);
        } else {
            (b, at_b) = (t, value);
            at_a *= if last == Some(false) { 0.5 } else { 1.0 };
            last = Some(false);
        }
        if value == 0.0 || b - a < 1e-4 {
            return t;
        }
    }
    (a + b) / 2.0
}

/// Tells strokes from points: tiny chains, and unclear cells away from all others, are points; more of them in a row are
/// strokes of their own.
fn separate(strokes: Vec<Vec<Place>>, unclear: Vec<[u32; 2]>) -> Trace {
    let block = |place: [u32; 2]| place.map(|part| part / NEAR);
    let cell = |place: &Place| place.map(|part| (part * f64::from(SIDE)) as u32);
    let (long, tiny): (Vec<_>, Vec<_>) = strokes
        .into_iter()
        .partition(|stroke| extent(stroke) > f64::from(NEAR) / f64::from(SIDE));
    let drawn: HashSet<_> = long
        .iter()
        .flatten()
        .map(|place| block(cell(place)))
        .collect();
    let is_alone = |place: [u32; 2]| {
        let [x, y] = block(place);
        let around = [x.wrapping_sub(1), x, x + 1].into_iter();
        !around
            .flat_map(|x| [y.wrapping_sub(1), y, y + 1].map(|y| [x, y]))
            .any(|block| drawn.contains(&block))
    };
    let small = tiny.iter().flatten().map(cell);
    let cells = unclear
        .into_iter()
        .chain(small)
        .filter(|&place| is_alone(place));
    let mut trace = Trace {
        strokes: long,
        points: Vec::new(),
    };
    for group in groups(cells.collect(), block) {
        let middle = |place: [u32; 2]| place.map(|part| (f64::from(part) + 0.5) / f64::from(SIDE));
        let places: Vec<Place> = group.into_iter().map(middle).collect();
        if extent(&places) <= 2.0 * f64::from(NEAR) / f64::from(SIDE) {
            let mean = [0, 1].map(|axis| {
                places.iter().map(|place| place[axis]).sum::<f64>() / places.len() as f64
            });
            trace.points.push(mean);
        } else {
            trace
                .strokes
                .extend(places.into_iter().map(|place| vec![place]));
        }
    }
    trace
}

/// The longer side of the box around places.
fn extent(places: &[Place]) -> f64 {
    let side = |axis: usize| {
        let parts = places.iter().map(|place| place[axis]);
        let (low, high) = parts.fold((1.0f64, 0.0f64), |(low, high), part| {
            (low.min(part), high.max(part))
        });
        high - low
    };
    side(0).max(side(1))
}

/// Cells by groups of neighbouring blocks, each in the order in which they come.
fn groups(cells: Vec<[u32; 2]>, block: impl Fn([u32; 2]) -> [u32; 2]) -> Vec<Vec<[u32; 2]>> {
    let mut group_of: HashMap<[u32; 2], usize> = HashMap::new();
    let known: HashSet<_> = cells.iter().map(|&cell| block(cell)).collect();
    let mut groups: Vec<Vec<_>> = Vec::new();
    for cell in cells {
        let start = block(cell);
        if !group_of.contains_key(&start) {
            let mut waiting = VecDeque::from([start]);
            group_of.insert(start, groups.len());
            while let Some([x, y]) = waiting.pop_front() {
                for x in x.saturating_sub(1)..=x + 1 {
                    for next in (y.saturating_sub(1)..=y + 1).map(|y| [x, y]) {
                        if known.contains(&next) && !group_of.contains_key(&next) {
                            group_of.insert(next, groups.len());
                            waiting.push_back(next);
                        }
                    }
                }
            }
            groups.push(Vec::new());
        }
        groups[group_of[&start]].push(cell);
    }
    groups
}
