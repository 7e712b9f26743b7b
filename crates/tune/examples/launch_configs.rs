//! How good choices from small sizes are at large ones, for kernels whose every shape was timed.
//!
//!     cargo run --release -p sunzi-tune --example launch_configs [-- --data DIR --kernels --csv]
//!
//! Reads `X-times.csv`, `X.specs.txt` and, where there is one, `X-model.csv` of every device X in DIR (or
//! `$SUNZI_DATA/launch-configs`).

#[path = "launch_configs/methods.rs"]
mod methods;
#[path = "launch_configs/metrics.rs"]
mod metrics;
#[path = "launch_configs/table.rs"]
mod table;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use methods::Method;
use sunzi_tune::{AnchoredModel, Chooser, Constants};
use table::{Contest, Timed};

fn main() -> Result<(), Box<dyn Error>> {
    let mut folder =
        std::env::var_os("SUNZI_DATA").map(|data| PathBuf::from(data).join("launch-configs"));
    let (mut kernels, mut csv) = (false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--data" => folder = Some(arguments.next().ok_or("--data needs a folder")?.into()),
            "--kernels" => kernels = true,
            "--csv" => csv = true,
            _ => {
                return Err(
                    format!("`{argument}` is unknown; see the head of this example").into(),
                );
            }
        }
    }
    let folder = folder.ok_or("no data: give --data DIR or SUNZI_DATA")?;
    if csv {
        println!("device,method,n_at_most,kernels,geomean,worst");
    } else {
        println!(
            "{:16}{:18}{:10}{:>8}{:>10}{:>8}",
            "device", "method", "n_at_most", "kernels", "geomean", "worst"
        );
    }
    let devices = table::devices(&folder)?;
    for device in &devices {
        let other = devices.iter().find(|other| other.name != device.name);
        let skipped = device.skipped.len();
        if skipped > 0 {
            eprintln!(
                "{}: {skipped} kernels skipped, which are not described",
                device.name
            );
        }
        let others_constants = match other {
            Some(other) => methods::best_constants(other)?,
            None => Constants::default(),
        };
        for method in Method::ALL {
            for (seen, contests) in method.contests(device) {
                let choose =
                    |contest: &Contest<'_>| method.choose(contest, device, other, others_constants);
                let rows = table::rows(contests, choose)?;
                let (name, method) = (&device.name, method.name());
                if kernels {
                    for (kernel, n, ratio_to_best) in &rows {
                        eprintln!("{name} {method} {seen} {kernel} n={n}: {ratio_to_best:.3}");
                    }
                }
                let (count, mean, worst) = table::summary(&rows);
                if csv {
                    println!("{name},{method},{seen},{count},{mean:.4},{worst:.4}");
                } else if count > 0 {
                    println!("{name:16}{method:18}{seen:10}{count:>8}{mean:>10.3}{worst:>8.2}");
                }
            }
        }
        if !csv {
            costs(device)?;
        }
    }
    Ok(())
}

/// What sampling and choosing cost.
fn costs(device: &Timed) -> Result<(), Box<dyn Error>> {
    let (mut sampling, mut exhaustive) = (0.0, 0.0);
    let mut choosers = Vec::new();
    for contest in device.contests(4) {
        sampling += methods::sampled(&contest, &device.device)?.1;
        exhaustive += contest.times[&contest.n].values().sum::<f64>();
        let model = AnchoredModel::fit(
            contest.kernel,
            &device.device,
            Constants::default(),
            &contest.samples(contest.seen),
        )?;
        choosers.push(Chooser::new(model));
    }
    let choose =
        |contest: &Contest<'_>| Method::Sunzi.choose(contest, device, None, Constants::default());
    let (_, mean, _) = table::summary(&table::rows(device.contests(4), choose)?);
    let name = &device.name;
    let [cycles, law] = methods::ordered(device).map(|part| 100.0 * part);
    println!("{name}: of pairs of shapes MWP-CWP orders {cycles:.0} %, Little's law {law:.0} %");
    println!(
        "{name}: sampling up to N/4 takes {:.2} % of all shapes at N",
        100.0 * sampling / exhaustive
    );
    let runs = methods::random_runs(device, mean);
    println!("{name}: the best of {runs} random shapes at N is as good");
    let mut worst = [0_f64; 2];
    for chooser in &choosers {
        for worst in &mut worst {
            // The first turn is of sizes that were not seen, the second of those of the first.
            let start = Instant::now();
            for n in 1000..2000 {
                std::hint::black_box(chooser.choose(&[n])?);
            }
            *worst = worst.max(start.elapsed().as_secs_f64() / 1000.0);
        }
    }
    let shapes = choosers
        .iter()
        .map(|chooser| chooser.model().shapes().len())
        .max()
        .unwrap_or(0);
    println!(
        "{name}: a choice among {shapes} shapes takes {:.1} µs, and {:.0} ns for a size seen before",
        worst[0] * 1e6,
        worst[1] * 1e9
    );
    Ok(())
}
