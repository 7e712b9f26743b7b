//! From text to a tree.

use super::super::LineError;
use winnow::ascii::{digit1, multispace0};
use winnow::combinator::{alt, cut_err, delimited, opt, preceded, terminated};
use winnow::error::{ContextError, ErrMode};
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::one_of;

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node<'t> {
    /// The byte at which it begins.
    pub(super) offset: usize,
    pub(super) kind: Kind<'t>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// Decimal digits.
    Number(&'t [u8]),
    /// The variable.
    Variable,
    /// Terms, each added or (where the flag is set) subtracted.
    Sum(Vec<(bool, Node<'t>)>),
    /// Factors.
    Product(Vec<Node<'t>>),
    /// A base and the digits of its exponent.
    Power(Box<Node<'t>>, &'t [u8]),
}

/// How deep parentheses may be nested, so that no text can exhaust the stack.
const MAX_DEPTH: usize = 64;

type Input<'t> = LocatingSlice<&'t [u8]>;
type Parsed<T> = Result<T, ErrMode<ContextError>>;

/// The tree of a text, or where it stops to be an expression.
pub(super) fn parse(text: &[u8]) -> Result<Node<'_>, LineError> {
    let mut input = LocatingSlice::new(text);
    let tree = sum(&mut input, 0);
    let offset = input.current_token_start();
    match tree {
        Ok(tree) if offset == text.len() => Ok(tree),
        _ => Err(LineError::new(offset, problem(text.get(offset).copied()))),
    }
}

fn problem(found: Option<u8>) -> String {
    let hint = "write a sum of terms such as 3*x^2 - 2*x + 1";
    match found {
        None => format!("the expression ends too early: {hint}"),
        Some(byte @ 0x21..=0x7e) => format!("unexpected '{}': {hint}", char::from(byte)),
        Some(byte) => format!("unexpected byte 0x{byte:02x}: {hint}"),
    }
}

/// `parser` and the blanks after it.
fn token<'t, T>(
    parser: impl Parser<Input<'t>, T, ErrMode<ContextError>>,
) -> impl Parser<Input<'t>, T, ErrMode<ContextError>> {
    terminated(parser, multispace0)
}

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

fn sum<'t>(input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
    multispace0.parse_next(input)?;
    let offset = input.current_token_start();
    let mut terms = vec![(signs(input)?, product(input, depth)?)];
    while let Some(first) = opt(sign).parse_next(input)? {
        let negative = first ^ signs(input)?;
        terms.push((negative, product(input, depth)?));
    }
    Ok(Node {
        offset,
        kind: Kind::Sum(terms),
    })
}

fn product<'t>(input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
    let offset = input.current_token_start();
    let mut factors = vec![power(input, depth)?];
    loop {
        if opt(token(b'*')).parse_next(input)?.is_some() {
            let offset = input.current_token_start();
            let negative = signs(input)?;
            let factor = power(input, depth)?;
            factors.push(match negative {
                true => Node {
                    offset,
                    kind: Kind::Sum(vec![(true, factor)]),
                },
                false => factor,
            });
        } else {
            // `2x` and `2(x+1)`: what follows without an operator is a factor, a number excepted.
            let next = input.first().copied();
            match next {
                Some(b'x' | b'X' | b'(') => factors.push(power(input, depth)?),
                _ => {
                    return Ok(Node {
                        offset,
                        kind: Kind::Product(factors),
                    });
                }
            }
        }
    }
}

fn power<'t>(input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
    let offset = input.current_token_start();
    let base = atom(input, depth)?;
    let exponent = opt(preceded(token(b'^'), cut_err(token(digit1)))).parse_next(input)?;
    Ok(match exponent {
        Some(exponent) => Node {
            offset,
            kind: Kind::Power(Box::new(base), exponent),
        },
        None => base,
    })
}

fn atom<'t>(input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
    let offset = input.current_token_start();
    let inner = |input: &mut Input<'t>| {
        if depth == MAX_DEPTH {
            return Err(ErrMode::Cut(ContextError::new()));
        }
        sum(input, depth + 1)
    };
    alt((
        token(digit1).map(|digits| Node {
            offset,
            kind: Kind::Number(digits),
        }),
        token(one_of([b'x', b'X'])).map(|_| Node {
            offset,
            kind: Kind::Variable,
        }),
        delimited(token(b'('), cut_err(inner), cut_err(token(b')'))),
    ))
    .parse_next(input)
}
