//! Residue number systems: products modulo any word, composition from digits and residues, against FLINT and
//! GMP.

use rug::Integer as GmpInteger;
use rug::integer::{IsPrime, Order};
use sunzi_dft::DftError;
use sunzi_dft::crt::{
    Coefficients, CrtBasis, LongTransforms, ModularConvolver, ResidueProduct, Segmentation,
    SignedCoefficients,
};
use sunzi_field::TwoAdicField;
use sunzi_integer::{Integer, Natural};
use sunzi_machine::{Grain, InstructionSet};
use sunzi_rns::{CoefficientBound, Composer};
use sunzi_testkit::convolution;

use super::operation::Operation;
use super::transforms::{kernels, word_of};
use super::trial::Trial;
use crate::flint::NmodPoly;

pub fn operations() -> Vec<Operation> {
    let mut operations = vec![
        Operation::new("crt-convolve", "FLINT", |trial| {
            let rare = trial.length(4000, 4000);
            let lengths = [trial.length(300, rare), trial.length(300, rare)];
            convolve(trial, lengths);
        }),
        // Threads share 2^13 coefficients.
        Operation::new("crt-convolve-long", "FLINT", |trial| {
            let len = trial.beside(&[1 << 13, 1 << 14]);
            let len_a = 1 + trial.below(len);
            convolve(trial, [len_a, len + 1 - len_a]);
        }),
        Operation::new("crt-sum-products", "FLINT", sums),
        Operation::new("crt-multiply", "GMP", multiply),
        Operation::alone("crt-basis", "GMP", basis),
        Operation::new("crt-long-transforms", "GMP", long_transforms),
        Operation::alone("crt-compose", "GMP", |trial| match trial.below(5) {
            0 => compose::<1>(trial),
            1 => compose::<2>(trial),
            2 => compose::<3>(trial),
            3 => compose::<4>(trial),
            _ => compose::<7>(trial),
        }),
    ];
    operations.extend(kernels().map(|kernel| {
        let name = format!("crt-convolve-{}", word_of(kernel));
        Operation::new(name, "FLINT", move |trial| by_kernel(trial, kernel))
    }));
    operations
}

/// Any modulus, prime or not: of any length, and near the ends of words.
fn modulus(trial: &mut Trial, bits: u32) -> u64 {
    let edges = sunzi_testkit::edge_words();
    let word = match trial.below(2) {
        0 => *trial.pick(&edges),
        _ => trial.random.word() >> trial.below(64),
    };
    (word >> (64 - bits)).max(1)
}

fn operand(trial: &mut Trial, m: u64, length: usize) -> Vec<u64> {
    let (kind, piece) = (trial.operand_kind(), trial.piece());
    kind.residues(length, m, piece, &mut trial.random)
}

/// The product by FLINT, with the zeros at its end.
fn by_flint(m: u64, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut product = NmodPoly::new(m, &[]);
    product.set_product(&NmodPoly::new(m, a), &NmodPoly::new(m, b));
    let mut residues = product.residues();
    residues.resize(a.len() + b.len() - 1, 0);
    residues
}

/// Of residues below 2^64, or below 2^32 in their own way.
fn convolve(trial: &mut Trial, lengths: [usize; 2]) {
    let short = trial.below(2) == 0;
    let m = modulus(trial, if short { 32 } else { 64 });
    let [a, b] = lengths.map(|length| operand(trial, m, length));
    let what = format!("{} by {} modulo {m}", a.len(), b.len());
    let Some(convolver) = trial.expect(&what, ModularConvolver::new(m)) else {
        return;
    };
    let theirs = by_flint(m, &a, &b);
    let (done, ours) = if short {
        let [a, b] = [a, b].map(|x| x.into_iter().map(|x| x as u32).collect::<Vec<_>>());
        let mut ours = vec![0; theirs.len()];
        let done = convolver.convolve_short(&mut ours, &a, &b);
        (done, ours.into_iter().map(u64::from).collect())
    } else {
        let mut ours = vec![0; theirs.len()];
        (convolver.convolve(&mut ours, &a, &b), ours)
    };
    if trial.expect(&what, done).is_some() {
        trial.compare(&what, &ours, &theirs);
    }
}

fn by_kernel(trial: &mut Trial, kernel: InstructionSet) {
    let m = modulus(trial, 64);
    let [a, b] = [(); 2].map(|()| {
        let length = trial.length(300, 4000);
        operand(trial, m, length)
    });
    let what = format!("{} by {} modulo {m}, {kernel}", a.len(), b.len());
    let mut ours = vec![0; a.len() + b.len() - 1];
    let done = ModularConvolver::with_kernel(m, kernel)
        .and_then(|convolver| convolver.convolve(&mut ours, &a, &b));
    if trial.expect(&what, done).is_some() {
        trial.compare(&what, &ours, &by_flint(m, &a, &b));
    }
}

/// Sums of two products by values that the caller keeps; below 2^32 in their own way.
fn sums(trial: &mut Trial) {
    let short = trial.below(2) == 0;
    let m = modulus(trial, if short { 32 } else { 64 });
    let len = match trial.below(8) {
        0 => trial.beside(&[1 << 13]),
        _ => trial.length(300, 3000),
    };
    let mut operands = Vec::new();
    for _ in 0..2 {
        let len_a = 1 + trial.below(len);
        let len_b = 1 + trial.below(len + 1 - len_a);
        operands.push(operand(trial, m, len_a));
        operands.push(operand(trial, m, len_b));
    }
    let what = format!("{len} coefficients modulo {m}");
    let all = || -> Result<Option<Vec<u64>>, DftError> {
        let convolver = ModularConvolver::new(m)?;
        let Some(points) = convolver.points_for(len) else {
            return Ok(None);
        };
        let mut values = vec![vec![1; convolver.value_words(points)]; 4];
        for (values, operand) in values.iter_mut().zip(&operands) {
            match short {
                true => {
                    let operand: Vec<u32> = operand.iter().map(|&x| x as u32).collect();
                    convolver.evaluate_short_into(values, points, &operand)?;
                }
                false => convolver.evaluate_into(values, points, operand)?,
            }
        }
        let pairs = [[&values[0][..], &values[1]], [&values[2], &values[3]]];
        if short {
            let mut ours = vec![0; len];
            convolver.sum_products_short(&mut ours, points, pairs)?;
            return Ok(Some(ours.into_iter().map(u64::from).collect()));
        }
        let mut ours = vec![0; len];
        convolver.sum_products(&mut ours, points, pairs)?;
        Ok(Some(ours))
    };
    let Some(ours) = trial.expect(&what, all()) else {
        return;
    };
    let mut theirs = vec![0; len];
    for pair in operands.chunks_exact(2) {
        for (sum, x) in theirs.iter_mut().zip(by_flint(m, &pair[0], &pair[1])) {
            *sum = ((u128::from(*sum) + u128::from(x)) % u128::from(m)) as u64;
        }
    }
    trial.compare(&what, &ours.unwrap_or_default(), &theirs);
}

/// Coefficients of one of the forms that products over a basis take, as integers, too.
enum Factor {
    Short(Vec<u32>),
    Words(Vec<u64>),
    Signed(Vec<i128>),
}

impl Factor {
    fn new(trial: &mut Trial, length: usize) -> (Self, Vec<GmpInteger>) {
        let words = trial.limbs(length);
        match trial.below(3) {
            0 => {
                let short: Vec<u32> = words.iter().map(|&x| x as u32).collect();
                let integers = short.iter().map(|&x| x.into()).collect();
                (Self::Short(short), integers)
            }
            1 => {
                let integers = words.iter().map(|&x| x.into()).collect();
                (Self::Words(words), integers)
            }
            _ => {
                let signed = |x: u64| match trial.below(2) {
                    0 => i128::from(x),
                    _ => -i128::from(x),
                };
                let signed: Vec<i128> = words.into_iter().map(signed).collect();
                let integers = signed.iter().map(|&x| x.into()).collect();
                (Self::Signed(signed), integers)
            }
        }
    }
}

/// The product by two factors of whatever forms.
fn residues<'a, A: Coefficients + ?Sized>(
    basis: &'a CrtBasis,
    a: &A,
    b: Option<&Factor>,
) -> Result<ResidueProduct<'a>, DftError> {
    match b {
        None => basis.multiply(a, None::<&A>),
        Some(Factor::Short(b)) => basis.multiply(a, Some(&b[..])),
        Some(Factor::Words(b)) => basis.multiply(a, Some(&b[..])),
        Some(Factor::Signed(b)) => basis.multiply(a, Some(&SignedCoefficients::new(b)?)),
    }
}

/// Products modulo every prime, put together from their digits by GMP, segment by segment; cut into the shortest
/// segments in half of the cases.
fn multiply(trial: &mut Trial) {
    let most = if trial.below(4) == 0 { 1 << 13 } else { 600 };
    let len_a = trial.length(most, most);
    let len_b = trial.length(200, 200).min((200_000 / len_a).max(1));
    let (a, x) = Factor::new(trial, len_a);
    let square = trial.below(8) == 0 && len_a < 1000;
    let (b, y) = match square {
        true => (None, x.clone()),
        false => {
            let (b, y) = Factor::new(trial, len_b);
            (Some(b), y)
        }
    };
    // Below 2^64 each: two primes and a little are 2^128, and signs and sums take a third or fourth.
    let bound = Natural::ONE << 64;
    let bound = CoefficientBound::product(&bound, &bound, x.len().min(y.len())).signed();
    let Some(basis) = trial.expect("basis", CrtBasis::for_bound(&bound)) else {
        return;
    };
    let product = match &a {
        Factor::Short(a) => residues(&basis, &a[..], b.as_ref()),
        Factor::Words(a) => residues(&basis, &a[..], b.as_ref()),
        Factor::Signed(a) => match SignedCoefficients::new(a) {
            Ok(a) => residues(&basis, &a, b.as_ref()),
            Err(error) => Err(error),
        },
    };
    let what = format!("{} by {} coefficients", x.len(), y.len());
    let Some(product) = trial.expect(&what, product) else {
        return;
    };
    let len = x.len() + y.len() - 1;
    trial.check("as many coefficients", product.len() == len);
    let cut = match trial.grain == Grain::default() {
        true => Segmentation::for_threads(len),
        false => Segmentation::of_blocks(Segmentation::UNIT, 1 + trial.below(3)),
    };
    let primes: Vec<GmpInteger> = basis
        .primes()
        .iter()
        .map(|&prime| GmpInteger::from(prime))
        .collect();
    let modulus: GmpInteger = primes.iter().product();
    let mut ours = vec![GmpInteger::new(); len];
    // The state of a segment is how many coefficients came: all of them, in order.
    let counts = product.digits(
        &mut ours,
        cut,
        cut.segment(),
        |count: &mut usize, out, from, digits| {
            assert_eq!(*count, from, "blocks in order");
            for (i, place) in out[from..].iter_mut().take(digits[0].len()).enumerate() {
                for (row, prime) in digits.iter().zip(&primes).rev() {
                    *place *= prime;
                    *place += row[i];
                }
            }
            *count += digits[0].len();
        },
    );
    trial.check(
        "every coefficient in a segment",
        counts.iter().sum::<usize>() == len,
    );
    for value in &mut ours {
        if GmpInteger::from(&*value * 2u32) > modulus {
            *value -= &modulus;
        }
    }
    trial.compare(&what, &ours, &convolution(&x, &y));
}

/// Bases that are just long enough for a bound: of the largest primes below 2^50 with transforms of 2^32 points.
fn basis(trial: &mut Trial) {
    let length = trial.length(6, 20);
    let largest = GmpInteger::from_digits(&trial.limbs(length), Order::Lsf);
    let signed = trial.below(2) == 0;
    let bound = CoefficientBound::new(&Integer::from(&largest));
    let (bound, values) = match signed {
        true => (bound.signed(), largest * 2u32 + 1u32),
        false => (bound, largest + 1u32),
    };
    trial.compare_one(
        "values",
        GmpInteger::from(bound.values::<Natural>()),
        values.clone(),
    );
    let Some(basis) = trial.expect("basis", CrtBasis::for_bound(&bound)) else {
        return;
    };
    let candidates = (1..1u64 << 18).rev().map(|c| (c << 32) + 1);
    let prime = |n: &u64| GmpInteger::from(*n).is_probably_prime(30) != IsPrime::No;
    let mut theirs: Vec<u64> = Vec::new();
    let mut product = GmpInteger::from(1);
    for prime in candidates.filter(prime) {
        if product >= values && !theirs.is_empty() {
            break;
        }
        theirs.push(prime);
        product *= prime;
    }
    theirs.reverse();
    trial.compare("primes", basis.primes(), &theirs);
    trial.compare_one(
        "modulus",
        GmpInteger::from(basis.modulus::<Natural>()),
        product,
    );
    trial.compare_one("is long enough", basis.check(&bound).is_ok(), true);
    if let Some(fewer) = theirs.len().checked_sub(1).filter(|&fewer| fewer > 0) {
        let short = CrtBasis::new(fewer).and_then(|basis| basis.check(&bound));
        trial.compare_one("one prime less is too short", short.is_err(), true);
    }
}

/// Values from mixed-radix digits, unsigned and signed.
fn compose<const N: usize>(trial: &mut Trial) {
    let count = 1 + trial.below(N);
    let Some(basis) = trial.expect("basis", CrtBasis::new(count)) else {
        return;
    };
    let composer = Composer::<N>::new(basis.primes());
    let primes = basis.primes();
    let modulus: GmpInteger = primes
        .iter()
        .map(|&prime| GmpInteger::from(prime))
        .product();
    for _ in 0..8 {
        let mut digits = [0; N];
        let mut value = GmpInteger::new();
        for (digit, &prime) in digits.iter_mut().zip(primes) {
            let kind = trial.operand_kind();
            *digit = kind.residues(1, prime, 1, &mut trial.random)[0];
        }
        for (&digit, &prime) in digits.iter().zip(primes).rev() {
            value = value * prime + digit;
        }
        let mut theirs = [0; N];
        value.write_digits(&mut theirs, Order::Lsf);
        trial.compare_rows("unsigned", N, &composer.unsigned(digits), &theirs);
        // The nearest to zero, in two's complement.
        if GmpInteger::from(&value * 2u32) > modulus {
            value += (GmpInteger::from(1) << (64 * N as u32)) - &modulus;
        }
        value.write_digits(&mut theirs, Order::Lsf);
        trial.compare_rows("signed", N, &composer.signed(digits), &theirs);
    }
}

/// Residues of long integers are those of divisions, and the integers come back from them.
fn long_transforms(trial: &mut Trial) {
    // Threads share integers times limbs squared of 2^15.
    let (width, points) = (trial.length(16, 40), 1 << trial.below(8));
    let mut top = trial.limbs(width);
    top[width - 1] |= 1 << 63;
    let modulus = Natural::from(&top[..]);
    let Some(transforms) = trial.expect("transforms", LongTransforms::new(&modulus, points)) else {
        return;
    };
    let modulus = GmpInteger::from_digits(&top, Order::Lsf);
    let mut integers = vec![0; width * points];
    for row in integers.chunks_exact_mut(width) {
        let integer = GmpInteger::from_digits(&trial.limbs(width), Order::Lsf) % &modulus;
        integer.write_digits(row, Order::Lsf);
    }
    let mut rows = transforms.rows();
    transforms.project(&integers, &mut rows);
    for (context, row) in transforms.contexts().zip(&rows) {
        let prime = context.field().prime();
        let residue = |row| {
            let residue = GmpInteger::from_digits(row, Order::Lsf) % prime;
            residue.to_u64().expect("below a word")
        };
        let theirs: Vec<u64> = integers.chunks_exact(width).map(residue).collect();
        trial.compare("residues", row, &theirs);
    }
    // The transform of every row, at one of its points.
    let mut transformed = rows.clone();
    if trial
        .expect("transform", transforms.transform(&mut transformed))
        .is_some()
    {
        let j = trial.below(points);
        for (context, (row, transformed)) in
            transforms.contexts().zip(rows.iter().zip(&transformed))
        {
            let prime = context.field().prime();
            let root = context.field().root_of_unity(points.ilog2()).unwrap_or(0);
            let root =
                GmpInteger::from(root).pow_mod(&GmpInteger::from(j), &GmpInteger::from(prime));
            let point = root.expect("not negative").to_u64().expect("a word");
            let mut value = [0];
            NmodPoly::new(prime, row).evaluate(&mut value, &[point]);
            trial.compare_one("value at a point", transformed[j], value[0]);
        }
    }
    let mut again = vec![0; transforms.width() * points];
    transforms.recombine(&rows, &mut again);
    let mut expected = vec![0; again.len()];
    let places = expected.chunks_exact_mut(transforms.width());
    for (place, row) in places.zip(integers.chunks_exact(width)) {
        place[..width].copy_from_slice(row);
    }
    trial.compare_rows("integers", transforms.width(), &again, &expected);
}
