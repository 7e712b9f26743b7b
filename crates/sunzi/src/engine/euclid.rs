//! Division and Euclid's algorithm for polynomials modulo a prime.

use super::device_words::DeviceWords;
use super::on_device::OnDevice;
use super::{Batch, Engine, EngineError, Target, Work};
use crate::poly::{AnyPoly, AnyPolyRing, PolyError};
use std::borrow::Cow;
use sunzi_device::Stream;
use sunzi_gpu::big_prime::BigPrimeContext;
use sunzi_gpu::digits::ElementEuclid;
use sunzi_gpu::euclid::{Cofactors, Division, EuclidContext};

/// A dividend and a divisor, or any two.
type Pair<'a> = [&'a AnyPoly; 2];

/// A quotient and a remainder, where the divisor is not 0.
type Divided = Result<[AnyPoly; 2], PolyError>;

/// How devices compute with pairs over a field that they know.
type OnDevices<T> = fn(&OnDevice, &AnyPolyRing, &[Pair<'_>]) -> Result<Vec<T>, EngineError>;

impl Engine {
    /// Whether devices divide polynomials of this ring, and run Euclid's algorithm, too: modulo odd primes below 2^63, and modulo
    /// r^k + 1 for radices from 256 on.
    #[must_use]
    pub fn devices_divide(ring: &AnyPolyRing) -> bool {
        DeviceWords::of_word(ring.field()).is_some() || BigPrimeContext::knows(ring.field())
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
            let what = "divisions modulo this prime";
            batch.warn(format!("{what} are computed on the processor"));
        }
        Ok(batch)
    }
}

/// What computes with pairs on a device.
trait Pairs {
    /// Quotients and remainders; no divisor is 0.
    fn divide(&self) -> Result<Vec<[AnyPoly; 2]>, EngineError>;

    fn divisors(&self) -> Result<Vec<AnyPoly>, EngineError>;

    /// Divisors with both cofactors.
    fn cofactors(&self) -> Result<Vec<[AnyPoly; 3]>, EngineError>;

    /// The rows of resultants.
    fn resultants(&self) -> Result<Vec<Vec<u64>>, EngineError>;
}

/// Modulo a prime of a word.
struct OfWords<'a> {
    words: DeviceWords,
    operands: Vec<[&'a [u32]; 2]>,
    context: EuclidContext,
    stream: Stream,
}

impl Pairs for OfWords<'_> {
    fn divide(&self) -> Result<Vec<[AnyPoly; 2]>, EngineError> {
        let divisions = self.context.divide_all(&self.stream, &self.operands)?;
        let parts = |division: Division<u32>| {
            [division.quotient, division.remainder].map(|part| self.words.polynomial(&part))
        };
        Ok(divisions.into_iter().map(parts).collect())
    }

    fn divisors(&self) -> Result<Vec<AnyPoly>, EngineError> {
        let divisors = self.context.gcd_all(&self.stream, &self.operands)?;
        let divisors = divisors.iter();
        Ok(divisors.map(|gcd| self.words.polynomial(gcd)).collect())
    }

    fn cofactors(&self) -> Result<Vec<[AnyPoly; 3]>, EngineError> {
        let found = self.context.xgcd_all(&self.stream, &self.operands)?;
        let parts = |Cofactors { gcd, s, t }: Cofactors<u32>| {
            [gcd, s, t].map(|part| self.words.polynomial(&part))
        };
        Ok(found.into_iter().map(parts).collect())
    }

    fn resultants(&self) -> Result<Vec<Vec<u64>>, EngineError> {
        let resultants = self.context.resultant_all(&self.stream, &self.operands)?;
        let resultants = resultants.chunks(self.words.count(1));
        Ok(resultants.map(|one| self.words.rows(one)).collect())
    }
}

/// Modulo r^k + 1.
struct OfDigits<'a> {
    ring: AnyPolyRing,
    operands: Vec<[Cow<'a, [u64]>; 2]>,
    context: ElementEuclid,
    stream: Stream,
}

impl OfDigits<'_> {
    /// The rows of operands.
    fn rows(&self) -> Vec<[&[u64]; 2]> {
        let operands = self.operands.iter();
        operands.map(|[a, b]| [&a[..], &b[..]]).collect()
    }

    /// Polynomials of the ring by the rows of their coefficients.
    fn polynomials<const N: usize>(
        &self,
        found: Vec<[Vec<u64>; N]>,
    ) -> Result<Vec<[AnyPoly; N]>, EngineError> {
        let parts = |parts: [Vec<u64>; N]| {
            let made = parts.into_iter().map(|part| self.ring.polynomial(part));
            let made: Vec<_> = made.collect::<Result<_, _>>()?;
            made.try_into().map_err(|_| PolyError::OtherField)
        };
        let all: Result<Vec<_>, PolyError> = found.into_iter().map(parts).collect();
        Ok(all?)
    }
}

impl Pairs for OfDigits<'_> {
    fn divide(&self) -> Result<Vec<[AnyPoly; 2]>, EngineError> {
        self.polynomials(self.context.divide_all(&self.stream, &self.rows())?)
    }

    fn divisors(&self) -> Result<Vec<AnyPoly>, EngineError> {
        let divisors = self
            .context
            .gcd_all(&self.stream, &self.rows())?
            .into_iter();
        let found = self.polynomials(divisors.map(|gcd| [gcd]).collect())?;
        Ok(found.into_iter().map(|[gcd]| gcd).collect())
    }

    fn cofactors(&self) -> Result<Vec<[AnyPoly; 3]>, EngineError> {
        self.polynomials(self.context.xgcd_all(&self.stream, &self.rows())?)
    }

    fn resultants(&self) -> Result<Vec<Vec<u64>>, EngineError> {
        let has_zero = |pair: &[&[u64]; 2]| pair.iter().any(|rows| rows.is_empty());
        let all = self.rows();
        let both: Vec<_> = all.iter().copied().filter(|pair| !has_zero(pair)).collect();
        let mut found = self.context.resultant_all(&self.stream, &both)?.into_iter();
        // Those of 0 and another one need no device.
        let resultant = |pair: &[&[u64]; 2]| match has_zero(pair) {
            false => Ok(found.next().unwrap_or_default()),
            true => {
                let [a, b] = pair.map(|rows| self.ring.polynomial(rows.to_vec()));
                Ok(self.ring.resultant(&a?, &b?)?)
            }
        };
        all.iter().map(resultant).collect()
    }
}

impl OnDevice {
    /// The pairs on this device, ready for what is asked of them.
    fn pairs<'a>(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'a>],
    ) -> Result<Box<dyn Pairs + 'a>, EngineError> {
        let (device, field) = (self.device(), ring.field());
        let stream = device.stream()?;
        let Some(prime) = field.word_prime() else {
            for polynomial in pairs.iter().flatten() {
                ring.check(polynomial)?;
            }
            return Ok(Box::new(OfDigits {
                ring: ring.clone(),
                operands: pairs.iter().map(|pair| pair.map(AnyPoly::rows)).collect(),
                context: ElementEuclid::new(device, field)?,
                stream,
            }));
        };
        let words = DeviceWords::of(field);
        let operands = pairs
            .iter()
            .map(|[a, b]| Ok([words.of_polynomial(a)?, words.of_polynomial(b)?]));
        let operands = operands.collect::<Result<Vec<_>, PolyError>>()?;
        let longest = pairs.iter().flatten().map(|operand| operand.len()).max();
        Ok(Box::new(OfWords {
            words,
            operands,
            context: EuclidContext::new(device, words.word(), prime, longest.unwrap_or(0))?,
            stream,
        }))
    }

    fn divrem(&self, ring: &AnyPolyRing, pairs: &[Pair<'_>]) -> Result<Vec<Divided>, EngineError> {
        let is_division = |[_, divisor]: &Pair<'_>| divisor.len() > 0;
        let divisions: Vec<_> = pairs.iter().copied().filter(is_division).collect();
        let mut found = self.pairs(ring, &divisions)?.divide()?.into_iter();
        let results = pairs.iter().map(|pair| {
            let division = if is_division(pair) {
                found.next()
            } else {
                None
            };
            division.ok_or(PolyError::DivisionByZero)
        });
        Ok(results.collect())
    }

    fn gcds(&self, ring: &AnyPolyRing, pairs: &[Pair<'_>]) -> Result<Vec<AnyPoly>, EngineError> {
        self.pairs(ring, pairs)?.divisors()
    }

    fn xgcds(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<[AnyPoly; 3]>, EngineError> {
        self.pairs(ring, pairs)?.cofactors()
    }

    fn resultants(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        self.pairs(ring, pairs)?.resultants()
    }
}
