//! Where everything stands in a picture of curves.

use super::axis::ticks;
use super::trace::{Trace, trace};
use super::window::Window;
use crate::draw::png::text_width;
use crate::draw::{Anchor, Colour, Drawing, Font, INK, MARGIN, Shape, TICK, WHITE};
use sunzi::Integer;
use sunzi_machine::threads::Threads;

/// The longer side of the field of curves in pixels; the other is as long as equal units make it, within bounds.
const LONG: f64 = 640.0;
const SHORT: f64 = 240.0;
/// Room that a tick takes on the left side, and that one takes below besides its text.
const TICK_ROOM: u32 = 56;
/// A line of the legend.
const LINE: u32 = 22;
/// The sample that stands before a text in the legend.
const SAMPLE: u32 = 32;
const STROKE: f64 = 2.0;
/// More marks than that are smaller.
const MANY: usize = 30;
/// An isolated point of a curve.
const POINT: f64 = 3.5;

const GRID: Colour = [232, 232, 232];
const ZERO: Colour = [168, 168, 168];
/// Colours that colour-blind readers tell apart (Okabe and Ito, 2008): of both curves, and of the common one.
const COLOURS: [Colour; 3] = [[0, 114, 178], [213, 94, 0], [0, 158, 115]];

/// A solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    pub point: [f64; 2],
    pub multiplicity: usize,
    /// Whether it lies on the common curve.
    pub on_common: bool,
}

/// Curves, and points on them.
#[derive(Clone, Debug)]
pub struct Plot<'p> {
    pub title: String,
    /// How x and y are called.
    pub variables: [&'p str; 2],
    pub window: Window,
    /// What the legend says of each of the two curves, and of the common one if there is one; by powers of y, the
    /// coefficients of powers of x. A polynomial without rows has no curve.
    pub curves: Vec<(String, Vec<Vec<Integer>>)>,
    pub marks: Vec<Mark>,
}

/// A drawing, and where the field of curves lies in it.
struct Layout {
    drawing: Drawing,
    /// The left upper corner and the size of the field.
    corner: [f64; 2],
    size: [f64; 2],
}

impl Plot<'_> {
    /// Draws it.
    pub fn draw(&self) -> Drawing {
        let [width, height] = self.window.lengths();
        let ratio = match height / width {
            ratio if (0.3..=3.3).contains(&ratio) => ratio,
            _ => 1.0,
        };
        let size =
            [LONG.min(LONG / ratio), LONG.min(LONG * ratio)].map(|side| side.round().max(SHORT));
        let rows = ticks(self.window.sides[1], size[1] as usize / TICK_ROOM as usize);
        let widest = rows
            .iter()
            .map(|(_, text)| text_width(text, Font::Plain))
            .max();
        let left = MARGIN + widest.unwrap_or(0) + TICK + 6;
        let traces = Threads::all().map(&self.curves, |(_, rows)| match rows.is_empty() {
            true => Trace::default(),
            false => trace(rows, self.window.sides),
        });
        let legend = self.legend(&traces);
        let top = MARGIN
            + Font::Heading.height()
            + 10
            + LINE * legend.len() as u32
            + 10
            + Font::Plain.height();
        let mut layout = Layout {
            drawing: Drawing::default(),
            corner: [f64::from(left), f64::from(top)],
            size,
        };
        layout
            .drawing
            .text([MARGIN, MARGIN], Anchor::Start, Font::Heading, &self.title);
        let mut y = MARGIN + Font::Heading.height() + 10;
        let mut right = left + size[0] as u32;
        right = right.max(MARGIN + text_width(&self.title, Font::Heading));
        for row in &legend {
            let mut x = left;
            for (sample, text) in row {
                if let Some(sample) = sample {
                    let middle = f64::from(y + Font::Plain.height() / 2);
                    layout.sample(*sample, [f64::from(x), middle]);
                }
                x += SAMPLE + 8;
                layout
                    .drawing
                    .text([x, y], Anchor::Start, Font::Plain, text);
                x += text_width(text, Font::Plain) + 24;
            }
            right = right.max(x - 24);
            y += LINE;
        }
        self.axes(&mut layout, &rows);
        for (trace, colour) in traces.iter().zip(COLOURS) {
            layout.strokes(trace, colour);
        }
        for (trace, colour) in traces.iter().zip(COLOURS) {
            for &point in &trace.points {
                let at = layout.pixel(point);
                layout.drawing.disc(at, POINT, colour);
            }
        }
        let (corner, size) = layout.field();
        layout.drawing.frame(corner, size);
        let scale = if self.marks.len() > MANY { 0.6 } else { 1.0 };
        for mark in &self.marks {
            let place = self.window.place(mark.point);
            if place.iter().all(|part| (0.0..=1.0).contains(part)) {
                let at = layout.pixel(place);
                layout.mark(mark, at, scale);
                if mark.multiplicity > 1 {
                    let text = mark.multiplicity.to_string();
                    let aside = (10.0 * scale) as u32;
                    let place = [
                        at[0] as u32 + aside,
                        (at[1] as u32).saturating_sub(12 + aside),
                    ];
                    layout
                        .drawing
                        .text(place, Anchor::Start, Font::Plain, &text);
                }
            }
        }
        let below = top + size[1] + TICK + 4 + Font::Plain.height();
        Drawing {
            width: right + MARGIN,
            height: below + MARGIN,
            ..layout.drawing
        }
    }

    /// Rows of samples and what they mean. A curve of which nothing is seen has no sample; long texts go on in the next row.
    fn legend(&self, traces: &[Trace]) -> Vec<Vec<(Option<Sample>, String)>> {
        let mut rows = Vec::new();
        for (((text, rows_of), trace), colour) in self.curves.iter().zip(traces).zip(COLOURS) {
            let is_constant = rows_of.len() <= 1 && rows_of.iter().all(|row| row.len() <= 1);
            let (mut sample, text) = match trace.is_empty() {
                false => (Some(Sample::Stroke(colour)), text.clone()),
                true if self.curves.len() > 2 && is_constant => {
                    (None, format!("{text} (only the common curve)"))
                }
                true => (None, format!("{text} (nothing within the window)")),
            };
            for line in wrapped(&text) {
                rows.push(vec![(sample.take(), line)]);
            }
        }
        let mut marks = Vec::new();
        let any = |wanted: &dyn Fn(&Mark) -> bool| self.marks.iter().any(wanted);
        let mark = |multiplicity, on_common| {
            Some(Sample::Mark(Mark {
                point: [0.0; 2],
                multiplicity,
                on_common,
            }))
        };
        if any(&|mark| mark.multiplicity == 1 && !mark.on_common) {
            marks.push((mark(1, false), "solution".to_owned()));
        }
        if any(&|mark| mark.multiplicity > 1 && !mark.on_common) {
            marks.push((mark(2, false), "multiplicity beside it".to_owned()));
        }
        if any(&|mark| mark.on_common) {
            marks.push((mark(1, true), "on the common curve".to_owned()));
        }
        if !marks.is_empty() {
            rows.push(marks);
        }
        rows
    }

    /// Grid and ticks, behind the curves.
    fn axes(&self, layout: &mut Layout, rows: &[(f64, String)]) {
        let ([left, top], [width, height]) = layout.field();
        let columns = [10, 8, 6, 5, 4, 3, 2, 1]
            .into_iter()
            .map(|most| ticks(self.window.sides[0], most));
        let room = |ticks: &Vec<(f64, String)>| {
            let widths = ticks
                .iter()
                .map(|(_, text)| text_width(text, Font::Plain) + 28);
            widths.max().unwrap_or(0) * ticks.len() as u32 <= width
        };
        let columns = columns.into_iter().find(room).unwrap_or_default();
        for (value, text) in &columns {
            let [x, _] = layout.pixel(self.window.place([*value, self.window.sides[1][0]]));
            let x = (x as u32).min(left + width - 1);
            let colour = if *value == 0.0 { ZERO } else { GRID };
            layout.drawing.bar([x, top], [1, height], colour);
            layout.drawing.bar([x, top + height], [1, TICK], INK);
            layout.drawing.text(
                [x, top + height + TICK + 4],
                Anchor::Middle,
                Font::Plain,
                text,
            );
        }
        for (value, text) in rows {
            let [_, y] = layout.pixel(self.window.place([self.window.sides[0][0], *value]));
            let y = (y as u32).min(top + height - 1);
            let colour = if *value == 0.0 { ZERO } else { GRID };
            layout.drawing.bar([left, y], [width, 1], colour);
            layout.drawing.bar([left - TICK, y], [TICK, 1], INK);
            let middle = y.saturating_sub(Font::Plain.height() / 2);
            layout
                .drawing
                .text([left - TICK - 5, middle], Anchor::End, Font::Plain, text);
        }
        let [x, y] = self.variables;
        layout.drawing.text(
            [left, top - Font::Plain.height() - 4],
            Anchor::End,
            Font::Plain,
            y,
        );
        layout.drawing.text(
            [left + width + 8, top + height - Font::Plain.height() / 2],
            Anchor::Start,
            Font::Plain,
            x,
        );
    }
}

/// What stands before a text of the legend.
#[derive(Clone, Copy, Debug)]
enum Sample {
    Stroke(Colour),
    Mark(Mark),
}

/// Rows that a text of the legend may have.
const MOST_ROWS: usize = 4;

/// A text in rows that fit the picture, cut in front of a sign or behind a blank where it can be; what has no room ends with dots.
fn wrapped(text: &str) -> Vec<String> {
    let letter = text_width("x", Font::Plain);
    let most = ((LONG as u32 - SAMPLE - 8) / letter) as usize;
    let letters: Vec<char> = text.chars().collect();
    let (mut rows, mut rest) = (Vec::new(), &letters[..]);
    while rest.len() > most && rows.len() + 1 < MOST_ROWS {
        let cut = (most / 2..most)
            .rev()
            .find(|&at| rest[at] == ' ' || matches!(rest[at], '+' | '-' | '*'));
        let (row, left) = rest.split_at(cut.unwrap_or(most));
        rows.push(row.iter().collect::<String>().trim().to_owned());
        rest = left;
    }
    let mut last: String = rest.iter().take(most).collect();
    if rest.len() > most {
        last = rest[..most - 3].iter().collect::<String>() + "...";
    }
    rows.push(last.trim().to_owned());
    rows
}

impl Layout {
    /// The left upper corner and the size of the field in whole pixels.
    fn field(&self) -> ([u32; 2], [u32; 2]) {
        let whole = |parts: [f64; 2]| parts.map(|part| part as u32);
        (whole(self.corner), whole(self.size))
    }

    /// Where a place of the window lies.
    fn pixel(&self, place: [f64; 2]) -> [f64; 2] {
        [
            self.corner[0] + place[0] * self.size[0],
            self.corner[1] + (1.0 - place[1]) * self.size[1],
        ]
    }

    fn strokes(&mut self, trace: &Trace, colour: Colour) {
        let chain =
            |places: &Vec<[f64; 2]>| places.iter().map(|&place| self.pixel(place)).collect();
        let strokes = Shape::Strokes {
            chains: trace.strokes.iter().map(chain).collect(),
            width: STROKE,
            colour,
        };
        self.drawing.shapes.push(strokes);
    }

    /// A dot; a ring around it where it counts several times, and the common curve's colour where it lies on that.
    fn mark(&mut self, mark: &Mark, at: [f64; 2], scale: f64) {
        let inner = if mark.on_common { COLOURS[2] } else { INK };
        if mark.multiplicity > 1 {
            self.drawing.disc(at, 9.0 * scale, WHITE);
            self.drawing.disc(at, 8.0 * scale, INK);
            self.drawing.disc(at, 6.2 * scale, WHITE);
        } else {
            self.drawing.disc(at, 6.0 * scale, WHITE);
            self.drawing.disc(at, 5.0 * scale, INK);
        }
        self.drawing
            .disc(at, scale * if mark.on_common { 3.4 } else { 4.0 }, inner);
    }

    fn sample(&mut self, sample: Sample, [x, y]: [f64; 2]) {
        let width = f64::from(SAMPLE);
        match sample {
            Sample::Stroke(colour) => self.drawing.shapes.push(Shape::Strokes {
                chains: vec![vec![[x, y], [x + width, y]]],
                width: STROKE,
                colour,
            }),
            Sample::Mark(mark) => self.mark(&mark, [x + width / 2.0, y], 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_wrapped_at_their_signs() {
        assert_eq!(wrapped("x^2 + 1"), ["x^2 + 1"]);
        let sum = (0..40)
            .map(|i| format!("{i}*x^{i}"))
            .collect::<Vec<_>>()
            .join(" + ");
        let rows = wrapped(&sum);
        assert!((2..=MOST_ROWS).contains(&rows.len()));
        let widest = rows.iter().map(|row| text_width(row, Font::Plain)).max();
        assert!(widest.unwrap() <= LONG as u32);
        assert!(
            sum.replace(' ', "")
                .starts_with(&rows[..rows.len() - 1].concat().replace(' ', ""))
        );
        let digits = wrapped(&"7".repeat(10_000));
        assert!(digits.len() == MOST_ROWS && digits[MOST_ROWS - 1].ends_with("..."));
    }
}
