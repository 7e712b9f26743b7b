//! Polynomials as expressions: against their value at a point, computed while the text is read; and in bounded time.

use crate::reading::{Reading, Rules};
use std::time::{Duration, Instant};
use sunzi::{
    field::{Field, Fp64},
    integer::{DecimalTables, Multiplier},
};
use sunzi_files::input::algebraic::{self, Variable};

/// No expression of a few thousand bytes takes longer, whatever machine this is and whatever else it does.
pub const MOST_TIME: Duration = Duration::from_secs(20);

/// Bytes beyond which an input teaches nothing new.
pub const LONG: usize = 4096;

/// Limbs that sums and products may read without ever being too much.
pub const CHEAP: u64 = 1 << 20;

/// The grammar that the manual tells.
const RULES: Rules = Rules {
    variables: &[b"xX"],
    divides: false,
    most_degree: 1 << 24,
};

pub fn run(data: &[u8]) -> bool {
    let text = &data[..data.len().min(LONG)];
    let start = Instant::now();
    let found = algebraic::integers(
        text,
        Variable::default(),
        &Multiplier::new(),
        &DecimalTables::new(),
    );
    assert!(start.elapsed() < MOST_TIME, "{:?}", start.elapsed());
    let field = Fp64::new((1 << 61) - 1).expect("a prime");
    let read = |point| Reading::of(text, &field, &RULES, &[field.from_u64(point)]);
    match &found {
        Ok(coefficients) => {
            for point in [0, 1, 2, 0x1234_5678_9abc] {
                let x = field.from_u64(point);
                let (mut value, mut power, mut reached) = (field.zero(), field.one(), 0);
                for (degree, coefficient) in coefficients.iter().enumerate() {
                    if !coefficient.is_zero() {
                        power = field.mul(power, field.pow(x, (degree - reached) as u64));
                        reached = degree;
                        let term = field.mul(power, field.from_integer(coefficient));
                        value = field.add(value, term);
                    }
                }
                let expected = read(point).and_then(|read| read.value);
                assert_eq!(Some(value), expected, "{}", String::from_utf8_lossy(text));
            }
            assert!(coefficients.last().is_none_or(|last| !last.is_zero()));
        }
        Err(error) => {
            assert!(error.offset <= text.len() && !error.problem.is_empty());
            // What is clear, and cheap, must not be refused.
            let refused = read(0).filter(|read| read.work <= CHEAP && is_clear(text));
            assert!(
                refused.is_none(),
                "{}: {}",
                String::from_utf8_lossy(text),
                error.problem
            );
        }
    }
    found.is_ok()
}

/// Whether a text can be nothing but an expression: operators and parentheses tell, or a variable without blanks.
fn is_clear(text: &[u8]) -> bool {
    let is_one_of = |bytes: &'static [u8]| move |byte: &u8| bytes.contains(byte);
    text.iter().any(is_one_of(b"*^()"))
        || text.iter().any(is_one_of(b"xX")) && !text.iter().any(u8::is_ascii_whitespace)
}
