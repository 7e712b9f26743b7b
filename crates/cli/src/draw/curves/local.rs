//! A polynomial in two variables near a cell, as a Taylor polynomial at the cell's middle with a bound of the error.
//!
//! With u and v from −1 to 1 on the cell, f = Σ a_ij·u^i·v^j up to `error`, so that f has no zero on it where a_00 exceeds
//! what the other terms can be, and the error. The four quarters of a cell have their coefficients by shifts of these; what
//! became negligible is dropped, so that a cell of the size of a pixel has few coefficients whatever the degree of f.
//! The first coefficients, and those of cells on which nothing else is precise enough, are computed from f with integers.

use sunzi::Integer;

/// Terms of higher degree are dropped up to this share of those of degrees 1 to 3, which fade slowest on smaller cells.
const NEGLIGIBLE: f64 = 1.0 / (1 << 24) as f64;
/// An error above this share of what f varies on the cell hides where its zeros are.
const VAGUE: f64 = 1.0 / (1 << 8) as f64;
/// Covers the rounding of the bounds themselves.
const SLACK: f64 = 1.0 + 1e-9;

/// A cell: a square of one of 4^level equal parts of the window, counted from its left lower corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub level: u32,
    pub place: [u32; 2],
}

impl Cell {
    /// Its quarters, from the left lower one on: `side` tells on which side of the middle they are.
    pub fn quarters(self) -> [(Self, [f64; 2]); 4] {
        [[0, 0], [1, 0], [0, 1], [1, 1]].map(|at: [u32; 2]| {
            let quarter = Self {
                level: self.level + 1,
                place: [2 * self.place[0] + at[0], 2 * self.place[1] + at[1]],
            };
            (quarter, at.map(|side| 2.0 * f64::from(side) - 1.0))
        })
    }
}

/// A polynomial and the window in which it is looked at.
pub struct Exact<'p> {
    /// By powers of y, the coefficients of powers of x.
    rows: &'p [Vec<Integer>],
    /// For x and for y: lower end, width, and the power of two that both are multiples of.
    sides: [(Integer, Integer, i32); 2],
}

/// The polynomial on a cell.
#[derive(Clone, Debug)]
pub struct Local {
    /// a_ij in row j, from the constant term upward.
    rows: Vec<Vec<f64>>,
    error: f64,
}

/// What is known of a polynomial on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// There are none.
    None,
    /// There may be some.
    Some,
    /// All that there are lie on arcs that rise, or all on arcs that fall: the signs at the corners tell them.
    Arcs,
}

impl<'p> Exact<'p> {
    /// The polynomial of these rows, not all of which are zero, in a window given by its lower and upper ends.
    pub fn new(rows: &'p [Vec<Integer>], window: [[f64; 2]; 2]) -> Self {
        let side = |[lower, upper]: [f64; 2]| {
            let ((m, e), (n, d)) = (parts(lower), parts(upper));
            let unit = e.min(d);
            let (lower, upper) = (m << (e - unit) as usize, n << (d - unit) as usize);
            let width = upper - &lower;
            (lower, width, unit)
        };
        Self {
            rows,
            sides: window.map(side),
        }
    }

    /// Times a positive number, on a cell.
    pub fn on(&self, cell: Cell) -> Local {
        let Cell { level, place } = cell;
        // With x = (middle + half·u)·2^unit.
        let axis = |index: usize| {
            let (lower, width, unit) = &self.sides[index];
            let middle = (lower << (level as usize + 1))
                + width * Integer::from(2 * u64::from(place[index]) + 1);
            (middle, width.clone(), unit - level as i32 - 1)
        };
        let (x, y) = (axis(0), axis(1));
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut rows: Vec<Vec<Integer>> = self.rows.to_vec();
        for row in &mut rows {
            row.resize(columns, Integer::ZERO);
            substitute(row, &x);
        }
        let mut columns: Vec<Vec<Integer>> = (0..columns)
            .map(|i| rows.iter().map(|row| row[i].clone()).collect())
            .collect();
        for column in &mut columns {
            substitute(column, &y);
        }
        let longest = columns.iter().flatten().map(bits).max().unwrap_or(0);
        let rows: Vec<Vec<f64>> = (0..rows.len())
            .map(|j| {
                let row = columns.iter().map(|column| scaled(&column[j], longest));
                row.collect()
            })
            .collect();
        let total: f64 = rows.iter().flatten().map(|a| a.abs()).sum();
        Local {
            rows,
            error: total * f64::EPSILON * 2.0,
        }
    }
}

/// A number as an odd integer times a power of two.
fn parts(value: f64) -> (Integer, i32) {
    let pattern = value.to_bits();
    let exponent = (pattern >> 52 & 0x7ff) as i32;
    let fraction = pattern & ((1 << 52) - 1);
    let mantissa = match exponent {
        0 => fraction,
        _ => fraction | 1 << 52,
    };
    // The fewer bits, the shorter are the integers that are computed with.
    let zeros = mantissa.trailing_zeros() % u64::BITS;
    let odd = Integer::from(mantissa >> zeros);
    let odd = if value < 0.0 { -odd } else { odd };
    (odd, exponent.max(1) - 1075 + zeros as i32)
}

/// The coefficients in u of a polynomial in (middle + half·u)·2^unit, times a power of two.
fn substitute(coefficients: &mut [Integer], (middle, half, unit): &(Integer, Integer, i32)) {
    let degree = coefficients.len().saturating_sub(1);
    for (i, coefficient) in coefficients.iter_mut().enumerate() {
        let power = match *unit < 0 {
            true => (degree - i) * unit.unsigned_abs() as usize,
            false => i * *unit as usize,
        };
        *coefficient = &*coefficient << power;
    }
    for first in 0..degree {
        for i in (first..degree).rev() {
            let higher = middle * &coefficients[i + 1];
            coefficients[i] += higher;
        }
    }
    let mut power = Integer::ONE;
    for coefficient in coefficients {
        *coefficient *= &power;
        power *= half;
    }
}

/// The length of the absolute value in bits.
fn bits(value: &Integer) -> usize {
    let words = value.magnitude().as_limbs();
    words.last().map_or(0, |top| {
        words.len() * u64::BITS as usize - top.leading_zeros() as usize
    })
}

/// `value` / 2^`longest`, rounded toward zero from 62 bits.
fn scaled(value: &Integer, longest: usize) -> f64 {
    let dropped = bits(value).saturating_sub(62);
    let top = i64::try_from(value >> dropped).unwrap_or_default();
    let exponent = dropped as i64 - longest as i64;
    top as f64 * f64::powi(2.0, exponent.max(-2000) as i32)
}

impl Local {
    /// How much the polynomial varies on the cell, at most.
    fn variation(&self) -> f64 {
        let all: f64 = self.rows.iter().flatten().map(|a| a.abs()).sum();
        all - self.middle().abs()
    }

    /// Bounds of the polynomial on the cell. Parabolas along u and along v, which have their middle between zeros, are
    /// bounded as they are; of the other terms |a_ij| is taken.
    fn range(&self) -> [f64; 2] {
        let lines = [[(1, 0), (2, 0)], [(0, 1), (0, 2)]];
        let lines = lines.map(|line| line.map(|(i, j)| self.coefficient(i, j)));
        let known: f64 = lines.as_flattened().iter().map(|a| a.abs()).sum();
        let variation = self.variation();
        let rest = (variation - known).max(0.0) + self.error + variation * (SLACK - 1.0);
        let (mut low, mut high) = (self.middle() - rest, self.middle() + rest);
        for [b, c] in lines {
            let mut ends = [c - b.abs(), c + b.abs()];
            if b.abs() < 2.0 * c.abs() {
                let turn = -b * b / (4.0 * c);
                ends = [ends[0].min(turn), ends[1].max(turn)];
            }
            low += ends[0];
            high += ends[1];
        }
        [low, high]
    }

    /// The value in the middle.
    pub fn middle(&self) -> f64 {
        self.coefficient(0, 0)
    }

    fn coefficient(&self, i: usize, j: usize) -> f64 {
        let row = self.rows.get(j);
        row.and_then(|row| row.get(i)).copied().unwrap_or(0.0)
    }

    /// Whether the error may hide zeros, or make some.
    pub fn is_vague(&self) -> bool {
        self.error > VAGUE * self.variation()
    }

    /// What is known of its zeros on the cell.
    pub fn zeros(&self) -> Zeros {
        let [low, high] = self.range();
        if low > 0.0 || high < 0.0 {
            return Zeros::None;
        }
        // The partial derivatives, which the error changes little where f is not vague, have no zero.
        let (mut along_x, mut along_y) = (0.0, 0.0);
        for (j, row) in self.rows.iter().enumerate() {
            for (i, a) in row.iter().enumerate() {
                along_x += i as f64 * a.abs();
                along_y += j as f64 * a.abs();
            }
        }
        let steep = |linear: f64, all: f64| 2.0 * linear.abs() > all * SLACK && linear != 0.0;
        match steep(self.coefficient(1, 0), along_x) && steep(self.coefficient(0, 1), along_y) {
            true => Zeros::Arcs,
            false => Zeros::Some,
        }
    }

    /// The sum of |a_ij| with i + j = `degree`.
    fn size_of_degree(&self, degree: usize) -> f64 {
        let rows = self.rows.iter().enumerate();
        let terms = rows.filter_map(|(j, row)| row.get(degree.checked_sub(j)?));
        terms.map(|a| a.abs()).sum()
    }

    /// Drops what is negligible.
    pub fn shortened(mut self) -> Self {
        let sizes = [1, 2, 3].map(|degree| self.size_of_degree(degree));
        let limit = NEGLIGIBLE * sizes.into_iter().fold(0.0, f64::max);
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut degree = (self.rows.len() + columns).saturating_sub(2);
        let mut dropped = 0.0;
        while degree > 3 {
            let size = self.size_of_degree(degree);
            if dropped + size > limit {
                break;
            }
            dropped += size;
            degree -= 1;
        }
        self.rows.truncate(degree + 1);
        for (j, row) in self.rows.iter_mut().enumerate() {
            row.truncate(degree + 1 - j);
        }
        self.error = (self.error + dropped) * SLACK;
        self
    }

    /// On the quarter that lies on this side of the middle.
    pub fn quarter(&self, [x, y]: [f64; 2]) -> Self {
        let mut rows = self.rows.clone();
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let total: f64 = rows.iter().flatten().map(|a| a.abs()).sum();
        for row in &mut rows {
            halve(row, x);
        }
        let mut column = Vec::with_capacity(rows.len());
        for i in 0..columns {
            column.clear();
            column.extend(rows.iter().map(|row| row.get(i).copied().unwrap_or(0.0)));
            halve(&mut column, y);
            for (row, &a) in rows.iter_mut().zip(&column) {
                match row.get_mut(i) {
                    Some(place) => *place = a,
                    None if a != 0.0 => {
                        row.resize(i + 1, 0.0);
                        row[i] = a;
                    }
                    None => {}
                }
            }
        }
        // Each pass of n steps rounds sums of at most `total` n times.
        let steps = (rows.len() + columns + 2) as f64;
        let error = self.error + steps * f64::EPSILON * total;
        Self {
            rows,
            error: error * SLACK,
        }
    }

    /// Its value at a place of the cell.
    pub fn value(&self, [u, v]: [f64; 2]) -> f64 {
        let in_row = |row: &Vec<f64>| row.iter().rev().fold(0.0, |sum, a| sum * u + a);
        self.rows
            .iter()
            .rev()
            .fold(0.0, |sum, row| sum * v + in_row(row))
    }
}

/// The coefficients of a polynomial in (u + side) / 2.
fn halve(coefficients: &mut [f64], side: f64) {
    let mut power = 1.0;
    for coefficient in &mut *coefficients {
        *coefficient *= power;
        power *= 0.5;
    }
    let degree = coefficients.len().saturating_sub(1);
    for first in 0..degree {
        for i in (first..degree).rev() {
            coefficients[i] += side * coefficients[i + 1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[i64]]) -> Vec<Vec<Integer>> {
        let row = |row: &&[i64]| row.iter().map(|&a| Integer::from(a)).collect();
        rows.iter().map(row).collect()
    }

    /// The value of rows at a point, in floating point.
    fn direct(rows: &[&[i64]], x: f64, y: f64) -> f64 {
        let in_row = |row: &&[i64]| row.iter().rev().fold(0.0, |sum, &a| sum * x + a as f64);
        rows.iter()
            .rev()
            .fold(0.0, |sum, row| sum * y + in_row(row))
    }

    #[test]
    fn coefficients_are_those_of_the_polynomial_on_every_cell() {
        let text: [&[i64]; 3] = [&[-3, 0, 2, 1], &[5, -7], &[1, 0, 0, -2]];
        let rows = rows(&text);
        let window = [[-1.25, 2.5], [0.1, 1.3]];
        let exact = Exact::new(&rows, window);
        let mut cell = Cell {
            level: 0,
            place: [0, 0],
        };
        let mut local = exact.on(cell);
        for step in [3, 1, 2, 0, 3] {
            let again = exact.on(cell);
            let width = 1.0 / f64::from(1u32 << cell.level);
            let at = |index: usize, u: f64| {
                let [lower, upper] = window[index];
                lower + (upper - lower) * width * (f64::from(cell.place[index]) + (u + 1.0) / 2.0)
            };
            // Each is right up to a positive factor.
            let reference = |u, v| direct(&text, at(0, u), at(1, v));
            for one in [&local, &again] {
                let factor = one.value([1.0, 1.0]) / reference(1.0, 1.0);
                assert!(factor > 0.0);
                for (u, v) in [(-1.0, -1.0), (0.0, 0.0), (0.5, -0.25), (-1.0, 1.0)] {
                    let difference = one.value([u, v]) - factor * reference(u, v);
                    assert!(
                        difference.abs() < 1e-9 * one.value([1.0, 1.0]).abs() + 1e-12,
                        "{u} {v}"
                    );
                }
            }
            let (next, side) = cell.quarters()[step];
            local = local.quarter(side);
            cell = next;
        }
    }

    #[test]
    fn zeros_are_never_missed() {
        // y − x² + 1/4 on cells of the square around the origin.
        let rows = rows(&[&[1, 0, -4], &[4]]);
        let exact = Exact::new(&rows, [[-2.0, 2.0]; 2]);
        let level = 4;
        for i in 0..16 {
            for j in 0..16 {
                let local = exact
                    .on(Cell {
                        level,
                        place: [i, j],
                    })
                    .shortened();
                let x = |k: u32| -2.0 + f64::from(k) / 4.0;
                let mut inside = (0..=1000).map(|k| x(i) + f64::from(k) / 4000.0);
                let crossed = inside.any(|x0| (x(j)..=x(j + 1)).contains(&(x0 * x0 - 0.25)));
                assert!(!crossed || local.zeros() != Zeros::None, "{i} {j}");
            }
        }
        let far = exact.on(Cell {
            level,
            place: [0, 0],
        });
        assert_eq!(far.zeros(), Zeros::None);
    }

    #[test]
    fn numbers_have_their_mantissas() {
        for value in [0.0, 1.0, -0.1, 1e300, f64::MIN_POSITIVE / 8.0] {
            let (mantissa, exponent) = parts(value);
            let mantissa = f64::from(i32::from(value < 0.0) * -2 + 1) * scaled(&mantissa, 0).abs();
            assert_eq!(
                mantissa * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2),
                value
            );
        }
    }
}
