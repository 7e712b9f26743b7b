//! A paper's numbers beside ours: as a text, as comma-separated values, as a plot.

use super::machine;
use super::measures::Ours;
use super::registry::{Cell, Entry};
use serde::Serialize;
use std::fmt;
use sunzi_cli::door::Table;
use sunzi_files::failure::Failure;
use sunzi_measure::{Chart, Curve, Scale};

/// A table or figure, and the same measured here.
#[derive(Debug, Serialize)]
pub struct Beside {
    pub id: String,
    pub title: String,
    /// What the paper measured on.
    pub paper_machine: String,
    /// The processor here, and its threads.
    pub processor: String,
    /// The device that was measured, if there was one.
    pub device: Option<String>,
    pub date: String,
    pub keys: Vec<String>,
    pub paper_columns: Vec<String>,
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
    pub notes: Vec<String>,
    /// What was saved.
    pub files: Vec<String>,
    #[serde(skip)]
    drawn: Drawn,
}

/// A case.
#[derive(Debug, Serialize)]
pub struct Row {
    pub keys: Vec<String>,
    /// The paper's, in its order; empty if it has none.
    pub paper: Vec<Cell>,
    pub here: Vec<Option<Cell>>,
}

/// How it is drawn.
#[derive(Debug)]
struct Drawn {
    /// The place of the key along the axis.
    x: Option<usize>,
    group: Option<usize>,
}

impl Beside {
    /// The paper's rows in its order, and after them what only we have. In a quick run, whose cases are few, the rows
    /// that have no number of ours are left out.
    pub fn new(id: &str, entry: &Entry, ours: Ours, quick: bool) -> Self {
        let mut here = ours.rows;
        let mut rows = Vec::new();
        for row in &entry.rows {
            let keys = entry.keys_of(row);
            let own = here.iter().position(|(own, _)| *own == keys);
            let own = own.map(|place| here.remove(place).1);
            if quick && own.is_none() {
                continue;
            }
            rows.push(Row {
                paper: row[entry.keys.len()..].to_vec(),
                here: own.unwrap_or_else(|| vec![None; ours.columns.len()]),
                keys,
            });
        }
        rows.extend(here.into_iter().map(|(keys, here)| Row {
            keys,
            paper: Vec::new(),
            here,
        }));
        // Sizes that the paper has not, between those that it has.
        let numbers = |row: &Row| -> Option<Vec<u64>> {
            row.keys.iter().map(|key| key.parse().ok()).collect()
        };
        if rows.iter().all(|row| numbers(row).is_some()) {
            rows.sort_by_key(numbers);
        }
        let place = |key: &String| entry.keys.iter().position(|known| known == key);
        let last = entry.keys.len().checked_sub(1);
        let mut notes = ours.notes;
        notes.extend(entry.lacks.iter().map(|lacks| match &entry.run {
            Some(_) => format!("Missing here, or different: {lacks}."),
            None => format!("Missing here: {lacks}."),
        }));
        Self {
            id: id.to_owned(),
            title: entry.title.clone(),
            paper_machine: entry.machine.clone(),
            processor: machine::processor(),
            device: ours.device,
            date: machine::date(),
            keys: entry.keys.clone(),
            paper_columns: entry.columns.clone(),
            columns: ours.columns,
            rows,
            notes,
            files: Vec::new(),
            drawn: Drawn {
                x: entry.x.as_ref().map_or(last, place).filter(|_| entry.drawn),
                group: entry.group.as_ref().and_then(place),
            },
        }
    }

    /// The names of all columns.
    fn names(&self) -> Vec<String> {
        let paper = self
            .paper_columns
            .iter()
            .map(|name| format!("paper: {name}"));
        let here = self.columns.iter().map(|name| format!("here: {name}"));
        self.keys.iter().cloned().chain(paper).chain(here).collect()
    }

    /// The cells of a row, ours written by `show`.
    fn cells(&self, row: &Row, show: &dyn Fn(&Cell) -> String, none: &str) -> Vec<String> {
        let mut cells = row.keys.clone();
        for place in 0..self.paper_columns.len() {
            cells.push(match row.paper.get(place) {
                Some(cell) => cell.to_string(),
                None => none.to_owned(),
            });
        }
        let here = row.here.iter();
        cells.extend(here.map(|value| value.as_ref().map_or_else(|| none.to_owned(), show)));
        cells
    }

    /// All numbers as comma-separated values, after lines that tell where they are from.
    pub fn csv(&self) -> Result<String, Failure> {
        let problem = |error: csv::Error| Failure::Computation(error.to_string());
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.names()).map_err(problem)?;
        for row in &self.rows {
            let cells = self.cells(row, &Cell::to_string, "");
            writer.write_record(cells).map_err(problem)?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| Failure::Computation(error.to_string()))?;
        let mut text = String::new();
        for (name, value) in self.facts() {
            text.push_str(&format!("# {name}: {value}\n"));
        }
        text.push_str(&String::from_utf8_lossy(&bytes));
        Ok(text)
    }

    fn facts(&self) -> Vec<(&'static str, &str)> {
        let mut facts = vec![
            ("table", &*self.id),
            ("paper", &*self.paper_machine),
            ("here", &*self.processor),
        ];
        facts.extend(self.device.iter().map(|device| ("device", &**device)));
        facts.push(("date", &self.date));
        facts
    }

    /// A plot of the columns that have the unit of our first one; none where there is no axis, or no curve.
    pub fn chart(&self) -> Option<Chart> {
        let x = self.drawn.x?;
        let unit = unit(self.columns.first()?);
        let (y, scale, factor) = match unit {
            "s" => ("time", Scale::Time, 1.0),
            "ms" => ("time", Scale::Time, 1e-3),
            "GB/s" => ("GB/s", Scale::Linear, 1.0),
            "%" => ("%", Scale::Linear, 1.0),
            _ => ("ratio", Scale::Ratio, 1.0),
        };
        let mut groups: Vec<Option<&str>> = Vec::new();
        for row in &self.rows {
            let group = self.drawn.group.map(|place| &*row.keys[place]);
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        let theirs = self.paper_columns.iter().enumerate();
        let ours = self.columns.iter().enumerate();
        let all = theirs
            .map(|column| (true, column))
            .chain(ours.map(|column| (false, column)));
        let mut curves = Vec::new();
        for (colour, (of_paper, (place, name))) in all
            .filter(|column| self::unit(column.1.1) == unit)
            .enumerate()
        {
            for (dashes, group) in groups.iter().enumerate() {
                let mut points: Vec<(f64, f64)> = self
                    .rows
                    .iter()
                    .filter(|row| self.drawn.group.map(|place| &*row.keys[place]) == *group)
                    .filter_map(|row| {
                        let value = match of_paper {
                            true => row.paper.get(place)?.number(),
                            false => row.here[place].as_ref().and_then(Cell::number),
                        };
                        Some((row.keys[x].parse().ok()?, value? * factor))
                    })
                    .filter(|&(x, y)| x > 0.0 && y > 0.0)
                    .collect();
                points.sort_by(|a, b| a.0.total_cmp(&b.0));
                if points.is_empty() {
                    continue;
                }
                let who = if of_paper { "paper" } else { "here" };
                let of = group.map_or_else(String::new, |group| {
                    let key = self.drawn.group.map_or("", |place| &*self.keys[place]);
                    format!(", {key} {group}")
                });
                curves.push(Curve {
                    name: format!("{who}: {name}{of}"),
                    points,
                    colour,
                    dashes,
                    bold: !of_paper,
                });
            }
        }
        let mut places: Vec<f64> = curves
            .iter()
            .flat_map(|curve| &curve.points)
            .map(|point| point.0)
            .collect();
        places.sort_by(f64::total_cmp);
        let (least, most) = (places.first()?, places.last()?);
        if least == most {
            return None;
        }
        let axis = match most / least >= 8.0 {
            true => Scale::PowersOfTwo,
            false => Scale::Linear,
        };
        Some(Chart {
            title: format!("{}: {}", self.id, self.title),
            x: ("size of the case", axis),
            y: (y, scale),
            curves,
        })
    }
}

/// What stands after the last comma of a column's name; nothing where that is no unit.
fn unit(column: &str) -> &str {
    let last = column.rsplit(", ").next().unwrap_or_default();
    let known = ["s", "ms", "GB/s", "%"];
    known
        .into_iter()
        .find(|unit| *unit == last)
        .unwrap_or_default()
}

/// Three digits of a number, whatever its size; a text as it is.
fn shown(cell: &Cell) -> String {
    let Some(value) = cell.number() else {
        return cell.to_string();
    };
    let size = value.abs().max(f64::MIN_POSITIVE).log10().floor();
    let decimals = (2.0 - size).clamp(0.0, 9.0) as usize;
    match value == 0.0 || value.fract() == 0.0 {
        true => format!("{value}"),
        false => format!("{value:.decimals$}"),
    }
}

impl fmt::Display for Beside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}\n", self.id, self.title)?;
        for (name, value) in &self.facts()[1..] {
            writeln!(f, "  {name}: {value}")?;
        }
        if !self.rows.is_empty() {
            let mut table = Table::new(self.names());
            for row in &self.rows {
                table.push(self.cells(row, &shown, "–"));
            }
            writeln!(f, "\n{table}")?;
        }
        for note in &self.notes {
            writeln!(f, "{note}")?;
        }
        for file in &self.files {
            writeln!(f, "{file}: saved")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::registry::Registry;

    fn beside(quick: bool) -> Beside {
        let registry = Registry::read().unwrap();
        let entry = registry.find("2021-table-3.2").unwrap();
        let ours = Ours {
            columns: vec!["Sunzi, ms".to_owned(), "ratio".to_owned()],
            rows: vec![
                (
                    vec!["P16".to_owned(), "16".to_owned()],
                    vec![Some(Cell::Real(95.5)), None],
                ),
                (
                    vec!["P4".to_owned(), "4".to_owned()],
                    vec![Some(Cell::Real(0.01234)), Some(Cell::Real(2.0))],
                ),
            ],
            ..Ours::default()
        };
        Beside::new("2021-table-3.2", entry, ours, quick)
    }

    #[test]
    fn rows_of_both_stand_beside_each_other() {
        let all = beside(false);
        let keys: Vec<&str> = all.rows.iter().map(|row| &*row.keys[0]).collect();
        assert_eq!(keys, ["P8", "P16", "P32", "P64", "P4"]);
        let csv = all.csv().unwrap();
        let lines: Vec<&str> = csv.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            lines[0],
            "prime,k,\"paper: GFPF, ms\",\"paper: GMP, ms\",paper: ratio,\"here: Sunzi, ms\",here: ratio"
        );
        assert_eq!(lines[2], "P16,16,1318,417,3.16,95.5,");
        assert_eq!(lines[5], "P4,4,,,,0.01234,2");
        let quick = beside(true);
        assert_eq!(quick.rows.len(), 2);
        assert!(quick.to_string().contains("0.0123"));
    }

    #[test]
    fn columns_of_one_unit_are_drawn() {
        let chart = beside(false).chart().unwrap();
        let names: Vec<&str> = chart.curves.iter().map(|curve| &*curve.name).collect();
        assert_eq!(
            names,
            ["paper: GFPF, ms", "paper: GMP, ms", "here: Sunzi, ms"]
        );
        assert_eq!(chart.curves[2].points, [(4.0, 0.01234e-3), (16.0, 0.0955)]);
    }

    #[test]
    fn sizes_ascend() {
        let registry = Registry::read().unwrap();
        let entry = registry.find("2013-figure-7.2").unwrap();
        let mut ours = Ours::default();
        ours.rows.push((vec!["500".to_owned()], Vec::new()));
        let beside = Beside::new("2013-figure-7.2", entry, ours, false);
        let keys: Vec<&str> = beside.rows.iter().map(|row| &*row.keys[0]).collect();
        assert_eq!(keys, ["500", "4000"]);
    }

    #[test]
    fn numbers_have_three_digits() {
        let text: Vec<String> = [0.0, 3.0, 1234.5, 95.51, 0.012345, 2.5]
            .map(|value| shown(&Cell::Real(value)))
            .into();
        assert_eq!(text, ["0", "3", "1234", "95.5", "0.0123", "2.50"]);
    }
}
