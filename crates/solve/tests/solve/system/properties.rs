//! What holds for random systems, and what the slow solver says of them.

use std::cell::Cell;

use super::expressions::{Expression, c, x, y};
use super::reference;
use super::{check, told};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sunzi_integer::Integer;
use sunzi_solve::{BivariateSystem, Solutions};

/// A polynomial with terms of a total degree, few of them 0.
fn dense(degree: usize, greatest: i64) -> impl Strategy<Value = Expression> {
    let terms = (degree + 1) * (degree + 2) / 2;
    proptest::collection::vec(-greatest..=greatest, terms).prop_map(move |coefficients| {
        let powers = (0..=degree).flat_map(|i| (0..=degree - i).map(move |j| (i, j)));
        let terms = powers.zip(coefficients);
        terms.fold(c(0), |sum, ((i, j), value)| {
            sum + x().pow(i) * y().pow(j) * c(value)
        })
    })
}

fn runner(cases: u32) -> TestRunner {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(Config::with_cases(cases), rng)
}

fn solve(f: &Expression, g: &Expression) -> Option<Solutions> {
    let (f, g) = (f.poly(), g.poly());
    let solved = BivariateSystem::over_integers(f.clone(), g.clone())
        .solve()
        .ok()?;
    check(&f, &g, &solved);
    Some(solved)
}

#[test]
fn the_slow_solver_agrees() {
    let systems = (dense(2, 3), dense(3, 2));
    let compared = Cell::new(0);
    let agree = |(f, g): (Expression, Expression)| {
        let Some(solved) = solve(&f, &g) else {
            return Ok(());
        };
        let both = [f.poly(), g.poly()];
        let flat = both
            .iter()
            .any(|f| f.degree_x() < Some(1) || f.degree_y() < Some(1));
        if flat || solved.common_curve.is_some() {
            return Ok(());
        }
        let expected = reference::solve(&both[0], &both[1]);
        prop_assert_eq!(expected.len(), solved.solutions.len());
        for (mut found, point) in solved.solutions.into_iter().zip(expected) {
            found.refine(200);
            let scaled = |n: &Integer| n >> (point.bits - 190);
            for (root, n) in [(found.x(), &point.x), (found.y(), &point.y)] {
                let near = scaled(n);
                prop_assert!(root.lower().floor_times(190) <= &near + 1);
                prop_assert!(root.upper().ceil_times(190) >= near);
            }
            compared.set(compared.get() + 1);
            prop_assert_eq!(found.multiplicity(), point.multiplicity);
        }
        Ok(())
    };
    runner(24).run(&systems, agree).unwrap();
    assert!(compared.get() >= 24, "points that were compared");
}

#[test]
fn coordinates_change_nothing() {
    let systems = (dense(3, 4), dense(2, 4), -2i64..=2);
    let same = |(f, g, slope): (Expression, Expression, i64)| {
        let (Some(plain), Some(swapped)) =
            (solve(&f, &g), solve(&f.at(&y(), &x()), &g.at(&y(), &x())))
        else {
            return Ok(());
        };
        let mut exchanged = told(&swapped);
        exchanged
            .iter_mut()
            .for_each(|(x, y, _)| std::mem::swap(x, y));
        let mut sorted = told(&plain);
        exchanged.sort();
        sorted.sort();
        prop_assert_eq!(sorted, exchanged);
        prop_assert_eq!(plain.complex, swapped.complex);
        // The same points in coordinates (x + s·y, y).
        let shear = |f: &Expression| f.at(&(x() - c(slope) * y()), &y());
        let sheared = solve(&shear(&f), &shear(&g)).expect("not every point");
        prop_assert_eq!(plain.complex, sheared.complex);
        let seconds = |solved: &Solutions| {
            let mut seconds: Vec<_> = told(solved).into_iter().map(|(_, y, m)| (y, m)).collect();
            seconds.sort();
            seconds
        };
        prop_assert_eq!(seconds(&plain), seconds(&sheared));
        Ok(())
    };
    runner(24).run(&systems, same).unwrap();
}

#[test]
fn products_have_the_sums_of_multiplicities() {
    let systems = (dense(2, 3), dense(1, 3), dense(2, 3));
    let additive = |(f, g, h): (Expression, Expression, Expression)| {
        let (fg, all) = (f.clone() * g.clone(), [&f, &g]);
        let parts: Option<Vec<_>> = all.into_iter().map(|f| solve(f, &h)).collect();
        let (Some(whole), Some(parts)) = (solve(&fg, &h), parts) else {
            return Ok(());
        };
        if whole.common_curve.is_some() {
            return Ok(());
        }
        let sum: usize = parts
            .iter()
            .map(|part| part.complex.with_multiplicity)
            .sum();
        prop_assert_eq!(whole.complex.with_multiplicity, sum);
        for (x, y, multiplicity) in told(&whole) {
            let same = |part| {
                told(part)
                    .into_iter()
                    .filter(|(a, b, _)| (a, b) == (&x, &y))
            };
            let of_parts: usize = parts.iter().flat_map(same).map(|(_, _, m)| m).sum();
            prop_assert_eq!(multiplicity, of_parts);
        }
        Ok(())
    };
    runner(24).run(&systems, additive).unwrap();
}

#[test]
fn threads_change_nothing() {
    let f = x().pow(4) + y().pow(4) - c(3) * x() * y() - c(1);
    let g = x().pow(3) - y().pow(2) * x() + c(2) * y() - c(1);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        let solved = pool.install(|| solve(&f, &g).expect("points"));
        let boxes = solved
            .solutions
            .iter()
            .map(|s| (s.x().interval().clone(), s.y().interval().clone()));
        (boxes.collect::<Vec<_>>(), told(&solved))
    };
    let one = on(1);
    for threads in [2, 3, 7] {
        assert_eq!(on(threads), one);
    }
}
