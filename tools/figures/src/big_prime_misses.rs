//! Misses of transforms modulo r^k + 1 in ideal caches, by the order of their passes, beside what no order avoids.
//!
//! Every order is a trace of whole elements of k words: reads and writes of the vectors, without tables of powers, which no order
//! reads more often than once for each product. `--times` compares transforms stage by stage with those whose stages go in pairs,
//! on one thread.

use sunzi_dft::internals::{LANES, Stages};
use sunzi_dft::{BigPrimeOptions, DftContext};
use sunzi_field::generalized_fermat::{NAMED, named_prime};
use sunzi_field::{Digits, GeneralizedFermat, with_digits};
use sunzi_machine::Grain;
use sunzi_measure::{Clock, Work, in_turn};
use sunzi_sparse::cache::{Array, CacheShape, Replacement, Trace, simulate};

use crate::common::{Failure, Random, Usage, head, names_or, on_one_thread};

/// Words of a line: 64 bytes.
const LINE: usize = 8;
/// Caches: 32 KiB, 1 MiB, and 4 MiB of a third level that others share.
const CACHES: [(&str, usize); 3] = [("32 KiB", 1 << 12), ("1 MiB", 1 << 17), ("4 MiB", 1 << 19)];

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let (flags, names): (Vec<_>, Vec<_>) = arguments
        .iter()
        .cloned()
        .partition(|text| text == "--times");
    match flags.is_empty() {
        true => misses(&names),
        false => times(&names),
    }
}

fn misses(names: &[String]) -> Result<(), Failure> {
    let columns = [
        "prime",
        "N",
        "cache",
        "no order below",
        "passes, in place",
        "blocked, in place",
        "of its bound",
        "blocked, two vectors",
        "of its bound",
        "stage by stage",
        "of its bound",
    ];
    head(&columns, "--:");
    for name in names_or(names, &["P4", "P8", "P16", "P32"]) {
        let prime = named_prime(&name).ok_or_else(|| unknown(&name))?;
        let digits = prime.digits;
        // Vectors of 1 to 16 MiB.
        for log in [17u32, 19, 21].map(|words| words - digits.trailing_zeros()) {
            for (cache, words) in CACHES {
                row(&name, digits, log, cache, words)?;
            }
        }
    }
    Ok(())
}

/// Times of vectors of 16 to 64 MiB, from which stages go in pairs.
fn times(names: &[String]) -> Result<(), Failure> {
    let columns = [
        "prime",
        "N",
        "a stage at a time, ns an element",
        "in pairs",
        "ratio",
    ];
    head(&columns, "--:");
    on_one_thread(|| {
        for name in names_or(names, &["P8", "P16", "P32"]) {
            let prime = named_prime(&name).ok_or_else(|| unknown(&name))?;
            for log in [21u32, 22, 23].map(|words| words - prime.digits.trailing_zeros()) {
                let [apart, paired] = with_digits!(
                    prime.digits,
                    K >= 4 => seconds_of::<K>(prime.radix, log)?,
                    _ => return Err("a prime of two digits has no such transforms".into())
                )
                .map(|seconds| seconds * 1e9 / (1u64 << log) as f64);
                println!(
                    "| {name} | 2^{log} | {apart:.0} | {paired:.0} | {:.2} |",
                    paired / apart
                );
            }
        }
        Ok(())
    })
}

/// Seconds of a transform stage by stage, and as it runs.
fn seconds_of<const K: usize>(radix: u64, log: u32) -> Result<[f64; 2], Failure> {
    let field = GeneralizedFermat::<K>::new(radix)?;
    let mut random = Random::new();
    let element = |_| Digits(std::array::from_fn(|_| random.word() % radix));
    let mut vectors = [
        (0..1usize << log).map(element).collect::<Vec<_>>(),
        Vec::new(),
    ];
    vectors[1] = vectors[0].clone();
    // Coarser than any vector: no stages in pairs.
    let grains = [Grain::coarser(usize::BITS), Grain::default()];
    let mut works = Vec::new();
    for (grain, vector) in grains.into_iter().zip(&mut vectors) {
        let options = BigPrimeOptions {
            grain,
            ..BigPrimeOptions::default()
        };
        let context = DftContext::over_big_prime_with(&field, 1 << log, &options)?;
        works.push(Box::new(move |times: usize| {
            for _ in 0..times {
                let done = context.forward_in_place(vector);
                done.expect("the vector has as many points");
            }
        }) as Work);
    }
    let times = in_turn(&mut works, Clock::for_threads(1), 3.0);
    Ok([times[0].median, times[1].median])
}

fn unknown(name: &str) -> Usage {
    let names = NAMED.map(|prime| prime.name);
    Usage(format!("'{name}' is no prime of {names:?}"))
}

fn row(name: &str, digits: usize, log: u32, cache: &str, words: usize) -> Result<(), Failure> {
    let shape = CacheShape::new(words, LINE)?;
    let elements = words / digits;
    let lines_of = |elements: f64| elements * digits as f64 / LINE as f64;
    let Some(stages) = Stages::new(log, digits) else {
        return Ok(());
    };
    // Tiles fill the cache; short elements go in whole lines.
    let together = (LINE / digits).max(1);
    let log_tile = (elements / together).ilog2();
    let passes = log.div_ceil(log_tile);
    let bound = lines_of(f64::from(passes) * (1u64 << log) as f64);
    let least = lines_of(fewest_reads(log, elements));
    let count = |order: &Order| -> Result<f64, Failure> {
        let of = Passes { order, log, digits };
        Ok(simulate(&of, shape, Replacement::Optimal)?.misses() as f64)
    };
    let in_place = count(&Order::in_place(log, passes, together))?;
    let copied = count(&Order::between_two(log, passes, together))?;
    let stagewise = count(&Order::stage_by_stage(&stages, log))?;
    println!(
        "| {name} | 2^{log} | {cache} | {least:.0} | {bound:.0} | {in_place:.0} | {:.2} | {copied:.0} | {:.2} | {stagewise:.0} | {:.2} |",
        in_place / bound,
        copied / (2.0 * bound),
        stagewise / (2.0 * bound)
    );
    Ok(())
}

/// The fewest elements that any order reads into a cache of `cached` elements: docs/big-prime-fft.md has the proof.
fn fewest_reads(log: u32, cached: usize) -> f64 {
    let (n, levels, cached) = ((1u64 << log) as f64, f64::from(log), cached as f64);
    let by_segments = (1..=64).map(|factor| {
        let reads = cached * f64::from(factor) / 4.0;
        let seen = cached + reads;
        reads * (n * levels / (seen * seen.log2()) - 1.0)
    });
    // Each element is read once at least.
    by_segments.fold(n, f64::max)
}

/// Transforms of 2^log points as passes, each of tiles that are loaded, transformed and stored.
struct Order {
    passes: Vec<Tiles>,
    /// Whether passes go from one vector to another and back.
    two_vectors: bool,
}

/// The tiles of a pass: `points` elements `stride` apart, of which `levels` radices are joined one after the other.
struct Tiles {
    log_points: u32,
    log_stride: u32,
    /// Radices of base cases, whose points are in registers.
    radices: Vec<u32>,
    /// Elements that lie side by side and go together.
    side_by_side: usize,
}

impl Order {
    /// As few passes as tiles that fill the cache allow, of about equal lengths.
    fn in_place(log: u32, passes: u32, together: usize) -> Self {
        let mut left = log;
        let tiles = (0..passes).map(|pass| {
            let log_points = left.div_ceil(passes - pass);
            left -= log_points;
            Tiles {
                log_points,
                log_stride: left,
                radices: radices(log_points),
                side_by_side: together.min(1 << left),
            }
        });
        Self {
            passes: tiles.collect(),
            two_vectors: false,
        }
    }

    /// The same from one vector to another: the order of the values becomes a choice of addresses.
    fn between_two(log: u32, passes: u32, together: usize) -> Self {
        Self {
            two_vectors: true,
            ..Self::in_place(log, passes, together)
        }
    }

    /// One pass a stage, each through both vectors: as a transform runs.
    fn stage_by_stage(stages: &Stages, log: u32) -> Self {
        let of_stages = stages.stages.iter().map(|stage| stage.radix);
        let mut left = log;
        let tiles = of_stages.chain([stages.last.radix]).map(|radix| {
            let log_points = radix.trailing_zeros();
            left -= log_points;
            Tiles {
                log_points,
                log_stride: left,
                radices: vec![log_points],
                side_by_side: LANES.min(1 << left),
            }
        });
        Self {
            passes: tiles.collect(),
            two_vectors: true,
        }
    }
}

/// Radices of up to 32 points whose product is 2^log.
fn radices(mut log: u32) -> Vec<u32> {
    let mut radices = Vec::new();
    while log > 0 {
        radices.push(log.min(5));
        log -= log.min(5);
    }
    radices
}

struct Passes<'a> {
    order: &'a Order,
    log: u32,
    digits: usize,
}

impl Trace for Passes<'_> {
    fn arrays(&self) -> Vec<Array> {
        let vector = |name| Array::new(name, 1 << self.log).element_words(self.digits);
        vec![vector("x"), vector("y")]
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        let (mut from, mut to) = (0, if self.order.two_vectors { 1 } else { 0 });
        for tiles in &self.order.passes {
            let (stride, points) = (1usize << tiles.log_stride, 1usize << tiles.log_points);
            let together = tiles.side_by_side;
            for block in (0..1usize << self.log).step_by(stride * points) {
                for column in (0..stride).step_by(together) {
                    let place = |i: usize, l: usize| block + column + stride * i + l;
                    self.tile(tiles, [from, to], &place, touch);
                }
            }
            if self.order.two_vectors {
                (from, to) = (to, from);
            }
        }
    }
}

impl Passes<'_> {
    /// All base cases of a tile: the first ones read it, all write it where it goes.
    fn tile(
        &self,
        tiles: &Tiles,
        [from, to]: [usize; 2],
        place: &dyn Fn(usize, usize) -> usize,
        touch: &mut dyn FnMut(usize, usize),
    ) {
        let points = 1usize << tiles.log_points;
        let mut left = tiles.log_points;
        for (level, &radix) in tiles.radices.iter().enumerate() {
            left -= radix;
            let read = if level == 0 { from } else { to };
            for base in (0..points).filter(|i| (i >> left) & ((1 << radix) - 1) == 0) {
                for vector in [read, to] {
                    for i in 0..1usize << radix {
                        for l in 0..tiles.side_by_side {
                            touch(vector, place(base + (i << left), l));
                        }
                    }
                }
            }
        }
    }
}
