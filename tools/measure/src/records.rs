//! Timings kept in a file of comma-separated values, from which charts and tables are made.
//!
//! Lines `# name: value` tell of the run: machine, date, versions. A table with a line of names follows.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One contender's timing in one case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The part of the comparison.
    pub section: String,
    /// What is measured: cases of a group are averaged together.
    pub group: String,
    /// The case in words.
    #[serde(default)]
    pub case: String,
    /// The length that the case is about: points, coefficients, limbs.
    pub size: u64,
    /// Threads that shared the work.
    pub threads: usize,
    /// Who did it.
    pub contender: String,
    /// Median seconds of a run.
    pub median_s: f64,
    /// The first quartile.
    pub quartile1_s: f64,
    /// The third quartile.
    pub quartile3_s: f64,
    /// Whether it did the same work as Sunzi: others are shown for reference only.
    #[serde(default = "counts")]
    pub counts: bool,
    /// Which of several files that were read it is from; not written.
    #[serde(skip)]
    pub run: usize,
}

fn counts() -> bool {
    true
}

/// The timings of one run, and what is told of it.
///
/// ```
/// use sunzi_measure::{Record, Records};
///
/// let row = Record { contender: "Sunzi".into(), size: 64, median_s: 1e-6, quartile1_s: 9e-7, quartile3_s: 2e-6, ..Record::default() };
/// let records = Records { facts: vec![("date".into(), "today".into())], rows: vec![row] };
/// let text = records.to_csv()?;
/// assert!(text.starts_with("# date: today\nsection,group,case,size,"));
/// assert_eq!(Records::parse(text.as_bytes())?.rows[0].size, 64);
/// # Ok::<(), sunzi_measure::RecordsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// Machine, date, versions, each with its name.
    pub facts: Vec<(String, String)>,
    /// The table.
    pub rows: Vec<Record>,
}

/// What is wrong in a file of timings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct RecordsError {
    /// Where, counted from 1, as far as it is known.
    pub line: Option<u64>,
    /// What is wrong there.
    pub problem: String,
}

impl Records {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// [`RecordsError`] if they are no such table, or a time is not above 0.
    pub fn parse(bytes: &[u8]) -> Result<Self, RecordsError> {
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(bytes);
        let located = |error: &csv::Error, line: Option<u64>| RecordsError {
            line: error.position().map(csv::Position::line).or(line),
            problem: in_words(error),
        };
        let names = reader.headers().map_err(|error| located(&error, None))?;
        let names = names.clone();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| located(&error, None))?;
            let line = record.position().map(csv::Position::line);
            let row: Record = record
                .deserialize(Some(&names))
                .map_err(|error| located(&error, line))?;
            let positive = |seconds: f64| seconds.is_finite() && seconds > 0.0;
            let times = [row.median_s, row.quartile1_s, row.quartile3_s];
            if !times.into_iter().all(positive) {
                let who = &row.contender;
                let problem = format!("the times of {who} must be seconds above 0");
                return Err(RecordsError { line, problem });
            }
            rows.push(row);
        }
        let facts = String::from_utf8_lossy(bytes);
        let facts = facts
            .lines()
            .filter_map(|line| line.strip_prefix("# ")?.split_once(": "))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        Ok(Self { facts, rows })
    }

    /// The text of a file that [`Records::parse`] reads.
    ///
    /// # Errors
    /// [`RecordsError`] if a row cannot be written.
    pub fn to_csv(&self) -> Result<String, RecordsError> {
        let unwritten = |problem: String| RecordsError {
            line: None,
            problem,
        };
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            let written = writer.serialize(row);
            written.map_err(|error| unwritten(error.to_string()))?;
        }
        let table = writer.into_inner();
        let table = table.map_err(|error| unwritten(error.to_string()))?;
        let facts = self.facts.iter();
        let mut text: String = facts
            .map(|(name, value)| format!("# {name}: {value}\n"))
            .collect();
        text.push_str(&String::from_utf8_lossy(&table));
        Ok(text)
    }

    /// The value of a fact, if it was saved.
    #[must_use]
    pub fn fact(&self, name: &str) -> Option<&str> {
        let found = self.facts.iter().find(|(known, _)| known == name)?;
        Some(&found.1)
    }
}

/// What is wrong in a line.
fn in_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "this is no UTF-8 text".to_owned(),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("there are {len} values, but {expected_len} names of columns"),
        csv::ErrorKind::Deserialize { err, .. } => match err.field() {
            Some(field) => format!("column {}: {}", field + 1, err.kind()),
            None => format!("{}", err.kind()),
        },
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seconds: f64) -> Record {
        Record {
            section: "products".into(),
            group: "some, with \"quotes\"".into(),
            case: "first".into(),
            size: 16,
            threads: 2,
            contender: "peer".into(),
            median_s: seconds,
            quartile1_s: seconds / 2.0,
            quartile3_s: seconds * 2.0,
            counts: false,
            run: 0,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let records = Records {
            facts: vec![("date".into(), "today: noon".into())],
            rows: vec![row(1.5e-7), row(3.0)],
        };
        let text = records.to_csv().unwrap();
        let read = Records::parse(text.as_bytes()).unwrap();
        assert_eq!(read, records);
        assert_eq!(read.fact("date"), Some("today: noon"));
        assert_eq!(read.fact("place"), None);
    }

    #[test]
    fn comments_that_are_no_facts_are_passed_over() {
        let text = "# a note\n# date: today\nsection,group,size,threads,contender,median_s,quartile1_s,quartile3_s\n\
                    a,b,1,1,c,1,1,1\n";
        let read = Records::parse(text.as_bytes()).unwrap();
        assert_eq!(read.fact("date"), Some("today"));
        assert!(read.rows[0].case.is_empty() && read.rows[0].counts);
    }

    #[test]
    fn errors_name_the_line() {
        let records = Records {
            facts: vec![("date".into(), "today".into())],
            rows: vec![row(1.0), row(0.0)],
        };
        let text = records.to_csv().unwrap();
        let error = Records::parse(text.as_bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 4: the times of peer must be seconds above 0"
        );
        let short = text.replace("16,2,", "16,");
        let error = Records::parse(short.as_bytes()).unwrap_err();
        assert_eq!(error.line, Some(3));
        assert!(Records::parse(b"\xff\n1\n").is_err());
        assert_eq!(Records::parse(b"").unwrap(), Records::default());
    }
}
