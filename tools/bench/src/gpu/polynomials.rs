//! Products of polynomials: batches over Z, and modulo a prime.

use super::case::{Case, Findings, Problem, impossible};
use super::products::{Product, words_of};
use super::published;
use super::rig::Rig;
use super::transforms::{PRIME_31, PRIME_61};
use crate::subject::Sample;
use std::hint::black_box;
use sunzi::{
    field::{Fp32, Fp64},
    gpu::{CoefficientForm, Finish, TransformPlan},
    poly::{CoefficientField, FlatPoly, IntegerPolyRing, PolyError, PolyRing},
};
use sunzi_files::failure::Failure;
use sunzi_machine::threads::Threads;

/// Terms and bits of coefficients over Z: those of the paper of 2009.
pub const OVER_INTEGERS: [(usize, u32); 5] =
    [(256, 41), (512, 41), (1024, 41), (256, 64), (512, 64)];
/// The batch where others measured none.
const BATCH: u64 = 8192;
/// The batch where the device should do as little as it can.
const SMALL_BATCH: u64 = 4;
/// Bytes on the device for a coefficient of a product, amply: residues of both operands modulo five primes, and words.
const COEFFICIENT_BYTES: u64 = 64;
/// log2 of the terms of operands modulo a prime, and modulo one of two words.
const MODULO: [u32; 6] = [10, 12, 14, 16, 18, 20];
const MODULO_WIDE: [u32; 3] = [10, 16, 20];

/// Times both.
pub fn measure(rig: &Rig, found: &mut Findings) -> Result<(), Failure> {
    for (terms, bits) in OVER_INTEGERS {
        let published = published::batches(terms as u64, bits).iter();
        let wanted: Vec<u64> = published.map(|&(batch, _)| batch).collect();
        let wanted = if wanted.is_empty() {
            vec![BATCH]
        } else {
            wanted
        };
        let fits = |&batch: &u64| batch * 2 * terms as u64 * COEFFICIENT_BYTES <= rig.bytes as u64;
        let mut batches: Vec<u64> = wanted.into_iter().filter(fits).collect();
        // Where all are too large, a test of the first shape alone.
        if batches.is_empty() && (terms, bits) == OVER_INTEGERS[0] {
            batches.push(SMALL_BATCH);
        }
        for batch in batches {
            let what = format!("{batch} products over Z of {terms} terms of {bits} bits");
            found.take(&what, over_integers(rig, terms, bits, batch, &what))?;
        }
    }
    let fits = |log: u32| COEFFICIENT_BYTES << (log + 1) <= rig.bytes as u64 || log == MODULO[0];
    for log in MODULO.into_iter().filter(|&log| fits(log)) {
        let field = Fp32::new(PRIME_31 as u32).map_err(impossible);
        let cases = field.and_then(|field| modulo(rig, field, &NARROW, log, <[u32]>::to_vec));
        found.take(&NARROW.what(log), cases)?;
    }
    for log in MODULO_WIDE.into_iter().filter(|&log| fits(log)) {
        for by in [&WIDE, &WIDE_BY_SEVERAL] {
            let field = Fp64::new(PRIME_61).map_err(impossible);
            let cases = field.and_then(|field| modulo(rig, field, by, log, words_of));
            found.take(&by.what(log), cases)?;
        }
    }
    Ok(())
}

/// How products over Z are called.
pub fn group_over_integers(bits: u32) -> String {
    format!("over Z, {bits} bits")
}

/// A batch over Z. Coefficients are signed, in a limb each.
fn over_integers(
    rig: &Rig,
    terms: usize,
    bits: u32,
    batch: u64,
    what: &str,
) -> Result<Vec<Case>, Problem> {
    let mut sample = Sample::new(u64::from(bits) + batch);
    let mut operand = || {
        let shift = u64::BITS - bits;
        let mut limbs: Vec<u64> = (0..terms)
            .map(|_| (sample.word() as i64 >> shift) as u64)
            .collect();
        // The least number of this many bits, so that all products have as many limbs; and no zero at the top.
        limbs[0] = (i64::MIN >> shift) as u64;
        limbs[terms - 1] |= 1;
        FlatPoly::from_limbs(1, limbs)
    };
    let mut pairs = Vec::new();
    for _ in 0..batch {
        pairs.push([
            operand().map_err(impossible)?,
            operand().map_err(impossible)?,
        ]);
    }
    let ring = IntegerPolyRing::new();
    let multiply = |pair: &[FlatPoly; 2]| {
        let mut product = FlatPoly::default();
        ring.mul_flat(&mut product, &pair[0], &pair[1])?;
        Ok::<_, PolyError>(product)
    };
    let all = || Threads::all().try_map(&pairs, multiply);
    let products = all().map_err(impossible)?;
    let width = products.first().map_or(1, FlatPoly::width);
    let form = CoefficientForm {
        words: 2,
        signed: true,
    };
    let product = Product {
        section: "polynomials",
        group: group_over_integers(bits),
        size: terms as u64,
        plan: TransformPlan {
            log_points: (2 * terms - 1).next_power_of_two().ilog2(),
            left: form,
            right: form,
            // Magnitudes are 2^(bits - 1) at most.
            bits: u64::from(2 * (bits - 1) + terms.next_power_of_two().ilog2() + 2),
            finish: Finish::Words {
                words: 2 * width,
                signed: true,
            },
        },
        pairs: pairs
            .iter()
            .map(|pair| [words_of(pair[0].limbs()), words_of(pair[1].limbs())])
            .collect(),
        expected: products
            .iter()
            .map(|product| words_of(product.limbs()))
            .collect(),
        on_host: Box::new(|times: usize| {
            for _ in 0..times {
                // It succeeded before with the same operands.
                let _ = black_box(all());
            }
        }),
    };
    product.measure(rig, what)
}

/// How a device computes a product modulo a prime.
struct Modulo {
    group: &'static str,
    prime: u64,
    coefficients: CoefficientForm,
    finish: Finish,
}

impl Modulo {
    /// What is told where it fails.
    fn what(&self, log: u32) -> String {
        format!("the product of 2^{log} terms {}", self.group)
    }
}

/// Modulo a prime of 31 bits.
const NARROW: Modulo = Modulo {
    group: "modulo a prime of 31 bits",
    prime: PRIME_31,
    coefficients: CoefficientForm {
        words: 1,
        signed: false,
    },
    finish: Finish::Modulo32(PRIME_31 as u32),
};
/// Modulo a prime of 61 bits, by its own transforms.
const WIDE: Modulo = Modulo {
    group: "modulo a prime of 61 bits",
    prime: PRIME_61,
    coefficients: CoefficientForm {
        words: 2,
        signed: false,
    },
    finish: Finish::Modulo64(PRIME_61),
};
/// By several primes of 31 bits, which is what coefficients take that may be negative.
const WIDE_BY_SEVERAL: Modulo = Modulo {
    group: "modulo a prime of 61 bits, by primes of 31",
    coefficients: CoefficientForm {
        words: 2,
        signed: true,
    },
    ..WIDE
};

/// One product of 2^`log` terms, whose coefficients have these `words`.
fn modulo<F: CoefficientField>(
    rig: &Rig,
    field: F,
    by: &Modulo,
    log: u32,
    words: fn(&[F::Elem]) -> Vec<u32>,
) -> Result<Vec<Case>, Problem> {
    let mut sample = Sample::new(u64::from(log));
    let mut operand = || -> Vec<F::Elem> {
        let residues = (0..1 << log).map(|_| field.from_u64(sample.below(by.prime)));
        residues.collect()
    };
    let pair = [operand(), operand()];
    let mut product = vec![field.zero(); (2 << log) - 1];
    let ring = PolyRing::new(field);
    ring.try_mul_slices(&mut product, &pair[0], &pair[1])
        .map_err(impossible)?;
    let values = 2 * u64::from(by.prime.ilog2() + 1) + u64::from(log);
    let timed = Product {
        section: "polynomials",
        group: by.group.to_owned(),
        size: 1 << log,
        plan: TransformPlan {
            log_points: log + 1,
            left: by.coefficients,
            right: by.coefficients,
            bits: values,
            finish: by.finish,
        },
        pairs: vec![pair.each_ref().map(|side| words(side))],
        expected: vec![words(&product)],
        on_host: Box::new(move |times: usize| {
            for _ in 0..times {
                let done = ring.try_mul_slices(&mut product, &pair[0], &pair[1]);
                let _ = black_box(done);
            }
        }),
    };
    timed.measure(rig, &by.what(log))
}
