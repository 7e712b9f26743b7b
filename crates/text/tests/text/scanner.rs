//! Lines as they are cut, against the plain definition, however the bytes come.

use std::io::{BufRead, BufReader, Read};

use proptest::prelude::*;
use sunzi_text::{End, FREE_IDLE, Scanner, TextError};

/// What stands in front of `#` in each line, its end included where it has no comment; or the line, from 0, with a
/// carriage return that ends nothing.
fn lines_by_definition(text: &[u8]) -> Result<Vec<Vec<u8>>, usize> {
    let lone = |at: &usize| text[*at] == b'\r' && !matches!(text.get(at + 1), None | Some(b'\n'));
    if let Some(at) = (0..text.len()).find(lone) {
        return Err(text[..at].iter().filter(|&&byte| byte == b'\n').count());
    }
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let data = |line: &[u8]| {
        line.split(|&byte| byte == b'#')
            .next()
            .unwrap_or_default()
            .to_vec()
    };
    Ok(lines.map(data).collect())
}

/// The same by a scanner over blocks of this many bytes.
fn lines_found(text: &[u8], block: usize, most: usize) -> Result<Vec<Vec<u8>>, usize> {
    let mut file = Scanner::new(BufReader::with_capacity(block, text));
    let mut lines = Vec::new();
    loop {
        let mut line = Vec::new();
        let lone = |error| match error {
            TextError::LoneReturn => lines.len(),
            other => panic!("{other}"),
        };
        if file.peek().map_err(lone)?.is_none() {
            return Ok(lines);
        }
        loop {
            let before = line.len();
            match file.take(&mut line, b'#', before + most).map_err(lone)? {
                End::Most => assert!(line.len() >= before + most),
                End::Stop => {
                    file.skip_line().map_err(lone)?;
                    break;
                }
                End::Line | End::File => break,
            }
        }
        lines.push(line);
    }
}

proptest! {
    #[test]
    fn lines_are_those_of_the_definition(
        text in prop::collection::vec(prop::sample::select(b"12 #\n\n\r\xff".to_vec()), 0..40),
        block in 1usize..9,
        most in 1usize..9,
    ) {
        prop_assert_eq!(lines_found(&text, block, most), lines_by_definition(&text));
    }

    #[test]
    fn lines_with_returns_are_those_of_the_definition(
        lines in prop::collection::vec("[12#x ]{0,4}(\r\n|\n|\r\n\r\n)", 0..8),
        last in "[12# ]{0,3}\r?",
        block in 1usize..9,
    ) {
        let text = lines.concat() + &last;
        let expected = lines_by_definition(text.as_bytes());
        prop_assert!(expected.is_ok());
        prop_assert_eq!(lines_found(text.as_bytes(), block, usize::MAX / 2), expected);
    }
}

#[test]
fn comments_without_end_are_refused() {
    let comment = |bytes: u64| BufReader::new(b"#".chain(std::io::repeat(b'c').take(bytes)));
    let mut file = Scanner::new(comment(FREE_IDLE - 1));
    assert_eq!(file.skip_line().unwrap(), End::File);
    let mut file = Scanner::new(comment(u64::MAX - 1));
    let error = file.skip_line().unwrap_err();
    assert_eq!(
        error.to_string(),
        "there are more than 256 MiB of comments and blanks and hardly any data between them: leave them out"
    );
    // Short comments add up.
    let line = b"#..............................................................\n";
    let mut file = Scanner::new(BufReader::with_capacity(1 << 18, Endless(line)));
    let skipped = (0..u64::MAX).find(|_| file.skip_line().is_err());
    assert_eq!(skipped, Some(FREE_IDLE / line.len() as u64));
}

/// The same bytes again and again.
struct Endless(&'static [u8]);

impl Read for Endless {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let whole = bytes.len() - bytes.len() % self.0.len();
        for part in bytes[..whole].chunks_mut(self.0.len()) {
            part.copy_from_slice(self.0);
        }
        Ok(whole)
    }
}

#[test]
fn data_excuses_comments() {
    let line = b"123#1..............................................................2.......................................3\n";
    let mut file = Scanner::new(BufReader::with_capacity(1 << 18, Endless(line)));
    let mut text = Vec::new();
    for _ in 0..2 * FREE_IDLE / line.len() as u64 {
        text.clear();
        assert_eq!(file.take(&mut text, b'#', usize::MAX).unwrap(), End::Stop);
        file.pay(text.len());
        file.skip_line().unwrap();
    }
}

#[test]
fn what_is_not_taken_stays() {
    let mut file = Scanner::new(BufReader::new(&b"1 2\n3"[..]));
    let mut text = Vec::new();
    file.take(&mut text, b'\n', usize::MAX).unwrap();
    assert_eq!(file.peek().unwrap(), Some(b'3'));
    assert_eq!(file.source().buffer(), b"3");
    assert!(file.source().get_ref().lines().next().is_none());
}
