//! Systems with known numbers of points.

use super::expressions::{Expression, c, x, y};
use super::{solve, told};
use sunzi_solve::ComplexCount;

fn chebyshev(n: usize, at: &Expression) -> Expression {
    let first = (c(1), at.clone());
    let step = |(a, b): (Expression, Expression), _| (b.clone(), c(2) * at.clone() * b - a);
    (0..n).fold(first, step).0
}

#[test]
fn critical_points_of_a_curve_of_chebyshev_polynomials() {
    // T_5(x) = T_4(y) = ±1 where T_4 has its 3 extrema: 3 values of x for each sign, and one sign twice.
    let f = chebyshev(5, &x()) - chebyshev(4, &y());
    let solved = solve(&f, &f.by_y());
    assert_eq!(solved.solutions.len(), 9);
    let complex = ComplexCount {
        distinct: 9,
        with_multiplicity: 15,
    };
    assert_eq!(solved.complex, complex);
}

#[test]
fn critical_points_of_a_rose() {
    // r² = cos²(5φ): ten petals, whose tangents at the origin and at their tips are vertical, and where they bulge.
    let square = x() * x() + y() * y();
    let real = x().pow(5) - c(10) * x().pow(3) * y() * y() + c(5) * x() * y().pow(4);
    let f = square.pow(6) - real.pow(2);
    let solved = solve(&f, &f.by_y());
    assert_eq!(solved.solutions.len(), 11);
    let origin = told(&solved).into_iter().find(|(x, y, _)| x == "0" && y == "0");
    assert!(origin.is_some_and(|(_, _, multiplicity)| multiplicity >= 90));
}

#[test]
fn clusters_of_points() {
    // M. Mignotte's polynomials have two roots within 2·10^(−13) of each other.
    let cluster = |v: Expression| v.pow(12) - c(2) * (c(101) * v - c(1)).pow(2);
    let solved = solve(&cluster(x()), &(cluster(y()) - x()));
    assert_eq!(solved.solutions.len(), 10);
    assert_eq!(solved.complex.with_multiplicity, 144);
}

#[test]
fn three_circles_through_a_point() {
    let circle = |a: i64, b: i64| {
        let (u, v) = (x() - c(a), y() - c(b));
        u.clone() * u + v.clone() * v - c(25)
    };
    let f = circle(3, 4) * circle(-3, 4);
    let solved = solve(&f, &circle(3, -4));
    let origin = told(&solved).into_iter().find(|(x, y, _)| x == "0" && y == "0");
    assert_eq!(origin.map(|(_, _, m)| m), Some(2));
}
