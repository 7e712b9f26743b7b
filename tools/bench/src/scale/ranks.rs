//! What several ranks do: how fast they exchange, and transforms that they share.

use super::vector;
use serde::Serialize;
use std::fmt;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use sunzi::field::AnyField;
use sunzi::memory::{Budget, Shown};
use sunzi::scale::{FileTransform, Order, Ranks, ScaleError, Started};
use sunzi_cli::door::Table;
use sunzi_measure::text::duration;

/// Bytes that each rank sends at a time.
const SENT: usize = 64 << 20;

/// Times that each thing is done, of which the best counts.
const TIMES: usize = 5;

/// A transform of all ranks.
#[derive(Debug, Serialize)]
struct Measured {
    points: usize,
    order: &'static str,
    threads_of_a_rank: usize,
    seconds: f64,
    bytes_sent: u64,
    /// Bytes sent over the least.
    bytes_over_floor: f64,
}

/// All that was measured; times are those of the slowest rank.
#[derive(Debug, Serialize)]
pub struct OfRanks {
    ranks: usize,
    /// Bytes a second that a rank copies, all at the same time, and that it sends.
    copied: f64,
    exchanged: f64,
    transforms: Vec<Measured>,
}

/// The longest of the times of all ranks.
fn slowest(ranks: &dyn Ranks, seconds: f64) -> Result<f64, ScaleError> {
    let all = ranks.gather(&seconds.to_le_bytes())?;
    let times = all.iter().filter_map(|bytes| bytes[..].try_into().ok());
    Ok(times.map(f64::from_le_bytes).fold(0.0, f64::max))
}

/// The least of several times, each that of the slowest rank.
fn least(
    ranks: &dyn Ranks,
    mut work: impl FnMut() -> Result<(), ScaleError>,
) -> Result<f64, ScaleError> {
    let mut best = f64::INFINITY;
    for _ in 0..TIMES {
        ranks.gather(&[])?;
        let start = Instant::now();
        work()?;
        best = best.min(slowest(ranks, start.elapsed().as_secs_f64())?);
    }
    Ok(best)
}

/// Measures them in a folder that all see.
pub fn measure(
    ranks: &Arc<dyn Ranks>,
    field: &AnyField,
    folder: &Path,
    memory: u64,
) -> Result<OfRanks, ScaleError> {
    let size = ranks.size();
    let bytes = SENT / size * size;
    let (from, mut to) = (vec![1u8; bytes], vec![2u8; bytes]);
    let copying = least(&**ranks, || {
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
        Ok(())
    })?;
    let exchanging = least(&**ranks, || Ok(ranks.all_to_all(&from, &mut to)?))?;
    let points = 1usize << (memory / 2 / field.element_bytes() as u64).max(2).ilog2();
    let [x, y] = ["x.npy", "y.npy"].map(|name| folder.join(name));
    if ranks.rank() == 0 {
        let written = vector::write(&x, field, points);
        written.map_err(|source| ScaleError::Disk {
            path: x.clone(),
            action: "cannot be written",
            source,
        })?;
    }
    ranks.gather(&[])?;
    let mut transforms = Vec::new();
    for (order, name) in [
        (Order::Natural, "natural"),
        (Order::Transposed, "transposed"),
    ] {
        let transform = FileTransform::new(field, &x, &y, folder)
            .order(order)
            .within(Budget::within(Some(memory)))
            .without_scratch()
            .among(Arc::clone(ranks));
        let start = Instant::now();
        let report = transform.start().and_then(Started::finish)?;
        let exchanges = if order == Order::Natural { 2 } else { 1 };
        let floor = exchanges * (points * field.element_bytes()) / size * (size - 1);
        transforms.push(Measured {
            points,
            order: name,
            threads_of_a_rank: sunzi_machine::threads::count(),
            seconds: slowest(&**ranks, start.elapsed().as_secs_f64())?,
            bytes_sent: report.sent,
            bytes_over_floor: report.sent as f64 / floor as f64,
        });
        if ranks.rank() == 0 {
            // A new one is measured like the first.
            let _ = fs::remove_file(&y);
        }
        ranks.gather(&[])?;
    }
    Ok(OfRanks {
        ranks: size,
        copied: bytes as f64 / copying,
        exchanged: bytes as f64 / exchanging,
        transforms,
    })
}

impl fmt::Display for OfRanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} ranks: each copies {:.2} GB/s and sends {:.2} GB/s, {:.2} of that, {} at a time",
            self.ranks,
            self.copied / 1e9,
            self.exchanged / 1e9,
            self.exchanged / self.copied,
            Shown(SENT as u64)
        )?;
        let mut table = Table::new([
            "points",
            "order",
            "threads a rank",
            "time",
            "sent",
            "sent over the least",
        ]);
        for measured in &self.transforms {
            table.push([
                format!("2^{}", measured.points.trailing_zeros()),
                measured.order.to_owned(),
                measured.threads_of_a_rank.to_string(),
                duration(measured.seconds),
                Shown(measured.bytes_sent).to_string(),
                format!("{:.3}", measured.bytes_over_floor),
            ]);
        }
        writeln!(f, "{table}")
    }
}
