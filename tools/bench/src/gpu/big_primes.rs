//! Transforms modulo r^k + 1, against as many word primes as its elements have words.

use super::case::{Case, Findings, Problem, impossible, wrong};
use super::rig::Rig;
use super::transforms::PRIME_61;
use crate::subject::Sample;
use std::collections::BTreeSet;
use sunzi::{
    field::{AnyField, Digits, GeneralizedFermat, NamedPrime, named_prime},
    gpu::{BigPrimeContext, GpuError, NttContext, Stream, Word},
    poly::CoefficientField,
    transform::{DftContext, Ordering},
};
use sunzi_field::with_digits;
use sunzi_files::failure::Failure;

/// Primes, and log2 of the points of transforms: (2k)², and (2k)³ or as near to it as is below 2^19.
const SIZES: [(&str, &[u32]); 5] = [
    ("P4", &[6]),
    ("P8", &[8, 12]),
    ("P16", &[10, 15]),
    ("P32", &[12, 18]),
    ("P64", &[14, 18]),
];

/// How much longer than its floor a batch may take.
const GOAL: f64 = 2.0;

/// 32-bit multiply-adds of a product of two digits.
const DIGIT_PRODUCT: usize = 4;

/// Times transforms alone, and in batches of what a case may have.
pub fn measure(rig: &Rig, found: &mut Findings) -> Result<(), Failure> {
    for (name, logs) in SIZES {
        let prime = named_prime(name).ok_or_else(|| impossible_prime(name))?;
        for &log in logs {
            let all = rig.bytes / ((8 * prime.digits) << log);
            // The smallest is measured in any case.
            if all == 0 && (name, log) != (SIZES[0].0, SIZES[0].1[0]) {
                continue;
            }
            for batch in BTreeSet::from([1, all.max(1)]) {
                let what = format!("{batch} transforms of 2^{log} points modulo {name}");
                found.take(&what, cases(rig, &prime, log, batch, &what))?;
            }
        }
    }
    Ok(())
}

/// The cases of one prime and size: it, and primes of 61 bits.
pub fn cases(
    rig: &Rig,
    prime: &NamedPrime,
    log: u32,
    batch: usize,
    what: &str,
) -> Result<Vec<Case>, Problem> {
    with_digits!(prime.digits, K => {
        transforms::<K>(rig, prime, log, batch, what)
    }, _ => Err(impossible_prime(prime.name).into()))
}

fn impossible_prime(name: &str) -> Failure {
    Failure::Computation(format!("there is no prime {name}"))
}

/// Checks and times transforms modulo the prime, and what is to be compared with.
fn transforms<const K: usize>(
    rig: &Rig,
    prime: &NamedPrime,
    log: u32,
    batch: usize,
    what: &str,
) -> Result<Vec<Case>, Problem>
where
    GeneralizedFermat<K>: CoefficientField<Elem = Digits<K>>,
{
    let field = GeneralizedFermat::<K>::new(prime.radix).map_err(impossible)?;
    let any = AnyField::generalized_fermat(prime.radix, K).map_err(impossible)?;
    let context = BigPrimeContext::new(&rig.device, &any, log, batch)?;
    let mut sample = Sample::new(u64::from(log));
    let elements =
        (0..batch << log).map(|_| Digits([0; K].map(|_: u64| sample.below(prime.radix))));
    let mut elements: Vec<Digits<K>> = elements.collect();
    let mut data = rig
        .device
        .filled(&rig.stream, Digits::words_of(&elements))?;
    context.forward(&rig.stream, (&mut data, 0), batch)?;
    let mut words = vec![0; K * elements.len()];
    rig.stream.read(&data, &mut words)?;
    let on_processor = DftContext::over_big_prime(&field, 1 << log).map_err(impossible)?;
    for (number, vector) in elements.chunks_mut(1 << log).enumerate() {
        on_processor
            .forward(vector, Ordering::Natural)
            .map_err(impossible)?;
        if Digits::words_of(vector) != &words[number * (K << log)..][..K << log] {
            return Err(wrong(what, number));
        }
    }
    drop((elements, words));

    let passes = context.plan().passes().len();
    let points = batch << log;
    let bytes = passes * 2 * 8 * K * points;
    // The last pass multiplies nothing.
    let products = (passes - 1) * DIGIT_PRODUCT * K * K * points;
    let floor = rig.floor(bytes as f64, products as f64);
    let data = &mut data;
    let timing = rig
        .time(&mut [rig.work(|stream: &Stream| context.forward(stream, (&mut *data, 0), batch))])?;
    let name = format!("mod {}", prime.name);
    let case = |contender: &str, timing, (floor, goal), passes| Case {
        section: "big-primes",
        group: name.clone(),
        size: 1 << log,
        batch: batch as u64,
        contender: contender.to_owned(),
        threads: 1,
        timing,
        floor: Some(floor),
        goal,
        operations: f64::from(log) * (points / 2) as f64,
        passes: Some(passes),
        request: None,
    };
    let mut timings = timing.into_iter();
    let mut cases: Vec<_> = timings
        .next()
        .map(|timing| case("one big prime", timing, (floor, Some(GOAL)), passes))
        .into_iter()
        .collect();
    // The same bytes by primes of words, as if they were K different ones.
    let context = NttContext::new(&rig.device, Word::U64, PRIME_61, log)?;
    let residues: Vec<u64> = (0..K * points).map(|_| sample.below(PRIME_61)).collect();
    let mut data = rig.device.filled(&rig.stream, &residues)?;
    drop(residues);
    let mut submit = |stream: &Stream| -> Result<(), GpuError> {
        context.forward(stream, &mut data, 0, K * batch)
    };
    let timing = rig.time(&mut [rig.work(&mut submit)])?;
    let contender = format!("{K} primes of 61 bits");
    let passes = context.plan().passes().len();
    let floor = rig.floor((passes * 2 * 8 * K * points) as f64, 0.0);
    cases.extend(
        timing
            .into_iter()
            .map(|timing| case(&contender, timing, (floor, None), passes)),
    );
    Ok(cases)
}
