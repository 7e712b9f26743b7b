//! A subproduct tree, and how it is made.

use super::arithmetic::{Arithmetic, Part};
use super::field::Field;
use super::kernels::{digit_source, word_source};
use super::plan::TreePlan;
use super::several_primes::SeveralPrimes;
use super::transforms::{By, Neighbours, Transforms};
use crate::big_prime::BigPrimeContext;
use crate::big_prime::plan::step_threads;
use crate::field::Fields;
use crate::ntt::NttContext;
use crate::word::{ResidueWord, Word};
use bytemuck::Pod;
use std::sync::{Arc, OnceLock};
use sunzi_device::{Buffer, Device, GpuError, Stream};
use sunzi_field::AnyField;

/// The tree of products of x − u over points u in a field: modulo an odd prime of a word, or modulo r^k + 1, whose elements
/// are their k digits.
///
/// Buffers have the words that its points have, or those of 32 bits in their place; places in them are counted in elements.
///
/// It may be used on any stream of its device, by several threads at a time.
///
/// ```
/// use sunzi::gpu::{Device, Selection, SubproductTree};
/// # fn main() -> Result<(), sunzi::gpu::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let stream = device.stream()?;
/// let points = device.filled(&stream, &[0u32, 1, 2])?;
/// let tree = SubproductTree::new(&device, &stream, 469_762_049, (&points, 0), 3)?;
/// let f = device.filled(&stream, &[5u32, 0, 1])?; // x² + 5
/// let (mut values, mut again) = (device.buffer(3)?, device.buffer(3)?);
/// tree.evaluate(&stream, (&f, 0), 3, (&mut values, 0))?;
/// tree.interpolate(&stream, (&values, 0), (&mut again, 0))?;
/// let mut found = [[0; 3]; 2];
/// stream.read(&values, &mut found[0])?;
/// stream.read(&again, &mut found[1])?;
/// assert_eq!(found, [[5, 6, 9], [5, 0, 1]]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct SubproductTree {
    device: Device,
    pub(super) plan: TreePlan,
    /// Bytes of the words that users' buffers have.
    word: usize,
    pub(super) arithmetic: Arithmetic,
    pub(super) points: Buffer<u32>,
    pub(super) leaves: Buffer<u32>,
    /// From the leaves upward, without the root: the transforms of nodes at twice as many points as they cover.
    pub(super) levels: Vec<Buffer<u32>>,
    /// The coefficients of the root, without the leading 1; the constant term may be 1 more.
    pub(super) root: Buffer<u32>,
    /// The transform at 2N points of 1 over the reversed root, to N terms.
    pub(super) inverse: Buffer<u32>,
    /// The root's derivative at the points, or one of those that are equal, when first wanted.
    pub(super) weights: OnceLock<Result<Buffer<u32>, usize>>,
}

impl SubproductTree {
    /// The tree over `count` points, canonical residues modulo a prime of a word from the element on that is given, in the way
    /// that suits the device. Where the prime has no roots of unity for so many points ([`TreePlan::fits`]), products are computed
    /// modulo several primes of 31 bits that have them, and put together again: by what is launched, that takes two to three
    /// times as long.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a number that is no odd prime in the word's range, no points or more than 2^27, and doubles;
    /// [`GpuError::TooFewPrimes`] for more points than there are primes for; [`GpuError::OutOfMemory`] before anything is
    /// computed; errors of the device.
    pub fn new<E: ResidueWord>(
        device: &Device,
        stream: &Stream,
        prime: u64,
        points: (&Buffer<E>, usize),
        count: usize,
    ) -> Result<Self, GpuError> {
        let plan = TreePlan::for_device(device.info(), count);
        Self::with_plan(device, stream, prime, points, plan)
    }

    /// In a given way.
    ///
    /// # Errors
    /// As [`SubproductTree::new`], and [`GpuError::Shape`] for leaves beyond the device's limits.
    pub fn with_plan<E: ResidueWord>(
        device: &Device,
        stream: &Stream,
        prime: u64,
        (points, first): (&Buffer<E>, usize),
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        let plan = plan.check(device.info(), E::WORD)?;
        points.check_rows("points", first, plan.points, 1)?;
        let points = (points.cast_ref(), first);
        Self::over_prime(device, stream, (prime, E::WORD), points, plan)
    }

    fn over_prime(
        device: &Device,
        stream: &Stream,
        (prime, word): (u64, Word),
        points: (&Buffer<u32>, usize),
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        if word.is_double() {
            return Err(GpuError::Shape(
                "a tree takes residues in integers, `u32` or `u64`".to_owned(),
            ));
        }
        let fields = Arc::new(Fields::new(stream, word, &[prime], 0)?);
        let arithmetic = match plan.fits(prime) {
            true => Self::by_own_roots(device, prime, &fields, plan)?,
            false => Self::by_several_primes((device, stream), prime, &fields, plan)?,
        };
        Self::over(device, stream, arithmetic, (points, word.bytes()), plan)
    }

    /// By transforms modulo the prime itself.
    fn by_own_roots(
        device: &Device,
        prime: u64,
        fields: &Arc<Fields>,
        plan: TreePlan,
    ) -> Result<Arithmetic, GpuError> {
        let word = fields.word();
        plan.check_memory(device, plan.bytes(device.info(), word)?, word.bytes())?;
        let levels = (0..=plan.levels()).map(|level| plan.log_points(level));
        let levels = levels.map(|log_n| NttContext::new(device, word, prime, log_n));
        let by = By::Prime(levels.collect::<Result<_, _>>()?);
        let program = device.program(&word_source(fields, plan.leaf))?;
        let field = || Field::of_words(fields, plan.leaf);
        let neighbours = Neighbours::new(plan, (field(), 1), &program)?;
        let transforms = Transforms::new(by, neighbours);
        Arithmetic::new(plan, field(), &program, transforms)
    }

    /// By transforms modulo several primes of 31 bits.
    fn by_several_primes(
        (device, stream): (&Device, &Stream),
        prime: u64,
        fields: &Arc<Fields>,
        plan: TreePlan,
    ) -> Result<Arithmetic, GpuError> {
        let word = fields.word();
        let bytes = plan.bytes_by_several_primes(device.info(), word, prime)?;
        let basis = plan.basis(prime)?;
        plan.check_memory(device, bytes, basis.len() * size_of::<u32>())?;
        let several = SeveralPrimes::new(stream, (prime, word.width()), plan, &basis)?;
        let of_values = Arc::new(Fields::new(stream, Word::U32, basis.primes(), 0)?);
        let program = device.program(&word_source(&of_values, plan.leaf))?;
        let field = Field::of_words(&of_values, plan.leaf);
        let neighbours = Neighbours::new(plan, (field, basis.len()), &program)?;
        let transforms = Transforms::new(By::SeveralPrimes(Box::new(several)), neighbours);
        let program = device.program(&word_source(fields, plan.leaf))?;
        Arithmetic::new(
            plan,
            Field::of_words(fields, plan.leaf),
            &program,
            transforms,
        )
    }

    /// The tree over `count` points of a field modulo r^k + 1, canonical elements of k words from the one on that is given.
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::gpu::{Device, Selection, SubproductTree};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
    /// let field = AnyField::generalized_fermat((1 << 59) + (1 << 58) + (1 << 11), 4)?; // P4
    /// let stream = device.stream()?;
    /// let points = device.filled(&stream, &[2, 0, 0, 0, 3, 0, 0, 0])?;
    /// let tree = SubproductTree::of_elements(&device, &stream, &field, (&points, 0), 2)?;
    /// let f = device.filled(&stream, &[5u64, 0, 0, 0, 7, 0, 0, 0])?; // 7x + 5
    /// let mut values = device.buffer(8)?;
    /// tree.evaluate(&stream, (&f, 0), 2, (&mut values, 0))?;
    /// let mut found = [0; 8];
    /// stream.read(&values, &mut found)?;
    /// assert_eq!(found, [19, 0, 0, 0, 26, 0, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a field that devices do not [know](BigPrimeContext::knows), one without roots of unity for so
    /// many points ([`TreePlan::fits_big_prime`]), and no points or more than 2^27; [`GpuError::Limits`] where groups of the
    /// device have too few threads; [`GpuError::OutOfMemory`] before anything is computed; errors of the device.
    pub fn of_elements(
        device: &Device,
        stream: &Stream,
        field: &AnyField,
        (points, first): (&Buffer<u64>, usize),
        count: usize,
    ) -> Result<Self, GpuError> {
        let plan = TreePlan::of_elements(count).check(device.info(), Word::U64)?;
        let k = field.width();
        points.check_rows("points", first.saturating_mul(k), count, k)?;
        if !BigPrimeContext::knows(field) || !plan.fits_big_prime(field.two_adicity()) {
            return Err(GpuError::Shape(format!(
                "a tree over {count} points modulo {} takes a radix that devices know and roots of unity of order {}",
                field,
                2 * plan.padded()
            )));
        }
        let threads = step_threads(device.info(), k)?;
        plan.check_memory(device, plan.bytes_of_elements(k), k * size_of::<u64>())?;
        let program = device.program(&digit_source(threads))?;
        let longest = BigPrimeContext::new(device, field, plan.log_points(plan.levels()), 1)?;
        let radix = longest.radix();
        let mut levels = Vec::with_capacity(plan.levels() + 1);
        for level in 0..plan.levels() {
            let log_points = plan.log_points(level);
            levels.push(longest.beside(log_points, (2 * plan.padded()) >> log_points)?);
        }
        levels.push(longest);
        let field = || Field::of_digits(radix, k, threads);
        let neighbours = Neighbours::new(plan, (field(), 1), &program)?;
        let transforms = Transforms::new(By::Digits(levels), neighbours);
        let arithmetic = Arithmetic::new(plan, field(), &program, transforms)?;
        let points = (points.cast_ref(), first);
        Self::over(device, stream, arithmetic, (points, size_of::<u64>()), plan)
    }

    /// The tree over points that are there, in words of so many bytes, in a way and with memory that were checked.
    fn over(
        device: &Device,
        stream: &Stream,
        arithmetic: Arithmetic,
        (points, word): ((&Buffer<u32>, usize), usize),
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        let mut tree = Self {
            device: device.clone(),
            plan,
            word,
            arithmetic,
            // What these are is computed below.
            points: device.buffer(1)?,
            leaves: device.buffer(1)?,
            levels: Vec::with_capacity(plan.levels()),
            root: device.buffer(1)?,
            inverse: device.buffer(1)?,
            weights: OnceLock::new(),
        };
        tree.grow(stream, points)?;
        tree.invert(stream)?;
        Ok(tree)
    }

    /// How it is laid out.
    pub const fn plan(&self) -> TreePlan {
        self.plan
    }

    /// Memory for so many elements.
    pub(super) fn buffer(&self, elements: usize) -> Result<Buffer<u32>, GpuError> {
        self.device.buffer(elements * self.arithmetic.width())
    }

    /// Checks that so many elements are there, in words as those of the points or in words of 32 bits.
    pub(super) fn check<E: Pod>(
        &self,
        what: &str,
        buffer: &Buffer<E>,
        first: usize,
        count: usize,
    ) -> Result<(), GpuError> {
        if ![self.word, size_of::<u32>()].contains(&size_of::<E>()) {
            return Err(GpuError::Shape(format!(
                "{what} are in words of {} bytes, and the points of the tree in words of {}",
                size_of::<E>(),
                self.word
            )));
        }
        let width = self.arithmetic.width() * size_of::<u32>() / size_of::<E>();
        let first = first.saturating_mul(width);
        buffer.check_rows(what, first, count, width).map(|_| ())
    }

    /// Vectors of a level that N elements are.
    pub(super) fn vectors(&self, level: usize) -> usize {
        self.plan.padded() >> self.plan.log_points(level)
    }

    /// Leaves, and all levels up to the root.
    fn grow(
        &mut self,
        stream: &Stream,
        (points, first): (&Buffer<u32>, usize),
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let arithmetic = &self.arithmetic;
        let mut padded = self.buffer(n)?;
        let part = Part::of(first, self.plan.points);
        arithmetic.part(stream, (&mut padded, 0), n, points, part)?;
        let mut leaves = self.buffer(n)?;
        arithmetic.leaves(stream, &mut leaves, &padded, None)?;
        let mut node = self.buffer(n)?;
        stream.copy((&leaves, 0), (&mut node, 0), n * arithmetic.width())?;
        let transforms = &arithmetic.transforms;
        for level in 0..self.plan.levels() {
            let mut spread = self.buffer(2 * n)?;
            let vectors = self.vectors(level);
            arithmetic.spread(stream, &mut spread, &node, level, true)?;
            drop(node);
            let values = transforms.forward(stream, level, spread, 2 * vectors)?;
            let products = transforms.products(stream, level, &values)?;
            node = transforms.inverse(stream, level, products, vectors)?;
            self.levels.push(values);
        }
        (self.points, self.leaves, self.root) = (padded, leaves, node);
        Ok(())
    }

    /// The inverse of the reversed root.
    fn invert(&mut self, stream: &Stream) -> Result<(), GpuError> {
        let (n, leaf) = (self.plan.padded(), self.plan.leaf);
        let arithmetic = &self.arithmetic;
        let transforms = &arithmetic.transforms;
        let (mut reversed, mut inverse) = (self.buffer(n)?, self.buffer(n)?);
        let of_root = Part {
            lead: true,
            ..Part::backward(0, n, n)
        };
        arithmetic.part(stream, (&mut reversed, 0), n, &self.root, of_root)?;
        arithmetic.invert_leaf(stream, &mut inverse, &reversed)?;
        for level in 0..self.plan.levels() {
            // From h terms to 2h: what the inverse lacks is -e times it, where it times the series is 1 + e x^h + …
            let h = leaf << level;
            let (mut series, mut known) = (self.buffer(2 * h)?, self.buffer(2 * h)?);
            let of_series = Part::of(0, 2 * h);
            arithmetic.part(stream, (&mut series, 0), 2 * h, &reversed, of_series)?;
            arithmetic.part(stream, (&mut known, 0), 2 * h, &inverse, Part::of(0, h))?;
            let known = transforms.forward(stream, level, known, 1)?;
            let mut error = transforms.forward(stream, level, series, 1)?;
            transforms.multiply(stream, level, &mut error, &known)?;
            let error = transforms.inverse(stream, level, error, 1)?;
            let mut step = self.buffer(2 * h)?;
            arithmetic.part(stream, (&mut step, 0), 2 * h, &error, Part::of(h, h))?;
            drop(error);
            let mut step = transforms.forward(stream, level, step, 1)?;
            transforms.multiply(stream, level, &mut step, &known)?;
            let step = transforms.inverse(stream, level, step, 1)?;
            let negated = Part {
                negated: true,
                ..Part::of(0, h)
            };
            arithmetic.part(stream, (&mut inverse, h), h, &step, negated)?;
        }
        let mut padded = self.buffer(2 * n)?;
        arithmetic.part(stream, (&mut padded, 0), 2 * n, &inverse, Part::of(0, n))?;
        self.inverse = transforms.forward(stream, self.plan.levels(), padded, 1)?;
        Ok(())
    }
}
