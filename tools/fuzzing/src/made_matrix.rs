//! Matrix Market files of which every entry is known.

use crate::bytes::Bytes;
use std::fmt::Write;

/// Rows and columns at most.
const MOST: usize = 9;

/// A file, and what it holds.
pub struct MadeMatrix {
    pub text: String,
    pub columns: usize,
    /// Whether the file says that its entries are real.
    pub is_real: bool,
    /// Row by row.
    pub rows: Vec<Vec<i64>>,
}

impl MadeMatrix {
    pub fn new(bytes: &mut Bytes) -> Self {
        let is_array = bytes.byte().is_multiple_of(2);
        let (field, symmetry) = match (bytes.byte() % 3, bytes.byte() % 3) {
            (0, 1 | 2) if !is_array => ("pattern", "symmetric"),
            (0, 0) if !is_array => ("pattern", "general"),
            (field, symmetry) => (
                ["integer", "integer", "real"][usize::from(field)],
                ["general", "symmetric", "skew-symmetric"][usize::from(symmetry)],
            ),
        };
        let (row_count, other) = (bytes.within(0..=MOST), bytes.within(0..=MOST));
        let columns = if symmetry == "general" {
            other
        } else {
            row_count
        };
        let mut rows = vec![vec![0; columns]; row_count];
        let mut entries = Vec::new();
        // A skew-symmetric array has no place for a diagonal.
        let first_row = |j: usize| match symmetry {
            "general" => 0,
            "skew-symmetric" if is_array => j + 1,
            _ => j,
        };
        let places = (0..columns).flat_map(|j| (first_row(j)..row_count).map(move |i| (i, j)));
        for (i, j) in places {
            let byte = bytes.byte();
            let value = match field {
                "pattern" => i64::from(byte % 2),
                _ => i64::from(byte.cast_signed()),
            };
            let image = match symmetry {
                "skew-symmetric" => -value,
                _ => value,
            };
            if symmetry != "general" {
                rows[j][i] = image;
            }
            // On the diagonal of a skew-symmetric file, too.
            rows[i][j] = value;
            let shown = |value: i64| match field {
                "pattern" => String::new(),
                "integer" => format!("{value}"),
                _ => format!("{value}0e-1"),
            };
            if is_array {
                entries.push(shown(value));
                continue;
            }
            if value == 0 {
                continue;
            }
            // The half above the diagonal will do, too, and so will both.
            let sides = match symmetry != "general" && i != j {
                true => bytes.byte() % 4,
                false => 0,
            };
            if sides != 1 {
                entries.push(format!("{} {} {}", i + 1, j + 1, shown(value)));
            }
            if sides == 1 || sides == 2 {
                entries.push(format!("{} {} {}", j + 1, i + 1, shown(image)));
            }
        }
        let form = if is_array { "array" } else { "coordinate" };
        let end = ["\n", "\r\n", " \n\n", "\n% comment\n"][usize::from(bytes.byte() % 4)];
        let mut text = format!("%%MatrixMarket matrix {form} {field} {symmetry}\n");
        let count = match is_array {
            true => String::new(),
            false => format!(" {}", entries.len()),
        };
        // Memory takes everything.
        write!(text, "{row_count} {columns}{count}{end}").expect("memory");
        for entry in entries {
            write!(text, "{entry}{end}").expect("memory");
        }
        Self {
            text,
            columns,
            is_real: field == "real",
            rows,
        }
    }
}
