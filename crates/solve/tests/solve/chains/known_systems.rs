//! Systems whose regular chains others have published.

use super::modular::words;
use super::oracle::same_points;
use std::fs;
use std::path::Path;
use std::slice;
use sunzi_field::AnyField;
use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, Poly};
use sunzi_solve::{RegularChain, regular_chains_modulo};
use sunzi_testkit::data_dir;

fn numbers(text: &str) -> Vec<u64> {
    text.split_whitespace()
        .map(|word| word.parse().expect("a number"))
        .collect()
}

/// Rows of coefficients, powers of the first variable next to each other.
fn dense(folder: &Path, name: &str, [degree_a, degree_b]: [u64; 2]) -> BivariatePoly<Integer> {
    let coefficients = numbers(&fs::read_to_string(folder.join(name)).expect("a polynomial"));
    assert_eq!(coefficients.len() as u64, (degree_a + 1) * (degree_b + 1));
    let rows = coefficients.chunks(degree_a as usize + 1);
    let row = |row: &[u64]| Poly::new(row.iter().map(|&c| Integer::from(c)).collect());
    BivariatePoly::new(rows.map(row).collect())
}

/// A sum of terms such as `3*a^2`.
fn univariate(text: &str) -> Poly<u64> {
    let mut coefficients = Vec::new();
    for term in text.split('+') {
        let (coefficient, power) = term.trim().split_once("*a^").expect("a term");
        let power: usize = power.trim().parse().expect("a power");
        coefficients.resize(coefficients.len().max(power + 1), 0);
        coefficients[power] = coefficient.parse().expect("a coefficient");
    }
    Poly::new(coefficients)
}

/// A sum of such sums in parentheses, all but the first times a power `b^j`.
fn bivariate(text: &str) -> BivariatePoly<u64> {
    let mut rows = Vec::new();
    for group in text.split('(').skip(1) {
        let (row, rest) = group.split_once(')').expect("a parenthesis");
        let power = rest.trim().trim_end_matches('+').trim().strip_prefix("*b^");
        let power: usize = power.map_or(0, |power| power.parse().expect("a power"));
        rows.resize(rows.len().max(power + 1), Poly::zero());
        rows[power] = univariate(row);
    }
    BivariatePoly::new(rows)
}

/// `p := 101; rc := [[T , S], …];`
fn published(text: &str) -> (u64, Vec<RegularChain<u64>>) {
    let (prime, chains) = text.split_once("rc :=").expect("chains");
    let prime = prime
        .trim()
        .trim_start_matches("p :=")
        .trim_end_matches(';')
        .trim();
    let chains = chains.split('[').filter(|chain| chain.contains(','));
    let chain = |chain: &str| {
        let (t, s) = chain.split_once(',').expect("two polynomials");
        let s = s.split_once(']').expect("a bracket").0;
        RegularChain {
            t: univariate(t),
            s: bivariate(s),
        }
    };
    (prime.parse().expect("a prime"), chains.map(chain).collect())
}

#[test]
fn published_chains_describe_the_same_points() {
    let Some(data) = data_dir() else { return };
    for (name, points) in [("Sys86", 6), ("Sys93", 8)] {
        let folder = data.join("bivariate").join(name);
        let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file");
        let (prime, expected) = published(&read("rc.txt"));
        assert_eq!(numbers(&read("prime.txt")), [prime]);
        let [_, a, b, c, d] = numbers(&read("degrees.txt"))[..] else {
            panic!("five numbers")
        };
        let f = dense(&folder, "Poly1.dat", [a, b]);
        let g = dense(&folder, "Poly2.dat", [c, d]);
        let field = AnyField::modulo_word(prime).unwrap();
        let found = words(regular_chains_modulo(&field, &f, &g).unwrap());
        assert!(found.common.is_none());
        assert!(
            same_points(prime, &found.chains, &expected),
            "{name}: {found:?}"
        );
        // The degree of the ideal.
        assert_eq!(found.points(), points);
    }
}

#[test]
fn other_points_are_told_from_these() {
    let chain = |t: &[u64], s: &[&[u64]]| RegularChain {
        t: Poly::new(t.to_vec()),
        s: BivariatePoly::new(s.iter().map(|row| Poly::new(row.to_vec())).collect()),
    };
    let p = 101;
    let line = chain(&[100, 0, 1], &[&[0, 100], &[1]]); // y = x over x² = 1
    let points = [
        chain(&[100, 1], &[&[98], &[98]]),
        chain(&[1, 1], &[&[1, 0, 4], &[5]]),
    ];
    assert!(!same_points(p, slice::from_ref(&line), &points));
    let halves = [
        chain(&[100, 1], &[&[100], &[1]]),
        chain(&[1, 1], &[&[1, 0, 4], &[5]]),
    ];
    assert!(
        same_points(p, slice::from_ref(&line), &halves)
            && same_points(p, &halves, slice::from_ref(&line))
    );
    assert!(
        !same_points(p, slice::from_ref(&line), &halves[..1])
            && !same_points(p, &halves[1..], slice::from_ref(&line))
    );
    // (y − x)²: the same points.
    let double = chain(&[100, 0, 1], &[&[0, 0, 1], &[0, 99], &[1]]);
    assert!(same_points(p, slice::from_ref(&line), &[double]));
    // y² = 1 over x² = 1 has more.
    let more = chain(&[100, 0, 1], &[&[100], &[], &[1]]);
    assert!(
        !same_points(p, slice::from_ref(&line), slice::from_ref(&more))
            && !same_points(p, slice::from_ref(&more), slice::from_ref(&line))
    );
}
