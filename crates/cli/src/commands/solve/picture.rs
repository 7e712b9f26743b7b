//! What is drawn of a system.

use super::system::{Expression, counted};
use crate::draw::Format;
use crate::draw::curves::{Mark, Plot, Window};
use sunzi::Integer;
use sunzi::poly::{Poly, PolyError};
use sunzi::solve::{BivariatePoly, Dyadic, RealRoot, Solutions, bivariate_gcd};

/// Curves without multiple factors, and solutions.
pub struct Seen {
    title: String,
    /// Both curves without the common one, then that one if there is one: what they are called, and their rows.
    curves: Vec<(String, Vec<Vec<Integer>>)>,
    marks: Vec<Mark>,
}

impl Seen {
    /// What is seen of a system and its solutions.
    pub fn new([f, g]: [&Expression; 2], found: &Solutions) -> Result<Self, PolyError> {
        let common = bivariate_gcd(&f.polynomial, &g.polynomial)?.value;
        let mut curves = vec![
            (f.text.clone(), rows(&simple(&common.first)?)),
            (g.text.clone(), rows(&simple(&common.second)?)),
        ];
        if found.common_curve.is_some() {
            curves.push(("common curve".to_owned(), rows(&simple(&common.gcd)?)));
        }
        let marks = found.solutions.iter().map(|solution| Mark {
            point: [solution.x(), solution.y()].map(middle),
            multiplicity: solution.multiplicity(),
            on_common: !solution.is_isolated(),
        });
        Ok(Self {
            title: counted(found),
            curves,
            marks: marks.collect(),
        })
    }
}

/// Draws it, in this window or in one where the solutions are seen; the bytes of the file.
pub fn draw(
    seen: &Seen,
    variables: [&str; 2],
    window: Option<Window>,
    format: Format,
) -> Result<Vec<u8>, String> {
    let window = match window {
        Some(window) => window,
        None => {
            let points: Vec<_> = seen.marks.iter().map(|mark| mark.point).collect();
            let curves = seen.curves.iter().map(|(_, rows)| &rows[..]);
            let curves: Vec<_> = curves.filter(|rows| !rows.is_empty()).collect();
            Window::choose(&points, &curves).map_err(|error| error.to_string())?
        }
    };
    let plot = Plot {
        title: seen.title.clone(),
        variables,
        window,
        curves: seen.curves.clone(),
        marks: seen.marks.clone(),
    };
    plot.draw().encode(format)
}

fn middle(root: &RealRoot) -> f64 {
    Dyadic::midpoint(root.lower(), root.upper()).to_f64()
}

fn rows(polynomial: &BivariatePoly<Integer>) -> Vec<Vec<Integer>> {
    let rows = polynomial.rows().iter();
    rows.map(|row| row.coefficients().to_vec()).collect()
}

/// The polynomial without multiple factors, which has the same curve: it changes its sign there.
fn simple(f: &BivariatePoly<Integer>) -> Result<BivariatePoly<Integer>, PolyError> {
    let by_x = BivariatePoly::new(f.rows().iter().map(derivative).collect());
    let by_y = derivative_by_y(f);
    let multiple = bivariate_gcd(f, &by_x)?.value.gcd;
    let multiple = bivariate_gcd(&multiple, &by_y)?.value.gcd;
    Ok(bivariate_gcd(f, &multiple)?.value.first)
}

fn derivative(row: &Poly<Integer>) -> Poly<Integer> {
    let terms = (1u32..).zip(row.coefficients().iter().skip(1));
    Poly::new(terms.map(|(i, a)| a * Integer::from(i)).collect())
}

fn derivative_by_y(f: &BivariatePoly<Integer>) -> BivariatePoly<Integer> {
    let times = |row: &Poly<Integer>, j: u32| {
        Poly::new(
            row.coefficients()
                .iter()
                .map(|a| a * Integer::from(j))
                .collect(),
        )
    };
    let rows = (1u32..).zip(f.rows().iter().skip(1));
    BivariatePoly::new(rows.map(|(j, row)| times(row, j)).collect())
}
