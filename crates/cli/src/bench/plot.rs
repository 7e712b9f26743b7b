//! One plot as SVG.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;
use std::ops::Range;

const WIDTH: u32 = 860;
/// Of the chart with its title and axes.
const CHART_HEIGHT: u32 = 490;
/// Of a line of the legend, which stands below the chart: there it hides no curve.
const LEGEND_HEIGHT: u32 = 22;
/// Where lines of the legend start.
const LEGEND_LEFT: i32 = 92;
const MARGIN: u32 = 14;
/// Any program that shows SVG has one.
const FONT: &str = "sans-serif";
/// Colours that colour-blind readers tell apart (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];
/// Lengths of dashes and of the gaps between them; none is a whole line.
const DASHES: [Option<(u32, u32)>; 4] = [None, Some((10, 5)), Some((3, 4)), Some((16, 4))];
/// More ticks than this are thinned out.
const MOST_TICKS: usize = 12;

/// How an axis is divided, and what its numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Sizes: logarithmic, ticks at powers of two.
    PowersOfTwo,
    /// Seconds: logarithmic.
    Time,
    /// Numbers from 0 on.
    Linear,
    /// Whole numbers.
    Count,
}

/// A curve through points.
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// Which colour.
    pub colour: usize,
    /// Which dashes; 0 for none.
    pub dashes: usize,
}

/// What a plot shows.
pub struct Plot {
    pub title: String,
    pub x: (&'static str, Scale),
    pub y: (&'static str, Scale),
    pub curves: Vec<Curve>,
}

impl Plot {
    /// The picture.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        let mut text = String::new();
        {
            let height = CHART_HEIGHT + LEGEND_HEIGHT * self.curves.len() as u32 + MARGIN;
            let root = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
            root.fill(&WHITE)?;
            let (chart, legend) = root.split_vertically(CHART_HEIGHT);
            self.draw(&chart)?;
            self.draw_legend(&legend)?;
            root.present()?;
        }
        Ok(text)
    }

    fn draw(&self, area: &DrawingArea<SVGBackend, Shift>) -> Result<(), Box<dyn Error>> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let x = Axis::over(self.x.1, points().map(|point| point.0), 0.04);
        let y = Axis::over(self.y.1, points().map(|point| point.1), 0.08);
        let mut chart = ChartBuilder::on(area)
            .margin(MARGIN)
            .margin_right(28)
            .x_label_area_size(50)
            .y_label_area_size(78)
            .caption(&self.title, (FONT, 20))
            .build_cartesian_2d(x, y)?;
        let (x_scale, y_scale) = (self.x.1, self.y.1);
        chart
            .configure_mesh()
            .x_desc(self.x.0)
            .y_desc(self.y.0)
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 15))
            .bold_line_style(BLACK.mix(0.12))
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|place| x_scale.label(*place))
            .y_label_formatter(&|place| y_scale.label(*place))
            .draw()?;
        for curve in &self.curves {
            let style = curve.style();
            let places = curve.points.iter();
            let places: Vec<(f64, f64)> = places
                .map(|&(x, y)| (x_scale.place(x), y_scale.place(y)))
                .collect();
            match curve.dashes() {
                None => chart.draw_series(LineSeries::new(places.clone(), style))?,
                Some((dash, gap)) => {
                    chart.draw_series(DashedLineSeries::new(places.clone(), dash, gap, style))?
                }
            };
            let dots = places.into_iter();
            chart.draw_series(dots.map(|place| Circle::new(place, 3, style.filled())))?;
        }
        Ok(())
    }

    fn draw_legend(&self, area: &DrawingArea<SVGBackend, Shift>) -> Result<(), Box<dyn Error>> {
        for (curve, line) in self.curves.iter().zip(0i32..) {
            let (style, left) = (curve.style(), LEGEND_LEFT);
            let middle = line * LEGEND_HEIGHT as i32 + LEGEND_HEIGHT as i32 / 2;
            let ends = [(left, middle), (left + 40, middle)];
            match curve.dashes() {
                None => area.draw(&PathElement::new(ends, style))?,
                Some((dash, gap)) => {
                    area.draw(&DashedPathElement::new(ends, dash, gap, style))?;
                }
            }
            area.draw(&Circle::new((left + 20, middle), 3, style.filled()))?;
            let font = (FONT, 14).into_font().color(&BLACK);
            let font = font.pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(curve.name.as_str(), (left + 52, middle), font))?;
        }
        Ok(())
    }
}

impl Curve {
    fn style(&self) -> ShapeStyle {
        COLOURS[self.colour % COLOURS.len()].stroke_width(2)
    }

    fn dashes(&self) -> Option<(u32, u32)> {
        DASHES[self.dashes % DASHES.len()]
    }
}

impl Scale {
    /// Where a number lies on the axis.
    fn place(self, value: f64) -> f64 {
        match self {
            Self::PowersOfTwo => value.log2(),
            Self::Time => value.log10(),
            Self::Linear | Self::Count => value,
        }
    }

    /// The number that lies there, in words.
    fn label(self, place: f64) -> String {
        match self {
            Self::PowersOfTwo => format!("{:.0}", place.exp2()),
            Self::Time => time(10f64.powf(place)),
            Self::Linear | Self::Count => format!("{place}"),
        }
    }

    /// Places of ticks.
    fn ticks(self, range: &Range<f64>) -> Vec<f64> {
        let whole = |range: &Range<f64>| -> Vec<f64> {
            let (first, last) = (range.start.ceil() as i32, range.end.floor() as i32);
            let step = (last - first).unsigned_abs() as usize / MOST_TICKS + 1;
            (first..=last).step_by(step).map(f64::from).collect()
        };
        if self == Self::Linear && range.end - range.start < 3.0 {
            let halves = whole(&(2.0 * range.start..2.0 * range.end));
            return halves.into_iter().map(|half| half / 2.0).collect();
        }
        if self != Self::Time || range.end - range.start > 3.5 {
            return whole(range);
        }
        // 1, 2, 5, 10, 20, 50 …
        let decades = range.start.floor() as i32..=range.end.ceil() as i32;
        let ticks = decades
            .flat_map(|decade| [1.0, 2.0, 5.0].map(|digit: f64| f64::from(decade) + digit.log10()));
        ticks.filter(|tick| range.contains(tick)).collect()
    }
}

/// A round number of seconds without needless zeros.
fn time(seconds: f64) -> String {
    for (unit, name) in [
        (1.0, "s"),
        (1e-3, "ms"),
        (1e-6, "µs"),
        (1e-9, "ns"),
        (1e-12, "ps"),
    ] {
        if seconds >= 0.999 * unit {
            return format!("{:.0} {name}", seconds / unit);
        }
    }
    format!("{seconds:.0e} s")
}

/// An axis of places, with its ticks.
struct Axis {
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Axis {
    /// An axis for such numbers, longer by a share at both ends.
    fn over(scale: Scale, values: impl Iterator<Item = f64>, share: f64) -> Self {
        let places = values.map(|value| scale.place(value));
        let (mut low, mut high) = places
            .filter(|place| place.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| {
                (low.min(place), high.max(place))
            });
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if scale == Scale::Linear {
            low = low.min(0.0);
        }
        let more = ((high - low) * share).max(0.05);
        let range = match scale {
            Scale::Linear => low..high + more,
            _ => low - more..high + more,
        };
        Self {
            ticks: scale.ticks(&range),
            range,
        }
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        low + (share * f64::from(high - low)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match hint.bold_points() {
            0 => Vec::new(),
            _ => self.ticks.clone(),
        }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_names_its_curves() {
        let curve = |name: &str, dashes| Curve {
            name: name.to_owned(),
            points: vec![(64.0, 2e-6), (1024.0, 4.1e-4)],
            colour: dashes,
            dashes,
        };
        let plot = Plot {
            title: "Times & sizes".to_owned(),
            x: ("N", Scale::PowersOfTwo),
            y: ("time", Scale::Time),
            curves: vec![curve("whole", 0), curve("dashed", 1)],
        };
        let svg = plot.svg().unwrap();
        for part in [
            "<svg",
            "whole",
            "dashed",
            "10 µs",
            "256",
            "sans-serif",
            "Times &amp; sizes",
            "</svg>",
        ] {
            assert!(svg.contains(part), "{part} is missing");
        }
    }

    #[test]
    fn an_empty_plot_is_drawn_too() {
        let plot = Plot {
            title: String::new(),
            x: ("", Scale::Linear),
            y: ("", Scale::Time),
            curves: Vec::new(),
        };
        assert!(plot.svg().unwrap().contains("</svg>"));
    }

    #[test]
    fn ticks_are_round_numbers() {
        let labels = |scale: Scale, range: Range<f64>| -> Vec<String> {
            let ticks = scale.ticks(&range);
            ticks.into_iter().map(|tick| scale.label(tick)).collect()
        };
        assert_eq!(
            labels(Scale::Time, -8.1..-6.9),
            ["10 ns", "20 ns", "50 ns", "100 ns"]
        );
        assert_eq!(
            labels(Scale::Time, -6.5..-2.5),
            ["1 µs", "10 µs", "100 µs", "1 ms"]
        );
        assert_eq!(labels(Scale::PowersOfTwo, 5.9..8.1), ["64", "128", "256"]);
        assert_eq!(labels(Scale::Linear, 0.0..1.2), ["0", "0.5", "1"]);
    }
}
