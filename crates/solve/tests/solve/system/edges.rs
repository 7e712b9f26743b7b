//! Degenerate systems, special positions, and points that are hard to tell apart.

use super::expressions::{Expression, c, x, y};
use super::{points, solve, told};
use sunzi_integer::{Integer, Rational};
use sunzi_poly::{BivariatePoly, PolyError};
use sunzi_solve::{BivariateSystem, ComplexCount, Dyadic};

fn counts(distinct: usize, with_multiplicity: usize) -> ComplexCount {
    ComplexCount {
        distinct,
        with_multiplicity,
    }
}

#[test]
fn zero_and_constant_operands() {
    let zero = BivariatePoly::<Integer>::zero();
    let both = BivariateSystem::over_integers(zero.clone(), zero.clone()).solve();
    assert_eq!(both.unwrap_err(), PolyError::EveryPoint);
    let line = c(2) * x() - c(4) * y();
    for solved in [solve(&line, &c(0)), solve(&c(0), &line)] {
        assert_eq!(solved.common_curve, Some((x() - c(2) * y()).poly()));
        assert!(solved.solutions.is_empty());
    }
    for (f, g) in [
        (c(3), line.clone()),
        (line, c(-1)),
        (c(2), c(5)),
        (c(0), c(7)),
    ] {
        let solved = solve(&f, &g);
        assert!(solved.solutions.is_empty() && solved.common_curve.is_none());
        assert_eq!(solved.complex, counts(0, 0));
    }
}

#[test]
fn equal_and_proportional_operands_are_a_common_curve() {
    let circle = x() * x() + y() * y() - c(1);
    for factor in [c(1), c(-3), c(12)] {
        let solved = solve(&circle, &(circle.clone() * factor));
        assert_eq!(solved.common_curve, Some(circle.poly()));
        assert!(solved.solutions.is_empty());
        assert_eq!(solved.complex, counts(0, 0));
    }
}

#[test]
fn one_variable_in_one_or_both() {
    // A grid of two by two.
    let solved = solve(&(x() * x() - c(1)), &(y() * y() - c(4)));
    let grid = points(&[(-1, -2, 1), (-1, 2, 1), (1, -2, 1), (1, 2, 1)]);
    assert_eq!((told(&solved), solved.complex), (grid, counts(4, 4)));
    // Only x: no points without a common root, lines with one.
    let solved = solve(&(x() * x() - c(1)), &(x() - c(2)));
    assert!(solved.solutions.is_empty() && solved.common_curve.is_none());
    let solved = solve(&(x() * x() - c(1)), &((x() - c(1)) * (x() + c(5))));
    assert_eq!(solved.common_curve, Some((x() - c(1)).poly()));
    assert!(solved.solutions.is_empty());
    // Only y in one of them.
    let solved = solve(&(y() * y() - c(1)), &(x() - y() * y() * y()));
    assert_eq!(told(&solved), points(&[(-1, -1, 1), (1, 1, 1)]));
}

#[test]
fn one_variable_in_one_and_the_other_linear() {
    // x³(x − 2) and (x + 1)y − x − 4, then with the variables exchanged.
    let f = x().pow(3) * (x() - c(2));
    let g = (x() + c(1)) * y() - x() - c(4);
    let solved = solve(&f, &g);
    assert_eq!(told(&solved), points(&[(0, 4, 3), (2, 2, 1)]));
    assert_eq!(solved.complex, counts(2, 4));
    let solved = solve(&g.at(&y(), &x()), &f.at(&y(), &x()));
    assert_eq!(told(&solved), points(&[(2, 2, 1), (4, 0, 3)]));
    // An asymptote, and a line that both have in common.
    let solved = solve(&((x() + c(1)) * x()), &((x() + c(1)) * y() - c(3)));
    assert_eq!(told(&solved), points(&[(0, 3, 1)]));
    let solved = solve(&((x() + c(1)) * x()), &((x() + c(1)) * (y() - c(3))));
    assert_eq!(told(&solved), points(&[(0, 3, 1)]));
    assert!(solved.common_curve.is_some());
    // Of a high degree there is no dense polynomial on the way.
    let solved = solve(&(x().pow(1000) - c(2)), &(y() - c(1)));
    assert_eq!(
        (solved.solutions.len(), solved.complex),
        (2, counts(1000, 1000))
    );
}

#[test]
fn contents_are_lines() {
    // x = 1 twice and a parabola, against y = 3 and a line.
    let f = (x() - c(1)) * (x() - c(1)) * (y() - x() * x());
    let g = (y() - c(3)) * (y() - x());
    let solved = solve(&f, &g);
    let expected = [
        ("-1.73205080757", "3", 1),
        ("0", "0", 1),
        ("1", "1", 3),
        ("1", "3", 2),
        ("1.73205080757", "3", 1),
    ];
    let expected = expected
        .map(|(x, y, m)| (x.to_string(), y.to_string(), m))
        .to_vec();
    assert_eq!((told(&solved), solved.complex), (expected, counts(5, 8)));
    // A constant content changes nothing.
    let scaled = solve(&(f * c(6)), &(g * c(-15)));
    assert_eq!(told(&scaled), told(&solved));
}

#[test]
fn vertical_and_horizontal_lines() {
    let circle = x() * x() + y() * y() - c(25);
    let solved = solve(&circle, &(x() - c(3)));
    assert_eq!(told(&solved), points(&[(3, -4, 1), (3, 4, 1)]));
    let solved = solve(&circle, &(y() + c(4)));
    assert_eq!(told(&solved), points(&[(-3, -4, 1), (3, -4, 1)]));
    let solved = solve(&circle, &((x() - c(5)) * (y() - c(5))));
    assert_eq!(told(&solved), points(&[(0, 5, 2), (5, 0, 2)]));
}

#[test]
fn solutions_at_infinity_are_none() {
    // Parallel lines, a hyperbola and its asymptotes, and leading coefficients that vanish at one x.
    for (f, g) in [
        (x() + y(), x() + y() - c(1)),
        (x() * y() - c(1), x()),
        (x() * y() - c(1), y()),
        (x() * y() - c(1), x() * y() - c(2)),
    ] {
        let solved = solve(&f, &g);
        assert!(solved.solutions.is_empty(), "{f:?}, {g:?}");
        assert_eq!(solved.complex, counts(0, 0));
    }
    let solved = solve(&(x() * y() - c(1)), &(x() * y() * y() - x() - y() + c(1)));
    assert_eq!(told(&solved), points(&[(1, 1, 1)]));
    // Two circles meet in two points only; two at infinity are complex.
    let circle = |a: i64, r: i64| (x() - c(a)) * (x() - c(a)) + y() * y() - c(r);
    let solved = solve(&circle(0, 25), &circle(6, 25));
    assert_eq!(
        (told(&solved), solved.complex),
        (points(&[(3, -4, 1), (3, 4, 1)]), counts(2, 2))
    );
    let solved = solve(&circle(0, 1), &circle(0, 2));
    assert_eq!((solved.solutions.len(), solved.complex), (0, counts(0, 0)));
}

#[test]
fn complex_partners_over_real_coordinates_are_no_solutions() {
    // x = ±1 with y = ±i.
    let f = x().pow(3) + x() * x() - x() + y() * y();
    let g = y() * (y() * y() + c(1));
    let solved = solve(&f, &g);
    for solution in &solved.solutions {
        assert_eq!(solution.y().rational(), Some(Rational::ZERO));
    }
    let solved = solve(&(x() * x() + y() * y() + c(1)), &(x() - y()));
    assert_eq!((solved.solutions.len(), solved.complex), (0, counts(2, 2)));
}

#[test]
fn many_points_over_one_coordinate() {
    let line = |v: Expression| (0..5).fold(c(1), |product, k| product * (v.clone() - c(k)));
    let solved = solve(&line(x()), &line(y()));
    let grid: Vec<_> = (0..5)
        .flat_map(|i| (0..5).map(move |j| (i, j, 1)))
        .collect();
    assert_eq!(
        (told(&solved), solved.complex),
        (points(&grid), counts(25, 25))
    );
    // √2 and −√2 over each other.
    let solved = solve(&(x() * x() - c(2)), &(y() * y() - c(2)));
    let twice = |s: &sunzi_solve::Solution| (s.x().interval().clone(), s.y().interval().clone());
    let boxes: Vec<_> = solved.solutions.iter().map(twice).collect();
    assert_eq!(boxes.len(), 4);
    assert_eq!((&boxes[0].0, &boxes[2].0), (&boxes[1].0, &boxes[3].0));
    assert_eq!((&boxes[0].1, &boxes[1].1), (&boxes[2].1, &boxes[3].1));
}

#[test]
fn multiplicities_are_intersection_numbers() {
    let at_origin = |f: Expression, g: Expression, number: usize| {
        let solved = solve(&f, &g);
        let found = told(&solved)
            .into_iter()
            .find(|(x, y, _)| x == "0" && y == "0");
        assert_eq!(found.map(|(_, _, m)| m), Some(number), "{f:?}, {g:?}");
    };
    let cusp = y() * y() - x().pow(3);
    at_origin(cusp.clone(), y(), 3);
    at_origin(cusp.clone(), x(), 2);
    at_origin(cusp.clone(), y() - x(), 2);
    at_origin(cusp.clone(), x() * x() - y().pow(3), 4);
    at_origin(y() - x().pow(7), y(), 7);
    at_origin(y() * y() - x() * x() + x().pow(3), y() - x(), 3);
    // W. Fulton, Algebraic curves, §3.3: a clover of four leaves and one of three.
    let square = x() * x() + y() * y();
    let three = square.pow(2) + c(3) * x() * x() * y() - y().pow(3);
    let four = square.pow(3) - c(4) * x() * x() * y() * y();
    at_origin(three, four, 14);
    // Ordinary points of order 5 and 4 without common tangents, where many directions look alike.
    let star = |k: i64, n: i64| (0..n).fold(c(1), |product, i| product * (x() - c(k + i) * y()));
    at_origin(star(0, 5) + x().pow(6), star(5, 4) + y().pow(5), 20);
    at_origin(x().pow(4), y().pow(3), 12);
}

#[test]
fn tangencies_of_irrational_points() {
    // Circles that touch at (±√2/2, ±√2/2)·…: x² + y² = 1 and xy = 1/2.
    let solved = solve(&(x() * x() + y() * y() - c(1)), &(c(2) * x() * y() - c(1)));
    let half = "0.707106781187".to_string();
    let minus = format!("-{half}");
    assert_eq!(
        told(&solved),
        [(minus.clone(), minus, 2), (half.clone(), half, 2)]
    );
    assert_eq!(solved.complex, counts(2, 4));
}

#[test]
fn points_nearer_than_doubles_tell() {
    // A parabola and a line that miss each other, touch, or meet twice, by 2^−200.
    let power = Integer::ONE << 200;
    for (shift, expected) in [(1, 0), (0, 1), (-1, 2)] {
        let f = c(power.clone()) * (y() - x() * x()) - c(shift);
        let solved = solve(&f, &y());
        assert_eq!(solved.solutions.len(), expected);
        if expected == 2 {
            let (left, right) = (&solved.solutions[0], &solved.solutions[1]);
            assert_eq!(left.x().lower(), &Dyadic::new(Integer::MINUS_ONE, -100));
            assert_eq!(right.x().upper(), &Dyadic::new(Integer::ONE, -100));
        }
    }
    // Two lines through nearly the same point of a third.
    let f = (c(power.clone()) * (x() - c(1)) - c(1)) * (x() - c(1));
    let solved = solve(&f, &(y() - c(3) * x()));
    assert_eq!(solved.solutions.len(), 2);
}

#[test]
fn dyadic_coordinates_are_points() {
    let solved = solve(&(c(8) * x() - c(3)), &(y() * y() - c(2)));
    for solution in &solved.solutions {
        assert_eq!(
            (solution.x().lower(), solution.x().upper()),
            (&Dyadic::new(3.into(), -3), &Dyadic::new(3.into(), -3))
        );
        assert!(!solution.y().is_point());
    }
}

#[test]
fn solutions_on_the_common_curve_are_marked() {
    let circle = x() * x() + y() * y() - c(2);
    // The cofactors meet at (1, 1) and (−1, −1) on the circle, and at the origin.
    let solved = solve(
        &(circle.clone() * (x() - y())),
        &(circle.clone() * (y() - x().pow(3))),
    );
    assert_eq!(solved.common_curve, Some(circle.poly()));
    assert_eq!(told(&solved), points(&[(-1, -1, 1), (0, 0, 1), (1, 1, 1)]));
    let isolated: Vec<bool> = solved.solutions.iter().map(|s| s.is_isolated()).collect();
    assert_eq!(isolated, [false, true, false]);
    // Irrational ones, near the curve but not on it, by 2^−300.
    let near = c(Integer::ONE << 300) * circle.clone() - c(1);
    let solved = solve(&(circle.clone() * near), &(circle * (x() - y())));
    assert_eq!(solved.solutions.len(), 2);
    assert!(solved.solutions.iter().all(|s| s.is_isolated()));
    // A curve that is common twice in one of them.
    let line = x() - c(2) * y();
    let solved = solve(
        &(line.clone() * line.clone() * (x() + y() - c(3))),
        &(line.clone() * (x() - c(2))),
    );
    assert_eq!(solved.common_curve, Some(line.poly()));
    let told: Vec<_> = solved
        .solutions
        .iter()
        .map(|s| (s.is_isolated(), s.multiplicity()))
        .collect();
    assert_eq!(told, [(false, 2)]);
}

#[test]
fn long_and_rational_coefficients() {
    // A line through a point with coordinates of 1000 bits, and another one.
    let power = |n: usize| Integer::ONE << n;
    let (a, b): (Integer, Integer) = (power(1000) - 1, power(999) + 7);
    let f = (c(3) * x() - c(a.clone())) * (y() + c(1)) + c(3) * y() - c(b.clone());
    let g = c(3) * y() - c(b.clone());
    let solved = solve(&f, &g);
    let exact = |n: Integer| Some(Rational::from(n) / Rational::from(3));
    let point = (
        solved.solutions[0].x().rational(),
        solved.solutions[0].y().rational(),
    );
    assert_eq!(point, (exact(a), exact(b)));
    let third = Rational::from(1) / Rational::from(3);
    let row = |c: Vec<Rational>| sunzi_poly::Poly::new(c);
    let f = BivariatePoly::new(vec![row(vec![-third.clone(), Rational::ONE])]);
    let g = BivariatePoly::new(vec![
        row(vec![Rational::ZERO]),
        row(vec![Rational::ONE, third]),
    ]);
    let solved = BivariateSystem::new(f, g).solve().expect("a point");
    assert_eq!(solved.solutions[0].y().rational(), Some(Rational::ZERO));
}

#[test]
fn unlucky_primes_mislead_nobody() {
    // Modulo the primes that are looked at first, f and g have a common factor, or a leading coefficient vanishes.
    let primes = sunzi_field::primality::ntt_primes(30, 12);
    let product: Integer = primes.take(10).map(Integer::from).product();
    let f = (x() + y() - c(3)) * (x() - y());
    let g = (x() + y() - c(3)) * (x() + c(2) * y()) + c(product.clone());
    let solved = solve(&f, &g);
    assert!(solved.common_curve.is_none());
    assert_eq!(solved.complex, counts(2, 2));
    let g = c(product) * y() * y() + x() - c(1);
    let solved = solve(&f, &g);
    assert_eq!(solved.complex, counts(4, 4));
}

#[test]
fn degrees_and_boxes_as_asked() {
    let (f, g) = ((x() * x() - c(2)).poly(), (y() * y() - c(3)).poly());
    let solved = BivariateSystem::over_integers(f, g)
        .digits(50)
        .solve()
        .expect("four points");
    let width = Dyadic::new(Integer::ONE, -166); // 2^−166 < 10^−49
    for solution in &solved.solutions {
        for root in [solution.x(), solution.y()] {
            assert!(root.upper() - root.lower() < width);
        }
    }
    assert_eq!(solved.steps.named().len(), 6);
}

#[test]
fn early_termination_is_told_and_right_here() {
    // With w = y − 2^40·x: w¹¹ = 2 and x = 3 − 2w. Powers of two make the bound long, and cancel in the resultant.
    let w = y() - c(1i64 << 40) * x();
    let (f, g) = (w.pow(12) + x() - c(3), w.pow(11) - c(2));
    let proved = solve(&f, &g);
    let early = BivariateSystem::over_integers(f.poly(), g.poly())
        .early_termination(1)
        .solve()
        .expect("a point");
    assert!(early.primes < proved.primes && !early.proved);
    assert_eq!(
        (told(&early), early.complex),
        (told(&proved), proved.complex)
    );
    assert_eq!(
        (proved.solutions.len(), proved.complex),
        (1, counts(11, 11))
    );
}

#[test]
fn plans_of_degenerate_systems() {
    let zero = BivariatePoly::<Integer>::zero();
    for (f, g) in [
        (zero.clone(), zero.clone()),
        (zero, x().poly()),
        (c(5).poly(), x().poly()),
    ] {
        let plan = BivariateSystem::over_integers(f, g).plan();
        assert_eq!(
            (plan.solutions, plan.points, plan.primes, plan.bytes),
            (0, 0, 0, 0)
        );
    }
    let plan =
        BivariateSystem::over_integers((x() * x() - y()).poly(), (y() * y() - c(2)).poly()).plan();
    assert_eq!(
        (plan.degrees_x, plan.degrees_y, plan.total_degrees),
        ([2, 0], [1, 2], [2, 2])
    );
    assert_eq!((plan.solutions, plan.points), (4, 5));
    assert!(plan.to_string().contains("at most 4 complex solutions"));
}
