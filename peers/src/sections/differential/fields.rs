//! Arithmetic of prime fields, against GMP's integers and their remainders.

use rug::Integer;
use rug::integer::Order;
use sunzi_field::generalized_fermat::Multiplication;
use sunzi_field::{Field, GeneralizedFermat};

use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};

/// What every field does, by name.
pub fn cases<F: Peered>() -> Vec<(&'static str, FieldCase<F>)> {
    vec![
        ("add", |twin, trial| {
            binary(twin, trial, F::add, |x, y| x + y)
        }),
        ("sub", |twin, trial| {
            binary(twin, trial, F::sub, |x, y| x - y)
        }),
        ("mul", |twin, trial| {
            binary(twin, trial, F::mul, |x, y| x * y)
        }),
        ("neg", |twin, trial| {
            binary(twin, trial, |field, x, _| field.neg(x), |x, _| -x)
        }),
        ("add-slices", |twin, trial| {
            slices(twin, trial, F::add_assign_slice, |x, y| x + y)
        }),
        ("sub-slices", |twin, trial| {
            slices(twin, trial, F::sub_assign_slice, |x, y| x - y)
        }),
        ("mul-slices", |twin, trial| {
            slices(twin, trial, F::mul_assign_slice, |x, y| x * y)
        }),
        ("neg-slice", |twin, trial| {
            slices(twin, trial, |field, x, _| field.neg_slice(x), |x, _| -x)
        }),
        ("scale-slice", scale),
        ("combine-slices", combine),
        ("evaluate-slice", evaluate),
        ("inv", inverse),
        ("batch-inv", batch_inverse),
        ("pow", power),
        ("from-integer", conversion),
        ("root-of-unity", root),
    ]
}

/// Integers and their remainders by the prime.
struct Residues {
    prime: Integer,
    width: usize,
}

impl Residues {
    fn of<F: Peered>(twin: &Twin<F>) -> Self {
        let prime = twin.field().modulus();
        Self {
            prime: Integer::from_digits(prime.as_words(), Order::Lsf),
            width: twin.width,
        }
    }

    fn integers<F: Peered>(&self, twin: &Twin<F>, elements: &[F::Elem]) -> Vec<Integer> {
        let rows = twin.rows(elements);
        let rows = rows.chunks_exact(self.width);
        rows.map(|row| Integer::from_digits(row, Order::Lsf))
            .collect()
    }

    /// The limbs of the least non-negative remainder.
    fn row(&self, value: Integer) -> Vec<u64> {
        let mut row = vec![0; self.width];
        value.modulo(&self.prime).write_digits(&mut row, Order::Lsf);
        row
    }

    fn rows(&self, values: impl Iterator<Item = Integer>) -> Vec<u64> {
        values.flat_map(|value| self.row(value)).collect()
    }
}

fn count<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> usize {
    trial.length(64, (20_000 / twin.width).max(64))
}

/// Two vectors of the same length.
fn operands<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> [Vec<F::Elem>; 2] {
    let count = count(twin, trial);
    [(); 2].map(|()| twin.operand(trial, count))
}

fn binary<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    ours: fn(&F, F::Elem, F::Elem) -> F::Elem,
    theirs: fn(Integer, Integer) -> Integer,
) {
    slices(
        twin,
        trial,
        |field, x, y| {
            for (x, &y) in x.iter_mut().zip(y) {
                *x = ours(field, *x, y);
            }
        },
        theirs,
    );
}

fn slices<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    ours: impl Fn(&F, &mut [F::Elem], &[F::Elem]),
    theirs: fn(Integer, Integer) -> Integer,
) {
    let residues = Residues::of(twin);
    let [mut x, y] = operands(twin, trial);
    let pairs = residues
        .integers(twin, &x)
        .into_iter()
        .zip(residues.integers(twin, &y));
    let theirs = residues.rows(pairs.map(|(x, y)| theirs(x, y)));
    ours(twin.field(), &mut x, &y);
    twin.compare_rows(trial, "results", &x, &theirs);
}

fn scale<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let [mut x, y] = operands(twin, trial);
    let factor = residues.integers(twin, &y[..1]).remove(0);
    let integers = residues.integers(twin, &x).into_iter();
    let theirs = residues.rows(integers.map(|x| x * &factor));
    twin.field().scale_slice(&mut x, y[0]);
    twin.compare_rows(trial, "multiples", &x, &theirs);
}

fn combine<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let count = count(twin, trial);
    let operands = [(); 4].map(|()| twin.operand(trial, count));
    let factors = [(); 4].map(|()| twin.element(trial));
    let mut sums = vec![Integer::new(); count];
    for (factor, operand) in residues.integers(twin, &factors).iter().zip(&operands) {
        for (sum, x) in sums.iter_mut().zip(residues.integers(twin, operand)) {
            *sum += x * factor;
        }
    }
    let mut ours = vec![twin.field().zero(); count];
    let terms = std::array::from_fn::<_, 4, _>(|i| (factors[i], &operands[i][..]));
    twin.field().combine_slices(&mut ours, terms);
    twin.compare_rows(trial, "sums", &ours, &residues.rows(sums.into_iter()));
}

fn evaluate<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let length = trial.length(12, 40);
    let (coefficients, points) = (
        twin.operand(trial, length),
        operands(twin, trial)[0].clone(),
    );
    let theirs = twin
        .peer(&coefficients)
        .values(&twin.rows(&points), twin.width);
    let mut ours = vec![twin.field().zero(); points.len()];
    twin.field()
        .evaluate_slice(&mut ours, &coefficients, &points);
    twin.compare_rows(trial, "values", &ours, &theirs);
}

fn inverse<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let x = twin.operand(trial, 8);
    for (&x, value) in x.iter().zip(residues.integers(twin, &x)) {
        match (twin.field().inv(x), value.invert(&residues.prime)) {
            (Some(ours), Ok(theirs)) => {
                twin.compare_rows(trial, "inverse", &[ours], &residues.row(theirs));
            }
            (ours, theirs) => trial.compare_one("invertible", ours.is_some(), theirs.is_ok()),
        }
    }
}

fn batch_inverse<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let count = trial.length(64, 500);
    let mut x = twin.operand(trial, count);
    if trial.below(8) > 0 {
        let one = twin.field().one();
        x.iter_mut()
            .filter(|x| **x == F::Elem::default())
            .for_each(|x| *x = one);
    }
    let integers = residues.integers(twin, &x);
    match twin.field().batch_inv(&mut x) {
        Ok(()) => {
            let inverse = |value: Integer| value.invert(&residues.prime).unwrap_or_default();
            let theirs = residues.rows(integers.into_iter().map(inverse));
            twin.compare_rows(trial, "inverses", &x, &theirs);
        }
        Err(sunzi_field::FieldError::ZeroInverse { index }) => {
            let first = integers.iter().position(Integer::is_zero);
            trial.compare_one("the first zero", Some(index), first);
        }
        Err(error) => trial.fail(error.to_string()),
    }
}

fn power<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let x = twin.operand(trial, 8);
    let exponents = trial.limbs(8);
    let integers = residues.integers(twin, &x);
    for ((&x, &exponent), integer) in x.iter().zip(&exponents).zip(integers) {
        let theirs = integer.pow_mod(&Integer::from(exponent), &residues.prime);
        let theirs = residues.row(theirs.expect("the exponent is not negative"));
        let ours = twin.field().pow(x, exponent);
        twin.compare_rows(trial, &format!("power {exponent}"), &[ours], &theirs);
    }
}

/// The images of integers of any length and sign, and of words.
fn conversion<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let length = trial.length(3 * twin.width, 3 * twin.width + 20);
    let limbs = trial.limbs(length);
    let mut integer = Integer::from_digits(&limbs, Order::Lsf);
    if trial.below(2) == 0 {
        integer = -integer;
    }
    let ours = twin
        .field()
        .from_integer(&sunzi_integer::convert::rug::from_rug(&integer));
    twin.compare_rows(
        trial,
        "image of an integer",
        &[ours],
        &residues.row(integer),
    );
    let word = limbs[0];
    let ours = [
        twin.field().from_u64(word),
        twin.field().from_i64(word as i64),
    ];
    let theirs = residues.rows([Integer::from(word), Integer::from(word as i64)].into_iter());
    twin.compare_rows(trial, "images of words", &ours, &theirs);
}

/// ω = a^((p−1)/N) with the least non-residue a: its order is N, and the roots of the orders below are its
/// squares.
fn root<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let adicity = Integer::from(&residues.prime - 1u32)
        .find_one(0)
        .unwrap_or(0);
    trial.compare_one("two-adicity", twin.field().two_adicity(), adicity);
    // Of long orders there are as many roots of unity as bits: some are looked at.
    let log = 1 + trial.below(adicity as usize) as u32;
    let Some(ours) = twin.field().root_of_unity(log) else {
        return trial.fail(format!("no root of order 2^{log}"));
    };
    let half = Integer::from(1) << (log - 1);
    let integer = residues.integers(twin, &[ours]).remove(0);
    let power = integer
        .pow_mod(&half, &residues.prime)
        .expect("the exponent is not negative");
    let minus_one = Integer::from(&residues.prime - 1u32);
    trial.compare_one("ω^(N/2)", power, minus_one);
    trial.compare_one(
        "none above",
        twin.field().root_of_unity(adicity + 1).is_none(),
        true,
    );
}

/// What fields modulo r^K + 1 do beside.
pub fn digit_cases<const K: usize>() -> Vec<(&'static str, FieldCase<GeneralizedFermat<K>>)> {
    vec![
        ("mul-each-algorithm", multiply_by),
        ("mul-by-radix-power", rotate),
        ("packed", packed),
    ]
}

fn multiply_by<const K: usize>(twin: &Twin<GeneralizedFermat<K>>, trial: &mut Trial) {
    let algorithm = *trial.pick(&Multiplication::ALL);
    slices(
        twin,
        trial,
        |field, x, y| {
            for (x, &y) in x.iter_mut().zip(y).take(64) {
                *x = field.mul_by(algorithm, *x, y);
            }
            // The others in vectors.
            if x.len() > 64 {
                field.mul_assign_slice(&mut x[64..], &y[64..]);
            }
        },
        |x, y| x * y,
    );
}

fn rotate<const K: usize>(twin: &Twin<GeneralizedFermat<K>>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let x = twin.operand(trial, 8);
    let power = trial.below(5 * K);
    let radix = Integer::from(twin.field().radix());
    let factor = radix.pow_mod(&Integer::from(power), &residues.prime);
    let factor = factor.expect("the exponent is not negative");
    let integers = residues.integers(twin, &x).into_iter();
    let theirs = residues.rows(integers.map(|x| x * &factor));
    let ours = x.iter().map(|&x| twin.field().mul_by_radix_power(x, power));
    let ours: Vec<_> = ours.collect();
    twin.compare_rows(trial, &format!("x r^{power}"), &ours, &theirs);
}

/// Vectors of elements that lie digit by digit.
fn packed<const K: usize>(twin: &Twin<GeneralizedFermat<K>>, trial: &mut Trial) {
    let field = twin.field();
    if field.constants().is_none() {
        // The radix is too short or too long for lanes: nothing to compare but that it says so.
        return trial.compare_one("no lanes", field.constants().is_none(), true);
    }
    let residues = Residues::of(twin);
    let [x, y] = operands(twin, trial);
    let (factor, power) = (twin.element(trial), trial.below(2 * K));
    let mut ours = field.pack(&x);
    let other = field.pack(&y);
    field.add_packed(&mut ours, &other);
    field.mul_packed(&mut ours, &other);
    field.sub_packed(&mut ours, &other);
    field.scale_packed(&mut ours, factor);
    field.rotate_packed(&mut ours, power);
    let radix = Integer::from(field.radix());
    let rotation = radix.pow_mod(&Integer::from(power), &residues.prime);
    let rotation = rotation.expect("the exponent is not negative");
    let factor = residues.integers(twin, &[factor]).remove(0) * rotation;
    let pairs = residues
        .integers(twin, &x)
        .into_iter()
        .zip(residues.integers(twin, &y));
    let theirs = residues.rows(pairs.map(|(x, y)| ((x + &y) * &y - &y) * &factor));
    twin.compare_rows(
        trial,
        "((x + y) y - y) c r^i",
        &field.unpack(&ours),
        &theirs,
    );
}
