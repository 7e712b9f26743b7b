//! Division and Euclid's algorithm for polynomials modulo a prime.

use super::device_words::DeviceWords;
use super::on_device::OnDevice;
use super::{Batch, Engine, EngineError, Target, Work};
use crate::poly::{AnyPoly, AnyPolyRing, PolyError};
use sunzi_device::Stream;
use sunzi_gpu::euclid::{Cofactors, Division, EuclidContext};

/// A dividend and a divisor, or any two.
type Pair<'a> = [&'a AnyPoly; 2];

/// A quotient and a remainder, where the divisor is not 0.
type Divided = Result<[AnyPoly; 2], PolyError>;

/// How devices compute with pairs over a field that they know.
type OnDevices<T> = fn(&OnDevice, &AnyPolyRing, &[Pair<'_>]) -> Result<Vec<T>, EngineError>;

impl Engine {
    /// Whether devices divide polynomials of this ring, and run Euclid's algorithm, too: modulo odd primes below 2^63.
    #[must_use]
    pub fn devices_divide(ring: &AnyPolyRing) -> bool {
        DeviceWords::of_word(ring.field()).is_some()
    }

    /// Quotients and remainders of pairs of polynomials of a ring.
    ///
    /// They are computed on a device only where it was asked for ([`DeviceChoice::Only`](super::DeviceChoice::Only)): it
    /// takes about a hundred pairs at a time to gain from one. Pairs that its memory cannot hold are computed on the
    /// processor, and a warning says so.
    ///
    /// ```
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let ring = AnyPolyRing::new(&AnyField::modulo_word(7)?);
    /// let (f, g) = (ring.polynomial(vec![1, 6, 2])?, ring.polynomial(vec![1, 3])?);
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// let [quotient, remainder] = engine.divrem_all(&ring, &[[&f, &g]])?.into_all()?.remove(0);
    /// assert_eq!((quotient.rows(), remainder.len()), (g.rows(), 0)); // (3x + 1)² = 2x² + 6x + 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own:
    /// [`PolyError::DivisionByZero`].
    pub fn divrem_all(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Batch<[AnyPoly; 2]>, EngineError> {
        let divide = |[a, b]: &Pair<'_>| match b.len() == 0 {
            true => Ok(Err(PolyError::DivisionByZero)),
            false => Ok(Ok(ring.divrem(a, b)?)),
        };
        let Batch {
            results,
            on_device,
            device,
            warnings,
        } = self.pairs(ring, pairs, OnDevice::divrem, &divide)?;
        let results = results.into_iter();
        Ok(Batch {
            results: results
                .map(|result| result.and_then(|found| Ok(found?)))
                .collect(),
            on_device,
            device,
            warnings,
        })
    }

    /// Monic greatest common divisors of pairs of polynomials of a ring, where [`divrem_all`](Self::divrem_all) says.
    ///
    /// ```
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let ring = AnyPolyRing::new(&AnyField::modulo_word(101)?);
    /// let (f, g) = (ring.polynomial(vec![100, 0, 1])?, ring.polynomial(vec![2, 2])?); // x² − 1, 2x + 2
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// let found = engine.gcd_all(&ring, &[[&f, &g]])?.into_all()?;
    /// assert_eq!(*found[0].rows(), [1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own.
    pub fn gcd_all(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Batch<AnyPoly>, EngineError> {
        self.pairs(ring, pairs, OnDevice::gcds, &|[a, b]| Ok(ring.gcd(a, b)?))
    }

    /// Monic greatest common divisors g of pairs a, b, then s and t with g = s·a + t·b, where
    /// [`divrem_all`](Self::divrem_all) says.
    ///
    /// ```
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let ring = AnyPolyRing::new(&AnyField::modulo_word(101)?);
    /// let (f, g) = (ring.polynomial(vec![1, 0, 1])?, ring.polynomial(vec![0, 1])?); // x² + 1, x
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// let [gcd, s, t] = engine.xgcd_all(&ring, &[[&f, &g]])?.into_all()?.remove(0);
    /// assert_eq!([gcd.rows(), s.rows(), t.rows()], [vec![1], vec![1], vec![0, 100]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own.
    pub fn xgcd_all(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Batch<[AnyPoly; 3]>, EngineError> {
        self.pairs(ring, pairs, OnDevice::xgcds, &|[a, b]| Ok(ring.xgcd(a, b)?))
    }

    /// The rows of resultants of pairs of polynomials of a ring, where [`divrem_all`](Self::divrem_all) says.
    ///
    /// ```
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::field::AnyField;
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let ring = AnyPolyRing::new(&AnyField::modulo_word(101)?);
    /// let (f, g) = (ring.polynomial(vec![6, 5, 1])?, ring.polynomial(vec![0, 1])?); // (x + 2)(x + 3), x
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// assert_eq!(engine.resultant_all(&ring, &[[&f, &g]])?.into_all()?, [[6]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own.
    pub fn resultant_all(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Batch<Vec<u64>>, EngineError> {
        self.pairs(ring, pairs, OnDevice::resultants, &|[a, b]| {
            Ok(ring.resultant(a, b)?)
        })
    }

    /// Results of pairs: on a device if it was asked for and knows the field.
    fn pairs<T: Send>(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
        on_device: OnDevices<T>,
        on_processor: &(dyn Fn(&Pair<'_>) -> Result<T, EngineError> + Sync),
    ) -> Result<Batch<T>, EngineError> {
        let asked = matches!(self.target, Target::Device(_));
        if asked && Self::devices_divide(ring) {
            let work = Work {
                words: &|[a, b]: &Pair<'_>| a.len() + b.len(),
                on_device: &|device, pairs| on_device(device, ring, pairs),
                on_processor,
            };
            return self.run(pairs, &work);
        }
        let mut batch = Batch::on_processor(pairs, on_processor);
        if asked {
            let what = "divisions modulo a prime above 2^63";
            batch.warn(format!("{what} are computed on the processor"));
        }
        Ok(batch)
    }
}

/// What computes with pairs on a device.
struct Prepared<'a> {
    words: DeviceWords,
    operands: Vec<[&'a [u32]; 2]>,
    context: EuclidContext,
    stream: Stream,
}

impl<'a> Prepared<'a> {
    fn new(device: &OnDevice, ring: &AnyPolyRing, pairs: &[Pair<'a>]) -> Result<Self, EngineError> {
        let (words, prime) = (DeviceWords::of(ring.field()), ring.field().word_prime());
        let operands = pairs
            .iter()
            .map(|[a, b]| Ok([words.of_polynomial(a)?, words.of_polynomial(b)?]));
        let operands = operands.collect::<Result<Vec<_>, PolyError>>()?;
        let longest = pairs.iter().flatten().map(|operand| operand.len()).max();
        let (device, prime) = (device.device(), prime.ok_or(PolyError::OtherField)?);
        Ok(Self {
            words,
            operands,
            context: EuclidContext::new(device, words.word(), prime, longest.unwrap_or(0))?,
            stream: device.stream()?,
        })
    }

    /// Polynomials of such coefficients.
    fn polynomials<const N: usize>(&self, parts: [Vec<u32>; N]) -> [AnyPoly; N] {
        parts.map(|words| self.words.polynomial(&words))
    }
}

impl OnDevice {
    fn divrem(&self, ring: &AnyPolyRing, pairs: &[Pair<'_>]) -> Result<Vec<Divided>, EngineError> {
        let mut on = Prepared::new(self, ring, pairs)?;
        on.operands.retain(|[_, divisor]| !divisor.is_empty());
        let mut divisions = on.context.divide_all(&on.stream, &on.operands)?.into_iter();
        let parts =
            |division: Division<u32>| on.polynomials([division.quotient, division.remainder]);
        let results = pairs.iter().map(|[_, divisor]| {
            let division = match divisor.len() == 0 {
                true => None,
                false => divisions.next(),
            };
            division.map(parts).ok_or(PolyError::DivisionByZero)
        });
        Ok(results.collect())
    }

    fn gcds(&self, ring: &AnyPolyRing, pairs: &[Pair<'_>]) -> Result<Vec<AnyPoly>, EngineError> {
        let on = Prepared::new(self, ring, pairs)?;
        let divisors = on.context.gcd_all(&on.stream, &on.operands)?;
        Ok(divisors
            .iter()
            .map(|gcd| on.words.polynomial(gcd))
            .collect())
    }

    fn xgcds(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<[AnyPoly; 3]>, EngineError> {
        let on = Prepared::new(self, ring, pairs)?;
        let found = on.context.xgcd_all(&on.stream, &on.operands)?.into_iter();
        let parts = |Cofactors { gcd, s, t }: Cofactors<u32>| on.polynomials([gcd, s, t]);
        Ok(found.map(parts).collect())
    }

    fn resultants(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        let on = Prepared::new(self, ring, pairs)?;
        let resultants = on.context.resultant_all(&on.stream, &on.operands)?;
        let resultants = resultants.chunks(on.words.count(1));
        Ok(resultants.map(|words| on.words.rows(words)).collect())
    }
}
