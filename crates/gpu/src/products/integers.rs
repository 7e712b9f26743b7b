//! Integers of all lengths: the short ones word by word, the long ones by transforms.

use super::config::{ProductConfig, Shapes};
use super::contexts::Contexts;
use super::load::Pool;
use super::polynomials::PolynomialMultiplier;
use super::problem::{Operand, ProductForm, ProductProblem};
use super::rows::{Pair, Piece, RowSlot, Rows, Take, groups, one_by_one, ordered, renumbered};
use crate::integer::{IntegerContext, IntegerKernel, IntegerPlan};
use std::sync::Arc;
use sunzi_device::{Device, GpuError};

/// A kernel is for these lengths, and cut up like this; or as it is where nothing is said.
type Key = ([usize; 2], Option<(IntegerKernel, IntegerPlan)>);

/// Multiplies batches of integers, whatever the lengths.
#[derive(Debug)]
pub struct IntegerMultiplier {
    device: Device,
    configs: Shapes,
    contexts: Contexts<Key, IntegerContext>,
    pool: Pool<RowSlot>,
}

impl IntegerMultiplier {
    /// A multiplier that has no kernels yet, by the configuration that suits the device.
    pub fn new(device: &Device) -> Self {
        Self::by(device, Shapes::usual(device))
    }

    /// A multiplier by one configuration for all problems; what is said of transforms is for
    /// [`PolynomialMultiplier::with_config`], which does those.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if it is none for the device.
    pub fn with_config(device: &Device, config: ProductConfig) -> Result<Self, GpuError> {
        Ok(Self::by(device, Shapes::always(device, config)?))
    }

    /// A multiplier that asks for the configuration of each problem, as [`PolynomialMultiplier::with_configs`].
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
            pool: Pool::default(),
        }
    }

    /// The configuration of `batch` products of integers of these lengths.
    fn config(&self, lengths: [usize; 2], batch: usize) -> Result<ProductConfig, GpuError> {
        let problem = ProductProblem {
            form: ProductForm::INTEGERS,
            terms: lengths,
            batch,
        };
        self.configs.of(&self.device, &problem)
    }

    /// Multiplies pairs of integers, digits of 32 bits with the lowest first, and hands each product's digits to
    /// `take`, with the pair's number: as many as both operands have together, or none if one of them has none.
    /// `transforms` does the long ones.
    ///
    /// # Errors
    /// As [`PolynomialMultiplier::multiply`].
    pub fn multiply(
        &self,
        transforms: &PolynomialMultiplier,
        pairs: &[[&[u32]; 2]],
        take: impl FnMut(usize, &[u32]),
    ) -> Result<(), GpuError> {
        self.multiply_together(transforms, pairs, one_by_one(take))
    }

    /// As [`IntegerMultiplier::multiply`], and hands out products as many at a time as are there, with the numbers of
    /// their pairs: all threads of the host may work on them together.
    ///
    /// # Errors
    /// As there.
    pub fn multiply_together(
        &self,
        transforms: &PolynomialMultiplier,
        pairs: &[[&[u32]; 2]],
        mut take: impl FnMut(&[(usize, &[u32])]),
    ) -> Result<(), GpuError> {
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (number, pair) in pairs.iter().enumerate() {
            let lengths = pair.map(<[u32]>::len);
            if lengths.contains(&0) {
                take(&[(number, &[])]);
            } else if self.config(lengths, pairs.len())?.is_word_by_word(lengths) {
                short.push((number, lengths));
            } else {
                long.push(number);
            }
        }
        for (lengths, numbers) in groups(short.into_iter()) {
            let group: Vec<_> = numbers
                .iter()
                .map(|&number| ordered(pairs[number]))
                .collect();
            self.word_by_word(transforms, lengths, &group, &mut |products| {
                take(&renumbered(products, &numbers));
            })?;
        }
        let operands = long
            .iter()
            .map(|&number| pairs[number].map(|words| Operand::new(words, 1)));
        let operands: Vec<_> = operands.collect();
        transforms.multiply_together(&ProductForm::INTEGERS, &operands, |products| {
            take(&renumbered(products, &long));
        })
    }

    /// The kernel for integers of these lengths.
    fn context(
        &self,
        lengths: [usize; 2],
        config: &ProductConfig,
    ) -> Result<Arc<IntegerContext>, GpuError> {
        let [a, b] = lengths;
        let make = || match config.word_by_word {
            Some((kernel, plan)) => IntegerContext::new(&self.device, a, b, kernel, Some(plan)),
            None => IntegerContext::best(&self.device, a, b),
        };
        self.contexts.get((lengths, config.word_by_word), make)
    }

    /// Multiplies pairs of integers of these lengths or fewer.
    fn word_by_word(
        &self,
        transforms: &PolynomialMultiplier,
        lengths: [usize; 2],
        pairs: &[Pair<'_>],
        take: &mut Take<'_>,
    ) -> Result<(), GpuError> {
        let config = self.config(lengths, pairs.len())?;
        let context = self.context(lengths, &config)?;
        let rows = Rows {
            lengths,
            overlap: 0,
            work: 0,
        };
        let cut = match rows.cut(&self.device, &config, pairs.len()) {
            Err(GpuError::OutOfMemory { .. }) => {
                self.pool.clear();
                transforms.forget();
                rows.cut(&self.device, &config, pairs.len())?
            }
            cut => cut?,
        };
        let multiply = |piece: Piece<'_>| {
            let ([a, b], product) = (piece.operands, (piece.product, 0));
            let (count, shared) = (piece.count, piece.shared);
            context.multiply(piece.stream, (a, 0), (b, 0), product, count, shared)
        };
        let on = (&self.device, &config);
        rows.multiply(on, &self.pool, cut, pairs, multiply, take)
    }
}
