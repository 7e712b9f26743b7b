//! Polynomials over prime fields: products, quotients, common divisors and calculus, against FLINT's
//! `fmpz_mod_poly`.

use sunzi_poly::{Algorithm, Divisor, Poly, PolyError, QuotientAndRemainder};

use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};
use crate::flint::FmpzModPoly;

/// What PolyRing does, by name.
pub fn cases<F: Peered>() -> Vec<(&'static str, FieldCase<F>)> {
    vec![
        ("mul", product),
        ("mul-each-algorithm", product_by),
        ("mul-batch", batch),
        ("sqr", square),
        ("divrem", division),
        ("divrem-prepared", prepared_division),
        ("div-exact", exact_division),
        ("gcd", gcd),
        ("xgcd", extended_gcd),
        ("resultant", resultant),
        ("subresultants", subresultants),
        ("inverse-series", inverse_series),
        ("divide-series", divide_series),
        ("shift", shift),
        ("compose", compose),
        ("linear", linear),
    ]
}

/// Usual and rare lengths of what takes about as long as a product.
const PRODUCT: (usize, usize) = (300, 6000);
/// Of what takes log n products.
const SLOW: (usize, usize) = (120, 1500);

/// A result, or the case is wrong.
pub fn expect<T>(trial: &mut Trial, what: &str, done: Result<T, PolyError>) -> Option<T> {
    done.map_err(|error| trial.fail(format!("{what}: {error}")))
        .ok()
}

fn lengths<F: Peered>(twin: &Twin<F>, trial: &mut Trial, (usual, rare): (usize, usize)) -> usize {
    // Wide residues take longer.
    trial.length(usual, (rare / twin.width).max(usual))
}

/// Two operands, of which now and then neither is short.
fn pair<F: Peered>(twin: &Twin<F>, trial: &mut Trial, most: (usize, usize)) -> [Poly<F::Elem>; 2] {
    let length = lengths(twin, trial, most);
    let other = match trial.below(3) {
        0 => length,
        _ => lengths(twin, trial, most),
    };
    [length, other].map(|length| twin.poly(trial, length))
}

fn product<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let [a, b] = pair(twin, trial, PRODUCT);
    let theirs = twin
        .peer(a.coefficients())
        .times(&twin.peer(b.coefficients()));
    let ours = expect(trial, "product", twin.ring.try_mul(&a, &b));
    let what = format!("{} by {} coefficients", a.len(), b.len());
    if let Some(ours) = ours {
        twin.compare(trial, &what, &ours, &theirs);
    }
}

fn product_by<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let [a, b] = pair(twin, trial, (100, 1000));
    let theirs = twin
        .peer(a.coefficients())
        .times(&twin.peer(b.coefficients()));
    let algorithm = *trial.pick(&Algorithm::ALL);
    match twin.ring.mul_with(algorithm, &a, &b) {
        Ok(ours) => twin.compare(trial, algorithm.name(), &ours, &theirs),
        // Some fields have no transforms, or not of this length.
        Err(PolyError::Unavailable { .. }) => {}
        Err(error) => trial.fail(error.to_string()),
    }
}

fn square<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let length = lengths(twin, trial, PRODUCT);
    let a = twin.poly(trial, length);
    let peer = twin.peer(a.coefficients());
    twin.compare(trial, "square", &twin.ring.sqr(&a), &peer.times(&peer));
}

fn batch<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (len_a, len_b) = (trial.length(16, 64), trial.length(16, 64));
    let count = trial.length(16, 1 << 10);
    let a = twin.operand(trial, count * len_a);
    let b = twin.operand(trial, count * len_b);
    let len = len_a + len_b - 1;
    let mut ours = vec![twin.field().zero(); count * len];
    if let Err(error) = twin.ring.mul_batch(&mut ours, &a, &b, len_a, len_b) {
        return trial.fail(error.to_string());
    }
    let pairs = a.chunks_exact(len_a).zip(b.chunks_exact(len_b));
    for ((a, b), ours) in pairs.zip(ours.chunks_exact(len)) {
        let theirs = twin.peer(a).times(&twin.peer(b));
        twin.compare_padded(trial, "product of a batch", ours, &theirs);
    }
}

/// Compares quotient and remainder.
fn compare_quotients<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    ours: Result<QuotientAndRemainder<F::Elem>, PolyError>,
    theirs: &[FmpzModPoly; 2],
) {
    if let Some((quotient, remainder)) = expect(trial, "division", ours) {
        twin.compare(trial, "quotient", &quotient, &theirs[0]);
        twin.compare(trial, "remainder", &remainder, &theirs[1]);
    }
}

fn division<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let [a, b] = pair(twin, trial, PRODUCT);
    if b.is_zero() {
        let refused = twin.ring.divrem(&a, &b) == Err(PolyError::DivisionByZero);
        return trial.compare_one("division by zero is refused", refused, true);
    }
    let theirs = twin
        .peer(a.coefficients())
        .divided_by(&twin.peer(b.coefficients()));
    compare_quotients(twin, trial, twin.ring.divrem(&a, &b), &theirs);
}

fn prepared_division<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let length = lengths(twin, trial, SLOW);
    let b = twin.nonzero_poly(trial, length);
    let peer = twin.peer(b.coefficients());
    let Some(divisor) = expect(trial, "divisor", Divisor::new(&twin.ring, &b)) else {
        return;
    };
    let count = 1 + trial.below(4);
    let dividends: Vec<_> = (0..count)
        .map(|_| {
            let length = lengths(twin, trial, PRODUCT);
            twin.poly(trial, length)
        })
        .collect();
    let Some(all) = expect(trial, "divisions", divisor.divrem_all(&dividends)) else {
        return;
    };
    for (a, ours) in dividends.iter().zip(all) {
        let theirs = twin.peer(a.coefficients()).divided_by(&peer);
        compare_quotients(twin, trial, Ok(ours), &theirs);
    }
}

/// The product by FLINT, as Sunzi's polynomial.
fn product_of<F: Peered>(twin: &Twin<F>, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Poly<F::Elem> {
    let product = twin
        .peer(a.coefficients())
        .times(&twin.peer(b.coefficients()));
    let rows = product.rows(twin.width);
    let rows = rows.chunks_exact(twin.width);
    Poly::new(rows.map(|row| twin.field().element(row)).collect())
}

fn exact_division<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let [a, _] = pair(twin, trial, PRODUCT);
    let length = lengths(twin, trial, PRODUCT);
    let b = twin.nonzero_poly(trial, length);
    let ours = twin.ring.div_exact(&product_of(twin, &a, &b), &b);
    if let Some(ours) = expect(trial, "exact division", ours) {
        let theirs = twin.peer(a.coefficients());
        twin.compare(trial, "exact quotient", &ours, &theirs);
    }
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

fn gcd<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let [a, b] = related(twin, trial);
    let theirs = twin
        .peer(a.coefficients())
        .gcd(&twin.peer(b.coefficients()));
    if let Some(ours) = expect(trial, "gcd", twin.ring.gcd(&a, &b)) {
        let what = format!("gcd of {} and {} coefficients", a.len(), b.len());
        twin.compare(trial, &what, &ours, &theirs);
    }
}

fn extended_gcd<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let [a, b] = related(twin, trial);
    let peers = [&a, &b].map(|own| twin.peer(own.coefficients()));
    let [g, s, t] = peers[0].extended_gcd(&peers[1]);
    let Some(ours) = expect(trial, "xgcd", twin.ring.xgcd(&a, &b)) else {
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

/// The resultant by FLINT, with Sunzi's conventions for zero.
fn resultant_of<F: Peered>(twin: &Twin<F>, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Vec<u64> {
    let constant = |poly: &Poly<F::Elem>| poly.len() == 1;
    if a.is_zero() && constant(b) || b.is_zero() && constant(a) {
        return twin.rows(&[twin.field().one()]);
    }
    let peers = [a, b].map(|own| twin.peer(own.coefficients()));
    peers[0].resultant(&peers[1]).limbs(twin.width)
}

fn resultant<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    // One value a case: most are short.
    let [a, b] = match trial.below(8) {
        0 => related(twin, trial),
        _ => pair(twin, trial, (10, 60)),
    };
    if let Some(ours) = expect(trial, "resultant", twin.ring.resultant(&a, &b)) {
        let theirs = resultant_of(twin, &a, &b);
        twin.compare_rows(trial, "resultant", &[ours], &theirs);
    }
}

/// The least is the resultant, and the first that is not zero a common divisor; those between are compared with
/// the remainders to which they are proportional.
fn subresultants<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let [len_a, len_b] = [trial.length(24, 60), trial.length(24, 60)];
    let [a, b] = [len_a, len_b].map(|length| twin.nonzero_poly(trial, length));
    let Some(chain) = expect(trial, "chain", twin.ring.subresultant_chain(&a, &b)) else {
        return;
    };
    let lowest = chain.principal(0).unwrap_or_default();
    twin.compare_rows(trial, "S_0", &[lowest], &resultant_of(twin, &a, &b));
    let (mut above, mut below) = (twin.peer(a.coefficients()), twin.peer(b.coefficients()));
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
        let ours = twin.ring.monic(ours);
        match regular {
            Some((_, _, theirs)) => twin.compare(trial, &format!("S_{j}"), &ours, theirs),
            None => twin.compare(trial, &format!("S_{j}"), &ours, &twin.peer(&[])),
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

fn inverse_series<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (f, n) = (series(twin, trial), lengths(twin, trial, PRODUCT));
    let theirs = twin.peer(&f).inverse_series(n);
    if let Some(ours) = expect(trial, "inverse", twin.ring.inverse_series(&f, n)) {
        twin.compare_padded(trial, "inverse", &ours, &theirs);
    }
}

fn divide_series<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (f, n) = (series(twin, trial), lengths(twin, trial, PRODUCT));
    let length = lengths(twin, trial, PRODUCT);
    let a = twin.operand(trial, length);
    let theirs = twin.peer(&a).divided_series(&twin.peer(&f), n);
    if let Some(ours) = expect(trial, "quotient", twin.ring.divide_series(&a, &f, n)) {
        twin.compare_padded(trial, "quotient", &ours, &theirs);
    }
}

fn shift<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let length = lengths(twin, trial, SLOW);
    let (f, a) = (twin.poly(trial, length), twin.element(trial));
    let argument = twin.peer(&[a, twin.field().one()]);
    let theirs = twin.peer(f.coefficients()).composed(&argument);
    if let Some(ours) = expect(trial, "shift", twin.ring.taylor_shift(&f, a)) {
        twin.compare(trial, "shift", &ours, &theirs);
    }
}

fn compose<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (n, m) = (trial.length(24, 80), trial.length(8, 40));
    let (f, g) = (twin.poly(trial, n), twin.poly(trial, m));
    let theirs = twin
        .peer(f.coefficients())
        .composed(&twin.peer(g.coefficients()));
    if let Some(ours) = expect(trial, "composition", twin.ring.compose(&f, &g)) {
        twin.compare(trial, "composition", &ours, &theirs);
    }
}

/// What takes a time linear in the length.
fn linear<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let ring = &twin.ring;
    let [f, g] = pair(twin, trial, PRODUCT);
    let (c, n) = (twin.element(trial), trial.length(400, 2000));
    let [p, q] = [&f, &g].map(|own| twin.peer(own.coefficients()));
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
    if let Some(ours) = expect(trial, "x^n f", ring.mul_power_of_x(&f, n)) {
        twin.compare(trial, "x^n f", &ours, &p.shifted_up(n));
    }
    let degree = f.len() + n;
    if let Some(ours) = expect(trial, "reversal", ring.reverse(&f, degree)) {
        twin.compare(trial, "reversal", &ours, &p.reversed(degree + 1));
    }
}
