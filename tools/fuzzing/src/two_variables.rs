//! Expressions in two variables with quotients: against their value at points, computed while the text is read; and in
//! bounded time.

use crate::expressions::{CHEAP, LONG, MOST_TIME};
use crate::reading::{Reading, Rules};
use std::time::Instant;
use sunzi::field::{Field, Fp64};
use sunzi_files::input::algebraic::{MAX_DEGREE_OF_TWO, Variables};
use sunzi_files::numbers::integers::IntegerText;

/// The grammar that the manual tells.
const RULES: Rules = Rules {
    variables: &[b"x", b"y"],
    divides: true,
    most_degree: MAX_DEGREE_OF_TWO,
};

pub fn run(data: &[u8]) -> bool {
    let text = &data[..data.len().min(LONG)];
    let (numbers, variables) = (IntegerText::new(), Variables::default());
    let start = Instant::now();
    let found = numbers.read_two_variables(text, &variables);
    assert!(start.elapsed() < MOST_TIME, "{:?}", start.elapsed());
    let field = Fp64::new((1 << 61) - 1).expect("a prime");
    let read = |point: [u64; 2]| {
        let point = point.map(|part| field.from_u64(part));
        Reading::of(text, &field, &RULES, &point)
    };
    let shown = || String::from_utf8_lossy(text);
    match &found {
        Ok(polynomial) => {
            let last = polynomial.rows.last();
            assert!(last.is_none_or(|row| !row.is_empty()));
            let mut ends = polynomial.rows.iter().filter_map(|row| row.last());
            assert!(ends.all(|end| !end.is_zero()));
            let denominator = field.from_integer(&polynomial.denominator);
            for point in [[0, 0], [1, 2], [2, 1], [0x1234_5678_9abc, 0xfedc_ba98_7654]] {
                let [x, y] = point.map(|part| field.from_u64(part));
                let horner = |sum, at, next| field.add(field.mul(sum, at), next);
                let mut value = field.zero();
                for row in polynomial.rows.iter().rev() {
                    let coefficients = row.iter().rev().map(|a| field.from_integer(a));
                    let row = coefficients.fold(field.zero(), |sum, a| horner(sum, x, a));
                    value = horner(value, y, row);
                }
                let reading = read(point).unwrap_or_else(|| panic!("{}", shown()));
                if let (Some(expected), Some(inverse)) = (reading.value, field.inv(denominator)) {
                    assert_eq!(field.mul(value, inverse), expected, "{}", shown());
                }
            }
            // What was read is read again as it is written.
            let rows: Vec<_> = polynomial.rows.iter().map(|row| &row[..]).collect();
            let mut written = Vec::new();
            numbers.write_two_variables(&rows, &variables, &mut written);
            let again = numbers.read_two_variables(&written, &variables);
            assert_eq!(again.map(|again| again.rows).as_ref(), Ok(&polynomial.rows));
        }
        Err(error) => {
            assert!(error.offset <= text.len() && !error.problem.is_empty());
            // What is cheap must not be refused.
            let refused = read([0, 0]).filter(|read| read.work <= CHEAP);
            assert!(refused.is_none(), "{}: {}", shown(), error.problem);
        }
    }
    found.is_ok()
}
