//! Determinants of matrices over Z and Q, and linear algebra over Q, against FLINT; and of doubles against the exact value.

use rug::integer::Order;
use rug::{Integer as GmpInteger, Rational as GmpRational};
use sunzi_field::primality::is_prime;
use sunzi_integer::{Integer, Rational};
use sunzi_linalg::MatrixError;
use sunzi_linalg::dense::{
    DenseMatrix, IntegerDeterminant, IntegerMethod, RationalElimination, clear_denominators,
};
use sunzi_linalg::float::{self, Pivoting, ScaledFloat};

use super::operation::Operation;
use super::trial::Trial;
use crate::flint::{FmpqMatrix, FmpzMatrix, Signed};

/// What matrices over Z, Q and of doubles have.
pub fn operations() -> Vec<Operation> {
    let integer = |name, method, orders| {
        Operation::new(name, "FLINT", move |trial| integer(trial, method, orders))
    };
    vec![
        integer("det-integer", IntegerMethod::Automatic, (4, 24)),
        // Threads share the primes.
        integer("det-integer-long", IntegerMethod::Automatic, (24, 40)),
        integer("det-integer-residues", IntegerMethod::Residues, (4, 24)),
        integer("det-integer-lifting", IntegerMethod::Lifting, (4, 24)),
        integer("det-integer-big-prime", IntegerMethod::BigPrime, (4, 16)),
        integer(
            "det-integer-fraction-free",
            IntegerMethod::FractionFree,
            (4, 16),
        ),
        integer("det-integer-two-adic", IntegerMethod::TwoAdic, (4, 24)),
        Operation::new("det-integer-early", "FLINT", early),
        Operation::new("det-rational", "FLINT", rational),
        Operation::new("matrix-rational", "FLINT", linear_algebra),
        Operation::alone("det-float", "FLINT (within a bound of the error)", floating),
        Operation::new("det-float-long", "the determinant known", floating_known),
    ]
}

/// Signed entries of up to this many limbs, of a kind.
pub fn integers(trial: &mut Trial, order: usize, width: usize) -> Vec<GmpInteger> {
    let (kind, piece) = (trial.operand_kind(), trial.piece());
    let limbs = kind.limbs(order * order * width, piece, &mut trial.random);
    let shift = trial.below(64) as u32;
    let mut entries: Vec<GmpInteger> = limbs
        .chunks_exact(width)
        .map(|limbs| {
            let value = GmpInteger::from_digits(limbs, Order::Lsf) >> shift;
            if trial.below(2) == 0 { -value } else { value }
        })
        .collect();
    if order > 1 && trial.below(6) == 0 {
        let [from, to] = [(); 2].map(|()| trial.below(order));
        for j in 0..order {
            entries[to * order + j] = GmpInteger::from(&entries[from * order + j] * -3i32);
        }
    }
    entries
}

/// The numerator and the denominator.
fn parts(value: &Rational) -> [GmpInteger; 2] {
    [value.numerator().into(), value.denominator().into()]
}

/// What elimination over Q finds, against FLINT's reduced echelon form, and a product.
fn linear_algebra(trial: &mut Trial) {
    let [rows, columns] = [(); 2].map(|()| trial.length(5, 14).max(1));
    let order = rows.max(columns);
    let width = trial.length(2, 4).max(1);
    let mut entries = integers(trial, order, width);
    entries.truncate(rows * columns);
    if rows > 2 && trial.below(2) == 0 {
        for j in 0..columns {
            let sum = GmpInteger::from(&entries[j] + &entries[columns + j]);
            entries[(rows - 1) * columns + j] = sum;
        }
    }
    let signed =
        |entry: &GmpInteger| -> Signed { (*entry < 0, entry.as_abs().to_digits(Order::Lsf)) };
    let theirs: Vec<Signed> = entries.iter().map(signed).collect();
    let theirs = FmpzMatrix::of_shape((rows, columns), &theirs);
    let theirs = FmpqMatrix::of_integers(&theirs, (rows, columns))
        .reduced()
        .entries();
    let ours = entries
        .iter()
        .map(|entry| Rational::from(Integer::from(entry)))
        .collect();
    let ours = DenseMatrix::new(rows, columns, ours).expect("as many entries as the shape says");
    let elimination = RationalElimination::new();
    let found = elimination.reduced_row_echelon_form(&ours);
    let Some((form, pivots)) = trial.expect("echelon form", found) else {
        return;
    };
    let form: Vec<[GmpInteger; 2]> = form.entries().iter().map(parts).collect();
    let what = format!("of {rows} by {columns}");
    trial.compare(&format!("echelon form {what}"), &form, &theirs);
    if let Some(rank) = trial.expect("rank", elimination.rank(&ours)) {
        trial.compare_one(&format!("rank {what}"), rank, pivots.len());
    }
    if let Some(basis) = trial.expect("nullspace", elimination.nullspace(&ours)) {
        trial.compare_one(
            &format!("nullity {what}"),
            basis.columns(),
            columns - pivots.len(),
        );
        let image = trial.expect("product", elimination.product(&ours, &basis));
        let vanishes = image.is_some_and(|image| image.entries().iter().all(Rational::is_zero));
        trial.check(&format!("the nullspace {what} vanishes"), vanishes);
    }
}

/// The determinant by FLINT.
pub fn by_flint(order: usize, entries: &[GmpInteger]) -> GmpInteger {
    let signed =
        |entry: &GmpInteger| -> Signed { (*entry < 0, entry.as_abs().to_digits(Order::Lsf)) };
    let matrix = FmpzMatrix::new(order, &entries.iter().map(signed).collect::<Vec<_>>());
    let bits: u64 = entries
        .chunks_exact(order.max(1))
        .map(|row| {
            let longest = row.iter().map(GmpInteger::significant_bits).max();
            u64::from(longest.unwrap_or(0)) + u64::from(order.ilog2()) + 1
        })
        .sum();
    let words = matrix.determinant((bits / 64 + 1) as usize);
    let magnitude = GmpInteger::from_digits(&words[1..], Order::Lsf);
    if words[0] == 1 { -magnitude } else { magnitude }
}

fn integer(trial: &mut Trial, method: IntegerMethod, (usual, rare): (usize, usize)) {
    let order = trial.length(usual, rare);
    let width = trial.length(2, if order < 12 { 16 } else { 3 });
    let entries = integers(trial, order, width);
    let ours = DenseMatrix::new(order, order, entries.iter().map(Integer::from).collect());
    let ours = ours.expect("as many entries as the shape says");
    match IntegerDeterminant::new().method(method).compute(&ours) {
        Ok(found) => {
            let theirs = by_flint(order, &entries);
            trial.compare_one(
                &format!("order {order}"),
                GmpInteger::from(found.value),
                theirs,
            );
        }
        // More bits than the largest named prime has: there is nothing to compare.
        Err(MatrixError::TooLarge { .. }) if method == IntegerMethod::BigPrime => {}
        Err(error) => trial.fail(error.to_string()),
    }
}

/// Early termination, also of determinants that the primes above 2^30 divide one after the other.
fn early(trial: &mut Trial) {
    let order = trial.length(4, 24).max(1);
    let mut entries = integers(trial, order, 1);
    if trial.below(2) == 0 {
        let primes = (1u64 << 30..).filter(|&p| is_prime(p));
        for prime in primes.take(1 + trial.below(40)) {
            let row = trial.below(order) * order;
            for entry in &mut entries[row..row + order] {
                *entry *= prime;
            }
        }
    }
    let ours = DenseMatrix::new(order, order, entries.iter().map(Integer::from).collect());
    let ours = ours.expect("as many entries as the shape says");
    let found = IntegerDeterminant::new().early(trial.seed()).compute(&ours);
    if let Some(found) = trial.expect("determinant", found) {
        let theirs = by_flint(order, &entries);
        trial.compare_one(
            &format!("order {order}"),
            GmpInteger::from(found.value),
            theirs,
        );
    }
}

fn rational(trial: &mut Trial) {
    let order = trial.length(4, 12);
    let numerators = integers(trial, order, 1);
    let denominators: Vec<GmpInteger> = integers(trial, order, 1)
        .into_iter()
        .map(|value| (value.abs() >> 48u32) + 1u32)
        .collect();
    let ratio = |(numerator, denominator): (&GmpInteger, &GmpInteger)| {
        Rational::new(numerator.into(), denominator.into()).expect("a positive denominator")
    };
    let ours = numerators.iter().zip(&denominators).map(ratio).collect();
    let ours = DenseMatrix::new(order, order, ours).expect("as many entries as the shape says");
    // Each row by the product of its denominators.
    let mut whole = Vec::with_capacity(order * order);
    let mut product = GmpInteger::from(1);
    for i in 0..order {
        let row = i * order..(i + 1) * order;
        let multiple: GmpInteger = denominators[row.clone()].iter().product();
        for j in row {
            whole.push(GmpInteger::from(&numerators[j] * &multiple) / &denominators[j]);
        }
        product *= multiple;
    }
    let theirs = GmpRational::from((by_flint(order, &whole), product));
    if let Some(found) = trial.expect("determinant", ours.determinant()) {
        let [numerator, denominator] = parts(&found);
        trial.compare_one("numerator", &numerator, theirs.numer());
        trial.compare_one("denominator", &denominator, theirs.denom());
    }
    // Each row times some number, the product of all of which comes with it.
    let (cleared, multiple) = clear_denominators(&ours);
    let (mut again, mut multiples) = (Vec::new(), GmpInteger::from(1));
    for row in ours.entries().chunks_exact(order) {
        let denominator = |x: &Rational| GmpInteger::from(x.denominator());
        let least = row
            .iter()
            .map(denominator)
            .fold(GmpInteger::from(1), |least, x| least.lcm(&x));
        for x in row {
            again.push(GmpInteger::from(x.numerator()) * (&least / denominator(x)));
        }
        multiples *= least;
    }
    let cleared: Vec<GmpInteger> = cleared.entries().iter().map(GmpInteger::from).collect();
    trial.compare("rows times their denominators", &cleared, &again);
    trial.compare_one(
        "product of the rows' multiples",
        GmpInteger::from(multiple),
        multiples,
    );
}

/// Elimination with partial pivoting has a bound: its errors are those of entries changed by at most
/// n²·2^(n−1)·2^−53 times the largest, and the determinant changes by so much times n and the other rows' norms.
fn floating(trial: &mut Trial) {
    let order = trial.length(6, 8);
    let entries: Vec<GmpInteger> = integers(trial, order, 1)
        .into_iter()
        .map(|entry| entry >> 24u32)
        .collect();
    let doubles: Vec<f64> = entries.iter().map(GmpInteger::to_f64).collect();
    let largest = doubles
        .iter()
        .fold(0f64, |most, entry| most.max(entry.abs()));
    let matrix =
        DenseMatrix::new(order, order, doubles).expect("as many entries as the shape says");
    let n = order as f64;
    let change = n * n * 2f64.powi(order as i32 - 1) * 2f64.powi(-52) * largest;
    let bound = n * n * change * (n.sqrt() * (largest + change)).powi(order as i32 - 1);
    let found = float::determinant_by(Pivoting::Largest, &matrix);
    let Some(found) = trial.expect("determinant", found) else {
        return;
    };
    let value = found.to_f64();
    let Some(ours) = GmpRational::from_f64(value) else {
        return trial.fail(format!("the determinant is {value}"));
    };
    let error = (ours - GmpRational::from(by_flint(order, &entries)))
        .to_f64()
        .abs();
    let what = format!("error {error:e} within {bound:e}");
    trial.compare_one(&what, error <= bound, true);
}

/// The matrix of min(i, j) has determinant 1, and so small minors that elimination rounds nothing; nor does it where
/// rows and columns are scaled by powers of two and columns exchanged. The determinant is known, to the last bit.
fn floating_known(trial: &mut Trial) {
    // Threads share steps on 2^15 entries.
    let order = match trial.below(2) {
        0 => trial.length(12, 40),
        _ => trial.beside(&[182]).min(200),
    };
    let mut columns: Vec<usize> = (0..order).collect();
    let mut negative = false;
    for last in (1..order).rev() {
        let other = trial.below(last + 1);
        columns.swap(last, other);
        negative ^= other != last;
    }
    let mut powers = || -> Vec<i32> { (0..order).map(|_| trial.below(9) as i32 - 4).collect() };
    let (rows, scales) = (powers(), powers());
    let mut signs = vec![false; order];
    for sign in &mut signs {
        *sign = trial.below(2) == 0;
        negative ^= *sign;
    }
    let matrix = DenseMatrix::from_fn(order, order, |i, j| {
        let entry = (i.min(columns[j]) + 1) as f64 * 2f64.powi(rows[i] + scales[j]);
        if signs[i] { -entry } else { entry }
    });
    let exponent: i32 = rows.iter().chain(&scales).sum();
    let known = ScaledFloat::new(if negative { -1.0 } else { 1.0 }, exponent.into());
    for pivoting in Pivoting::ALL {
        let found = float::determinant_by(pivoting, &matrix);
        if let Some(found) = trial.expect("determinant", found) {
            let what = format!("order {order}, {pivoting:?}");
            trial.compare_one(&what, found.value(), known);
            let as_double = 2f64.powi(exponent.clamp(-1100, 1100)) * known.mantissa();
            trial.compare_one(&format!("{what}, as a double"), found.to_f64(), as_double);
        }
    }
}
