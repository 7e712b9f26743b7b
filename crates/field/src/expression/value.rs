//! From a tree to a number, within a limit.

use crate::LongInteger;
use dashu_int::{IBig, UBig};
use thiserror::Error;

use super::syntax::{self, Dialect, Kind, Node};

/// The limit of [`parse`] on every intermediate value: 2^20 bits.
pub const MAX_BITS: usize = 1 << 20;

/// Work that any expression may take, in steps of about a nanosecond: a quarter of a second.
const FREE_WORK: u64 = 1 << 28;

/// Further steps for each byte of its text.
const WORK_PER_BYTE: u64 = 1 << 6;

/// Why an expression has no value, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: {problem}")]
pub struct ExpressionError {
    /// The character at which it happened, counted from 1.
    pub column: usize,
    /// What happened.
    pub problem: ExpressionProblem,
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExpressionProblem {
    /// The text ends where a number should follow.
    #[error("the expression ends too early: a number is missing, or a closing parenthesis")]
    Unfinished,
    /// A character that does not belong here.
    #[error("unexpected `{found}`: write numbers with + - * ^ and parentheses, as 2^60-2^18+1")]
    Unexpected {
        /// The character.
        found: char,
    },
    /// A value has more bits than allowed.
    #[error("a value would have more than {limit} bits")]
    TooLarge {
        /// The limit in bits.
        limit: usize,
    },
    /// All values together take too long.
    #[error("this is too much to compute: write it with fewer large values, or in decimal")]
    TooMuch,
    /// An exponent is negative.
    #[error("the exponent is negative")]
    NegativeExponent,
    /// The whole expression is negative.
    #[error("the value is negative")]
    Negative,
}

/// The value of `text`, no value in it wider than [`MAX_BITS`].
///
/// Takes time in proportion to the length of the text, and at most a fraction of a second more.
///
/// # Errors
/// If `text` is no expression, its value is negative, a value in it is too large, or all of it takes too much work
/// ([`ExpressionProblem::TooMuch`]).
///
/// ```
/// use sunzi::Natural;
/// use sunzi::field::parse_expression as parse;
///
/// let prime: Natural = parse("2^60 - 2^18 + 1")?;
/// assert_eq!(prime, Natural::from(1152921504606584833u64));
/// assert_eq!(parse::<Natural>("(2^59+2^57+2^39)^8+1")?.bit_len(), 475);
/// assert_eq!(parse::<Natural>("2^2^60").unwrap_err().column, 1);
/// # Ok::<(), sunzi::field::ExpressionError>(())
/// ```
pub fn parse<N: LongInteger>(text: &str) -> Result<N, ExpressionError> {
    parse_bounded(text, MAX_BITS)
}

/// The value of `text`, no value in it wider than `max_bits` (an upper estimate of the width,
/// within a factor of 2, is what is compared).
///
/// # Errors
/// As [`parse`].
///
/// ```
/// use sunzi::Natural;
/// use sunzi_field::expression::parse_bounded;
///
/// assert!(parse_bounded::<Natural>("2^63 - 25", 64).is_ok());
/// assert!(parse_bounded::<Natural>("2^100", 64).is_err());
/// ```
pub fn parse_bounded<N: LongInteger>(text: &str, max_bits: usize) -> Result<N, ExpressionError> {
    let value = natural(text, max_bits)?;
    Ok(N::from_natural_limbs(value.as_words()))
}

fn natural(text: &str, max_bits: usize) -> Result<UBig, ExpressionError> {
    let locate = |offset: usize, problem| ExpressionError {
        column: text[..offset].chars().count() + 1,
        problem,
    };
    let tree = syntax::parse(text.as_bytes(), Dialect::Number).map_err(|offset| {
        let problem = match text[offset..].chars().next() {
            Some(found) => ExpressionProblem::Unexpected { found },
            None => ExpressionProblem::Unfinished,
        };
        locate(offset, problem)
    })?;
    let mut limits = Limits {
        max_bits,
        work: WORK_PER_BYTE
            .saturating_mul(text.len() as u64)
            .saturating_add(FREE_WORK),
    };
    let value = limits
        .evaluate(&tree)
        .map_err(|(offset, problem)| locate(offset, problem))?;
    UBig::try_from(value).map_err(|_| locate(0, ExpressionProblem::Negative))
}

/// Evaluation with limits on the width of values and on the work.
struct Limits {
    max_bits: usize,
    /// Steps that are left.
    work: u64,
}

/// A value, or what went wrong at which byte.
type Evaluated = Result<IBig, (usize, ExpressionProblem)>;

impl Limits {
    fn too_large(&self, offset: usize) -> (usize, ExpressionProblem) {
        let limit = self.max_bits;
        (offset, ExpressionProblem::TooLarge { limit })
    }

    /// `value` if it is within the limit.
    fn check(&self, offset: usize, value: IBig) -> Evaluated {
        if bits(&value) > self.max_bits {
            return Err(self.too_large(offset));
        }
        Ok(value)
    }

    /// Counts steps before they are taken.
    fn spend(&mut self, offset: usize, steps: u64) -> Result<(), (usize, ExpressionProblem)> {
        let left = self.work.checked_sub(steps);
        self.work = left.ok_or((offset, ExpressionProblem::TooMuch))?;
        Ok(())
    }

    fn evaluate(&mut self, node: &Node) -> Evaluated {
        match &node.kind {
            Kind::Number(digits) => self.number(node.offset, digits),
            // Numbers have no variables.
            Kind::Variable(_) => Err((node.offset, ExpressionProblem::Unexpected { found: 'x' })),
            Kind::Sum(terms) => terms.iter().try_fold(IBig::ZERO, |sum, (negative, term)| {
                let value = self.evaluate(term)?;
                self.spend(term.offset, limbs(&sum) + limbs(&value))?;
                let sum = if *negative { sum - value } else { sum + value };
                self.check(node.offset, sum)
            }),
            // Nor are numbers divided.
            Kind::Product(factors) => factors.iter().try_fold(IBig::ONE, |product, (_, factor)| {
                let value = self.evaluate(factor)?;
                self.spend(factor.offset, product_steps(limbs(&product), limbs(&value)))?;
                self.check(node.offset, product * value)
            }),
            Kind::Power(tower) => {
                let mut levels = tower.iter().rev();
                let Some(top) = levels.next() else {
                    return Ok(IBig::ONE);
                };
                levels.try_fold(self.evaluate(top)?, |exponent, level| {
                    let base = self.evaluate(level)?;
                    self.power(level.offset, base, &exponent)
                })
            }
        }
    }

    fn number(&mut self, offset: usize, digits: &[u8]) -> Evaluated {
        let digits = str::from_utf8(digits).unwrap_or_default();
        let hexadecimal = digits
            .get(..2)
            .is_some_and(|start| start.eq_ignore_ascii_case("0x"));
        let (digits, radix) = match hexadecimal {
            true => (&digits[2..], 16),
            false => (digits, 10),
        };
        // n digits have more than 3(n − 1) bits, leading zeros apart.
        let digits = digits.trim_start_matches('0');
        if digits.len().saturating_sub(1).saturating_mul(3) > self.max_bits {
            return Err(self.too_large(offset));
        }
        let value = match digits {
            "" => IBig::ZERO,
            _ => IBig::from_str_radix(digits, radix)
                // The parser passes digits only.
                .map_err(|_| (offset, ExpressionProblem::Unexpected { found: '0' }))?,
        };
        self.check(offset, value)
    }

    fn power(&mut self, offset: usize, base: IBig, exponent: &IBig) -> Evaluated {
        if *exponent < IBig::ZERO {
            return Err((offset, ExpressionProblem::NegativeExponent));
        }
        // 0 and ±1 have powers of any height.
        if bits(&base) <= 1 {
            let odd = exponent
                .as_sign_words()
                .1
                .first()
                .is_some_and(|word| word & 1 == 1);
            let zeroth = *exponent == IBig::ZERO;
            return Ok(match (zeroth, odd) {
                (true, _) => IBig::ONE,
                (false, true) => base,
                (false, false) => &base * &base,
            });
        }
        let width = usize::try_from(exponent.clone())
            .ok()
            .and_then(|exponent| Some((exponent, exponent.checked_mul(bits(&base) - 1)?)));
        match width {
            // |base| ≥ 2^(bits − 1), so the power has more bits than `least`.
            Some((exponent, least)) if least < self.max_bits => {
                // At most twice as wide; the squarings before the last one take about as long as that.
                let width = (least as u64).div_ceil(u64::BITS.into()) + limbs(&base);
                let steps = match is_power_of_two(&base) {
                    true => width,
                    false => 2 * product_steps(width, width),
                };
                self.spend(offset, steps)?;
                self.check(offset, base.pow(exponent))
            }
            _ => Err(self.too_large(offset)),
        }
    }
}

/// About how many steps the product of this many limbs takes.
fn product_steps(a: u64, b: u64) -> u64 {
    (a + b).saturating_mul(1 + a.min(b).isqrt())
}

fn limbs(value: &IBig) -> u64 {
    value.as_sign_words().1.len() as u64
}

/// Whether |value| is one; its powers are shifts.
fn is_power_of_two(value: &IBig) -> bool {
    value.trailing_zeros().map(|zeros| zeros + 1) == Some(bits(value))
}

/// The width of |value|.
fn bits(value: &IBig) -> usize {
    let (_, words) = value.as_sign_words();
    words.last().map_or(0, |top| {
        words.len() * u64::BITS as usize - top.leading_zeros() as usize
    })
}
