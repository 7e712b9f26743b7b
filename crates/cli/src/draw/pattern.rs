//! Where everything stands in a picture of patterns.

use super::{Anchor, Colour, Drawing, Font, INK, MARGIN, Shape, TICK, WHITE, png::text_width};
use crate::table::grouped;
use sunzi::sparse::{CsrMatrix, Picture};

/// The longest side of a pattern, and the shortest that can be seen, in pixels.
const LONG: usize = 600;
const SHORT: usize = 150;

/// Between a pattern and the next one.
const GAP: u32 = 48;
/// Room for the numbers of rows.
const LEFT: u32 = 84;
/// Above a row of patterns.
const ROW_GAP: u32 = 12;
/// Ticks that an axis has at most.
const TICKS: usize = 6;

/// The emptiest dot that has a non-zero, and the fullest.
const LIGHT: [f64; 3] = [158.0, 202.0, 225.0];
const DARK: [f64; 3] = [8.0, 48.0, 107.0];
/// The library's shade of the emptiest dot; 0 is that of the fullest.
const FAINTEST: f64 = 200.0;

/// A pattern in few dots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    axes: [Axis; 2],
    picture: Picture,
}

/// How the rows or columns fall into dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis {
    /// Rows or columns.
    count: usize,
    /// Most of them in a dot.
    per_dot: usize,
    dots: usize,
    /// Pixels of a dot.
    zoom: usize,
}

/// A pattern with what is written about it.
#[derive(Clone, Debug)]
pub struct Panel {
    pub title: String,
    /// Lines below the title.
    pub facts: Vec<String>,
    pub grid: Grid,
}

impl Axis {
    /// For this many rows or columns on about this many pixels.
    fn new(count: usize, target: usize) -> Self {
        let per_dot = count.div_ceil(target).max(1);
        let dots = count.div_ceil(per_dot);
        Self {
            count,
            per_dot,
            dots,
            zoom: (target / dots.max(1)).max(1),
        }
    }

    fn pixels(&self) -> usize {
        // Of nothing a frame is left.
        (self.dots * self.zoom).max(1)
    }

    /// The pixel at which row or column `index` begins.
    fn place(&self, index: usize) -> usize {
        let share = index as f64 / self.count.max(1) as f64;
        (share * self.pixels() as f64).round() as usize
    }
}

impl Grid {
    /// The pattern of a matrix.
    pub fn new<E>(matrix: &CsrMatrix<E>) -> Self {
        let size = [matrix.rows(), matrix.columns()];
        let longest = size[0].max(size[1]).max(1);
        let target = |count: usize| {
            let share = (count as f64 / longest as f64 * LONG as f64).round() as usize;
            share.clamp(SHORT, LONG)
        };
        let axes = size.map(|count| Axis::new(count, target(count)));
        Self {
            picture: Picture::new(matrix, axes[1].dots, axes[0].dots),
            axes,
        }
    }

    /// What a dot of the picture stands for.
    fn legend(&self) -> String {
        match self.axes.map(|axis| axis.per_dot) {
            [1, 1] => "a dot: a non-zero".to_owned(),
            [rows, columns] => {
                format!(
                    "a dot: {rows} x {columns} entries, the darker the more of them are non-zeros"
                )
            }
        }
    }

    /// Between light and dark as the library's shades of grey are.
    fn colours(&self) -> Vec<Colour> {
        let colour = |shade: u8| {
            let share = f64::from(shade) / FAINTEST;
            let mix = |part: usize| DARK[part] + (LIGHT[part] - DARK[part]) * share;
            match shade {
                u8::MAX => WHITE,
                _ => [0, 1, 2].map(|part| mix(part).round() as u8),
            }
        };
        self.picture.shades().into_iter().map(colour).collect()
    }
}

/// Patterns of matrices of one size below a title: up to three side by side, more in several rows.
pub fn draw(title: &str, panels: &[Panel]) -> Drawing {
    let mut drawing = Drawing::default();
    drawing.text([MARGIN; 2], Anchor::Start, Font::Heading, title);
    let mut right = MARGIN + text_width(title, Font::Heading) + MARGIN;
    let mut bottom = MARGIN + Font::Heading.height();
    for row in panels.chunks(per_row(panels.len())) {
        let top = bottom + ROW_GAP;
        // Patterns of a row begin at the same height.
        let facts = row.iter().map(|panel| panel.facts.len() as u32).max();
        let head = (1 + facts.unwrap_or(0)) * line_height(Font::Plain) + 10;
        let mut x = MARGIN;
        for panel in row {
            let lower = draw_panel(&mut drawing, panel, (x + LEFT, top), head);
            bottom = bottom.max(lower.1);
            x = lower.0 + GAP;
            right = right.max(lower.0 + MARGIN);
        }
    }
    if let Some(panel) = panels.first() {
        bottom += ROW_GAP;
        let words = panel.grid.legend();
        right = right.max(MARGIN + LEFT + text_width(&words, Font::Plain) + MARGIN);
        let place = [MARGIN + LEFT, bottom];
        drawing.text(place, Anchor::Start, Font::Plain, words);
        bottom += Font::Plain.height();
    }
    Drawing {
        width: right,
        height: bottom + MARGIN,
        ..drawing
    }
}

/// So many of `count` patterns stand side by side.
fn per_row(count: usize) -> usize {
    match count {
        0..=3 => count.max(1),
        // As many rows as columns.
        _ => (1..)
            .find(|&columns| columns * columns >= count)
            .unwrap_or(count),
    }
}

fn line_height(font: Font) -> u32 {
    font.height() + 4
}

/// Draws a panel whose pattern's left side is at x; its right lower corner.
fn draw_panel(drawing: &mut Drawing, panel: &Panel, (x, top): (u32, u32), head: u32) -> (u32, u32) {
    let grid = &panel.grid;
    let [rows, columns] = grid.axes;
    let (height, width) = (rows.pixels() as u32, columns.pixels() as u32);
    let mut right = x + width;
    let lines = std::iter::once(&panel.title).chain(&panel.facts);
    for (line, content) in (0..).zip(lines) {
        let font = if line == 0 {
            Font::Heading
        } else {
            Font::Plain
        };
        let y = top + line * line_height(Font::Plain);
        drawing.text([x, y], Anchor::Start, font, content);
        right = right.max(x + text_width(content, font));
    }
    let y = top + head + 1;
    if columns.dots > 0 && rows.dots > 0 {
        drawing.shapes.push(Shape::Bitmap {
            x,
            y,
            columns: columns.dots as u32,
            dots: grid.colours(),
            zoom: (columns.zoom as u32, rows.zoom as u32),
        });
    }
    drawing.frame([x, y], [width, height]);

    let plain = Font::Plain.height();
    // Numbers of rows that would touch each other are left out.
    let apart = |axis: Axis, room: usize| (axis.pixels() / room).clamp(1, TICKS);
    for tick in ticks(rows.count, apart(rows, 20)) {
        let at = y + (rows.place(tick) as u32).min(height - 1);
        drawing.bar([x - 1 - TICK, at], [TICK, 1], INK);
        let place = [x - 1 - TICK - 4, at - (plain / 2).min(at)];
        drawing.text(place, Anchor::End, Font::Plain, grouped(tick));
    }
    let below = y + height + 1;
    let digits = text_width(&grouped(columns.count), Font::Plain) as usize;
    for tick in ticks(columns.count, apart(columns, digits + 16)) {
        let at = x + (columns.place(tick) as u32).min(width - 1);
        drawing.bar([at, below], [1, TICK], INK);
        let place = [at, below + TICK + 3];
        drawing.text(place, Anchor::Middle, Font::Plain, grouped(tick));
    }
    (right, below + TICK + 3 + plain)
}

/// 0 and its multiples of a round number up to `count`.
fn ticks(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let least = (count / most).max(1);
    let mut power = 1;
    while power * 10 <= least {
        power *= 10;
    }
    let step = [1, 2, 5, 10]
        .map(|digit| digit * power)
        .into_iter()
        .find(|&step| step >= least)
        .unwrap_or(least);
    (0..=count).step_by(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagonal(rows: u32, columns: u32) -> Grid {
        let places: Vec<_> = (0..rows.min(columns)).map(|i| (i, i, 1)).collect();
        Grid::new(&CsrMatrix::from_triplets(rows as usize, columns as usize, &places).unwrap())
    }

    #[test]
    fn patterns_of_any_size_have_a_size_that_can_be_seen() {
        for (rows, columns) in [
            (1, 1),
            (7, 5),
            (601, 600),
            (10, 100_000),
            (1300, 1300),
            (0, 3),
        ] {
            let grid = diagonal(rows, columns);
            for axis in grid.axes {
                assert!((1..=LONG).contains(&axis.pixels()), "{rows} {columns}");
                assert_eq!(
                    axis.place(axis.count),
                    if axis.count == 0 { 0 } else { axis.pixels() }
                );
            }
            let dots = grid.axes[0].dots * grid.axes[1].dots;
            assert_eq!(grid.colours().len(), dots);
            assert_eq!(grid.colours().iter().any(|&dot| dot != WHITE), rows > 0);
        }
    }

    #[test]
    fn ticks_are_round_and_few() {
        let all = |count, most| ticks(count, most).collect::<Vec<_>>();
        assert_eq!(all(10, 6), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(all(100, 6), [0, 20, 40, 60, 80, 100]);
        assert_eq!(all(48_321, 6), [0, 10_000, 20_000, 30_000, 40_000]);
        assert_eq!(all(3, 1), [0]);
    }

    #[test]
    fn pictures_have_everything_in_them() {
        let grid = diagonal(3, 4);
        let panel = Panel {
            title: "as it is".to_owned(),
            facts: vec!["3 by 4".to_owned()],
            grid,
        };
        let drawing = draw("m.mtx", &[panel.clone(), panel]);
        let (width, height) = (drawing.width, drawing.height);
        let bitmaps = drawing
            .shapes
            .iter()
            .filter(|shape| matches!(shape, Shape::Bitmap { .. }));
        assert_eq!(bitmaps.count(), 2);
        for shape in &drawing.shapes {
            if let Shape::Bar {
                x,
                y,
                width: w,
                height: h,
                ..
            } = shape
            {
                assert!(x + w <= width && y + h <= height);
            }
        }
    }
}
