//! Matrices as other programs print them: `[[1, 2], [3, 4]]`, in one line or a row a line, and `[1, 2; 3, 4]`.

use super::LineError;

/// Where a file stands in such a matrix, line after line.
#[derive(Debug, Default)]
pub struct Nesting {
    /// Within the bracket around all rows.
    open: bool,
    /// Behind it.
    closed: bool,
    /// Whether a row stands before this and its comma does not.
    comma: bool,
}

/// A row in a line, without its brackets, and at which byte it begins.
pub type Row<'a> = (usize, &'a [u8]);

impl Nesting {
    /// The rows in the content of a line; a line without brackets is one.
    ///
    /// # Errors
    /// What is wrong with the brackets.
    pub fn rows<'a>(&mut self, content: &'a [u8]) -> Result<Vec<Row<'a>>, LineError> {
        if self.closed {
            return Err(LineError::new(0, "the matrix ended before this, by a ']'"));
        }
        let mut rest = Rest { content, at: 0 };
        if !self.open {
            if rest.next() != Some(b'[') {
                return Ok(vec![(0, content)]);
            }
            let start = rest.at;
            rest.at += 1;
            // The bracket is of a row, unless there is another one, or none of it in this line.
            if !matches!(rest.next(), Some(b'[') | None) {
                rest.at = start;
                return rest.bracketed();
            }
            self.open = true;
        }
        let mut rows = Vec::new();
        while let Some(byte) = rest.next() {
            match byte {
                b'[' => {
                    let (start, inside) = rest.bracketed_row()?;
                    rows.push(row(start, inside)?);
                    self.comma = true;
                }
                b',' if self.comma => {
                    rest.at += 1;
                    self.comma = false;
                }
                b',' => return Err(LineError::new(rest.at, "a row is missing before this ','")),
                b']' => {
                    rest.at += 1;
                    (self.open, self.closed) = (false, true);
                    match rest.next() {
                        None => break,
                        Some(_) => {
                            return Err(LineError::new(
                                rest.at,
                                "the matrix ended before this, by a ']'",
                            ));
                        }
                    }
                }
                _ => {
                    let problem = "each row has brackets of its own here, as in [[1, 2], [3, 4]]";
                    return Err(LineError::new(rest.at, problem));
                }
            }
        }
        Ok(rows)
    }

    /// What is wrong at the end of the file, if anything is.
    ///
    /// # Errors
    /// A bracket that was not closed.
    pub fn end(&self) -> Result<(), &'static str> {
        match self.open {
            true => Err("the file ends without the ']' that closes the matrix"),
            false => Ok(()),
        }
    }
}

/// What is left of a line.
struct Rest<'a> {
    content: &'a [u8],
    at: usize,
}

impl<'a> Rest<'a> {
    /// The next byte that is no blank, which is the one at `at` then.
    fn next(&mut self) -> Option<u8> {
        let left = &self.content[self.at..];
        let blanks = left.iter().position(|byte| !byte.is_ascii_whitespace());
        self.at += blanks.unwrap_or(left.len());
        self.content.get(self.at).copied()
    }

    /// The row whose bracket is here.
    fn bracketed_row(&mut self) -> Result<Row<'a>, LineError> {
        let start = self.at + 1;
        let inner = &self.content[start..];
        let end = inner.iter().position(|&byte| matches!(byte, b'[' | b']'));
        match end.map(|end| (end, inner[end])) {
            Some((end, b']')) => {
                self.at = start + end + 1;
                Ok((start, &inner[..end]))
            }
            Some((end, _)) => Err(LineError::new(
                start + end,
                "a '[' within a row: a matrix is a list of rows, and these of numbers",
            )),
            None => Err(LineError::new(
                self.content.len(),
                "the row ends without a ']': write it in one line",
            )),
        }
    }

    /// One row, or several with semicolons between them, within one bracket that ends the line.
    fn bracketed(&mut self) -> Result<Vec<Row<'a>>, LineError> {
        let (mut start, inside) = self.bracketed_row()?;
        // A comma behind it is between rows, as in Python without the outer brackets.
        if let Some(byte) = self.next()
            && (byte != b',' || self.at + 1 < self.content.len())
        {
            return Err(LineError::new(
                self.at,
                "something stands behind the row: write one a line, or brackets around all",
            ));
        }
        let mut rows = Vec::new();
        for part in inside.split(|&byte| byte == b';') {
            rows.push(row(start, part)?);
            start += part.len() + 1;
        }
        Ok(rows)
    }
}

/// A row that is not empty.
fn row(start: usize, inside: &[u8]) -> Result<Row<'_>, LineError> {
    match inside.trim_ascii().is_empty() {
        true => Err(LineError::new(start, "a row without numbers")),
        false => Ok((start, inside)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of all lines, with a blank between their numbers.
    fn rows(lines: &[&str]) -> Result<Vec<(usize, String)>, (usize, String)> {
        let mut nesting = Nesting::default();
        let mut all = Vec::new();
        for line in lines {
            let found = nesting.rows(line.as_bytes());
            for (at, row) in found.map_err(|error| (error.offset, error.problem))? {
                all.push((at, String::from_utf8(row.to_vec()).unwrap()));
            }
        }
        nesting.end().map_err(|problem| (0, problem.to_owned()))?;
        Ok(all)
    }

    #[test]
    fn all_spellings_have_the_same_rows() {
        for lines in [
            &["[[1,2],[3,4]]"][..],
            &["[[1,2] [3,4]]"],
            &["[ [1,2] , [3,4] ]"],
            &["[[1,2],", "[3,4]]"],
            &["[", "[1,2],", "[3,4]", "]"],
            &["[1,2;3,4]"],
            &["[1,2]", "[3,4]"],
            &["[1,2],", "[3,4]"],
            &["1,2", "3,4"],
        ] {
            let found: Vec<_> = rows(lines).unwrap().into_iter().map(|row| row.1).collect();
            assert_eq!(found, ["1,2", "3,4"], "{lines:?}");
        }
        assert_eq!(
            rows(&["[[1], [2]]"]).unwrap(),
            [(2, "1".to_owned()), (7, "2".to_owned())]
        );
        assert_eq!(
            rows(&["[1;2]"]).unwrap(),
            [(1, "1".to_owned()), (3, "2".to_owned())]
        );
    }

    #[test]
    fn wrong_brackets_are_told_with_their_place() {
        for (lines, at, words) in [
            (&["[[1,2],[3,4]"][..], 0, "closes the matrix"),
            (&["[[1,2],[3,4]]]"], 13, "ended before"),
            (&["[[1,2]]", "[3]"], 0, "ended before"),
            (&["[[1,[2]]]"], 4, "within a row"),
            (&["[[1,2], 3]"], 8, "brackets of its own"),
            (&["[[1,2"], 5, "without a ']'"),
            (&["[1,2] [3,4]"], 6, "behind the row"),
            (&["[1,2"], 4, "without a ']'"),
            (&["[[1],,[2]]"], 5, "a row is missing"),
            (&["[", ",[1]]"], 0, "a row is missing"),
            (&["[]"], 1, "without numbers"),
            (&["[[1], []]"], 7, "without numbers"),
            (&["[1; ;2]"], 3, "without numbers"),
        ] {
            let (offset, problem) = rows(lines).unwrap_err();
            assert!(
                offset == at && problem.contains(words),
                "{lines:?}: {offset}, {problem}"
            );
        }
    }
}
