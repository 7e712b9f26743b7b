//! Files that seem to be Matrix Market files, but for their first line.

/// What such a file begins like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Headless {
    /// The number of entries that the sizes in its first line tell.
    pub entries: usize,
    /// Words of each entry's line: with its value, or without.
    pub words: usize,
}

impl Headless {
    /// What is wrong with such a file.
    pub const PROBLEM: &str = "these are the sizes of a Matrix Market file, but its first line is missing, such as \
        `%%MatrixMarket matrix coordinate real general`: write it, or if this is a row of the matrix, [[…], […]]";

    /// Whether the first lines of a file are like that: three sizes, behind which all is places within them.
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Option<Self> {
        let mut lines = lines.into_iter().map(words);
        let sizes: Vec<usize> = lines.next()?.into_iter().map_while(number).collect();
        let &[rows, columns, entries] = &sizes[..] else {
            return None;
        };
        let first = lines.next()?;
        let count = first.len();
        let fits = |words: &Vec<&[u8]>| {
            let mut place = [rows, columns].into_iter().zip(words);
            let within = |most, word| number(word).is_some_and(|at| (1..=most).contains(&at));
            words.len() == count && place.all(|(most, word)| within(most, word))
        };
        let is_headless =
            (2..=3).contains(&count) && fits(&first) && lines.all(|words| fits(&words));
        is_headless.then_some(Self {
            entries,
            words: count,
        })
    }
}

fn words(line: &[u8]) -> Vec<&[u8]> {
    let words = line.split(u8::is_ascii_whitespace);
    words.filter(|word| !word.is_empty()).collect()
}

fn number(word: &[u8]) -> Option<usize> {
    str::from_utf8(word).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_their_first_line_are_known() {
        let found = |text: &str| {
            let found = Headless::of(text.split('\n').map(str::as_bytes));
            found.map(|it| (it.entries, it.words))
        };
        assert_eq!(found("3 3 2\n1 1 0.5\n3 2 7"), Some((2, 3)));
        assert_eq!(found("3 3 2\n1 1\n3 2"), Some((2, 2)));
        // Places outside, other lengths, other numbers, and nothing else.
        for text in [
            "3 3 2\n1 4 5",
            "3 3 2\n0 1 5",
            "3 3 2\n1 1 5\n1 2",
            "3 3 1/2\n1 1 1",
            "3 3 2",
            "1 2\n1 2",
            "",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
