//! Sparse matrices by their definition.

use std::collections::BTreeMap;
use sunzi_testkit::Random;

/// Entries by their places, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triplets {
    pub rows: usize,
    pub columns: usize,
    pub entries: BTreeMap<(usize, usize), i64>,
}

/// At most this many entries between −50 and 50, none of which is 0.
pub fn random(rows: usize, columns: usize, count: usize, seed: u64) -> Triplets {
    let mut random = Random::new(seed);
    let entries = (0..count).map(|_| {
        let place = (
            random.below(rows as u64) as usize,
            random.below(columns as u64) as usize,
        );
        let value = random.below(100) as i64 - 50;
        (place, if value == 0 { 7 } else { value })
    });
    Triplets {
        rows,
        columns,
        entries: entries.collect(),
    }
}

impl Triplets {
    /// The file.
    pub fn market(&self, kind: &str) -> String {
        let mut text = format!(
            "%%MatrixMarket matrix coordinate {kind} general\n{} {} {}\n",
            self.rows,
            self.columns,
            self.entries.len()
        );
        for ((row, column), value) in &self.entries {
            text += &format!("{} {} {value}\n", row + 1, column + 1);
        }
        text
    }

    pub fn transposed(&self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            entries: self
                .entries
                .iter()
                .map(|(&(i, j), &value)| ((j, i), value))
                .collect(),
        }
    }

    pub fn times(&self, x: &[i64]) -> Vec<i64> {
        let mut y = vec![0; self.rows];
        for (&(row, column), value) in &self.entries {
            y[row] += value * x[column];
        }
        y
    }
}

/// The matrix of a coordinate file that the program wrote.
pub fn parse(text: &str) -> Triplets {
    let mut lines = text.lines().filter(|line| !line.starts_with('%'));
    let numbers =
        |line: &str| -> Vec<i64> { line.split(' ').map(|word| word.parse().unwrap()).collect() };
    let sizes = numbers(lines.next().unwrap());
    let entries: BTreeMap<_, _> = lines
        .map(numbers)
        .map(|entry| ((entry[0] as usize - 1, entry[1] as usize - 1), entry[2]))
        .collect();
    assert_eq!(entries.len() as i64, sizes[2]);
    Triplets {
        rows: sizes[0] as usize,
        columns: sizes[1] as usize,
        entries,
    }
}

/// Numbers of a file, one a line.
pub fn column<T: std::str::FromStr>(text: &str) -> Vec<T> {
    text.lines()
        .map(|line| line.parse().ok().unwrap_or_else(|| panic!("{line}")))
        .collect()
}
