//! Arithmetic of prime fields, against GMP's integers and their remainders.

use rug::Integer;
use rug::integer::Order;
use sunzi_field::generalized_fermat::Multiplication;
use sunzi_field::{GeneralizedFermat, TwoAdicField};

use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};

/// What every field does, by name.
pub fn cases<F: Peered>() -> Vec<FieldCase<F>> {
    vec![
        FieldCase::alone("add", |twin, trial| {
            binary(twin, trial, F::add, |x, y| x + y)
        }),
        FieldCase::alone("sub", |twin, trial| {
            binary(twin, trial, F::sub, |x, y| x - y)
        }),
        FieldCase::alone("mul", |twin, trial| {
            binary(twin, trial, F::mul, |x, y| x * y)
        }),
        FieldCase::alone("neg", |twin, trial| {
            binary(twin, trial, |field: &F, x, _| field.neg(x), |x, _| -x)
        }),
        FieldCase::alone("add-slices", |twin, trial| {
            slices(twin, trial, F::add_assign_slice, |x, y| x + y)
        }),
        FieldCase::alone("sub-slices", |twin, trial| {
            slices(twin, trial, F::sub_assign_slice, |x, y| x - y)
        }),
        FieldCase::alone("mul-slices", |twin, trial| {
            slices(twin, trial, F::mul_assign_slice, |x, y| x * y)
        }),
        FieldCase::alone("neg-slice", |twin, trial| {
            slices(twin, trial, |field: &F, x, _| field.neg_slice(x), |x, _| -x)
        }),
        FieldCase::alone("scale-slice", scale),
        FieldCase::alone("combine-slices", combine),
        FieldCase::alone("evaluate-slice", evaluate),
        FieldCase::alone("inv", inverse),
        FieldCase::alone("batch-inv", batch_inverse),
        FieldCase::alone("pow", power),
        FieldCase::alone("from-integer", conversion),
    ]
}

/// Integers and their remainders by the prime.
pub struct Residues {
    pub prime: Integer,
    width: usize,
}

impl Residues {
    pub fn of<F: Peered>(twin: &Twin<F>) -> Self {
        let prime = twin.field().modulus_limbs();
        Self {
            prime: Integer::from_digits(&prime, Order::Lsf),
            width: twin.width,
        }
    }

    pub fn integers<F: Peered>(&self, twin: &Twin<F>, elements: &[F::Elem]) -> Vec<Integer> {
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

    pub fn rows(&self, values: impl Iterator<Item = Integer>) -> Vec<u64> {
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
    ours: impl Fn(&F, F::Elem, F::Elem) -> F::Elem,
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
        .from_integer(&sunzi_integer::Integer::from(&integer));
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

/// The least a ≥ 2 that is no square.
fn least_non_residue(prime: &Integer) -> u32 {
    let mut candidates = 2..;
    let found = candidates.find(|&a| Integer::from(a).legendre(prime) == -1);
    found.expect("half of the residues are none")
}

fn power_of(base: &Integer, exponent: &Integer, prime: &Integer) -> Integer {
    let power = base.clone().pow_mod(exponent, prime);
    power.expect("the exponent is not negative")
}

/// log2 of an order of roots of unity, after what fields say of the greatest.
fn log_order<F: Peered>(twin: &Twin<F>, trial: &mut Trial, prime: &Integer) -> u32 {
    let order = Integer::from(prime - 1u32);
    let adicity = order.find_one(0).unwrap_or(0);
    trial.compare_one("two-adicity", twin.field().two_adicity(), adicity);
    let none = twin.field().root_of_unity(adicity + 1).is_none();
    trial.compare_one("none above", none, true);
    trial.below(adicity as usize + 1) as u32
}

/// ω = a^((p−1)/N) with the least non-residue a.
pub fn word_root<F: Peered>(twin: &Twin<F>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let prime = &residues.prime;
    let log = log_order(twin, trial, prime);
    let Some(ours) = twin.field().root_of_unity(log) else {
        return trial.fail(format!("no root of order 2^{log}"));
    };
    let exponent = Integer::from(prime - 1u32) >> log;
    let theirs = power_of(&least_non_residue(prime).into(), &exponent, prime);
    let what = format!("root of order 2^{log}");
    twin.compare_rows(trial, &what, &[ours], &residues.row(theirs));
}

/// Beyond this many limbs a power modulo the prime takes GMP too long for the definition of a root.
const SHORT_POWERS: usize = 16;

/// ω^(N/2k) = r for orders N from 2k on, and r^(2k/N) below. Of all that are so, ω is g^j for g = a^((p−1)/N) with
/// the least non-residue a and the least j > 0.
fn big_root<const K: usize>(twin: &Twin<GeneralizedFermat<K>>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let prime = &residues.prime;
    let log = log_order(twin, trial, prime);
    let Some(ours) = twin.field().root_of_unity(log) else {
        return trial.fail(format!("no root of order 2^{log}"));
    };
    let (what, radix) = (
        format!("root of order 2^{log}"),
        Integer::from(twin.field().radix()),
    );
    let log_cycle = K.ilog2() + 1;
    if log < log_cycle {
        let power = power_of(&radix, &Integer::from((2 * K) >> log), prime);
        return twin.compare_rows(trial, &what, &[ours], &residues.row(power));
    }
    let steps = Integer::from(1) << (log - log_cycle);
    let integer = residues.integers(twin, &[ours]).remove(0);
    trial.compare_one(&what, power_of(&integer, &steps, prime), radix.clone());
    let non_residue = least_non_residue(prime);
    let found = twin.field().least_non_residue();
    trial.compare_one("least non-residue", found, non_residue.into());
    if twin.width <= SHORT_POWERS {
        let exponent = Integer::from(prime - 1u32) >> log;
        let g = power_of(&non_residue.into(), &exponent, prime);
        let rotation = power_of(&g, &steps, prime);
        let next = |power: &Integer| Some(Integer::from(power * &rotation) % prime);
        let mut rotations = std::iter::successors(Some(rotation.clone()), next).take(2 * K);
        let Some(j) = rotations.position(|power| power == radix) else {
            return trial.fail("r is no power of the rotation".into());
        };
        let theirs = power_of(&g, &Integer::from(j + 1), prime);
        twin.compare_rows(
            trial,
            &format!("{what}, of all"),
            &[ours],
            &residues.row(theirs),
        );
    }
}

/// What fields modulo r^K + 1 do beside.
pub fn digit_cases<const K: usize>() -> Vec<FieldCase<GeneralizedFermat<K>>> {
    let by = |algorithm: Multiplication| {
        let name = format!("mul-{}", format!("{algorithm:?}").to_ascii_lowercase());
        FieldCase::alone(name, move |twin, trial| multiply_by(twin, trial, algorithm))
    };
    let mut cases: Vec<_> = Multiplication::ALL.map(by).into();
    cases.extend([
        FieldCase::alone("mul-by-radix-power", rotate),
        FieldCase::alone("first-powers", first_powers),
        FieldCase::alone("root-of-unity", big_root),
        FieldCase::alone("packed", packed),
    ]);
    cases
}

fn multiply_by<const K: usize>(
    twin: &Twin<GeneralizedFermat<K>>,
    trial: &mut Trial,
    algorithm: Multiplication,
) {
    let product = |field: &GeneralizedFermat<K>, x, y| field.mul_by(algorithm, x, y);
    binary(twin, trial, product, |x, y| x * y);
}

fn first_powers<const K: usize>(twin: &Twin<GeneralizedFermat<K>>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    let (x, count) = (twin.element(trial), trial.length(20, 200) - 1);
    let base = residues.integers(twin, &[x]).remove(0);
    let next = |power: &Integer| Some(Integer::from(power * &base) % &residues.prime);
    let powers = std::iter::successors(Some(Integer::from(1)), next);
    let ours = twin.field().first_powers(x, count);
    twin.compare_rows(trial, "powers", &ours, &residues.rows(powers.take(count)));
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
    // A radix that is too short or too long for lanes has none.
    if field.constants().is_none() {
        return;
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
