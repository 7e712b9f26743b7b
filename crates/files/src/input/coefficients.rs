//! Polynomials as lists of coefficients, from the constant term upward.

use super::LineError;
use std::borrow::Cow;
use sunzi_machine::threads::Threads;

/// Bytes of a long line that one task reads.
const PIECE: usize = 1 << 16;

/// Pieces that are read together, so that their numbers lie in memory twice for a short time only.
const TOGETHER: usize = 64;

/// Bytes of a line whose kind is looked at together.
const BLOCK: usize = 1 << 10;

/// Coefficients of a long product that one task writes.
const GROUP: usize = 1 << 12;

/// Whether a line is an expression in x and not a list of coefficients.
///
/// Lists hold numbers only; a variable, an operator that is no sign in front of a number, or
/// parentheses make an expression.
pub fn is_algebraic(content: &[u8]) -> bool {
    // Most lists hold digits and blanks only, which whole blocks tell quickly.
    let plain = |byte: &u8| byte.wrapping_sub(b'0') < 10 || *byte == b' ';
    let block_start = |index: usize| index * BLOCK;
    content.chunks(BLOCK).enumerate().any(|(index, block)| {
        let all_plain = block.iter().fold(true, |all, byte| all & plain(byte));
        let end = block_start(index) + block.len();
        !all_plain && (block_start(index)..end).any(|at| marks_expression(content, at))
    })
}

/// Whether the byte at `at` cannot stand there in a list of numbers but can in an expression.
fn marks_expression(content: &[u8], at: usize) -> bool {
    let before = |steps: usize| at.checked_sub(steps).map_or(b' ', |index| content[index]);
    let separates = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'[' | b',');
    match content[at] {
        b'*' | b'^' | b'(' | b')' | b'=' => true,
        b'+' | b'-' => {
            let next = content.get(at + 1).copied().unwrap_or(b' ');
            let exponent = matches!(before(1), b'e' | b'E') && before(2).is_ascii_digit();
            let is_number = next.is_ascii_digit() || next == b'.';
            !(separates(before(1)) || exponent) || !is_number
        }
        // The prefix of a hexadecimal number stands behind a zero at the start of a word.
        b'x' | b'X' => {
            let starts = separates(before(2)) || matches!(before(2), b'+' | b'-');
            !(before(1) == b'0' && starts)
        }
        _ => false,
    }
}

/// A list as other programs print it, `[1, 2, 3]` or `1,2,3`, with blanks in place of its brackets and commas: every byte stays
/// where it is. Other lines are left as they are.
fn without_commas(content: &[u8]) -> Result<Cow<'_, [u8]>, LineError> {
    let Some(first) = memchr::memchr3(b'[', b',', b']', content) else {
        return Ok(Cow::Borrowed(content));
    };
    let mut plain = content.to_vec();
    let first_word = content.iter().position(|byte| !byte.is_ascii_whitespace());
    let last_word = content.iter().rposition(|byte| !byte.is_ascii_whitespace());
    let bracketed = first_word == Some(first) && content[first] == b'[';
    if bracketed {
        plain[first] = b' ';
        match last_word {
            Some(last) if content[last] == b']' => plain[last] = b' ',
            _ => return Err(LineError::new(content.len(), "the list ends without a ']'")),
        }
    }
    // Whether a number stands between the last comma and here; the brackets are blanks by now.
    let (mut filled, mut comma) = (false, None);
    for (at, byte) in plain.iter_mut().enumerate() {
        match *byte {
            b',' if !filled => {
                return Err(LineError::new(at, "a number is missing before this ','"));
            }
            b',' => {
                (filled, comma) = (false, Some(at));
                *byte = b' ';
            }
            b'[' | b']' => {
                let sentence = "a list has one '[' at its beginning and one ']' at its end";
                return Err(LineError::new(at, sentence));
            }
            byte => filled |= !byte.is_ascii_whitespace(),
        }
    }
    match comma {
        Some(at) if !filled => Err(LineError::new(at, "a number is missing after this ','")),
        _ => Ok(Cow::Owned(plain)),
    }
}

/// Reads every word of a line, in parallel where the line is long. Words are separated by blanks, or as in `[1, 2, 3]`.
///
/// `read` turns a word into a coefficient, or says what is wrong at which byte of the word.
pub fn parse<T, R>(content: &[u8], read: R) -> Result<Vec<T>, LineError>
where
    T: Send,
    R: Fn(&[u8]) -> Result<T, LineError> + Sync,
{
    parse_rows(content, 1, |word, values| {
        values.push(read(word)?);
        Ok(())
    })
}

/// The same for coefficients of `width` parts each, which `read` appends.
pub fn parse_rows<T, R>(content: &[u8], width: usize, read: R) -> Result<Vec<T>, LineError>
where
    T: Send,
    R: Fn(&[u8], &mut Vec<T>) -> Result<(), LineError> + Sync,
{
    let content = &*without_commas(content)?;
    let pieces = cut(content);
    let count = |&(start, end): &(usize, usize)| width * words(&content[start..end]);
    let parse_piece = |bounds: &(usize, usize)| -> Result<Vec<T>, LineError> {
        let (start, end) = *bounds;
        let piece = &content[start..end];
        let mut values = Vec::with_capacity(count(bounds));
        let mut at = 0;
        while at < piece.len() {
            let rest = &piece[at..];
            let blanks = rest
                .iter()
                .position(|byte| !byte.is_ascii_whitespace())
                .unwrap_or(rest.len());
            let word = &rest[blanks..];
            let length = word
                .iter()
                .position(u8::is_ascii_whitespace)
                .unwrap_or(word.len());
            if length > 0 {
                let located = |error: LineError| LineError {
                    offset: start + at + blanks + error.offset,
                    ..error
                };
                read(&word[..length], &mut values).map_err(located)?;
            }
            at += blanks + length;
        }
        Ok(values)
    };
    if let [piece] = &pieces[..] {
        return parse_piece(piece);
    }
    // Not a number more than there are: a vector that grows takes up to three times as much.
    let mut values = Vec::with_capacity(Threads::all().map(&pieces, count).into_iter().sum());
    for pieces in pieces.chunks(TOGETHER) {
        // All results are collected, so that the error reported is the first in the line.
        for piece in Threads::all().map(pieces, parse_piece) {
            values.extend(piece?);
        }
    }
    Ok(values)
}

/// How many words there are between blanks.
#[inline]
fn words(text: &[u8]) -> usize {
    let first = text.first().is_some_and(|byte| !byte.is_ascii_whitespace());
    let starts = |pair: &&[u8]| pair[0].is_ascii_whitespace() && !pair[1].is_ascii_whitespace();
    usize::from(first) + text.windows(2).filter(starts).count()
}

/// Cuts a line at blanks into pieces of about [`PIECE`] bytes.
fn cut(content: &[u8]) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    let mut start = 0;
    loop {
        let least = start + PIECE;
        let blank = content
            .get(least..)
            .and_then(|rest| rest.iter().position(u8::is_ascii_whitespace));
        match blank {
            Some(at) => {
                pieces.push((start, least + at));
                start = least + at;
            }
            None => {
                pieces.push((start, content.len()));
                return pieces;
            }
        }
    }
}

/// Writes this many coefficients, each by `write_one`, which is told its number, with a separator between them; in parallel
/// where there are many.
pub fn write<W>(count: usize, separator: &[u8], out: &mut Vec<u8>, write_one: W)
where
    W: Fn(usize, &mut Vec<u8>) + Sync,
{
    let write_group = |first: usize, out: &mut Vec<u8>| {
        for index in first..count.min(first + GROUP) {
            if index > first {
                out.extend_from_slice(separator);
            }
            write_one(index, out);
        }
    };
    if count <= GROUP {
        return write_group(0, out);
    }
    let texts = Threads::all().map((0..count).step_by(GROUP), |first| {
        let mut text = Vec::new();
        write_group(first, &mut text);
        text
    });
    for (i, text) in texts.iter().enumerate() {
        if i > 0 {
            out.extend_from_slice(separator);
        }
        out.extend_from_slice(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(word: &[u8]) -> Result<u64, LineError> {
        std::str::from_utf8(word)
            .ok()
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| LineError::new(0, "bad"))
    }

    #[test]
    fn lists_and_expressions_are_told_apart() {
        for list in [
            "1 2 3", "-1 +2", "0x1f 3", "12z4", "1.5", "1_000", "", "  7 ", "[1, -2]", "[-1,-2]",
            "0x1,0xf",
        ] {
            assert!(!is_algebraic(list.as_bytes()), "{list}");
        }
        for expression in [
            "x",
            "3*x^2 - 2*x + 1",
            "1 - 2",
            "2^3",
            "(1)",
            "-x",
            "2x",
            "1+2",
            "1-2",
            "X",
        ] {
            assert!(is_algebraic(expression.as_bytes()), "{expression}");
        }
    }

    #[test]
    fn lists_of_other_programs_are_read() {
        for text in ["[1, 2, 3]", "1,2,3", " [ 1 2 3 ] ", "1 , 2 ,3 ", "[1,2, 3]"] {
            assert_eq!(parse(text.as_bytes(), number).unwrap(), [1, 2, 3], "{text}");
        }
        assert!(parse(b"[]", number).unwrap().is_empty());
        for (text, offset) in [
            ("[1, 2", 5),
            ("1, 2]", 4),
            ("[1, [2]]", 4),
            ("1,,2", 2),
            (",1", 0),
            ("1, 2, ", 4),
            ("[1,]", 2),
            ("[1] 2", 5),
            ("][", 0),
            ("[1, z]", 4),
        ] {
            let error = parse(text.as_bytes(), number).unwrap_err();
            assert_eq!(error.offset, offset, "{text}: {}", error.problem);
        }
    }

    #[test]
    fn words_are_counted() {
        for text in ["", " ", "a", " a", "a ", "ab  c", "a\tb\r", " \t a b  c d "] {
            assert_eq!(
                words(text.as_bytes()),
                text.split_ascii_whitespace().count()
            );
        }
    }

    #[test]
    fn long_lines_are_read_and_written_as_short_ones() {
        for count in [0, 1, 2, 4095, 4096, 4097, 100_000] {
            let values: Vec<u64> = (0..count).map(|i| i * i).collect();
            let mut text = Vec::new();
            write(values.len(), b"  ", &mut text, |index, out| {
                out.extend(values[index].to_string().bytes())
            });
            assert_eq!(
                text.iter().filter(|&&byte| byte == b' ').count() as u64,
                2 * count.saturating_sub(1)
            );
            assert_eq!(parse(&text, number).unwrap(), values);
        }
    }

    #[test]
    fn the_first_error_of_a_line_is_reported_where_it_is() {
        let mut text = "12345 ".repeat(50_000).into_bytes();
        text[290_000] = b'z';
        text[150_001] = b'z';
        let error = parse(&text, number).unwrap_err();
        assert_eq!(error.offset, 150_000);
    }
}
