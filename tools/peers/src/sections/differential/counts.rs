//! What was run so far, kept in a file of comma-separated values, and added up when a campaign goes on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sunzi_testkit::Kind;

use crate::report;

/// Cases of one operation, one kind of input, and one number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Count {
    pub operation: String,
    pub against: String,
    pub kind: String,
    pub threads: usize,
    /// The campaign's: with operation, kind, threads and the case's number it makes the case.
    pub seed: u64,
    /// The next case has this number, counted from 0.
    pub cases: u64,
    /// Cases among them in which nothing was compared, because the field or the length had nothing for them.
    pub empty: u64,
    /// Values compared in them.
    pub compared: u64,
    /// Cases in which a value differed.
    pub wrong: u64,
    pub seconds: f64,
    pub machine: String,
    /// The commit that the program was built from.
    pub version: String,
    /// The day of the first case, and that of the last.
    pub begun: String,
    pub ended: String,
}

/// What tells cases apart: operation, kind, threads, seed.
pub type Key = (String, &'static str, usize, u64);

impl Count {
    /// Nothing yet, of the first cases of an operation.
    pub fn begin(operation: &str, kind: Kind, threads: usize, seed: u64) -> Self {
        Self {
            operation: operation.into(),
            against: String::new(),
            kind: kind.name().into(),
            threads,
            seed,
            cases: 0,
            empty: 0,
            compared: 0,
            wrong: 0,
            seconds: 0.0,
            machine: String::new(),
            version: String::new(),
            begun: String::new(),
            ended: String::new(),
        }
    }

    /// Cases in which something was compared.
    pub fn run(&self) -> u64 {
        self.cases - self.empty
    }
}

/// The counts of one file, or of several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    pub all: BTreeMap<Key, Count>,
}

impl Counts {
    /// Reads a file; one that is not there holds nothing.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        Self::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Reads several files, which must not count the same cases.
    pub fn read_all(paths: &[PathBuf]) -> Result<Self, String> {
        let mut together = Self::default();
        for path in paths {
            for (key, count) in Self::read(path)?.all {
                if together.all.insert(key, count.clone()).is_some() {
                    return Err(format!(
                        "{}: the cases of {} with seed {} are in another file, too: campaigns that are added up need different seeds",
                        path.display(),
                        count.operation,
                        count.seed
                    ));
                }
            }
        }
        Ok(together)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut counts = Self::default();
        for row in csv::Reader::from_reader(text.as_bytes()).deserialize::<Count>() {
            let count = row.map_err(|error| error.to_string())?;
            let kind = Kind::named(&count.kind).ok_or(format!("no such kind: {}", count.kind))?;
            let key = (
                count.operation.clone(),
                kind.name(),
                count.threads,
                count.seed,
            );
            counts.all.insert(key, count);
        }
        Ok(counts)
    }

    /// Writes the file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let text = self.text().map_err(|error| error.to_string());
        text.and_then(|text| report::save(path, &text).map_err(|error| error.to_string()))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    fn text(&self) -> Result<String, Box<dyn std::error::Error>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for count in self.all.values() {
            writer.serialize(count)?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(seed: u64) -> Counts {
        let count = Count {
            against: "GMP".into(),
            cases: 10,
            compared: 1000,
            wrong: 1,
            seconds: 0.25,
            machine: "a processor, 2 cores".into(),
            version: "0123456".into(),
            begun: "2026-01-01".into(),
            ended: "2026-01-02".into(),
            ..Count::begin("int-mul", Kind::Runs, 3, seed)
        };
        let key = ("int-mul".to_owned(), "runs", 3, seed);
        Counts {
            all: [(key, count)].into(),
        }
    }

    #[test]
    fn counts_come_back_from_their_text() {
        let counts = count(7);
        assert_eq!(Counts::parse(&counts.text().unwrap()), Ok(counts));
    }

    #[test]
    fn the_same_cases_do_not_count_twice() {
        let folder = std::env::temp_dir().join(format!("peers-counts-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let paths = ["a", "b", "missing"].map(|name| folder.join(name));
        count(7).save(&paths[0]).unwrap();
        count(8).save(&paths[1]).unwrap();
        assert_eq!(Counts::read_all(&paths).unwrap().all.len(), 2);
        count(7).save(&paths[1]).unwrap();
        assert!(Counts::read_all(&paths).unwrap_err().contains("seeds"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
