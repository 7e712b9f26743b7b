//! Tables with aligned columns, and the numbers in them.

use std::fmt;

/// A table; its first column is aligned to the left, the others to the right.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these names of columns.
    pub fn new<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self {
            rows: vec![names.into_iter().map(Into::into).collect()],
        }
    }

    /// One more row.
    pub fn push<S: Into<String>>(&mut self, row: impl IntoIterator<Item = S>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells = |column| self.rows.iter().filter_map(move |row| row.get(column));
        let widths: Vec<usize> = (0..columns)
            .map(|column| cells(column).map(|cell| cell.chars().count()).max())
            .map(Option::unwrap_or_default)
            .collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                // Widths of formats end at 2^16, and names from files need not.
                let spaces = " ".repeat(width - cell.chars().count());
                let [before, behind] = match column {
                    0 => ["", &spaces[..]],
                    _ => [&spaces[..], ""],
                };
                line.push_str(&format!("  {before}{cell}{behind}"));
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A number with its digits in groups of three.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(["name", "µs", "x"]);
        table.push(["a", "12.5", ""]);
        table.push(["long name", "1", "2"]);
        assert_eq!(
            table.to_string(),
            "  name         µs  x\n  a          12.5\n  long name     1  2\n"
        );
    }

    #[test]
    fn cells_may_be_long() {
        let mut table = Table::new(["n", "x"]);
        table.push(["a".repeat(70_000), "1".to_owned()]);
        assert_eq!(table.to_string().lines().next().map(str::len), Some(70_005));
    }

    #[test]
    fn digits_stand_in_groups() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
