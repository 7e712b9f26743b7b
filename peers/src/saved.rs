//! Timings kept in a file of comma-separated values, from which plots and summaries are made.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::measure::Timing;
use crate::report::Measured;

/// What Sunzi's own timings are named.
pub const SUNZI: &str = "Sunzi";

/// One contender's timing in one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub section: String,
    pub group: String,
    pub case: String,
    pub size: u64,
    pub threads: usize,
    pub contender: String,
    pub median_s: f64,
    pub quartile1_s: f64,
    pub quartile3_s: f64,
    /// Whether it did the same work as Sunzi: others are shown for reference only.
    #[serde(default = "counts")]
    pub counts: bool,
    /// Which of the files that were read it is from.
    #[serde(skip)]
    pub run: usize,
}

fn counts() -> bool {
    true
}

/// What a file tells of its run: machine, date, versions, each with its name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    pub facts: Vec<(String, String)>,
}

/// The timings of one or several runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    pub runs: Vec<Run>,
    pub rows: Vec<Row>,
}

impl Saved {
    /// Reads files that `--csv` saved, and puts them together. Where files measured the same, with as many
    /// threads, the last one counts.
    pub fn read(paths: &[PathBuf]) -> Result<Self, String> {
        let mut all = Self::default();
        for path in paths {
            let located = |error: String| format!("{}: {error}", path.display());
            let text = std::fs::read_to_string(path).map_err(|error| located(error.to_string()))?;
            all.add(Self::parse(&text).map_err(|error| located(error.to_string()))?);
        }
        match all.rows.is_empty() {
            true => Err("the files hold no timings".into()),
            false => Ok(all),
        }
    }

    /// Reads the text of one file: lines `# name: value`, then the table.
    fn parse(text: &str) -> Result<Self, csv::Error> {
        let facts = text
            .lines()
            .map_while(|line| line.strip_prefix("# ")?.split_once(": "))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let rows = reader.deserialize().collect::<Result<_, _>>()?;
        let runs = vec![Run { facts }];
        Ok(Self { runs, rows })
    }

    fn add(&mut self, other: Self) {
        let key = |row: &Row| {
            let names = [&row.section, &row.group, &row.case].map(String::clone);
            (names, row.threads)
        };
        let again: std::collections::HashSet<_> = other.rows.iter().map(key).collect();
        self.rows.retain(|row| !again.contains(&key(row)));
        let before = self.runs.len();
        self.rows.extend(other.rows.into_iter().map(|row| Row {
            run: before + row.run,
            ..row
        }));
        self.runs.extend(other.runs);
    }
}

impl Run {
    /// The value of a fact, if it was saved.
    pub fn fact(&self, name: &str) -> Option<&str> {
        let found = self.facts.iter().find(|(known, _)| known == name)?;
        Some(&found.1)
    }
}

/// The text of a file that [`Saved::read`] reads.
pub fn text(
    facts: &[(&str, String)],
    threads: usize,
    all: &[Measured],
) -> Result<String, Box<dyn std::error::Error>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for measured in all {
        let row = |name: &str, timing: &Timing, counts| Row {
            section: measured.section.into(),
            group: measured.group.name.into(),
            case: measured.case.clone(),
            size: measured.size,
            threads,
            contender: name.into(),
            median_s: timing.median,
            quartile1_s: timing.low,
            quartile3_s: timing.high,
            counts,
            run: 0,
        };
        let own = measured.sunzi.iter().map(|timing| row(SUNZI, timing, true));
        let peers = measured
            .peers
            .iter()
            .map(|peer| row(peer.name, &peer.timing, peer.counts));
        for row in own.chain(peers) {
            writer.serialize(row)?;
        }
    }
    let table = writer.into_inner().map_err(|error| {
        // What remains of the writer is of no use to anyone.
        io::Error::new(error.error().kind(), error.to_string())
    })?;
    let mut text: String = facts
        .iter()
        .map(|(name, value)| format!("# {name}: {value}\n"))
        .collect();
    text.push_str(std::str::from_utf8(&table)?);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::Group;
    use crate::report::PeerTiming;

    fn measured(case: &str, seconds: f64) -> Measured {
        let timing = Timing {
            median: seconds,
            low: seconds / 2.0,
            high: seconds * 2.0,
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
        }
    }

    fn saved(case: &str, seconds: f64) -> Saved {
        let facts = [("date", "today: noon".to_owned())];
        let text = text(&facts, 2, &[measured(case, seconds)]).expect("it can be written");
        Saved::parse(&text).expect("it can be read")
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
        all.add(saved("second", 2.0));
        all.add(saved("first", 3.0));
        let rows: Vec<_> = all.rows.iter().map(|row| (row.median_s, row.run)).collect();
        assert_eq!(rows, [(2.0, 1), (2.0, 1), (3.0, 2), (3.0, 2)]);
    }
}
