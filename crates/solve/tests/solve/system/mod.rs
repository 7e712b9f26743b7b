//! Systems of two equations.

mod ball;
mod edges;
mod examples;
mod expressions;
mod properties;
mod reference;
mod shear;

use expressions::Expression;
use sunzi_integer::{Integer, Rational};
use sunzi_poly::BivariatePoly;
use sunzi_solve::{BivariateSystem, Solutions};

/// Solves a system, and checks what holds for the solutions of every system.
fn solve(f: &Expression, g: &Expression) -> Solutions {
    let (f, g) = (f.poly(), g.poly());
    let solved = BivariateSystem::over_integers(f.clone(), g.clone())
        .solve()
        .expect("it can be solved");
    check(&f, &g, &solved);
    solved
}

/// What holds for the solutions of every system.
fn check(f: &BivariatePoly<Integer>, g: &BivariatePoly<Integer>, solved: &Solutions) {
    assert!(solved.proved);
    for pair in solved.solutions.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        let before = a.x().upper() < b.x().lower();
        let above = a.x().interval() == b.x().interval() && a.y().upper() < b.y().lower();
        assert!(
            before || above,
            "boxes are disjoint and sorted: {a:?}, {b:?}"
        );
    }
    let counted: usize = solved.solutions.iter().map(|s| s.multiplicity()).sum();
    assert!(counted <= solved.complex.with_multiplicity);
    assert!(solved.solutions.len() <= solved.complex.distinct);
    assert!(solved.complex.distinct <= solved.complex.with_multiplicity);
    for solution in &solved.solutions {
        if let (Some(x), Some(y)) = (solution.x().rational(), solution.y().rational()) {
            assert!(value(f, &x, &y).is_zero() && value(g, &x, &y).is_zero());
        }
        assert!(solution.multiplicity() > 0);
    }
}

fn value(f: &BivariatePoly<Integer>, x: &Rational, y: &Rational) -> Rational {
    let row = |row: &sunzi_poly::Poly<Integer>| {
        let terms = row.coefficients().iter().rev();
        terms.fold(Rational::ZERO, |sum, c| sum * x + Rational::from(c.clone()))
    };
    f.rows()
        .iter()
        .rev()
        .fold(Rational::ZERO, |sum, r| sum * y + row(r))
}

/// The solutions as decimals of 12 digits, with their multiplicities.
fn told(solved: &Solutions) -> Vec<(String, String, usize)> {
    let one =
        |s: &sunzi_solve::Solution| (s.x().to_decimal(12), s.y().to_decimal(12), s.multiplicity());
    solved.solutions.iter().map(one).collect()
}

/// Rational points with their multiplicities, as they are told.
fn points(points: &[(i64, i64, usize)]) -> Vec<(String, String, usize)> {
    points
        .iter()
        .map(|&(x, y, m)| (x.to_string(), y.to_string(), m))
        .collect()
}
