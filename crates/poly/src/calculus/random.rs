//! Random polynomials that a seed determines.

use sunzi_field::Field;
use sunzi_field::random::SplitMix64;
use sunzi_integer::Natural;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;

impl<F: CoefficientField> PolyRing<F> {
    /// A polynomial whose `len` coefficients are uniformly distributed and determined by the seed: the same
    /// on every machine. Not for secrets.
    ///
    /// The leading one is 0 with probability 1/p, so the degree may be below len − 1. Numbers with
    /// as many bits as p come from SplitMix64 (G. Steele, D. Lea, C. Flood, *Fast splittable pseudorandom
    /// number generators*, 2014), from the highest bits of its words; those that are not below p are
    /// rejected, fewer than half of them.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::PolyRing;
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let f = ring.random(1000, 7)?;
    /// assert!(f.len() <= 1000 && f.coefficients().iter().all(|&coefficient| coefficient < 101));
    /// assert_eq!(f, ring.random(1000, 7)?);
    /// assert_ne!(f, ring.random(1000, 8)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn random(&self, len: usize, seed: u64) -> Result<Poly<F::Elem>, PolyError> {
        self.require_vectors(1, len)?;
        let mut words = SplitMix64::new(seed);
        let modulus: Natural = self.field().modulus();
        let coefficients = match u64::try_from(&modulus) {
            Ok(prime) => {
                let residues = (0..len).map(|_| below(prime, &mut words));
                residues.map(|word| self.field().from_u64(word)).collect()
            }
            Err(_) => (0..len)
                .map(|_| uniform(self.field(), &modulus, &mut words))
                .collect(),
        };
        Ok(Poly::new(coefficients))
    }
}

/// A number below the bound, which is not 0.
fn below(bound: u64, words: &mut SplitMix64) -> u64 {
    loop {
        let word = words.word() >> bound.leading_zeros();
        if word < bound {
            return word;
        }
    }
}

/// An element of a field whose prime is longer than a word: words from the lowest to the highest.
fn uniform<F: Field>(field: &F, modulus: &Natural, words: &mut SplitMix64) -> F::Elem {
    let bits = modulus.bit_len();
    let spare = bits.next_multiple_of(64) - bits;
    loop {
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64)).map(|_| words.word()).collect();
        if let Some(highest) = limbs.last_mut() {
            *highest >>= spare;
        }
        let number = Natural::from_limbs(limbs);
        if number < *modulus {
            return field.from_integer(&number);
        }
    }
}
