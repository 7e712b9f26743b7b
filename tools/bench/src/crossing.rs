//! Which of two methods is ahead, and from where on.

use super::series::Series;
use sunzi_measure::text;

/// Times that differ by less than this share of one are level: no ranking of them holds on another day.
const LEVEL: f64 = 0.03;

/// Says where `own` is ahead of `other`; nothing if they have no size in common.
pub fn sentence(own: &Series, other: &Series) -> Option<String> {
    let ratios: Vec<(u64, f64)> = own
        .times
        .iter()
        .filter_map(|time| Some((time.points, other.at(time.points)? / time.timing.median)))
        .collect();
    let (a, b) = (&own.mark, &other.mark);
    let &[(first, _), ref more @ ..] = &ratios[..] else {
        return None;
    };
    let ranked = ratios
        .iter()
        .filter(|(_, ratio)| (ratio - 1.0).abs() > LEVEL);
    let ahead: Vec<(u64, bool)> = ranked
        .map(|&(points, ratio)| (points, ratio > 1.0))
        .collect();
    let place = match (ahead.first(), ahead.len() < ratios.len()) {
        (None, _) => "level with",
        (Some((_, true)), false) => "ahead of",
        (Some((_, false)), false) => "behind",
        (Some((_, true)), true) => "ahead of, or level with,",
        (Some((_, false)), true) => "behind, or level with,",
    };
    let turns: Vec<u64> = ahead
        .windows(2)
        .filter(|pair| pair[0].1 != pair[1].1)
        .map(|pair| pair[1].0)
        .collect();
    Some(match (&turns[..], ahead.first()) {
        ([], _) if more.is_empty() => {
            format!("{a} is {place} {b} at N = {first}, the only N that both have.")
        }
        ([], _) => format!("{a} is {place} {b} at every N measured."),
        ([from], Some((_, false))) => format!("{a} is ahead of {b} from N = {from} on."),
        ([from], _) => format!("{a} is ahead of {b} below N = {from}, and behind from there on."),
        _ => {
            let sizes = ahead.iter().filter(|(_, ahead)| *ahead);
            let sizes: Vec<String> = sizes.map(|(points, _)| points.to_string()).collect();
            let sizes = text::list(&sizes);
            format!("{a} and {b} change places several times: {a} is ahead at N = {sizes}.")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::Sized;
    use sunzi_measure::Timing;

    fn series(n: usize, seconds: &[f64]) -> Series {
        let mut series = Series::new(n, "");
        for (i, &median) in seconds.iter().enumerate() {
            let timing = Timing {
                median,
                quartile1: median,
                quartile3: median,
            };
            series.times.push(Sized {
                points: 4 << i,
                timing,
            });
        }
        series
    }

    #[test]
    fn crossings_are_said() {
        let own = series(0, &[1.0, 2.0, 3.0, 4.0]);
        let said = |other: &[f64]| sentence(&own, &series(2, other)).unwrap_or_default();
        for (other, expected) in [
            (
                &[2.0, 3.0, 4.0, 5.0][..],
                "ahead of (c) at every N measured.",
            ),
            (&[0.5, 1.0, 1.0, 1.0], "behind (c) at every N measured."),
            (&[0.5, 1.0, 4.0, 5.0], "ahead of (c) from N = 16 on."),
            (
                &[2.0, 1.0, 1.0, 1.0],
                "ahead of (c) below N = 8, and behind from there on.",
            ),
            (&[2.0], "ahead of (c) at N = 4, the only N that both have."),
        ] {
            assert_eq!(said(other), format!("(a) is {expected}"));
        }
        for (other, place) in [
            (&[1.01, 2.0, 2.95][..], "level with"),
            (&[1.01, 3.0, 4.0], "ahead of, or level with,"),
            (&[0.5, 2.0], "behind, or level with,"),
        ] {
            let expected = format!("(a) is {place} (c) at every N measured.");
            assert_eq!(said(other), expected);
        }
        // Level sizes on the way are no turns.
        assert_eq!(
            said(&[0.5, 2.0, 4.0]),
            "(a) is ahead of (c) from N = 16 on."
        );
        let several = said(&[2.0, 1.0, 4.0, 1.0]);
        assert!(
            several.ends_with("(a) is ahead at N = 4 and 16."),
            "{several}"
        );
        assert_eq!(said(&[]), "");
    }
}
