//! Discrete Fourier transforms and the convolutions through them, against the definition by FLINT's
//! `fmpz_mod_poly`: values at the powers of ω, products modulo x^N ∓ 1.

use sunzi_dft::TransformField;
use sunzi_dft::{
    Algorithm, BigPrimeOptions, Convolution, DftContext, DftError, DftPlan, Direction, Ordering,
};
use sunzi_field::{Fp32, Fp50, Fp64, GeneralizedFermat};
use sunzi_machine::{Grain, InstructionSet};
use sunzi_testkit::Kind;

use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};

/// How a field's transforms are chosen.
pub trait Planned: Peered {
    /// The chosen context for 2^k points, cut so finely.
    fn context(
        &self,
        len: usize,
        convolution: Convolution,
        grain: Grain,
    ) -> Result<DftContext<Self>, DftError>;

    /// That of an algorithm that takes one element at a time; cut so finely where that can be said.
    fn scalar(
        &self,
        len: usize,
        convolution: Convolution,
        algorithm: Algorithm,
        grain: Grain,
    ) -> Result<DftContext<Self>, DftError>;
}

macro_rules! word_field {
    ($field:ty) => {
        impl Planned for $field {
            fn context(
                &self,
                len: usize,
                convolution: Convolution,
                grain: Grain,
            ) -> Result<DftContext<Self>, DftError> {
                if grain == Grain::default() {
                    return DftContext::for_convolution(self, len, convolution);
                }
                let plan = DftPlan::choose(self, len, convolution, InstructionSet::detect())?;
                DftContext::from_plan(self, plan.with_grain(grain))
            }

            fn scalar(
                &self,
                len: usize,
                convolution: Convolution,
                algorithm: Algorithm,
                grain: Grain,
            ) -> Result<DftContext<Self>, DftError> {
                let plan = DftPlan::scalar(self, len, convolution, algorithm)?;
                DftContext::from_plan(self, plan.with_grain(grain))
            }
        }
    };
}

word_field!(Fp32);
word_field!(Fp50);
word_field!(Fp64);

impl<const K: usize> Planned for GeneralizedFermat<K> {
    fn context(
        &self,
        len: usize,
        convolution: Convolution,
        grain: Grain,
    ) -> Result<DftContext<Self>, DftError> {
        let options = BigPrimeOptions {
            convolution,
            grain,
            ..Default::default()
        };
        DftContext::over_big_prime_with(self, len, &options)
    }

    fn scalar(
        &self,
        len: usize,
        convolution: Convolution,
        algorithm: Algorithm,
        _: Grain,
    ) -> Result<DftContext<Self>, DftError> {
        DftContext::scalar(self, len, convolution, algorithm)
    }
}

/// A context for 2^k points, or none where there is nothing to compare.
type Made<F> = Result<Option<DftContext<F>>, DftError>;

fn chosen<F: Planned>(
    field: &F,
    len: usize,
    convolution: Convolution,
    trial: &mut Trial,
) -> Made<F> {
    field.context(len, convolution, trial.grain).map(Some)
}

/// What transforms do, by name.
pub fn cases<F: Planned>() -> Vec<FieldCase<F>> {
    let convolved = |name: &str, kind: Convolution| {
        FieldCase::shared(name, move |twin, trial| {
            convolution(twin, trial, kind, chosen)
        })
    };
    let mut cases = vec![
        FieldCase::shared("forward", |twin, trial| forward(twin, trial, chosen)),
        FieldCase::shared("inverse", |twin, trial| inverse(twin, trial, chosen)),
        FieldCase::shared("bit-reversed", |twin, trial| {
            bit_reversed(twin, trial, chosen)
        }),
        FieldCase::shared("long", long),
        FieldCase::shared("batch", batch),
        convolved("cyclic", Convolution::Cyclic),
        convolved("negacyclic", Convolution::Negacyclic),
        convolved("plain", Convolution::Plain),
        FieldCase::shared("in-place", in_place),
        FieldCase::shared("spectra", spectra),
    ];
    let scalar = [
        ("naive", Algorithm::Reference),
        ("cooley-tukey", Algorithm::CooleyTukey),
        ("on-the-fly", Algorithm::CooleyTukeyOnTheFly),
        ("stockham", Algorithm::Stockham),
        ("six-step", Algorithm::SixStep),
    ];
    for (name, algorithm) in scalar {
        let case = move |twin: &Twin<F>, trial: &mut Trial| {
            any_use(twin, trial, |field, len, convolution, trial| {
                field
                    .scalar(len, convolution, algorithm, trial.grain)
                    .map(Some)
            });
        };
        cases.push(match algorithm {
            Algorithm::SixStep => FieldCase::shared(name, case),
            _ => FieldCase::alone(name, case),
        });
    }
    cases
}

/// What word-size fields have beside: a row for each kernel of this processor.
pub fn word_cases<F: Planned + TransformField>() -> Vec<FieldCase<F>> {
    let by = |kernel: InstructionSet| {
        let made = move |field: &F, len, convolution, trial: &mut Trial| {
            let plan = DftPlan::forced(field, len, convolution, Algorithm::Split, kernel)?;
            // Some kernels take more points at least, or other primes.
            (plan.kernel() == kernel)
                .then(|| DftContext::from_plan(field, plan.with_grain(trial.grain)))
                .transpose()
        };
        let name = format!("split-{}", word_of(kernel));
        FieldCase::shared(name, move |twin, trial| any_use(twin, trial, made))
    };
    kernels().map(by).collect()
}

/// What fields modulo r^k + 1 have beside, with tables of any size.
pub fn rotations<const K: usize>() -> Vec<FieldCase<GeneralizedFermat<K>>> {
    let by = |kernel: InstructionSet| {
        let made = move |field: &GeneralizedFermat<K>, len, convolution, trial: &mut Trial| {
            let options = BigPrimeOptions {
                convolution,
                table_limit: *trial.pick(&[usize::MAX, 1 << 16, 0]),
                kernel,
                grain: trial.grain,
            };
            let context = DftContext::over_big_prime_with(field, len, &options)?;
            // Some radices have no vectors.
            let asked = (Algorithm::Rotations, kernel);
            let found = (context.plan().algorithm(), context.plan().kernel());
            Ok((found == asked).then_some(context))
        };
        let name = format!("rotations-{}", word_of(kernel));
        FieldCase::shared(name, move |twin, trial| any_use(twin, trial, made))
    };
    kernels().map(by).collect()
}

/// The kernels that this processor has.
pub fn kernels() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL
        .into_iter()
        .filter(|kernel| kernel.is_available())
}

/// A kernel in an operation's name.
pub fn word_of(kernel: InstructionSet) -> &'static str {
    match kernel {
        InstructionSet::Portable => "portable",
        InstructionSet::Avx2 => "avx2",
        InstructionSet::Avx512 => "avx512",
    }
}

/// Points, their context, and the root of unity of their order.
struct Points<F: Peered> {
    log: u32,
    context: DftContext<F>,
    root: F::Elem,
}

impl<F: Peered> Points<F> {
    /// Of a number up to 2^`most` that the field has transforms of; none if there is nothing to compare.
    fn new(
        twin: &Twin<F>,
        trial: &mut Trial,
        most: u32,
        make: impl Fn(&F, usize, Convolution, &mut Trial) -> Made<F>,
    ) -> Option<Self> {
        let log = log_points(twin, trial, most);
        let made = make(twin.field(), 1 << log, Convolution::Cyclic, trial);
        let context = trial.expect("plan", made)??;
        let root = twin.field().root_of_unity(log).ok_or("no such root");
        let root = trial.expect("root of unity", root)?;
        Some(Self { log, context, root })
    }

    fn len(&self) -> usize {
        1 << self.log
    }

    /// The powers ω^0, ω^1 … ω^(N−1).
    fn powers(&self, twin: &Twin<F>) -> Vec<F::Elem> {
        let next = |&power: &F::Elem| Some(twin.field().mul(power, self.root));
        std::iter::successors(Some(twin.field().one()), next)
            .take(self.len())
            .collect()
    }

    fn what(&self) -> String {
        format!("2^{} points, {}", self.log, self.context.plan())
    }

    /// The place in natural order of what is at place j of bit-reversed order.
    fn reversed(&self, j: usize) -> usize {
        match self.log {
            0 => 0,
            log => j.reverse_bits() >> (usize::BITS - log),
        }
    }

    /// A transform, with scratch memory of the caller's now and then.
    fn run(
        &self,
        trial: &mut Trial,
        data: &mut [F::Elem],
        direction: Direction,
        ordering: Ordering,
    ) -> bool {
        let done = match (trial.below(2), direction) {
            (0, Direction::Forward) => self.context.forward(data, ordering),
            (0, Direction::Inverse) => self.context.inverse(data, ordering),
            _ => {
                let more = trial.below(3);
                let mut scratch = vec![data[0]; self.context.scratch_len() + more];
                self.context
                    .transform_with_scratch(data, &mut scratch, direction, ordering)
            }
        };
        trial.expect(&self.what(), done).is_some()
    }
}

/// log2 of a number of points that the field has transforms of.
fn log_points<F: Peered>(twin: &Twin<F>, trial: &mut Trial, most: u32) -> u32 {
    let most = twin.field().two_adicity().min(most);
    trial.below(most as usize + 1) as u32
}

/// log2 of the most points whose values the definition gives in a few milliseconds.
fn usual<F: Peered>(twin: &Twin<F>, trial: &mut Trial) -> u32 {
    let most = if trial.below(16) == 0 { 11 } else { 7 };
    most - twin.width.ilog2().min(4)
}

fn values<F: Peered>(twin: &Twin<F>, x: &[F::Elem], points: &[F::Elem]) -> Vec<u64> {
    twin.peer(x).values(&twin.rows(points), twin.width)
}

/// Whatever transforms are used for, by one way to make contexts.
fn any_use<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    make: impl Fn(&F, usize, Convolution, &mut Trial) -> Made<F>,
) {
    match trial.below(6) {
        0 => forward(twin, trial, make),
        1 => inverse(twin, trial, make),
        2 => bit_reversed(twin, trial, make),
        3 => convolution(twin, trial, Convolution::Cyclic, make),
        4 => convolution(twin, trial, Convolution::Negacyclic, make),
        _ => convolution(twin, trial, Convolution::Plain, make),
    }
}

fn forward<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    make: impl Fn(&F, usize, Convolution, &mut Trial) -> Made<F>,
) {
    let most = usual(twin, trial);
    let Some(points) = Points::new(twin, trial, most, make) else {
        return;
    };
    let mut x = twin.operand(trial, points.len());
    let theirs = values(twin, &x, &points.powers(twin));
    if points.run(trial, &mut x, Direction::Forward, Ordering::Natural) {
        twin.compare_rows(trial, &points.what(), &x, &theirs);
    }
}

/// x is the inverse transform of its values by the definition.
fn inverse<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    make: impl Fn(&F, usize, Convolution, &mut Trial) -> Made<F>,
) {
    let most = usual(twin, trial);
    let Some(points) = Points::new(twin, trial, most, make) else {
        return;
    };
    let x = twin.operand(trial, points.len());
    let mut ours = x.clone();
    if points.run(trial, &mut ours, Direction::Inverse, Ordering::Natural) {
        let found = values(twin, &ours, &points.powers(twin));
        twin.compare_rows(trial, &points.what(), &x, &found);
    }
}

fn bit_reversed<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    make: impl Fn(&F, usize, Convolution, &mut Trial) -> Made<F>,
) {
    let most = usual(twin, trial);
    let Some(points) = Points::new(twin, trial, most, make) else {
        return;
    };
    let in_order = points.powers(twin);
    let places = 0..points.len();
    let reversed: Vec<_> = places.map(|j| in_order[points.reversed(j)]).collect();
    let x = twin.operand(trial, points.len());
    let mut ours = x.clone();
    if points.run(trial, &mut ours, Direction::Forward, Ordering::BitReversed) {
        let theirs = values(twin, &x, &reversed);
        twin.compare_rows(trial, &points.what(), &ours, &theirs);
        if points.run(trial, &mut ours, Direction::Inverse, Ordering::BitReversed) {
            trial.check("there and back", ours == x);
        }
    }
}

/// Few points are left to the other operations.
const LEAST_LONG: u32 = 8;

/// Transforms that threads share. Some values are compared by the definition, and all of them together by random
/// sums Σ z^j·X_j = Σ x_i·(z^N − 1)/(z·ω^i − 1), of which each counts as one.
fn long<F: Planned>(twin: &Twin<F>, trial: &mut Trial) {
    let most = if trial.below(8) == 0 { 18 } else { 16 };
    let most = most - 2 * twin.width.ilog2().min(4);
    let Some(points) = Points::new(twin, trial, most, chosen) else {
        return;
    };
    if points.log < LEAST_LONG {
        return;
    }
    let direction = *trial.pick(&[Direction::Forward, Direction::Inverse]);
    let ordering = *trial.pick(&[Ordering::Natural, Ordering::BitReversed]);
    let given = twin.operand(trial, points.len());
    let mut found = given.clone();
    if !points.run(trial, &mut found, direction, ordering) {
        return;
    }
    let (x, transformed) = match direction {
        Direction::Forward => (&given, &found),
        Direction::Inverse => (&found, &given),
    };
    let place = |j: usize| match ordering {
        Ordering::BitReversed => points.reversed(j),
        _ => j,
    };
    let in_order: Vec<F::Elem> = (0..points.len()).map(|j| transformed[place(j)]).collect();
    let what = format!("{}, {direction:?}, {ordering:?}", points.what());

    let places = [(); 4].map(|()| trial.below(points.len()));
    let at = places.map(|j| twin.field().pow(points.root, j as u64));
    let theirs = values(twin, x, &at);
    twin.compare_rows(trial, &what, &places.map(|j| in_order[j]), &theirs);

    let (x, all) = (twin.peer(x), twin.peer(&in_order));
    let root = twin.peer_element(points.root);
    let random = twin
        .field()
        .elements(Kind::Random, SUMS, 1, &mut trial.random);
    for z in random {
        let theirs = all.values(&twin.rows(&[z]), twin.width);
        let ours = x.sum_of_transform(&root, &twin.peer_element(z), points.len());
        let what = format!("{what}, random sum");
        trial.compare_rows(&what, twin.width, &ours.limbs(twin.width), &theirs);
    }
}

/// A wrong entry escapes one sum with a probability of about N/p.
const SUMS: usize = 3;

/// Many vectors at once.
fn batch<F: Planned>(twin: &Twin<F>, trial: &mut Trial) {
    let Some(points) = Points::new(twin, trial, 5, chosen) else {
        return;
    };
    let count = trial.length(8, (1 << 14) / twin.width);
    let direction = *trial.pick(&[Direction::Forward, Direction::Inverse]);
    let given = twin.operand(trial, count << points.log);
    let mut found = given.clone();
    let done = points
        .context
        .transform_batch(&mut found, direction, Ordering::Natural);
    if trial.expect("batch", done).is_none() {
        return;
    }
    let (x, transformed) = match direction {
        Direction::Forward => (given, found),
        Direction::Inverse => (found, given),
    };
    let powers = points.powers(twin);
    let vectors = x.chunks_exact(points.len());
    let theirs: Vec<u64> = vectors.flat_map(|x| values(twin, x, &powers)).collect();
    let what = format!("{count} of {}, {direction:?}", points.what());
    twin.compare_rows(trial, &what, &transformed, &theirs);
}

/// The coefficients of a product, folded as the convolution says.
fn folded<F: Peered>(
    twin: &Twin<F>,
    a: &[F::Elem],
    b: &[F::Elem],
    points: usize,
    convolution: Convolution,
) -> Vec<F::Elem> {
    let field = twin.field();
    let mut out = vec![field.zero(); points];
    let product = twin.elements_of(&twin.product(a, b));
    for (i, x) in product.into_iter().enumerate() {
        let place = &mut out[i % points];
        *place = match convolution {
            Convolution::Negacyclic if i / points % 2 == 1 => field.sub(*place, x),
            _ => field.add(*place, x),
        };
    }
    out
}

/// A context for products and two operands for it.
struct Operands<F: Peered> {
    context: DftContext<F>,
    a: Vec<F::Elem>,
    b: Vec<F::Elem>,
    /// All N coefficients of the product by FLINT.
    theirs: Vec<F::Elem>,
}

impl<F: Peered> Operands<F> {
    fn new(
        twin: &Twin<F>,
        trial: &mut Trial,
        convolution: Convolution,
        make: impl Fn(&F, usize, Convolution, &mut Trial) -> Made<F>,
    ) -> Option<Self> {
        let adicity = twin.field().two_adicity();
        let most = match convolution {
            Convolution::Negacyclic => adicity - 1,
            _ => adicity,
        };
        let log = trial.below(most.min(9) as usize + 1);
        let made = make(twin.field(), 1 << log, convolution, trial);
        let context = trial.expect("plan", made)??;
        let points = 1 << log;
        let len_a = 1 + trial.below(points);
        let len_b = match convolution {
            Convolution::Plain => points + 1 - len_a,
            _ => 1 + trial.below(points),
        };
        let (a, b) = (twin.operand(trial, len_a), twin.operand(trial, len_b));
        let theirs = folded(twin, &a, &b, points, convolution);
        Some(Self {
            context,
            a,
            b,
            theirs,
        })
    }

    fn what(&self) -> String {
        let plan = self.context.plan();
        format!("{} by {}, {plan}", self.a.len(), self.b.len())
    }
}

fn convolution<F: Peered>(
    twin: &Twin<F>,
    trial: &mut Trial,
    convolution: Convolution,
    make: impl Fn(&F, usize, Convolution, &mut Trial) -> Made<F>,
) {
    let Some(operands) = Operands::new(twin, trial, convolution, make) else {
        return;
    };
    let Operands {
        context,
        a,
        b,
        theirs,
    } = &operands;
    let (what, zero) = (operands.what(), twin.field().zero());
    let mut ours = vec![zero; context.product_len(a.len(), b.len())];
    if trial
        .expect(&what, context.convolve(&mut ours, a, b))
        .is_some()
    {
        let mut theirs = theirs.clone();
        if convolution == Convolution::Plain {
            theirs.truncate(a.len() + b.len() - 1);
        }
        twin.compare_rows(trial, &what, &ours, &twin.rows(&theirs));
    }
    if trial.below(4) == 0 && convolution != Convolution::Plain {
        // A square knows itself by its operand.
        let done = context.convolve(&mut ours, a, a);
        if trial.expect(&what, done).is_some() {
            let theirs = folded(twin, a, a, context.points(), convolution);
            twin.compare_rows(
                trial,
                &format!("square of {what}"),
                &ours,
                &twin.rows(&theirs),
            );
        }
    }
}

fn cyclic_or_negacyclic<F: Planned>(twin: &Twin<F>, trial: &mut Trial) -> Option<Operands<F>> {
    let convolution = *trial.pick(&[Convolution::Cyclic, Convolution::Negacyclic]);
    Operands::new(twin, trial, convolution, chosen)
}

/// Values in whatever order, multiplied one by one.
fn in_place<F: Planned>(twin: &Twin<F>, trial: &mut Trial) {
    let Some(operands) = cyclic_or_negacyclic(twin, trial) else {
        return;
    };
    let (context, field) = (&operands.context, twin.field());
    let [mut x, mut y] = [&operands.a, &operands.b].map(|operand| {
        let mut padded = operand.clone();
        padded.resize(context.points(), field.zero());
        padded
    });
    let mut all = || -> Result<(), DftError> {
        context.forward_in_place(&mut x)?;
        context.forward_in_place(&mut y)?;
        for (x, &y) in x.iter_mut().zip(&y) {
            *x = field.mul(*x, y);
        }
        context.inverse_in_place(&mut x)
    };
    let done = all();
    // Values in place are of the whole polynomial: negacyclic products take those of the context's own.
    if trial.expect("in place", done).is_some() {
        twin.compare_rows(trial, &operands.what(), &x, &twin.rows(&operands.theirs));
    }
}

/// Transforms that are kept, and multiplied by several ways.
fn spectra<F: Planned>(twin: &Twin<F>, trial: &mut Trial) {
    let Some(operands) = cyclic_or_negacyclic(twin, trial) else {
        return;
    };
    let Operands {
        context,
        a,
        b,
        theirs,
    } = &operands;
    let zero = twin.field().zero();
    let first = trial.below(context.points() + 1);
    let all = || -> Result<[Vec<F::Elem>; 3], DftError> {
        let (one, other) = (context.spectrum(a)?, context.spectrum(b)?);
        let mut whole = vec![zero; context.points()];
        context.multiply_spectra(&mut whole, &one, &other)?;
        let mut start = vec![zero; first];
        context.multiply_into(&mut start, one, &other)?;
        let [mut x, mut y] = [(); 2].map(|()| vec![twin.field().one(); context.points()]);
        context.evaluate_into(&mut x, a)?;
        context.evaluate_into(&mut y, b)?;
        let mut again = vec![zero; first];
        context.multiply_values(&mut again, x, &y)?;
        Ok([whole, start, again])
    };
    let done = all();
    let Some([whole, start, again]) = trial.expect("spectra", done) else {
        return;
    };
    let what = operands.what();
    twin.compare_rows(trial, &what, &whole, &twin.rows(theirs));
    for ours in [start, again] {
        let what = format!("the first {first} of {what}");
        twin.compare_rows(trial, &what, &ours, &twin.rows(&theirs[..first]));
    }
}
