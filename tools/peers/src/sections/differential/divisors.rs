//! Quotients and remainders of polynomials over prime fields, against FLINT's `fmpz_mod_poly`.

use sunzi_poly::{Divisor, PolyError, QuotientAndRemainder};

use super::polynomials::{PRODUCT, SLOW, lengths, pair, product_of};
use super::trial::Trial;
use super::twin::{FieldCase, Peered, Polynomial, Twin};
use crate::flint::FmpzModPoly;

/// Divisions, by name.
pub fn cases<F: Polynomial>() -> Vec<FieldCase<F>> {
    vec![
        FieldCase::shared("divrem", division),
        FieldCase::shared("divrem-prepared", prepared_division),
        FieldCase::shared("div-exact", exact_division),
    ]
}

/// Compares quotient and remainder.
fn compare_quotients<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    (quotient, remainder): &QuotientAndRemainder<F::Elem>,
    theirs: &[FmpzModPoly; 2],
) {
    twin.compare(trial, "quotient", quotient, &theirs[0]);
    twin.compare(trial, "remainder", remainder, &theirs[1]);
}

fn division<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let [a, b] = pair(twin, trial, PRODUCT);
    let ours = twin.ring(trial).divrem(&a, &b);
    if b.is_zero() {
        let refused = ours == Err(PolyError::DivisionByZero);
        return trial.compare_one("division by zero is refused", refused, true);
    }
    if let Some(ours) = trial.expect("division", ours) {
        let theirs = twin.peer_of(&a).divided_by(&twin.peer_of(&b));
        compare_quotients(twin, trial, &ours, &theirs);
    }
}

fn prepared_division<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let length = lengths(twin, trial, SLOW);
    let b = twin.nonzero_poly(trial, length);
    let peer = twin.peer_of(&b);
    let made = Divisor::new(&twin.ring(trial), &b);
    let Some(divisor) = trial.expect("divisor", made) else {
        return;
    };
    let count = trial.below(5);
    let dividends: Vec<_> = (0..count)
        .map(|_| {
            let length = lengths(twin, trial, PRODUCT);
            twin.poly(trial, length)
        })
        .collect();
    let Some(all) = trial.expect("divisions", divisor.divrem_all(&dividends)) else {
        return;
    };
    trial.check("as many quotients", all.len() == count);
    for (a, ours) in dividends.iter().zip(&all) {
        let theirs = twin.peer_of(a).divided_by(&peer);
        compare_quotients(twin, trial, ours, &theirs);
        if let Some(alone) = trial.expect("division", divisor.divrem(a)) {
            compare_quotients(twin, trial, &alone, &theirs);
        }
        if let Some(remainder) = trial.expect("remainder", divisor.rem(a)) {
            twin.compare(trial, "remainder alone", &remainder, &theirs[1]);
        }
    }
}

fn exact_division<F: Polynomial>(twin: &Twin<F>, trial: &mut Trial) {
    let [a, _] = pair(twin, trial, PRODUCT);
    let length = lengths(twin, trial, PRODUCT);
    let b = twin.nonzero_poly(trial, length);
    let ours = twin.ring(trial).div_exact(&product_of(twin, &a, &b), &b);
    if let Some(ours) = trial.expect("exact division", ours) {
        let theirs = twin.peer_of(&a);
        twin.compare(trial, "exact quotient", &ours, &theirs);
    }
}
