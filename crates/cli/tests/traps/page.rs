//! The table of traps in a page, with the times of peers beside.

use super::Taken;
use crate::cases::Trap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Times of peers on the same inputs, beside the page: name, peer, seconds; written by `tools/peers/traps.py`.
const PEERS: &str = "measured/traps-peers.csv";
const MARKERS: [&str; 2] = ["<!-- traps -->\n", "<!-- /traps -->"];

/// Writes the table between the page's markers.
pub fn rewrite(page: &Path, rows: &[(&Trap, Taken)]) {
    let text = fs::read_to_string(page).unwrap();
    let peers = fs::read_to_string(page.with_file_name(PEERS)).unwrap_or_default();
    let (before, rest) = text.split_once(MARKERS[0]).expect("the first marker");
    let (_, after) = rest.split_once(MARKERS[1]).expect("the second marker");
    let table = table(rows, &peers);
    let new = format!("{before}{}{table}{}{after}", MARKERS[0], MARKERS[1]);
    fs::write(page, new).unwrap();
}

fn table(rows: &[(&Trap, Taken)], peers: &str) -> String {
    let mut table = String::from(
        "| trap | what would explode | command | right | at most | Sunzi | memory | a peer |\n\
         |---|---|---|---|--:|--:|--:|--:|\n",
    );
    for (trap, taken) in rows {
        let found = peers.lines().find_map(|line| {
            let mut cells = line.split(',');
            (cells.next() == Some(trap.name)).then(|| [cells.next(), cells.next()])
        });
        let peer = match found {
            Some([Some(peer), Some(seconds)]) => match seconds.parse() {
                Ok(seconds) => format!("{peer} {}", rounded(seconds)),
                // In words: how long it was waited for.
                Err(_) => format!("{peer} {seconds}"),
            },
            _ => String::new(),
        };
        let _ = writeln!(
            table,
            "| `{}` | {} | `{}` | {} | {} s, {} MiB | {} | {} MiB | {peer} |",
            trap.name,
            trap.trap,
            trap.arguments.replace('@', ""),
            trap.right.name(),
            trap.seconds,
            trap.mebibytes,
            rounded(taken.time.as_secs_f64()),
            taken.peak >> 20,
        );
    }
    table
}

/// Seconds to two digits.
fn rounded(seconds: f64) -> String {
    match seconds {
        ..0.01 => "0.01 s".into(),
        ..1.0 => format!("{seconds:.2} s"),
        ..10.0 => format!("{seconds:.1} s"),
        _ => format!("{seconds:.0} s"),
    }
}
