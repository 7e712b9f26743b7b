//! From what a user writes for a prime to the field that fits it.

use sunzi::Natural;
use sunzi::field::{AnyField, FieldError, NAMED, named_prime, recognize};
use sunzi_field::expression::{self, ExpressionProblem};
use sunzi_files::failure::Failure;

/// The value of `text` as a word; it need not be prime. Names are of larger ones.
fn word(text: &str) -> Result<u64, Failure> {
    let too_large = || {
        Failure::Computation(format!(
            "{}: the modulus is too large: give an odd prime below 2^64, or a prime r^k+1 with k = 2, 4 … 256 and r below 2^64, such as P8",
            abbreviated(text),
        ))
    };
    if named_prime(text.trim()).is_some() {
        return Err(too_large());
    }
    let value = expression::parse::<Natural>(text).map_err(|error| match error.problem {
        ExpressionProblem::TooLarge { .. } => too_large(),
        ExpressionProblem::TooMuch => {
            Failure::Computation(format!("modulus `{}`, {error}", abbreviated(text)))
        }
        _ => match looks_like_a_name(text) {
            true => Failure::Usage(format!(
                "there is no prime `{}`: the names are {}",
                abbreviated(text),
                NAMED.map(|prime| prime.name).join(", ")
            )),
            false => Failure::Usage(format!("modulus `{}`, {error}", abbreviated(text))),
        },
    })?;
    match u64::try_from(value) {
        Ok(value) => Ok(value),
        Err(_) => Err(too_large()),
    }
}

/// Whether this is meant as a name such as `P8`.
fn looks_like_a_name(text: &str) -> bool {
    let mut letters = text.trim().chars();
    let starts = letters
        .next()
        .is_some_and(|letter| letter.eq_ignore_ascii_case(&'p'));
    starts && letters.all(|letter| letter.is_ascii_alphanumeric())
}

/// The field of the prime that `text` gives.
pub fn field(text: &str) -> Result<AnyField, Failure> {
    match generalized_fermat(text) {
        Some((radix, digits)) => AnyField::generalized_fermat(radix, digits)
            .map_err(|error| Failure::Computation(error.to_string())),
        None => word_field(text),
    }
}

/// The same where the question is whether it is a prime.
pub fn asked_about(text: &str) -> Result<AnyField, Failure> {
    if generalized_fermat(text).is_some() {
        return field(text);
    }
    let value = word(text)?;
    AnyField::modulo_word(value).map_err(|error| match error {
        FieldError::Even { modulus: 2 } => refusal(text, &error),
        FieldError::Even { modulus } if modulus > 0 => {
            Failure::Computation(format!("{modulus} is not prime: 2 divides it"))
        }
        FieldError::Composite { modulus, factor } => {
            Failure::Computation(format!("{modulus} is not prime: {factor} divides it"))
        }
        _ => Failure::Computation(format!("{value} is not prime")),
    })
}

/// The same of a prime of one word only.
pub fn word_field(text: &str) -> Result<AnyField, Failure> {
    AnyField::modulo_word(word(text)?).map_err(|error| refusal(text, &error))
}

/// `(r, k)` where `text` is a name or the value of an expression `r^k + 1` from 2^63 on.
pub fn generalized_fermat(text: &str) -> Option<(u64, usize)> {
    if let Some(prime) = named_prime(text.trim()) {
        return Some((prime.radix, prime.digits));
    }
    let value = expression::parse::<Natural>(text).ok()?;
    match u64::try_from(&value) {
        Ok(word) if word >> 63 == 0 => None,
        _ => recognize(&value),
    }
}

fn refusal(text: &str, error: &FieldError) -> Failure {
    let written = abbreviated(text);
    match error {
        FieldError::Even { modulus: 2 } => Failure::Computation(
            "2 is a prime, but computations are modulo odd primes: give another one".to_owned(),
        ),
        FieldError::Even { modulus }
        | FieldError::Composite { modulus, .. }
        | FieldError::TooSmall { modulus }
            if modulus.to_string() != written =>
        {
            Failure::Computation(format!("{written}: {error}"))
        }
        _ => Failure::Computation(error.to_string()),
    }
}

/// A text in a sentence: long ones are cut.
fn abbreviated(text: &str) -> String {
    let text = text.trim();
    let mut start: String = text.chars().take(60).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi::field::{Fp32, Fp64, Fp64Full, GeneralizedFermat};

    #[test]
    fn fields_fit_their_primes() {
        assert!(field("469762049").unwrap().over::<Fp32>().is_some());
        assert!(field("2^31-1").unwrap().over::<Fp32>().is_some());
        assert!(field("2^31+11").unwrap().over::<Fp64>().is_some());
        assert!(field(" 2^60 - 2^18 + 1 ").unwrap().over::<Fp64>().is_some());
        assert!(field("2^64-2^32+1").unwrap().over::<Fp64Full>().is_some());
        assert!(field("0x7fffffff").unwrap().over::<Fp32>().is_some());
        assert!(field("10**9+7").unwrap().over::<Fp32>().is_some());
        assert!(
            field("P8")
                .unwrap()
                .over::<GeneralizedFermat<8>>()
                .is_some()
        );
        let value = "(2^59+2^57+2^39)^8+1";
        assert!(
            field(value)
                .unwrap()
                .over::<GeneralizedFermat<8>>()
                .is_some()
        );
        // Words of 64 bits: one is r^k + 1, one is not.
        let of_two_digits = field("4294901760^2 + 1").unwrap();
        assert!(of_two_digits.over::<GeneralizedFermat<2>>().is_some());
        assert!(field("2^64-2^32+1").unwrap().over::<Fp64Full>().is_some());
    }

    #[test]
    fn refusals_have_the_right_exit_code() {
        for text in [
            "P8",
            "2^63",
            "2^64+13",
            "2^2^60",
            "4",
            "2",
            "1",
            "0",
            "15",
            "2^61-3",
            "(2^59+2^57+2^39)^8+1",
        ] {
            assert_eq!(word_field(text).unwrap_err().exit_code(), 1, "{text}");
        }
        for text in ["", "x", "2^", "-7", "0x", "7 8", "1.5", "P3", "p"] {
            assert_eq!(field(text).unwrap_err().exit_code(), 2, "{text}");
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_names() {
        for text in ["P3", "p3", " P8G ", "p"] {
            let said = field(text).unwrap_err().to_string();
            assert!(said.contains("the names are P2F, P4F,"), "{said}");
        }
    }

    #[test]
    fn what_is_not_prime_is_said_to_be_none() {
        for (text, said) in [
            ("15", "15 is not prime: 3 divides it"),
            ("2^10", "1024 is not prime: 2 divides it"),
            ("1", "1 is not prime"),
            ("0", "0 is not prime"),
        ] {
            assert_eq!(asked_about(text).unwrap_err().to_string(), said);
        }
        assert!(
            asked_about("2")
                .unwrap_err()
                .to_string()
                .starts_with("2 is a prime")
        );
        assert!(asked_about("97").is_ok() && asked_about("P8").is_ok());
    }

    #[test]
    fn a_factor_is_named() {
        let said = field("2^61-3").unwrap_err().to_string();
        assert!(said.contains("divides it"), "{said}");
        let said = field("91").unwrap_err().to_string();
        assert!(said.contains("7 divides it"), "{said}");
    }
}
