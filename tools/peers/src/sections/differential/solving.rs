//! Greatest common divisors, resultants, square-free factors and real roots over Z, and systems of two equations: against
//! FLINT, and against roots and points that were chosen before.

use sunzi_field::primality::is_prime;
use sunzi_integer::{Integer, Rational};
use sunzi_poly::{
    BivariatePoly, ChainOptions, IntegerGcd, IntegerPolyRing, IntegerResultant, Poly, resultant_y,
    square_free,
};
use sunzi_solve::{BivariateSystem, RealRoots};

use super::integer_polynomials::{coefficients, compare, peer, poly};
use super::operation::Operation;
use super::trial::Trial;
use crate::flint::{FmpzBivariate, FmpzPoly, Signed};

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new("zx-gcd", "FLINT", common_divisor),
        Operation::new("zx-resultant", "FLINT", resultant),
        Operation::new("zx-resultant-early", "FLINT", early_resultant),
        Operation::new(
            "zx-square-free",
            "the definition by FLINT",
            square_free_factors,
        ),
        Operation::new("zx-real-roots", "chosen roots", real_roots),
        Operation::new("xy-resultant", "FLINT", resultant_of_two),
        Operation::new("xy-systems", "chosen points", systems),
    ]
}

/// A polynomial that is not zero.
fn operand(trial: &mut Trial, usual: usize, rare: usize) -> Poly<Integer> {
    let (length, width) = (trial.length(usual, rare), trial.length(2, 5));
    let mut all = coefficients(trial, length, width);
    if let Some((_, limbs)) = all.last_mut() {
        limbs[0] |= 1;
    }
    poly(&all)
}

/// Of two multiples of a polynomial, which now and then is a number.
fn common_divisor(trial: &mut Trial) {
    let ring = IntegerPolyRing::new();
    let [c, x, y] = [(20, 60); 3].map(|(usual, rare)| operand(trial, usual, rare));
    let (f, g) = (ring.mul(&c, &x), ring.mul(&c, &y));
    let found = IntegerGcd::new().with_cofactors(&f, &g);
    if let Some(found) = trial.expect("gcd", found) {
        let value = found.value;
        let theirs = peer(&f).gcd(&peer(&g));
        compare(trial, "gcd", &value.gcd, &theirs);
        for (what, cofactor, whole) in [
            ("first cofactor", &value.first, &f),
            ("second cofactor", &value.second, &g),
        ] {
            let mut product = FmpzPoly::new(&[]);
            product.set_product(&peer(cofactor), &theirs);
            compare(trial, what, whole, &product);
        }
    }
}

/// Now and then 0, of operands with a common root.
fn resultant(trial: &mut Trial) {
    let ring = IntegerPolyRing::new();
    let [mut f, mut g] = [(16, 40); 2].map(|(usual, rare)| operand(trial, usual, rare));
    if trial.below(8) == 0 {
        let common = operand(trial, 3, 6);
        [f, g] = [&f, &g].map(|one| ring.mul(one, &common));
    }
    if let Some(found) = trial.expect("resultant", IntegerResultant::new().compute(&f, &g)) {
        let theirs = peer(&f).resultant(&peer(&g));
        compare(trial, "resultant", &Poly::new(vec![found.value]), &theirs);
    }
}

/// Early termination, also of resultants far below their bounds, and of those that the primes below 2^50 divide one after the
/// other.
fn early_resultant(trial: &mut Trial) {
    let f = operand(trial, 16, 40);
    let (f, g) = match trial.below(3) {
        0 => (f, operand(trial, 16, 40)),
        1 => {
            let mut g = f.clone().into_coefficients();
            if let Some(constant) = g.first_mut() {
                *constant += 1;
            }
            (f, Poly::new(g))
        }
        _ => {
            let primes = (0..1u64 << 50).rev().filter(|&p| p % 4 == 3 && is_prime(p));
            let mut multiple = vec![primes.take(1 + trial.below(30)).product()];
            multiple.extend(f.into_coefficients());
            (
                Poly::new(multiple),
                Poly::new(vec![Integer::ZERO, Integer::ONE]),
            )
        }
    };
    let found = IntegerResultant::new().early(trial.seed()).compute(&f, &g);
    if let Some(found) = trial.expect("resultant", found) {
        let theirs = peer(&f).resultant(&peer(&g));
        compare(trial, "resultant", &Poly::new(vec![found.value]), &theirs);
    }
}

/// Factors have themselves no square, nothing in common with each other, and give the polynomial back.
fn square_free_factors(trial: &mut Trial) {
    let ring = IntegerPolyRing::new();
    let count = 1 + trial.below(3);
    let mut f = operand(trial, 4, 12);
    for _ in 0..count {
        let factor = operand(trial, 4, 8);
        for _ in 0..=trial.below(3) {
            f = ring.mul(&f, &factor);
        }
    }
    let Some(found) = trial.expect("square-free factors", square_free(&f)) else {
        return;
    };
    let one = FmpzPoly::new(&[(false, vec![1])]);
    let mut product = peer(&Poly::new(vec![found.content]));
    let mut radical = FmpzPoly::new(&[(false, vec![1])]);
    for (factor, multiplicity) in &found.factors {
        trial.check("a factor with a root", factor.degree() > Some(0));
        let theirs = peer(factor);
        trial.check("a factor without a square", {
            theirs.gcd(&theirs.derivative()).words(1) == one.words(1)
        });
        trial.check("nothing in common", {
            radical.gcd(&theirs).words(1) == one.words(1)
        });
        let mut next = FmpzPoly::new(&[]);
        next.set_product(&radical, &theirs);
        radical = next;
        for _ in 0..*multiplicity {
            let mut next = FmpzPoly::new(&[]);
            next.set_product(&product, &theirs);
            product = next;
        }
    }
    compare(trial, "product of the factors", &f, &product);
}

/// An integer of either sign, of a kind for an operand or small.
fn integer(trial: &mut Trial) -> Integer {
    match trial.below(2) {
        0 => Integer::from(trial.below(17)) - 8,
        _ => {
            let limbs = trial.limbs(1);
            let magnitude = Integer::from(limbs[0] >> trial.below(64));
            if trial.below(2) == 0 {
                -magnitude
            } else {
                magnitude
            }
        }
    }
}

/// Quotients as roots, some of them close together and some multiple, beside pairs of complex ones.
fn real_roots(trial: &mut Trial) {
    let ring = IntegerPolyRing::new();
    let count = trial.length(5, 12);
    let mut chosen: Vec<(Rational, usize)> = Vec::new();
    for _ in 0..count {
        let denominator = match trial.below(3) {
            0 => Integer::ONE,
            1 => Integer::ONE << trial.below(80),
            _ => Integer::from(1 + trial.below(99)),
        };
        let root = Rational::from(integer(trial)) / denominator;
        let neighbour = match (trial.below(4), chosen.last()) {
            (0, Some((last, _))) => last + Rational::ONE / (Integer::ONE << 90),
            _ => root,
        };
        if chosen.iter().all(|(root, _)| *root != neighbour) {
            chosen.push((neighbour, 1 + trial.below(8) / 6));
        }
    }
    chosen.sort();
    let mut f = match trial.below(2) {
        0 => Poly::new(vec![integer(trial).max(Integer::ONE)]),
        _ => Poly::new([7, 5, 1].map(Integer::from).to_vec()),
    };
    for (root, multiplicity) in &chosen {
        let factor = Poly::new(vec![-root.numerator(), root.denominator().into()]);
        for _ in 0..*multiplicity {
            f = ring.mul(&f, &factor);
        }
    }
    let Some(roots) = trial.expect("roots", RealRoots::of(&f)) else {
        return;
    };
    let ours: Vec<(bool, usize)> = roots
        .iter()
        .zip(&chosen)
        .map(|(found, (root, _))| {
            let is_within =
                found.lower().to_rational() <= *root && *root <= found.upper().to_rational();
            (is_within, found.multiplicity())
        })
        .collect();
    let theirs: Vec<(bool, usize)> = chosen.iter().map(|(_, m)| (true, *m)).collect();
    trial.compare_one("number of roots", roots.len(), chosen.len());
    trial.compare("roots in their intervals", &ours, &theirs);
    let ends: Vec<_> = roots
        .iter()
        .map(|root| [root.lower(), root.upper()].map(|end| end.to_rational()))
        .collect();
    let are_apart = ends.windows(2).all(|pair| pair[0][1] < pair[1][0]);
    trial.check("intervals apart", are_apart);
}

/// A polynomial in two variables, not zero, of total degree up to `degree`.
fn bivariate(trial: &mut Trial, degree: usize) -> BivariatePoly<Integer> {
    let width = trial.length(1, 3);
    let rows = (0..=degree).map(|power| poly(&coefficients(trial, degree - power + 1, width)));
    let found = BivariatePoly::new(rows.collect());
    match found.degree_y() {
        Some(1..) => found,
        _ => BivariatePoly::new(vec![
            Poly::new(vec![Integer::ONE]),
            Poly::new(vec![Integer::ONE]),
        ]),
    }
}

fn signed(value: &Integer, width: usize) -> Signed {
    let mut limbs = value.magnitude().as_limbs().to_vec();
    limbs.resize(limbs.len().max(width), 0);
    (value.is_negative(), limbs)
}

fn resultant_of_two(trial: &mut Trial) {
    let degrees = [trial.length(3, 6), trial.length(3, 6)];
    let [f, g] = degrees.map(|degree| bivariate(trial, degree));
    let terms = |f: &BivariatePoly<Integer>| -> Vec<(usize, usize, Signed)> {
        let rows = f.rows().iter().enumerate();
        let row = |(y, row): (usize, &Poly<Integer>)| {
            let coefficients = row.coefficients().iter().enumerate();
            let coefficients = coefficients.filter(|(_, value)| !value.is_zero());
            let term = |(x, value): (usize, &Integer)| (x, y, signed(value, 0));
            coefficients.map(term).collect::<Vec<_>>()
        };
        rows.flat_map(row).collect()
    };
    let Some(found) = trial.expect("resultant", resultant_y(&f, &g, ChainOptions::new())) else {
        return;
    };
    let degree = degrees[0] * degrees[1];
    // Fewer than 12 rows of entries of three limbs, and some more bits.
    let width = 3 * (degrees[0] + degrees[1]) + 4;
    let mut theirs = FmpzBivariate::new([&terms(&f), &terms(&g)]);
    theirs.eliminate(1);
    let theirs = theirs.words(1, degree, width);
    let zero = Integer::ZERO;
    let ours: Vec<Signed> = (0..=degree)
        .map(|power| {
            signed(
                found.value.coefficients().get(power).unwrap_or(&zero),
                width,
            )
        })
        .collect();
    trial.compare_one("degree", found.value.len() <= degree + 1, true);
    trial.compare("resultant", &ours, &theirs);
}

/// Parallel lines in two directions, each so many times: points and multiplicities are known.
fn systems(trial: &mut Trial) {
    let [a, b] = [trial.below(5) as i64 - 2, trial.below(5) as i64 - 2];
    // u = x + a y and v = y + b u; so y = v - b u and x = u - a y.
    let lines = |trial: &mut Trial, line: &str| -> (Vec<(i64, usize)>, String) {
        let mut lines: Vec<(i64, usize)> = Vec::new();
        for _ in 0..trial.length(3, 4) {
            let place = trial.below(41) as i64 - 20;
            if lines.iter().all(|&(other, _)| other != place) {
                lines.push((place, 1 + trial.below(4) / 3));
            }
        }
        let text: Vec<String> = lines
            .iter()
            .map(|(place, times)| format!("({line} - ({place}))^{times}"))
            .collect();
        (lines, text.join("*"))
    };
    let (us, f) = lines(trial, &format!("(x + ({a})*y)"));
    let (vs, g) = lines(trial, &format!("(y + ({b})*(x + ({a})*y))"));
    let mut expected: Vec<[i64; 3]> = Vec::new();
    for &(u, times) in &us {
        for &(v, more) in &vs {
            let y = v - b * u;
            expected.push([u - a * y, y, (times * more) as i64]);
        }
    }
    expected.sort_unstable();
    let parsed = |text: &str| text.parse::<BivariatePoly<Integer>>();
    let (Some(f), Some(g)) = (trial.expect(&f, parsed(&f)), trial.expect(&g, parsed(&g))) else {
        return;
    };
    let Some(found) = trial.expect("solutions", BivariateSystem::over_integers(f, g).solve())
    else {
        return;
    };
    let whole = |root: &sunzi_solve::RealRoot| {
        let value = root.rational().filter(Rational::is_integer);
        value
            .and_then(|value| i64::try_from(value.numerator()).ok())
            .unwrap_or(i64::MAX)
    };
    let mut ours: Vec<[i64; 3]> = found
        .solutions
        .iter()
        .map(|one| [whole(one.x()), whole(one.y()), one.multiplicity() as i64])
        .collect();
    ours.sort_unstable();
    trial.check("proved", found.proved);
    trial.compare("points and multiplicities", &ours, &expected);
    let all: i64 = expected.iter().map(|point| point[2]).sum();
    trial.compare_one("complex ones", found.complex.with_multiplicity as i64, all);
}
