//! The variable of polynomials in one variable, by the name that its user gave it.

use super::super::LineError;
use super::two_variables::VariablesError;
use std::borrow::Cow;
use std::str::FromStr;

/// Most bytes of a name.
const LONGEST: usize = 24;

/// A letter, with letters, digits and `_` behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    name: [u8; LONGEST],
    length: usize,
}

impl Default for Variable {
    /// x.
    fn default() -> Self {
        let mut name = [0; LONGEST];
        name[0] = b'x';
        Self { name, length: 1 }
    }
}

impl FromStr for Variable {
    type Err = VariablesError;

    fn from_str(text: &str) -> Result<Self, VariablesError> {
        check(text)?;
        if text.len() > LONGEST {
            return Err(VariablesError::Long(text.to_owned()));
        }
        let mut name = [0; LONGEST];
        name[..text.len()].copy_from_slice(text.as_bytes());
        let length = text.len();
        Ok(Self { name, length })
    }
}

/// Whether a text is a name, of any length.
pub(super) fn check(text: &str) -> Result<(), VariablesError> {
    let is_name =
        text.starts_with(|letter: char| letter.is_ascii_alphabetic()) && text.bytes().all(is_word);
    match text {
        // Of numbers such as 1e5.
        "e" | "E" => Err(VariablesError::Exponent(text.to_owned())),
        _ if !is_name => Err(VariablesError::NoName(text.to_owned())),
        _ => Ok(()),
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl Variable {
    /// The name.
    pub fn name(&self) -> &str {
        let name = str::from_utf8(&self.name[..self.length]);
        name.expect("letters, digits and underscores are ASCII")
    }

    /// A line with x in the place of this variable, and blanks behind it, so that every byte stays where it is.
    ///
    /// # Errors
    /// Where the line has a word that is another variable.
    pub fn translated<'c>(&self, content: &'c [u8]) -> Result<Cow<'c, [u8]>, LineError> {
        if *self == Self::default() || !content.iter().any(u8::is_ascii_alphabetic) {
            return Ok(Cow::Borrowed(content));
        }
        let name = self.name().as_bytes();
        let mut line = content.to_vec();
        let mut at = 0;
        while at < content.len() {
            let word = &content[at..];
            let length = word.iter().take_while(|&&byte| is_word(byte)).count();
            if length == 0 {
                at += 1;
                continue;
            }
            let word = &word[..length];
            // Numbers begin a word: digits, an exponent of ten, hexadecimal digits.
            let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let rest = &word[digits..];
            let is_number = match (digits, rest) {
                (_, []) => true,
                (1.., [b'e' | b'E', digits @ ..]) => digits.iter().all(u8::is_ascii_digit),
                (1, [b'x' | b'X', digits @ ..]) if word[0] == b'0' => {
                    !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)
                }
                _ => false,
            };
            if !is_number || rest == name {
                // `2t` and `tt` are products.
                if !rest.len().is_multiple_of(name.len())
                    || rest.chunks(name.len()).any(|factor| factor != name)
                {
                    let word = String::from_utf8_lossy(&rest[..rest.len().min(LONGEST)]);
                    return Err(LineError::new(
                        at + digits,
                        format!("there is no variable `{word}`: {}", self.sentence()),
                    ));
                }
                if word[..digits] == *b"0" {
                    // `0t` would become the prefix of a hexadecimal number: it is 0.
                    line[at + digits] = b'0';
                    line[at + digits + 1..at + digits + name.len()].fill(b' ');
                }
                let first = usize::from(word[..digits] == *b"0");
                for place in (at + digits..at + length).step_by(name.len()).skip(first) {
                    line[place..place + name.len()].fill(b' ');
                    line[place] = b'x';
                }
            }
            at += length;
        }
        Ok(Cow::Owned(line))
    }

    /// What it is, in words.
    pub(super) fn sentence(&self) -> String {
        match *self == Self::default() {
            true => "the variable is x, and --var names another".to_owned(),
            false => format!("the variable is {}", self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_translated_in_place() {
        for (name, line, expected) in [
            ("x", "3*y", "3*y"),
            ("t", "t^2 - 2t + 1", "x^2 - 2x + 1"),
            ("t", "3 0x1f -7 1e5", "3 0x1f -7 1e5"),
            ("t", "2tt(t+1)", "2xx(x+1)"),
            ("alpha", "3alpha^2+alpha", "3x    ^2+x    "),
            ("a_1", "a_1*a_1", "x  *x  "),
            ("t", "0t + 1", "00 + 1"),
            ("ab", "0abab + 0x1f", "00 x  + 0x1f"),
        ] {
            let variable: Variable = name.parse().unwrap();
            let line = variable.translated(line.as_bytes()).unwrap();
            assert_eq!(str::from_utf8(&line).unwrap(), expected);
        }
        for (name, line, offset) in [
            ("t", "t + x", 4),
            ("t", "2x", 1),
            ("t", "0x", 1),
            ("t", "t2", 0),
            ("alpha", "2*alphabet", 2),
        ] {
            let variable: Variable = name.parse().unwrap();
            let error = variable.translated(line.as_bytes()).unwrap_err();
            assert_eq!(error.offset, offset, "{line}");
            assert!(error.problem.starts_with("there is no variable"), "{line}");
        }
        for name in ["", "2", "e", "E", "a b", "a-b", "é", &"a".repeat(25)] {
            assert!(name.parse::<Variable>().is_err(), "{name}");
        }
    }
}
