//! Lists of coefficients: against GMP, word by word.

use rug::Integer;
use sunzi_files::input::coefficients;
use sunzi_files::numbers::integers::IntegerText;

pub fn run(data: &[u8]) -> bool {
    let text = IntegerText::new();
    let list = |data: &[u8]| coefficients::parse(data, |word| text.read(word));
    let found = list(data);
    let words = data
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let expected: Option<Vec<Integer>> = words.map(integer).collect();
    match (&found, &expected) {
        (Ok(found), Some(expected)) => {
            assert!(!coefficients::is_algebraic(data));
            let expected: Vec<_> = expected.iter().map(ToString::to_string).collect();
            let shown: Vec<_> = found.iter().map(ToString::to_string).collect();
            assert_eq!(shown, expected);
            let mut written = Vec::new();
            coefficients::write(found.len(), b" ", &mut written, |index, out| {
                text.write(&found[index], out);
            });
            assert_eq!(written, expected.join(" ").as_bytes());
            assert_eq!(list(&written).as_ref(), Ok(found));
        }
        (Err(error), None) => {
            assert!(error.offset <= data.len() && !error.problem.is_empty());
        }
        (found, expected) => panic!("{found:?} instead of {expected:?}"),
    }
    found.is_ok()
}

/// An integer, decimal or hexadecimal, with or without a sign.
pub fn integer(word: &[u8]) -> Option<Integer> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let (radix, digits) = match digits {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        digits => (10, digits),
    };
    if digits.is_empty()
        || !digits
            .iter()
            .all(|&byte| char::from(byte).is_digit(radix as u32))
    {
        return None;
    }
    let text = std::str::from_utf8(digits).ok()?;
    let value = Integer::from_str_radix(text, radix).ok()?;
    Some(if negative { -value } else { value })
}
