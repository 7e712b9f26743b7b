//! Numbers for people: three digits and a unit.

/// Seconds in the unit that suits them: `12.3 µs`.
///
/// ```
/// assert_eq!(sunzi_measure::text::duration(0.00123), "1.23 ms");
/// ```
#[must_use]
pub fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 5] = [
        (1.0, "s"),
        (1e-3, "ms"),
        (1e-6, "µs"),
        (1e-9, "ns"),
        (1e-12, "ps"),
    ];
    // 999.5 ns is shown as 1.00 µs.
    let fitting = UNITS.iter().find(|(unit, _)| seconds >= 0.9995 * unit);
    let &(unit, name) = fitting.unwrap_or(&(1e-9, "ns"));
    format!("{} {name}", three_digits(seconds / unit))
}

/// A number with three digits, or with all that stand before the point.
///
/// ```
/// assert_eq!(sunzi_measure::text::three_digits(12.345), "12.3");
/// ```
#[must_use]
pub fn three_digits(value: f64) -> String {
    let decimals = match value {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$}")
}

/// Names as a sentence lists them.
///
/// ```
/// assert_eq!(sunzi_measure::text::list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
/// ```
#[must_use]
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_unit() {
        let shown: Vec<String> = [
            0.0, 2.34e-11, 1.5e-9, 9.996e-9, 9.999e-7, 1.234e-4, 0.25, 12.0, 1234.0,
        ]
        .map(duration)
        .into();
        let expected = [
            "0.00 ns", "23.4 ps", "1.50 ns", "10.0 ns", "1.00 µs", "123 µs", "250 ms", "12.0 s",
            "1234 s",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn lists_read_well() {
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&names), "a, b and c");
        assert_eq!((list(&names[..1]), list(&[])), ("a".into(), "".into()));
    }
}
