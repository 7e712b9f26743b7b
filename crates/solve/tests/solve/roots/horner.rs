//! Values in fixed point, with bounds of their errors.

use proptest::prelude::*;
use sunzi_integer::{Integer, Rational};
use sunzi_solve::Dyadic;
use sunzi_solve::internals::{evaluate, log2};

fn exact(coefficients: &[Integer], x: &Dyadic) -> Rational {
    let x = x.to_rational();
    let terms = coefficients.iter().rev();
    terms.fold(Rational::ZERO, |value, c| {
        value * &x + Rational::from(c.clone())
    })
}

proptest! {
    #[test]
    fn errors_are_bounded(
        coefficients in proptest::collection::vec((any::<i64>(), 0usize..300), 1..40),
        mantissa in any::<i128>(),
        exponent in -140i64..-80,
        words in 1usize..8,
    ) {
        let coefficients = coefficients.into_iter().map(|(c, shift)| Integer::from(c) << shift);
        let coefficients: Vec<Integer> = coefficients.collect();
        let logs: Vec<f64> = coefficients.iter().map(log2).collect();
        for mantissa in [mantissa, mantissa >> 120, 1, -1] {
            let x = Dyadic::new(Integer::from(mantissa), exponent);
            let value = evaluate(&coefficients, &logs, &x, words);
            let unit = Dyadic::new(Integer::ONE, value.unit);
            let about = (&Dyadic::from(value.mantissa.clone()) * &unit).to_rational();
            let error = exact(&coefficients, &x) - about;
            let bound = match value.error {
                Some(error) => unit.scaled(i64::from(error)).to_rational(),
                None => Rational::ZERO,
            };
            prop_assert!(error <= bound && -error <= bound);
            if let Some(magnitude) = value.mantissa.bit_len().checked_sub(64 * words) {
                prop_assert!(magnitude == 0 || mantissa == 0);
            }
        }
    }
}
