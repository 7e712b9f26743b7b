//! Integer expressions of parameters: +, −, ×, remainders, ⌈a/b⌉, ⌊a/b⌋, minima and maxima. What they can come to over all
//! values of their parameters is known by interval arithmetic before they are used: so no divisor is zero, and none overflows.

use winnow::combinator::{alt, cut_err, delimited, opt, preceded, repeat, separated_pair};
use winnow::error::{ContextError, ErrMode};
use winnow::prelude::*;
use winnow::stream::LocatingSlice;
use winnow::token::{one_of, take_while};

use super::error::Problem;
use crate::program::{ProgramBuilder, ProgramError, Value};

type Input<'a> = LocatingSlice<&'a str>;
type Parsed<T> = Result<T, ErrMode<ContextError>>;

/// How deep parentheses may nest.
const DEEPEST: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Remainder,
    Ceiling,
    Floor,
    Minimum,
    Maximum,
    Equal,
    NotEqual,
    Less,
    AtMost,
}

/// An expression whose names are not yet found.
#[derive(Clone, Debug)]
enum Node {
    Number(i64),
    Name(String, usize),
    Apply(Operation, usize, Box<(Node, Node)>),
}

/// An expression over numbered values: it is proved to fit a word for all values of its parameters.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Constant(i64),
    Value(usize),
    #[doc(hidden)]
    Apply(Box<Applied>),
}

#[derive(Clone, Debug)]
pub(crate) struct Applied {
    operation: Operation,
    left: Expression,
    right: Expression,
}

/// A name, and the least and largest value that it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Name<'a> {
    pub name: &'a str,
    pub lowest: i64,
    pub highest: i64,
}

/// A refusal, and how many bytes into the text.
pub(crate) type Refused = (usize, Problem);

impl Expression {
    /// The expression `text` over `names`, whose values are given in their order.
    pub fn parse(text: &str, names: &[Name]) -> Result<Self, Refused> {
        let node = parse(text, sum)?;
        Ok(resolve(&node, names)?.0)
    }

    /// A comparison of two expressions: 1 where it holds, otherwise 0.
    pub fn parse_comparison(text: &str, names: &[Name]) -> Result<Self, Refused> {
        let node = parse(text, comparison)?;
        Ok(resolve(&node, names)?.0)
    }

    /// The value, for values within the bounds of the names.
    pub fn value(&self, values: &[i64]) -> i64 {
        match self {
            Expression::Constant(constant) => *constant,
            Expression::Value(index) => values[*index],
            Expression::Apply(applied) => {
                let (a, b) = (applied.left.value(values), applied.right.value(values));
                match applied.operation {
                    Operation::Add => a + b,
                    Operation::Subtract => a - b,
                    Operation::Multiply => a * b,
                    Operation::Remainder => a.rem_euclid(b),
                    Operation::Ceiling => -(-a).div_euclid(b),
                    Operation::Floor => a.div_euclid(b),
                    Operation::Minimum => a.min(b),
                    Operation::Maximum => a.max(b),
                    Operation::Equal => i64::from(a == b),
                    Operation::NotEqual => i64::from(a != b),
                    Operation::Less => i64::from(a < b),
                    Operation::AtMost => i64::from(a <= b),
                }
            }
        }
    }

    /// The same in a program, over values of it.
    pub fn in_program(
        &self,
        program: &mut ProgramBuilder,
        values: &[Value],
    ) -> Result<Value, ProgramError> {
        let applied = match self {
            Expression::Constant(constant) => return program.constant(*constant as f64),
            Expression::Value(index) => return Ok(values[*index]),
            Expression::Apply(applied) => applied,
        };
        let a = applied.left.in_program(program, values)?;
        let b = applied.right.in_program(program, values)?;
        match applied.operation {
            Operation::Add => program.add(a, b),
            Operation::Subtract => program.subtract(a, b),
            Operation::Multiply => program.multiply(a, b),
            Operation::Remainder => {
                let quotient = program.divide(a, b)?;
                let quotient = program.floor(quotient)?;
                let multiple = program.multiply(quotient, b)?;
                program.subtract(a, multiple)
            }
            Operation::Ceiling => {
                let quotient = program.divide(a, b)?;
                program.ceiling(quotient)
            }
            Operation::Floor => {
                let quotient = program.divide(a, b)?;
                program.floor(quotient)
            }
            Operation::Minimum => program.minimum(a, b),
            Operation::Maximum => program.maximum(a, b),
            Operation::Equal => program.equal(a, b),
            Operation::NotEqual => {
                let (equal, one) = (program.equal(a, b)?, program.constant(1.0)?);
                program.subtract(one, equal)
            }
            Operation::Less => program.less(a, b),
            Operation::AtMost => program.at_most(a, b),
        }
    }

    /// The degree in the values from `first` on, if it is a polynomial in them.
    pub fn degree_from(&self, first: usize) -> Option<usize> {
        Some(match self {
            Expression::Constant(_) => 0,
            Expression::Value(index) => usize::from(*index >= first),
            Expression::Apply(applied) => {
                let left = applied.left.degree_from(first)?;
                let right = applied.right.degree_from(first)?;
                match applied.operation {
                    Operation::Add | Operation::Subtract => left.max(right),
                    Operation::Multiply => left + right,
                    _ if left + right == 0 => 0,
                    _ => return None,
                }
            }
        })
    }
}

fn parse<'a>(
    text: &'a str,
    mut whole: impl FnMut(&mut Input<'a>) -> Parsed<Node>,
) -> Result<Node, Refused> {
    let mut depth = 0_usize;
    for (offset, byte) in text.bytes().enumerate() {
        depth = match byte {
            b'(' | b'-' => depth + 1,
            b')' => depth.saturating_sub(1),
            _ => depth,
        };
        if depth > DEEPEST {
            return Err((offset, Problem::TooDeep { most: DEEPEST }));
        }
    }
    (|input: &mut Input<'a>| whole(input))
        .parse(LocatingSlice::new(text))
        .map_err(|error| (error.offset(), Problem::Syntax))
}

fn spaced<'a, T>(
    mut inner: impl Parser<Input<'a>, T, ErrMode<ContextError>>,
) -> impl FnMut(&mut Input<'a>) -> Parsed<T> {
    move |input| {
        let mut space = |input: &mut Input<'a>| -> Parsed<()> {
            take_while(0.., [' ', '\t', '\n', '\r'])
                .void()
                .parse_next(input)
        };
        space.parse_next(input)?;
        let value = inner.parse_next(input)?;
        space.parse_next(input)?;
        Ok(value)
    }
}

fn apply(operation: Operation, offset: usize, left: Node, right: Node) -> Node {
    Node::Apply(operation, offset, Box::new((left, right)))
}

fn comparison(input: &mut Input) -> Parsed<Node> {
    let left = sum(input)?;
    let (sign, span) = spaced(alt(("==", "!=", "<=", ">=", "<", ">")).with_span())(input)?;
    let right = cut_err(sum).parse_next(input)?;
    Ok(match sign {
        "==" => apply(Operation::Equal, span.start, left, right),
        "!=" => apply(Operation::NotEqual, span.start, left, right),
        "<=" => apply(Operation::AtMost, span.start, left, right),
        "<" => apply(Operation::Less, span.start, left, right),
        ">=" => apply(Operation::AtMost, span.start, right, left),
        _ => apply(Operation::Less, span.start, right, left),
    })
}

fn sum(input: &mut Input) -> Parsed<Node> {
    let mut left = product(input)?;
    while let Some((sign, span)) = opt(spaced(one_of(['+', '-']).with_span())).parse_next(input)? {
        let right = cut_err(product).parse_next(input)?;
        let operation = if sign == '+' {
            Operation::Add
        } else {
            Operation::Subtract
        };
        left = apply(operation, span.start, left, right);
    }
    Ok(left)
}

fn product(input: &mut Input) -> Parsed<Node> {
    let mut left = factor(input)?;
    while let Some((sign, span)) = opt(spaced(one_of(['*', '%']).with_span())).parse_next(input)? {
        let right = cut_err(factor).parse_next(input)?;
        let operation = if sign == '*' {
            Operation::Multiply
        } else {
            Operation::Remainder
        };
        left = apply(operation, span.start, left, right);
    }
    Ok(left)
}

fn factor(input: &mut Input) -> Parsed<Node> {
    spaced(alt((
        take_while(1.., '0'..='9').try_map(|digits: &str| digits.parse().map(Node::Number)),
        preceded('-', cut_err(factor))
            .with_span()
            .map(|(node, span)| apply(Operation::Subtract, span.start, Node::Number(0), node)),
        delimited('(', cut_err(sum), cut_err(')')),
        named,
    )))(input)
}

/// A name, or a function by its name.
fn named(input: &mut Input) -> Parsed<Node> {
    let start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let word = (
        one_of(start),
        take_while(0.., |c: char| c.is_ascii_alphanumeric() || c == '_'),
    );
    let (name, span) = word.take().with_span().parse_next(input)?;
    let (operation, separator) = match name {
        "ceil" => (Operation::Ceiling, '/'),
        "floor" => (Operation::Floor, '/'),
        "min" => (Operation::Minimum, ','),
        "max" => (Operation::Maximum, ','),
        _ => return Ok(Node::Name(name.to_owned(), span.start)),
    };
    let pair = separated_pair(sum, separator, sum);
    let (left, right) = cut_err(spaced(delimited('(', pair, ')'))).parse_next(input)?;
    Ok(apply(operation, span.start, left, right))
}

/// The expression, and the least and largest value that it takes.
fn resolve(node: &Node, names: &[Name]) -> Result<(Expression, i64, i64), Refused> {
    match node {
        Node::Number(number) => Ok((Expression::Constant(*number), *number, *number)),
        Node::Name(name, offset) => {
            let index = names
                .iter()
                .position(|known| known.name == name)
                .ok_or_else(|| {
                    let known = names
                        .iter()
                        .map(|known| known.name)
                        .collect::<Vec<_>>()
                        .join(", ");
                    (
                        *offset,
                        Problem::UnknownName {
                            name: name.clone(),
                            known,
                        },
                    )
                })?;
            Ok((
                Expression::Value(index),
                names[index].lowest,
                names[index].highest,
            ))
        }
        Node::Apply(operation, offset, pair) => {
            let (left, a, b) = resolve(&pair.0, names)?;
            let (right, c, d) = resolve(&pair.1, names)?;
            let (lowest, highest) = bounds(*operation, (a, b), (c, d)).map_err(|p| (*offset, p))?;
            let applied = Applied {
                operation: *operation,
                left,
                right,
            };
            Ok((Expression::Apply(Box::new(applied)), lowest, highest))
        }
    }
}

/// What an operation comes to for operands within bounds; refused if not all results fit a word.
fn bounds(
    operation: Operation,
    (a, b): (i64, i64),
    (c, d): (i64, i64),
) -> Result<(i64, i64), Problem> {
    let divides = matches!(
        operation,
        Operation::Remainder | Operation::Ceiling | Operation::Floor
    );
    if divides && c <= 0 {
        return Err(Problem::Divisor { lowest: c });
    }
    let [a, b, c, d] = [a, b, c, d].map(i128::from);
    // Quotients and products are monotone in each operand, so they are extreme at corners.
    let corners = |f: &dyn Fn(i128, i128) -> i128| {
        let values = [f(a, c), f(a, d), f(b, c), f(b, d)];
        let lowest = values.iter().copied().fold(values[0], i128::min);
        (lowest, values.iter().copied().fold(values[0], i128::max))
    };
    let (lowest, highest) = match operation {
        Operation::Add => (a + c, b + d),
        Operation::Subtract => (a - d, b - c),
        Operation::Multiply => corners(&|x, y| x * y),
        Operation::Remainder => (0, d - 1),
        Operation::Ceiling => corners(&|x, y| -(-x).div_euclid(y)),
        Operation::Floor => corners(&|x, y| x.div_euclid(y)),
        Operation::Minimum => (a.min(c), b.min(d)),
        Operation::Maximum => (a.max(c), b.max(d)),
        _ => (0, 1),
    };
    // The negative of the least word is not one, and ceilings need negatives.
    let fits = |value: i128| i64::try_from(value).ok().filter(|&value| value > i64::MIN);
    fits(lowest).zip(fits(highest)).ok_or(Problem::Overflow)
}

/// A name and an index in brackets, as `A[i*n + k]`: both, and how many bytes before the index.
pub(crate) fn split_access(text: &str) -> Result<(&str, &str, usize), Refused> {
    let mut array = spaced(
        (
            one_of(|c: char| c.is_ascii_alphabetic() || c == '_'),
            repeat::<_, _, (), _, _>(0.., one_of(|c: char| c.is_ascii_alphanumeric() || c == '_')),
        )
            .take(),
    );
    let mut input = LocatingSlice::new(text);
    let name = array(&mut input).map_err(|_| (0, Problem::Syntax))?;
    let rest: &str = &input;
    let start = text.len() - rest.len();
    match (rest.strip_prefix('['), rest.trim_end().strip_suffix(']')) {
        (Some(_), Some(body)) => Ok((name, &body[1..], start + 1)),
        _ => Err((start, Problem::Syntax)),
    }
}
