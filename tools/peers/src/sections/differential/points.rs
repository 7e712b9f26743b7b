//! Values of polynomials at many points and back, remainders by many polynomials and back, against FLINT's
//! `fmpz_mod_poly`.

use sunzi_field::Field;
use sunzi_poly::{AnyLengthDft, Poly, PolyError, RemainderTree, SubinverseTree, SubproductTree};

use super::trial::Trial;
use super::twin::{FieldCase, Peered, Polynomial, Twin};
use crate::flint::FmpzModPoly;

/// What trees and progressions do, by name.
pub fn cases<F: Polynomial>() -> Vec<FieldCase<F>> {
    vec![
        FieldCase::shared("evaluate-at", evaluate_at),
        FieldCase::shared("evaluate", |twin, trial| {
            evaluate(twin, trial, |tree, f| tree.evaluate(f))
        }),
        FieldCase::shared("evaluate-subinverse", |twin, trial| {
            evaluate(twin, trial, |tree, f| {
                SubinverseTree::new(tree)?.evaluate(f)
            })
        }),
        FieldCase::shared("evaluate-all", evaluate_all),
        FieldCase::shared("interpolate", interpolate),
        FieldCase::shared("linear-combination", linear_combination),
        FieldCase::shared("subproduct", product),
        FieldCase::shared("evaluate-geometric", evaluate_geometric),
        FieldCase::shared("interpolate-geometric", interpolate_geometric),
        FieldCase::shared("remainders", remainders),
        FieldCase::shared("combine-remainders", combine),
    ]
}

/// Transforms of lengths that are no powers of two, through products of polynomials.
pub fn transforms<F: Polynomial>() -> Vec<FieldCase<F>> {
    vec![FieldCase::shared("any-length", any_length)]
}

/// Lengths that divide p − 1.
fn any_length<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let most = if trial.below(16) == 0 { 11 } else { 7 };
    let most = 1 << (most - twin.width.ilog2().min(4));
    let mut len = 1;
    for (prime, exponent) in twin.field().order_factors() {
        for _ in 0..exponent.min(8) {
            if prime < most && len * prime <= most && trial.below(3) > 0 {
                len *= prime;
            }
        }
    }
    let len = len as usize;
    let Some(plan) = trial.expect("plan", AnyLengthDft::new(twin.field(), len)) else {
        return;
    };
    let root = plan.root_of_unity();
    let next = |&power: &F::Elem| Some(twin.field().mul(power, root));
    let powers = std::iter::successors(Some(twin.field().one()), next);
    let powers: Vec<F::Elem> = powers.take(len).collect();
    let values = |x: &[F::Elem]| twin.peer(x).values(&twin.rows(&powers), twin.width);
    let given = twin.operand(trial, len);
    let what = format!("{len} points");
    let mut found = given.clone();
    if trial.below(2) == 0 {
        if trial.expect(&what, plan.forward(&mut found)).is_some() {
            twin.compare_rows(trial, &what, &found, &values(&given));
        }
    } else if trial.expect(&what, plan.inverse(&mut found)).is_some() {
        twin.compare_rows(trial, &format!("{what}, inverse"), &given, &values(&found));
    }
}

fn count<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> usize {
    trial.length(100, (2000 / twin.width).max(100))
}

fn evaluate_at<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let length = count(twin, trial);
    let f = twin.poly(trial, length);
    let peer = twin.peer_of(&f);
    let points = twin.operand(trial, 8);
    let theirs = peer.values(&twin.rows(&points), twin.width);
    for (&point, theirs) in points.iter().zip(theirs.chunks_exact(twin.width)) {
        let done = twin.ring(trial).evaluate_at(&f, point);
        if let Some(ours) = trial.expect("value", done) {
            twin.compare_rows(trial, "value", &[ours], theirs);
        }
    }
}

/// Points, which may be equal, and their tree.
fn tree<F: Polynomial>(
    twin: &Twin<F>,
    trial: &mut Trial,
    points: &[F::Elem],
) -> Option<SubproductTree<F>> {
    let made = match trial.below(3) {
        // Leaves smaller than usual.
        0 => SubproductTree::with_threshold(&twin.ring(trial), points, trial.below(7) as u32),
        _ => SubproductTree::new(&twin.ring(trial), points),
    };
    trial.expect("tree", made)
}

fn evaluate<F: Polynomial>(
    twin: &Twin<F>,
    trial: &mut Trial,
    by: impl Fn(&SubproductTree<F>, &Poly<F::Elem>) -> Result<Vec<F::Elem>, PolyError>,
) {
    let (points, length) = (count(twin, trial), count(twin, trial));
    let (points, f) = (twin.operand(trial, points), twin.poly(trial, length));
    let Some(tree) = tree(twin, trial, &points) else {
        return;
    };
    if let Some(ours) = trial.expect("values", by(&tree, &f)) {
        let theirs = twin.peer_of(&f).values(&twin.rows(&points), twin.width);
        twin.compare_rows(trial, "values", &ours, &theirs);
    }
}

/// Few polynomials, of which threads have one each.
fn several<F: Peered>(twin: &Twin<F>, trial: &mut Trial, most: usize) -> Vec<Poly<F::Elem>> {
    let count = trial.below(5);
    (0..count)
        .map(|_| {
            let length = trial.length(most, most);
            twin.poly(trial, length)
        })
        .collect()
}

fn evaluate_all<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let points = count(twin, trial);
    let points = twin.operand(trial, points);
    let Some(tree) = tree(twin, trial, &points) else {
        return;
    };
    let all = several(twin, trial, 2 * points.len());
    if let Some(ours) = trial.expect("values", tree.evaluate_all(&all)) {
        trial.check("as many rows of values", ours.len() == all.len());
        for (ours, f) in ours.iter().zip(&all) {
            let theirs = twin.peer_of(f).values(&twin.rows(&points), twin.width);
            twin.compare_rows(trial, "values of many", ours, &theirs);
        }
    }
}

/// At most this many points of a kind, all distinct.
fn distinct<F: Peered>(twin: &Twin<F>, trial: &mut Trial, count: usize) -> Vec<F::Elem> {
    let points = twin.operand(trial, count);
    let mut rows: Vec<(Vec<u64>, F::Elem)> = points
        .into_iter()
        .map(|point| (twin.rows(&[point]), point))
        .collect();
    // Kinds of few values are filled up with neighbours.
    let mut next = twin.element(trial);
    for _ in rows.len() / 2..count {
        next = twin.field().add(next, twin.field().one());
        rows.push((twin.rows(&[next]), next));
    }
    rows.sort_by(|(x, _), (y, _)| x.cmp(y));
    rows.dedup_by(|(x, _), (y, _)| x == y);
    let mut points: Vec<F::Elem> = rows.into_iter().map(|(_, point)| point).collect();
    for last in (1..points.len()).rev() {
        points.swap(last, trial.below(last + 1));
    }
    points.truncate(count);
    points
}

/// Interpolation has one right answer: of degree below the number of points, with these values there.
fn compare_interpolation<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    ours: &Poly<F::Elem>,
    points: &[F::Elem],
    values: &[F::Elem],
) {
    trial.compare_one("degree is low", ours.len() <= points.len(), true);
    let theirs = twin.peer_of(ours).values(&twin.rows(points), twin.width);
    twin.compare_rows(trial, "values of what was found", values, &theirs);
}

/// What was found for these values, or that two points are equal.
fn compare_interpolated<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    ours: Result<Poly<F::Elem>, PolyError>,
    points: &[F::Elem],
    values: &[F::Elem],
) {
    match ours {
        Ok(ours) => compare_interpolation(twin, trial, &ours, points, values),
        Err(PolyError::RepeatedPoint { first, second }) => {
            let repeated = first < second && points[first] == points[second];
            trial.compare_one("a repeated point", repeated, true);
        }
        Err(error) => trial.fail(error.to_string()),
    }
}

fn interpolate<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let count = count(twin, trial);
    let points = match trial.below(8) {
        0 => twin.operand(trial, count),
        _ => distinct(twin, trial, count),
    };
    let values = twin.operand(trial, points.len());
    if let Some(tree) = tree(twin, trial, &points) {
        let ours = tree.interpolate(&values);
        compare_interpolated(twin, trial, ours, &points, &values);
    }
}

/// The sum of c_i·M/(x − u_i) has the values c_i·M'(u_i), if no point is repeated.
fn linear_combination<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let count = count(twin, trial);
    let points = distinct(twin, trial, count);
    let factors = twin.operand(trial, points.len());
    let Some(tree) = tree(twin, trial, &points) else {
        return;
    };
    let Some(ours) = trial.expect("combination", tree.linear_combination(&factors)) else {
        return;
    };
    let rows = twin.rows(&points);
    let all = FmpzModPoly::with_roots(&twin.modulus, &rows, twin.width);
    let weights = all.derivative().values(&rows, twin.width);
    let theirs = twin.peer_of(&ours).values(&rows, twin.width);
    trial.compare_one("degree is low", ours.len() <= points.len(), true);
    let weights = weights.chunks_exact(twin.width);
    for ((&factor, weight), theirs) in factors
        .iter()
        .zip(weights)
        .zip(theirs.chunks_exact(twin.width))
    {
        let ours = twin.field().mul(factor, twin.field().element(weight));
        twin.compare_rows(trial, "value of a combination", &[ours], theirs);
    }
}

fn product<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let count = count(twin, trial);
    let points = twin.operand(trial, count);
    let Some(tree) = tree(twin, trial, &points) else {
        return;
    };
    let theirs = FmpzModPoly::with_roots(&twin.modulus, &twin.rows(&points), twin.width);
    twin.compare(trial, "product", &tree.product(), &theirs);
}

/// start·ratio^i for i below `count`.
fn progression<F: Peered>(
    twin: &Twin<F>,
    start: F::Elem,
    ratio: F::Elem,
    count: usize,
) -> Vec<F::Elem> {
    let next = |&point: &F::Elem| Some(twin.field().mul(point, ratio));
    std::iter::successors(Some(start), next)
        .take(count)
        .collect()
}

fn evaluate_geometric<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let (n, length) = (count(twin, trial), count(twin, trial));
    let (f, start, ratio) = (
        twin.poly(trial, length),
        twin.element(trial),
        twin.element(trial),
    );
    let points = progression(twin, start, ratio, n);
    let theirs = twin.peer_of(&f).values(&twin.rows(&points), twin.width);
    let ours = twin.ring(trial).evaluate_geometric(&f, start, ratio, n);
    if let Some(ours) = trial.expect("values", ours) {
        twin.compare_rows(trial, "values", &ours, &theirs);
    }
}

fn interpolate_geometric<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let n = count(twin, trial);
    let (start, ratio) = (twin.element(trial), twin.element(trial));
    let (points, values) = (progression(twin, start, ratio, n), twin.operand(trial, n));
    let ours = twin
        .ring(trial)
        .interpolate_geometric(start, ratio, &values);
    compare_interpolated(twin, trial, ours, &points, &values);
}

/// Moduli and their tree.
type Moduli<F> = (Vec<Poly<<F as Field>::Elem>>, RemainderTree<F>);

/// Moduli of different degrees, none constant.
fn moduli<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) -> Option<Moduli<F>> {
    let (count, most) = (trial.length(12, 60), trial.length(12, 40));
    let moduli: Vec<_> = (0..count)
        .map(|_| {
            let degree = 1 + trial.below(most);
            let mut coefficients = twin.operand(trial, degree);
            coefficients.push(twin.unit(trial));
            Poly::new(coefficients)
        })
        .collect();
    let made = RemainderTree::new(&twin.ring(trial), &moduli);
    let tree = trial.expect("tree", made)?;
    Some((moduli, tree))
}

fn remainders<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let Some((moduli, tree)) = moduli(twin, trial) else {
        return;
    };
    let peers: Vec<_> = moduli.iter().map(|modulus| twin.peer_of(modulus)).collect();
    let one = twin.peer(&[twin.field().one()]);
    let product = peers
        .iter()
        .fold(one, |product, modulus| product.times(modulus));
    twin.compare(trial, "product of the moduli", &tree.product(), &product);
    let mut all = several(twin, trial, 2 * tree.degree());
    all.push(twin.poly(trial, tree.degree()));
    let together = tree.remainders_all(&all);
    let Some(together) = trial.expect("remainders", together) else {
        return;
    };
    trial.check("as many rows of remainders", together.len() == all.len());
    for (ours, f) in together.iter().zip(&all) {
        let Some(alone) = trial.expect("remainders", tree.remainders(f)) else {
            return;
        };
        let f = twin.peer_of(f);
        let as_many = ours.len() == moduli.len() && alone.len() == moduli.len();
        trial.check("a remainder for each modulus", as_many);
        for ((ours, alone), modulus) in ours.iter().zip(&alone).zip(&peers) {
            let [_, theirs] = f.divided_by(modulus);
            twin.compare(trial, "remainder of many", ours, &theirs);
            twin.compare(trial, "remainder", alone, &theirs);
        }
    }
}

/// The one polynomial of low degree with given remainders.
fn combine<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let Some((moduli, tree)) = moduli(twin, trial) else {
        return;
    };
    let given: Vec<_> = moduli
        .iter()
        .map(|modulus| twin.poly(trial, modulus.len()))
        .collect();
    let peers: Vec<_> = moduli.iter().map(|own| twin.peer_of(own)).collect();
    match tree.combine(&given) {
        Ok(ours) => {
            trial.compare_one("degree is low", ours.len() <= tree.degree(), true);
            let ours = twin.peer_of(&ours);
            for (modulus, given) in peers.iter().zip(&given) {
                let [_, expected] = twin.peer_of(given).divided_by(modulus);
                let [_, found] = ours.divided_by(modulus);
                let (found, expected) = (found.rows(twin.width), expected.rows(twin.width));
                trial.compare_rows("remainder", twin.width, &found, &expected);
            }
        }
        Err(PolyError::CommonFactor { first, second }) => {
            let common = peers[first].gcd(&peers[second]);
            trial.compare_one("a common factor", common.len() > 1, true);
        }
        Err(error) => trial.fail(error.to_string()),
    }
}
