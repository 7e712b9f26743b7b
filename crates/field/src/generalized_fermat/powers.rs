//! Powers of an element.

use super::GeneralizedFermat;
use crate::{Digits, Field};

impl<const K: usize> GeneralizedFermat<K> {
    /// 1, x, x², …: `count` of them. They are doubled in number at a time, so that products come in blocks:
    /// `count` products.
    ///
    /// ```
    /// use sunzi_field::{Field, GeneralizedFermat};
    ///
    /// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
    /// let powers = field.first_powers(field.from_u64(10), 5);
    /// assert_eq!(powers[4], field.from_u64(10_000));
    /// # Ok::<(), sunzi_field::GeneralizedFermatError>(())
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
}
