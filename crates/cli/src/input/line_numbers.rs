//! Which line each entry of a vector stands in, in a few bytes: entries mostly follow line by line.

/// The line numbers of entries in the order of the file.
#[derive(Debug, Default)]
pub struct LineNumbers {
    /// Stretches of entries whose lines follow each other: the first entry's index and line.
    stretches: Vec<(usize, u64)>,
    count: usize,
}

impl LineNumbers {
    /// Notes the line of the next entry.
    pub fn push(&mut self, line: u64) {
        if self.expected() != Some(line) {
            self.stretches.push((self.count, line));
        }
        self.count += 1;
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The line of the next entry if nothing stands between.
    fn expected(&self) -> Option<u64> {
        let &(first, line) = self.stretches.last()?;
        Some(line + (self.count - first) as u64)
    }

    /// The line of the entry at an index.
    pub fn get(&self, index: usize) -> Option<u64> {
        if index >= self.count {
            return None;
        }
        let behind = self.stretches.partition_point(|&(first, _)| first <= index);
        let &(first, line) = self.stretches.get(behind.checked_sub(1)?)?;
        Some(line + (index - first) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_and_stretches_are_few() {
        for lines in [
            &[][..],
            &[1],
            &[1, 2, 3],
            &[7],
            &[2, 3, 5, 6, 7, 9, 1_000_000, 1_000_001],
        ] {
            let mut numbers = LineNumbers::default();
            lines.iter().for_each(|&line| numbers.push(line));
            let found: Vec<_> = (0..lines.len()).map(|index| numbers.get(index)).collect();
            let expected: Vec<_> = lines.iter().copied().map(Some).collect();
            assert_eq!(found, expected);
            assert_eq!(numbers.get(lines.len()), None);
        }
        let mut numbers = LineNumbers::default();
        (1..=1000).for_each(|line| numbers.push(line));
        assert_eq!(numbers.stretches.len(), 1);
    }
}
