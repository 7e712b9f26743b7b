//! Curves in a chart, as SVG.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;
use std::ops::Range;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const WIDTH: u32 = 860;
/// Of a chart with its title and axes, and of one that stands below another.
const CHART_HEIGHT: u32 = 490;
const LOWER_HEIGHT: u32 = 270;
/// Of a line of the legend, which stands below the charts: there it hides no curve.
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
/// Beyond this power of two, numbers are long: exponents are shown.
const LONG_NUMBERS: f64 = 20.0;

/// How an axis is divided, and what its numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Sizes: logarithmic, ticks at powers of two.
    PowersOfTwo,
    /// Ratios: logarithmic, ticks at powers of two and their inverses.
    Ratio,
    /// Seconds: logarithmic.
    Time,
    /// Numbers from 0 on.
    Linear,
    /// Whole numbers.
    Count,
}

/// A curve through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// Which colour, of seven.
    pub colour: usize,
    /// Which dashes, of four; 0 for none.
    pub dashes: usize,
    /// Whether it stands out among the others.
    pub bold: bool,
}

/// What a chart shows.
///
/// ```
/// use sunzi_measure::{Chart, Curve, Scale, svg};
///
/// let curve = Curve {
///     name: "transform".into(),
///     points: vec![(64.0, 2e-6), (1024.0, 4.1e-5)],
///     colour: 0,
///     dashes: 0,
///     bold: false,
/// };
/// let chart = Chart {
///     title: "Times".into(),
///     x: ("points", Scale::PowersOfTwo),
///     y: ("time", Scale::Time),
///     curves: vec![curve],
/// };
/// assert!(svg(&[chart])?.contains("transform"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What stands above it; nothing where it is empty.
    pub title: String,
    /// The name of the axis below, and how it is divided.
    pub x: (&'static str, Scale),
    /// The name of the axis on the left, and how it is divided.
    pub y: (&'static str, Scale),
    /// In the order of the legend.
    pub curves: Vec<Curve>,
}

/// A picture of charts, one below the other, with the legend of the first, whose curves the others share.
///
/// # Errors
/// What `plotters` refuses to draw.
pub fn svg(charts: &[Chart]) -> Result<String, Box<dyn Error>> {
    let height = |index| {
        if index == 0 {
            CHART_HEIGHT
        } else {
            LOWER_HEIGHT
        }
    };
    let legend: &[Curve] = charts.first().map_or(&[], |chart| &chart.curves);
    let all: u32 = (0..charts.len()).map(height).sum();
    let whole = (WIDTH, all + LEGEND_HEIGHT * legend.len() as u32 + MARGIN);
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, whole).into_drawing_area();
        root.fill(&WHITE)?;
        let mut rest = root.clone();
        for (index, chart) in charts.iter().enumerate() {
            let (area, below) = rest.split_vertically(height(index));
            chart.draw(&area)?;
            rest = below;
        }
        draw_legend(&rest, legend)?;
        root.present()?;
    }
    Ok(text)
}

impl Chart {
    fn draw(&self, area: &Area) -> Result<(), Box<dyn Error>> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let (x_scale, y_scale) = (self.x.1, self.y.1);
        let x = Axis::over(x_scale, points().map(|point| point.0), 0.04);
        let y = Axis::over(y_scale, points().map(|point| point.1), 0.08);
        let (x_labels, y_labels) = (x_scale.labels(&x.range), y_scale.labels(&y.range));
        let mut builder = ChartBuilder::on(area);
        builder
            .margin(MARGIN)
            .margin_right(28)
            .x_label_area_size(50)
            .y_label_area_size(78);
        if !self.title.is_empty() {
            builder.caption(&self.title, (FONT, 20));
        }
        let mut chart = builder.build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(self.x.0)
            .y_desc(self.y.0)
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 15))
            .bold_line_style(BLACK.mix(0.12))
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|place| x_labels(*place))
            .y_label_formatter(&|place| y_labels(*place))
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
            chart.draw_series(dots.map(|place| Circle::new(place, curve.dot(), style.filled())))?;
        }
        Ok(())
    }
}

fn draw_legend(area: &Area, curves: &[Curve]) -> Result<(), Box<dyn Error>> {
    for (curve, line) in curves.iter().zip(0i32..) {
        let (style, left) = (curve.style(), LEGEND_LEFT);
        let middle = line * LEGEND_HEIGHT as i32 + LEGEND_HEIGHT as i32 / 2;
        let ends = [(left, middle), (left + 40, middle)];
        match curve.dashes() {
            None => area.draw(&PathElement::new(ends, style))?,
            Some((dash, gap)) => {
                area.draw(&DashedPathElement::new(ends, dash, gap, style))?;
            }
        }
        area.draw(&Circle::new(
            (left + 20, middle),
            curve.dot(),
            style.filled(),
        ))?;
        let font = (FONT, 14).into_font().color(&BLACK);
        let font = font.pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(curve.name.as_str(), (left + 52, middle), font))?;
    }
    Ok(())
}

impl Curve {
    fn style(&self) -> ShapeStyle {
        COLOURS[self.colour % COLOURS.len()].stroke_width(if self.bold { 3 } else { 2 })
    }

    /// The radius of its dots.
    fn dot(&self) -> i32 {
        if self.bold { 4 } else { 3 }
    }

    fn dashes(&self) -> Option<(u32, u32)> {
        DASHES[self.dashes % DASHES.len()]
    }
}

impl Scale {
    /// Where a number lies on the axis.
    fn place(self, value: f64) -> f64 {
        match self {
            Self::PowersOfTwo | Self::Ratio => value.log2(),
            Self::Time => value.log10(),
            Self::Linear | Self::Count => value,
        }
    }

    /// What tells the number that lies at a place of an axis, in words.
    fn labels(self, range: &Range<f64>) -> impl Fn(f64) -> String + use<> {
        let long = range.end > LONG_NUMBERS;
        move |place| match self {
            Self::PowersOfTwo if long => power_of_two(place.round() as u32),
            Self::PowersOfTwo => format!("{:.0}", place.exp2()),
            Self::Ratio if place < 0.0 => format!("1/{:.0}", (-place).exp2()),
            Self::Ratio => format!("{:.0}", place.exp2()),
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

/// A power of two with its exponent raised.
fn power_of_two(exponent: u32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.to_string();
    let raised = digits
        .bytes()
        .map(|digit| RAISED[usize::from(digit - b'0')]);
    format!("2{}", raised.collect::<String>())
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
        match scale {
            Scale::Linear => low = low.min(0.0),
            // 1 is among them, and another tick.
            Scale::Ratio => {
                (low, high) = (low.min(0.0), high.max(0.0));
                if low.ceil() == high.floor() {
                    let (up, down) = (high.ceil().max(1.0), low.floor().min(-1.0));
                    if up - high <= low - down {
                        high = up;
                    } else {
                        low = down;
                    }
                }
            }
            _ => {}
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

    fn curve(name: &str, dashes: usize) -> Curve {
        Curve {
            name: name.to_owned(),
            points: vec![(64.0, 2e-6), (1024.0, 4.1e-4)],
            colour: dashes,
            dashes,
            bold: dashes == 0,
        }
    }

    #[test]
    fn a_picture_names_its_curves_once() {
        let times = Chart {
            title: "Times & sizes".to_owned(),
            x: ("N", Scale::PowersOfTwo),
            y: ("time", Scale::Time),
            curves: vec![curve("whole", 0), curve("dashed", 1)],
        };
        let ratios = Chart {
            title: String::new(),
            x: ("N", Scale::PowersOfTwo),
            y: ("ratio", Scale::Ratio),
            curves: vec![Curve {
                points: vec![(64.0, 0.3), (1024.0, 1.9)],
                ..curve("whole", 0)
            }],
        };
        let text = svg(&[times, ratios]).unwrap();
        for part in [
            "<svg",
            "dashed",
            "10 µs",
            "256",
            "sans-serif",
            "Times &amp; sizes",
            "1/2",
            "</svg>",
        ] {
            assert!(text.contains(part), "{part} is missing");
        }
        assert_eq!(text.matches("whole").count(), 1);
    }

    #[test]
    fn an_empty_chart_is_drawn_too() {
        let chart = Chart {
            title: String::new(),
            x: ("", Scale::Linear),
            y: ("", Scale::Time),
            curves: Vec::new(),
        };
        assert!(svg(&[chart]).unwrap().contains("</svg>"));
        assert!(svg(&[]).unwrap().contains("</svg>"));
    }

    #[test]
    fn axes_of_ratios_fit_their_data_and_have_two_ticks() {
        let ticks = |values: [f64; 2]| Axis::over(Scale::Ratio, values.into_iter(), 0.08).ticks;
        assert_eq!(ticks([0.9, 5.0]), [0.0, 1.0, 2.0]);
        assert_eq!(ticks([1.0, 1.6]), [0.0, 1.0]);
        assert_eq!(ticks([0.6, 1.0]), [-1.0, 0.0]);
        assert_eq!(ticks([1.0, 1.0]).len(), 2);
    }

    #[test]
    fn ticks_are_round_numbers() {
        let labels = |scale: Scale, range: Range<f64>| -> Vec<String> {
            let ticks = scale.ticks(&range);
            ticks.into_iter().map(scale.labels(&range)).collect()
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
        assert_eq!(
            labels(Scale::PowersOfTwo, 19.9..22.1),
            ["2²⁰", "2²¹", "2²²"]
        );
        assert_eq!(labels(Scale::Ratio, -2.0..1.5), ["1/4", "1/2", "1", "2"]);
        assert_eq!(labels(Scale::Linear, 0.0..1.2), ["0", "0.5", "1"]);
    }
}
