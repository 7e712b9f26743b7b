//! Counts of instructions and what the MWP-CWP model makes of them, as others published them for every shape.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use sunzi_tune::{
    Degrees, LittlesLawDevice, MwpCwpDevice, RationalFunction, Rounding, WarpCounts, WarpLaunch,
    WithinWarp, littles_law, mwp_cwp,
};

/// Counts of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Metrics {
    pub computations: f64,
    pub uncoalesced: f64,
    pub coalesced: f64,
    /// Of all uncoalesced accesses of a warp.
    pub transactions: f64,
    pub synchronizations: f64,
    /// Cycles as they were published.
    pub cycles: f64,
    pub blocks: f64,
}

impl Metrics {
    fn counts(&self) -> WarpCounts {
        WarpCounts {
            computations: self.computations,
            accesses: [self.uncoalesced, self.coalesced],
            transactions: (self.transactions / self.uncoalesced.max(1.0)).max(1.0),
            synchronizations: self.synchronizations,
        }
    }
}

/// Counts by kernel, shape and size.
pub struct Model {
    device: MwpCwpDevice,
    littles_law: LittlesLawDevice,
    kernels: BTreeMap<String, BTreeMap<Vec<i64>, BTreeMap<i64, Metrics>>>,
}

/// What is known of a shape at a size.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub shape: Vec<i64>,
    /// By the MWP-CWP model, from these counts, and as they were published, if they were.
    pub cycles: f64,
    pub published: f64,
    /// By Little's law, and its resident warps over those that it needs.
    pub littles_law: f64,
    pub spare_warps: f64,
    pub computations: f64,
    pub accesses: f64,
    /// Cycles of memory, and the part of transactions that accesses need.
    pub memory: f64,
    pub efficiency: f64,
    pub occupancy: f64,
}

pub fn read(folder: &Path, device: &str, specs: &str) -> Result<Option<Model>, Box<dyn Error>> {
    let file = format!("{device}-model.csv");
    let Ok(text) = std::fs::read_to_string(folder.join(&file)) else {
        return Ok(None);
    };
    let spec = |name: &str| {
        let line = specs
            .lines()
            .find_map(|line| line.strip_prefix(&format!("[{name}: ")));
        let value = line.and_then(|rest| rest.trim_end_matches(']').trim().parse::<f64>().ok());
        value.ok_or_else(|| format!("{device}.specs.txt: no `[{name}: …]`"))
    };
    let device = MwpCwpDevice {
        multiprocessors: spec("Active_SMs")? as u64,
        gigahertz: spec("Freq")? / 1000.0,
        bandwidth: spec("Mem_bandwidth")?,
        bytes_per_warp: spec("Load_bytes_per_warp")?,
        load_latency: spec("Mem_LD")?,
        departure: [spec("Departure_del_uncoal")?, spec("Departure_del_coal")?],
        issue: spec("Issue_cycles")?,
    };
    // Cycles from a computation to the next are those of Jia and others' microbenchmarks: 6 on Pascal, 4 on Turing.
    let littles_law = LittlesLawDevice {
        multiprocessors: device.multiprocessors,
        gigahertz: device.gigahertz,
        bandwidth: device.bandwidth,
        bytes: [32.0, device.bytes_per_warp],
        memory_latency: device.load_latency,
        departure: device.departure[0],
        compute_latency: if spec("compute_capability")? < 7.0 {
            6.0
        } else {
            4.0
        },
        issued: spec("n_cores_per_sm")? / 32.0,
    };
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let mut model = Model {
        device,
        littles_law,
        kernels: BTreeMap::new(),
    };
    for (number, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |name: &str| {
            let found = names
                .iter()
                .position(|other| *other == name)
                .and_then(|index| cells.get(index).copied());
            found.ok_or_else(|| format!("{file}:{}: no {name}", number + 2))
        };
        let value = |name: &str| -> Result<f64, Box<dyn Error>> {
            Ok(cell(name)?
                .parse::<f64>()
                .map_err(|error| format!("{file}:{}: {name}: {error}", number + 2))?)
        };
        let shape = vec![value("b0")? as i64, value("b1")? as i64];
        let metrics = Metrics {
            computations: value("Comp_insts")?,
            uncoalesced: value("Uncoal_Mem_insts")?,
            coalesced: value("Coal_Mem_insts")?,
            transactions: value("Uncoal_per_mw")?,
            synchronizations: value("Synch_insts")?,
            cycles: value("Exec_cycles_app")?,
            blocks: value("Blocks")?,
        };
        let kernel = format!("{}/{}", cell("example")?, cell("kernel")?);
        let shapes = model.kernels.entry(kernel).or_default();
        shapes
            .entry(shape)
            .or_default()
            .insert(value("N")? as i64, metrics);
    }
    Ok(Some(model))
}

impl Model {
    /// The largest size that has counts.
    pub fn largest(&self, kernel: &str) -> Option<i64> {
        self.kernels
            .get(kernel)?
            .values()
            .filter_map(|sizes| sizes.keys().next_back().copied())
            .max()
    }

    /// Shapes at a size whose counts, and cycles, were published.
    pub fn published(
        &self,
        kernel: &str,
        n: i64,
        launch: impl Fn(&[i64]) -> Option<WarpLaunch>,
    ) -> Vec<Candidate> {
        let shapes = self.kernels.get(kernel).into_iter().flatten();
        let candidate = |(shape, sizes): (&Vec<i64>, &BTreeMap<i64, Metrics>)| {
            let metrics = sizes.get(&n)?;
            Some(Candidate {
                published: metrics.cycles,
                ..self.candidate(shape, &metrics.counts(), launch(shape)?)?
            })
        };
        shapes.filter_map(candidate).collect()
    }

    /// What both models say of a launch.
    fn candidate(
        &self,
        shape: &[i64],
        counts: &WarpCounts,
        launch: WarpLaunch,
    ) -> Option<Candidate> {
        let predicted = mwp_cwp(&self.device, counts, launch, Rounding::Exact).ok()?;
        let by_law = littles_law(&self.littles_law, counts, launch, WithinWarp::ONE).ok()?;
        let ([uncoalesced, coalesced], each) = (counts.accesses, counts.transactions);
        let (accesses, latency) = (uncoalesced + coalesced, self.device.load_latency);
        Some(Candidate {
            shape: shape.to_vec(),
            cycles: predicted.cycles,
            published: f64::NAN,
            littles_law: by_law.cycles,
            spare_warps: by_law.warps / by_law.needed_warps,
            computations: counts.computations,
            accesses,
            memory: (latency + (each - 1.0) * self.device.departure[0]) * uncoalesced
                + latency * coalesced,
            efficiency: accesses / (coalesced + uncoalesced * each).max(1.0),
            occupancy: (launch.resident * launch.threads.div_ceil(32)) as f64,
        })
    }

    /// Shapes at a size that was not run: each count is a polynomial in n, fitted for the shape to sizes up to `seen`.
    /// `launch` tells blocks, threads and resident blocks.
    pub fn extrapolated(
        &self,
        kernel: &str,
        seen: i64,
        n: i64,
        launch: impl Fn(&[i64]) -> Option<WarpLaunch>,
    ) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (shape, sizes) in self.kernels.get(kernel).into_iter().flatten() {
            let seen: Vec<(i64, Metrics)> = sizes
                .range(..=seen)
                .map(|(n, metrics)| (*n, *metrics))
                .collect();
            let points: Vec<Vec<f64>> = seen.iter().map(|(n, _)| vec![*n as f64]).collect();
            let most = Degrees {
                numerator: vec![3],
                denominator: vec![0],
            };
            let at = |of: &dyn Fn(&Metrics) -> f64| {
                let values: Vec<f64> = seen.iter().map(|(_, metrics)| of(metrics)).collect();
                let function =
                    RationalFunction::fit_within(&points, &values, &most, &[(1.0, n as f64)])
                        .ok()?;
                Some(function.evaluate(&[n as f64]).max(0.0))
            };
            let candidate = || {
                let metrics = Metrics {
                    computations: at(&|m| m.computations)?,
                    uncoalesced: at(&|m| m.uncoalesced)?,
                    coalesced: at(&|m| m.coalesced)?,
                    transactions: at(&|m| m.transactions)?,
                    synchronizations: at(&|m| m.synchronizations)?,
                    cycles: 0.0,
                    blocks: 0.0,
                };
                self.candidate(shape, &metrics.counts(), launch(shape)?)
            };
            found.extend(candidate());
        }
        found
    }

    /// Gives kernels of an example whose names were mixed up those of another table, whose counts are most alike.
    pub fn rename_as(&mut self, other: &Model) {
        let names: Vec<String> = self.kernels.keys().cloned().collect();
        let example = |name: &str| name.split('/').next().unwrap_or_default().to_owned();
        let mut renamed = BTreeMap::new();
        for first in names
            .iter()
            .filter(|name| names.iter().find(|n| example(n) == example(name)) == Some(*name))
        {
            let group: Vec<&String> = names
                .iter()
                .filter(|name| example(name) == example(first))
                .collect();
            let mut best = (f64::INFINITY, Vec::new());
            for order in orders(group.len()) {
                let pairs = group
                    .iter()
                    .zip(&order)
                    .map(|(name, &index)| (*name, group[index]));
                let distance: f64 = pairs.map(|(own, its)| self.distance(own, other, its)).sum();
                // Names stay, unless others fit far better.
                if distance < 0.9 * best.0 {
                    best = (distance, order);
                }
            }
            for (name, index) in group.iter().zip(best.1) {
                renamed.insert(group[index].clone(), self.kernels[*name].clone());
            }
        }
        self.kernels = renamed;
    }

    /// How far the counts of two kernels are from each other, where both have some.
    fn distance(&self, own: &str, other: &Model, its: &str) -> f64 {
        let Some((own, its)) = self.kernels.get(own).zip(other.kernels.get(its)) else {
            return 0.0;
        };
        let apart = |a: f64, b: f64| ((a + 1.0) / (b + 1.0)).ln().abs();
        let (mut sum, mut count) = (0.0, 1e-9);
        for (shape, sizes) in own {
            for (n, a) in sizes {
                if let Some(b) = its.get(shape).and_then(|sizes| sizes.get(n)) {
                    sum += apart(a.computations, b.computations) + 10.0 * apart(a.blocks, b.blocks);
                    sum += apart(a.uncoalesced + a.coalesced, b.uncoalesced + b.coalesced);
                    count += 1.0;
                }
            }
        }
        sum / count
    }
}

/// All orders of a few.
fn orders(len: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..len {
        let mut longer = Vec::new();
        for order in all {
            let others = (0..len).filter(|k| !order.contains(k));
            longer.extend(others.map(|k| [&order[..], &[k]].concat()));
        }
        all = longer;
    }
    all
}
