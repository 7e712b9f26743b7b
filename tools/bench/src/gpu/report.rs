//! All that was measured: as text, as JSON, as comma-separated values.

use super::case::{Case, Findings};
use super::options::Group;
use super::peers::{PeerCase, Verdict, table};
use super::polynomials::{OVER_INTEGERS, group_over_integers};
use super::published;
use super::rig::Rig;
use serde::Serialize;
use std::fmt;
use sunzi_cli::door::Table;
use sunzi_files::failure::Failure;
use sunzi_gpu::peak::PeakRates;
use sunzi_measure::text::{duration, three_digits};

/// Seconds of the host that a launch should take at most.
const LAUNCH_GOAL: f64 = 10e-6;
/// The names of columns of the file of all times.
const COLUMNS: [&str; 13] = [
    "section",
    "group",
    "case",
    "size",
    "threads",
    "contender",
    "median_s",
    "quartile1_s",
    "quartile3_s",
    "counts",
    "batch",
    "floor_s",
    "passes",
];

/// The measurements. Times are seconds: median and quartiles of several passes.
#[derive(Debug, Serialize)]
pub struct Measured {
    pub version: &'static str,
    pub device: DeviceFacts,
    pub ceilings: Rates,
    pub seconds_per_case: f64,
    pub groups: Vec<&'static str>,
    pub cases: Vec<Case>,
    /// Times of programs by others; ratios are Sunzi's time over theirs.
    pub peers: Vec<PeerCase>,
    pub left_out: Vec<String>,
    /// Files with plots and times.
    pub files: Vec<String>,
    #[serde(skip)]
    measured: PeakRates,
}

/// The device.
#[derive(Debug, Serialize)]
pub struct DeviceFacts {
    pub interface: &'static str,
    pub name: String,
    pub driver: String,
    pub architecture: String,
    pub memory_bytes: u64,
    pub units: usize,
    pub clock_mhz: u32,
}

/// What it does at most, a second; and the seconds of a launch.
#[derive(Debug, Serialize)]
pub struct Rates {
    pub kernel_copy_bytes: f64,
    pub driver_copy_bytes: f64,
    pub upload_bytes: f64,
    pub download_bytes: f64,
    pub wide_products: f64,
    pub chained_products: f64,
    pub prime_products: f64,
    pub double_products: Option<f64>,
    pub launch_seconds: f64,
    pub round_trip_seconds: f64,
}

impl Measured {
    pub fn new(rig: &Rig, groups: &[Group], found: Findings) -> Self {
        let (info, rates) = (rig.device.info(), rig.peak);
        let mut left_out = found.left_out;
        left_out.extend(rig.device.take_warnings());
        Self {
            version: env!("CARGO_PKG_VERSION"),
            device: DeviceFacts {
                interface: info.backend.name(),
                name: info.name.clone(),
                driver: info.driver.clone(),
                architecture: info.architecture.clone(),
                memory_bytes: info.memory,
                units: info.units,
                clock_mhz: info.clock_mhz,
            },
            ceilings: Rates {
                kernel_copy_bytes: rates.kernel_copy,
                driver_copy_bytes: rates.driver_copy,
                upload_bytes: rates.upload,
                download_bytes: rates.download,
                wide_products: rates.wide_products,
                chained_products: rates.chained_products,
                prime_products: rates.prime_products,
                double_products: rates.double_products,
                launch_seconds: rates.launch,
                round_trip_seconds: rates.round_trip,
            },
            seconds_per_case: rig.budget,
            groups: groups.iter().map(|group| group.name()).collect(),
            cases: found.cases,
            peers: found.peers,
            left_out,
            files: Vec::new(),
            measured: rates,
        }
    }

    /// The cases of a section.
    pub fn section<'a>(&'a self, section: &'a str) -> impl Iterator<Item = &'a Case> {
        self.cases
            .iter()
            .filter(move |case| case.section == section)
    }

    /// The times as the comparison with GMP and FLINT saves them, with batches and floors beside them.
    pub fn csv(&self) -> Result<String, Failure> {
        let problem = |error: csv::Error| Failure::Computation(error.to_string());
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(COLUMNS).map_err(problem)?;
        let optional = |value: Option<String>| value.unwrap_or_default();
        for case in &self.cases {
            let row = [
                format!("gpu-{}", case.section),
                case.group.clone(),
                format!("{} of {}", case.batch, case.size),
                case.size.to_string(),
                case.threads.to_string(),
                case.contender.clone(),
                case.timing.median.to_string(),
                case.timing.quartile1.to_string(),
                case.timing.quartile3.to_string(),
                "true".to_owned(),
                case.batch.to_string(),
                optional(case.floor.map(|floor| floor.to_string())),
                optional(case.passes.map(|passes| passes.to_string())),
            ];
            writer.write_record(row).map_err(problem)?;
        }
        for case in &self.peers {
            let row = [
                format!("gpu-{}", case.section),
                case.group.clone(),
                format!("{} of {}", case.batch, case.size),
                case.size.to_string(),
                "1".to_owned(),
                case.peer.clone(),
                case.timing.median.to_string(),
                case.timing.quartile1.to_string(),
                case.timing.quartile3.to_string(),
                (case.verdict == Verdict::Checked).to_string(),
                case.batch.to_string(),
                String::new(),
                String::new(),
            ];
            writer.write_record(row).map_err(problem)?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| Failure::Computation(error.to_string()))?;
        let mut text = String::new();
        let DeviceFacts { name, driver, .. } = &self.device;
        for line in format!("device: {name}, driver {driver}\n{}", self.measured).lines() {
            text.push_str(&format!("# {line}\n"));
        }
        let peers: Vec<&PeerCase> = self.peers.iter().collect();
        for line in table::remarks(&peers) {
            text.push_str(&format!("# {line}\n"));
        }
        text.push_str(&String::from_utf8_lossy(&bytes));
        Ok(text)
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = &self.device;
        writeln!(
            f,
            "{} by {}, driver {}; what it does at most:\n",
            device.name, device.interface, device.driver
        )?;
        for line in self.measured.to_string().lines() {
            writeln!(f, "  {line}")?;
        }
        writeln!(f)?;
        let measured = |group: Group| self.groups.contains(&group.name());
        if measured(Group::Launch) {
            writeln!(
                f,
                "A launch takes {} of the host's time (goal: {} at most), and {} with its end\n",
                duration(self.measured.launch),
                duration(LAUNCH_GOAL),
                duration(self.measured.round_trip)
            )?;
        }
        if measured(Group::Ntt) {
            writeln!(
                f,
                "Number theoretic transforms, without copies to the device\n"
            )?;
            writeln!(f, "{}", self.transforms())?;
            self.write_peers(f, Group::Ntt)?;
        }
        if measured(Group::BigPrimes) {
            writeln!(
                f,
                "Transforms modulo one big prime, and modulo as many word primes as it has words, without copies\n"
            )?;
            writeln!(
                f,
                "{}",
                self.contest("big-primes", ["modulo", "points", "a transform"])
            )?;
        }
        if measured(Group::Integers) {
            writeln!(
                f,
                "Batches of products of integers, lengths in words of 32 bits\n"
            )?;
            writeln!(f, "{}", self.integers())?;
            self.write_peers(f, Group::Integers)?;
            if self.by_transforms("integers").next().is_some() {
                writeln!(f, "Products of long integers by transforms\n")?;
                writeln!(f, "{}", self.products("integers", "bits"))?;
            }
        }
        if measured(Group::Polynomials) {
            writeln!(f, "Products of polynomials by transforms\n")?;
            writeln!(f, "{}", self.products("polynomials", "terms"))?;
            writeln!(f, "  published: {}\n", published::ORIGIN)?;
        }
        if measured(Group::Algebra) {
            writeln!(f, "Algebra modulo a prime of 31 bits\n")?;
            writeln!(f, "{}", self.contest("algebra", ["what", "size", "each"]))?;
        }
        for line in &self.left_out {
            writeln!(f, "{line}")?;
        }
        for file in &self.files {
            writeln!(f, "{file}: written")?;
        }
        writeln!(
            f,
            "Measured for about {} a case.",
            duration(self.seconds_per_case)
        )
    }
}

/// A number where there is one.
fn shown(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), show)
}

/// A ratio, and the goal for it.
fn against_floor(case: &Case) -> [String; 3] {
    [
        shown(case.floor, duration),
        shown(case.ratio(), three_digits),
        shown(case.goal, |goal| format!("<= {goal:.1}")),
    ]
}

impl Measured {
    /// Others' times for a group, if there are any.
    fn write_peers(&self, f: &mut fmt::Formatter<'_>, group: Group) -> fmt::Result {
        match table::text(&self.peers, group.name()) {
            Some(text) => writeln!(f, "{text}"),
            None => Ok(()),
        }
    }

    fn transforms(&self) -> Table {
        let mut table = Table::new([
            "modulo",
            "points",
            "batch",
            "time",
            "a butterfly",
            "passes",
            "floor",
            "ratio",
            "goal",
        ]);
        for case in self.section("ntt") {
            let mut row = vec![
                case.group.clone(),
                case.size.to_string(),
                case.batch.to_string(),
                duration(case.timing.median),
                duration(case.timing.median / case.operations),
                case.passes
                    .map_or_else(String::new, |passes| passes.to_string()),
            ];
            row.extend(against_floor(case));
            table.push(row);
        }
        table
    }

    /// What several ways take for the same, each case by each of them.
    fn contest(&self, section: &'static str, [what, size, each]: [&'static str; 3]) -> Table {
        let mut table = Table::new([
            what, "by", size, "batch", "time", each, "passes", "floor", "ratio", "goal",
        ]);
        for case in self.section(section) {
            let mut row = vec![
                case.group.clone(),
                case.contender.clone(),
                case.size.to_string(),
                case.batch.to_string(),
                duration(case.timing.median),
                duration(case.each()),
                case.passes
                    .map_or_else(|| "-".to_owned(), |passes| passes.to_string()),
            ];
            row.extend(against_floor(case));
            table.push(row);
        }
        table
    }

    fn integers(&self) -> Table {
        let mut table = Table::new([
            "by",
            "words",
            "batch",
            "time",
            "a product",
            "products/s",
            "multiply-adds/s",
            "of ceiling",
            "floor",
            "ratio",
            "goal",
        ]);
        for case in self.batches() {
            let rate = case.operations / case.timing.median;
            let on_device = case.floor.is_some();
            let share = on_device.then_some(rate / self.measured.word_products());
            let mut row = vec![
                case.contender.clone(),
                case.size.to_string(),
                case.batch.to_string(),
                duration(case.timing.median),
                duration(case.each()),
                format!("{:.3e}", 1.0 / case.each()),
                format!("{rate:.3e}"),
                shown(share, |share| format!("{:.1} %", 100.0 * share)),
            ];
            row.extend(against_floor(case));
            table.push(row);
        }
        table
    }

    /// Batches of products of integers.
    pub fn batches(&self) -> impl Iterator<Item = &Case> {
        self.section("integers")
            .filter(|case| case.group.starts_with("batches"))
    }

    /// Products by transforms of a section.
    fn by_transforms<'a>(&'a self, section: &'a str) -> impl Iterator<Item = &'a Case> {
        let cases = self.section(section);
        cases.filter(|case| !case.group.starts_with("batches"))
    }

    fn products(&self, section: &str, size: &str) -> Table {
        let mut table = Table::new([
            "what",
            size,
            "batch",
            "by",
            "time",
            "one",
            "floor",
            "ratio",
            "published",
        ]);
        for case in self.by_transforms(section) {
            let [floor, ratio, _] = against_floor(case);
            let of_group = |&&(_, bits): &&(usize, u32)| group_over_integers(bits) == case.group;
            let bits = OVER_INTEGERS.iter().find(of_group).map(|&(_, bits)| bits);
            let published = bits.and_then(|bits| published::seconds(case.size, bits, case.batch));
            table.push([
                case.group.clone(),
                case.size.to_string(),
                case.batch.to_string(),
                case.contender.clone(),
                duration(case.timing.median),
                duration(case.each()),
                floor,
                ratio,
                shown(published, duration),
            ]);
        }
        table
    }
}
