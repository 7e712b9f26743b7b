//! The zeros of a polynomial in a window, as strokes and points.
//!
//! Cells without zeros are left out, the others divided down to about a pixel, so that no part of the curve is missed. A cell
//! where neither partial derivative has a zero is crossed by segments between the changes of sign on its sides (marching
//! squares); others are divided further. What has no change of sign even there is a point, or two arcs closer than can be
//! told apart.

use super::join::{Place, Segment, has_length, join, simplified};
use super::local::{Cell, Exact, Local, Zeros};
use std::collections::{HashMap, HashSet, VecDeque};
use sunzi::Integer;

/// Each side of the window has 2^LEVEL cells, and where arcs turn 2^FINEST.
const LEVEL: u32 = 9;
const FINEST: u32 = 12;
/// Cells of the finest kind on a side of the window.
const SIDE: u32 = 1 << FINEST;
/// Strokes and points closer than so many of them are not told apart.
const NEAR: u32 = 10;

/// Of so many of them in a row one is drawn.
const DOTS: u32 = 3;

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
pub fn trace(rows: &[Vec<Integer>], window: [[f64; 2]; 2]) -> Trace {
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

    /// Crosses a cell by segments: whether there are some, and not only zeros at its corners.
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
        let pairs = match places[..] {
            [a, b] => vec![[a, b]],
            // Around the corners whose sign is not that of the middle.
            [below, right, above, left] => match (local.middle() >= 0.0) == positive[0] {
                true => vec![[below, right], [left, above]],
                false => vec![[left, below], [right, above]],
            },
            _ => Vec::new(),
        };
        let before = self.segments.len();
        self.segments.extend(pairs.into_iter().filter(has_length));
        self.segments.len() > before
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
        if value == 0.0 || b - a < 1e-7 {
            return t;
        }
    }
    (a + b) / 2.0
}

/// Tells strokes from points: tiny strokes and unclear cells away from all others are points, where they are few; the others
/// are parts of strokes.
fn separate(strokes: Vec<Vec<Place>>, unclear: Vec<[u32; 2]>) -> Trace {
    let block = |place: [u32; 2]| place.map(|part| part / NEAR);
    let cell = |place: &Place| place.map(|part| (part * f64::from(SIDE)) as u32);
    let middle = |place: [u32; 2]| place.map(|part| (f64::from(part) + 0.5) / f64::from(SIDE));
    let near = f64::from(NEAR) / f64::from(SIDE);
    let (mut strokes, tiny): (Vec<_>, Vec<_>) = strokes
        .into_iter()
        .partition(|stroke| extent(stroke) > near);
    let covered: HashSet<_> = strokes.iter().flatten().map(cell).collect();
    let blocks: HashSet<_> = covered.iter().map(|&place| block(place)).collect();
    let small = tiny
        .iter()
        .flatten()
        .map(cell)
        .chain(unclear.iter().copied());
    let mut points = Vec::new();
    let mut of_points = HashSet::new();
    for group in groups(small.collect(), block) {
        let places: Vec<Place> = group.iter().map(|&place| middle(place)).collect();
        let is_alone = |&place: &[u32; 2]| !is_beside(block(place), &blocks);
        if extent(&places) <= 2.0 * near && group.iter().all(is_alone) {
            let sum = |axis: usize| places.iter().map(|place| place[axis]).sum::<f64>();
            points.push([0, 1].map(|axis| sum(axis) / places.len() as f64));
            of_points.extend(group.into_iter().map(block));
        }
    }
    let is_stroke = |place: [u32; 2]| !of_points.contains(&block(place));
    let is_part = |stroke: &Vec<Place>| stroke.iter().all(|place| is_stroke(cell(place)));
    strokes.extend(tiny.into_iter().filter(is_part));
    let mut strokes: Vec<_> = strokes.iter().map(|stroke| simplified(stroke)).collect();
    // What a stroke covers needs no dot, and of dots that lie upon each other one is enough.
    let mut seen = HashSet::new();
    let dots = unclear.into_iter().filter(|&place| {
        is_stroke(place)
            && !is_beside(place, &covered)
            && seen.insert(place.map(|part| part / DOTS))
    });
    strokes.extend(dots.map(|place| vec![middle(place)]));
    Trace { strokes, points }
}

/// Whether a cell or one around it is among these.
fn is_beside([x, y]: [u32; 2], cells: &HashSet<[u32; 2]>) -> bool {
    let around = [x.wrapping_sub(1), x, x + 1].into_iter();
    around
        .flat_map(|x| [y.wrapping_sub(1), y, y + 1].map(|y| [x, y]))
        .any(|cell| cells.contains(&cell))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[i64]]) -> Vec<Vec<Integer>> {
        let row = |row: &&[i64]| row.iter().map(|&a| Integer::from(a)).collect();
        rows.iter().map(row).collect()
    }

    const SQUARE: [[f64; 2]; 2] = [[-2.0, 2.0]; 2];

    fn at(place: &Place) -> [f64; 2] {
        place.map(|part| 4.0 * part - 2.0)
    }

    #[test]
    fn a_circle_is_one_closed_stroke() {
        let trace = trace(&rows(&[&[-1, 0, 1], &[], &[1]]), SQUARE);
        assert_eq!((trace.strokes.len(), trace.points.len()), (1, 0));
        let stroke = &trace.strokes[0];
        assert_eq!(stroke.first(), stroke.last());
        assert!((50..600).contains(&stroke.len()), "{}", stroke.len());
        for [x, y] in stroke.iter().map(at) {
            assert!((x.hypot(y) - 1.0).abs() < 1e-5, "{x} {y}");
        }
    }

    #[test]
    fn parts_that_no_sign_tells_are_seen() {
        // (x² + y²)·(x − 3) = 0, whose values around the point round to either sign; x² + y² = 0; a circle of radius 10^−4; 1000·(x² + y²) = −1 has no point.
        for (polynomial, count) in [
            (rows(&[&[0, 0, -3, 1], &[], &[-3, 1]]), 1),
            (rows(&[&[0, 0, 1], &[], &[1]]), 1),
            (rows(&[&[-1, 0, 100_000_000], &[], &[100_000_000]]), 1),
            (rows(&[&[1, 0, 1000], &[], &[1000]]), 0),
        ] {
            let trace = trace(&polynomial, SQUARE);
            assert_eq!((trace.strokes.len(), trace.points.len()), (0, count));
            for [x, y] in trace.points.iter().map(at) {
                assert!(x.hypot(y) < 1e-2);
            }
        }
        // Two lines that are closer than pixels: y² = 10^−12, all along the window.
        let lines = trace(&rows(&[&[-1], &[], &[1_000_000_000_000]]), SQUARE);
        let mut places: Vec<_> = lines.strokes.iter().flatten().map(at).collect();
        places.sort_by(|a, b| a[0].total_cmp(&b[0]));
        assert!(places.iter().all(|[_, y]| y.abs() < 1e-2));
        assert!(places[0][0] < -1.99 && places[places.len() - 1][0] > 1.99);
        let gaps = places.windows(2).map(|pair| pair[1][0] - pair[0][0]);
        assert!(gaps.fold(0.0, f64::max) < 4.1 / 512.0 || lines.strokes.len() <= 2);
    }

    #[test]
    fn arcs_closer_than_a_pixel_are_drawn_to_where_they_meet() {
        // x = −20000·y², thinner than a pixel from x = −1/2 on.
        let trace = trace(&rows(&[&[0, 1], &[], &[20_000]]), SQUARE);
        let mut places: Vec<_> = trace.strokes.iter().flatten().map(at).collect();
        assert!(places.iter().all(|[x, y]| y.abs() < 0.02 && *x < 0.01));
        places.sort_by(|a, b| a[0].total_cmp(&b[0]));
        assert!(places[0][0] < -1.99 && places[places.len() - 1][0] > -0.01);
        // Where there are no strokes dots follow closely.
        let strokes = trace.strokes.iter().filter(|stroke| stroke.len() > 1);
        let ends = strokes.flatten().map(|place| at(place)[0]);
        let last = ends.fold(-2.0, f64::max);
        let rest = places.windows(2).filter(|pair| pair[0][0] >= last);
        assert!(rest.map(|pair| pair[1][0] - pair[0][0]).fold(0.0, f64::max) < 4.1 / 512.0);
    }

    #[test]
    fn lines_along_the_grid_and_crossings_are_drawn() {
        // x·y = 0: two lines through corners of cells.
        let trace = trace(&rows(&[&[], &[0, 1]]), SQUARE);
        assert!(trace.points.is_empty());
        let reach = |axis: usize, end: f64| {
            let places = trace.strokes.iter().flatten().map(at);
            places
                .into_iter()
                .any(|place| (place[axis] - end).abs() < 1e-2 && place[1 - axis].abs() < 1e-2)
        };
        for end in [-2.0, 2.0] {
            assert!(reach(0, end) && reach(1, end));
        }
    }

    #[test]
    fn tiny_values_far_from_those_at_the_edges_are_exact() {
        // 16x² + 16y² − 1 times 2^60 + x^24 + y^24.
        let mut high = vec![vec![Integer::ZERO; 27]; 27];
        let huge = Integer::from(1u64 << 60);
        for (i, j, a) in [(2, 0, 16), (0, 2, 16), (0, 0, -1)] {
            high[j][i] += &huge * Integer::from(a);
            high[j][i + 24] += Integer::from(a);
            high[j + 24][i] += Integer::from(a);
        }
        let trace = trace(&high, [[-40.0, 40.0]; 2]);
        assert!(!trace.is_empty());
        for place in trace.strokes.iter().flatten().chain(&trace.points) {
            assert!(place.iter().all(|part| (part - 0.5).abs() < 1e-2));
        }
    }

    #[test]
    fn windows_in_which_there_is_nothing_are_empty() {
        let far = trace(&rows(&[&[-1, 0, 1], &[], &[1]]), [[3.0, 4.0], [-1.0, 1.0]]);
        assert!(far.is_empty());
        assert!(trace(&rows(&[&[5]]), SQUARE).is_empty());
    }
}
