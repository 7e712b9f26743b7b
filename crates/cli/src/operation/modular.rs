//! Products of polynomials modulo a word-size prime.

use super::{Operation, Style, named, quoted};
use crate::error::Failure;
use crate::input::{LineError, algebraic, coefficients};
use dashu_int::{IBig, Sign, UBig};
use sunzi::integer::{Multiplier, text::DecimalTables};
use sunzi::poly::{Algorithm, CoefficientField, Poly, PolyRing};

/// Products of polynomials over Z/P, one a line.
pub struct Modular<F: CoefficientField> {
    ring: PolyRing<F>,
    multiplier: Multiplier,
    tables: DecimalTables,
    forced: Option<Algorithm>,
}

impl<F: CoefficientField> Modular<F> {
    /// Over a field, with the algorithm of that name or with the one that fits the sizes.
    pub fn new(field: F, algorithm: Option<&str>) -> Result<Self, Failure> {
        let forced = algorithm
            .map(|name| named(name, &Algorithm::ALL, Algorithm::name))
            .transpose()?;
        let (ring, multiplier) = (PolyRing::new(field), Multiplier::new());
        Ok(Self {
            ring,
            multiplier,
            tables: DecimalTables::new(),
            forced,
        })
    }

    /// A word of a list as a residue.
    fn residue(&self, word: &[u8]) -> Result<F::Elem, LineError> {
        // 19 digits fit a word: the common case takes no long integers.
        if word.len() <= 19 && word.iter().all(u8::is_ascii_digit) {
            let value = word
                .iter()
                .fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'));
            if value < self.ring.field().prime_word() {
                return Ok(self.ring.field().from_u64(value));
            }
        }
        let value = self.tables.parse(&self.multiplier, word);
        let value = value.map_err(|error| LineError::new(error.offset, error.to_string()))?;
        self.checked(&value, || abbreviated(word))
            .map_err(|problem| LineError::new(0, problem))
    }

    /// A coefficient, which must be a residue already; `shown` is how a sentence calls it.
    fn checked(&self, value: &IBig, shown: impl FnOnce() -> String) -> Result<F::Elem, String> {
        let field = self.ring.field();
        let prime = field.prime_word();
        let residue = field.from_integer(value);
        if IBig::from(field.to_integer(residue)) == *value {
            return Ok(residue);
        }
        let shown = shown();
        Err(format!(
            "the coefficient {shown} is not in 0 … {}: write {}, which is the same modulo {prime}",
            prime - 1,
            field.to_integer(residue),
        ))
    }
}

/// Letters of a number that a sentence shows in full.
const SHOWN: usize = 40;

/// A word of the input, which is an integer, in a sentence: long ones are cut.
fn abbreviated(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    if text.len() <= SHOWN {
        return text.into_owned();
    }
    let digits = text.trim_start_matches(['+', '-']);
    let digits = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
        .unwrap_or(digits);
    let start: String = text.chars().take(SHOWN / 2).collect();
    format!("{start}… ({} digits)", digits.len())
}

/// A computed integer in a sentence: of long ones only the length, as turning them into decimal
/// digits would take longer than all the rest.
fn described(value: &IBig) -> String {
    let (sign, words) = value.as_sign_words();
    if words.len() <= 2 {
        return value.to_string();
    }
    let bits = words.len() * 64 - words.last().map_or(0, |top| top.leading_zeros() as usize);
    match sign {
        Sign::Positive => format!("of {bits} bits"),
        Sign::Negative => format!("of {bits} bits, which is negative,"),
    }
}

impl<F: CoefficientField> Operation for Modular<F> {
    type Operand = Poly<F::Elem>;
    type Product = Poly<F::Elem>;

    const NOUN: &'static str = "polynomial";

    fn weight(content: &[u8]) -> usize {
        super::over_integers::weight(content)
    }

    fn parse(&self, content: &[u8]) -> Result<Self::Operand, LineError> {
        if !coefficients::is_algebraic(content) {
            return Ok(Poly::new(coefficients::parse(content, |word| {
                self.residue(word)
            })?));
        }
        let values = algebraic::parse(content, &self.multiplier, &self.tables)?;
        let residues = values.iter().enumerate().map(|(exponent, value)| {
            self.checked(value, || described(value))
                .map_err(|problem| LineError::new(0, format!("at x^{exponent}, {problem}")))
        });
        Ok(Poly::new(residues.collect::<Result<_, _>>()?))
    }

    fn bytes(&self, operand: &Self::Operand) -> u64 {
        (operand.len() * size_of::<F::Elem>()) as u64
    }

    fn needed_bytes(&self, left: &Self::Operand, right: &Self::Operand) -> u64 {
        let digits = UBig::from(self.ring.field().prime_word()).to_string().len() as u64;
        let terms = (left.len() + right.len()) as u64;
        let scratch = match self.forced {
            Some(algorithm) => self
                .ring
                .plan_with(algorithm, left.len(), right.len())
                .map_or(0, |plan| plan.scratch_bytes),
            None => self.ring.plan(left.len(), right.len()).scratch_bytes,
        };
        scratch + terms * (size_of::<F::Elem>() as u64 + digits + 1)
    }

    fn algorithm(&self, left: &Self::Operand, right: &Self::Operand) -> &'static str {
        match self.forced {
            Some(algorithm) => algorithm.name(),
            None => self.ring.plan(left.len(), right.len()).algorithm.name(),
        }
    }

    fn explain(&self, left: &Self::Operand, right: &Self::Operand) -> String {
        match self.forced {
            Some(algorithm) => self
                .ring
                .plan_with(algorithm, left.len(), right.len())
                .map_or_else(|error| error.to_string(), |plan| plan.to_string()),
            None => self.ring.plan(left.len(), right.len()).to_string(),
        }
    }

    fn multiply(
        &self,
        left: &Self::Operand,
        right: &Self::Operand,
    ) -> Result<Self::Product, String> {
        let product = match self.forced {
            Some(algorithm) => self.ring.mul_with(algorithm, left, right),
            None => self.ring.try_mul(left, right),
        };
        product.map_err(|error| error.to_string())
    }

    fn write(&self, product: &Self::Product, style: Style, out: &mut Vec<u8>) {
        super::over_integers::write(product.coefficients(), style, out, |&coefficient, out| {
            quoted(style, out, |out| {
                write_word(self.ring.field().to_word(coefficient), out)
            });
        });
    }
}

/// Writes a word in decimal.
fn write_word(mut word: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (word % 10) as u8;
        word /= 10;
        if word == 0 {
            return out.extend_from_slice(&digits[start..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi::field::Fp64;

    #[test]
    fn words_are_written_in_full() {
        for word in [0, 9, 10, 12_345, u64::MAX] {
            let mut text = Vec::new();
            write_word(word, &mut text);
            assert_eq!(text, word.to_string().into_bytes());
        }
    }

    #[test]
    fn residues_are_checked_against_the_prime() {
        let prime = 9_223_372_036_854_775_783;
        let operation = Modular::new(Fp64::new(prime).unwrap(), None).unwrap();
        assert_eq!(operation.residue(b"9223372036854775782"), Ok(prime - 1));
        assert_eq!(operation.residue(b"0x10"), Ok(16));
        assert_eq!(operation.residue(b"-0"), Ok(0));
        for word in [&b"9223372036854775783"[..], b"-1", b"99999999999999999999"] {
            assert!(operation.residue(word).is_err());
        }
        let error = operation.residue(b"-2").unwrap_err();
        assert!(
            error.problem.contains("write 9223372036854775781, which"),
            "{}",
            error.problem
        );
    }

    #[test]
    fn long_coefficients_are_named_by_their_start_or_their_length() {
        assert_eq!(abbreviated(b"-97"), "-97");
        assert_eq!(abbreviated(&[b'7'; 40]), "7".repeat(40));
        let nines = format!("-{}", "9".repeat(50));
        assert_eq!(
            abbreviated(nines.as_bytes()),
            format!("-{}… (50 digits)", "9".repeat(19))
        );
        let hexadecimal = format!("0x{}", "f".repeat(60));
        assert!(abbreviated(hexadecimal.as_bytes()).ends_with("… (60 digits)"));
        let long = IBig::ONE << 200;
        assert_eq!(described(&long), "of 201 bits");
        assert_eq!(described(&-long), "of 201 bits, which is negative,");
        assert_eq!(described(&IBig::from(-5)), "-5");
    }
}
