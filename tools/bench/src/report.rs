//! All that was measured: as text, or as JSON.

use super::contest::Contest;
use super::products::{self, Products};
use super::speedup::{self, Speedup};
use super::steps;
use serde::Serialize;
use std::fmt;
use sunzi_measure::text::duration;

/// The measurements. Times are seconds: median and quartiles of several passes.
#[derive(Debug, Serialize)]
pub struct Measured {
    pub version: &'static str,
    pub seconds_per_case: f64,
    pub products: Vec<Products>,
    pub transforms: Vec<Contest>,
    pub speedups: Vec<Speedup>,
    /// Where the curves of each `--csv` file were measured.
    pub origins: Vec<String>,
    /// Files with plots.
    pub plots: Vec<String>,
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Products modulo the named primes r^k + 1, one thread, time per product\n"
        )?;
        writeln!(f, "{}", products::table(&self.products))?;
        for contest in &self.transforms {
            contest_text(f, contest)?;
        }
        if !self.speedups.is_empty() {
            writeln!(f, "Transforms (a) on several threads\n")?;
            writeln!(f, "{}", speedup::table(&self.speedups))?;
        }
        for origin in &self.origins {
            writeln!(f, "{origin}")?;
        }
        for plot in &self.plots {
            writeln!(f, "{plot}: drawn")?;
        }
        writeln!(
            f,
            "Measured for about {} a case.",
            duration(self.seconds_per_case)
        )
    }
}

fn contest_text(f: &mut fmt::Formatter<'_>, contest: &Contest) -> fmt::Result {
    let Contest {
        prime,
        digits,
        bits,
        ..
    } = contest;
    writeln!(
        f,
        "Transforms modulo {prime} (k = {digits}, {bits} bits), forward, natural order, one thread\n"
    )?;
    for method in &contest.methods {
        let file = method.file.as_ref();
        let file = file.map_or_else(String::new, |file| format!(", from {file}"));
        writeln!(f, "  {} {}{file}", method.mark, method.name)?;
    }
    writeln!(f, "\n{}", contest.table())?;
    for sentence in contest.crossings.iter().chain(&contest.left_out) {
        writeln!(f, "  {sentence}")?;
    }
    writeln!(
        f,
        "\nSteps of (a) modulo {prime}, times with the clock's own; {}\n",
        contest.algorithm
    )?;
    writeln!(f, "{}", steps::table(&contest.steps))
}
