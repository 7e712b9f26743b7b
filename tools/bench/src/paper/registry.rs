//! What the papers' tables and figures say, and how each is measured here: the files in `tools/bench/papers`.

use super::measures::{self, Measure};
use serde::{Deserialize, Serialize};
use std::fmt;
use sunzi_files::failure::Failure;

/// The files, by the papers' years.
const FILES: [(&str, &str); 5] = [
    ("2021.toml", include_str!("../../papers/2021.toml")),
    ("2019.toml", include_str!("../../papers/2019.toml")),
    ("2017.toml", include_str!("../../papers/2017.toml")),
    ("2013.toml", include_str!("../../papers/2013.toml")),
    ("2009.toml", include_str!("../../papers/2009.toml")),
];

/// All papers.
pub struct Registry {
    pub papers: Vec<Paper>,
}

/// A paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    pub paper: Head,
    /// Its tables and figures, in its order.
    #[serde(rename = "entry")]
    pub entries: Vec<Entry>,
    /// Where its sections and algorithms are in Sunzi.
    #[serde(rename = "map")]
    pub places: Vec<Place>,
    /// What is wrong in print.
    #[serde(default, rename = "misprint")]
    pub misprints: Vec<Misprint>,
}

/// What a paper is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Its year, with which the names of its tables and figures begin.
    pub id: String,
    pub title: String,
}

/// A table or figure.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub id: String,
    pub title: String,
    pub section: String,
    /// What its numbers are.
    pub measures: String,
    /// What they were measured on.
    #[serde(default)]
    pub machine: String,
    /// The first columns, which name a case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// The other columns, with their units after a comma.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Its numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<Cell>>,
    /// The key along the axis of the plot; the last one if none is named.
    #[serde(default, skip_serializing)]
    pub x: Option<String>,
    /// The key that each curve has one value of.
    #[serde(default, skip_serializing)]
    pub group: Option<String>,
    /// Whether there is a plot.
    #[serde(default = "yes", skip_serializing)]
    pub drawn: bool,
    /// The function of [`measures::ALL`] that measures the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Whether that takes a device.
    #[serde(default)]
    pub needs_device: bool,
    /// A command that measures it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The table or figure with the same numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// Why there is nothing to measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explains: Option<String>,
    /// What is missing here, or different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
}

fn yes() -> bool {
    true
}

/// A number or a text.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Whole(i64),
    Real(f64),
    Text(String),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Cell {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            Self::Text(_) => None,
        }
    }
}

/// Where a section or algorithm is in Sunzi.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub section: String,
    pub what: String,
    #[serde(rename = "crate")]
    pub crates: String,
    pub code: String,
    pub command: String,
}

/// Something that is wrong in print.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Misprint {
    pub place: String,
    pub says: String,
    pub should: String,
}

impl Registry {
    /// All files.
    pub fn read() -> Result<Self, Failure> {
        let paper = |(name, text): (&str, &str)| {
            toml::from_str(text).map_err(|error| Failure::Computation(format!("{name}: {error}")))
        };
        let papers = FILES.into_iter().map(paper).collect::<Result<_, _>>()?;
        Ok(Self { papers })
    }

    /// All tables and figures.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.papers.iter().flat_map(|paper| &paper.entries)
    }

    /// The table or figure of this name.
    pub fn find(&self, id: &str) -> Option<&Entry> {
        self.entries().find(|entry| entry.id == id)
    }

    /// That table or figure, or the one that has its numbers.
    pub fn source<'a>(&'a self, entry: &'a Entry) -> &'a Entry {
        let other = entry.same_as.as_deref().and_then(|id| self.find(id));
        other.unwrap_or(entry)
    }
}

impl Entry {
    /// What measures it in this program.
    pub fn measure(&self) -> Option<Measure> {
        let name = self.run.as_deref()?;
        let found = measures::ALL.iter().find(|(known, _)| *known == name)?;
        Some(found.1)
    }

    /// How it is measured, in a word or a command.
    pub fn way(&self) -> String {
        let id = &self.id;
        match (&self.run, &self.command, &self.same_as, &self.explains) {
            (Some(_), ..) if self.needs_device => format!("`sunzi paper {id} --device …`"),
            (Some(_), ..) => format!("`sunzi paper {id}`"),
            (_, Some(command), ..) => format!("`{command}`"),
            (_, _, Some(other), _) => format!("as {other}"),
            (.., Some(_)) => "nothing to measure".to_owned(),
            (None, None, None, None) => "missing".to_owned(),
        }
    }

    /// The first cells of a row, as texts.
    pub fn keys_of(&self, row: &[Cell]) -> Vec<String> {
        let keys = row.iter().take(self.keys.len());
        keys.map(Cell::to_string).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A chapter, how many tables it has, and how many figures.
    type Chapter = (&'static str, usize, usize);

    /// Tables and figures with a number, counted in the papers' texts.
    const COUNTED: [(&str, &[Chapter]); 4] = [
        (
            "2021",
            &[("2.", 6, 3), ("3.", 7, 1), ("4.", 1, 3), ("5.", 5, 6)],
        ),
        ("2019", &[("", 7, 1)]),
        (
            "2013",
            &[
                ("2.", 1, 4),
                ("3.", 1, 2),
                ("4.", 1, 0),
                ("6.", 3, 3),
                ("7.", 2, 3),
                ("8.", 3, 1),
                ("9.", 1, 4),
                ("10.", 4, 6),
            ],
        ),
        ("2009", &[("", 1, 5)]),
    ];

    #[test]
    fn every_table_and_figure_is_there_once() {
        let registry = Registry::read().unwrap();
        let ids: BTreeSet<&str> = registry.entries().map(|entry| &*entry.id).collect();
        assert_eq!(ids.len(), registry.entries().count(), "an id occurs twice");
        let mut counted = 0;
        for (paper, chapters) in COUNTED {
            for (chapter, tables, figures) in chapters {
                for (kind, count) in [("table", *tables), ("figure", *figures)] {
                    counted += count;
                    for number in 1..=count {
                        let id = format!("{paper}-{kind}-{chapter}{number}");
                        assert!(ids.contains(&*id), "{id} is missing");
                    }
                }
            }
        }
        // The slides have five tables without numbers.
        assert_eq!(ids.len(), counted + 5);
        for paper in &registry.papers {
            for entry in &paper.entries {
                assert!(entry.id.starts_with(&format!("{}-", paper.paper.id)));
            }
        }
    }

    #[test]
    fn every_row_has_the_columns() {
        for entry in Registry::read().unwrap().entries() {
            let columns = entry.keys.len() + entry.columns.len();
            let mut keys = BTreeSet::new();
            for row in &entry.rows {
                assert_eq!(row.len(), columns, "{}: {row:?}", entry.id);
                assert!(keys.insert(entry.keys_of(row)), "{}: {row:?}", entry.id);
            }
            for key in [&entry.x, &entry.group].into_iter().flatten() {
                assert!(entry.keys.contains(key), "{}: {key}", entry.id);
            }
        }
    }

    #[test]
    fn every_entry_is_measured_or_says_why_not() {
        let registry = Registry::read().unwrap();
        let mut used = BTreeSet::new();
        for entry in registry.entries() {
            let id = &entry.id;
            let ways = [&entry.run, &entry.command, &entry.same_as, &entry.explains];
            let some = ways.iter().any(|way| way.is_some());
            assert!(some || entry.lacks.is_some(), "{id}");
            if let Some(name) = &entry.run {
                assert!(entry.measure().is_some(), "{id}: {name}");
                used.insert(name.as_str());
            }
            if let Some(other) = &entry.same_as {
                let other = registry.find(other).unwrap_or_else(|| panic!("{id}"));
                assert!(other.same_as.is_none(), "{id}");
            }
        }
        for (name, _) in measures::ALL {
            assert!(used.contains(name), "{name} measures nothing");
        }
    }

    #[test]
    fn every_command_is_one() {
        let registry = Registry::read().unwrap();
        let entries = registry.entries().filter_map(|entry| entry.command.clone());
        let places = registry.papers.iter().flat_map(|paper| &paper.places);
        for command in entries.chain(places.map(|place| place.command.clone())) {
            let words: Vec<&str> = command.split(' ').collect();
            match words[..] {
                ["sunzi", "bench", ..] => parses(crate::command(), &words[1..]),
                ["sunzi", "paper", id] => assert!(registry.find(id).is_some(), "{command}"),
                ["sunzi", ..] => parses(sunzi_cli::door::command(), &words),
                [
                    "cargo",
                    "run",
                    "--release",
                    "-p",
                    "sunzi-figures",
                    "--",
                    table,
                ] => {
                    let program = include_str!("../../../figures/src/main.rs");
                    assert!(program.contains(&format!("name: \"{table}\"")), "{command}");
                }
                ["cargo", "run", "--release", "-p", of, "--example", example] => {
                    let root =
                        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
                    let folder = root.join(of.trim_start_matches("sunzi-")).join("examples");
                    let file = folder.join(format!("{example}.rs")).exists();
                    assert!(
                        file || folder.join(example).join("main.rs").exists(),
                        "{command}"
                    );
                }
                _ => panic!("{command}"),
            }
        }
    }

    /// Fails unless the words are a call that clap understands, or ask for help.
    fn parses(program: clap::Command, words: &[&str]) {
        use clap::error::ErrorKind::DisplayHelp;
        match program.try_get_matches_from(words) {
            Ok(_) => {}
            Err(error) if error.kind() == DisplayHelp => {}
            Err(error) => panic!("{words:?}: {error}"),
        }
    }
}
