//! Discrete Fourier transforms and the convolutions through them, against the definition by FLINT's
//! `fmpz_mod_poly`: values at the powers of ω, products modulo x^N ∓ 1.

use sunzi_dft::{
    Algorithm, BigPrimeOptions, Convolution, Convolver, DftError, DftPlan, Direction, Ordering,
};
use sunzi_field::lanes::{Kernel, LanesField};
use sunzi_field::{Fp32, Fp64, GeneralizedFermat};
use sunzi_poly::{AnyLengthDft, AnyLengthError};

use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};

/// The sums of the definition take seconds beyond so many points.
const LONGEST_NAIVE: usize = 1 << 10;

/// How a field's transforms are chosen.
pub trait Planned: Peered {
    /// A plan for 2^k points: the chosen one, or another algorithm or kernel.
    fn plan(
        &self,
        len: usize,
        convolution: Convolution,
        trial: &mut Trial,
    ) -> Result<DftPlan<Self>, DftError>;
}

macro_rules! word_field {
    ($field:ty) => {
        impl Planned for $field {
            fn plan(
                &self,
                len: usize,
                convolution: Convolution,
                trial: &mut Trial,
            ) -> Result<DftPlan<Self>, DftError> {
                let (algorithm, kernel) = (*trial.pick(&Algorithm::ALL), *trial.pick(&Kernel::ALL));
                let endless = algorithm == Algorithm::Naive && len > LONGEST_NAIVE;
                let forced = match trial.below(3) {
                    _ if endless => return DftPlan::for_convolution(self, len, convolution),
                    0 => DftPlan::scalar(self, len, convolution, algorithm),
                    1 if convolution == Convolution::Cyclic => {
                        DftPlan::with(self, len, algorithm, kernel)
                    }
                    _ => return DftPlan::for_convolution(self, len, convolution),
                };
                // What an algorithm cannot do, the chosen one can, or says why.
                forced.or_else(|_| DftPlan::for_convolution(self, len, convolution))
            }
        }
    };
}

word_field!(Fp32);
word_field!(Fp64);

impl<const K: usize> Planned for GeneralizedFermat<K> {
    fn plan(
        &self,
        len: usize,
        convolution: Convolution,
        trial: &mut Trial,
    ) -> Result<DftPlan<Self>, DftError> {
        let options = BigPrimeOptions {
            convolution,
            table_limit: *trial.pick(&[usize::MAX, usize::MAX, 1 << 16, 0]),
            kernel: *trial.pick(&[Kernel::detect(), Kernel::detect(), Kernel::Portable]),
            ..Default::default()
        };
        DftPlan::over_big_prime_with(self, len, &options)
    }
}

/// What transforms do, by name.
pub fn cases<F: Planned>() -> Vec<(&'static str, FieldCase<F>)> {
    vec![
        ("forward", forward),
        ("forward-long", forward_long),
        ("inverse", inverse),
        ("bit-reversed", bit_reversed),
        ("batch", batch),
        ("any-length", any_length),
        ("cyclic", |twin, trial| {
            convolution(twin, trial, Convolution::Cyclic)
        }),
        ("negacyclic", |twin, trial| {
            convolution(twin, trial, Convolution::Negacyclic)
        }),
        ("plain", |twin, trial| {
            convolution(twin, trial, Convolution::Plain)
        }),
    ]
}

/// What word-size fields have beside.
pub fn word_cases<F: Planned + LanesField>() -> Vec<(&'static str, FieldCase<F>)> {
    vec![("convolver", convolve), ("convolver-kept", convolve_kept)]
}

/// log2 of a number of points that the field has transforms of.
fn log_points<F: Planned>(twin: &Twin<F>, trial: &mut Trial, most: u32) -> u32 {
    let most = twin.field().two_adicity().min(most);
    trial.below(most as usize + 1) as u32
}

/// A plan, or the case is wrong.
fn plan<F: Planned>(
    twin: &Twin<F>,
    trial: &mut Trial,
    log: u32,
    convolution: Convolution,
) -> Option<DftPlan<F>> {
    let made = twin.field().plan(1 << log, convolution, trial);
    made.map_err(|error| trial.fail(error.to_string())).ok()
}

/// The powers ω^0, ω^1 … of a root of unity.
fn powers<F: Peered>(twin: &Twin<F>, root: F::Elem, count: usize) -> Vec<F::Elem> {
    let next = |&power: &F::Elem| Some(twin.field().mul(power, root));
    std::iter::successors(Some(twin.field().one()), next)
        .take(count)
        .collect()
}

fn values<F: Peered>(twin: &Twin<F>, x: &[F::Elem], points: &[F::Elem]) -> Vec<u64> {
    twin.peer(x).values(&twin.rows(points), twin.width)
}

/// log2 of the most points whose values the definition gives in a few milliseconds.
fn usual<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> u32 {
    let most = if trial.below(16) == 0 { 11 } else { 7 };
    most - twin.width.ilog2().min(4)
}

fn run<T>(trial: &mut Trial, done: Result<T, DftError>) -> Option<T> {
    done.map_err(|error| trial.fail(error.to_string())).ok()
}

fn forward<F: Planned>(twin: &Twin<F>, trial: &mut Trial) {
    let most = usual(twin, trial);
    let log = log_points(twin, trial, most);
    let Some(plan) = plan(twin, trial, log, Convolution::Cyclic) else {
        return;
    };
    let Some(root) = twin.field().root_of_unity(log) else {
        return trial.fail(format!("no root of order 2^{log}"));
    };
    let mut x = twin.operand(trial, 1 << log);
    let theirs = values(twin, &x, &powers(twin, root, 1 << log));
    let done = plan.forward(&mut x, Ordering::Natural);
    if run(trial, done).is_some() {
        twin.compare_rows(
            trial,
            &format!("2^{log} points, {}", plan.recipe()),
            &x,
            &theirs,
        );
    }
}

/// Transforms that threads share: some values by the definition, and all the way back.
fn forward_long<F: Planned>(twin: &Twin<F>, trial: &mut Trial) {
    let log = log_points(twin, trial, 18 - 2 * twin.width.ilog2().min(5));
    let Some(plan) = plan(twin, trial, log, Convolution::Cyclic) else {
        return;
    };
    let Some(root) = twin.field().root_of_unity(log) else {
        return trial.fail(format!("no root of order 2^{log}"));
    };
    let x = twin.operand(trial, 1 << log);
    let places = [(); 4].map(|()| trial.below(1 << log));
    let points = places.map(|place| twin.field().pow(root, place as u64));
    let theirs = values(twin, &x, &points);
    let mut ours = x.clone();
    let what = format!("2^{log} points, {}", plan.recipe());
    let done = plan.forward(&mut ours, Ordering::Natural);
    if run(trial, done).is_some() {
        twin.compare_rows(trial, &what, &places.map(|place| ours[place]), &theirs);
        let done = plan.inverse(&mut ours, Ordering::Natural);
        if run(trial, done).is_some() {
            trial.compare(&format!("{what}, there and back"), &ours, &x);
        }
    }
}

/// x is the inverse transform of its values by the definition.
fn inverse<F: Planned>(twin: &Twin<F>, trial: &mut Trial) {
    let most = usual(twin, trial);
    let log = log_points(twin, trial, most);
    let Some(plan) = plan(twin, trial, log, Convolution::Cyclic) else {
        return;
    };
    let Some(root) = twin.field().root_of_unity(log) else {
        return trial.fail(format!("no root of order 2^{log}"));
    };
    let x = twin.operand(trial, 1 << log);
    let mut ours = x.clone();
    let done = plan.inverse(&mut ours, Ordering::Natural);
    if run(trial, done).is_some() {
        let found = values(twin, &ours, &powers(twin, root, 1 << log));
        twin.compare_rows(
            trial,
            &format!("2^{log} points, {}", plan.recipe()),
            &x,
            &found,
        );
    }
}

fn bit_reversed<F: Planned>(twin: &Twin<F>, trial: &mut Trial) {
    let most = usual(twin, trial);
    let log = log_points(twin, trial, most);
    let Some(plan) = plan(twin, trial, log, Convolution::Cyclic) else {
        return;
    };
    let Some(root) = twin.field().root_of_unity(log) else {
        return trial.fail(format!("no root of order 2^{log}"));
    };
    let reversed = |j: usize| match log {
        0 => 0,
        _ => j.reverse_bits() >> (usize::BITS - log),
    };
    let in_order = powers(twin, root, 1 << log);
    let points: Vec<_> = (0..1 << log).map(|j| in_order[reversed(j)]).collect();
    let x = twin.operand(trial, 1 << log);
    let theirs = values(twin, &x, &points);
    let mut ours = x.clone();
    let done = plan.forward(&mut ours, Ordering::BitReversed);
    if run(trial, done).is_some() {
        twin.compare_rows(trial, &format!("2^{log} points"), &ours, &theirs);
        let done = plan.inverse(&mut ours, Ordering::BitReversed);
        if run(trial, done).is_some() {
            trial.compare("there and back", &ours, &x);
        }
    }
}

/// Many vectors at once.
fn batch<F: Planned>(twin: &Twin<F>, trial: &mut Trial) {
    let log = log_points(twin, trial, 5);
    let count = trial.length(8, (1 << 14) / twin.width);
    let Some(plan) = plan(twin, trial, log, Convolution::Cyclic) else {
        return;
    };
    let Some(root) = twin.field().root_of_unity(log) else {
        return trial.fail(format!("no root of order 2^{log}"));
    };
    let points = powers(twin, root, 1 << log);
    let mut ours = twin.operand(trial, count << log);
    let vectors = ours.chunks_exact(1 << log);
    let theirs: Vec<u64> = vectors.flat_map(|x| values(twin, x, &points)).collect();
    let done = plan.transform_batch(&mut ours, Direction::Forward, Ordering::Natural);
    if run(trial, done).is_some() {
        twin.compare_rows(trial, &format!("{count} of 2^{log} points"), &ours, &theirs);
    }
}

/// Lengths that divide p − 1.
fn any_length<F: Planned>(twin: &Twin<F>, trial: &mut Trial) {
    let most = 1 << usual(twin, trial);
    let mut len = 1;
    for (prime, exponent) in twin.field().order_factors() {
        for _ in 0..exponent.min(8) {
            if prime < most && len * prime <= most && trial.below(3) > 0 {
                len *= prime;
            }
        }
    }
    let len = len as usize;
    let plan = match AnyLengthDft::new(twin.field(), len) {
        Ok(plan) => plan,
        Err(error) => return trial.fail(error.to_string()),
    };
    let x = twin.operand(trial, len);
    let theirs = values(twin, &x, &powers(twin, plan.root_of_unity(), len));
    let mut ours = x.clone();
    let mut both_ways = || -> Result<(), AnyLengthError> {
        plan.forward(&mut ours)?;
        twin.compare_rows(trial, &format!("{len} points"), &ours, &theirs);
        plan.inverse(&mut ours)?;
        trial.compare("there and back", &ours, &x);
        Ok(())
    };
    if let Err(error) = both_ways() {
        trial.fail(error.to_string());
    }
}

/// The coefficients of a product, folded as the convolution says.
fn folded<F: Peered>(
    twin: &Twin<F>,
    product: Vec<F::Elem>,
    points: usize,
    convolution: Convolution,
) -> Vec<F::Elem> {
    let field = twin.field();
    let mut out = vec![field.zero(); points];
    for (i, x) in product.into_iter().enumerate() {
        let place = &mut out[i % points];
        *place = match convolution {
            Convolution::Negacyclic if i / points % 2 == 1 => field.sub(*place, x),
            _ => field.add(*place, x),
        };
    }
    out
}

fn convolution<F: Planned>(twin: &Twin<F>, trial: &mut Trial, convolution: Convolution) {
    let adicity = twin.field().two_adicity();
    let most = match convolution {
        Convolution::Negacyclic => adicity - 1,
        _ => adicity,
    };
    let log = log_points(twin, trial, most.min(9)).min(most);
    let Some(plan) = plan(twin, trial, log, convolution) else {
        return;
    };
    let points = 1 << log;
    let len_a = 1 + trial.below(points);
    let len_b = match convolution {
        Convolution::Plain => points + 1 - len_a,
        _ => 1 + trial.below(points),
    };
    let (a, b) = (twin.operand(trial, len_a), twin.operand(trial, len_b));
    let product = twin.peer(&a).times(&twin.peer(&b)).rows(twin.width);
    let product = product.chunks_exact(twin.width);
    let product = product.map(|row| twin.field().element(row)).collect();
    let theirs = folded(twin, product, points, convolution);
    let mut ours = vec![twin.field().zero(); plan.product_len(len_a, len_b)];
    let done = plan.convolve(&mut ours, &a, &b);
    if run(trial, done).is_some() {
        let what = format!(
            "{len_a} by {len_b} modulo 2^{log} points, {}",
            plan.recipe()
        );
        twin.compare_rows(trial, &what, &ours, &twin.rows(&theirs[..ours.len()]));
    }
}

fn convolve<F: Planned + LanesField>(twin: &Twin<F>, trial: &mut Trial) {
    let convolver = Convolver::with_kernel(twin.field(), *trial.pick(&Kernel::ALL));
    let most = convolver.max_len();
    let rare = if trial.below(64) == 0 { 1 << 17 } else { 3000 };
    let len = trial.length(300.min(most), rare.min(most));
    let len_a = 1 + trial.below(len);
    let len_b = len + 1 - len_a;
    let (a, b) = (twin.operand(trial, len_a), twin.operand(trial, len_b));
    let theirs = twin.peer(&a).times(&twin.peer(&b));
    let mut ours = vec![twin.field().zero(); len];
    let done = convolver.convolve(&mut ours, &a, &b);
    if run(trial, done).is_some() {
        twin.compare_padded(trial, &format!("{len_a} by {len_b}"), &ours, &theirs);
    }
}

/// Operands whose transforms are kept.
fn convolve_kept<F: Planned + LanesField>(twin: &Twin<F>, trial: &mut Trial) {
    let convolver = Convolver::with_kernel(twin.field(), *trial.pick(&Kernel::ALL));
    let most = convolver.max_len();
    let len = trial.length(300.min(most), 3000.min(most));
    let len_a = 1 + trial.below(len);
    let a = twin.operand(trial, len_a);
    let peer = twin.peer(&a);
    let Some(kept) = run(trial, convolver.transform(&a, len)) else {
        return;
    };
    for _ in 0..3 {
        let len_b = 1 + trial.below(len + 1 - len_a);
        let b = twin.operand(trial, len_b);
        let Some(other) = run(trial, convolver.transform(&b, len)) else {
            return;
        };
        let mut ours = vec![twin.field().zero(); len_a + len_b - 1];
        let done = convolver.multiply_transformed(&mut ours, &kept, &other);
        if run(trial, done).is_some() {
            let theirs = peer.times(&twin.peer(&b));
            twin.compare_padded(trial, &format!("{len_a} by {len_b}"), &ours, &theirs);
        }
    }
}
