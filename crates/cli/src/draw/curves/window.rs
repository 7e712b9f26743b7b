//! Which part of the plane a picture shows.

use super::trace::trace;
use std::cmp::Ordering;
use std::str::FromStr;
use sunzi::Integer;
use sunzi_machine::threads::Threads;
use thiserror::Error;

/// A side shorter than this share of the greatest number on it cannot be divided into pixels.
const NARROWEST: f64 = 1.0 / (1u64 << 36) as f64;
/// Beyond that, and with sides shorter than its inverse, numbers cannot be told in pixels.
const GREATEST: f64 = 1e150;
/// Room around points, as a share of the longer side of the box around them.
const ROOM: f64 = 0.2;
/// So many times as long are the sides of the window in which closed parts of curves are looked for.
const REACH: f64 = 5.0;
/// What comes so near to the edge of that window, as a share of it, may go on beyond.
const EDGE: f64 = 1.0 / 1024.0;
/// Sides whose lengths differ by more than this factor are not made equal.
const UNLIKE: f64 = 25.0;

/// A rectangle: the lower and the upper end of x, then of y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    pub sides: [[f64; 2]; 2],
}

/// What is wrong with a window.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WindowError {
    /// There are not four numbers.
    #[error("a window is given by four numbers x0,x1,y0,y1, as -2,2,-1.5,1.5")]
    NotFour,
    /// A lower end is not below its upper end.
    #[error("the window is empty: x0 must be below x1, and y0 below y1")]
    Empty,
    /// Floating point does not divide a side.
    #[error("a side of the window is too narrow for numbers of double precision: make it wider")]
    Narrow,
    /// An end is too far out.
    #[error("the picture would reach beyond {GREATEST:e}: choose a smaller window")]
    Far,
}

impl FromStr for Window {
    type Err = WindowError;

    fn from_str(text: &str) -> Result<Self, WindowError> {
        let numbers: Result<Vec<f64>, _> =
            text.split(',').map(|word| word.trim().parse()).collect();
        let Ok([a, b, c, d]) = numbers
            .as_deref()
            .map_err(|_| ())
            .and_then(|numbers| <[f64; 4]>::try_from(numbers).map_err(|_| ()))
        else {
            return Err(WindowError::NotFour);
        };
        Self {
            sides: [[a, b], [c, d]],
        }
        .checked()
    }
}

impl Window {
    /// Itself, if it can be drawn.
    fn checked(self) -> Result<Self, WindowError> {
        for [lower, upper] in self.sides {
            // A side that is not a number has no order.
            if lower.partial_cmp(&upper) != Some(Ordering::Less) {
                return Err(WindowError::Empty);
            }
            let most = lower.abs().max(upper.abs());
            if most > GREATEST {
                return Err(WindowError::Far);
            }
            if upper - lower < (most * NARROWEST).max(1.0 / GREATEST) {
                return Err(WindowError::Narrow);
            }
        }
        Ok(self)
    }

    /// One in which these points are seen; without any, the first of some around the origin in which all curves, given by
    /// their rows, are seen.
    pub fn choose(points: &[[f64; 2]], curves: &[&[Vec<Integer>]]) -> Result<Self, WindowError> {
        if points
            .as_flattened()
            .iter()
            .any(|part| part.abs() > GREATEST)
        {
            return Err(WindowError::Far);
        }
        let Some(&first) = points.first() else {
            let around = |half: f64| Self {
                sides: [[-half, half]; 2],
            };
            let shows = |half: f64| {
                let seen = |rows: &&[Vec<Integer>]| !trace(rows, around(half).sides).is_empty();
                curves.iter().all(seen)
            };
            let half = [1.0, 4.0, 16.0, 64.0, 256.0]
                .into_iter()
                .find(|&half| shows(half));
            return Ok(half.map_or(around(4.0), |half| around(1.5 * half)));
        };
        let mut sides = first.map(|part| [part, part]);
        for point in points {
            for (side, &part) in sides.iter_mut().zip(point) {
                *side = [side[0].min(part), side[1].max(part)];
            }
        }
        let length = |[lower, upper]: [f64; 2]| upper - lower;
        let longest = length(sides[0]).max(length(sides[1]));
        let shortest = length(sides[0]).min(length(sides[1]));
        let far = sides
            .as_flattened()
            .iter()
            .fold(0.0f64, |far, end| far.max(end.abs()));
        for side in &mut sides {
            let own = length(*side);
            // As long as the other side, unless that would hide how points differ.
            let wanted = match longest < UNLIKE * shortest || own < far * NARROWEST {
                true => longest,
                false => own,
            };
            let least = if longest > far * NARROWEST {
                0.0
            } else {
                far.max(2.0)
            };
            let half = (0.5 + ROOM) * wanted.max(least);
            let middle = side[0] + own / 2.0;
            *side = rounded([middle - half, middle + half]);
        }
        let window = Self { sides }.checked()?;
        Ok(window.with_closed(curves).checked().unwrap_or(window))
    }

    /// Itself, or one in which closed parts of curves that it shows are whole, as far as they reach no further than [`REACH`] times its
    /// sides.
    fn with_closed(self, curves: &[&[Vec<Integer>]]) -> Self {
        let wide = self.sides.map(|[lower, upper]| {
            let more = (upper - lower) * (REACH - 1.0) / 2.0;
            rounded([lower - more, upper + more])
        });
        let wide = Self { sides: wide };
        let traces = Threads::all().map(curves, |rows| trace(rows, wide.sides));
        let mut sides = self.sides;
        for stroke in traces.iter().flat_map(|trace| &trace.strokes) {
            let parts = [0, 1].map(|axis| {
                let places = stroke.iter().map(|place| place[axis]);
                places.fold([1.0f64, 0.0], |[low, high], part| {
                    [low.min(part), high.max(part)]
                })
            });
            let is_whole = parts
                .iter()
                .all(|&[low, high]| low > EDGE && high < 1.0 - EDGE);
            let ends = [0, 1].map(|axis| {
                let [lower, upper] = wide.sides[axis];
                parts[axis].map(|part| lower + part * (upper - lower))
            });
            // Some segment reaches into the window: its box does, and segments of curves are short.
            let shown = [0, 1].map(|axis| {
                let [lower, upper] = wide.sides[axis];
                self.sides[axis].map(|end| (end - lower) / (upper - lower))
            });
            let is_seen = stroke.windows(2).any(|pair| {
                [0, 1].iter().all(|&axis| {
                    let (a, b) = (pair[0][axis], pair[1][axis]);
                    a.min(b) < shown[axis][1] && a.max(b) > shown[axis][0]
                })
            });
            if is_whole && is_seen {
                for (side, end) in sides.iter_mut().zip(ends) {
                    let room = (end[1] - end[0]) / 16.0;
                    *side = [side[0].min(end[0] - room), side[1].max(end[1] + room)];
                }
            }
        }
        match sides == self.sides {
            true => self,
            false => Self {
                sides: sides.map(rounded),
            },
        }
    }

    /// Where a point lies, from (0, 0) at the left lower corner to (1, 1).
    pub fn place(&self, point: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| {
            let [lower, upper] = self.sides[axis];
            (point[axis] - lower) / (upper - lower)
        })
    }

    /// The lengths of both sides.
    pub fn lengths(&self) -> [f64; 2] {
        self.sides.map(|[lower, upper]| upper - lower)
    }
}

/// A little more, between numbers of few bits: what is drawn is computed exactly from them.
fn rounded([lower, upper]: [f64; 2]) -> [f64; 2] {
    let unit = f64::powi(2.0, ((upper - lower) / 256.0).log2().floor() as i32);
    [(lower / unit).floor() * unit, (upper / unit).ceil() * unit]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read() {
        let window: Window = "-1, 2.5,0,1e3".parse().unwrap();
        assert_eq!(window.sides, [[-1.0, 2.5], [0.0, 1000.0]]);
        for (text, problem) in [
            ("", WindowError::NotFour),
            ("1,2,3", WindowError::NotFour),
            ("1,2,3,x", WindowError::NotFour),
            ("1,2,3,4,5", WindowError::NotFour),
            ("2,1,0,1", WindowError::Empty),
            ("0,1,1,1", WindowError::Empty),
            ("0,nan,0,1", WindowError::Empty),
            ("0,inf,0,1", WindowError::Far),
            ("1,1.00000000000001,0,1", WindowError::Narrow),
            ("0,1e-320,0,1", WindowError::Narrow),
            ("0,1,0,1e-308", WindowError::Narrow),
        ] {
            assert_eq!(text.parse::<Window>(), Err(problem), "{text}");
        }
    }

    #[test]
    fn closed_curves_that_are_seen_are_whole() {
        let rows = |rows: &[&[i64]]| -> Vec<Vec<Integer>> {
            let row = |row: &&[i64]| row.iter().map(|&a| Integer::from(a)).collect();
            rows.iter().map(row).collect()
        };
        // x² + y² − 1 and a line that touches it at (1, 0); a parabola, which has no end.
        let circle = rows(&[&[-1, 0, 1], &[], &[1]]);
        let line = rows(&[&[-1, 1]]);
        let window = Window::choose(&[[1.0, 0.0], [0.6, 0.8]], &[&circle, &line]).unwrap();
        for corner in [[-1.0, -1.0], [1.0, 1.0]] {
            assert!(
                window
                    .place(corner)
                    .iter()
                    .all(|part| (0.0..=1.0).contains(part)),
                "{window:?}"
            );
        }
        // A circle around the window, of which nothing is seen.
        let far = rows(&[&[-100, 0, 1], &[], &[1]]);
        let points = [[-2.0, 0.0], [2.0, 1.0]];
        assert_eq!(
            Window::choose(&points, &[&far]),
            Window::choose(&points, &[])
        );
        let parabola = rows(&[&[0, 0, 1], &[-1]]);
        let points = [[1.0, 1.0], [0.9, 0.81]];
        assert_eq!(
            Window::choose(&points, &[&parabola]),
            Window::choose(&points, &[])
        );
    }

    #[test]
    fn windows_show_all_points() {
        let sets: [&[[f64; 2]]; 6] = [
            &[[0.0, 0.0]],
            &[[1e9, -3.0]],
            &[[1.0, 1.0], [-1.0, 1.0]],
            &[[0.0, 0.0], [1.0, 1e6]],
            &[[1.0, 1.0], [1.0 + 1e-15, 1.0]],
            &[[-2.0, 0.5], [3.0, 0.25], [0.0, -1.0]],
        ];
        for points in sets {
            let window = Window::choose(points, &[]).unwrap();
            for &point in points {
                let inside = window.place(point).map(|part| (0.05..0.95).contains(&part));
                assert_eq!(inside, [true, true], "{points:?}");
            }
        }
        for far in [1e200, f64::INFINITY] {
            assert_eq!(Window::choose(&[[far, 0.0]], &[]), Err(WindowError::Far));
        }
    }
}
