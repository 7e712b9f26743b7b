//! What trees come to: exactly, or modulo a number.
//!
//! Modulo m only sums, products, quotients and powers are computed with residues; all else is of integers and rational numbers, and
//! reduced afterwards. `a mod m` is a computed modulo m. No part is evaluated twice: parts within each other would double the work.

use super::functions::Function;
use super::parse::{Node, Operator, Tree, parse};
use super::size::{binomial_bits, bits, factorial_bits, power_bits, require};
use sunzi::memory::Budget;
use sunzi::{Integer, Natural, Rational};
use sunzi_files::input::LineError;

const FACTORIAL: &str = "n! takes an integer from 0 on";
/// Bits of 10, rounded up.
const BITS_OF_TEN: u64 = 4;

/// Evaluates expressions.
pub struct Calculator {
    budget: Budget,
    modulus: Option<Natural>,
}

impl Calculator {
    /// One that reduces everything by a modulus, if there is one.
    pub fn new(budget: Budget, modulus: Option<Natural>) -> Self {
        Self { budget, modulus }
    }

    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn value(&self, text: &[u8]) -> Result<Rational, LineError> {
        let node = parse(text)?;
        match &self.modulus {
            Some(modulus) => Ok(Integer::from(self.residue(&node, modulus)?).into()),
            None => self.exact(&node),
        }
    }

    /// The value of an expression that everything is to be reduced by.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn modulus(&self, text: &[u8]) -> Result<Natural, LineError> {
        self.modulus_of(&parse(text)?)
    }

    fn exact(&self, node: &Node) -> Result<Rational, LineError> {
        match &node.tree {
            Tree::Number { digits, scale } => {
                let tens = scale.unsigned_abs();
                let own = digits.magnitude().bit_len() as u64;
                let bits = tens.saturating_mul(BITS_OF_TEN).saturating_add(own);
                require(self.budget, bits, node.offset)?;
                let power = Integer::from(10).pow(tens as usize);
                Ok(match *scale < 0 {
                    true => Rational::from(digits.clone()) / Rational::from(power),
                    false => (digits * power).into(),
                })
            }
            Tree::Negated(operand) => Ok(-self.exact(operand)?),
            Tree::Sum(terms) => {
                let mut sum = Rational::ZERO;
                for (negative, term) in terms {
                    let value = self.exact(term)?;
                    require(self.budget, bits(&sum) + bits(&value), term.offset)?;
                    if *negative {
                        sum -= value;
                    } else {
                        sum += value;
                    }
                }
                Ok(sum)
            }
            Tree::Product(first, rest) => self.product(first, rest),
            Tree::Power(base, exponent) => self.power(base, exponent),
            Tree::Factorial(operand) => {
                let n = self.integer(operand, FACTORIAL)?;
                self.factorial(&n, operand.offset)
            }
            Tree::Call(function, arguments) => self.call(*function, node.offset, arguments),
        }
    }

    /// A product from the left. Up to each `mod`, factors are computed modulo what comes after it.
    fn product(&self, first: &Node, rest: &[(Operator, Node)]) -> Result<Rational, LineError> {
        let mut value = None;
        let mut left = rest;
        while let Some(next) = left.iter().position(|(op, _)| *op == Operator::Modulo) {
            let modulus = self.modulus_of(&left[next].1)?;
            let factors = &left[..next];
            let residue = if are_of_residues(factors) {
                let mut residue = match &value {
                    None => self.residue(first, &modulus)?,
                    Some(value) => reduced(value, &modulus, first.offset)?,
                };
                for (operator, node) in factors {
                    residue = self.step_modulo(residue, *operator, node, &modulus)?;
                }
                residue
            } else {
                let exact = self.steps(value, first, factors)?;
                reduced(&exact, &modulus, first.offset)?
            };
            value = Some(Integer::from(residue).into());
            left = &left[next + 1..];
        }
        self.steps(value, first, left)
    }

    /// Exact steps of a product without `mod`, from a value or from what stands first.
    fn steps(
        &self,
        value: Option<Rational>,
        first: &Node,
        rest: &[(Operator, Node)],
    ) -> Result<Rational, LineError> {
        let mut value = match value {
            Some(value) => value,
            None => self.exact(first)?,
        };
        for (operator, node) in rest {
            let operand = self.exact(node)?;
            require(self.budget, bits(&value) + bits(&operand), node.offset)?;
            if *operator == Operator::Times {
                value *= operand;
                continue;
            }
            let quotient = value.checked_div(&operand);
            let quotient =
                quotient.map_err(|_| LineError::new(node.offset, "a division by zero"))?;
            value = match operator {
                Operator::FloorOver => quotient.floor().into(),
                Operator::FloorRest => value - operand * Rational::from(quotient.floor()),
                _ => quotient,
            };
        }
        Ok(value)
    }

    fn factorial(&self, n: &Integer, offset: usize) -> Result<Rational, LineError> {
        let n = self.to_word(n, FACTORIAL, offset)?;
        require(self.budget, factorial_bits(n), offset)?;
        Ok(Integer::from(Natural::factorial(n)).into())
    }

    fn power(&self, base: &Node, exponent: &Node) -> Result<Rational, LineError> {
        let wanted = "an exponent is an integer: roots are isqrt(n) and root(n, k)";
        let power = self.integer(exponent, wanted)?;
        let base = self.exact(base)?;
        // Numbers of which all powers are short.
        if base.is_zero() || base.abs() == 1 {
            return match (base.is_zero(), power.is_negative()) {
                (true, true) => Err(LineError::new(exponent.offset, "0 has no negative powers")),
                (true, false) => Ok(Rational::from(Integer::from(power.is_zero()))),
                (false, _) if power.is_even() => Ok(Rational::ONE),
                (false, _) => Ok(base),
            };
        }
        let magnitude = u64::try_from(power.magnitude()).unwrap_or(u64::MAX);
        require(self.budget, power_bits(&base, magnitude), exponent.offset)?;
        let found = isize::try_from(&power)
            .ok()
            .and_then(|power| base.pow(power));
        found.ok_or_else(|| LineError::too_large(exponent.offset, "this power is too long"))
    }

    fn call(
        &self,
        function: Function,
        offset: usize,
        arguments: &[Node],
    ) -> Result<Rational, LineError> {
        let integer = |place: usize| self.integer(&arguments[place], "an integer is wanted here");
        let word =
            |place: usize| self.word(&arguments[place], "an integer from 0 on is wanted here");
        let all = |join: fn(&Integer, &Integer) -> Natural| {
            let mut joined = integer(0)?;
            for place in 1..arguments.len() {
                joined = join(&joined, &integer(place)?).into();
                require(self.budget, joined.magnitude().bit_len() as u64, offset)?;
            }
            Ok::<_, LineError>(joined)
        };
        let found = match function {
            Function::Abs => return Ok(self.exact(&arguments[0])?.abs()),
            Function::Max | Function::Min => {
                let mut best = self.exact(&arguments[0])?;
                for argument in &arguments[1..] {
                    let value = self.exact(argument)?;
                    best = match function {
                        Function::Max => best.max(value),
                        _ => best.min(value),
                    };
                }
                return Ok(best);
            }
            Function::Factorial => {
                let place = arguments[0].offset;
                return self.factorial(&integer(0)?, place);
            }
            Function::Floor => self.exact(&arguments[0])?.floor(),
            Function::Ceil => self.exact(&arguments[0])?.ceil(),
            Function::Gcd => all(Integer::gcd)?,
            Function::Lcm => all(Integer::lcm)?,
            Function::Binomial => {
                let (n, k) = (integer(0)?, word(1)?);
                require(self.budget, binomial_bits(&n, k), offset)?;
                n.binomial(k)
            }
            Function::IsPrime => Integer::from(integer(0)?.is_prime()),
            Function::NextPrime => integer(0)?.next_prime(),
            Function::ISqrt => {
                let root = integer(0)?.sqrt();
                root.ok_or_else(|| LineError::new(offset, "a negative integer has no square root"))?
            }
            Function::Root => {
                let (n, degree) = (integer(0)?, word(1)?);
                if degree == 0 {
                    return Err(LineError::new(offset, "a root has a degree from 1 on"));
                }
                let root = n.root(usize::try_from(degree).unwrap_or(usize::MAX));
                root.ok_or_else(|| {
                    LineError::new(offset, "a negative integer has no root of an even degree")
                })?
            }
        };
        Ok(found.into())
    }

    fn integer(&self, node: &Node, wanted: &str) -> Result<Integer, LineError> {
        let value = self.exact(node)?;
        match value.is_integer() {
            true => Ok(value.into_parts().0),
            false => Err(LineError::new(node.offset, wanted)),
        }
    }

    fn modulus_of(&self, node: &Node) -> Result<Natural, LineError> {
        let wanted = "a modulus is an integer from 1 on";
        let value = self.integer(node, wanted)?;
        match value.is_positive() {
            true => Ok(value.into_magnitude()),
            false => Err(LineError::new(node.offset, wanted)),
        }
    }

    fn word(&self, node: &Node, wanted: &str) -> Result<u64, LineError> {
        let value = self.integer(node, wanted)?;
        self.to_word(&value, wanted, node.offset)
    }

    fn to_word(&self, value: &Integer, wanted: &str, offset: usize) -> Result<u64, LineError> {
        if value.is_negative() {
            return Err(LineError::new(offset, wanted));
        }
        let too_large = |_| LineError::too_large(offset, "this number is too large here");
        u64::try_from(value).map_err(too_large)
    }

    fn residue(&self, node: &Node, modulus: &Natural) -> Result<Natural, LineError> {
        match &node.tree {
            Tree::Negated(operand) => Ok(negated(self.residue(operand, modulus)?, modulus)),
            Tree::Sum(terms) => {
                let mut sum = Natural::ZERO;
                for (negative, term) in terms {
                    let value = self.residue(term, modulus)?;
                    sum += match negative {
                        true => negated(value, modulus),
                        false => value,
                    };
                    sum %= modulus;
                }
                Ok(sum)
            }
            Tree::Product(first, rest) if are_of_residues(rest) => {
                let mut value = self.residue(first, modulus)?;
                for (operator, node) in rest {
                    value = self.step_modulo(value, *operator, node, modulus)?;
                }
                Ok(value)
            }
            Tree::Power(base, exponent) => {
                let wanted = "an exponent is an integer";
                let power = self.integer(exponent, wanted)?;
                let base = Integer::from(self.residue(base, modulus)?);
                let found = base.pow_mod(&power, &Integer::from(modulus));
                found.map(Integer::into_magnitude).ok_or_else(|| {
                    LineError::new(exponent.offset, no_inverse(base.magnitude(), modulus))
                })
            }
            Tree::Factorial(operand) => {
                let n = self.integer(operand, FACTORIAL)?;
                // All numbers up to n are factors of n!.
                if n >= *modulus {
                    return Ok(Natural::ZERO);
                }
                reduced(&self.factorial(&n, operand.offset)?, modulus, node.offset)
            }
            Tree::Number { digits, scale } => {
                let ten = Natural::from(10u32) % modulus;
                let power = ten.pow_mod(&Natural::from(scale.unsigned_abs()), modulus);
                let digits = digits.rem_floor(&Integer::from(modulus)).into_magnitude();
                let factor = match *scale < 0 {
                    true => inverse(&power, modulus, node.offset)?,
                    false => power,
                };
                Ok(digits * factor % modulus)
            }
            _ => reduced(&self.exact(node)?, modulus, node.offset),
        }
    }

    /// A step of a product of residues.
    fn step_modulo(
        &self,
        value: Natural,
        operator: Operator,
        node: &Node,
        modulus: &Natural,
    ) -> Result<Natural, LineError> {
        let operand = self.residue(node, modulus)?;
        let factor = match operator {
            Operator::Over => inverse(&operand, modulus, node.offset)?,
            _ => operand,
        };
        Ok(value * factor % modulus)
    }
}

/// Whether factors are products and quotients alone.
fn are_of_residues(factors: &[(Operator, Node)]) -> bool {
    let mut operators = factors.iter().map(|factor| factor.0);
    operators.all(|operator| matches!(operator, Operator::Times | Operator::Over))
}

fn negated(value: Natural, modulus: &Natural) -> Natural {
    match value.is_zero() {
        true => value,
        false => modulus - value,
    }
}

/// Why there is no quotient modulo a number.
fn no_inverse(value: &Natural, modulus: &Natural) -> String {
    match value.is_zero() {
        true => "modulo that number this is a division by zero".to_owned(),
        false => {
            let common = value.gcd(modulus);
            format!("a division by what has the factor {common} in common with the modulus")
        }
    }
}

fn inverse(value: &Natural, modulus: &Natural, offset: usize) -> Result<Natural, LineError> {
    let inverse = value.inverse_mod(modulus);
    inverse.ok_or_else(|| LineError::new(offset, no_inverse(value, modulus)))
}

/// The residue of a rational number.
fn reduced(value: &Rational, modulus: &Natural, offset: usize) -> Result<Natural, LineError> {
    let numerator = value.numerator().rem_floor(&Integer::from(modulus));
    let numerator = numerator.into_magnitude();
    if value.is_integer() {
        return Ok(numerator);
    }
    let denominator = value.denominator() % modulus;
    Ok(numerator * inverse(&denominator, modulus, offset)? % modulus)
}
