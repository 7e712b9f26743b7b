//! Flowcharts of programs: boxes from top to bottom, a diamond where something is asked, with a box for each answer.

use super::{Anchor, Drawing, Font, INK, MARGIN, Shape, png::text_width};
use sunzi::tune::FlowStep;

/// Around a text in its box.
const PADDING: u32 = 10;
/// Between boxes.
const GAP: u32 = 22;
/// The height of a box.
const HEIGHT: u32 = 30;
/// The width of lines.
const STROKE: f64 = 1.2;
/// The half of an arrow's head.
const HEAD: f64 = 4.0;

/// A program, what it is given, and what is told below it.
pub struct Flowchart<'a> {
    pub title: &'a str,
    pub inputs: String,
    pub steps: &'a [FlowStep],
    pub outputs: String,
    /// Lines below a heading.
    pub pieces: (String, Vec<String>),
}

/// The picture.
pub fn draw(chart: &Flowchart<'_>) -> Drawing {
    let width = |text: &str| text_width(text, Font::Plain) + 2 * PADDING;
    let widths = chart.steps.iter().map(|step| match &step.question {
        // A text fills the middle half of a diamond.
        Some(question) => (2 * width(question)).max(2 * widest(step, &width) + GAP),
        None => width(&assignment(step, 0)),
    });
    let ends = [&chart.inputs, &chart.outputs].map(|text| width(text));
    let lines = chart.pieces.1.iter().map(|line| width(line));
    let widest = widths.chain(ends).chain(lines).max().unwrap_or(0);
    let widest = widest.max(text_width(chart.title, Font::Heading));
    let mut layout = Layout {
        drawing: Drawing {
            width: widest + 2 * MARGIN,
            ..Drawing::default()
        },
        middle: MARGIN + widest / 2,
        y: MARGIN,
    };
    layout.heading(chart.title);
    layout.stadium(&chart.inputs);
    for step in chart.steps {
        match &step.question {
            Some(question) => layout.decision(question, step),
            None => {
                layout.arrow();
                layout.single(&assignment(step, 0));
            }
        }
    }
    layout.arrow();
    layout.stadium(&chart.outputs);
    layout.y += GAP;
    let (heading, lines) = &chart.pieces;
    layout.heading(heading);
    for line in lines {
        layout.drawing.text(
            [MARGIN, layout.y],
            Anchor::Start,
            Font::Plain,
            line.as_str(),
        );
        layout.y += Font::Plain.height();
    }
    layout.drawing.height = layout.y + MARGIN;
    layout.drawing
}

/// The value that a step gives in one of its cases.
fn assignment(step: &FlowStep, case: usize) -> String {
    format!("{} = {}", step.name, step.cases[case])
}

fn widest(step: &FlowStep, width: &impl Fn(&str) -> u32) -> u32 {
    width(&assignment(step, 0)).max(width(&assignment(step, 1)))
}

/// A picture that grows downward.
struct Layout {
    drawing: Drawing,
    middle: u32,
    y: u32,
}

impl Layout {
    fn heading(&mut self, text: &str) {
        self.drawing
            .text([self.middle, self.y], Anchor::Middle, Font::Heading, text);
        self.y += Font::Heading.height() + GAP / 2;
    }

    fn strokes(&mut self, chains: Vec<Vec<[f64; 2]>>) {
        self.drawing.shapes.push(Shape::Strokes {
            chains,
            width: STROKE,
            colour: INK,
        });
    }

    /// A line through places, with a head at its end.
    fn arrow_through(&mut self, chain: Vec<[f64; 2]>) {
        let mut chains = Vec::new();
        if let Some(&[x, y]) = chain.last() {
            chains.push(vec![
                [x - HEAD, y - 2.0 * HEAD],
                [x, y],
                [x + HEAD, y - 2.0 * HEAD],
            ]);
        }
        chains.push(chain);
        self.strokes(chains);
    }

    /// From what is above to what comes below.
    fn arrow(&mut self) {
        let (x, y) = (f64::from(self.middle), f64::from(self.y));
        self.y += GAP;
        self.arrow_through(vec![[x, y], [x, f64::from(self.y)]]);
    }

    fn box_at(&mut self, middle: u32, y: u32, text: &str) {
        let half = text_width(text, Font::Plain) / 2 + PADDING;
        let [left, right] = [middle - half, middle + half].map(f64::from);
        let [top, bottom] = [y, y + HEIGHT].map(f64::from);
        self.strokes(vec![vec![
            [left, top],
            [right, top],
            [right, bottom],
            [left, bottom],
            [left, top],
        ]]);
        let line = y + (HEIGHT - Font::Plain.height()) / 2;
        self.drawing
            .text([middle, line], Anchor::Middle, Font::Plain, text);
    }

    fn single(&mut self, text: &str) {
        self.box_at(self.middle, self.y, text);
        self.y += HEIGHT;
    }

    /// Where a program begins and ends: a box with slanted sides.
    fn stadium(&mut self, text: &str) {
        let half = f64::from(text_width(text, Font::Plain) / 2 + PADDING);
        let (x, slant) = (f64::from(self.middle), f64::from(PADDING) / 2.0);
        let [top, bottom] = [self.y, self.y + HEIGHT].map(f64::from);
        self.strokes(vec![vec![
            [x - half + slant, top],
            [x + half + slant, top],
            [x + half - slant, bottom],
            [x - half - slant, bottom],
            [x - half + slant, top],
        ]]);
        let line = self.y + (HEIGHT - Font::Plain.height()) / 2;
        self.drawing
            .text([self.middle, line], Anchor::Middle, Font::Plain, text);
        self.y += HEIGHT;
    }

    /// A diamond, a box for each answer, and the lines that meet below them.
    fn decision(&mut self, question: &str, step: &FlowStep) {
        self.arrow();
        let (x, top) = (f64::from(self.middle), f64::from(self.y));
        let half = f64::from(text_width(question, Font::Plain) + PADDING);
        let (centre, bottom) = (top + f64::from(HEIGHT), top + 2.0 * f64::from(HEIGHT));
        self.strokes(vec![vec![
            [x, top],
            [x + half, centre],
            [x, bottom],
            [x - half, centre],
            [x, top],
        ]]);
        let line = self.y + HEIGHT - Font::Plain.height() / 2;
        self.drawing
            .text([self.middle, line], Anchor::Middle, Font::Plain, question);
        let boxes = self.y + 2 * HEIGHT + GAP / 2;
        let join = boxes + HEIGHT + GAP / 2;
        let aside = widest(step, &|text| text_width(text, Font::Plain) + 2 * PADDING) / 2 + GAP / 2;
        // Beside the diamond, too.
        let aside = aside.max(half as u32 * 3 / 4);
        for (case, answer) in ["yes", "no"].into_iter().enumerate() {
            let side = if case == 0 { -1.0 } else { 1.0 };
            let middle = if case == 0 {
                self.middle - aside
            } else {
                self.middle + aside
            };
            let at = f64::from(middle);
            let from = [x + side * half, centre];
            let corner = [at, centre];
            let start = match (at - x).abs() > half {
                true => vec![from, corner, [at, f64::from(boxes)]],
                // Below the diamond's edge.
                false => vec![
                    [
                        at,
                        centre + f64::from(HEIGHT) * (1.0 - (at - x).abs() / half),
                    ],
                    [at, f64::from(boxes)],
                ],
            };
            self.arrow_through(start);
            let place = [middle + PADDING / 2, boxes - Font::Plain.height() - 2];
            self.drawing.text(place, Anchor::Start, Font::Plain, answer);
            self.box_at(middle, boxes, &assignment(step, case));
            let below = f64::from(boxes + HEIGHT);
            self.strokes(vec![vec![
                [at, below],
                [at, f64::from(join)],
                [x, f64::from(join)],
            ]]);
        }
        self.y = join;
    }
}
