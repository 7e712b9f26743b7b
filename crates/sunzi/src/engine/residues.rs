//! Polynomials modulo a prime.

use super::device_products::{DeviceProducts, Pair};
use super::device_words::DeviceWords;
use super::on_device::{OnDevice, keep_all};
use super::{Batch, Engine, EngineError, Target, Work, big_prime};
use crate::poly::{Algorithm, AnyPoly, AnyPolyRing, Plan, PolyError};
use sunzi_gpu::products::{Operand, ProductForm};

/// How devices multiply polynomials of this ring; none where they do not know its field.
fn on_devices(ring: &AnyPolyRing) -> Option<DeviceProducts> {
    let word = DeviceWords::of_word(ring.field()).map(|words| DeviceProducts {
        words: words.count(1),
        multiply: OnDevice::multiply_residues,
        unasked: true,
    });
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
    fn multiply_residues(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<AnyPoly>, EngineError> {
        let (words, prime) = (DeviceWords::of(ring.field()), ring.field().word_prime());
        let (prime, width) = (prime.ok_or(PolyError::OtherField)?, words.count(1));
        let mut operands = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let [a, b] = pair.map(|polynomial| words.of_polynomial(polynomial));
            operands.push([Operand::new(a?, width), Operand::new(b?, width)]);
        }
        let form = ProductForm::modulo(prime, width);
        let mut products = vec![words.polynomial(&[]); pairs.len()];
        let make = |_: usize, found: &[u32]| words.polynomial(found);
        self.polynomials
            .multiply_together(&form, &operands, |done| {
                keep_all(&mut products, done, make);
            })?;
        Ok(products)
    }
}
