//! The field modulo r^K + 1.

use std::borrow::Cow;
use std::sync::Arc;

use dashu_int::UBig;

use super::digits::Digits;
use super::error::GeneralizedFermatError;
use super::multiplication::Multiplication;
use super::proof::{self, PrimalityProof};
use super::ring::Ring;
use super::unnormalized::minus_one;
use crate::euclid;
use crate::kernels::DigitKernels;
use crate::primality::factor;
use crate::rows::{Rows, WordRows, WordRowsMut, copy_residues};
use crate::traits::{Field, TwoAdicField};

/// Elements that are multiplied by one factor at a time: at most 32 KiB of them.
const BATCH: usize = 16;

/// The integers modulo a prime `r^K + 1`, K a power of two from 2 to 256 and `r < 2^64` even.
///
/// ```
/// use sunzi::field::{Digits, Field, GeneralizedFermat, TwoAdicField};
///
/// let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39))?; // P8
/// assert_eq!(field.two_adicity(), 312);
/// let minus_one = field.from_i64(-1);
/// assert_eq!(minus_one, Digits([0, 0, 0, 0, 0, 0, 0, field.radix()]));
/// assert_eq!(field.mul(minus_one, minus_one), field.one());
/// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GeneralizedFermat<const K: usize> {
    pub(super) ring: Arc<Ring<K>>,
    proof: Arc<PrimalityProof>,
}

impl<const K: usize> PartialEq for GeneralizedFermat<K> {
    fn eq(&self, other: &Self) -> bool {
        self.radix() == other.radix()
    }
}

impl<const K: usize> Eq for GeneralizedFermat<K> {}

impl<const K: usize> GeneralizedFermat<K> {
    /// The field modulo `radix^K + 1`, which is proved to be prime: O(K·log r) products at least.
    ///
    /// # Errors
    /// [`GeneralizedFermatError`] if the number is even or composite.
    ///
    /// ```
    /// use sunzi::field::{GeneralizedFermat, GeneralizedFermatError};
    ///
    /// let error = GeneralizedFermat::<4>::new(10).unwrap_err();
    /// let expected = GeneralizedFermatError::Composite { radix: 10, digits: 4, factor: Some(73) };
    /// assert_eq!(error, expected);
    /// ```
    pub fn new(radix: u64) -> Result<Self, GeneralizedFermatError> {
        const {
            assert!(
                K.is_power_of_two() && K >= 2 && K <= 256,
                "K is 2, 4, … or 256"
            );
        }
        if radix < 2 {
            return Err(GeneralizedFermatError::RadixTooSmall { radix });
        }
        if !radix.is_multiple_of(2) {
            return Err(GeneralizedFermatError::OddRadix { radix, digits: K });
        }
        let ring = Ring::new(radix);
        let proof = proof::prove(&ring)?;
        Ok(Self {
            ring: Arc::new(ring),
            proof: Arc::new(proof),
        })
    }

    /// The radix r.
    #[must_use]
    pub fn radix(&self) -> u64 {
        self.ring.radix()
    }

    /// How p was shown to be prime.
    ///
    /// ```
    /// let field = sunzi::field::GeneralizedFermat::<2>::new((1 << 63) + (1 << 53))?; // P2F
    /// assert_eq!(field.primality().to_string(), "proved: Proth, 3^((p-1)/2) = -1");
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    #[must_use]
    pub fn primality(&self) -> &PrimalityProof {
        &self.proof
    }

    /// `x·y` by a chosen algorithm; [`Field::mul`] takes the fastest, as measured.
    ///
    /// ```
    /// use sunzi::field::{Digits, Field, GeneralizedFermat, Multiplication};
    ///
    /// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
    /// let x = Digits([0, 0, 1, 0]);
    /// let square = field.mul_by(Multiplication::Transform, x, x);
    /// assert_eq!(square, field.from_i64(-1)); // r^4 = −1
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    #[must_use]
    pub fn mul_by(&self, algorithm: Multiplication, x: Digits<K>, y: Digits<K>) -> Digits<K> {
        self.ring.mul_by(algorithm, &x, &y)
    }

    /// 1, x, x², …: `count` of them. They are doubled in number at a time, so that products come in blocks:
    /// `count` products.
    ///
    /// ```
    /// use sunzi::field::{Field, GeneralizedFermat};
    ///
    /// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
    /// let powers = field.first_powers(field.from_u64(10), 5);
    /// assert_eq!(powers[4], field.from_u64(10_000));
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    #[must_use]
    pub fn first_powers(&self, x: Digits<K>, count: usize) -> Vec<Digits<K>> {
        let mut powers = Vec::with_capacity(count);
        powers.extend((count > 0).then(|| self.one()));
        let mut step = x;
        while powers.len() < count {
            let have = powers.len();
            powers.extend_from_within(..have.min(count - have));
            let factors = vec![step; powers.len() - have];
            self.mul_assign_slice(&mut powers[have..], &factors);
            step = self.mul(step, step);
        }
        powers
    }

    /// `x·r^power` for any power: a rotation of the digits with signs, O(K) operations on words.
    ///
    /// ```
    /// use sunzi::field::{Digits, GeneralizedFermat};
    ///
    /// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
    /// let r = field.radix();
    /// let x = Digits([1, 2, 3, 4]);
    /// // 4·r^4 = −4, which borrows from the digits above.
    /// assert_eq!(field.mul_by_radix_power(x, 1), Digits([r - 4, 0, 2, 3]));
    /// assert_eq!(field.mul_by_radix_power(x, 8), x);
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    #[must_use]
    pub fn mul_by_radix_power(&self, x: Digits<K>, power: usize) -> Digits<K> {
        self.ring.mul_by_radix_power(&x, power)
    }
}

impl<const K: usize> Field for GeneralizedFermat<K> {
    type Elem = Digits<K>;
    type Kernels = DigitKernels;

    fn zero(&self) -> Digits<K> {
        Digits::default()
    }

    fn one(&self) -> Digits<K> {
        Ring::one()
    }

    fn add(&self, a: Digits<K>, b: Digits<K>) -> Digits<K> {
        self.ring.add(&a, &b)
    }

    fn sub(&self, a: Digits<K>, b: Digits<K>) -> Digits<K> {
        self.ring.sub(&a, &b)
    }

    fn neg(&self, a: Digits<K>) -> Digits<K> {
        self.ring.mul_by_radix_power(&a, K)
    }

    fn mul(&self, a: Digits<K>, b: Digits<K>) -> Digits<K> {
        self.ring.mul(&a, &b)
    }

    fn inv(&self, a: Digits<K>) -> Option<Digits<K>> {
        let inverse = euclid::inverse(&self.ring.to_integer(&a), self.ring.modulus())?;
        Some(self.ring.image(false, inverse))
    }

    fn from_u64(&self, value: u64) -> Digits<K> {
        self.ring.image_of_word(value)
    }

    /// In subquadratic time.
    fn from_limbs(&self, negative: bool, limbs: &[u64]) -> Digits<K> {
        self.ring.image(negative, UBig::from_words(limbs))
    }

    /// In subquadratic time.
    fn to_limbs(&self, a: Digits<K>) -> Vec<u64> {
        self.ring.to_integer(&a).as_words().to_vec()
    }

    fn modulus_limbs(&self) -> Vec<u64> {
        self.ring.modulus().as_words().to_vec()
    }

    fn is_canonical(&self, a: Digits<K>) -> bool {
        self.ring.is_canonical(&a)
    }

    /// Eight products at a time where the processor has AVX-512 IFMA.
    fn mul_assign_slice(&self, x: &mut [Digits<K>], y: &[Digits<K>]) {
        assert_eq!(x.len(), y.len(), "slices of equal length");
        if let ([x], [y]) = (&mut *x, y) {
            *x = self.ring.mul(x, y);
            return;
        }
        self.ring.mul_assign(x, y);
    }

    /// As [`Field::mul_assign_slice`].
    fn scale_slice(&self, x: &mut [Digits<K>], factor: Digits<K>) {
        let factors = [factor; BATCH];
        for x in x.chunks_mut(BATCH) {
            self.mul_assign_slice(x, &factors[..x.len()]);
        }
    }

    /// As [`Field::mul_assign_slice`].
    fn combine_slices<const N: usize>(
        &self,
        out: &mut [Digits<K>],
        terms: [(Digits<K>, &[Digits<K>]); N],
    ) {
        for (_, operand) in terms {
            assert_eq!(out.len(), operand.len(), "slices of equal length");
        }
        let mut products = [Digits::default(); BATCH];
        for (index, out) in out.chunks_mut(BATCH).enumerate() {
            let products = &mut products[..out.len()];
            out.fill(Digits::default());
            for (factor, operand) in terms {
                let operand = &operand[index * BATCH..][..out.len()];
                // Products take many times as long as sums.
                if factor == self.one() {
                    self.add_assign_slice(out, operand);
                    continue;
                }
                products.copy_from_slice(operand);
                self.scale_slice(products, factor);
                self.add_assign_slice(out, products);
            }
        }
    }
}

impl<const K: usize> TwoAdicField for GeneralizedFermat<K> {
    fn two_adicity(&self) -> u32 {
        K as u32 * self.radix().trailing_zeros()
    }

    /// It is ω = g^j, where g = a^((p−1)/N), a ≥ 2 is the least quadratic non-residue, and j > 0 the
    /// least with (g^(N/2K))^j = r; for N < 2K it is r^(2K/N). So ω^(N/2K) = r (thesis,
    /// Algorithm 1), and the root for N/2 is the square of the root for N.
    ///
    /// ```
    /// use sunzi::field::{Field, GeneralizedFermat, TwoAdicField};
    ///
    /// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
    /// let omega = field.root_of_unity(6).unwrap();
    /// assert_eq!(field.pow(omega, 64 / 8), field.from_u64(field.radix()));
    /// assert_eq!(field.pow(omega, 32), field.neg(field.one()));
    /// assert!(field.root_of_unity(45).is_none());
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    fn root_of_unity(&self, log_n: u32) -> Option<Digits<K>> {
        let log_cycle = K.trailing_zeros() + 1;
        if log_n > self.two_adicity() {
            return None;
        }
        let one = self.one();
        if log_n < log_cycle {
            return Some(self.mul_by_radix_power(one, (2 * K) >> log_n));
        }
        let ring = &self.ring;
        let squared = |x: Digits<K>, times: u32| (0..times).fold(x, |x, _| ring.mul(&x, &x));
        // (p − 1)/N = m^K·2^(s − log N), m the odd part of r.
        let odd = self.radix() >> self.radix().trailing_zeros();
        let base = ring.image_of_word(ring.least_non_residue());
        let g = squared(ring.pow_of_power(base, odd, K), self.two_adicity() - log_n);
        let rotation = squared(g, log_n - log_cycle);
        let radix = self.mul_by_radix_power(one, 1);
        let mut power = rotation;
        let mut j = 1;
        // The rotation is an odd power of r, so one of its powers below 2K is r.
        while power != radix && j < 2 * K as u64 {
            power = ring.mul(&power, &rotation);
            j += 1;
        }
        debug_assert!(power == radix && minus_one(self.radix()) == self.neg(one));
        Some(ring.pow(&g, j))
    }

    fn least_non_residue(&self) -> u64 {
        self.ring.least_non_residue()
    }

    fn order_factors(&self) -> Vec<(u64, u32)> {
        // p − 1 = r^K.
        let factors = factor(self.radix()).into_iter();
        factors
            .map(|(prime, exponent)| (prime, exponent * K as u32))
            .collect()
    }
}

impl<const K: usize> Rows for GeneralizedFermat<K> {
    const WIDTH: usize = K;

    fn rows(elements: &[Digits<K>]) -> Cow<'_, [u64]> {
        Digits::words_of(elements).into()
    }

    fn from_rows(rows: Vec<u64>) -> Vec<Digits<K>> {
        Digits::from_word_vec(rows)
    }

    fn into_rows(elements: Vec<Digits<K>>) -> Vec<u64> {
        Digits::into_word_vec(elements)
    }

    fn from_row(row: &[u64]) -> Digits<K> {
        row.first_chunk()
            .map_or_else(Digits::default, |&row| Digits(row))
    }

    fn words(elements: &[Digits<K>]) -> WordRows<'_> {
        WordRows::Words64(Digits::words_of(elements))
    }

    fn of_words(words: WordRows<'_>) -> Option<&[Digits<K>]> {
        match words {
            WordRows::Words64(words) if words.len().is_multiple_of(K) => {
                Some(Digits::from_words(words))
            }
            _ => None,
        }
    }

    fn in_words(words: WordRowsMut<'_>) -> Option<&mut [Digits<K>]> {
        match words {
            WordRowsMut::Words64(words) if words.len().is_multiple_of(K) => {
                Some(Digits::from_words_mut(words))
            }
            _ => None,
        }
    }

    fn copy_rows(&self, rows: WordRows<'_>, elements: &mut [Digits<K>]) -> Result<(), usize> {
        let is_element = |x: Digits<K>| self.is_canonical(x);
        match rows {
            WordRows::Words32(rows) => {
                let rows = rows.as_chunks().0;
                let element = |row: [u32; K]| Digits(row.map(u64::from));
                copy_residues(rows, elements, |row| is_element(element(row)), element)
            }
            WordRows::Words64(rows) => {
                copy_residues(Digits::from_words(rows), elements, is_element, |x| x)
            }
        }
    }

    fn description(&self) -> String {
        let radix = self.radix();
        format!("GeneralizedFermat: {K} digits of 64 bits in radix {radix}")
    }

    fn primality_proof(&self) -> String {
        self.primality().to_string()
    }

    fn radix_and_digits(&self) -> Option<(u64, usize)> {
        Some((self.radix(), K))
    }
}
