//! As many digits as tell different numbers apart.

use std::collections::HashMap;
use sunzi_machine::threads::Threads;

/// How different points of N coordinates, in any order, are written, and with how many digits: those that are wanted, and
/// where others are written as the same numbers then, twice as many, until they are not.
pub fn written<T: Sync, const N: usize>(
    points: &[T],
    wanted: usize,
    write: impl Fn(&T, usize) -> [String; N] + Sync,
) -> Vec<([String; N], usize)> {
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
fn without_zeros(text: &str) -> String {
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

/// What a line says where some numbers have more digits than were wanted.
pub fn remark<S>(written: &[(S, usize)], wanted: usize) -> String {
    match written.iter().map(|one| one.1).max() {
        Some(most) if most > wanted => format!(", with up to {most} digits, which tell them apart"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_get_the_digits_that_tell_them_apart() {
        let numbers = ["0.1234567", "0.5", "0.1234569", "0.12", "0.1234567001"];
        let first =
            |number: &&str, digits: usize| [number[..number.len().min(2 + digits)].to_owned()];
        let all = written(&numbers, 2, first);
        let digits: Vec<_> = all.iter().map(|one| one.1).collect();
        assert_eq!(digits, [16, 2, 8, 4, 16]);
        assert_eq!((&*all[1].0[0], &*all[2].0[0]), ("0.5", "0.1234569"));
        assert_eq!(
            remark(&all, 2),
            ", with up to 16 digits, which tell them apart"
        );
        assert_eq!(remark(&all, 16), "");
        assert_eq!(written(&numbers[..0], 2, first), []);
        // Zeros tell nothing apart.
        let all = written(&["0.5", "0.500001"], 3, first);
        assert_eq!(&*all[1].0[0], "0.500001");
        assert_eq!(without_zeros("1.500e-12"), "1.5e-12");
        assert_eq!(without_zeros("100"), "100");
    }
}
