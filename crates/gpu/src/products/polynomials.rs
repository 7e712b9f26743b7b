//! Polynomials of all lengths: short ones modulo a prime of a word term by term, all others by transforms.

use super::config::{ProductConfig, Shapes};
use super::context::TransformContext;
use super::contexts::Contexts;
use super::load::Pool;
use super::plan::{ProductPlan, TransformPlan};
use super::problem::{Finish, Operand, ProductForm, ProductProblem};
use super::rows::{Pair, Piece, RowSlot, Rows, Take, groups, one_by_one, ordered, renumbered};
use crate::schoolbook::SchoolbookContext;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use sunzi_device::{Device, GpuError, Program};

// These bound what the host spends on compiling and cutting, which is the same whatever the device: they are no part of a
// configuration.
/// Each group of lengths is a program and a launch of its own. Where there are more groups than this, …
const MANY_GROUPS: usize = 8;
/// … those of fewer pairs than this are multiplied by transforms, which take pairs of many lengths together.
const FEWEST_ROWS: usize = 16;
/// Programs that are kept loaded.
const KEPT_PROGRAMS: usize = 64;
/// Times that a product is cut in two at most: 64 products of pieces still gain from a device.
const MOST_CUTS: u32 = 6;
/// Terms of the longer operand down to which a product is cut up when it does not fit.
const SHORTEST_CUT: usize = 1 << 10;

/// Multiplies batches, whatever the lengths: pairs of like length together, and a pair that does not fit in the
/// device's memory in pieces.
#[derive(Debug)]
pub struct PolynomialMultiplier {
    device: Device,
    configs: Shapes,
    contexts: Contexts<(TransformPlan, ProductConfig), TransformContext>,
    /// Of schoolbook products.
    programs: Mutex<Vec<Program>>,
    rows: Pool<RowSlot>,
}

impl PolynomialMultiplier {
    /// A multiplier that has no kernels yet, by the configuration that suits the device.
    pub fn new(device: &Device) -> Self {
        Self::by(device, Shapes::usual(device))
    }

    /// A multiplier by one configuration for all problems.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if it is none for the device.
    pub fn with_config(device: &Device, config: ProductConfig) -> Result<Self, GpuError> {
        Ok(Self::by(device, Shapes::always(device, config)?))
    }

    /// A multiplier that asks for the configuration of each problem: first of a pair, to see how it is multiplied, and then of all
    /// that are multiplied together. What is no configuration for the device is an error of the product.
    ///
    /// ```
    /// use sunzi::gpu::{Device, PolynomialMultiplier, ProductConfig, Selection};
    /// # fn main() -> Result<(), sunzi::gpu::GpuError> {
    /// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
    /// let usual = ProductConfig::for_device(device.info());
    /// let multiplier = PolynomialMultiplier::with_configs(&device, move |problem| ProductConfig {
    ///     threads: if problem.batch > 1000 { 32 } else { usual.threads },
    ///     ..usual
    /// });
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_configs(
        device: &Device,
        choose: impl Fn(&ProductProblem) -> ProductConfig + Send + Sync + 'static,
    ) -> Self {
        Self::by(device, Shapes::by(choose))
    }

    fn by(device: &Device, configs: Shapes) -> Self {
        Self {
            device: device.clone(),
            configs,
            contexts: Contexts::default(),
            programs: Mutex::default(),
            rows: Pool::default(),
        }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Products by a plan for a problem, made ready when first asked for.
    fn transforms(
        &self,
        plan: TransformPlan,
        problem: &ProductProblem,
    ) -> Result<Arc<TransformContext>, GpuError> {
        let config = self.configs.of(&self.device, problem)?;
        let make = || TransformContext::with_config(&self.device, plan, config);
        self.contexts.get((plan, config), make)
    }

    /// Multiplies pairs of operands, and hands each product's words to `take`, with the pair's number: as
    /// [`TransformContext::multiply`], whatever the lengths. Modulo a prime, coefficients must be below it: where others
    /// stand products are wrong.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if coefficients are not of this form; [`GpuError::TooFewPrimes`];
    /// [`GpuError::OutOfMemory`] if not even short pieces fit in the device's memory; errors of the device.
    pub fn multiply(
        &self,
        form: &ProductForm,
        pairs: &[[Operand<'_>; 2]],
        take: impl FnMut(usize, &[u32]),
    ) -> Result<(), GpuError> {
        self.multiply_together(form, pairs, one_by_one(take))
    }

    /// As [`PolynomialMultiplier::multiply`], and hands out products as many at a time as are there, with the numbers of
    /// their pairs: all threads of the host may work on them together.
    ///
    /// # Errors
    /// As there.
    pub fn multiply_together(
        &self,
        form: &ProductForm,
        pairs: &[[Operand<'_>; 2]],
        mut take: impl FnMut(&[(usize, &[u32])]),
    ) -> Result<(), GpuError> {
        let prime = form.word_prime();
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (number, pair) in pairs.iter().enumerate() {
            let terms = pair.map(|operand| operand.terms());
            if terms.contains(&0) {
                take(&[(number, &[])]);
                continue;
            }
            let words = pair.map(|operand| operand.coefficient_words());
            let problem = ProductProblem {
                form: *form,
                terms,
                batch: pairs.len(),
            };
            let config = self.configs.of(&self.device, &problem)?;
            match ProductPlan::new(form, prime, terms, &config) {
                ProductPlan::Schoolbook { .. } if words == [form.left.words, form.right.words] => {
                    short.push((number, terms));
                }
                // Operands of another form are refused there.
                _ => long.push(number),
            }
        }
        if let Some(prime) = prime {
            let groups = groups(short.into_iter());
            let many = groups.len() > MANY_GROUPS;
            for (lengths, mut numbers) in groups {
                if many && numbers.len() < FEWEST_ROWS {
                    long.extend(numbers);
                    continue;
                }
                let group: Vec<_> = numbers
                    .iter()
                    .map(|&number| ordered(pairs[number].map(|operand| operand.words())))
                    .collect();
                let mut done = 0;
                let mut take = |products: &[(usize, &[u32])]| {
                    done += products.len();
                    take(&renumbered(products, &numbers));
                };
                match self.term_by_term((form, prime), lengths, &group, &mut take) {
                    // Transforms may still do it, in pieces.
                    Err(GpuError::OutOfMemory { .. }) => long.extend(numbers.drain(done..)),
                    multiplied => multiplied?,
                }
            }
        }
        self.by_transforms(form, pairs, &long, &mut take)
    }

    /// Multiplies pairs of at most these lengths modulo a prime.
    fn term_by_term(
        &self,
        (form, prime): (&ProductForm, u64),
        lengths: [usize; 2],
        pairs: &[Pair<'_>],
        take: &mut Take<'_>,
    ) -> Result<(), GpuError> {
        let [n, m] = lengths;
        let problem = ProductProblem {
            form: *form,
            terms: lengths,
            batch: pairs.len(),
        };
        let config = self.configs.of(&self.device, &problem)?;
        let word = form.finish.word();
        let plan = config.schoolbook(self.device.info(), word, lengths, pairs.len());
        let rows = Rows {
            lengths: lengths.map(|length| length * word.width()),
            overlap: word.width(),
            work: plan.scratch_len(n, m).saturating_mul(word.width()),
        };
        let cut = match rows.cut(&self.device, &config, pairs.len()) {
            Err(GpuError::OutOfMemory { .. }) => {
                self.forget();
                rows.cut(&self.device, &config, pairs.len())?
            }
            cut => cut?,
        };
        let context = SchoolbookContext::with_plan(&self.device, word, prime, n, m, cut.0, plan)?;
        self.keep(context.program());
        let multiply = |piece: Piece<'_>| {
            let ([a, b], product) = (piece.operands, (piece.product, 0));
            let (count, shared) = (piece.count, piece.shared);
            context.multiply(piece.stream, (a, 0), (b, 0), product, count, shared)
        };
        let on = (&self.device, &config);
        rows.multiply(on, &self.rows, cut, pairs, multiply, take)
    }

    /// Keeps a program loaded.
    fn keep(&self, program: &Program) {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if !programs.iter().any(|kept| kept.is_same(program)) {
            if programs.len() >= KEPT_PROGRAMS {
                programs.clear();
            }
            programs.push(program.clone());
        }
    }

    /// Multiplies the pairs of these numbers.
    fn by_transforms(
        &self,
        form: &ProductForm,
        pairs: &[[Operand<'_>; 2]],
        numbers: &[usize],
        take: &mut Take<'_>,
    ) -> Result<(), GpuError> {
        let mut plans: BTreeMap<(u32, u64), (TransformPlan, Vec<usize>)> = BTreeMap::new();
        for &number in numbers {
            let plan = TransformPlan::new(form, pairs[number].map(|operand| operand.terms()));
            let group = plans.entry((plan.log_points, plan.bits));
            group.or_insert((plan, Vec::new())).1.push(number);
        }
        for (plan, numbers) in plans.into_values() {
            let group: Vec<_> = numbers.iter().map(|&number| pairs[number]).collect();
            let problem = ProductProblem::of(form, &group);
            // Products are handed out in order, so what has yet to be computed is the rest.
            let mut done = 0;
            let mut most = group.len();
            let multiplied = loop {
                let start = done;
                let attempt = self.transforms(plan, &problem).and_then(|products| {
                    products.multiply_by(most, &group[start..], &mut |products| {
                        done += products.len();
                        take(&renumbered(products, &numbers[start..]));
                    })
                });
                match attempt {
                    Err(GpuError::OutOfMemory { .. }) if most > 1 => {
                        // The tables of other plans take memory, too, and so do other threads.
                        self.forget();
                        most = most.min(group.len() - done).div_ceil(8);
                    }
                    done => break done,
                }
            };
            match multiplied {
                Ok(()) => {}
                Err(error) if may_fit_in_pieces(&error) => {
                    for &number in &numbers[done..] {
                        let product =
                            self.in_pieces(form, pairs[number], MOST_CUTS, error.clone())?;
                        take(&[(number, &product)]);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Forgets all plans, whose memory is free again unless they are in use.
    pub(super) fn forget(&self) {
        self.rows.clear();
        self.contexts.clear();
    }

    /// The product of a pair that does not fit as it is, by the products of halves of the longer operand, which may be
    /// cut `cuts` times in all.
    fn in_pieces(
        &self,
        form: &ProductForm,
        [left, right]: [Operand<'_>; 2],
        cuts: u32,
        error: GpuError,
    ) -> Result<Vec<u32>, GpuError> {
        let terms = [left.terms(), right.terms()];
        let half = terms[0].max(terms[1]).div_ceil(2);
        if half < SHORTEST_CUT || cuts == 0 {
            return Err(error);
        }
        let pieces = if terms[0] >= terms[1] {
            let (low, high) = left.split(half);
            [[low, right], [high, right]]
        } else {
            let (low, high) = right.split(half);
            [[left, low], [left, high]]
        };
        let digits = usize::from(form.finish == Finish::Carry);
        let words = form.finish.words();
        let mut product = vec![0; (terms[0] + terms[1] - 1 + digits) * words];
        for (index, piece) in pieces.into_iter().enumerate() {
            let mut add =
                |part: &[u32]| form.finish.add(&mut product[index * half * words..], part);
            let plan = TransformPlan::new(form, piece.map(|operand| operand.terms()));
            let problem = ProductProblem::of(form, &[piece]);
            let mut attempt = || {
                let products = self.transforms(plan, &problem)?;
                products.multiply(&[piece], |_, part| add(part))
            };
            let mut multiplied = attempt();
            if let Err(GpuError::OutOfMemory { .. }) = multiplied {
                self.forget();
                multiplied = attempt();
            }
            match multiplied {
                Ok(()) => {}
                Err(error) if may_fit_in_pieces(&error) => {
                    add(&self.in_pieces(form, piece, cuts - 1, error)?);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(product)
    }
}

/// Whether shorter operands may do where longer ones could not.
fn may_fit_in_pieces(error: &GpuError) -> bool {
    matches!(
        error,
        GpuError::OutOfMemory { .. } | GpuError::TooFewPrimes { .. }
    )
}
