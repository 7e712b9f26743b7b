//! Values of polynomials at many points, and polynomials of given values.

use super::device_tree::{DeviceTree, fits};
use super::on_device::OnDevice;
use super::{Batch, Engine, EngineError, Target, Work};
use crate::poly::{AnyPoly, AnyPolyRing, AnySubproductTree, PolyError};
use std::sync::OnceLock;
use sunzi_device::GpuError;

/// Points, prepared for many polynomials where an engine computes.
///
/// On a device they are only where it was asked for ([`DeviceChoice::Only`](super::DeviceChoice::Only)), and the ring's
/// prime is known there ([`Engine::devices_have_trees`]).
#[derive(Debug)]
pub struct Tree<'e> {
    engine: &'e Engine,
    ring: AnyPolyRing,
    /// Their rows, and how many they are.
    points: Vec<u64>,
    len: usize,
    on_device: Option<DeviceTree>,
    /// Made when first needed where there is one on a device.
    on_processor: OnceLock<AnySubproductTree>,
    /// Why there is none on the device that was asked for.
    warning: Option<String>,
}

/// What a device does to rows with a tree.
type OnTree<'a, R, T> = dyn Fn(&OnDevice, &[R], &DeviceTree) -> Result<Vec<T>, EngineError> + 'a;

impl Engine {
    /// Whether devices evaluate and interpolate polynomials of this ring at so many points, too: modulo any odd prime of a
    /// word, up to 2^20 points at least, and modulo r^k + 1 where r is at least 256 with roots of unity for twice as many.
    ///
    /// ```
    /// use sunzi::engine::Engine;
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let over = |prime| AnyField::modulo_word(prime).map(|field| AnyPolyRing::new(&field));
    /// assert!(Engine::devices_have_trees(&over(469_762_049)?, 1 << 20));
    /// assert!(Engine::devices_have_trees(&over(1_000_000_007)?, 1 << 20));
    /// let tiny = AnyPolyRing::new(&AnyField::generalized_fermat(10, 2)?); // modulo 101
    /// assert!(!Engine::devices_have_trees(&tiny, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn devices_have_trees(ring: &AnyPolyRing, points: usize) -> bool {
        fits(ring.field(), points)
    }

    /// Prepares points, which are given by their rows, for the evaluation and interpolation of polynomials of a ring.
    ///
    /// ```
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let ring = AnyPolyRing::new(&AnyField::modulo_word(469_762_049)?);
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// let tree = engine.subproduct_tree(&ring, vec![0, 1, 2])?;
    /// let f = ring.polynomial(vec![5, 0, 1])?; // x² + 5
    /// let values = tree.evaluate_all(&[&f])?.into_all()?;
    /// assert_eq!(values, [[5, 6, 9]]);
    /// let found = tree.interpolate_all(&values)?.into_all()?;
    /// assert_eq!(found[0].rows(), f.rows());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails; [`PolyError::PointOutside`] for rows that are no
    /// elements of the field; [`PolyError::OutOfMemory`].
    pub fn subproduct_tree(
        &self,
        ring: &AnyPolyRing,
        points: Vec<u64>,
    ) -> Result<Tree<'_>, EngineError> {
        let mut tree = Tree {
            engine: self,
            ring: ring.clone(),
            len: points.len() / ring.field().width(),
            points,
            on_device: None,
            on_processor: OnceLock::new(),
            warning: None,
        };
        if let (Target::Device(device), 1..) = (&self.target, tree.len) {
            let is_known = fits(ring.field(), tree.len);
            match is_known.then(|| tree.grow(device)) {
                None => {
                    let what = "values at so many points modulo this prime";
                    tree.warning = Some(format!("{what} are computed on the processor"));
                }
                Some(Ok(on_device)) => tree.on_device = Some(on_device),
                Some(Err(EngineError::Gpu(
                    beyond @ (GpuError::OutOfMemory { .. }
                    | GpuError::Limits { .. }
                    | GpuError::TooFewPrimes { .. }),
                ))) => {
                    tree.warning = Some(format!("computed on the processor instead: {beyond}"));
                }
                Some(Err(error)) => return Err(error),
            }
        }
        if tree.on_device.is_none() {
            tree.len = tree.on_processor()?.len();
        }
        Ok(tree)
    }
}

impl Tree<'_> {
    /// How many points there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Computes what evaluations have in common; otherwise the first one does.
    ///
    /// # Errors
    /// As [`AnySubproductTree::prepare_evaluation`].
    pub fn prepare_evaluation(&self) -> Result<(), EngineError> {
        match &self.on_device {
            Some(_) => Ok(()),
            None => Ok(self.on_processor()?.prepare_evaluation()?),
        }
    }

    /// The rows of the values of polynomials at the points.
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own.
    pub fn evaluate_all(&self, polynomials: &[&AnyPoly]) -> Result<Batch<Vec<u64>>, EngineError> {
        let on_processor = |f: &&AnyPoly| Ok(self.on_processor()?.evaluate(f)?);
        self.run(polynomials, &on_processor, &|device, polynomials, tree| {
            tree.values(device, polynomials)
        })
    }

    /// The polynomials of least degree with these values at the points, which are given by their rows.
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own:
    /// [`PolyError::RepeatedPoint`], and those of values that are no elements or not as many as points.
    pub fn interpolate_all(&self, values: &[Vec<u64>]) -> Result<Batch<AnyPoly>, EngineError> {
        let on_processor =
            |values: &&Vec<u64>| Ok(self.on_processor()?.interpolate(values.to_vec())?);
        // What is wrong with values or points the processor tells.
        let is_wrong = |values: &Vec<u64>| {
            let field = self.ring.field();
            self.on_device.is_some()
                && (values.len() != self.len * field.width()
                    || field.first_outside(values[..].into()).is_some())
        };
        let (wrong, sound): (Vec<_>, Vec<_>) = values.iter().partition(|values| is_wrong(values));
        if self.has_repeated_points()? {
            return Ok(Batch::on_processor(
                &values.iter().collect::<Vec<_>>(),
                on_processor,
            ));
        }
        let mut batch = self.run(&sound, &on_processor, &|device, values, tree| {
            tree.interpolations(device, values)
        })?;
        let mut found = std::mem::take(&mut batch.results).into_iter();
        let mut refused = Batch::on_processor(&wrong, on_processor)
            .results
            .into_iter();
        let in_order = values.iter().map(|values| match is_wrong(values) {
            true => refused.next(),
            false => found.next(),
        });
        batch.results = in_order.flatten().collect();
        Ok(batch)
    }

    /// Whether the device has found points that are equal.
    fn has_repeated_points(&self) -> Result<bool, EngineError> {
        let (Some(tree), Some(device)) = (&self.on_device, self.engine.opened()) else {
            return Ok(false);
        };
        let stream = device.device().stream()?;
        match tree.repeated_point(&stream) {
            // It is told where rows are computed.
            Err(GpuError::OutOfMemory { .. }) => Ok(false),
            repeated => Ok(repeated?.is_some()),
        }
    }

    /// The results of rows where the tree is.
    fn run<R: Sync, T: Send>(
        &self,
        rows: &[R],
        on_processor: &(dyn Fn(&R) -> Result<T, EngineError> + Sync),
        on_device: &OnTree<'_, R, T>,
    ) -> Result<Batch<T>, EngineError> {
        let Some(tree) = &self.on_device else {
            let mut batch = Batch::on_processor(rows, on_processor);
            self.warning
                .clone()
                .into_iter()
                .for_each(|warning| batch.warn(warning));
            return Ok(batch);
        };
        let work = Work {
            words: &|_: &R| self.points.len(),
            on_device: &|device, rows| on_device(device, rows, tree),
            on_processor,
        };
        self.engine.run(rows, &work)
    }

    /// The processor's tree.
    fn on_processor(&self) -> Result<&AnySubproductTree, EngineError> {
        if let Some(tree) = self.on_processor.get() {
            return Ok(tree);
        }
        let tree = self.ring.subproduct_tree(self.points.clone())?;
        Ok(self.on_processor.get_or_init(|| tree))
    }

    /// The tree on a device that knows it.
    fn grow(&self, device: &OnDevice) -> Result<DeviceTree, EngineError> {
        if let Some(index) = self.ring.field().first_outside(self.points[..].into()) {
            return Err(PolyError::PointOutside { index }.into());
        }
        DeviceTree::grow(device, &self.ring, &self.points)
    }
}
