//! Which plots are drawn of what was measured, and where they go.

use super::products::{BATCH, Products};
use super::report::Measured;
use super::speedup::Speedup;
use crate::contest::Contest;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use sunzi_files::failure::{Failure, reason};
use sunzi_files::output::{Destination, Output, standard};
use sunzi_measure::{Chart, Curve, Scale, svg};

/// A folder that takes the plots.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder, which is made if there is none, and in which files can be made: such as `file`.
    pub fn open(path: &Path, file: &str) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|error| {
            Failure::Usage(format!(
                "{}: the folder for the plots cannot be made: {}",
                path.display(),
                reason(&error)
            ))
        })?;
        // It is better to know before than after minutes of measurement.
        drop(Output::create(Some(&path.join(file)))?);
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// Refuses an output that a file of this folder would replace, which may be of any name with such an end.
    pub fn spare(&self, output: &Output) -> Result<(), Failure> {
        let taken = match output.destination() {
            Some(Destination::File(place)) if place.is_in(&self.path) => Some(place.name.clone()),
            Some(Destination::Standard) => self.standard_output()?,
            _ => None,
        };
        let taken = taken.filter(|name| {
            let end = Path::new(name).extension().unwrap_or_default();
            end == "svg" || end == "csv"
        });
        match taken {
            Some(name) => Err(Failure::Usage(format!(
                "{}: --out writes files with this end into the same folder: give the report another name",
                Path::new(&name).display()
            ))),
            None => Ok(()),
        }
    }

    /// The name of the file in this folder that standard output goes to.
    fn standard_output(&self) -> Result<Option<OsString>, Failure> {
        let unread = |error| {
            Failure::Usage(format!(
                "{}: the folder for the plots cannot be read: {}",
                self.path.display(),
                reason(&error)
            ))
        };
        for entry in fs::read_dir(&self.path).map_err(unread)? {
            let entry = entry.map_err(unread)?;
            // Through links, as plots are written.
            let file = fs::metadata(entry.path());
            if file.is_ok_and(|file| standard::at(&file).is_some()) {
                return Ok(Some(entry.file_name()));
            }
        }
        Ok(None)
    }

    /// Draws plots; the names of the files.
    pub fn draw(&self, plots: Vec<(String, Chart)>) -> Result<Vec<String>, Failure> {
        let mut names = Vec::new();
        for (file, plot) in plots {
            let svg =
                svg(&[plot]).map_err(|error| Failure::Computation(format!("{file}: {error}")))?;
            names.push(self.write(&file, &svg)?);
        }
        Ok(names)
    }

    /// Writes a file; its name.
    pub fn write(&self, file: &str, text: &str) -> Result<String, Failure> {
        let path = self.path.join(file);
        let mut output = Output::create(Some(&path))?;
        output.write(text.as_bytes())?;
        output.finish()?;
        Ok(path.display().to_string())
    }
}

/// The file of the plot of products.
pub const PRODUCTS: &str = "products.svg";

/// The plots of `bench gfp`, with their files.
pub fn of_gfp(measured: &Measured) -> Vec<(String, Chart)> {
    let mut plots = vec![(PRODUCTS.to_owned(), products(&measured.products))];
    for contest in &measured.transforms {
        let file = format!("transforms-{}.svg", contest.prime.to_lowercase());
        plots.push((file, transforms(contest)));
    }
    if measured.speedups.iter().any(|one| one.by_threads.len() > 1) {
        plots.push(("threads.svg".to_owned(), speedups(&measured.speedups)));
    }
    plots
}

fn products(all: &[Products]) -> Chart {
    // Two primes have the same k: those whose names end with F have digits of up to 64 bits.
    let full = |products: &Products| products.prime.ends_with('F');
    let curve = |in_a_batch: bool, of_full: bool| {
        let points = all
            .iter()
            .filter(|&products| full(products) == of_full)
            .map(|products| {
                let timing = match in_a_batch {
                    true => products.in_a_batch,
                    false => products.one_at_a_time,
                };
                (products.digits as f64, timing.median)
            });
        let way = match in_a_batch {
            true => format!("in batches of {BATCH}"),
            false => "one at a time".to_owned(),
        };
        let primes = if of_full {
            "P2F … P128F"
        } else {
            "P4 … P128"
        };
        Curve {
            name: format!("{primes}, {way}"),
            points: points.collect(),
            colour: usize::from(in_a_batch),
            dashes: usize::from(of_full),
            bold: false,
        }
    };
    Chart {
        title: "Products modulo the named primes r^k + 1, one thread".to_owned(),
        x: ("k, digits of an element", Scale::PowersOfTwo),
        y: ("time per product", Scale::Time),
        curves: vec![
            curve(false, false),
            curve(false, true),
            curve(true, false),
            curve(true, true),
        ],
    }
}

fn transforms(contest: &Contest) -> Chart {
    let curves = contest.methods.iter().enumerate().map(|(i, method)| Curve {
        name: format!("{} {}", method.mark, method.name),
        points: method
            .times
            .iter()
            .map(|time| (time.points as f64, time.timing.median))
            .collect(),
        colour: i,
        dashes: i,
        bold: false,
    });
    Chart {
        title: format!(
            "Forward transforms of N elements of {} bits ({}), one thread",
            contest.bits, contest.prime
        ),
        x: ("N, elements", Scale::PowersOfTwo),
        y: ("time per transform", Scale::Time),
        curves: curves.filter(|curve| !curve.points.is_empty()).collect(),
    }
}

fn speedups(all: &[Speedup]) -> Chart {
    let mut curves: Vec<Curve> = Vec::new();
    let mut colour = 0;
    for (i, speedup) in all.iter().enumerate() {
        // The longest transform of each prime stands for it.
        if all
            .get(i + 1)
            .is_some_and(|next| next.prime == speedup.prime)
        {
            continue;
        }
        let times = speedup.by_threads.iter();
        curves.push(Curve {
            name: format!("{}, N = {}", speedup.prime, speedup.points),
            points: times
                .map(|time| (time.threads as f64, time.speedup))
                .collect(),
            colour,
            dashes: 0,
            bold: false,
        });
        colour += 1;
    }
    let most = all
        .iter()
        .flat_map(|speedup| &speedup.by_threads)
        .map(|time| time.threads)
        .max();
    let ends = [1, most.unwrap_or(1)].map(|threads| (threads as f64, threads as f64));
    curves.push(Curve {
        name: "as many times as threads".to_owned(),
        points: ends.to_vec(),
        // Black, dotted.
        colour: 6,
        dashes: 2,
        bold: false,
    });
    Chart {
        title: "Forward transforms modulo r^k + 1 on several threads".to_owned(),
        x: ("threads", Scale::Count),
        y: ("speed-up against one thread", Scale::Linear),
        curves,
    }
}
