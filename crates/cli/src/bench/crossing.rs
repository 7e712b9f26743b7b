//! Which of two methods is ahead, and from where on.

use super::series::Series;

/// Says where `own` is ahead of `other`; nothing if they have no size in common.
pub fn sentence(own: &Series, other: &Series) -> Option<String> {
    let ahead: Vec<(u64, bool)> = own
        .times
        .iter()
        .filter_map(|time| Some((time.points, time.timing.median <= other.at(time.points)?)))
        .collect();
    let (&(first, starts_ahead), &(last, ends_ahead)) = (ahead.first()?, ahead.last()?);
    let (a, b) = (&own.mark, &other.mark);
    let changes = ahead.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    let turn = |pair: &[(u64, bool)]| pair[1].0;
    let turns: Vec<u64> = changes.map(turn).collect();
    Some(match (&turns[..], starts_ahead) {
        ([], _) if first == last => {
            let place = if ends_ahead { "ahead of" } else { "behind" };
            format!("{a} is {place} {b} at N = {first}, the only N that was measured.")
        }
        ([], true) => format!("{a} is ahead of {b} at every N measured."),
        ([], false) => format!("{a} is behind {b} at every N measured."),
        ([from], false) => format!("{a} is ahead of {b} from N = {from} on."),
        ([from], true) => {
            format!("{a} is ahead of {b} below N = {from}, and behind from there on.")
        }
        _ => {
            let sizes = ahead.iter().filter(|(_, ahead)| *ahead);
            let sizes: Vec<String> = sizes.map(|(points, _)| points.to_string()).collect();
            let sizes = super::text::list(&sizes);
            format!("{a} and {b} change places several times: {a} is ahead at N = {sizes}.")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::clock::Timing;
    use crate::bench::series::Sized;

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
            (
                &[2.0],
                "ahead of (c) at N = 4, the only N that was measured.",
            ),
        ] {
            assert_eq!(said(other), format!("(a) is {expected}"));
        }
        let several = said(&[2.0, 1.0, 4.0, 1.0]);
        assert!(
            several.ends_with("(a) is ahead at N = 4 and 16."),
            "{several}"
        );
        assert_eq!(said(&[]), "");
    }
}
