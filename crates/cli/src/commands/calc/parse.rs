//! Expressions of numbers: from text to a tree.
//!
//! ```text
//! sum      = product { ("+" | "-") product }
//! product  = signed { ("*" | "/" | "//" | "%" | "mod") signed }
//! signed   = { "-" | "+" } power
//! power    = counted [ ("^" | "**") signed ]
//! counted  = primary { "!" }
//! primary  = number | name "(" sum { "," sum } ")" | "(" sum ")"
//! ```

use super::functions::{Entry, Function};
use sunzi::{Integer, Natural};
use sunzi_files::input::LineError;

/// Parentheses and exponents within each other at most. Each takes some 20 kB of the stack, without optimizing, of the 2 MB that a
/// thread has.
const DEEPEST: usize = 50;

/// A part of an expression.
#[derive(Debug)]
pub struct Node {
    /// Where it stands: the byte of its operator or its first one.
    pub offset: usize,
    pub tree: Tree,
}

/// What a part is made of.
#[derive(Debug)]
pub enum Tree {
    /// An integer times a power of ten.
    Number {
        digits: Integer,
        scale: i64,
    },
    Negated(Box<Node>),
    /// Terms, with whether they are subtracted.
    Sum(Vec<(bool, Node)>),
    /// What stands first, and what it is combined with, from the left.
    Product(Box<Node>, Vec<(Operator, Node)>),
    /// A base and an exponent.
    Power(Box<Node>, Box<Node>),
    Factorial(Box<Node>),
    Call(Function, Vec<Node>),
}

/// What binds as products do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Times,
    Over,
    FloorOver,
    FloorRest,
    Modulo,
}

/// Reads an expression.
///
/// # Errors
/// What is wrong first.
pub fn parse(text: &[u8]) -> Result<Node, LineError> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
    };
    let node = parser.sum()?;
    match parser.peek() {
        None => Ok(node),
        Some(b')') => Err(parser.wrong("this parenthesis was not opened")),
        Some(b',') => Err(parser.wrong("a comma stands between arguments of a function only")),
        Some(b'=') => Err(parser.wrong("an expression has no `=`")),
        Some(_) => Err(parser.unexpected("an operator such as + - * / ^ is missing here")),
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    /// The next byte that is no blank.
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    /// Takes a text, if it is next.
    fn take(&mut self, expected: &str) -> bool {
        self.peek();
        let is_next = self.text[self.at..].starts_with(expected.as_bytes());
        self.at += if is_next { expected.len() } else { 0 };
        is_next
    }

    fn wrong(&self, problem: impl Into<String>) -> LineError {
        LineError::new(self.at, problem)
    }

    /// What stands here makes no sense.
    fn unexpected(&self, wanted: &str) -> LineError {
        match self.text.get(self.at) {
            None => self.wrong(format!("the expression ends here: {wanted}")),
            Some(&byte @ b' '..=b'~') => self.wrong(format!("`{}`: {wanted}", char::from(byte))),
            Some(byte) => self.wrong(format!("the byte 0x{byte:02x}: {wanted}")),
        }
    }

    /// Reads a part that stands within another.
    fn within<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, LineError>,
    ) -> Result<T, LineError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong(format!(
                "more than {DEEPEST} parentheses and exponents are within each other: write less at a time"
            )));
        }
        let read = read(self)?;
        self.depth -= 1;
        Ok(read)
    }

    fn sum(&mut self) -> Result<Node, LineError> {
        let first = self.product()?;
        let mut terms = vec![(false, first)];
        while let Some(sign @ (b'+' | b'-')) = self.peek() {
            self.at += 1;
            terms.push((sign == b'-', self.product()?));
        }
        Ok(match terms.len() {
            1 => terms.remove(0).1,
            _ => Node {
                offset: terms[0].1.offset,
                tree: Tree::Sum(terms),
            },
        })
    }

    fn product(&mut self) -> Result<Node, LineError> {
        let first = self.signed()?;
        let mut rest = Vec::new();
        while let Some((offset, operator)) = self.operator() {
            let mut operand = self.signed()?;
            // What is wrong with a divisor is told where its operator stands.
            if operator != Operator::Times {
                operand.offset = offset;
            }
            rest.push((operator, operand));
        }
        Ok(match rest.is_empty() {
            true => first,
            false => Node {
                offset: first.offset,
                tree: Tree::Product(Box::new(first), rest),
            },
        })
    }

    fn operator(&mut self) -> Option<(usize, Operator)> {
        let byte = self.peek()?;
        let offset = self.at;
        let operator = match byte {
            b'*' => Operator::Times,
            b'/' if self.text[self.at..].starts_with(b"//") => Operator::FloorOver,
            b'/' => Operator::Over,
            b'%' => Operator::FloorRest,
            b'm' if self.name() == "mod" => Operator::Modulo,
            _ => return None,
        };
        self.at += match operator {
            Operator::FloorOver => 2,
            Operator::Modulo => 3,
            _ => 1,
        };
        Some((offset, operator))
    }

    fn signed(&mut self) -> Result<Node, LineError> {
        let (mut negative, mut offset) = (false, None);
        while let Some(sign @ (b'+' | b'-')) = self.peek() {
            offset.get_or_insert(self.at);
            negative ^= sign == b'-';
            self.at += 1;
        }
        let node = self.power()?;
        Ok(match (negative, offset) {
            (true, Some(offset)) => Node {
                offset,
                tree: Tree::Negated(Box::new(node)),
            },
            _ => node,
        })
    }

    fn power(&mut self) -> Result<Node, LineError> {
        let base = self.counted()?;
        let offset = self.at;
        if !(self.take("**") || self.take("^")) {
            return Ok(base);
        }
        // Its own exponents belong to the exponent.
        let mut exponent = self.within(Self::signed)?;
        exponent.offset = offset;
        Ok(Node {
            offset: base.offset,
            tree: Tree::Power(Box::new(base), Box::new(exponent)),
        })
    }

    fn counted(&mut self) -> Result<Node, LineError> {
        let mut node = self.primary()?;
        let mut count = 0;
        while self.peek() == Some(b'!') {
            count += 1;
            if count > 3 {
                return Err(
                    self.wrong("a factorial of factorials of factorials is beyond everything")
                );
            }
            node = Node {
                offset: self.at,
                tree: Tree::Factorial(Box::new(node)),
            };
            self.at += 1;
        }
        Ok(node)
    }

    fn primary(&mut self) -> Result<Node, LineError> {
        let next = self.peek();
        let offset = self.at;
        let tree = match next {
            Some(b'0'..=b'9' | b'.') => self.number()?,
            Some(b'(') => {
                self.at += 1;
                let node = self.within(Self::sum)?;
                return self.close(offset).map(|()| node);
            }
            Some(byte) if byte.is_ascii_alphabetic() => self.call()?,
            _ => {
                return Err(
                    self.unexpected("a number, a function or a parenthesis is missing here")
                );
            }
        };
        Ok(Node { offset, tree })
    }

    /// The end of what was opened at `opened`.
    fn close(&mut self, opened: usize) -> Result<(), LineError> {
        match self.peek() {
            Some(b')') => {
                self.at += 1;
                Ok(())
            }
            Some(b',') => Err(self.wrong("a comma stands between arguments of a function only")),
            None => Err(LineError::new(opened, "this parenthesis is not closed")),
            Some(_) => Err(self.unexpected("an operator or `)` is missing here")),
        }
    }

    /// The letters and digits that stand here.
    fn name(&self) -> &str {
        let rest = &self.text[self.at..];
        let length = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
        std::str::from_utf8(&rest[..length.count()]).unwrap_or_default()
    }

    fn call(&mut self) -> Result<Tree, LineError> {
        let (offset, name) = (self.at, self.name().to_owned());
        let Some(entry) = Entry::named(&name) else {
            return Err(self.wrong(format!(
                "there is no function `{name:.40}`: the names are {}",
                Entry::names()
            )));
        };
        self.at += name.len();
        if self.peek() != Some(b'(') {
            return Err(self.unexpected(&format!("arguments in parentheses belong after `{name}`")));
        }
        let opened = self.at;
        self.at += 1;
        let mut arguments = vec![self.within(Self::sum)?];
        while self.peek() == Some(b',') {
            self.at += 1;
            arguments.push(self.within(Self::sum)?);
        }
        self.close(opened)?;
        match entry.takes(arguments.len()) {
            true => Ok(Tree::Call(entry.function, arguments)),
            false => Err(LineError::new(offset, entry.usage())),
        }
    }

    /// The digits that stand here.
    fn digits(&mut self) -> &str {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += length;
        std::str::from_utf8(&rest[..length]).unwrap_or_default()
    }

    fn number(&mut self) -> Result<Tree, LineError> {
        let start = self.at;
        if self.text[self.at..].starts_with(b"0x") || self.text[self.at..].starts_with(b"0X") {
            self.at += 2;
            let digits = self.name().to_owned();
            let value = Natural::from_str_radix(&digits, 16);
            let value = value.map_err(|_| {
                LineError::new(start, format!("`0x{digits}` is no hexadecimal number"))
            })?;
            self.at += digits.len();
            return Ok(Tree::Number {
                digits: value.into(),
                scale: 0,
            });
        }
        let mut digits = self.digits().to_owned();
        let mut scale = 0;
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            let fraction = self.digits();
            if fraction.is_empty() {
                return Err(self.unexpected("digits are missing after the decimal point"));
            }
            scale = fraction.len();
            digits += fraction;
        }
        let mut exponent: i64 = 0;
        if matches!(self.text.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            let negative = self.text.get(self.at) == Some(&b'-');
            self.at += usize::from(matches!(self.text.get(self.at), Some(b'+' | b'-')));
            let power = self.digits();
            if power.is_empty() {
                return Err(self.unexpected("digits are missing in the exponent"));
            }
            let power: Option<i64> = power.parse().ok();
            let Some(power) = power.filter(|&power| power <= i64::MAX / 2) else {
                let problem = "this exponent of ten is too large: write a power, as 10^n";
                return Err(LineError::too_large(start, problem));
            };
            exponent = if negative { -power } else { power };
        }
        if !matches!(self.name(), "" | "mod") {
            return Err(self.unexpected("an operator such as * is missing here"));
        }
        let digits: Integer = digits
            .parse()
            .map_err(|_| LineError::new(start, "this is no number"))?;
        let scale = match digits.is_zero() {
            true => 0,
            false => exponent - scale as i64,
        };
        Ok(Tree::Number { digits, scale })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_is_told_at_its_place() {
        for (text, offset, word) in [
            ("", 0, "ends here"),
            ("1+", 2, "ends here"),
            ("1 2", 2, "operator"),
            ("2x", 1, "operator"),
            ("(1", 0, "not closed"),
            ("1)", 1, "not opened"),
            ("1,2", 1, "comma"),
            ("(1,2)", 2, "comma"),
            ("foo(1)", 0, "no function `foo`"),
            ("gcd", 3, "parentheses"),
            ("gcd(1)", 0, "gcd"),
            ("isprime(1, 2)", 0, "isprime"),
            ("1.", 2, "decimal point"),
            ("1e", 2, "exponent"),
            ("0xg", 0, "hexadecimal"),
            ("1 = 1", 2, "`=`"),
            ("2*\u{e9}", 2, "0xc3"),
            ("5!!!!", 4, "factorial"),
        ] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert_eq!(error.offset, offset, "{text}: {error:?}");
            assert!(error.problem.contains(word), "{text}: {error:?}");
        }
        let deep = "(".repeat(100_000);
        assert!(parse(deep.as_bytes()).is_err());
        let deep = "2^".repeat(100_000);
        assert!(parse(deep.as_bytes()).is_err());
    }

    #[test]
    fn long_chains_need_no_stack() {
        for text in ["1+", "2*", "-", "7 mod "] {
            let text = text.repeat(100_000) + "1";
            drop(parse(text.as_bytes()).unwrap());
        }
    }
}
