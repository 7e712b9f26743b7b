//! One plot: times above, both axes logarithmic; below them the ratios to Sunzi, which the wide range of
//! times hides.

use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::prelude::*;

use super::{Picture, Series};

const WIDTH: u32 = 820;
const HEIGHT: u32 = 760;
const TIMES_HEIGHT: u32 = 500;
const LABEL_WIDTH: u32 = 76;
const FONT: &str = "sans-serif";
/// Colours that colour-blind readers tell apart (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 5] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 86, 86),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Failure = Box<dyn Error>;

/// The plot as SVG text.
pub fn svg(picture: &Picture, series: &[Series]) -> Result<String, Failure> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (WIDTH, HEIGHT)).into_drawing_area();
        root.fill(&WHITE)?;
        let (times, ratios) = root.split_vertically(TIMES_HEIGHT);
        draw_times(&times, picture, series)?;
        draw_ratios(&ratios, picture, series)?;
        root.present()?;
    }
    Ok(text)
}

/// An axis with its ticks at given places.
struct Axis {
    range: Range<f64>,
    ticks: Vec<f64>,
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

/// Curves on the logarithms of their coordinates, and how the axes are labelled.
struct Panel<'a> {
    title: Option<&'a str>,
    x_title: &'a str,
    y_title: &'a str,
    x_ticks: Vec<f64>,
    y_ticks: Vec<f64>,
    y_range: Range<f64>,
    y_label: &'a dyn Fn(&f64) -> String,
    curves: Vec<(&'a str, Vec<(f64, f64)>)>,
    legend: bool,
}

fn draw_times(area: &Area, picture: &Picture, series: &[Series]) -> Result<(), Failure> {
    let curves: Vec<_> = series
        .iter()
        .map(|one| {
            let points = one.points.iter();
            let logs = points.map(|&(size, seconds)| ((size as f64).log2(), seconds.log10()));
            (one.name.as_str(), logs.collect::<Vec<_>>())
        })
        .collect();
    let y_range = spread(&curves, 0.15);
    let panel = Panel {
        title: Some(picture.title),
        x_title: "",
        y_title: "time",
        x_ticks: size_ticks(series),
        y_ticks: whole_numbers(&y_range, 1),
        y_range,
        y_label: &|log| time(log.round() as i32),
        curves,
        legend: true,
    };
    draw(area, panel)
}

fn draw_ratios(area: &Area, picture: &Picture, series: &[Series]) -> Result<(), Failure> {
    let Some((own, _)) = series.split_first() else {
        return Ok(());
    };
    let curves: Vec<_> = series
        .iter()
        .map(|one| {
            let ratio = |&(size, seconds): &(u64, f64)| {
                Some(((size as f64).log2(), (seconds / own.at(size)?).log2()))
            };
            let ratios = one.points.iter().filter_map(ratio);
            (one.name.as_str(), ratios.collect::<Vec<_>>())
        })
        .collect();
    let y_range = spread(&curves, 0.3);
    let panel = Panel {
        title: None,
        x_title: picture.unit,
        y_title: "time / Sunzi's time",
        x_ticks: size_ticks(series),
        y_ticks: whole_numbers(&y_range, 1),
        y_range,
        y_label: &|log| match log.round() as i32 {
            log if log < 0 => format!("1/{}", 1 << -log),
            log => format!("{}", 1 << log),
        },
        curves,
        legend: false,
    };
    draw(area, panel)
}

fn draw(area: &Area, panel: Panel) -> Result<(), Failure> {
    let first = panel.x_ticks.first().copied().unwrap_or(0.0);
    let last = panel.x_ticks.last().copied().unwrap_or(1.0);
    let mut builder = ChartBuilder::on(area);
    builder
        .margin(12)
        .margin_right(24)
        .x_label_area_size(if panel.x_title.is_empty() { 26 } else { 48 })
        .y_label_area_size(LABEL_WIDTH);
    if let Some(title) = panel.title {
        builder.caption(title, (FONT, 20));
    }
    let mut chart = builder.build_cartesian_2d(
        Axis {
            range: first - 0.3..last + 0.3,
            ticks: panel.x_ticks,
        },
        Axis {
            range: panel.y_range,
            ticks: panel.y_ticks,
        },
    )?;
    chart
        .configure_mesh()
        .x_desc(panel.x_title)
        .y_desc(panel.y_title)
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 15))
        .bold_line_style(BLACK.mix(0.15))
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|log| power_of_two(log.round() as u32))
        .y_label_formatter(panel.y_label)
        .draw()?;
    for (index, (name, points)) in panel.curves.into_iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        // Sunzi comes first: its line is the bold one.
        let width = if index == 0 { 3 } else { 2 };
        let line = colour.stroke_width(width);
        chart
            .draw_series(LineSeries::new(points.iter().copied(), line))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], line));
        let dots = points.into_iter();
        chart.draw_series(dots.map(|point| Circle::new(point, width + 1, colour.filled())))?;
    }
    if panel.legend {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.3))
            .label_font((FONT, 15))
            .legend_area_size(34)
            .margin(14)
            .draw()?;
    }
    Ok(())
}

/// The range of the curves' heights, widened by a share of it on both sides.
fn spread(curves: &[(&str, Vec<(f64, f64)>)], share: f64) -> Range<f64> {
    let heights = || {
        curves
            .iter()
            .flat_map(|(_, points)| points)
            .map(|point| point.1)
    };
    let low = heights().fold(f64::INFINITY, f64::min);
    let high = heights().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return 0.0..1.0;
    }
    let more = ((high - low) * share).clamp(0.2, 0.5);
    // A tick at each end, at least.
    (low - more).min(low.floor())..(high + more).max(high.ceil())
}

/// Every `step`-th whole number of a range.
fn whole_numbers(range: &Range<f64>, step: usize) -> Vec<f64> {
    let (first, last) = (range.start.ceil() as i32, range.end.floor() as i32);
    (first..=last).step_by(step).map(f64::from).collect()
}

/// Ticks at powers of two that cover all sizes, every second one.
fn size_ticks(series: &[Series]) -> Vec<f64> {
    let sizes = || {
        series
            .iter()
            .flat_map(|one| &one.points)
            .map(|point| point.0)
    };
    let low = sizes().min().unwrap_or(1).max(1).ilog2();
    let high = sizes()
        .max()
        .unwrap_or(1)
        .max(1)
        .next_power_of_two()
        .ilog2();
    let high = low + (high - low).next_multiple_of(2);
    whole_numbers(&(f64::from(low)..f64::from(high)), 2)
}

/// Ten to a power, in seconds, as people write it.
fn time(power: i32) -> String {
    let (unit, below) = match power {
        ..-6 => ("ns", -9),
        -6..-3 => ("µs", -6),
        -3..0 => ("ms", -3),
        _ => ("s", 0),
    };
    match power - below {
        zeros @ 0.. => format!("1{} {unit}", "0".repeat(zeros as usize)),
        _ => format!("10^{power} s"),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_cover_all_sizes() {
        let ticks = |points: Vec<(u64, f64)>| {
            let name = "some".into();
            size_ticks(&[Series { name, points }])
        };
        assert_eq!(ticks(vec![(64, 1.0), (256, 1.0)]), [6.0, 8.0]);
        assert_eq!(ticks(vec![(100, 1.0), (2000, 1.0)]), [6.0, 8.0, 10.0, 12.0]);
    }

    #[test]
    fn labels_read_well() {
        assert_eq!(power_of_two(22), "2²²");
        let times: Vec<String> = [-9, -7, -6, -4, -1, 0, 2].map(time).into();
        let expected = ["1 ns", "100 ns", "1 µs", "100 µs", "100 ms", "1 s", "100 s"];
        assert_eq!(times, expected);
    }
}
