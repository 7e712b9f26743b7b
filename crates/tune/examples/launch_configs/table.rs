//! Contests over devices whose kernels were timed for every shape.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use super::metrics;
use sunzi_tune::{Description, Device, Kernel, Sample};

/// Times of a kernel: size, then shape.
pub type Times = BTreeMap<i64, BTreeMap<Vec<i64>, f64>>;

/// Milliseconds that clocks tell well.
const LONG: f64 = 0.05;

/// A kernel, a size, and how much slower the shape is than the best.
pub type Row = (String, i64, f64);

pub struct Timed {
    pub name: String,
    /// Kernels that have no description.
    pub skipped: BTreeSet<String>,
    pub device: Device,
    pub kernels: BTreeMap<String, (Kernel, Times)>,
    /// What a model says of its kernels, if there is a file of it.
    pub model: Option<metrics::Model>,
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
    let mut devices = Vec::new();
    for name in names {
        devices.push(read(folder, name, &description)?);
    }
    // Names of kernels in the counts of the GTX 1080 Ti are mixed up within examples.
    if let [first, second] = &mut devices[..]
        && let (Some(first), Some(second)) = (&mut first.model, &second.model)
    {
        first.rename_as(second);
    }
    Ok(devices)
}

fn read(folder: &Path, name: String, description: &Description) -> Result<Timed, Box<dyn Error>> {
    let text = |file: String| {
        let path = folder.join(file);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let specs = format!("{name}.specs.txt");
    let specs_text = text(specs.clone())?;
    let device = Device::from_specs(&specs_text).map_err(|error| format!("{specs}: {error}"))?;
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
        model: metrics::read(folder, &name, &specs_text)?,
        name,
        skipped,
        device,
        kernels,
    })
}

/// A size at which a shape is to be chosen, by someone who saw sizes up to `seen`.
pub struct Contest<'a> {
    pub name: &'a str,
    pub kernel: &'a Kernel,
    pub times: &'a Times,
    pub n: i64,
    pub seen: i64,
}

impl Contest<'_> {
    /// Times up to a size, of shapes that have one at the size of the contest: others cannot be judged.
    pub fn samples(&self, up_to: i64) -> Vec<Sample> {
        let judged = |shape: &Vec<i64>| self.times[&self.n].contains_key(shape);
        let sample = |n: i64, (shape, time): (&Vec<i64>, &f64)| Sample {
            data: vec![n],
            shape: shape.clone(),
            milliseconds: *time,
        };
        let seen = self.times.range(..=up_to);
        let all = seen.flat_map(|(&n, shapes)| shapes.iter().map(move |entry| sample(n, entry)));
        all.filter(|sample| judged(&sample.shape)).collect()
    }

    /// How much slower a shape is than the best.
    fn judged(&self, chosen: &[i64]) -> Result<Row, Box<dyn Error>> {
        let shapes = &self.times[&self.n];
        let best = shapes.values().copied().fold(f64::INFINITY, f64::min);
        let time = shapes
            .get(chosen)
            .ok_or_else(|| format!("{}: {chosen:?} was not timed at {}", self.name, self.n))?;
        Ok((self.name.to_owned(), self.n, time / best))
    }
}

impl Timed {
    /// For each kernel the largest size N with at least five shapes, and sizes up to N / ratio seen.
    pub fn contests(&self, ratio: i64) -> Vec<Contest<'_>> {
        let mut contests = self.all_contests(ratio, 1);
        let largest = contests
            .iter()
            .fold(BTreeMap::new(), |mut largest, contest| {
                largest.insert(contest.name, contest.n);
                largest
            });
        contests.retain(|contest| largest[contest.name] == contest.n);
        contests
    }

    /// The same for every size N of which two at least are N / 4 or less, and whose best shape takes 0.05 ms or more.
    pub fn contests_everywhere(&self) -> Vec<Contest<'_>> {
        let mut contests = self.all_contests(4, 2);
        contests.retain(|contest| contest.times[&contest.n].values().all(|&time| time >= LONG));
        contests
    }

    /// Sizes upward with at least five shapes, and so many sizes up to a part of them.
    fn all_contests(&self, ratio: i64, least: usize) -> Vec<Contest<'_>> {
        let mut contests = Vec::new();
        for (name, (kernel, times)) in &self.kernels {
            let large = times.iter().filter(|(_, shapes)| shapes.len() >= 5);
            let seen = large.map(|(&n, _)| (n, n / ratio));
            contests.extend(
                seen.filter(|(_, seen)| times.range(..=*seen).count() >= least)
                    .map(|(n, seen)| Contest {
                        name,
                        kernel,
                        times,
                        n,
                        seen,
                    }),
            );
        }
        contests
    }
}

/// The ratios of what a method chooses; contests for which it chooses nothing are left out.
pub fn rows<'a>(
    contests: impl IntoIterator<Item = Contest<'a>>,
    choose: impl Fn(&Contest<'_>) -> Result<Option<Vec<i64>>, Box<dyn Error>>,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for contest in contests {
        if let Some(shape) = choose(&contest)? {
            rows.push(contest.judged(&shape)?);
        }
    }
    Ok(rows)
}

/// How many, geometric mean, worst.
pub fn summary(rows: &[Row]) -> (usize, f64, f64) {
    let logs: f64 = rows.iter().map(|row| row.2.ln()).sum();
    let worst = rows.iter().map(|row| row.2).fold(1.0, f64::max);
    (rows.len(), (logs / rows.len().max(1) as f64).exp(), worst)
}
