//! Which plots are drawn.

use super::case::Case;
use super::report::Measured;
use sunzi_measure::{Chart, Curve, Scale};

/// The plots, with their files.
pub fn all(measured: &Measured) -> Vec<(String, Chart)> {
    let device = &measured.device.name;
    let ntt = curves(
        measured
            .section("ntt")
            .filter(|case| case.group.ends_with("forward")),
        |case| case.group.trim_end_matches(", forward").to_owned(),
        |case| case.timing.median / case.operations,
    );
    let integers = curves(
        measured.batches(),
        |case| case.contender.clone(),
        Case::each,
    );
    let polynomials = curves(
        measured
            .section("polynomials")
            .filter(|case| case.group.starts_with("modulo")),
        |case| case.contender.clone(),
        Case::each,
    );
    let plot = |title: &str, x, y, curves| Chart {
        title: format!("{title}, {device}"),
        x: (x, Scale::PowersOfTwo),
        y: (y, Scale::Time),
        curves,
    };
    let plots = [
        (
            "ntt.svg",
            plot("Forward transforms", "points", "time per butterfly", ntt),
        ),
        (
            "integers.svg",
            plot(
                "Batches of products",
                "words of 32 bits",
                "time per product",
                integers,
            ),
        ),
        (
            "polynomials.svg",
            plot(
                "Products modulo a prime of 31 bits",
                "terms",
                "time per product",
                polynomials,
            ),
        ),
    ];
    let drawn = plots
        .into_iter()
        .filter(|(_, plot)| !plot.curves.is_empty());
    drawn.map(|(file, plot)| (file.to_owned(), plot)).collect()
}

/// Curves of cases with the same name.
fn curves<'a>(
    cases: impl Iterator<Item = &'a Case>,
    name: impl Fn(&Case) -> String,
    value: impl Fn(&Case) -> f64,
) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for case in cases {
        let name = name(case);
        let known = curves.iter().position(|curve| curve.name == name);
        let place = known.unwrap_or(curves.len());
        if known.is_none() {
            curves.push(Curve {
                name,
                points: Vec::new(),
                colour: place,
                dashes: place / 3,
                bold: false,
            });
        }
        curves[place].points.push((case.size as f64, value(case)));
    }
    curves
}
