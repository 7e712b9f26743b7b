//! The times by which thresholds are found.
//!
//! At each border a product is timed twice: with the threshold just above its length, and with the threshold at its length, so that the
//! two algorithms that meet there run, and below them whatever is the fastest. Borders are taken upward, for what runs below a later
//! one is what was found at earlier ones. Lengths are those of both operands; operands are dense.

use crate::Integer;
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_integer::Multiplier;
use sunzi_machine::InstructionSet;
use sunzi_poly::{
    CoefficientField, IntegerPolyRing, IntegerThresholds, Poly, PolyRing, SubproductTree,
};
use sunzi_tune::ModelError;

use super::clock::{Effort, Work};
use super::crossing::{Border, crossing};
use super::{FieldLengths, IntegerLengths};
use crate::tune::TuningError;

/// Points of the trees by whose times leaves are chosen, all weighing the same.
const POINTS: [usize; 3] = [1 << 8, 1 << 10, 1 << 12];
/// Leaves of 2^h points are compared for h up to this far from the built-in one.
const LEAVES: u32 = 2;

/// The threshold of an algorithm that shall not take part.
const NEVER: usize = usize::MAX;

/// A border from a built-in threshold: at most sixteen times as far, or as near.
fn around(guess: usize, least: usize) -> Border {
    Border {
        guess,
        least: (guess / 16).max(least),
        most: guess.saturating_mul(16).min(1 << 16).max(least),
    }
}

fn failed(threshold: &'static str) -> impl Fn(ModelError) -> TuningError {
    move |source| TuningError::Threshold { threshold, source }
}

/// Words none of which makes products easier.
fn words(length: usize, salt: u64) -> Vec<u64> {
    (1..=length as u64)
        .map(|index| (index + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63)
        .collect()
}

/// The lengths of integers, in limbs, from which vectors, Karatsuba's algorithm, Toom-3 and transforms win.
pub(super) fn integers(effort: &Effort) -> Result<IntegerLengths, TuningError> {
    let built_in = Multiplier::new().thresholds();
    let work = |multiplier: Multiplier, length: usize| -> Work<'static> {
        let (a, b) = (words(length, 0), words(length, 1 << 20));
        let mut product = vec![0; 2 * length];
        Box::new(move || multiplier.mul(&mut product, &a, &b))
    };
    let mut found = built_in;
    (found.karatsuba, found.toom3, found.transform) = (NEVER, NEVER, NEVER);
    if InstructionSet::detect_carry_chains() == InstructionSet::Avx512 {
        let prepare = |length: usize, second: bool| {
            let mut thresholds = found;
            thresholds.ifma_long = length + usize::from(!second);
            work(Multiplier::new().with_thresholds(thresholds), length)
        };
        found.ifma_long = crossing(around(built_in.ifma_long, 9), effort, &prepare)
            .map_err(failed("vectors for integers"))?;
    }
    let prepare = |length: usize, second: bool| {
        let mut thresholds = found;
        thresholds.karatsuba = length + usize::from(!second);
        work(Multiplier::new().with_thresholds(thresholds), length)
    };
    let karatsuba = crossing(around(built_in.karatsuba, 9), effort, &prepare)
        .map_err(failed("Karatsuba's algorithm for integers"))?;
    found.karatsuba = karatsuba;
    let prepare = |length: usize, second: bool| {
        let mut thresholds = found;
        thresholds.toom3 = length + usize::from(!second);
        work(Multiplier::new().with_thresholds(thresholds), length)
    };
    let toom3 = crossing(around(built_in.toom3, karatsuba), effort, &prepare)
        .map_err(failed("Toom-3 for integers"))?;
    found.toom3 = toom3;
    let prepare = |length: usize, second: bool| {
        let mut thresholds = found;
        thresholds.transform = length + usize::from(!second);
        work(Multiplier::new().with_thresholds(thresholds), length)
    };
    let transform = crossing(around(built_in.transform, 9), effort, &prepare)
        .map_err(failed("transforms for integers"))?;
    Ok(IntegerLengths {
        vectors: found.ifma_long,
        karatsuba,
        toom3,
        transform,
    })
}

/// A field of each kind of words: one with long transforms, and one almost without.
pub(super) trait Measured: CoefficientField {
    /// With transforms.
    fn with_transforms() -> Option<Self>;
    /// With few points at most.
    fn without() -> Option<Self>;
    /// What it is called.
    const NAME: &'static str;
}

impl Measured for Fp32 {
    fn with_transforms() -> Option<Self> {
        Self::new(2_013_265_921).ok()
    }

    fn without() -> Option<Self> {
        Self::new((1 << 31) - 1).ok()
    }

    const NAME: &'static str = "polynomials modulo a prime of 31 bits";
}

impl Measured for Fp64 {
    fn with_transforms() -> Option<Self> {
        Self::new(1_945_555_039_024_054_273).ok()
    }

    fn without() -> Option<Self> {
        Self::new((1 << 61) - 1).ok()
    }

    const NAME: &'static str = "polynomials modulo a prime of 63 bits";
}

fn elements<F: Field>(field: &F, length: usize, salt: u64) -> Vec<F::Elem> {
    let words = words(length, salt);
    words.into_iter().map(|word| field.from_u64(word)).collect()
}

/// The lengths of polynomials over a kind of field from which methods win.
pub(super) fn field<F: Measured>(effort: &Effort) -> Result<FieldLengths, TuningError> {
    let (Some(smooth), Some(rough)) = (F::with_transforms(), F::without()) else {
        unreachable!("these numbers are primes");
    };
    let work = |ring: PolyRing<F>, length: usize| -> Work<'static> {
        let (a, b) = (
            elements(ring.field(), length, 0),
            elements(ring.field(), length, 1 << 20),
        );
        let mut product = vec![ring.field().zero(); 2 * length - 1];
        Box::new(move || ring.mul_slices(&mut product, &a, &b))
    };
    let ring = PolyRing::new(smooth);
    let built_in = ring.thresholds();
    let prepare = |length: usize, second: bool| {
        let mut thresholds = built_in;
        thresholds.ntt = length + usize::from(!second);
        thresholds.ntt_long = thresholds.ntt;
        work(ring.clone().with_thresholds(thresholds), length)
    };
    let ntt = crossing(around(built_in.ntt, 4), effort, &prepare).map_err(failed(F::NAME))?;

    let rough = PolyRing::new(rough);
    let mut found = rough.thresholds();
    found.over_integers = NEVER;
    let prepare = |length: usize, second: bool| {
        let mut thresholds = found;
        thresholds.karatsuba = length + usize::from(!second);
        work(rough.clone().with_thresholds(thresholds), length)
    };
    let karatsuba =
        crossing(around(built_in.karatsuba, 4), effort, &prepare).map_err(failed(F::NAME))?;
    found.karatsuba = karatsuba;
    let prepare = |length: usize, second: bool| {
        let mut thresholds = found;
        thresholds.over_integers = length + usize::from(!second);
        work(rough.clone().with_thresholds(thresholds), length)
    };
    let over_integers =
        crossing(around(built_in.over_integers, 4), effort, &prepare).map_err(failed(F::NAME))?;
    let mut lengths = FieldLengths {
        ntt,
        karatsuba,
        over_integers,
        leaf_log: 0,
        leaf_log_without: 0,
    };
    lengths.leaf_log = leaf_log(&ring, &lengths, effort);
    lengths.leaf_log_without = leaf_log(&rough, &lengths, effort);
    Ok(lengths)
}

/// The leaves of trees that take least time, built, evaluated and interpolated by.
fn leaf_log<F: CoefficientField>(
    ring: &PolyRing<F>,
    lengths: &FieldLengths,
    effort: &Effort,
) -> u32 {
    let built_in = ring.thresholds();
    let leaves = built_in.leaf_log.saturating_sub(LEAVES)..=built_in.leaf_log + LEAVES;
    let trees = POINTS.map(|count| {
        let points = elements(ring.field(), count, 0);
        (points, Poly::new(elements(ring.field(), count, 1 << 20)))
    });
    let work = |leaf_log: u32, tree: usize| -> Work<'_> {
        let thresholds = sunzi_poly::Thresholds {
            leaf_log,
            ..lengths.thresholds(built_in)
        };
        let ring = ring.clone().with_thresholds(thresholds);
        let (points, f) = &trees[tree];
        // What fails for lack of memory takes no time, and changes no result.
        Box::new(move || {
            let values = SubproductTree::new(&ring, points)
                .and_then(|tree| tree.interpolate(&tree.evaluate(f)?));
            std::hint::black_box(values.is_ok());
        })
    };
    let mut logs = vec![0.0; leaves.clone().count()];
    for tree in 0..trees.len() {
        let mut works: Vec<Work<'_>> = leaves.clone().map(|log| work(log, tree)).collect();
        let seconds = effort.seconds_of(&mut works);
        let sums = logs.iter_mut().zip(seconds);
        sums.for_each(|(sum, seconds)| *sum += seconds.ln());
    }
    let least = leaves.zip(logs).min_by(|a, b| a.1.total_cmp(&b.1));
    least.map_or(built_in.leaf_log, |(leaf_log, _)| leaf_log)
}

/// The lengths of polynomials over Z from which packing and transforms over a few primes win, for coefficients of 24 and of 60 bits
/// together; packed operands are multiplied by what `multiplier` makes.
pub(super) fn over_z(
    effort: &Effort,
    multiplier: &dyn Fn() -> Multiplier,
) -> Result<IntegerThresholds, TuningError> {
    let built_in = IntegerThresholds::default();
    let work = |thresholds: IntegerThresholds, length: usize| -> Work<'static> {
        let ring = IntegerPolyRing::new()
            .with_multiplier(multiplier())
            .with_thresholds(thresholds);
        let operand = |bits: u32, salt: u64| {
            let words = words(length, salt).into_iter();
            let coefficients: Vec<Integer> =
                words.map(|word| (word >> (64 - bits)).into()).collect();
            sunzi_poly::FlatPoly::from_poly(&Poly::new(coefficients))
        };
        let pairs = [24, 60].map(|bits| [operand(bits, 0), operand(bits, 1 << 20)]);
        let mut product = sunzi_poly::FlatPoly::default();
        Box::new(move || {
            for [a, b] in &pairs {
                std::hint::black_box(ring.mul_flat(&mut product, a, b).is_ok());
            }
        })
    };
    let prepare = |length: usize, second: bool| {
        let kronecker = length + usize::from(!second);
        let crt_ntt = NEVER;
        work(IntegerThresholds { kronecker, crt_ntt }, length)
    };
    let kronecker = crossing(around(built_in.kronecker, 4), effort, &prepare)
        .map_err(failed("packing of polynomials over Z"))?;
    let prepare = |length: usize, second: bool| {
        let crt_ntt = length + usize::from(!second);
        work(IntegerThresholds { kronecker, crt_ntt }, length)
    };
    let crt_ntt = crossing(around(built_in.crt_ntt, 4), effort, &prepare)
        .map_err(failed("transforms of polynomials over Z"))?;
    Ok(IntegerThresholds { kronecker, crt_ntt })
}
