//! Transforms modulo primes r^k + 1 against transforms modulo as many word-size primes as hold the same bits:
//! the integers' residues, a transform for each prime, the values' integers by mixed radix.
//!
//! The values are others: integers modulo the product of the word-size primes. So each step is checked by
//! itself before it is timed: residues must recombine to the integers that they came from, and some values of
//! the transforms must be what the definition says.

use std::sync::Arc;

use sunzi_dft::crt::LongTransforms;
use sunzi_field::generalized_fermat::{NAMED, NamedPrime};
use sunzi_field::{Field, TwoAdicField};
use sunzi_integer::Natural;

use super::big_primes::{self, name_with_prime};
use super::gfp_fft;
use crate::contender::{Agreement, Case, Entrants, Group, Peer, Setup, contender};
use crate::options::Options;
use crate::sunzi_side;

/// Digits of the primes that are measured.
const DIGITS: std::ops::RangeInclusive<usize> = 4..=64;

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    let primes = NAMED
        .into_iter()
        .filter(|prime| DIGITS.contains(&prime.digits));
    for prime in primes {
        let group = Group {
            name: name_with_prime!("transform against several, mod", prime),
            goal: None,
        };
        for log in gfp_fft::logs(prime).filter(|&log| log <= options.max_log) {
            cases.push(Case {
                section: "gfp-vs-crt",
                group,
                name: format!("2^{log} points"),
                size: 1 << log,
                build: Box::new(move |setup| entrants(setup, prime, log)),
            });
        }
    }
    cases
}

fn entrants(setup: Setup, prime: NamedPrime, log: u32) -> Entrants {
    let p = big_primes::modulus(prime);
    let n = p.len();
    let input = gfp_fft::input(prime, &p, log);
    let sunzi = setup
        .with_sunzi
        .then(|| sunzi_side::big_prime_transform(prime, &input, n))
        .flatten();
    Entrants {
        sunzi,
        peers: contenders(transforms(&p, 1 << log), &input),
    }
}

fn transforms(modulus: &[u64], points: usize) -> LongTransforms {
    let modulus = Natural::from(modulus);
    LongTransforms::new(&modulus, points).expect("the primes have such transforms")
}

fn transform(primes: &LongTransforms, rows: &mut [Vec<u64>]) {
    primes.transform(rows).expect("whole rows");
}

/// What a contender works on.
struct State {
    primes: Arc<LongTransforms>,
    input: Vec<u64>,
    rows: Vec<Vec<u64>>,
    output: Vec<u64>,
}

/// All three steps together, and each by itself for reference.
fn contenders(primes: LongTransforms, input: &[u64]) -> Vec<Peer> {
    let primes = Arc::new(primes);
    check(&primes, input);
    let peer = |name, agreement, run: fn(&mut State)| {
        let mut rows = primes.rows();
        primes.project(input, &mut rows);
        let state = State {
            output: vec![0; primes.width() * rows[0].len()],
            input: input.to_vec(),
            rows,
            primes: primes.clone(),
        };
        Peer {
            name,
            agreement,
            contender: contender(state, run, |state| state.output.clone()),
        }
    };
    let whole = |s: &mut State| {
        s.primes.project(&s.input, &mut s.rows);
        transform(&s.primes, &mut s.rows);
        s.primes.recombine(&s.rows, &mut s.output);
    };
    vec![
        peer("CRT over 50-bit primes", Agreement::CheckedBefore, whole),
        peer("CRT step 1: residues", Agreement::Reference, |s| {
            s.primes.project(&s.input, &mut s.rows);
        }),
        peer("CRT step 2: transforms", Agreement::Reference, |s| {
            transform(&s.primes, &mut s.rows);
        }),
        peer("CRT step 3: recombination", Agreement::Reference, |s| {
            s.primes.recombine(&s.rows, &mut s.output);
        }),
    ]
}

/// Residues recombine to the integers that they came from, and the transforms take the values that the
/// definition says, here and there.
fn check(primes: &LongTransforms, input: &[u64]) {
    let (mut rows, width) = (primes.rows(), primes.width());
    let points = rows[0].len();
    let n = input.len() / points;
    primes.project(input, &mut rows);
    let mut output = vec![0; width * points];
    primes.recombine(&rows, &mut output);
    for (before, after) in input.chunks_exact(n).zip(output.chunks_exact(width)) {
        let (before, after) = (Natural::from(before), Natural::from(after));
        assert!(before == after, "residues recombine to what they came from");
    }
    let coefficients = rows.clone();
    transform(primes, &mut rows);
    for ((context, values), coefficients) in primes.contexts().zip(&rows).zip(&coefficients) {
        let field = context.field();
        let root = field.root_of_unity(points.ilog2());
        let root = root.expect("the primes have such roots");
        for j in [0, 1, points / 2 + 1, points - 1] {
            let x = field.pow(root, j as u64);
            let horner = |value, &coefficient| field.add(field.mul(value, x), coefficient);
            let value = coefficients.iter().rev().fold(field.zero(), horner);
            assert!(values[j] == value, "a value by its definition");
        }
    }
}
