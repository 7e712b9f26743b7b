//! Number theoretic transforms.

use super::case::{Case, Findings, Problem, impossible, wrong};
use super::peers::{Request, Task};
use super::rig::Rig;
use crate::subject::Sample;
use sunzi::{
    field::Fp64,
    gpu::{NttContext, ResidueWord, Stream},
    transform::{DftContext, Direction, Ordering},
};
use sunzi_files::failure::Failure;

/// log2 of the points of transforms one by one.
const SINGLE: [u32; 7] = [10, 14, 18, 20, 22, 24, 26];
/// log2 of the points of transforms in batches, and of the points of a batch at most.
const BATCHED: [u32; 4] = [8, 10, 12, 16];
const BATCH_POINTS: u32 = 24;
/// log2 of the points from which a GPU has enough to do to be measured by its bandwidth.
const FULL: u32 = 20;

/// 15·2^27 + 1, the greatest prime below 2^31 with transforms of 2^27 points.
pub const PRIME_31: u64 = (15 << 27) + 1;
/// The greatest prime below 2^50 with transforms of 2^30 points.
const PRIME_50: u64 = (1 << 50) - (51 << 30) + 1;
/// The greatest prime below 2^61 with transforms of 2^32 points; those above 2^61 take more operations.
pub const PRIME_61: u64 = (1 << 61) - (7 << 32) + 1;

/// Times transforms of all words.
pub fn measure(rig: &Rig, found: &mut Findings) -> Result<(), Failure> {
    of_word::<u32>(rig, found, "31-bit prime", PRIME_31, 1.6)?;
    of_word::<u64>(rig, found, "61-bit prime", PRIME_61, 2.0)?;
    if rig.device.info().doubles {
        of_word::<f64>(rig, found, "50-bit prime in doubles", PRIME_50, 2.0)?;
    }
    Ok(())
}

fn of_word<E: ResidueWord>(
    rig: &Rig,
    found: &mut Findings,
    name: &str,
    prime: u64,
    goal: f64,
) -> Result<(), Failure> {
    let most = (rig.bytes / size_of::<E>()).max(1).ilog2();
    let single = SINGLE.into_iter().filter(|&log| log <= most.max(SINGLE[0]));
    let all = most.min(BATCH_POINTS);
    let batched = BATCHED.into_iter().filter(|&log| log < all);
    let sizes = single
        .map(|log| (log, 1))
        .chain(batched.map(|log| (log, 1 << (all - log))));
    for (log, batch) in sizes {
        let what = format!("{batch} transforms of 2^{log} points, {name}");
        let cases = transforms::<E>(rig, name, prime, goal, log, batch, &what);
        found.take(&what, cases)?;
    }
    Ok(())
}

/// Checks and times both directions.
fn transforms<E: ResidueWord>(
    rig: &Rig,
    name: &str,
    prime: u64,
    goal: f64,
    log: u32,
    batch: usize,
    what: &str,
) -> Result<Vec<Case>, Problem> {
    let context = NttContext::new(&rig.device, E::WORD, prime, log)?;
    let mut sample = Sample::new(u64::from(log));
    let mut residues: Vec<u64> = (0..batch << log).map(|_| sample.below(prime)).collect();
    let mut words: Vec<E> = residues
        .iter()
        .map(|&residue| E::from_residue(residue))
        .collect();
    let original = words.clone();
    let mut data = rig.device.filled(&rig.stream, &words)?;

    let differs = |words: &[E], expected: &mut dyn Iterator<Item = u64>| {
        let mut both = words.iter().zip(expected);
        both.position(|(word, expected)| word.residue() != expected)
            .map(|index| wrong(what, index >> log))
    };
    context.forward(&rig.stream, &mut data, 0, batch)?;
    rig.stream.read(&data, &mut words)?;
    on_processor(prime, log, &mut residues).map_err(impossible)?;
    if let Some(problem) = differs(&words, &mut residues.iter().copied()) {
        return Err(problem);
    }
    drop(residues);
    context.inverse(&rig.stream, &mut data, 0, batch)?;
    rig.stream.read(&data, &mut words)?;
    if let Some(problem) = differs(&words, &mut original.iter().map(|word| word.residue())) {
        return Err(problem);
    }
    drop((words, original));

    let bytes = 2 * size_of::<E>() * (batch << log);
    let floor = rig.floor((context.plan().passes().len() * bytes) as f64, 0.0);
    let way = if batch == 1 {
        "one by one"
    } else {
        "in batches"
    };
    let mut cases = Vec::new();
    for (direction, task) in [("forward", Task::Forward), ("inverse", Task::Inverse)] {
        let data = &mut data;
        let submit = |stream: &Stream| match task {
            Task::Inverse => context.inverse(stream, data, 0, batch),
            _ => context.forward(stream, data, 0, batch),
        };
        let timing = rig.time(&mut [rig.work(submit)])?;
        cases.extend(timing.into_iter().map(|timing| Case {
            section: "ntt",
            group: format!("{name}, {way}, {direction}"),
            size: 1 << log,
            batch: batch as u64,
            contender: "device".to_owned(),
            threads: 1,
            timing,
            floor: Some(floor),
            goal: ((batch << log) >> FULL > 0).then_some(goal),
            operations: f64::from(log) * ((batch << log) / 2) as f64,
            passes: Some(context.plan().passes().len()),
            // Nobody else transforms modulo primes in doubles.
            request: (prime != PRIME_50).then_some(Request {
                task,
                word: 8 * size_of::<E>() as u32,
                size: u64::from(log),
                batch: batch as u64,
            }),
        }));
    }
    Ok(cases)
}

/// The same transforms by the processor.
fn on_processor(prime: u64, log: u32, residues: &mut [u64]) -> Result<(), String> {
    let field = Fp64::new(prime).map_err(|error| error.to_string())?;
    let context = DftContext::new(&field, 1 << log).map_err(|error| error.to_string())?;
    context
        .transform_batch(residues, Direction::Forward, Ordering::BitReversed)
        .map_err(|error| error.to_string())
}
