//! Contests of methods over devices whose kernels were timed for every shape.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use sunzi_tune::{AnchoredModel, Chooser, Constants, Description, Device, Kernel, Sample};

/// Times of a kernel: size, then shape.
type Times = BTreeMap<i64, BTreeMap<Vec<i64>, f64>>;

/// Milliseconds that clocks tell well.
const LONG: f64 = 0.05;

/// A kernel, a size, and how much slower the shape is than the best.
pub type Row = (String, i64, f64);

pub struct Timed {
    pub name: String,
    /// Kernels that have no description.
    pub skipped: BTreeSet<String>,
    device: Device,
    kernels: BTreeMap<String, (Kernel, Times)>,
}

#[derive(Clone, Copy)]
pub enum Method {
    Sunzi,
    NoAccesses,
    WavesOnly,
    BestShape,
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Method::Sunzi => "sunzi",
            Method::NoAccesses => "no-accesses",
            Method::WavesOnly => "waves-only",
            Method::BestShape => "best-shape",
        }
    }
}

/// All devices in a folder, by their names.
pub fn devices(folder: &Path) -> Result<Vec<Timed>, Box<dyn Error>> {
    let description = Description::parse(include_str!("../polybench.toml"), "polybench.toml")?;
    let listing =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names = BTreeSet::new();
    for entry in listing {
        let file = entry?.file_name();
        names.extend(
            file.to_string_lossy()
                .strip_suffix("-times.csv")
                .map(str::to_owned),
        );
    }
    names
        .into_iter()
        .map(|name| read(folder, name, &description))
        .collect()
}

fn read(folder: &Path, name: String, description: &Description) -> Result<Timed, Box<dyn Error>> {
    let text = |file: String| {
        let path = folder.join(file);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let specs = format!("{name}.specs.txt");
    let device =
        Device::from_specs(&text(specs.clone())?).map_err(|error| format!("{specs}: {error}"))?;
    let file = format!("{name}-times.csv");
    let times = text(file.clone())?;
    let mut kernels: BTreeMap<String, (Kernel, Times)> = BTreeMap::new();
    let mut skipped = BTreeSet::new();
    for (number, line) in times
        .lines()
        .enumerate()
        .skip(1)
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let wrong = || {
            format!(
                "{file}:{}: no line `example,kernel,n,bx,by,runs,median_ms`",
                number + 1
            )
        };
        let cells: Vec<&str> = line.trim().split(',').collect();
        let [example, kernel, n, bx, by, _, time] = cells[..] else {
            return Err(wrong().into());
        };
        let full = format!("{example}/{kernel}");
        let Some(kernel) = description.kernel(&full) else {
            skipped.insert(full);
            continue;
        };
        let number = |cell: &str| cell.parse::<i64>().map_err(|_| wrong());
        let shape = vec![number(bx)?, number(by)?];
        let time = time.parse::<f64>().map_err(|_| wrong())?;
        let (_, times) = kernels
            .entry(full)
            .or_insert_with(|| (kernel.clone(), Times::new()));
        times.entry(number(n)?).or_default().insert(shape, time);
    }
    Ok(Timed {
        name,
        skipped,
        device,
        kernels,
    })
}

impl Timed {
    /// For each kernel the largest size N with at least five shapes, and how much slower the shape is than the best that
    /// the method chooses who saw sizes up to N / ratio.
    pub fn contest(&self, method: Method, ratio: i64) -> Result<Vec<Row>, Box<dyn Error>> {
        let mut rows = Vec::new();
        for (name, (kernel, times)) in &self.kernels {
            let largest = times.iter().rev().find(|(_, shapes)| shapes.len() >= 5);
            let Some((&n, _)) =
                largest.filter(|&(n, _)| times.range(..=n / ratio).next().is_some())
            else {
                continue;
            };
            rows.push(self.judged(name, method, (kernel, times), n, ratio)?);
        }
        Ok(rows)
    }

    /// The same for every size N of which two at least are N / 4 or less, and whose best shape takes 0.05 ms or more.
    pub fn contest_everywhere(&self, method: Method) -> Result<Vec<Row>, Box<dyn Error>> {
        let mut rows = Vec::new();
        for (name, (kernel, times)) in &self.kernels {
            for (&n, shapes) in times {
                let is_long = shapes.values().all(|&time| time >= LONG);
                if shapes.len() >= 5 && is_long && times.range(..=n / 4).count() >= 2 {
                    rows.push(self.judged(name, method, (kernel, times), n, 4)?);
                }
            }
        }
        Ok(rows)
    }

    /// How much slower the shape is than the best that the method chooses for size n who saw sizes up to n / ratio.
    fn judged(
        &self,
        name: &str,
        method: Method,
        (kernel, times): (&Kernel, &Times),
        n: i64,
        ratio: i64,
    ) -> Result<Row, Box<dyn Error>> {
        let chosen = self.chosen(method, kernel, times, n, ratio)?;
        let best = times[&n].values().copied().fold(f64::INFINITY, f64::min);
        let time = times[&n].get(&chosen);
        let time = time.ok_or_else(|| format!("{name}: {chosen:?} was not timed at {n}"))?;
        Ok((name.to_owned(), n, time / best))
    }

    fn chosen(
        &self,
        method: Method,
        kernel: &Kernel,
        times: &Times,
        n: i64,
        ratio: i64,
    ) -> Result<Vec<i64>, Box<dyn Error>> {
        let seen = times.range(..=n / ratio);
        // Only shapes with a time at N can be judged.
        let judged = |shape: &Vec<i64>| times[&n].contains_key(shape);
        if let Method::BestShape = method {
            let best = |(_, shapes): (_, &BTreeMap<Vec<i64>, f64>)| {
                let known = shapes.iter().filter(|(shape, _)| judged(shape));
                known
                    .min_by(|a, b| a.1.total_cmp(b.1))
                    .map(|(shape, _)| shape.clone())
            };
            return seen
                .rev()
                .find_map(best)
                .ok_or_else(|| "no shape was timed twice".into());
        }
        let sample = |n: i64, (shape, time): (&Vec<i64>, &f64)| Sample {
            data: vec![n],
            shape: shape.clone(),
            milliseconds: *time,
        };
        let samples: Vec<Sample> = seen
            .flat_map(|(&n, shapes)| shapes.iter().map(move |entry| sample(n, entry)))
            .filter(|sample| judged(&sample.shape))
            .collect();
        let mut constants = Constants::default();
        let kernel = match method {
            Method::Sunzi | Method::BestShape => kernel.clone(),
            Method::NoAccesses => kernel.clone().without_accesses(),
            Method::WavesOnly => {
                constants.warps = f64::INFINITY;
                kernel.clone().without_accesses()
            }
        };
        let model = AnchoredModel::fit(&kernel, &self.device, constants, &samples)?;
        Ok(Chooser::new(model).choose(&[n])?.to_vec())
    }
}

/// How many, geometric mean, worst.
pub fn summary(rows: &[Row]) -> (usize, f64, f64) {
    let logs: f64 = rows.iter().map(|row| row.2.ln()).sum();
    let worst = rows.iter().map(|row| row.2).fold(1.0, f64::max);
    (rows.len(), (logs / rows.len().max(1) as f64).exp(), worst)
}
