//! Polynomials over prime fields: products, common divisors and calculus, against FLINT's
//! `fmpz_mod_poly`.

use std::cmp::Ordering;

use sunzi_poly::{Algorithm, Poly, PolyError};

use super::trial::Trial;
use super::twin::{FieldCase, Peered, Polynomial, Twin};
use crate::flint::{FmpzModMatrix, FmpzModPoly};

/// What PolyRing does, by name; products by each of these algorithms.
pub fn cases<F: Polynomial>(algorithms: &[Algorithm]) -> Vec<FieldCase<F>> {
    let mut cases = vec![
        FieldCase::shared("mul", product),
        FieldCase::shared("mul-long", long_product),
        FieldCase::shared("mul-slices", slices),
        FieldCase::shared("mul-batch", batch),
        FieldCase::shared("sqr", square),
        FieldCase::shared("gcd", gcd),
        FieldCase::shared("gcd-all", all_gcds),
        FieldCase::shared("xgcd", extended_gcd),
        FieldCase::shared("resultant", resultant),
        FieldCase::shared("resultant-all", all_resultants),
        FieldCase::alone("subresultants", subresultants),
        FieldCase::alone("subresultants-short", short_subresultants),
        FieldCase::shared("inverse-series", inverse_series),
        FieldCase::shared("divide-series", divide_series),
        FieldCase::shared("shift", shift),
        FieldCase::shared("compose", compose),
        FieldCase::alone("linear", linear),
    ];
    cases.extend(algorithms.iter().map(|&algorithm| {
        let name = format!("mul-{algorithm}");
        FieldCase::shared(name, move |twin, trial| product_by(twin, trial, algorithm))
    }));
    cases
}

/// Usual and rare lengths of what takes about as long as a product.
pub const PRODUCT: (usize, usize) = (300, 6000);
/// Of what takes log n products.
pub const SLOW: (usize, usize) = (120, 1500);

pub fn lengths<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    (usual, rare): (usize, usize),
) -> usize {
    // Wide residues take longer.
    trial.length(usual, (rare / twin.width).max(usual))
}

/// Two operands, of which now and then neither is short.
pub fn pair<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    most: (usize, usize),
) -> [Poly<F::Elem>; 2] {
    let length = lengths(twin, trial, most);
    let other = match trial.below(3) {
        0 => length,
        _ => lengths(twin, trial, most),
    };
    [length, other].map(|length| twin.poly(trial, length))
}

fn compare_product<F: Polynomial>(
    twin: &Twin<F>,
    trial: &mut Trial,
    a: &Poly<F::Elem>,
    b: &Poly<F::Elem>,
) {
    let what = format!("{} by {} coefficients", a.len(), b.len());
    let ours = twin.ring(trial).try_mul(a, b);
    if let Some(ours) = trial.expect(&what, ours) {
        let theirs = twin.product(a.coefficients(), b.coefficients());
        twin.compare(trial, &what, &ours, &theirs);
    }
}

fn product<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let [a, b] = pair(twin, trial, PRODUCT);
    compare_product(twin, trial, &a, &b);
}

/// Threads share 2^14 points or words and more.
fn long_product<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let len = trial.beside(&[(1 << 13) / twin.width, (1 << 14) / twin.width]);
    let other = match trial.below(2) {
        0 => len,
        _ => trial.length(len, len),
    };
    let [a, b] = [len, other].map(|len| twin.poly(trial, len));
    compare_product(twin, trial, &a, &b);
}

fn product_by<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial, algorithm: Algorithm) {
    let [a, b] = pair(twin, trial, (100, 1000));
    match twin.ring(trial).mul_with(algorithm, &a, &b) {
        Ok(ours) => {
            let theirs = twin.product(a.coefficients(), b.coefficients());
            twin.compare(trial, algorithm.name(), &ours, &theirs);
        }
        // Only a field without roots of unity enough may refuse: there is nothing to compare.
        Err(PolyError::Unavailable { .. })
            if algorithm == Algorithm::Ntt
                && (a.len() + b.len()) as u64 > 1 << twin.field().two_adicity().min(63) => {}
        Err(error) => trial.fail(error.to_string()),
    }
}

/// Products of coefficients as they lie in memory, zeros at their ends included.
fn slices<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let len_a = lengths(twin, trial, PRODUCT);
    let len_b = lengths(twin, trial, PRODUCT);
    let (a, b) = (twin.operand(trial, len_a), twin.operand(trial, len_b));
    let theirs = twin.product(&a, &b);
    let room = || vec![twin.field().one(); len_a + len_b - 1];
    let ring = twin.ring(trial);
    let what = format!("{len_a} by {len_b} coefficients");
    let mut ours = room();
    ring.mul_slices(&mut ours, &a, &b);
    twin.compare_padded(trial, &what, &ours, &theirs);
    for algorithm in [None, Some(Algorithm::Kronecker)] {
        let mut ours = room();
        let done = match algorithm {
            None => ring.try_mul_slices(&mut ours, &a, &b),
            Some(algorithm) => ring.mul_slices_with(algorithm, &mut ours, &a, &b),
        };
        if trial.expect(&what, done).is_some() {
            twin.compare_padded(trial, &what, &ours, &theirs);
        }
    }
    let refused = ring.try_mul_slices(&mut ours[1..], &a, &b).is_err();
    trial.check("room for another product is refused", refused);
}

fn square<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let length = lengths(twin, trial, PRODUCT);
    let a = twin.poly(trial, length);
    let theirs = twin.product(a.coefficients(), a.coefficients());
    twin.compare(trial, "square", &twin.ring(trial).sqr(&a), &theirs);
}

fn batch<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let (len_a, len_b) = (trial.length(16, 64), trial.length(16, 64));
    let count = trial.length(16, 1 << 10);
    let a = twin.operand(trial, count * len_a);
    let b = twin.operand(trial, count * len_b);
    let len = len_a + len_b - 1;
    let mut ours = vec![twin.field().zero(); count * len];
    let done = twin.ring(trial).mul_batch(&mut ours, &a, &b, len_a, len_b);
    if trial.expect("batch", done).is_none() {
        return;
    }
    let pairs = a.chunks_exact(len_a).zip(b.chunks_exact(len_b));
    for ((a, b), ours) in pairs.zip(ours.chunks_exact(len)) {
        twin.compare_padded(trial, "product of a batch", ours, &twin.product(a, b));
    }
}

/// The product by FLINT, as Sunzi's polynomial.
pub fn product_of<F: Peered>(
    twin: &Twin<F>,
    a: &Poly<F::Elem>,
    b: &Poly<F::Elem>,
) -> Poly<F::Elem> {
    Poly::new(twin.elements_of(&twin.product(a.coefficients(), b.coefficients())))
}

/// Two polynomials that have a factor in common, now and then, or a multiple.
fn related<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> [Poly<F::Elem>; 2] {
    let [a, b] = pair(twin, trial, SLOW);
    match trial.below(3) {
        0 => {
            let length = lengths(twin, trial, (60, 400));
            let common = twin.poly(trial, length);
            [product_of(twin, &a, &common), product_of(twin, &b, &common)]
        }
        1 if trial.below(8) == 0 => [product_of(twin, &a, &b), a],
        _ => [a, b],
    }
}

fn gcd_of<F: Peered>(twin: &Twin<F>, [a, b]: &[Poly<F::Elem>; 2]) -> FmpzModPoly {
    twin.peer_of(a).gcd(&twin.peer_of(b))
}

fn gcd<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let operands = related(twin, trial);
    let [a, b] = &operands;
    let what = format!("gcd of {} and {} coefficients", a.len(), b.len());
    let ours = twin.ring(trial).gcd(a, b);
    if let Some(ours) = trial.expect(&what, ours) {
        twin.compare(trial, &what, &ours, &gcd_of(twin, &operands));
    }
}

/// Few pairs, of which threads have one each.
fn pairs<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> Vec<[Poly<F::Elem>; 2]> {
    let count = trial.below(6);
    (0..count).map(|_| related(twin, trial)).collect()
}

fn all_gcds<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let pairs = pairs(twin, trial);
    let ours = twin.ring(trial).gcd_all(&pairs);
    if let Some(ours) = trial.expect("gcds", ours) {
        trial.check("as many gcds", ours.len() == pairs.len());
        for (ours, pair) in ours.iter().zip(&pairs) {
            twin.compare(trial, "gcd of many", ours, &gcd_of(twin, pair));
        }
    }
}

fn all_resultants<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let pairs = pairs(twin, trial);
    let ours = twin.ring(trial).resultant_all(&pairs);
    if let Some(ours) = trial.expect("resultants", ours) {
        let theirs = pairs.iter().flat_map(|[a, b]| resultant_of(twin, a, b));
        let theirs: Vec<u64> = theirs.collect();
        twin.compare_rows(trial, "resultants", &ours, &theirs);
    }
}

fn extended_gcd<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let [a, b] = related(twin, trial);
    let peers = [&a, &b].map(|own| twin.peer_of(own));
    let [g, s, t] = peers[0].extended_gcd(&peers[1]);
    let done = twin.ring(trial).xgcd(&a, &b);
    let Some(ours) = trial.expect("xgcd", done) else {
        return;
    };
    twin.compare(trial, "gcd", &ours.gcd, &g);
    let divides = |degree: usize| g.len() == degree || degree == 0;
    if divides(a.len()) || divides(b.len()) {
        // Cofactors are not determined: they must give the divisor.
        let s = twin.peer(ours.s.coefficients()).times(&peers[0]);
        let t = twin.peer(ours.t.coefficients()).times(&peers[1]);
        twin.compare(trial, "sum of multiples", &ours.gcd, &s.plus(&t));
    } else {
        twin.compare(trial, "first cofactor", &ours.s, &s);
        twin.compare(trial, "second cofactor", &ours.t, &t);
    }
}

/// The resultant by FLINT.
fn resultant_of<F: Peered>(twin: &Twin<F>, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Vec<u64> {
    let peers = [a, b].map(|own| twin.peer_of(own));
    peers[0].resultant(&peers[1]).limbs(twin.width)
}

fn resultant<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    // One value a case: most are short.
    let [a, b] = match trial.below(8) {
        0 => related(twin, trial),
        _ => pair(twin, trial, (10, 60)),
    };
    let done = twin.ring(trial).resultant(&a, &b);
    if let Some(ours) = trial.expect("resultant", done) {
        let theirs = resultant_of(twin, &a, &b);
        twin.compare_rows(trial, "resultant", &[ours], &theirs);
    }
}

/// The determinant that defines the coefficient of x^i of S_j (j below both degrees): rows are shifted a and b, columns
/// the coefficients of x^(m+n−j−1), …, x^(j+1), the last one those of x^i.
fn minor<F: Peered>(
    twin: &Twin<F>,
    a: &Poly<F::Elem>,
    b: &Poly<F::Elem>,
    j: usize,
    i: usize,
) -> Vec<u64> {
    let (m, n) = (a.len() - 1, b.len() - 1);
    let size = m + n - 2 * j;
    let zero = twin.field().zero();
    let mut entries = Vec::with_capacity(size * size);
    for (poly, rows) in [(a, n - j), (b, m - j)] {
        for shift in (0..rows).rev() {
            let coefficient = |power: usize| {
                let own = power.checked_sub(shift);
                own.and_then(|power| poly.coefficients().get(power).copied())
                    .unwrap_or(zero)
            };
            let powers = (j + 1..=m + n - j - 1).rev().chain([i]);
            entries.extend(powers.map(coefficient));
        }
    }
    let rows = twin.rows(&entries);
    let matrix = FmpzModMatrix::new(&twin.modulus, size, size, &rows, twin.width);
    matrix.determinant().limbs(twin.width)
}

/// What stands at the head of a chain: S of the lesser degree.
fn head<F: Peered>(twin: &Twin<F>, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> FmpzModPoly {
    let (m, n) = (a.len() - 1, b.len() - 1);
    let (low, power) = match m.cmp(&n) {
        Ordering::Greater => (b, m - n - 1),
        Ordering::Less => (a, n - m - 1),
        Ordering::Equal if n == 0 => return twin.peer(&[twin.field().one()]),
        Ordering::Equal => return twin.peer_of(b),
    };
    // Powers by FLINT, of the leading coefficient as a constant.
    let leading = twin.peer(&low.coefficients()[low.len() - 1..]);
    (0..power).fold(twin.peer_of(low), |product, _| product.times(&leading))
}

/// Every coefficient of every subresultant by the determinants of the definition.
fn short_subresultants<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let [len_a, len_b] = [(); 2].map(|()| 1 + trial.below(9));
    let [a, b] = [len_a, len_b].map(|length| twin.nonzero_poly(trial, length));
    let chain = twin.ring(trial).subresultant_chain(&a, &b);
    let Some(chain) = trial.expect("chain", chain) else {
        return;
    };
    let least = a.len().min(b.len());
    trial.compare_one("as many subresultants", chain.len(), least);
    for (j, ours) in chain.iter().enumerate() {
        let what = format!("S_{j} of {} and {} coefficients", a.len(), b.len());
        if j + 1 == least {
            twin.compare(trial, &what, ours, &head(twin, &a, &b));
            continue;
        }
        let theirs = (0..=j).flat_map(|i| minor(twin, &a, &b, j, i));
        let theirs: Vec<u64> = theirs.collect();
        let mut padded = ours.coefficients().to_vec();
        padded.resize(padded.len().max(j + 1), twin.field().zero());
        twin.compare_rows(trial, &what, &padded, &theirs);
    }
}

/// The least is the resultant, and the first that is not zero a common divisor; those between are compared with
/// the remainders to which they are proportional, and one of them by its determinant.
fn subresultants<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let [len_a, len_b] = [trial.length(24, 60), trial.length(24, 60)];
    let [a, b] = [len_a, len_b].map(|length| twin.nonzero_poly(trial, length));
    let ring = twin.ring(trial);
    let Some(chain) = trial.expect("chain", ring.subresultant_chain(&a, &b)) else {
        return;
    };
    let least = a.len().min(b.len());
    trial.compare_one("as many subresultants", chain.len(), least);
    let lowest = chain.principal(0).unwrap_or_default();
    twin.compare_rows(trial, "S_0", &[lowest], &resultant_of(twin, &a, &b));
    if least > 1 {
        let j = trial.below(least - 1);
        let principal = chain.principal(j).unwrap_or_default();
        let theirs = minor(twin, &a, &b, j, j);
        twin.compare_rows(trial, &format!("principal {j}"), &[principal], &theirs);
    }
    let (mut above, mut below) = (twin.peer_of(&a), twin.peer_of(&b));
    if a.len() < b.len() {
        std::mem::swap(&mut above, &mut below);
    }
    // Each remainder of degree d is proportional to S_d, and S of the degree above it less one.
    let mut remainders = Vec::new();
    while !below.is_zero() {
        remainders.push((below.len() - 1, above.len() - 1, below.monic()));
        let [_, remainder] = above.divided_by(&below);
        above = std::mem::replace(&mut below, remainder);
    }
    for (j, ours) in chain.iter().enumerate() {
        let regular = remainders
            .iter()
            .find(|(own, above, _)| *own == j || above > own && *above == j + 1);
        let (what, ours) = (format!("S_{j}, monic"), ring.monic(ours));
        match regular {
            Some((_, _, theirs)) => twin.compare(trial, &what, &ours, theirs),
            None => twin.compare(trial, &what, &ours, &twin.peer(&[])),
        }
    }
}

/// A power series that begins with a unit.
fn series<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> Vec<F::Elem> {
    let length = lengths(twin, trial, PRODUCT);
    let mut series = twin.operand(trial, length);
    series[0] = twin.unit(trial);
    series
}

fn inverse_series<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let (f, n) = (series(twin, trial), lengths(twin, trial, PRODUCT));
    let theirs = twin.peer(&f).inverse_series(n);
    let done = twin.ring(trial).inverse_series(&f, n);
    if let Some(ours) = trial.expect("inverse", done) {
        twin.compare_padded(trial, "inverse", &ours, &theirs);
    }
}

fn divide_series<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let (f, n) = (series(twin, trial), lengths(twin, trial, PRODUCT));
    let length = lengths(twin, trial, PRODUCT);
    let a = twin.operand(trial, length);
    let theirs = twin.peer(&a).divided_series(&twin.peer(&f), n);
    let done = twin.ring(trial).divide_series(&a, &f, n);
    if let Some(ours) = trial.expect("quotient", done) {
        twin.compare_padded(trial, "quotient", &ours, &theirs);
    }
}

fn shift<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let length = lengths(twin, trial, SLOW);
    let (f, a) = (twin.poly(trial, length), twin.element(trial));
    let argument = twin.peer(&[a, twin.field().one()]);
    let theirs = twin.peer_of(&f).composed(&argument);
    let done = twin.ring(trial).taylor_shift(&f, a);
    if let Some(ours) = trial.expect("shift", done) {
        twin.compare(trial, "shift", &ours, &theirs);
    }
}

fn compose<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let (n, m) = (trial.length(24, 80), trial.length(8, 40));
    let (f, g) = (twin.poly(trial, n), twin.poly(trial, m));
    let theirs = twin.peer(f.coefficients()).composed(&twin.peer_of(&g));
    let done = twin.ring(trial).compose(&f, &g);
    if let Some(ours) = trial.expect("composition", done) {
        twin.compare(trial, "composition", &ours, &theirs);
    }
}

/// What takes a time linear in the length.
fn linear<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let ring = &twin.ring(trial);
    let [f, g] = pair(twin, trial, PRODUCT);
    let (c, n) = (twin.element(trial), trial.length(400, 2000));
    let [p, q] = [&f, &g].map(|own| twin.peer_of(own));
    twin.compare(trial, "sum", &ring.add(&f, &g), &p.plus(&q));
    twin.compare(trial, "difference", &ring.sub(&f, &g), &p.minus(&q));
    twin.compare(trial, "negative", &ring.neg(&f), &p.negated());
    let scaled = p.scaled(&twin.peer_element(c));
    twin.compare(trial, "multiple", &ring.scale(&f, c), &scaled);
    let monic = if p.is_zero() {
        twin.peer(&[])
    } else {
        p.monic()
    };
    twin.compare(trial, "monic", &ring.monic(&f), &monic);
    twin.compare(trial, "derivative", &ring.derivative(&f), &p.derivative());
    twin.compare(trial, "beginning", &ring.truncate(&f, n), &p.truncated(n));
    let ours = ring.div_power_of_x(&f, n);
    twin.compare(trial, "end", &ours, &p.shifted_down(n));
    if let Some(ours) = trial.expect("x^n f", ring.mul_power_of_x(&f, n)) {
        twin.compare(trial, "x^n f", &ours, &p.shifted_up(n));
    }
    let degree = f.len() + n;
    if let Some(ours) = trial.expect("reversal", ring.reverse(&f, degree)) {
        twin.compare(trial, "reversal", &ours, &p.reversed(degree + 1));
    }
}
