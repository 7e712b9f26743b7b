//! The table of ratios in a page of Sunzi's documentation.

use std::fmt::Write as _;
use std::path::Path;

use crate::report;
use crate::saved::{SUNZI, Saved};
use sunzi_measure::{Record, Records};

/// The marker of the table in a page.
const MARKER: &str = "ratios";

/// Writes the table between the page's markers.
pub fn rewrite(saved: &Saved, page: &Path) -> Result<(), String> {
    report::rewrite_between(page, MARKER, &table(saved))
}

/// The sections whose groups end with the name of a prime.
const NAMED_SECTIONS: [&str; 3] = ["gfp-fft", "gfp-poly", "gfp-vs-crt"];

/// Peers whose first word would say too much or too little, by how their names begin: what was written for the comparison,
/// over the arithmetic of others or by other algorithms of Sunzi, and what a time includes beside the work.
const TOLD_OTHERWISE: [(&str, &str); 5] = [
    ("GMP radix 2", "our radix 2 over GMP's arithmetic"),
    ("FLINT radix 2", "our radix 2 over FLINT's arithmetic"),
    (
        "CRT over 50-bit primes",
        "our transforms modulo 50-bit primes",
    ),
    ("classical counting sort", "our classical counting sort"),
    ("msolve", "msolve with its start"),
];

/// Ratios of Sunzi's times to those of the best peer in the cases of a group.
struct GroupRatios<'a> {
    first: &'a Record,
    logs: Vec<f64>,
    worst: (f64, &'a str),
}

/// What a group measures, whatever the prime: those of the named primes are summed up together.
fn work(row: &Record) -> String {
    match row.group.rsplit_once(' ') {
        Some((work, _prime)) if NAMED_SECTIONS.contains(&row.section.as_str()) => {
            format!("{work} r^k+1")
        }
        _ if row.section == "poly" => format!("polynomials: {}", row.group),
        _ if row.section == "sort" => format!("sorts: {}", row.group),
        _ => row.group.clone(),
    }
}

/// The groups in the order of their first case; cases without Sunzi or without a peer are left out.
fn groups(rows: &[Record]) -> Vec<GroupRatios<'_>> {
    let key = |row: &Record| {
        (
            row.section.clone(),
            row.group.clone(),
            row.threads,
            row.case.clone(),
        )
    };
    let mut groups: Vec<GroupRatios> = Vec::new();
    for case in rows.chunk_by(|x, y| key(x) == key(y)) {
        let median = |own: bool| {
            case.iter()
                .filter(|row| row.counts && (row.contender == SUNZI) == own)
                .map(|row| row.median_s)
                .min_by(f64::total_cmp)
        };
        let (Some(own), Some(peer)) = (median(true), median(false)) else {
            continue;
        };
        let (ratio, first) = (own / peer, &case[0]);
        let known = groups.iter_mut().find(|group| {
            group.first.section == first.section
                && work(group.first) == work(first)
                && group.first.threads == first.threads
        });
        match known {
            Some(group) => {
                group.logs.push(ratio.ln());
                if ratio > group.worst.0 {
                    group.worst = (ratio, &first.case);
                }
            }
            None => groups.push(GroupRatios {
                first,
                logs: vec![ratio.ln()],
                worst: (ratio, &first.case),
            }),
        }
    }
    groups
}

/// A contender's short name: the first word, of sorts all but how they are set, or what it is told as.
fn short_name(row: &Record) -> &str {
    let contender = row.contender.as_str();
    let told = |(begin, _): &&(&str, &'static str)| contender.starts_with(begin);
    if let Some((_, name)) = TOLD_OTHERWISE.iter().find(told) {
        return name;
    }
    match contender.split_once(' ') {
        Some((SUNZI, _)) | None => contender,
        Some(_) if row.section == "sort" => contender
            .split_once(", ")
            .map_or(contender, |(name, _)| name),
        Some((first, _)) => first,
    }
}

/// The short names of all peers that count.
fn peers(rows: &[Record], group: &GroupRatios) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        let same = row.section == group.first.section
            && work(row) == work(group.first)
            && row.threads == group.first.threads;
        if same && row.counts && row.contender != SUNZI {
            let name = short_name(row);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.join(", ")
}

fn table(saved: &Saved) -> String {
    let mut text = String::from(
        "| work | threads | against the best of | cases | time ratio, geometric mean | worst case |\n\
         |---|---|---|---|---|---|\n",
    );
    for group in groups(&saved.rows) {
        let mean = (group.logs.iter().sum::<f64>() / group.logs.len() as f64).exp();
        let threads = match group.first.section.as_str() {
            // That section compares two threads, or as many as were asked for, with one.
            "threads" => group.first.threads.max(2),
            _ => group.first.threads,
        };
        let _ = writeln!(
            text,
            "| {} | {threads} | {} | {} | **{mean:.2}** | {:.2} ({}) |",
            work(group.first),
            peers(&saved.rows, &group),
            group.logs.len(),
            group.worst.0,
            group.worst.1,
        );
    }
    for sentence in machines(saved) {
        let _ = write!(text, "\n{sentence}\n");
    }
    text
}

/// What was measured on one machine with the same versions of its peers.
struct Place<'a> {
    processor: String,
    versions: String,
    sections: Vec<&'a str>,
    days: Vec<&'a str>,
}

/// Where and when sections were measured, against what: a sentence for each place.
fn machines(saved: &Saved) -> Vec<String> {
    // How a library was compiled, in parentheses, is told on the page of all timings.
    let short = |run: &Records, name: &str| {
        let value = run.fact(name)?;
        Some(value.split(" (").next().unwrap_or(value).to_owned())
    };
    let mut places: Vec<Place> = Vec::new();
    for (index, run) in saved.runs.iter().enumerate() {
        let rows = saved.rows.iter().filter(|row| row.run == index);
        let mut sections: Vec<&str> = rows.map(|row| row.section.as_str()).collect();
        sections.dedup();
        if sections.is_empty() {
            continue;
        }
        let processor = short(run, "processor").unwrap_or("an unknown processor".into());
        let versions: String = ["FLINT", "GMP"]
            .iter()
            .filter_map(|name| Some(format!("; {name} {}", short(run, name)?)))
            .collect();
        let same = |place: &&mut Place| place.processor == processor && place.versions == versions;
        let day = run.fact("date").and_then(|date| date.split('T').next());
        match places.iter_mut().find(same) {
            Some(place) => {
                for section in sections {
                    if !place.sections.contains(&section) {
                        place.sections.push(section);
                    }
                }
                place.days.extend(day);
            }
            None => places.push(Place {
                processor,
                versions,
                sections,
                days: day.into_iter().collect(),
            }),
        }
    }
    places.into_iter().map(sentence).collect()
}

fn sentence(mut place: Place) -> String {
    place.days.sort_unstable();
    let when = match place.days[..] {
        [] => String::new(),
        [first, .., last] if first != last => format!(", {first} to {last}"),
        [day, ..] => format!(", {day}"),
    };
    format!(
        "`{}` measured on {}{when}{}.",
        place.sections.join("`, `"),
        place.processor,
        place.versions
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(group: &str, case: &str, contender: &str, median_s: f64, counts: bool) -> Record {
        Record {
            section: "products".into(),
            group: group.into(),
            case: case.into(),
            size: 16,
            threads: 1,
            contender: contender.into(),
            median_s,
            quartile1_s: median_s,
            quartile3_s: median_s,
            counts,
            run: 0,
        }
    }

    fn run(date: &str, processor: &str) -> Records {
        let facts = [("processor", processor), ("date", date)];
        Records {
            facts: facts
                .map(|(name, value)| (name.into(), value.into()))
                .to_vec(),
            rows: Vec::new(),
        }
    }

    #[test]
    fn a_group_is_summed_up_against_the_best_peer_that_counts() {
        let saved = Saved {
            runs: vec![
                run("2026-11-20T10:00:00Z", "a processor (family 6)"),
                run("2026-11-21T10:00:00Z", "another"),
                run("2026-11-22T10:00:00Z", "a processor (family 6)"),
                run(
                    "2026-11-19T10:00:00Z",
                    "one whose rows were all measured again",
                ),
            ],
            rows: vec![
                row("some", "first", SUNZI, 1.0, true),
                row("some", "first", "FLINT a", 2.0, true),
                row("some", "first", "GMP b", 4.0, true),
                row("some", "first", "other", 0.1, false),
                row("some", "second", SUNZI, 1.0, true),
                row("some", "second", "FLINT a", 0.5, true),
                Record {
                    section: "sort".into(),
                    run: 1,
                    ..row("alone", "third", SUNZI, 1.0, true)
                },
                Record {
                    run: 2,
                    ..row("alone", "third", SUNZI, 1.0, true)
                },
            ],
        };
        let table = table(&saved);
        assert!(table.contains("| some | 1 | FLINT, GMP | 2 | **1.00** | 2.00 (second) |\n"));
        assert!(!table.contains("alone"));
        assert!(table.ends_with(
            "\n`products` measured on a processor, 2026-11-20 to 2026-11-22.\n\
             \n`sort` measured on another, 2026-11-21.\n"
        ));
    }

    #[test]
    fn what_was_written_for_the_comparison_is_told_as_ours() {
        let saved = Saved {
            rows: vec![
                row("some", "first", SUNZI, 1.0, true),
                row(
                    "some",
                    "first",
                    "GMP radix 2 (mpn_mul_n, mpn_redc_n)",
                    4.0,
                    true,
                ),
                row(
                    "some",
                    "first",
                    "GMP radix 2 (mpn_mul_n, mpn_redc_1)",
                    5.0,
                    true,
                ),
                row("other", "first", SUNZI, 1.0, true),
                row("other", "first", "CRT over 50-bit primes", 2.0, true),
            ],
            ..Saved::default()
        };
        let table = table(&saved);
        assert!(table.contains("| some | 1 | our radix 2 over GMP's arithmetic | 1 | **0.25** |"));
        assert!(table.contains("| other | 1 | our transforms modulo 50-bit primes | 1 |"));
    }

    #[test]
    fn sorts_are_named() {
        let of = |contender: &str, median_s| Record {
            section: "sort".into(),
            ..row("keys, against rdst", "first", contender, median_s, true)
        };
        let saved = Saved {
            rows: vec![of(SUNZI, 1.0), of("rdst", 4.0), of("rdst, one thread", 2.0)],
            ..Saved::default()
        };
        let line = "| sorts: keys, against rdst | 1 | rdst | 1 | **0.50** | 0.50 (first) |\n";
        assert!(table(&saved).contains(line));
    }
}
