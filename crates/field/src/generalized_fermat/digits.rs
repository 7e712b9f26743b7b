//! The elements: digits in radix r.

use std::cmp::Ordering;
use std::fmt;

use bytemuck::TransparentWrapper;
use bytemuck::allocation::{TransparentWrapperAlloc, try_cast_vec};
use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An element of a [`GeneralizedFermat`](super::GeneralizedFermat) field: the number
/// `Σ x_i·r^i`, least significant digit first.
///
/// Elements are *canonical*: `0 ≤ x_i < r`, or exactly `(0, …, 0, r)` for p − 1. So they are equal
/// if and only if their digits are, and they compare as the integers that they stand for.
///
/// ```
/// use sunzi::field::Digits;
///
/// let (small, large) = (Digits([9, 0]), Digits([0, 1]));
/// assert!(small < large);
/// ```
// Vector kernels read elements as K words each.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digits<const K: usize>(pub [u64; K]);

// SAFETY: its representation is transparent, and any words are a value.
unsafe impl<const K: usize> TransparentWrapper<[u64; K]> for Digits<K> {}

impl<const K: usize> Digits<K> {
    /// The digits of elements, one after the other.
    ///
    /// ```
    /// use sunzi::field::Digits;
    ///
    /// assert_eq!(Digits::words_of(&[Digits([1, 2]), Digits([3, 4])]), [1, 2, 3, 4]);
    /// ```
    #[must_use]
    pub fn words_of(elements: &[Self]) -> &[u64] {
        Self::peel_slice(elements).as_flattened()
    }

    /// The same, to be changed.
    #[must_use]
    pub fn words_of_mut(elements: &mut [Self]) -> &mut [u64] {
        Self::peel_slice_mut(elements).as_flattened_mut()
    }

    /// A vector of elements of K words each, in the same place where that is possible; words that fill no element are
    /// left out.
    pub(crate) fn from_word_vec(mut words: Vec<u64>) -> Vec<Self> {
        words.truncate(words.len() / K * K);
        let words = try_cast_vec::<u64, [u64; K]>(words);
        Self::wrap_vec(words.unwrap_or_else(|(_, words)| words.as_chunks().0.to_vec()))
    }

    /// The words of a vector of elements, in the same place.
    pub(crate) fn into_word_vec(elements: Vec<Self>) -> Vec<u64> {
        Self::peel_vec(elements).into_flattened()
    }

    /// Elements of K words each; words that fill no element are left out.
    #[must_use]
    pub fn from_words(words: &[u64]) -> &[Self] {
        Self::wrap_slice(words.as_chunks().0)
    }

    /// The same, to be changed.
    #[must_use]
    pub fn from_words_mut(words: &mut [u64]) -> &mut [Self] {
        Self::wrap_slice_mut(words.as_chunks_mut().0)
    }
}

impl<const K: usize> Default for Digits<K> {
    fn default() -> Self {
        Self([0; K])
    }
}

impl<const K: usize> fmt::Debug for Digits<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0).finish()
    }
}

/// The digits, the least significant first.
///
/// ```
/// assert_eq!(sunzi::field::Digits([9, 0]).to_string(), "[9, 0]");
/// ```
impl<const K: usize> fmt::Display for Digits<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl<const K: usize> Ord for Digits<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl<const K: usize> PartialOrd for Digits<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A tuple of K words. What is read back is canonical only if what was written was: ask
/// [`Field::is_canonical`](crate::Field::is_canonical) where the source is not trusted.
impl<const K: usize> Serialize for Digits<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(K)?;
        for digit in &self.0 {
            tuple.serialize_element(digit)?;
        }
        tuple.end()
    }
}

impl<'de, const K: usize> Deserialize<'de> for Digits<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(K, DigitsVisitor::<K>)
    }
}

struct DigitsVisitor<const K: usize>;

impl<'de, const K: usize> Visitor<'de> for DigitsVisitor<K> {
    type Value = Digits<K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{K} digits")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut words: A) -> Result<Digits<K>, A::Error> {
        let mut digits = Digits::default();
        for (index, digit) in digits.0.iter_mut().enumerate() {
            let word = words.next_element()?;
            *digit = word.ok_or_else(|| A::Error::invalid_length(index, &self))?;
        }
        Ok(digits)
    }
}
