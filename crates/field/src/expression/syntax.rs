//! From text to a tree.

use winnow::ascii::{digit1, multispace0};
use winnow::combinator::{alt, cut_err, eof, opt, preceded, terminated};
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
    Number(&'t str),
    /// Terms, each added or (where the flag is set) subtracted.
    Sum(Vec<(bool, Node<'t>)>),
    /// Factors.
    Product(Vec<Node<'t>>),
    /// A base, its exponent, the exponent's exponent and so on.
    Power(Vec<Node<'t>>),
}

/// How deep parentheses may be nested, so that no text can exhaust the stack.
const MAX_DEPTH: usize = 64;

type Input<'t> = LocatingSlice<&'t str>;
type Parsed<T> = Result<T, ErrMode<ContextError>>;

/// The tree of `text`, or the byte offset at which it stops to be an expression.
pub(super) fn parse(text: &str) -> Result<Node<'_>, usize> {
    let mut input = LocatingSlice::new(text);
    let mut offset = 0;
    match whole(&mut input, &mut offset) {
        Ok(node) => Ok(node),
        Err(_) => Err(offset),
    }
}

/// Parses everything; `furthest` is where the reading stopped.
fn whole<'t>(input: &mut Input<'t>, furthest: &mut usize) -> Parsed<Node<'t>> {
    let result = terminated(|input: &mut Input<'t>| sum(input, 0), eof).parse_next(input);
    *furthest = input.current_token_start();
    result
}

/// `parser` and the blanks after it.
fn token<'t, T>(
    parser: impl Parser<Input<'t>, T, ErrMode<ContextError>>,
) -> impl Parser<Input<'t>, T, ErrMode<ContextError>> {
    terminated(parser, multispace0)
}

fn sum<'t>(input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
    multispace0.parse_next(input)?;
    let offset = input.current_token_start();
    let negative = opt(token(one_of(['+', '-']))).parse_next(input)? == Some('-');
    let mut terms = vec![(negative, product(input, depth)?)];
    while let Some(sign) = opt(token(one_of(['+', '-']))).parse_next(input)? {
        terms.push((sign == '-', product(input, depth)?));
    }
    Ok(Node {
        offset,
        kind: Kind::Sum(terms),
    })
}

fn product<'t>(input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
    let offset = input.current_token_start();
    let mut factors = vec![power(input, depth)?];
    while opt(token('*')).parse_next(input)?.is_some() {
        factors.push(power(input, depth)?);
    }
    Ok(Node {
        offset,
        kind: Kind::Product(factors),
    })
}

fn power<'t>(input: &mut Input<'t>, depth: usize) -> Parsed<Node<'t>> {
    let offset = input.current_token_start();
    let mut tower = vec![atom(input, depth)?];
    while opt(token('^')).parse_next(input)?.is_some() {
        tower.push(atom(input, depth)?);
    }
    Ok(Node {
        offset,
        kind: Kind::Power(tower),
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
        preceded(token('('), cut_err(terminated(inner, token(')')))),
    ))
    .parse_next(input)
}
