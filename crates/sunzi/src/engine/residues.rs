//! Polynomials modulo a prime.

use super::device_products::{DeviceProducts, Pair};
use super::on_device::{OnDevice, keep_all, limbs_of};
use super::{Batch, Engine, EngineError, Target, Work, big_prime};
use crate::field::{Fp32, Fp64, Rows};
use crate::poly::{Algorithm, AnyPoly, AnyPolyRing, CoefficientField, Plan, Poly, PolyError};
use sunzi_gpu::ResidueWord;
use sunzi_gpu::products::{Operand, ProductForm};

/// A field whose elements a device knows: words that stand for themselves.
pub(super) trait DeviceField: CoefficientField<Elem: ResidueWord> + Rows {
    /// The prime.
    fn word_prime(&self) -> u64;

    /// The words of elements, two for each where they have 64 bits.
    fn words(elements: &[Self::Elem]) -> &[u32];

    /// Elements of such words.
    fn from_words(words: &[u32]) -> Vec<Self::Elem>;
}

impl DeviceField for Fp32 {
    fn word_prime(&self) -> u64 {
        self.prime().into()
    }

    fn words(elements: &[u32]) -> &[u32] {
        elements
    }

    fn from_words(words: &[u32]) -> Vec<u32> {
        words.to_vec()
    }
}

impl DeviceField for Fp64 {
    fn word_prime(&self) -> u64 {
        self.prime()
    }

    fn words(elements: &[u64]) -> &[u32] {
        bytemuck::cast_slice(elements)
    }

    fn from_words(words: &[u32]) -> Vec<u64> {
        limbs_of(words)
    }
}

/// How devices multiply polynomials of this ring; none where they do not know its field.
fn on_devices(ring: &AnyPolyRing) -> Option<DeviceProducts> {
    fn typed<F: DeviceField>(ring: &AnyPolyRing) -> Option<DeviceProducts> {
        ring.over::<F>().map(|_| DeviceProducts {
            words: size_of::<F::Elem>() / size_of::<u32>(),
            multiply: OnDevice::multiply_residues::<F>,
            unasked: true,
        })
    }
    let word = typed::<Fp32>(ring).or_else(|| typed::<Fp64>(ring));
    word.or_else(|| big_prime::multiplication(ring))
}

impl Engine {
    /// Whether devices multiply polynomials of this ring, too: modulo r^k + 1 where r is at least 256.
    ///
    /// ```
    /// use sunzi::engine::Engine;
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let over = |field: &AnyField| Engine::devices_multiply(&AnyPolyRing::new(field));
    /// assert!(over(&AnyField::modulo_word(101)?));
    /// assert!(!over(&AnyField::generalized_fermat(10, 2)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn devices_multiply(ring: &AnyPolyRing) -> bool {
        on_devices(ring).is_some()
    }

    /// What the processor runs for polynomials of these numbers of coefficients, and why.
    ///
    /// # Errors
    /// [`EngineError::Polynomial`] if the named algorithm cannot do it.
    pub fn plan_residues(
        &self,
        ring: &AnyPolyRing,
        [len_a, len_b]: [usize; 2],
        algorithm: Option<Algorithm>,
    ) -> Result<Plan, EngineError> {
        match algorithm {
            Some(algorithm) => Ok(ring.plan_with(algorithm, len_a, len_b)?),
            None => Ok(ring.plan(len_a, len_b)),
        }
    }

    /// Multiplies pairs of polynomials of a ring. Modulo r^k + 1 a device does so only where it was asked for
    /// ([`DeviceChoice::Only`](super::DeviceChoice::Only)).
    ///
    /// ```
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let ring = AnyPolyRing::new(&AnyField::modulo_word(7)?);
    /// let f = ring.polynomial(vec![1, 3])?;
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// let products = engine.multiply_residues(&ring, &[[&f, &f]], None)?.into_all()?;
    /// assert_eq!(*products[0].rows(), [1, 6, 2]); // (3x + 1)² = 2x² + 6x + 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own.
    pub fn multiply_residues(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
        algorithm: Option<Algorithm>,
    ) -> Result<Batch<AnyPoly>, EngineError> {
        let multiply = |[a, b]: &Pair<'_>| match algorithm {
            Some(algorithm) => Ok(ring.mul_with(algorithm, a, b)?),
            None => Ok(ring.mul(a, b)?),
        };
        if algorithm.is_some() {
            return Ok(Batch::on_processor(pairs, multiply));
        }
        let asked = matches!(self.target, Target::Device(_));
        let devices = on_devices(ring).filter(|devices| asked || devices.unasked);
        let Some(devices) = devices else {
            let mut batch = Batch::on_processor(pairs, multiply);
            if asked {
                let what = "products modulo this prime";
                batch.warn(format!("{what} are computed on the processor"));
            }
            return Ok(batch);
        };
        let work = Work {
            words: &|[a, b]: &Pair<'_>| devices.words * (a.len() + b.len()),
            on_device: &|device, pairs| (devices.multiply)(device, ring, pairs),
            on_processor: &multiply,
        };
        self.run(pairs, &work)
    }
}

impl OnDevice {
    fn multiply_residues<F: DeviceField>(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<AnyPoly>, EngineError> {
        let ring = ring.over::<F>().ok_or(PolyError::OtherField)?;
        let words = size_of::<F::Elem>() / size_of::<u32>();
        let mut operands = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let [a, b] = pair.map(|poly| poly.over::<F>());
            let [a, b] = [a?, b?].map(|poly| F::words(poly.coefficients()));
            operands.push([Operand::new(a, words), Operand::new(b, words)]);
        }
        let form = ProductForm::modulo(ring.field().word_prime(), words);
        let mut products = vec![AnyPoly::new::<F>(Poly::zero()); pairs.len()];
        let make = |_: usize, words: &[u32]| AnyPoly::new::<F>(Poly::new(F::from_words(words)));
        self.polynomials
            .multiply_together(&form, &operands, |done| {
                keep_all(&mut products, done, make);
            })?;
        Ok(products)
    }
}
