//! Products of integers, by every algorithm, against GMP.

use std::sync::Arc;

use rug::Integer;
use rug::integer::Order;
use sunzi_integer::{Algorithm, Multiplier};
use sunzi_machine::InstructionSet;
use sunzi_rns::limbs;
use sunzi_testkit::Kind;

use super::operation::Operation;
use super::texts::compare_integers;
use super::trial::Trial;
use crate::flint::{mul_limbs_flint, mul_limbs_gmp, sqr_limbs_gmp};

/// Limbs of long products: threads share them from about 2^12 on, and GMP takes a millisecond up to 2^13.
const LONG: usize = 1 << 11;
const USUAL: usize = 1 << 13;
const RARE: usize = 1 << 17;

pub fn operations() -> Vec<Operation> {
    let sets = InstructionSet::ALL
        .into_iter()
        .filter(|set| set.has_carry_chains());
    let made = |set| Multiplier::with_instruction_set(set).expect("the processor runs it");
    let multipliers: Arc<[Multiplier]> = sets.map(made).collect();
    let operation = |name: &str, case: fn(&[Multiplier], &mut Trial)| {
        let multipliers = multipliers.clone();
        Operation::new(name, "GMP", move |trial| case(&multipliers, trial))
    };
    let mut operations = vec![
        operation("int-mul", product),
        operation("int-mul-long", long_product),
        operation("int-sqr", square),
        operation("int-sqr-long", long_square),
        operation("int-mul-batch", batch),
        operation("int-mul-signed", signed_products),
    ];
    for algorithm in Algorithm::ALL {
        // One algorithm needs instructions that not every processor has.
        let able: Arc<[Multiplier]> = match algorithm {
            Algorithm::Ifma if !InstructionSet::Avx512.has_carry_chains() => continue,
            Algorithm::Ifma => Arc::new([made(InstructionSet::Avx512)]),
            _ => multipliers.clone(),
        };
        let name = format!("int-mul-{algorithm}");
        let case = move |trial: &mut Trial| product_by(&able, algorithm, trial);
        operations.push(match algorithm {
            Algorithm::Transform => Operation::new(name, "GMP", case),
            _ => Operation::alone(name, "GMP", case),
        });
    }
    operations
}

/// The product by GMP of operands in any order, none of them empty.
fn by_gmp(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0; a.len() + b.len()];
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    mul_limbs_gmp(&mut out, long, short);
    out
}

fn product(multipliers: &[Multiplier], trial: &mut Trial) {
    let (len_a, len_b) = (trial.length(600, 1 << 13), trial.length(600, 1 << 13));
    let (a, b) = (trial.limbs(len_a), trial.limbs(len_b));
    let mut ours = vec![0; len_a + len_b];
    trial.pick(multipliers).mul(&mut ours, &a, &b);
    trial.compare(&format!("{len_a} by {len_b} limbs"), &ours, &by_gmp(&a, &b));
}

/// Operands of kinds that carry through whole segments together, without zeros above.
fn long_product(multipliers: &[Multiplier], trial: &mut Trial) {
    const CARRYING: [Kind; 3] = [Kind::Ones, Kind::Powers, Kind::Runs];
    let (len_a, len_b) = long_lengths(trial);
    let kinds = match trial.kind {
        kind if CARRYING.contains(&kind) => [kind, *trial.pick(&CARRYING)],
        kind => [kind, trial.operand_kind()],
    };
    let mut operand = |kind: Kind, len: usize| {
        let piece = trial.piece();
        let mut limbs = kind.limbs(len, piece, &mut trial.random);
        limbs.truncate(limbs::trim(&limbs).len().max(1));
        limbs
    };
    let (a, b) = (operand(kinds[0], len_a), operand(kinds[1], len_b));
    // The last one is the fastest.
    let multiplier = match trial.below(4) {
        0 => trial.pick(multipliers),
        _ => &multipliers[multipliers.len() - 1],
    };
    let mut ours = vec![0; a.len() + b.len()];
    multiplier.mul(&mut ours, &a, &b);
    let what = format!("{} by {} limbs", a.len(), b.len());
    trial.compare(&what, &ours, &by_gmp(&a, &b));
    if trial.below(8) == 0 {
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let mut theirs = vec![0; ours.len()];
        mul_limbs_flint(&mut theirs, &long, &short);
        trial.compare(&format!("{what}, by FLINT"), &ours, &theirs);
    }
}

/// Near the lengths of segments and transforms (powers of two, and sums of two of them), and near each other.
fn long_lengths(trial: &mut Trial) -> (usize, usize) {
    let most = if trial.below(16) == 0 { RARE } else { USUAL };
    let power = LONG << trial.below((most / LONG).ilog2() as usize + 1);
    let length = match trial.below(4) {
        0 => power + (power >> (1 + trial.below(10))),
        1 => power + trial.below(power),
        _ => power,
    };
    let len_a = length + trial.below(3) - 1;
    let len_b = match trial.below(4) {
        0 => trial.length(len_a, len_a),
        _ => len_a + 1 - trial.below(3),
    };
    (len_a, len_b)
}

fn product_by(multipliers: &[Multiplier], algorithm: Algorithm, trial: &mut Trial) {
    let rare = match algorithm {
        Algorithm::Transform => 1 << 14,
        Algorithm::Karatsuba | Algorithm::Toom3 => 1 << 11,
        _ => 400,
    };
    let (len_a, len_b) = (trial.length(200, rare), trial.length(200, rare));
    let (a, b) = (trial.limbs(len_a), trial.limbs(len_b));
    let mut ours = vec![0; len_a + len_b];
    let done = trial
        .pick(multipliers)
        .mul_with(algorithm, &mut ours, &a, &b);
    if trial.expect(algorithm.name(), done).is_some() {
        trial.compare(&format!("{len_a} by {len_b} limbs"), &ours, &by_gmp(&a, &b));
    }
}

fn compare_square(multiplier: &Multiplier, trial: &mut Trial, a: &[u64]) {
    let (mut ours, mut theirs) = (vec![0; 2 * a.len()], vec![0; 2 * a.len()]);
    multiplier.sqr(&mut ours, a);
    sqr_limbs_gmp(&mut theirs, a);
    trial.compare(&format!("{} limbs", a.len()), &ours, &theirs);
}

fn square(multipliers: &[Multiplier], trial: &mut Trial) {
    let len = trial.length(600, 1 << 14);
    let a = trial.limbs(len);
    compare_square(trial.pick(multipliers), trial, &a);
}

/// Squares that threads share, of the lengths of [`long_product`].
fn long_square(multipliers: &[Multiplier], trial: &mut Trial) {
    let (len, _) = long_lengths(trial);
    let (kind, piece) = (trial.kind, trial.piece());
    let a = kind.limbs(len, piece, &mut trial.random);
    compare_square(trial.pick(multipliers), trial, &a);
}

/// Products of integers of either sign, by every way that a user has.
fn signed_products(multipliers: &[Multiplier], trial: &mut Trial) {
    let mut operand = || {
        let len = trial.length(100, 1 << 12);
        let value = Integer::from_digits(&trial.limbs(len), Order::Lsf);
        if trial.below(2) == 0 { -value } else { value }
    };
    let (a, b) = (operand(), operand());
    let [x, y] = [&a, &b].map(sunzi_integer::Integer::from);
    let multiplier = trial.pick(multipliers);
    let theirs = Integer::from(&a * &b);
    let ways = [multiplier.mul_integers(&x, &y), &x * &y];
    for ours in ways {
        compare_integers(trial, &ours, &theirs);
    }
    compare_integers(trial, &multiplier.sqr_integer(&x), &a.clone().square());
    let [x, y] = [&a, &b].map(|value| value.as_abs().to_digits::<u64>(Order::Lsf));
    let mut ours = vec![0; x.len() + y.len()];
    if trial
        .expect("product", multiplier.try_mul(&mut ours, &x, &y))
        .is_some()
    {
        let found = Integer::from_digits(&ours, Order::Lsf);
        trial.compare_one("product of magnitudes", found, theirs.abs());
    }
    let mut short = vec![0; x.len() + y.len() + 1];
    let refused = multiplier.try_mul(&mut short, &x, &y).is_err();
    trial.check("room for another product is refused", refused);
}

fn batch(multipliers: &[Multiplier], trial: &mut Trial) {
    let (len_a, len_b) = (trial.length(16, 256), trial.length(16, 256));
    // Threads share 2^19 products of limbs.
    let count = match trial.below(4) {
        0 => trial.beside(&[(1 << 19) / (len_a * len_b)]),
        _ => trial.length(64, 64),
    };
    let (a, b) = (trial.limbs(count * len_a), trial.limbs(count * len_b));
    let mut ours = vec![0; count * (len_a + len_b)];
    let done = trial
        .pick(multipliers)
        .mul_batch(&mut ours, &a, &b, len_a, len_b);
    if trial.expect("batch", done).is_none() {
        return;
    }
    let pairs = a.chunks_exact(len_a).zip(b.chunks_exact(len_b));
    let theirs: Vec<u64> = pairs.flat_map(|(a, b)| by_gmp(a, b)).collect();
    let what = format!("{count} times {len_a} by {len_b} limbs");
    trial.compare(&what, &ours, &theirs);
}
