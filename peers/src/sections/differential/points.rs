//! Values of polynomials at many points and back, remainders by many polynomials and back, against FLINT's
//! `fmpz_mod_poly`.

use sunzi_field::Field;
use sunzi_poly::{Poly, PolyError, RemainderTree, SubinverseTree, SubproductTree};

use super::polynomials::expect;
use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};
use crate::flint::FmpzModPoly;

/// What trees and progressions do, by name.
pub fn cases<F: Peered>() -> Vec<(&'static str, FieldCase<F>)> {
    vec![
        ("evaluate-at", evaluate_at),
        ("evaluate", evaluate),
        ("evaluate-subinverse", evaluate_by_inverses),
        ("interpolate", interpolate),
        ("linear-combination", linear_combination),
        ("subproduct", product),
        ("evaluate-geometric", evaluate_geometric),
        ("interpolate-geometric", interpolate_geometric),
        ("remainders", remainders),
        ("combine-remainders", combine),
    ]
}

fn count<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> usize {
    trial.length(100, (2000 / twin.width).max(100))
}

fn evaluate_at<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let length = count(twin, trial);
    let f = twin.poly(trial, length);
    let peer = twin.peer(f.coefficients());
    let points = twin.operand(trial, 8);
    let theirs = peer.values(&twin.rows(&points), twin.width);
    for (&point, theirs) in points.iter().zip(theirs.chunks_exact(twin.width)) {
        if let Some(ours) = expect(trial, "value", twin.ring.evaluate_at(&f, point)) {
            twin.compare_rows(trial, "value", &[ours], theirs);
        }
    }
}

/// Points, which may be equal, and their tree.
fn tree<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    points: &[F::Elem],
) -> Option<SubproductTree<F>> {
    let made = match trial.below(3) {
        // Leaves smaller than usual.
        0 => SubproductTree::with_threshold(&twin.ring, points, trial.below(7) as u32),
        _ => SubproductTree::new(&twin.ring, points),
    };
    expect(trial, "tree", made)
}

fn evaluate<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (points, length) = (count(twin, trial), count(twin, trial));
    let (points, f) = (twin.operand(trial, points), twin.poly(trial, length));
    let Some(tree) = tree(twin, trial, &points) else {
        return;
    };
    let theirs = twin
        .peer(f.coefficients())
        .values(&twin.rows(&points), twin.width);
    if let Some(ours) = expect(trial, "values", tree.evaluate(&f)) {
        twin.compare_rows(trial, "values", &ours, &theirs);
    }
}

fn evaluate_by_inverses<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (points, length) = (count(twin, trial), count(twin, trial));
    let (points, f) = (twin.operand(trial, points), twin.poly(trial, length));
    let Some(tree) = tree(twin, trial, &points) else {
        return;
    };
    let theirs = twin
        .peer(f.coefficients())
        .values(&twin.rows(&points), twin.width);
    let ours = SubinverseTree::new(&tree).and_then(|inverses| inverses.evaluate(&f));
    if let Some(ours) = expect(trial, "values", ours) {
        twin.compare_rows(trial, "values", &ours, &theirs);
    }
}

/// At most so many points of a kind, all distinct.
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
    let theirs = twin
        .peer(ours.coefficients())
        .values(&twin.rows(points), twin.width);
    twin.compare_rows(trial, "values of what was found", values, &theirs);
}

fn interpolate<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let count = count(twin, trial);
    let points = match trial.below(8) {
        0 => twin.operand(trial, count),
        _ => distinct(twin, trial, count),
    };
    let values = twin.operand(trial, points.len());
    let Some(tree) = tree(twin, trial, &points) else {
        return;
    };
    match tree.interpolate(&values) {
        Ok(ours) => compare_interpolation(twin, trial, &ours, &points, &values),
        Err(PolyError::RepeatedPoint { first, second }) => {
            let repeated = first < second && points[first] == points[second];
            trial.compare_one("a repeated point", repeated, true);
        }
        Err(error) => trial.fail(error.to_string()),
    }
}

/// The sum of c_i·M/(x − u_i) has the values c_i·M'(u_i), if no point is repeated.
fn linear_combination<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let count = count(twin, trial);
    let points = distinct(twin, trial, count);
    let factors = twin.operand(trial, points.len());
    let Some(tree) = tree(twin, trial, &points) else {
        return;
    };
    let Some(ours) = expect(trial, "combination", tree.linear_combination(&factors)) else {
        return;
    };
    let rows = twin.rows(&points);
    let all = FmpzModPoly::with_roots(&twin.modulus, &rows, twin.width);
    let weights = all.derivative().values(&rows, twin.width);
    let theirs = twin.peer(ours.coefficients()).values(&rows, twin.width);
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

fn product<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
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

fn evaluate_geometric<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let (n, length) = (count(twin, trial), count(twin, trial));
    let (f, start, ratio) = (
        twin.poly(trial, length),
        twin.element(trial),
        twin.element(trial),
    );
    let points = progression(twin, start, ratio, n);
    let theirs = twin
        .peer(f.coefficients())
        .values(&twin.rows(&points), twin.width);
    let ours = twin.ring.evaluate_geometric(&f, start, ratio, n);
    if let Some(ours) = expect(trial, "values", ours) {
        twin.compare_rows(trial, "values", &ours, &theirs);
    }
}

fn interpolate_geometric<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let n = count(twin, trial);
    let (start, ratio) = (twin.element(trial), twin.element(trial));
    let (points, values) = (progression(twin, start, ratio, n), twin.operand(trial, n));
    match twin.ring.interpolate_geometric(start, ratio, &values) {
        Ok(ours) => compare_interpolation(twin, trial, &ours, &points, &values),
        Err(PolyError::RepeatedPoint { first, second }) => {
            let repeated = first < second && points[first] == points[second];
            trial.compare_one("a repeated point", repeated, true);
        }
        Err(error) => trial.fail(error.to_string()),
    }
}

/// Moduli and their tree.
type Moduli<F> = (Vec<Poly<<F as Field>::Elem>>, RemainderTree<F>);

/// Moduli of different degrees, none constant.
fn moduli<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> Option<Moduli<F>> {
    let (count, most) = (trial.length(12, 60), trial.length(12, 40));
    let moduli: Vec<_> = (0..count)
        .map(|_| {
            let degree = 1 + trial.below(most);
            let mut coefficients = twin.operand(trial, degree);
            coefficients.push(twin.unit(trial));
            Poly::new(coefficients)
        })
        .collect();
    let tree = expect(trial, "tree", RemainderTree::new(&twin.ring, &moduli))?;
    Some((moduli, tree))
}

fn remainders<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let Some((moduli, tree)) = moduli(twin, trial) else {
        return;
    };
    let length = trial.length(2 * tree.degree(), 2 * tree.degree());
    let f = twin.poly(trial, length);
    let peer = twin.peer(f.coefficients());
    if let Some(ours) = expect(trial, "remainders", tree.remainders(&f)) {
        for (ours, modulus) in ours.iter().zip(&moduli) {
            let [_, theirs] = peer.divided_by(&twin.peer(modulus.coefficients()));
            twin.compare(trial, "remainder", ours, &theirs);
        }
    }
}

/// The one polynomial of low degree with given remainders.
fn combine<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let Some((moduli, tree)) = moduli(twin, trial) else {
        return;
    };
    let given: Vec<_> = moduli
        .iter()
        .map(|modulus| twin.poly(trial, modulus.len()))
        .collect();
    let peers: Vec<_> = moduli
        .iter()
        .map(|own| twin.peer(own.coefficients()))
        .collect();
    match tree.combine(&given) {
        Ok(ours) => {
            trial.compare_one("degree is low", ours.len() <= tree.degree(), true);
            let ours = twin.peer(ours.coefficients());
            for (modulus, given) in peers.iter().zip(&given) {
                let [_, expected] = twin.peer(given.coefficients()).divided_by(modulus);
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
