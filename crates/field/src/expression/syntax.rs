//! From text to a tree: the one grammar of expressions, of which numbers and polynomials are written in dialects.
//!
//! A sum is of products, a product of powers, a power of numbers, variables, or sums in parentheses; blanks separate.

use winnow::ascii::{digit1, hex_digit1, multispace0};
use winnow::combinator::{alt, cut_err, delimited, opt, terminated};
use winnow::error::{ContextError, ErrMode};
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{one_of, take};

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<'t> {
    /// The byte at which it begins.
    pub offset: usize,
    /// What it is.
    pub kind: Kind<'t>,
}

/// What a part of an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind<'t> {
    /// Decimal digits, with a point between them or not, or hexadecimal ones behind `0x`.
    Number(&'t [u8]),
    /// The variable of this index among the dialect's.
    Variable(usize),
    /// Terms, each added or (where the flag is set) subtracted.
    Sum(Vec<(bool, Node<'t>)>),
    /// Factors, each multiplied by or (where the flag is set) divided by.
    Product(Vec<(bool, Node<'t>)>),
    /// A base, its exponent, the exponent's exponent and so on.
    Power(Vec<Node<'t>>),
}

/// What an expression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect<'n> {
    /// A number: `(2^59+2^57+2^39)^8+1`, `0x7fffffff`, `10**9+7`. Exponents are anything that a base is, and have exponents.
    Number,
    /// A polynomial in x: `2x^2 - -3*(x+1)`. Exponents are digits; variables and parentheses follow a factor without
    /// an operator, and factors and terms have any number of signs. `f = g` is f − g.
    Polynomial,
    /// A polynomial in variables of these names, which may be divided, and have decimals: `1/2*x^2*y - 0.75y`. Where a name begins
    /// with another, the longer one is read.
    Quotients(&'n [&'n str]),
}

/// How deep parentheses may be nested, so that no text can exhaust the stack.
pub const MAX_DEPTH: usize = 64;

type Input<'t> = LocatingSlice<&'t [u8]>;
type Parsed<T> = Result<T, ErrMode<ContextError>>;

/// The tree of a text, or the byte at which it stops to be an expression.
///
/// # Errors
/// That byte; the length of the text where it ends too early.
///
/// ```
/// use sunzi_field::expression::syntax::{Dialect, parse};
///
/// assert!(parse(b"2^3^2", Dialect::Number).is_ok());
/// assert_eq!(parse(b"2^3^2", Dialect::Polynomial), Err(3));
/// assert_eq!(parse(b"2x", Dialect::Number), Err(1));
/// assert!(parse(b"0xff ** 2", Dialect::Number).is_ok());
/// assert!(parse(b"1/2*x*y", Dialect::Quotients(&["x", "y"])).is_ok());
/// assert_eq!(parse(b"x + z", Dialect::Quotients(&["x", "y"])), Err(4));
/// assert!(parse(b"x^2 = 2", Dialect::Polynomial).is_ok());
/// assert!(parse(b"0.5*x + X", Dialect::Quotients(&["x"])).is_ok());
/// ```
pub fn parse<'t>(text: &'t [u8], dialect: Dialect<'_>) -> Result<Node<'t>, usize> {
    let mut input = LocatingSlice::new(text);
    let tree = dialect.equation(&mut input);
    let offset = input.current_token_start();
    match tree {
        Ok(tree) if offset == text.len() => Ok(tree),
        _ => Err(offset),
    }
}

/// `parser` and the blanks after it.
fn token<'t, T>(
    parser: impl Parser<Input<'t>, T, ErrMode<ContextError>>,
) -> impl Parser<Input<'t>, T, ErrMode<ContextError>> {
    terminated(parser, multispace0)
}

/// Whether a sign is a minus.
fn sign(input: &mut Input<'_>) -> Parsed<bool> {
    token(one_of([b'+', b'-']))
        .map(|sign| sign == b'-')
        .parse_next(input)
}

/// Any number of signs, together one: `- -4` is 4.
fn signs(input: &mut Input<'_>) -> Parsed<bool> {
    let mut negative = false;
    while let Some(one) = opt(sign).parse_next(input)? {
        negative ^= one;
    }
    Ok(negative)
}

/// A number of these digits.
fn number<'t>(
    digits: impl Parser<Input<'t>, &'t [u8], ErrMode<ContextError>>,
    input: &mut Input<'t>,
) -> Parsed<Node<'t>> {
    let offset = input.current_token_start();
    token(digits)
        .map(|digits| Node {
            offset,
            kind: Kind::Number(digits),
        })
        .parse_next(input)
}

/// A number in decimal.
fn decimal<'t>(input: &mut Input<'t>) -> Parsed<Node<'t>> {
    number(digit1, input)
}

/// Decimal digits, and perhaps a point with more of them.
fn with_point<'t>(input: &mut Input<'t>) -> Parsed<&'t [u8]> {
    (digit1, opt((b'.', digit1))).take().parse_next(input)
}

/// Hexadecimal digits and their prefix, without which they are decimal.
fn any_digits<'t>(input: &mut Input<'t>) -> Parsed<&'t [u8]> {
    let prefix = alt(("0x", "0X"));
    alt(((prefix, hex_digit1).take(), digit1)).parse_next(input)
}

/// What stands between a base and its exponent.
fn power_sign(input: &mut Input<'_>) -> Parsed<()> {
    token(alt(("^", "**"))).void().parse_next(input)
}

impl Dialect<'_> {
    /// Whether it has variables, and all that goes with them.
    fn is_polynomial(self) -> bool {
        self != Self::Number
    }

    /// The index and the length of the variable with which a text begins.
    fn variable(self, text: &[u8]) -> Option<(usize, usize)> {
        match self {
            Self::Number => None,
            Self::Polynomial => matches!(text.first(), Some(b'x' | b'X')).then_some((0, 1)),
            // Alone, x is written either way.
            Self::Quotients(["x"]) if text.first() == Some(&b'X') => Some((0, 1)),
            Self::Quotients(names) => {
                let begins = |(_, name): &(usize, &&str)| text.starts_with(name.as_bytes());
                let named = names.iter().enumerate().filter(begins);
                named
                    .max_by_key(|(_, name)| name.len())
                    .map(|(index, name)| (index, name.len()))
            }
        }
    }

    /// A sum; of a polynomial dialect, or two with `=` between them: the first less the second.
    fn equation<'t>(self, input: &mut Input<'t>) -> Parsed<Node<'t>> {
        let left = self.sum(input, 0)?;
        if !self.is_polynomial() || opt(token(b'=')).parse_next(input)?.is_none() {
            return Ok(left);
        }
        let right = self.sum(input, 0)?;
        Ok(Node {
            offset: left.offset,
            kind: Kind::Sum(vec![(false, left), (true, right)]),
        })
    }

    fn sum<'t>(self, input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
        multispace0.parse_next(input)?;
        let offset = input.current_token_start();
        let first = match self {
            Self::Number => opt(sign).parse_next(input)?.unwrap_or(false),
            Self::Polynomial | Self::Quotients(_) => signs(input)?,
        };
        let mut terms = vec![(first, self.product(input, depth)?)];
        while let Some(mut negative) = opt(sign).parse_next(input)? {
            if self.is_polynomial() {
                negative ^= signs(input)?;
            }
            terms.push((negative, self.product(input, depth)?));
        }
        Ok(Node {
            offset,
            kind: Kind::Sum(terms),
        })
    }

    fn product<'t>(self, input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
        let offset = input.current_token_start();
        let divides = matches!(self, Self::Quotients(_));
        let mut factors = vec![(false, self.power(input, depth)?)];
        loop {
            if opt(token(b'*')).parse_next(input)?.is_some() {
                factors.push((false, self.signed(input, depth)?));
            } else if divides && opt(token(b'/')).parse_next(input)?.is_some() {
                factors.push((true, self.signed(input, depth)?));
            } else if self.is_polynomial()
                && (input.first() == Some(&b'(') || self.variable(input).is_some())
            {
                // `2x` and `2(x+1)`: what follows without an operator is a factor, a number excepted.
                factors.push((false, self.power(input, depth)?));
            } else {
                return Ok(Node {
                    offset,
                    kind: Kind::Product(factors),
                });
            }
        }
    }

    /// A factor behind an operator, with its signs.
    fn signed<'t>(self, input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
        let offset = input.current_token_start();
        let negative = self.is_polynomial() && signs(input)?;
        let factor = self.power(input, depth)?;
        Ok(match negative {
            true => Node {
                offset,
                kind: Kind::Sum(vec![(true, factor)]),
            },
            false => factor,
        })
    }

    fn power<'t>(self, input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
        let offset = input.current_token_start();
        let mut tower = vec![self.atom(input, depth)?];
        while (self == Self::Number || tower.len() == 1)
            && opt(power_sign).parse_next(input)?.is_some()
        {
            tower.push(match self {
                Self::Number => self.atom(input, depth)?,
                Self::Polynomial | Self::Quotients(_) => cut_err(decimal).parse_next(input)?,
            });
        }
        if self.is_polynomial() && tower.len() == 1 {
            return Ok(tower.remove(0));
        }
        Ok(Node {
            offset,
            kind: Kind::Power(tower),
        })
    }

    fn atom<'t>(self, input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
        let offset = input.current_token_start();
        let inner = |input: &mut Input<'t>| {
            if depth == MAX_DEPTH {
                return Err(ErrMode::Cut(ContextError::new()));
            }
            self.sum(input, depth + 1)
        };
        if let Some((index, length)) = self.variable(input) {
            return token(take(length))
                .map(|_| Node {
                    offset,
                    kind: Kind::Variable(index),
                })
                .parse_next(input);
        }
        let digits = |input: &mut Input<'t>| match self {
            Self::Number => number(any_digits, input),
            // `0x` is no prefix there, but no times x.
            Self::Polynomial => decimal(input),
            Self::Quotients(_) => number(with_point, input),
        };
        alt((
            digits,
            delimited(token(b'('), cut_err(inner), cut_err(token(b')'))),
        ))
        .parse_next(input)
    }
}
