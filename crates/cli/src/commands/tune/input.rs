//! What tuning reads: descriptions, devices, times, and models.

use std::fs;
use std::path::Path;

use crate::commands::dense::input::counted;
use sunzi::tune::{AnchoredModel, Description, Device, Kernel, Sample};
use sunzi_files::failure::{Failure, Place, reason, shown};
use sunzi_files::input::literal;

/// Bytes of a file that is read whole: descriptions and models are far shorter.
const MOST_BYTES: u64 = 64 << 20;

/// The text of a small file.
pub fn text(path: &Path) -> Result<String, Failure> {
    let failure = |problem: String| Failure::Input {
        place: place(path, None, None),
        problem,
    };
    let unreadable =
        |error: std::io::Error| failure(format!("it cannot be read: {}", reason(&error)));
    if let Some(text) = literal::text(path) {
        return Ok(String::from_utf8_lossy(text).into_owned());
    }
    if path == Path::new("-") {
        return std::io::read_to_string(std::io::stdin()).map_err(unreadable);
    }
    if fs::metadata(path).map_err(unreadable)?.len() > MOST_BYTES {
        return Err(failure(
            "it is longer than 64 MiB, and no file of this kind".to_owned(),
        ));
    }
    fs::read_to_string(path).map_err(unreadable)
}

pub fn place(path: &Path, line: Option<u64>, column: Option<usize>) -> Place {
    Place {
        file: shown(path),
        line,
        column,
    }
}

/// The description of kernels in a file.
pub fn description(path: &Path) -> Result<Description, Failure> {
    Description::parse(&text(path)?, &shown(path)).map_err(|error| Failure::Input {
        place: place(path, Some(error.line as u64), Some(error.column)),
        problem: error.problem.to_string(),
    })
}

/// The kernel that is named, or the only one.
pub fn kernel<'a>(
    description: &'a Description,
    name: Option<&str>,
    path: &Path,
) -> Result<&'a Kernel, Failure> {
    let names = || {
        let names: Vec<&str> = description.kernels().iter().map(Kernel::name).collect();
        names.join(", ")
    };
    let found = match (name, description.kernels()) {
        (Some(name), kernels) => kernels.iter().find(|kernel| kernel.name() == name),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    found.ok_or_else(|| {
        Failure::Usage(format!(
            "{} describes {}: name one with --kernel",
            shown(path),
            names()
        ))
    })
}

/// The model in a file.
pub fn model(path: &Path) -> Result<AnchoredModel, Failure> {
    AnchoredModel::from_json(&text(path)?).map_err(|error| Failure::Input {
        place: place(path, None, None),
        problem: error.to_string(),
    })
}

/// The device in a file: TOML, or a profile of KLARAPTOR.
pub fn device(path: &Path) -> Result<Device, Failure> {
    let text = text(path)?;
    if text.trim_start().starts_with("[Issue_cycles") {
        return Device::from_specs(&text).map_err(|error| Failure::Input {
            place: place(path, None, None),
            problem: error.to_string(),
        });
    }
    Device::parse(&text, &shown(path)).map_err(|error| Failure::Input {
        place: place(path, Some(error.line as u64), Some(error.column)),
        problem: error.problem.to_string(),
    })
}

/// Times from a table with a column for each parameter and `milliseconds`; others are passed over. Where there is a column
/// `kernel`, rows of other kernels are.
pub fn times(path: &Path, kernel: &Kernel) -> Result<Vec<Sample>, Failure> {
    let text = text(path)?;
    let failure = |line: u64, column: Option<usize>, problem: String| Failure::Input {
        place: place(path, Some(line), column),
        problem,
    };
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let names = reader
        .headers()
        .map_err(|error| failure(1, None, error.to_string()))?
        .clone();
    let column = |name: &str| {
        names.iter().position(|other| other == name).ok_or_else(|| {
            let problem = format!(
                "the first line names no column `{name}`; it has {}",
                names.iter().collect::<Vec<_>>().join(", ")
            );
            failure(1, None, problem)
        })
    };
    let data = kernel
        .data_names()
        .map(column)
        .collect::<Result<Vec<_>, _>>()?;
    let shape = kernel
        .program_names()
        .map(column)
        .collect::<Result<Vec<_>, _>>()?;
    let milliseconds = column("milliseconds")?;
    let kernels = names.iter().position(|name| name == "kernel");
    let mut samples = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            failure(
                error.position().map_or(1, csv::Position::line),
                None,
                error.to_string(),
            )
        })?;
        let line = record.position().map_or(1, csv::Position::line);
        if kernels.is_some_and(|index| record.get(index) != Some(kernel.name())) {
            continue;
        }
        let cell = |index: usize| record.get(index).unwrap_or_default();
        let wrong = |index: usize, wanted: &str| {
            let before: usize = (0..index).map(|index| cell(index).len() + 1).sum();
            failure(
                line,
                Some(before + 1),
                format!(
                    "{:?} is no {wanted} for column `{}`",
                    cell(index),
                    &names[index]
                ),
            )
        };
        let integer = |&index: &usize| {
            cell(index)
                .parse::<i64>()
                .map_err(|_| wrong(index, "integer"))
        };
        let sample = Sample {
            data: data.iter().map(integer).collect::<Result<_, _>>()?,
            shape: shape.iter().map(integer).collect::<Result<_, _>>()?,
            milliseconds: match cell(milliseconds).parse::<f64>() {
                Ok(time) if time.is_finite() && time > 0.0 => time,
                _ => return Err(wrong(milliseconds, "positive number")),
            },
        };
        let refused = |what: &str, values: &[i64]| {
            failure(
                line,
                None,
                format!("{what} {values:?}, which the kernel's description does not allow"),
            )
        };
        if !kernel.takes(&sample.data) {
            return Err(refused("this is of data", &sample.data));
        }
        if !kernel.is_legal(&sample.shape) {
            return Err(refused("this is of shape", &sample.shape));
        }
        samples.push(sample);
    }
    let mut sizes: Vec<&[i64]> = samples.iter().map(|sample| &sample.data[..]).collect();
    sizes.sort();
    sizes.dedup();
    if sizes.len() < 2 {
        let problem = format!(
            "it has times of {} for kernel `{}`, and at least two sizes are needed",
            counted(sizes.len(), "size"),
            kernel.name()
        );
        return Err(Failure::Input {
            place: place(path, None, None),
            problem,
        });
    }
    Ok(samples)
}
