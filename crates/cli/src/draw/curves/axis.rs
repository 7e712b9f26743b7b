//! Ticks at round numbers.

/// The multiples of 1, 2 or 5 times a power of ten between two ends, at most this many, with their texts.
pub fn ticks([lower, upper]: [f64; 2], most: usize) -> Vec<(f64, String)> {
    let least = (upper - lower) / most.max(1) as f64;
    let mut power = least.log10().floor() as i32;
    let round = [1, 2, 5]
        .into_iter()
        .find(|&digit| f64::from(digit) * ten(power) >= least);
    let digit = round.unwrap_or_else(|| {
        power += 1;
        1
    });
    let step = f64::from(digit) * ten(power);
    // Ends that are ticks may be a little off.
    let (first, last) = (lower / step - 1e-6, upper / step + 1e-6);
    let (first, last) = (first.ceil() as i64, last.floor() as i64);
    let far = lower.abs().max(upper.abs());
    (first..=last)
        .map(|count| {
            let value = count as f64 * step;
            (value, text(count * i64::from(digit), power, far))
        })
        .collect()
}

fn ten(power: i32) -> f64 {
    10f64.powi(power)
}

/// `count` · 10^`power`, with an exponent, the same for all, where the numbers of the axis are large or tiny.
fn text(count: i64, power: i32, far: f64) -> String {
    if (-6..=0).contains(&power) || (1e-4..1e6).contains(&far) {
        let places = usize::try_from(-power).unwrap_or(0);
        return format!("{:.places$}", count as f64 * ten(power));
    }
    match count {
        0 => "0".to_owned(),
        _ => format!("{count}e{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let texts = |side, most| {
            let ticks = ticks(side, most).into_iter();
            ticks.map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(texts([-1.2, 1.1], 6), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(texts([-3.0, 12.0], 4), ["0", "5", "10"]);
        assert_eq!(
            texts([0.3333, 0.3334], 3),
            ["0.33330", "0.33335", "0.33340"]
        );
        assert_eq!(texts([-2e9, 2e9], 5), ["-2e9", "-1e9", "0", "1e9", "2e9"]);
        assert_eq!(texts([0.0, 2.5e-7], 3), ["0", "1e-7", "2e-7"]);
        assert_eq!(
            texts([3_000_000.0, 3_000_004.0], 4),
            ["3000000", "3000001", "3000002", "3000003", "3000004"]
        );
        assert_eq!(
            texts([1e6, 1e6 + 1.0], 2),
            ["1000000.0", "1000000.5", "1000001.0"]
        );
        assert_eq!(texts([0.0, 1.6e9], 4), ["0", "5e8", "10e8", "15e8"]);
        for ticks in [ticks([-7.0, 13.0], 8), ticks([0.1, 0.2], 8)] {
            assert!((3..=9).contains(&ticks.len()));
        }
    }
}
