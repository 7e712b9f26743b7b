//! Resultants over the integers whose images are computed in parts.

use super::bound;
use super::euclid::SylvesterImages;
use crate::{IntegerPolyRing, Poly, PolyError};
use std::ops::Range;
use sunzi_integer::{Integer, mul_limbs};
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::Work;
use sunzi_rns::images::{Fingerprint, Images, Part, PartsError, from_number, put_together, room};
use sunzi_rns::{WordPrimes, primes_above};

/// The images of a resultant over the integers, modulo primes below 2^50.
///
/// [`Images`] says how they are computed in parts; a prime that divides both leading coefficients tells nothing.
/// [`IntegerResultant`](crate::IntegerResultant) computes the same images on one machine.
///
/// ```
/// use sunzi::images::Images;
/// use sunzi::solve::{ResultantImages, resultant};
///
/// let (f, g) = ("10^40*x^3 - 2*x + 1".parse()?, "7*x^2 - 10^30".parse()?);
/// let job = ResultantImages::new(&f, &g);
/// let (low, high) = (job.compute(0..5)?, job.compute(5..job.needed())?);
/// assert_eq!(job.combine(&[high, low]), Ok(resultant(&f, &g)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ResultantImages {
    /// Primitive parts of positive degrees; none where the resultant takes no images.
    primitive: Option<[Vec<Integer>; 2]>,
    /// Numbers and powers of them whose product is the resultant over that of the primitive parts.
    factors: [(Integer, usize); 2],
    needed: u64,
    fingerprint: u128,
}

impl ResultantImages {
    /// Those of the resultant of two polynomials, with the conventions of [`resultant`](crate::resultant).
    pub fn new(f: &Poly<Integer>, g: &Poly<Integer>) -> Self {
        let lists = [f, g].map(Poly::coefficients);
        let [of_f, of_g] = lists.map(<[Integer]>::iter);
        let fingerprint = Fingerprint::of("resultant").with(of_f).with(of_g).finish();
        let without = |factor| Self {
            primitive: None,
            factors: [factor, (Integer::ONE, 0)],
            needed: 0,
            fingerprint,
        };
        match (f.degree(), g.degree()) {
            (None, _) | (_, None) => without((Integer::ZERO, 1)),
            (Some(0), Some(n)) => without((f[0].clone(), n)),
            (Some(m), Some(0)) => without((g[0].clone(), m)),
            (Some(m), Some(n)) => {
                let ring = IntegerPolyRing::shared();
                let primitive = [f, g].map(|f| ring.primitive_part(f).coefficients().to_vec());
                let bits = bound::norms(&primitive[0], n, &primitive[1], m);
                Self {
                    primitive: Some(primitive),
                    factors: [(ring.content(f), n), (ring.content(g), m)],
                    needed: primes_above(bits.saturating_add(1)) as u64,
                    fingerprint,
                }
            }
        }
    }

    /// The resultant over that of the primitive parts, if there is memory for it.
    fn factor(&self) -> Result<Integer, PartsError> {
        let mut product = Integer::ONE;
        for (number, exponent) in &self.factors {
            let bits = (number.bit_len() as u64).saturating_mul(*exponent as u64);
            Budget::system().require(bits / 8)?;
            product *= number.pow(*exponent);
        }
        Ok(product)
    }
}

impl Images for ResultantImages {
    type Value = Integer;
    type Error = PolyError;

    fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    fn needed(&self) -> u64 {
        self.needed
    }

    fn compute(&self, numbers: Range<u64>) -> Result<Part, PolyError> {
        let count = room(&numbers, 1)?;
        let primes = from_number(WordPrimes::new(), numbers.start);
        let primes: Vec<u64> = primes.take(count).collect();
        let images = match &self.primitive {
            Some([f, g]) => {
                let work = Work::new(count as u64, "primes");
                SylvesterImages::new(f, g).resultants(&primes, &work)?
            }
            None => vec![None; primes.len()],
        };
        Ok(Part {
            fingerprint: self.fingerprint,
            first: numbers.start,
            images,
        })
    }

    fn combine(&self, parts: &[Part]) -> Result<Integer, PartsError> {
        let job = (self.fingerprint, self.needed);
        let values: Vec<Integer> = put_together(job, 1, WordPrimes::new(), parts, mul_limbs)?;
        let value = match &self.primitive {
            None => Integer::ONE,
            Some(_) => values.into_iter().next().unwrap_or_default(),
        };
        Ok(value * self.factor()?)
    }
}
