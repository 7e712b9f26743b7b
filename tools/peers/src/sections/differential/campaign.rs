//! Runs cases for a given time, and goes on where the last run stopped.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use sunzi_testkit::Kind;

use super::counts::{Count, Counts};
use super::operation::Operation;
use super::options::Options;
use super::trial::Trial;
use crate::{STACK_BYTES, machine};

/// Cases of one operation, kind and number of threads run for about so long before others have their turn.
const SLICE: Duration = Duration::from_millis(8);
/// Operations with fewer compared values than this have longer turns.
const ENOUGH: u64 = 1_000_000;
const LONGER: u32 = 10;
/// Counts are saved about so often.
const SAVE_EVERY: Duration = Duration::from_secs(15);
/// So many mismatches of one operation, kind and number of threads are told; all are counted.
const TOLD: u64 = 5;

/// Which cases: an operation, a kind, a number of threads.
type Cell<'a> = (&'a Operation, Kind, usize);

/// The seed of a case.
fn case_seed(seed: u64, operation: &str, kind: Kind, threads: usize, case: u64) -> u64 {
    let words = [seed, kind as u64, threads as u64, case];
    let bytes = words.into_iter().flat_map(u64::to_le_bytes);
    // FNV-1a.
    let hash = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    operation
        .bytes()
        .chain(bytes)
        .fold(0xcbf2_9ce4_8422_2325, hash)
}

/// Runs one case in the current pool: values compared, and what was wrong.
fn run_case((operation, kind, threads): Cell, seed: u64, case: u64) -> (u64, Option<String>) {
    let mut trial = Trial::new(kind, case_seed(seed, &operation.name, kind, threads, case));
    let done = catch_unwind(AssertUnwindSafe(|| (operation.case)(&mut trial)));
    if let Err(payload) = done {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        trial.fail(format!("panicked: {}", text.unwrap_or("no word of why")));
    }
    trial.into_outcome()
}

fn pool(threads: usize) -> Result<ThreadPool, String> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|error| format!("no pool of {threads} threads: {error}"))
}

/// One case again: what was compared, on standard output, and what was wrong as the error.
pub fn replay(operations: &[Operation], options: &Options, place: &str) -> Result<(), String> {
    let unknown =
        || format!("{place}: no OPERATION:KIND:THREADS:CASE; --list names the operations");
    let mut parts = place.split(':');
    let mut part = || parts.next().ok_or_else(unknown);
    let (name, kind, threads, case) = (part()?, part()?, part()?, part()?);
    let operation = operations.iter().find(|operation| operation.name == name);
    let operation = operation.ok_or_else(unknown)?;
    let kind = Kind::named(kind).ok_or_else(unknown)?;
    let threads = threads.parse().map_err(|_| unknown())?;
    let case = case.parse().map_err(|_| unknown())?;
    let cell = (operation, kind, threads);
    let (compared, wrong) = pool(threads)?.install(|| run_case(cell, options.seed, case));
    println!("{place}, seed {}: {compared} values compared", options.seed);
    wrong.map_or(Ok(()), Err)
}

/// Runs the cases asked for, and tells how many cases were wrong.
pub fn run(operations: &[Operation], options: &Options) -> Result<u64, String> {
    let mut campaign = Campaign::new(operations, options)?;
    let deadline = Instant::now() + Duration::from_secs_f64(options.seconds);
    let names = campaign.cells.iter().map(|(operation, ..)| &operation.name);
    println!(
        "seed {}, {} operations, counts in {}",
        options.seed,
        names.collect::<BTreeSet<_>>().len(),
        campaign.path.display()
    );
    while Instant::now() < deadline {
        campaign.round(deadline)?;
    }
    campaign.counts.save(&campaign.path)?;
    campaign.summarize(operations);
    Ok(campaign.wrong)
}

struct Campaign<'a> {
    cells: Vec<Cell<'a>>,
    pools: BTreeMap<usize, ThreadPool>,
    counts: Counts,
    path: PathBuf,
    saved: Instant,
    seed: u64,
    machine: String,
    day: String,
    /// Wrong cases of this run.
    wrong: u64,
}

impl<'a> Campaign<'a> {
    fn new(operations: &'a [Operation], options: &Options) -> Result<Self, String> {
        let wanted = |operation: &&Operation| {
            options.only.is_empty()
                || options
                    .only
                    .iter()
                    .any(|text| operation.name.contains(text))
        };
        let mut cells = Vec::new();
        for operation in operations.iter().filter(wanted) {
            let threads = match operation.shared {
                true => &options.threads[..],
                false => &[1],
            };
            for kind in options.kinds() {
                cells.extend(threads.iter().map(|&threads| (operation, kind, threads)));
            }
        }
        if cells.is_empty() {
            return Err("no operation matches; --list names them".into());
        }
        let path = options.state();
        let counts = Counts::read(&path)?;
        let origin = (machine::name(), machine::VERSION);
        let other =
            |count: &&Count| (&count.machine[..], &count.version[..]) != (&origin.0, origin.1);
        if let Some(other) = counts.all.values().find(other) {
            return Err(format!(
                "{}: begun on another machine or by another build ({}, {}; this is {}, {}): give another --state",
                path.display(),
                other.machine,
                other.version,
                origin.0,
                origin.1
            ));
        }
        let numbers: BTreeSet<usize> = cells.iter().map(|&(_, _, threads)| threads).collect();
        let pools = numbers
            .into_iter()
            .map(|threads| Ok((threads, pool(threads)?)));
        Ok(Self {
            pools: pools.collect::<Result<_, String>>()?,
            cells,
            counts,
            path,
            saved: Instant::now(),
            seed: options.seed,
            machine: origin.0,
            day: machine::day(),
            wrong: 0,
        })
    }

    /// A turn for each cell, those first that had least time.
    fn round(&mut self, deadline: Instant) -> Result<(), String> {
        let mut turns = Vec::with_capacity(self.cells.len());
        for cell in self.cells.clone() {
            let count = self.count(cell);
            turns.push((count.seconds, cell));
        }
        turns.sort_by(|(x, _), (y, _)| x.total_cmp(y));
        for (_, cell) in turns {
            if Instant::now() >= deadline {
                break;
            }
            self.turn(cell)?;
            if self.saved.elapsed() > SAVE_EVERY {
                self.counts.save(&self.path)?;
                self.saved = Instant::now();
            }
        }
        Ok(())
    }

    fn turn(&mut self, cell: Cell<'a>) -> Result<(), String> {
        let (operation, kind, threads) = cell;
        let same = |count: &&Count| count.operation == operation.name;
        let compared: u64 = self
            .counts
            .all
            .values()
            .filter(same)
            .map(|x| x.compared)
            .sum();
        let slice = if compared < ENOUGH {
            SLICE * LONGER
        } else {
            SLICE
        };
        let (seed, first) = (self.seed, self.count(cell).cases);
        let begin = Instant::now();
        let (mut cases, mut empty, mut compared, mut found) = (0, 0, 0, Vec::new());
        self.pools[&threads].install(|| {
            while cases == 0 || begin.elapsed() < slice {
                let (values, wrong) = run_case(cell, seed, first + cases);
                empty += u64::from(values == 0);
                found.extend(wrong.map(|what| (first + cases, what)));
                cases += 1;
                compared += values;
            }
        });
        let day = self.day.clone();
        let count = self.count(cell);
        let told = TOLD.saturating_sub(count.wrong) as usize;
        count.cases += cases;
        count.empty += empty;
        count.compared += compared;
        count.wrong += found.len() as u64;
        count.seconds += begin.elapsed().as_secs_f64();
        count.ended = day;
        self.wrong += found.len() as u64;
        for (case, what) in found.into_iter().take(told) {
            let line = format!(
                "wrong: {}:{kind}:{threads}:{case} --seed {seed}: {what}\n",
                operation.name
            );
            eprint!("{line}");
            append(&self.path.with_extension("wrong"), &line)?;
        }
        Ok(())
    }

    fn count(&mut self, (operation, kind, threads): Cell) -> &mut Count {
        let key = (operation.name.clone(), kind.name(), threads, self.seed);
        self.counts.all.entry(key).or_insert_with(|| Count {
            against: operation.against.into(),
            machine: self.machine.clone(),
            version: machine::VERSION.into(),
            begun: self.day.clone(),
            ended: self.day.clone(),
            ..Count::begin(&operation.name, kind, threads, self.seed)
        })
    }

    /// One tab-separated line for each operation: cases, compared values, wrong cases, of all runs; and which of this
    /// run's operations never compared anything.
    fn summarize(&self, operations: &[Operation]) {
        let mut sums = (0, 0, 0);
        for operation in operations {
            let mut sum = (0, 0, 0);
            for count in self.counts.all.values() {
                if count.operation == operation.name {
                    sum.0 += count.run();
                    sum.1 += count.compared;
                    sum.2 += count.wrong;
                }
            }
            if sum.0 > 0 {
                println!("{}\t{}\t{}\t{}", operation.name, sum.0, sum.1, sum.2);
            } else if self
                .cells
                .iter()
                .any(|(own, ..)| own.name == operation.name)
            {
                println!("# {} compared nothing yet", operation.name);
            }
            sums = (sums.0 + sum.0, sums.1 + sum.1, sums.2 + sum.2);
        }
        println!("all\t{}\t{}\t{}", sums.0, sums.1, sums.2);
    }
}

fn append(path: &Path, line: &str) -> Result<(), String> {
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path);
    file.and_then(|mut file| file.write_all(line.as_bytes()))
        .map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An operation of which about every fourth case is wrong on more than one thread.
    fn counting() -> Vec<Operation> {
        vec![
            Operation::new("counting", "nobody", |trial| {
                let wrong = rayon::current_num_threads() > 1 && trial.random.word() % 4 == 0;
                trial.compare_one("number", u64::from(wrong), 0);
            }),
            Operation::alone("half-empty", "nobody", |trial| {
                if trial.random.below(2) == 0 {
                    trial.compare_one("number", 0, 0);
                }
            }),
        ]
    }

    #[test]
    fn wrong_cases_are_counted_kept_and_found_again_and_runs_go_on() {
        let folder = std::env::temp_dir().join(format!("peers-campaign-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let options = Options {
            seconds: 0.2,
            threads: vec![1, 2],
            only: Vec::new(),
            kind: vec![Kind::Runs],
            seed: 5,
            state: Some(folder.join("counts.csv")),
            page: None,
            add: Vec::new(),
            replay: None,
            list: false,
        };
        let operations = counting();
        let wrong = run(&operations, &options).unwrap();
        assert!(wrong > 0);
        let first = Counts::read(&options.state()).unwrap();
        let of = |counts: &Counts, operation: &str, threads: usize| {
            let key = (operation.to_owned(), "runs", threads, 5);
            counts.all.get(&key).cloned()
        };
        let on = |counts: &Counts, threads: usize| of(counts, "counting", threads).unwrap();
        assert!(of(&first, "half-empty", 2).is_none());
        let half = of(&first, "half-empty", 1).unwrap();
        assert!(half.empty > 0 && half.run() == half.compared);
        assert_eq!((on(&first, 1).wrong, on(&first, 2).wrong), (0, wrong));
        assert_eq!(on(&first, 2).compared, on(&first, 2).cases);

        let kept = std::fs::read_to_string(folder.join("counts.wrong")).unwrap();
        let line = kept.lines().next().unwrap();
        let place = line
            .strip_prefix("wrong: ")
            .unwrap()
            .split(' ')
            .next()
            .unwrap();
        assert!(
            replay(&operations, &options, place)
                .unwrap_err()
                .contains("number")
        );
        assert!(replay(&operations, &options, "counting:runs:1:0").is_ok());
        assert!(replay(&operations, &options, "other:runs:1:0").is_err());

        run(&operations, &options).unwrap();
        let mut second = Counts::read(&options.state()).unwrap();
        assert!(on(&second, 1).cases > on(&first, 1).cases);
        assert!(on(&second, 2).wrong > on(&first, 2).wrong);

        // Counts of another build are not gone on with.
        for count in second.all.values_mut() {
            count.version = "another".into();
        }
        second.save(&options.state()).unwrap();
        let refused = run(&operations, &options).unwrap_err();
        assert!(refused.contains("another build"), "{refused}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
