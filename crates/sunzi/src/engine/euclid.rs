//! Division and Euclid's algorithm for polynomials modulo a prime.

use super::on_device::OnDevice;
use super::residues::DeviceField;
use super::{Batch, Engine, EngineError, Target, Work};
use crate::field::{Fp32, Fp64};
use crate::poly::{AnyPoly, AnyPolyRing, Poly, PolyError};
use sunzi_device::Stream;
use sunzi_gpu::ResidueWord;
use sunzi_gpu::euclid::{Cofactors, Division, EuclidContext};

/// A dividend and a divisor, or any two.
type Pair<'a> = [&'a AnyPoly; 2];

/// A quotient and a remainder, where the divisor is not 0.
type Divided = Result<[AnyPoly; 2], PolyError>;

/// How devices compute with pairs over a field that they know.
type OnDevices<T> = fn(&OnDevice, &AnyPolyRing, &[Pair<'_>]) -> Result<Vec<T>, EngineError>;

/// What devices run for the ring's field: the first for primes below 2^31, the second below 2^63. None for others.
fn over<T>(ring: &AnyPolyRing, [short, long]: [OnDevices<T>; 2]) -> Option<OnDevices<T>> {
    let short = ring.over::<Fp32>().map(|_| short);
    short.or_else(|| ring.over::<Fp64>().map(|_| long))
}

impl Engine {
    /// Whether devices divide polynomials of this ring, and run Euclid's algorithm, too: modulo odd primes below 2^63.
    #[must_use]
    pub fn devices_divide(ring: &AnyPolyRing) -> bool {
        ring.over::<Fp32>().is_some() || ring.over::<Fp64>().is_some()
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
        let on_device = over(ring, [OnDevice::divrem::<Fp32>, OnDevice::divrem::<Fp64>]);
        let divide = |[a, b]: &Pair<'_>| match b.len() == 0 {
            true => Ok(Err(PolyError::DivisionByZero)),
            false => Ok(Ok(ring.divrem(a, b)?)),
        };
        let Batch {
            results,
            on_device,
            device,
            warnings,
        } = self.pairs(ring, pairs, on_device, &divide)?;
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
        let on_device = over(ring, [OnDevice::gcds::<Fp32>, OnDevice::gcds::<Fp64>]);
        self.pairs(ring, pairs, on_device, &|[a, b]| Ok(ring.gcd(a, b)?))
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
        let on_device = over(ring, [OnDevice::xgcds::<Fp32>, OnDevice::xgcds::<Fp64>]);
        self.pairs(ring, pairs, on_device, &|[a, b]| Ok(ring.xgcd(a, b)?))
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
        let on_device = over(
            ring,
            [OnDevice::resultants::<Fp32>, OnDevice::resultants::<Fp64>],
        );
        self.pairs(ring, pairs, on_device, &|[a, b]| Ok(ring.resultant(a, b)?))
    }

    /// Results of pairs: on a device if it was asked for and knows the field.
    fn pairs<T: Send>(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
        on_device: Option<OnDevices<T>>,
        on_processor: &(dyn Fn(&Pair<'_>) -> Result<T, EngineError> + Sync),
    ) -> Result<Batch<T>, EngineError> {
        let asked = matches!(self.target, Target::Device(_));
        match on_device {
            Some(on_device) if asked => {
                let work = Work {
                    words: &|[a, b]: &Pair<'_>| a.len() + b.len(),
                    on_device: &|device, pairs| on_device(device, ring, pairs),
                    on_processor,
                };
                self.run(pairs, &work)
            }
            _ => {
                let mut batch = Batch::on_processor(pairs, on_processor);
                if asked {
                    let what = "divisions modulo a prime above 2^63";
                    batch.warn(format!("{what} are computed on the processor"));
                }
                Ok(batch)
            }
        }
    }
}

/// What computes with pairs on a device.
struct Prepared<'a, F: DeviceField> {
    slices: Vec<[&'a [F::Elem]; 2]>,
    context: EuclidContext,
    stream: Stream,
}

impl<'a, F: DeviceField> Prepared<'a, F> {
    fn new(device: &OnDevice, ring: &AnyPolyRing, pairs: &[Pair<'a>]) -> Result<Self, EngineError> {
        let ring = ring.over::<F>().ok_or(PolyError::OtherField)?;
        let slices = pairs.iter().map(|[a, b]| {
            let pair = [a.over::<F>()?, b.over::<F>()?];
            Ok(pair.map(|polynomial| polynomial.coefficients()))
        });
        let slices = slices.collect::<Result<Vec<_>, PolyError>>()?;
        let longest = slices.iter().flatten().map(|operand| operand.len()).max();
        let (device, word) = (device.device(), <F::Elem as ResidueWord>::WORD);
        let prime = ring.field().word_prime();
        Ok(Self {
            slices,
            context: EuclidContext::new(device, word, prime, longest.unwrap_or(0))?,
            stream: device.stream()?,
        })
    }
}

/// A polynomial of these coefficients.
fn polynomial<F: DeviceField>(coefficients: Vec<F::Elem>) -> AnyPoly {
    AnyPoly::new::<F>(Poly::new(coefficients))
}

impl OnDevice {
    fn divrem<F: DeviceField>(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<Divided>, EngineError> {
        let mut prepared = Prepared::<F>::new(self, ring, pairs)?;
        prepared.slices.retain(|[_, divisor]| !divisor.is_empty());
        let Prepared {
            slices,
            context,
            stream,
        } = prepared;
        let mut divisions = context.divide_all(&stream, &slices)?.into_iter();
        let parts = |Division {
                         quotient,
                         remainder,
                     }| [quotient, remainder].map(polynomial::<F>);
        let results = pairs.iter().map(|[_, divisor]| {
            let division = match divisor.len() == 0 {
                true => None,
                false => divisions.next(),
            };
            division.map(parts).ok_or(PolyError::DivisionByZero)
        });
        Ok(results.collect())
    }

    fn gcds<F: DeviceField>(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<AnyPoly>, EngineError> {
        let Prepared {
            slices,
            context,
            stream,
        } = Prepared::<F>::new(self, ring, pairs)?;
        let divisors = context.gcd_all(&stream, &slices)?.into_iter();
        Ok(divisors.map(polynomial::<F>).collect())
    }

    fn xgcds<F: DeviceField>(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<[AnyPoly; 3]>, EngineError> {
        let Prepared {
            slices,
            context,
            stream,
        } = Prepared::<F>::new(self, ring, pairs)?;
        let found = context.xgcd_all(&stream, &slices)?.into_iter();
        let parts = |Cofactors { gcd, s, t }| [gcd, s, t].map(polynomial::<F>);
        Ok(found.map(parts).collect())
    }

    fn resultants<F: DeviceField>(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        let Prepared {
            slices,
            context,
            stream,
        } = Prepared::<F>::new(self, ring, pairs)?;
        let resultants = context.resultant_all(&stream, &slices)?.into_iter();
        Ok(resultants.map(|x| F::into_rows(vec![x])).collect())
    }
}
