//! The table of what was run, for a page of the documentation.

use std::fmt::Write as _;

use super::counts::{Count, Counts};
use super::operation::Operation;

#[derive(Clone, Copy, Default)]
struct Sum {
    cases: u64,
    compared: u64,
    wrong: u64,
}

impl Sum {
    fn of<'a>(counts: impl Iterator<Item = &'a Count>) -> Self {
        counts.fold(Self::default(), |sum, count| Self {
            cases: sum.cases + count.run(),
            compared: sum.compared + count.compared,
            wrong: sum.wrong + count.wrong,
        })
    }

    fn cells(self) -> String {
        let [cases, compared, wrong] = [self.cases, self.compared, self.wrong].map(grouped);
        format!("{cases} | {compared} | {wrong} |")
    }
}

/// Digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// What counts have in common but the numbers, each once, in order.
fn distinct<T: Ord + Clone>(counts: &Counts, key: impl Fn(&Count) -> T) -> Vec<T> {
    let mut all: Vec<T> = counts.all.values().map(key).collect();
    all.sort();
    all.dedup();
    all
}

/// How the names of operations over fields end.
const FIELDS: [&str; 4] = ["p31", "p50", "p63", "rk1"];

/// An operation's name without its field, and the field.
fn base(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once('-') {
        Some((base, field)) if FIELDS.contains(&field) => (base, Some(field)),
        _ => (name, None),
    }
}

/// Tables by operation and by kind, and where and when the cases ran.
pub fn tables(counts: &Counts, operations: &[Operation]) -> String {
    let threads = distinct(counts, |count| count.threads);
    let mut text = String::from("| operation | against | compared results by field |");
    for threads in &threads {
        let _ = write!(text, " cases on {threads} |");
    }
    text.push_str(" cases | compared results | wrong cases |\n|---|---|");
    text.push_str(&"--:|".repeat(threads.len() + 4));
    text.push('\n');
    let mut names: Vec<&str> = Vec::new();
    let gone = distinct(counts, |count| count.operation.clone());
    let known = operations.iter().map(|own| own.name.as_str());
    for name in known.chain(gone.iter().map(String::as_str)) {
        let (name, _) = base(name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let of = || {
            let all = counts.all.values();
            all.filter(|count| base(&count.operation).0 == name)
        };
        let Some(first) = of().next() else { continue };
        let _ = write!(text, "| {name} | {} |", first.against);
        let fields = FIELDS.iter().filter_map(|&field| {
            let sum = Sum::of(of().filter(|count| base(&count.operation).1 == Some(field)));
            (sum.cases > 0).then(|| format!("{field}: {}", grouped(sum.compared)))
        });
        let _ = write!(text, " {} |", fields.collect::<Vec<_>>().join(", "));
        for &threads in &threads {
            let part = Sum::of(of().filter(|count| count.threads == threads));
            // Blank for operations that have no threads.
            let cases = (part.cases > 0).then(|| grouped(part.cases));
            let _ = write!(text, " {} |", cases.unwrap_or_default());
        }
        let _ = writeln!(text, " {}", Sum::of(of()).cells());
    }
    let _ = write!(text, "| **all** | | |");
    for &threads in &threads {
        let part = Sum::of(counts.all.values().filter(|count| count.threads == threads));
        let _ = write!(text, " {} |", grouped(part.cases));
    }
    let _ = writeln!(text, " {}", Sum::of(counts.all.values()).cells());

    text.push_str(
        "\n| kind of input | cases | compared results | wrong cases |\n|---|--:|--:|--:|\n",
    );
    for kind in distinct(counts, |count| count.kind.clone()) {
        let sum = Sum::of(counts.all.values().filter(|count| count.kind == kind));
        let _ = writeln!(text, "| {kind} | {}", sum.cells());
    }

    let list = |values: Vec<String>| values.join(", ");
    let days = |key: fn(&Count) -> String| distinct(counts, key);
    let (begun, ended) = (days(|x| x.begun.clone()), days(|x| x.ended.clone()));
    let hours = counts.all.values().map(|count| count.seconds).sum::<f64>() / 3600.0;
    let _ = writeln!(
        text,
        "\nRun on {}, built from {}, from {} to {}, {hours:.1} hours on both sides together; seeds {}.",
        list(distinct(counts, |count| count.machine.clone())),
        list(distinct(counts, |count| count.version.clone())),
        begun.first().map_or("", |day| day),
        ended.last().map_or("", |day| day),
        list(
            distinct(counts, |count| count.seed)
                .iter()
                .map(u64::to_string)
                .collect()
        ),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi_testkit::Kind;

    #[test]
    fn digits_stand_in_groups() {
        assert_eq!(
            [0, 999, 1000, 1234567].map(grouped),
            ["0", "999", "1 000", "1 234 567"]
        );
    }

    #[test]
    fn operations_over_several_fields_have_one_row() {
        assert_eq!(base("poly-mul-rk1"), ("poly-mul", Some("rk1")));
        assert_eq!(base("int-mul"), ("int-mul", None));
        let count = |operation: &str, threads, compared| {
            let count = Count {
                against: "FLINT".into(),
                cases: 3,
                empty: 1,
                compared,
                seconds: 36.0,
                version: "0123456".into(),
                ..Count::begin(operation, Kind::Runs, threads, 1)
            };
            ((operation.to_owned(), "runs", threads, 1), count)
        };
        let all = [
            count("poly-mul-p31", 1, 1000),
            count("poly-mul-p31", 2, 20),
            count("poly-mul-p63", 2, 7),
            count("field-add-p31", 1, 5),
        ];
        let text = tables(&Counts { all: all.into() }, &[]);
        let row = "| poly-mul | FLINT | p31: 1 020, p63: 7 | 2 | 4 | 6 | 1 027 | 0 |\n";
        assert!(text.contains(row), "{text}");
        let row = "| field-add | FLINT | p31: 5 | 2 |  | 2 | 5 | 0 |\n";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("| runs | 8 | 1 032 | 0 |\n"), "{text}");
        assert!(text.contains("built from 0123456,"), "{text}");
    }
}
