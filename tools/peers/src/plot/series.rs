//! Curves: the times of one contender on some threads, by size.

use crate::saved::SUNZI;
use sunzi_measure::Record;

/// One contender's times on some number of threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub contender: String,
    pub threads: usize,
    /// Sizes and seconds, sizes ascending.
    pub points: Vec<(u64, f64)>,
}

impl Series {
    /// What the legend says.
    pub fn name(&self) -> String {
        // A contender that is set for one thread can be measured beside others that have more.
        let contender = match self.contender.strip_suffix(", one thread") {
            Some(contender) => format!("{contender} (set for one thread)"),
            None => self.contender.clone(),
        };
        match self.threads {
            1 => format!("{contender}, 1 thread"),
            threads => format!("{contender}, {threads} threads"),
        }
    }

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
        let point = (row.size, row.median_s);
        let same = |one: &Series| one.contender == row.contender && one.threads == row.threads;
        match all.iter_mut().find(|one| same(one)) {
            Some(series) => series.points.push(point),
            None => all.push(Series {
                contender: row.contender.clone(),
                threads: row.threads,
                points: vec![point],
            }),
        }
    }
    for series in &mut all {
        series.points.sort_by_key(|point| point.0);
    }
    all.sort_by_key(|series| (series.contender != SUNZI, series.threads));
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
        let names: Vec<String> = all.iter().map(Series::name).collect();
        assert_eq!(names, ["Sunzi, 1 thread", "GMP, 1 thread"]);
        assert_eq!(all[0].points, [(4, 4.0), (16, 16.0)]);
        assert_eq!((all[0].at(16), all[0].at(8)), (Some(16.0), None));
        let all = of_rows(rows.iter(), true);
        let names: Vec<String> = all.iter().map(Series::name).collect();
        assert_eq!(
            names,
            ["Sunzi, 1 thread", "Sunzi, 2 threads", "GMP, 1 thread"]
        );
        let set = of_rows([row("rdst, one thread", 4, 1)].iter(), false);
        assert_eq!(set[0].name(), "rdst (set for one thread), 1 thread");
    }
}
