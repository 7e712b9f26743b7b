//! Numbers in decimal, with as many digits as tell different ones apart.

use std::collections::HashMap;
use sunzi_machine::threads::Threads;

/// The decimals of a point's N coordinates, and how many significant digits they have.
pub type Decimals<const N: usize> = ([String; N], usize);

/// How different points of N coordinates, in any order, are written, and with how many digits: those that are wanted, and
/// where others are written as the same numbers then, twice as many, until they are not.
pub fn written<T: Sync, const N: usize>(
    points: &[T],
    wanted: usize,
    write: impl Fn(&T, usize) -> [String; N] + Sync,
) -> Vec<Decimals<N>> {
    let wanted = wanted.max(1);
    let texts = Threads::all().map(points, |point| write(point, wanted));
    let mut all: Vec<_> = texts.into_iter().map(|text| (text, wanted)).collect();
    let mut close: Vec<usize> = (0..points.len()).collect();
    let mut digits = wanted;
    loop {
        let mut alike: HashMap<[String; N], Vec<usize>> = HashMap::new();
        for &index in &close {
            let value = all[index].0.each_ref().map(|text| without_zeros(text));
            alike.entry(value).or_default().push(index);
        }
        close = alike
            .into_values()
            .filter(|group| group.len() > 1)
            .flatten()
            .collect();
        if close.is_empty() {
            return all;
        }
        digits = digits.saturating_mul(2);
        let texts = Threads::all().map(&close, |&index| write(&points[index], digits));
        for (text, &index) in texts.into_iter().zip(&close) {
            all[index] = (text, digits);
        }
    }
}

/// A decimal without the zeros at its end, which change nothing of its value.
pub fn without_zeros(text: &str) -> String {
    let (digits, exponent) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let digits = match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    };
    format!("{digits}{exponent}")
}

/// Significant digits of what is displayed without a precision.
pub const DIGITS: usize = 10;

/// A root or a solution as a line.
pub fn line(text: &str, multiplicity: usize) -> String {
    match multiplicity {
        1 => text.to_owned(),
        _ => format!("{text} (multiplicity {multiplicity})"),
    }
}
