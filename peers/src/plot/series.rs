//! Curves: the times of one contender by size.

use crate::saved::SUNZI;
use sunzi_bench::Record;

/// One contender's times.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    /// Sizes and seconds, sizes ascending.
    pub points: Vec<(u64, f64)>,
}

impl Series {
    /// The seconds at a size.
    pub fn at(&self, size: u64) -> Option<f64> {
        let found = self.points.iter().find(|point| point.0 == size)?;
        Some(found.1)
    }
}

/// The curves of the contenders, Sunzi first, of the runs on fewest threads, or of all.
pub fn of_rows<'a>(
    rows: impl Iterator<Item = &'a Record>,
    every_thread_count: bool,
) -> Vec<Series> {
    let rows: Vec<&Record> = rows.collect();
    let fewest = rows.iter().map(|row| row.threads).min().unwrap_or(1);
    let mut all: Vec<Series> = Vec::new();
    for row in rows {
        let shown = row.threads == fewest || every_thread_count;
        if !shown || row.median_s <= 0.0 || row.size == 0 {
            continue;
        }
        let name = match row.threads == fewest {
            true => row.contender.clone(),
            false => format!("{}, {} threads", row.contender, row.threads),
        };
        let point = (row.size, row.median_s);
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series {
                name,
                points: vec![point],
            }),
        }
    }
    for series in &mut all {
        series.points.sort_by_key(|point| point.0);
    }
    all.sort_by_key(|series| series.name != SUNZI);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(contender: &str, size: u64, threads: usize) -> Record {
        Record {
            section: "products".into(),
            group: "some".into(),
            case: size.to_string(),
            size,
            threads,
            contender: contender.into(),
            median_s: size as f64,
            quartile1_s: 1.0,
            quartile3_s: 1.0,
            counts: true,
            run: 0,
        }
    }

    #[test]
    fn curves_ascend_and_sunzi_comes_first() {
        let rows = [
            row("GMP", 4, 1),
            row(SUNZI, 16, 1),
            row(SUNZI, 4, 1),
            row(SUNZI, 8, 2),
        ];
        let all = of_rows(rows.iter(), false);
        let names: Vec<&str> = all.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, [SUNZI, "GMP"]);
        assert_eq!(all[0].points, [(4, 4.0), (16, 16.0)]);
        assert_eq!((all[0].at(16), all[0].at(8)), (Some(16.0), None));
        let all = of_rows(rows.iter(), true);
        assert_eq!(all[2].name, format!("{SUNZI}, 2 threads"));
    }
}
