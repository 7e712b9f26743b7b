//! Timings kept in a file of comma-separated values, from which plots and summaries are made.

use std::path::PathBuf;

use sunzi_measure::{Record, Records, RecordsError, Timing};

use crate::report::Measured;

/// What Sunzi's own timings are named.
pub const SUNZI: &str = "Sunzi";

/// The timings of one or several runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// The runs: what each file tells of its own, without its rows.
    pub runs: Vec<Records>,
    /// The rows of all files; each knows its run.
    pub rows: Vec<Record>,
}

impl Saved {
    /// Reads files that `--csv` saved, and puts them together. Where files measured the same, with as many
    /// threads, the last one counts.
    pub fn read(paths: &[PathBuf]) -> Result<Self, String> {
        let mut all = Self::default();
        for path in paths {
            let located = |error: String| format!("{}: {error}", path.display());
            let bytes = std::fs::read(path).map_err(|error| located(error.to_string()))?;
            all.add(Records::parse(&bytes).map_err(|error| located(error.to_string()))?);
        }
        match all.rows.is_empty() {
            true => Err("the files hold no timings".into()),
            false => Ok(all),
        }
    }

    fn add(&mut self, mut run: Records) {
        let key = |row: &Record| {
            let names = [&row.section, &row.group, &row.case].map(String::clone);
            (names, row.threads)
        };
        let again: std::collections::HashSet<_> = run.rows.iter().map(key).collect();
        self.rows.retain(|row| !again.contains(&key(row)));
        let number = self.runs.len();
        let rows = std::mem::take(&mut run.rows).into_iter();
        self.rows
            .extend(rows.map(|row| Record { run: number, ..row }));
        self.runs.push(run);
    }
}

/// The text of a file that [`Saved::read`] reads.
pub fn text(
    facts: &[(&str, String)],
    threads: usize,
    all: &[Measured],
) -> Result<String, RecordsError> {
    let mut rows = Vec::new();
    for measured in all {
        let row = |name: &str, timing: &Timing, counts| Record {
            section: measured.section.into(),
            group: measured.group.name.into(),
            case: measured.case.clone(),
            size: measured.size,
            threads,
            contender: name.into(),
            median_s: timing.median,
            quartile1_s: timing.quartile1,
            quartile3_s: timing.quartile3,
            counts,
            run: 0,
        };
        let own = measured.sunzi.iter().map(|timing| row(SUNZI, timing, true));
        rows.extend(own);
        let peers = measured.peers.iter();
        rows.extend(peers.map(|peer| row(peer.name, &peer.timing, peer.counts)));
    }
    let facts = facts.iter();
    let facts = facts.map(|(name, value)| ((*name).to_owned(), value.clone()));
    Records {
        facts: facts.collect(),
        rows,
    }
    .to_csv()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::Group;
    use crate::report::PeerTiming;

    fn measured(case: &str, seconds: f64) -> Measured {
        let timing = Timing {
            median: seconds,
            quartile1: seconds / 2.0,
            quartile3: seconds * 2.0,
        };
        Measured {
            section: "products",
            group: Group {
                name: "some, with \"quotes\"",
                goal: None,
            },
            case: case.into(),
            size: 16,
            sunzi: Some(timing),
            peers: vec![PeerTiming {
                name: "peer",
                timing,
                counts: false,
            }],
            counts: Vec::new(),
        }
    }

    fn run(case: &str, seconds: f64) -> Records {
        let facts = [("date", "today: noon".to_owned())];
        let text = text(&facts, 2, &[measured(case, seconds)]).expect("it can be written");
        Records::parse(text.as_bytes()).expect("it can be read")
    }

    fn saved(case: &str, seconds: f64) -> Saved {
        let mut saved = Saved::default();
        saved.add(run(case, seconds));
        saved
    }

    #[test]
    fn what_is_written_is_read() {
        let saved = saved("first", 1.5e-7);
        assert_eq!(saved.runs[0].fact("date"), Some("today: noon"));
        assert_eq!(saved.rows.len(), 2);
        let [own, peer] = [&saved.rows[0], &saved.rows[1]];
        assert_eq!((own.contender.as_str(), own.counts), (SUNZI, true));
        assert_eq!((peer.contender.as_str(), peer.counts), ("peer", false));
        assert_eq!(own.group, "some, with \"quotes\"");
        assert_eq!((own.size, own.threads), (16, 2));
        assert_eq!(
            [own.median_s, own.quartile1_s, own.quartile3_s],
            [1.5e-7, 0.75e-7, 3e-7]
        );
    }

    #[test]
    fn a_later_measurement_of_a_case_counts() {
        let mut all = saved("first", 1.0);
        all.add(run("second", 2.0));
        all.add(run("first", 3.0));
        let rows: Vec<_> = all.rows.iter().map(|row| (row.median_s, row.run)).collect();
        assert_eq!(rows, [(2.0, 1), (2.0, 1), (3.0, 2), (3.0, 2)]);
    }
}
