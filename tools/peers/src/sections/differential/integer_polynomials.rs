//! Polynomials over Z, against FLINT's `fmpz_poly`.

use std::sync::Arc;

use rug::Integer as GmpInteger;
use rug::integer::Order;
use sunzi_integer::{Integer, Natural};
use sunzi_poly::{Algorithm, FlatPoly, IntegerPolyRing, Poly, PolyError};

use super::operation::Operation;
use super::trial::Trial;
use crate::flint::{FmpzPoly, Signed};

pub fn operations() -> Vec<Operation> {
    let ring = Arc::new(IntegerPolyRing::new());
    let operation = |name, case: fn(&IntegerPolyRing, &mut Trial)| {
        let ring = ring.clone();
        Operation::new(name, "FLINT", move |trial| case(&ring, trial))
    };
    let mut operations = vec![
        operation("zx-mul", product),
        operation("zx-mul-long", long_product),
        operation("zx-mul-batch", batch),
        operation("zx-mul-flat", flat_product),
        operation("zx-sqr", square),
        Operation::alone("zx-flat-limbs", "the definition by GMP", flat_limbs),
        operation("zx-pseudo-divrem", pseudo_division),
        operation("zx-div-exact", exact_division),
        operation("zx-primitive-part", primitive_part),
    ];
    // The others need a field.
    for algorithm in [
        Algorithm::Schoolbook,
        Algorithm::CrtNtt,
        Algorithm::Kronecker,
    ] {
        let ring = ring.clone();
        let name = format!("zx-mul-{algorithm}");
        operations.push(Operation::new(name, "FLINT", move |trial| {
            product_by(&ring, trial, algorithm);
        }));
    }
    operations
}

/// Signed coefficients of up to this many limbs; some are zero.
pub(super) fn coefficients(trial: &mut Trial, length: usize, width: usize) -> Vec<Signed> {
    let (kind, piece) = (trial.operand_kind(), trial.piece());
    let signs = trial.below(3);
    let limbs = kind.limbs(length * width, piece.max(width), &mut trial.random);
    let mut all: Vec<Signed> = limbs
        .chunks_exact(width)
        .map(|limbs| {
            (
                signs == 1 || signs == 2 && trial.below(2) == 0,
                limbs.to_vec(),
            )
        })
        .collect();
    // One limb more or less, now and then, so that lengths differ.
    if trial.below(2) == 0 {
        for (_, limbs) in &mut all {
            limbs.truncate(1 + trial.below(width));
        }
    }
    all
}

pub(super) fn poly(coefficients: &[Signed]) -> Poly<Integer> {
    let integer = |(negative, limbs): &Signed| {
        Integer::from_sign_magnitude(*negative, Natural::from(&limbs[..]))
    };
    Poly::new(coefficients.iter().map(integer).collect())
}

/// Sunzi's polynomial as FLINT's.
pub(super) fn peer(poly: &Poly<Integer>) -> FmpzPoly {
    let signed = |coefficient: &Integer| -> Signed {
        let limbs = coefficient.magnitude().as_limbs();
        (coefficient.is_negative(), limbs.to_vec())
    };
    FmpzPoly::new(&poly.coefficients().iter().map(signed).collect::<Vec<_>>())
}

/// Compares sign and limbs of every coefficient.
pub(super) fn compare(trial: &mut Trial, what: &str, ours: &Poly<Integer>, theirs: &FmpzPoly) {
    let width = |poly: &Poly<Integer>| {
        let widths = poly
            .coefficients()
            .iter()
            .map(|x| x.magnitude().as_limbs().len());
        widths.max().unwrap_or(0)
    };
    let width = width(ours).max(theirs.width());
    let row = |coefficient: &Integer| {
        let mut row = vec![u64::from(coefficient.is_negative())];
        row.extend_from_slice(coefficient.magnitude().as_limbs());
        row.resize(width + 1, 0);
        row
    };
    let ours: Vec<u64> = ours.coefficients().iter().flat_map(row).collect();
    trial.compare_rows(what, width + 1, &ours, &theirs.words(width));
}

fn operand(trial: &mut Trial) -> Vec<Signed> {
    let length = trial.length(100, 1500);
    let width = trial.length(4, if length < 200 { 64 } else { 8 });
    coefficients(trial, length, width)
}

/// Two operands, now and then much alike.
fn operands(trial: &mut Trial) -> [Poly<Integer>; 2] {
    let a = operand(trial);
    let b = match trial.below(3) {
        0 => coefficients(trial, a.len(), a[0].1.len()),
        _ => operand(trial),
    };
    [poly(&a), poly(&b)]
}

fn product_of(a: &Poly<Integer>, b: &Poly<Integer>) -> FmpzPoly {
    let mut product = FmpzPoly::new(&[]);
    product.set_product(&peer(a), &peer(b));
    product
}

fn compare_product(
    trial: &mut Trial,
    ours: Result<Poly<Integer>, PolyError>,
    a: &Poly<Integer>,
    b: &Poly<Integer>,
) {
    let what = format!("{} by {} coefficients", a.len(), b.len());
    if let Some(ours) = trial.expect(&what, ours) {
        compare(trial, &what, &ours, &product_of(a, b));
    }
}

fn product(ring: &IntegerPolyRing, trial: &mut Trial) {
    let [a, b] = operands(trial);
    compare_product(trial, ring.try_mul(&a, &b), &a, &b);
}

/// Threads share 2^15 limbs of an operand or of the packed product.
fn long_product(ring: &IntegerPolyRing, trial: &mut Trial) {
    let width = trial.length(8, 64);
    let limbs = trial.beside(&[1 << 13, 1 << 14, 1 << 15]);
    let [a, b] = [limbs, trial.length(limbs, limbs)]
        .map(|limbs| poly(&coefficients(trial, (limbs / width).max(1), width)));
    compare_product(trial, ring.try_mul(&a, &b), &a, &b);
}

fn product_by(ring: &IntegerPolyRing, trial: &mut Trial, algorithm: Algorithm) {
    let [len_a, len_b] = [trial.length(60, 400), trial.length(60, 400)];
    // One algorithm takes coefficients of any width, the others words.
    let [width_a, width_b] = match algorithm {
        Algorithm::Kronecker => [trial.length(4, 16), trial.length(4, 16)],
        _ => [1, 1],
    };
    let a = poly(&coefficients(trial, len_a, width_a));
    let b = poly(&coefficients(trial, len_b, width_b));
    compare_product(trial, ring.mul_with(algorithm, &a, &b), &a, &b);
}

/// Coefficients from rows of limbs in two's complement, and back.
fn flat_limbs(trial: &mut Trial) {
    let (count, width) = (trial.length(30, 300), trial.length(4, 12));
    let limbs = trial.limbs(count * width);
    let Some(flat) = trial.expect("rows", FlatPoly::from_limbs(width, limbs.clone())) else {
        return;
    };
    let mut theirs: Vec<GmpInteger> = limbs
        .chunks_exact(width)
        .map(|row| {
            let value = GmpInteger::from_digits(row, Order::Lsf);
            value.keep_signed_bits(64 * width as u32)
        })
        .collect();
    let bits = theirs.iter().map(GmpInteger::significant_bits).max();
    trial.compare_one("bits", flat.magnitude_bits(), bits.unwrap_or(0) as usize);
    while theirs.last().is_some_and(GmpInteger::is_zero) {
        theirs.pop();
    }
    let ours: Vec<GmpInteger> = flat
        .to_poly()
        .coefficients()
        .iter()
        .map(GmpInteger::from)
        .collect();
    trial.compare("coefficients", &ours, &theirs);
}

fn batch(ring: &IntegerPolyRing, trial: &mut Trial) {
    let count = trial.length(8, 64);
    let pairs: Vec<_> = (0..count)
        .map(|_| {
            let [len_a, len_b] = [trial.length(20, 60), trial.length(20, 60)];
            let [a, b] = [len_a, len_b].map(|length| poly(&coefficients(trial, length, 2)));
            (a, b)
        })
        .collect();
    if let Some(all) = trial.expect("batch", ring.mul_batch(&pairs)) {
        trial.check("as many products", all.len() == count);
        for (ours, (a, b)) in all.iter().zip(&pairs) {
            compare(trial, "product of a batch", ours, &product_of(a, b));
        }
    }
}

fn flat_product(ring: &IntegerPolyRing, trial: &mut Trial) {
    let [a, b] = operands(trial);
    let [x, y] = [&a, &b].map(FlatPoly::from_poly);
    let mut ours = FlatPoly::default();
    let done = ring.mul_flat(&mut ours, &x, &y);
    compare_product(trial, done.map(|()| ours.to_poly()), &a, &b);
}

fn square(ring: &IntegerPolyRing, trial: &mut Trial) {
    let a = poly(&operand(trial));
    compare(trial, "square", &ring.sqr(&a), &product_of(&a, &a));
}

/// A divisor that is not zero, and a dividend.
fn short_pair(trial: &mut Trial) -> [Poly<Integer>; 2] {
    let [len_a, len_b] = [trial.length(30, 120), trial.length(20, 60)];
    let a = coefficients(trial, len_a, 2);
    let mut b = coefficients(trial, len_b, 2);
    if let Some((_, limbs)) = b.last_mut() {
        limbs[0] |= 1;
    }
    [poly(&a), poly(&b)]
}

fn pseudo_division(ring: &IntegerPolyRing, trial: &mut Trial) {
    let [a, b] = short_pair(trial);
    let done = ring.pseudo_divrem(&a, &b);
    if let Some((quotient, remainder)) = trial.expect("pseudo-division", done) {
        let [q, r] = peer(&a).pseudo_divided_by(&peer(&b));
        compare(trial, "pseudo-quotient", &quotient, &q);
        compare(trial, "pseudo-remainder", &remainder, &r);
    }
}

fn exact_division(ring: &IntegerPolyRing, trial: &mut Trial) {
    let [a, b] = short_pair(trial);
    // A wrong product would hardly have a quotient.
    let multiple = ring.mul(&a, &b);
    let done = ring.div_exact(&multiple, &b);
    if let Some(ours) = trial.expect("exact quotient", done) {
        compare(trial, "exact quotient", &ours, &peer(&a));
    }
}

fn primitive_part(ring: &IntegerPolyRing, trial: &mut Trial) {
    let [length, width] = [trial.length(40, 200), trial.length(2, 6)];
    let mut a = poly(&coefficients(trial, length, width));
    let factor = coefficients(trial, 1, 2);
    a = ring.mul(&a, &poly(&factor));
    let theirs = peer(&a);
    // Sunzi's keeps the sign.
    let negative = a.coefficients().last().is_some_and(Integer::is_negative);
    let part = match negative {
        true => theirs.primitive_part().negated(),
        false => theirs.primitive_part(),
    };
    compare(trial, "primitive part", &ring.primitive_part(&a), &part);
    let content = ring.content(&a);
    compare(
        trial,
        "content",
        &Poly::new(vec![content]),
        &theirs.content(),
    );
}
