//! Lines, means, and files made of the timings.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use crate::contender::{Count, Group};
use sunzi_measure::Timing;
use sunzi_measure::text::duration;

/// The sections whose output ends with tables by size.
const SIZE_TABLES: [&str; 3] = ["gfp-fft", "gfp-poly", "gfp-vs-crt"];

/// A peer's timing in a case.
#[derive(Clone, Debug)]
pub struct PeerTiming {
    pub name: &'static str,
    pub timing: Timing,
    /// Whether the peer did the same work: only such peers enter the mean.
    pub counts: bool,
}

/// What was measured for a case.
#[derive(Clone, Debug)]
pub struct Measured {
    pub section: &'static str,
    pub group: Group,
    pub case: String,
    pub size: u64,
    pub sunzi: Option<Timing>,
    pub peers: Vec<PeerTiming>,
    /// What is counted of each contender's result.
    pub counts: Vec<(&'static str, Vec<Count>)>,
}

impl Measured {
    /// The quickest peer that did the same work.
    fn best_peer(&self) -> Option<&PeerTiming> {
        self.peers
            .iter()
            .filter(|peer| peer.counts)
            .min_by(|x, y| x.timing.median.total_cmp(&y.timing.median))
    }

    /// Sunzi's time over the best peer's.
    fn ratio(&self) -> Option<f64> {
        Some(self.sunzi?.median / self.best_peer()?.timing.median)
    }

    /// One line for each peer, six tab-separated fields.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        for peer in &self.peers {
            let (seconds, ratio) = match self.sunzi {
                Some(own) => (
                    scientific(own.median),
                    format!("{:.3}", own.median / peer.timing.median),
                ),
                None => ("-".into(), "-".into()),
            };
            let _ = writeln!(
                text,
                "{}\t{}, {}\t{seconds}\t{}\t{}\t{ratio}",
                self.section,
                self.group.name,
                self.case,
                peer.name,
                scientific(peer.timing.median),
            );
        }
        text
    }
}

/// For cases whose results are counted: a table of what is counted, case by case, in Markdown.
pub fn count_tables(all: &[Measured]) -> String {
    let mut text = String::new();
    let mut names: Vec<&str> = Vec::new();
    for measured in all {
        for (name, counts) in &measured.counts {
            if !counts.is_empty() && !names.contains(name) {
                names.push(name);
            }
        }
    }
    if names.is_empty() {
        return text;
    }
    let columns = names.len();
    let _ = writeln!(
        text,
        "\n## Counted of the results\n\n| case | what | {} |",
        names.join(" | ")
    );
    let _ = writeln!(text, "|---|---|{}", "--:|".repeat(columns));
    for measured in all {
        let mut whats: Vec<&str> = Vec::new();
        for count in measured.counts.iter().flat_map(|(_, counts)| counts) {
            if !whats.contains(&&*count.what) {
                whats.push(&count.what);
            }
        }
        for what in whats {
            let _ = write!(text, "| {} | {what} |", measured.case);
            for name in &names {
                let own = measured.counts.iter().filter(|(of, _)| of == name);
                let mut found = own
                    .flat_map(|(_, counts)| counts)
                    .filter(|of| of.what == what);
                let value = found
                    .next()
                    .map_or("–".to_owned(), |of| of.value.to_string());
                let _ = write!(text, " {value} |");
            }
            text.push('\n');
        }
    }
    text
}

/// Ratios of a group's cases to the best peer of each.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupMean {
    pub section: &'static str,
    pub group: Group,
    pub cases: usize,
    pub mean: f64,
    pub worst: f64,
    pub worst_case: String,
}

/// The geometric means, group by group in the order of their first case.
pub fn means(all: &[Measured]) -> Vec<GroupMean> {
    let mut means: Vec<GroupMean> = Vec::new();
    for measured in all {
        let Some(ratio) = measured.ratio() else {
            continue;
        };
        let known = means.iter_mut().find(|mean| {
            mean.section == measured.section && mean.group.name == measured.group.name
        });
        // `mean` is a sum of logarithms until the loop is over.
        match known {
            Some(entry) => {
                entry.cases += 1;
                entry.mean += ratio.ln();
                if ratio > entry.worst {
                    entry.worst = ratio;
                    entry.worst_case.clone_from(&measured.case);
                }
            }
            None => means.push(GroupMean {
                section: measured.section,
                group: measured.group,
                cases: 1,
                mean: ratio.ln(),
                worst: ratio,
                worst_case: measured.case.clone(),
            }),
        }
    }
    for entry in &mut means {
        entry.mean = (entry.mean / entry.cases as f64).exp();
    }
    means
}

/// The lines that end the output: a mean for each group, then one over all.
pub fn mean_lines(means: &[GroupMean]) -> String {
    let mut text = String::new();
    for entry in means {
        let goal = match entry.group.goal {
            Some(goal) if entry.mean <= goal => format!(", goal {goal} reached"),
            Some(goal) => format!(", goal {goal} MISSED"),
            None => String::new(),
        };
        let _ = writeln!(
            text,
            "# {}, {}: geometric mean {:.3} over {} cases{goal}; worst {:.3} ({})",
            entry.section, entry.group.name, entry.mean, entry.cases, entry.worst, entry.worst_case
        );
    }
    let cases: usize = means.iter().map(|entry| entry.cases).sum();
    if cases > 0 {
        let logs: f64 = means
            .iter()
            .map(|entry| entry.mean.ln() * entry.cases as f64)
            .sum();
        let _ = writeln!(
            text,
            "# geometric mean {:.3} over {cases} cases, each against its best peer",
            (logs / cases as f64).exp()
        );
    }
    text
}

/// For sections about one size after another: a table by size for each group, as lines of comment.
pub fn size_tables(all: &[Measured]) -> String {
    let mut text = String::new();
    let mut group = None;
    let tabled = all
        .iter()
        .filter(|measured| SIZE_TABLES.contains(&measured.section));
    for measured in tabled {
        let Some(best) = measured.best_peer() else {
            continue;
        };
        if group.replace((measured.section, measured.group.name))
            != Some((measured.section, measured.group.name))
        {
            let _ = writeln!(
                text,
                "# {}, {}\n#{:>10}{:>12}{:>12}{:>8}  best peer",
                measured.section, measured.group.name, "size", "Sunzi", "best peer", "ratio"
            );
        }
        let own = measured
            .sunzi
            .map_or("-".into(), |own| duration(own.median));
        let ratio = measured
            .ratio()
            .map_or("-".into(), |ratio| format!("{ratio:.2}"));
        let _ = writeln!(
            text,
            "#{:>10}{own:>12}{:>12}{ratio:>8}  {}",
            measured.size,
            duration(best.timing.median),
            best.name,
        );
    }
    text
}

/// The table as a page.
pub fn markdown(
    facts: &[(&'static str, String)],
    command: &str,
    threads: usize,
    all: &[Measured],
) -> String {
    let mut sections: Vec<&str> = all.iter().map(|measured| measured.section).collect();
    sections.dedup();
    let mut page = format!("# Times of {}\n\n", sections.join(", "));
    let _ = writeln!(
        page,
        "Measured by `{command}` in the folder `tools/peers`, on {threads} thread{}. Sunzi and its peers run in \
         turn in one process; a figure is the median of the passes, its spread the middle half of them. \
         A ratio below 1 means that Sunzi is faster. Each result was compared with the peer's before it \
         was timed.\n",
        if threads == 1 { "" } else { "s" }
    );
    for (name, value) in facts {
        let _ = writeln!(page, "- {name}: {value}");
    }
    let means = means(all);
    if !means.is_empty() {
        page.push_str("\n## Against the best peer\n\n");
        page.push_str("| section | group | cases | geometric mean | goal | worst case |\n");
        page.push_str("|---|---|---|---|---|---|\n");
        for entry in &means {
            let goal = entry
                .group
                .goal
                .map_or(String::new(), |goal| goal.to_string());
            let _ = writeln!(
                page,
                "| {} | {} | {} | **{:.2}** | {goal} | {:.2} ({}) |",
                entry.section,
                entry.group.name,
                entry.cases,
                entry.mean,
                entry.worst,
                entry.worst_case
            );
        }
    }
    page.push_str(&count_tables(all));
    let mut heading = ("", "");
    for measured in all {
        if heading != (measured.section, measured.group.name) {
            heading = (measured.section, measured.group.name);
            let _ = writeln!(page, "\n## {}: {}\n", heading.0, heading.1);
            page.push_str("| case | Sunzi | peer | peer's time | ratio |\n|---|---|---|---|---|\n");
        }
        for peer in &measured.peers {
            let ratio = measured.sunzi.map_or("–".into(), |own| {
                format!("{:.2}", own.median / peer.timing.median)
            });
            let note = if peer.counts { "" } else { " (for reference)" };
            let _ = writeln!(
                page,
                "| {} | {} | {}{note} | {} | {ratio} |",
                measured.case,
                measured.sunzi.as_ref().map_or("–".into(), with_spread),
                peer.name,
                with_spread(&peer.timing),
            );
        }
    }
    page
}

/// Writes a file whole or not at all.
pub fn save(path: &Path, text: &str) -> io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let mut file = std::fs::File::create(&partial)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&partial, path)
}

/// Writes text between a page's markers, `<!-- name -->` and `<!-- /name -->`.
pub fn rewrite_between(page: &Path, name: &str, part: &str) -> Result<(), String> {
    let located = |error: String| format!("{}: {error}", page.display());
    let text = std::fs::read_to_string(page).map_err(|error| located(error.to_string()))?;
    let text = replaced(&text, name, part).map_err(located)?;
    save(page, &text).map_err(|error| located(error.to_string()))
}

/// The text with the part between the markers replaced.
fn replaced(text: &str, name: &str, part: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let missing = |marker: &str| format!("the marker {marker} is missing");
    let (before, rest) = text.split_once(&begin).ok_or_else(|| missing(&begin))?;
    let (_, after) = rest.split_once(&end).ok_or_else(|| missing(&end))?;
    Ok(format!("{before}{begin}\n{part}{end}{after}"))
}

fn scientific(seconds: f64) -> String {
    format!("{seconds:.4e}")
}

/// A time for people, such as `1.30 ms ±2 %`.
fn with_spread(timing: &Timing) -> String {
    let (time, spread) = (duration(timing.median), 50.0 * timing.spread());
    format!("{time} ±{spread:.0} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exactly(seconds: f64) -> Timing {
        Timing {
            median: seconds,
            quartile1: seconds,
            quartile3: seconds,
        }
    }

    fn measured(case: &str, own: f64, peers: &[(f64, bool)]) -> Measured {
        Measured {
            section: "products",
            group: Group {
                name: "some",
                goal: Some(0.8),
            },
            case: case.into(),
            size: 16,
            sunzi: Some(exactly(own)),
            peers: peers
                .iter()
                .map(|&(seconds, counts)| PeerTiming {
                    name: "peer",
                    timing: exactly(seconds),
                    counts,
                })
                .collect(),
            counts: Vec::new(),
        }
    }

    #[test]
    fn the_mean_takes_the_best_peer_that_counts() {
        let all = [
            measured("first", 1.0, &[(4.0, true), (2.0, true), (0.1, false)]),
            measured("second", 1.0, &[(0.5, true)]),
        ];
        let means = means(&all);
        assert_eq!(means.len(), 1);
        assert!((means[0].mean - 1.0).abs() < 1e-12);
        assert_eq!(
            (means[0].worst, means[0].worst_case.as_str()),
            (2.0, "second")
        );
        assert!(mean_lines(&means).contains("goal 0.8 MISSED; worst 2.000 (second)"));
    }

    #[test]
    fn a_line_has_six_fields() {
        let lines = measured("first", 1.0, &[(4.0, true)]).lines();
        assert_eq!(
            lines,
            "products\tsome, first\t1.0000e0\tpeer\t4.0000e0\t0.250\n"
        );
    }

    #[test]
    fn counts_are_told_of_those_who_have_some() {
        let mut case = measured("first", 1.0, &[(4.0, true)]);
        assert_eq!(count_tables(&[case.clone()]), "");
        let count = |what: &str, value| Count {
            what: what.into(),
            value,
        };
        case.counts = vec![
            ("one", vec![count("misses", 5), count("words", 7)]),
            ("none", Vec::new()),
            ("other", vec![count("words", 8)]),
        ];
        let table = count_tables(&[case]);
        let lines: Vec<&str> = table.lines().skip(3).collect();
        let expected = [
            "| case | what | one | other |",
            "|---|---|--:|--:|",
            "| first | misses | 5 | – |",
            "| first | words | 7 | 8 |",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn tables_by_size_are_for_some_sections() {
        let mut all = [measured("first", 1.0, &[(4.0, true), (2e-3, false)])];
        assert_eq!(size_tables(&all), "");
        all[0].section = SIZE_TABLES[0];
        let table = size_tables(&all);
        let last = table.lines().last().expect("a line for each case");
        let fields: Vec<&str> = last.split_whitespace().collect();
        assert_eq!(
            fields,
            ["#", "16", "1.00", "s", "4.00", "s", "0.25", "peer"]
        );
    }

    #[test]
    fn only_the_part_between_the_markers_changes() {
        let page = "before <!-- ratios -->\nold\n<!-- /ratios --> after";
        assert_eq!(
            replaced(page, "ratios", "new\n").as_deref(),
            Ok("before <!-- ratios -->\nnew\n<!-- /ratios --> after")
        );
        assert!(replaced("no markers", "ratios", "new").is_err());
    }
}
