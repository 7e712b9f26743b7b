//! How good choices from small sizes are at large ones, for kernels whose every shape was timed.
//!
//!     cargo run --release -p sunzi-tune --example launch_configs [-- --data DIR --kernels --csv]
//!
//! Reads `X-times.csv` and `X.specs.txt` of every device X in DIR (or `$SUNZI_DATA/launch-configs`).

#[path = "launch_configs/table.rs"]
mod table;

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
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
            "{:16}{:14}{:10}{:>8}{:>10}{:>8}",
            "device", "method", "n_at_most", "kernels", "geomean", "worst"
        );
    }
    for device in table::devices(&folder)? {
        let skipped = device.skipped.len();
        if skipped > 0 {
            eprintln!(
                "{}: {skipped} kernels skipped, which are not described",
                device.name
            );
        }
        for method in [
            table::Method::Sunzi,
            table::Method::NoAccesses,
            table::Method::WavesOnly,
            table::Method::BestShape,
        ] {
            let mut contests = Vec::new();
            for ratio in [4, 8, 16] {
                contests.push((format!("N/{ratio}"), device.contest(method, ratio)?));
            }
            contests.push(("every N/4".to_owned(), device.contest_everywhere(method)?));
            for (seen, rows) in contests {
                let (name, method) = (&device.name, method.name());
                if kernels {
                    for (kernel, n, ratio_to_best) in &rows {
                        eprintln!("{name} {method} {seen} {kernel} n={n}: {ratio_to_best:.3}");
                    }
                }
                let (count, mean, worst) = table::summary(&rows);
                if csv {
                    println!("{name},{method},{seen},{count},{mean:.4},{worst:.4}");
                } else {
                    println!("{name:16}{method:14}{seen:10}{count:>8}{mean:>10.3}{worst:>8.2}");
                }
            }
        }
    }
    Ok(())
}
