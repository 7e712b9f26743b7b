//! Others' times beside Sunzi's, for people.

use super::PeerCase;
use super::protocol::Verdict;
use sunzi_cli::door::Table;
use sunzi_measure::text::{duration, three_digits};

/// What stands above the tables.
const HEAD: &str = "The same by others, on the same device; in brackets Sunzi's time over theirs: below 1 Sunzi is faster.
Copies to the device and back, and what is prepared once for a size, are left out on all sides.";

/// The table of a section and what programs say of their times, where there are any.
pub fn text(all: &[PeerCase], section: &str) -> Option<String> {
    let cases: Vec<&PeerCase> = all.iter().filter(|case| case.section == section).collect();
    let mut names: Vec<&str> = cases.iter().map(|case| case.peer.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut lines: Vec<&PeerCase> = Vec::new();
    for case in &cases {
        if !lines.iter().any(|line| line.is_beside(case)) {
            lines.push(case);
        }
    }
    if lines.is_empty() {
        return None;
    }
    let heads = ["what", "size", "batch", "Sunzi"].into_iter();
    let mut table = Table::new(heads.chain(names.iter().copied()));
    for line in lines {
        let mut row = vec![
            line.group.clone(),
            line.size.to_string(),
            line.batch.to_string(),
            duration(line.own),
        ];
        row.extend(names.iter().map(|&name| {
            let of_peer = |case: &&&PeerCase| case.peer == name && case.is_beside(line);
            cases.iter().find(of_peer).map_or_else(
                || "-".to_owned(),
                |case| {
                    format!(
                        "{} ({})",
                        duration(case.timing.median),
                        three_digits(case.ratio)
                    )
                },
            )
        }));
        table.push(row);
    }
    let mut said = String::new();
    for line in remarks(&cases) {
        said.push_str(&format!("  {line}\n"));
    }
    Some(format!("{HEAD}\n\n{table}\n{said}"))
}

/// What programs say of their times, each once.
pub fn remarks<'a>(cases: impl IntoIterator<Item = &'a &'a PeerCase>) -> Vec<String> {
    let mut remarks = Vec::new();
    for case in cases {
        let verdict = match case.verdict {
            Verdict::Checked => "results checked",
            Verdict::Unchecked => "results not checked",
            Verdict::Reference => "other work, for reference",
        };
        let remark = format!("{}: {} ({verdict})", case.peer, case.how);
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
    remarks
}
