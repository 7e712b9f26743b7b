//! Operations of a field on packed vectors.

use super::blocks::normalized;
use super::entry;
use super::operations::Operation;
use super::{Constants, LANES, Packed};
use crate::generalized_fermat::digits::Digits;
use crate::generalized_fermat::field::GeneralizedFermat;
use crate::traits::Field;
use sunzi_machine::simd::InstructionSet;

impl<const K: usize> Packed<K> {
    /// Element `index`, as it stands in memory.
    fn get(&self, index: usize) -> Digits<K> {
        let lines = &self.lines[index / LANES * K..][..K];
        let mut digits = [0; K];
        for (digit, line) in digits.iter_mut().zip(lines) {
            *digit = line.0[index % LANES];
        }
        Digits(digits)
    }

    fn set(&mut self, index: usize, element: Digits<K>) {
        let lines = &mut self.lines[index / LANES * K..][..K];
        for (digit, line) in element.0.into_iter().zip(lines) {
            line.0[index % LANES] = digit;
        }
    }
}

impl<const K: usize> GeneralizedFermat<K> {
    /// What vector kernels need to know of the field; nothing for radices below 2^52, and for
    /// 2^64 − 2, for which operations on packed vectors take one element at a time.
    #[doc(hidden)]
    #[must_use]
    pub fn constants(&self) -> Option<&Constants> {
        self.ring.constants()
    }

    /// Canonical elements as a packed vector: O(n·K) moves of words.
    #[must_use]
    pub fn pack(&self, elements: &[Digits<K>]) -> Packed<K> {
        let mut packed = Packed::zeros(elements.len());
        match self.constants() {
            Some(constants) => {
                let words = Digits::words_of(elements);
                let lines = &mut packed.lines;
                entry::pack(InstructionSet::detect(), K, constants, words, lines);
            }
            None => {
                for (index, &element) in elements.iter().enumerate() {
                    packed.set(index, element);
                }
            }
        }
        packed
    }

    /// The elements of a packed vector, canonical: O(n·K) operations on words.
    #[must_use]
    pub fn unpack(&self, packed: &Packed<K>) -> Vec<Digits<K>> {
        let mut elements = vec![self.zero(); packed.len];
        match self.constants() {
            Some(constants) => {
                let words = Digits::words_of_mut(&mut elements);
                entry::unpack(InstructionSet::detect(), K, constants, &packed.lines, words);
            }
            // Those are canonical always.
            None => (0..packed.len).for_each(|index| elements[index] = packed.get(index)),
        }
        elements
    }

    /// `x[i] ← x[i] + y[i]`.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn add_packed(&self, x: &mut Packed<K>, y: &Packed<K>) {
        self.combine_packed(x, y, Operation::Add, |x, y| self.add(x, y));
    }

    /// `x[i] ← x[i] − y[i]`.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn sub_packed(&self, x: &mut Packed<K>, y: &Packed<K>) {
        self.combine_packed(x, y, Operation::Subtract, |x, y| self.sub(x, y));
    }

    /// `x[i] ← x[i]·y[i]`: K² products of digits each, eight elements at a time with AVX-512.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn mul_packed(&self, x: &mut Packed<K>, y: &Packed<K>) {
        self.combine_packed(x, y, Operation::Multiply, |x, y| self.mul(x, y));
    }

    /// `x[i] ← x[i]·factor` for a canonical factor.
    ///
    /// ```
    /// use sunzi::field::{Field, GeneralizedFermat};
    ///
    /// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
    /// let mut x = field.pack(&[field.from_u64(6); 9]);
    /// field.scale_packed(&mut x, field.from_u64(7));
    /// field.rotate_packed(&mut x, 4); // r^4 = −1
    /// assert_eq!(field.unpack(&x), [field.from_i64(-42); 9]);
    /// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
    /// ```
    pub fn scale_packed(&self, x: &mut Packed<K>, factor: Digits<K>) {
        let digits = normalized(&factor, self.radix());
        self.change_packed(x, Operation::Scale(&digits), |x| self.mul(x, factor));
    }

    /// `x[i] ← x[i]·r^power`: a permutation of the lines, with signs and carries.
    pub fn rotate_packed(&self, x: &mut Packed<K>, power: usize) {
        let power = power % (2 * K);
        self.change_packed(x, Operation::Rotate(power), |x| {
            self.mul_by_radix_power(x, power)
        });
    }

    fn combine_packed(
        &self,
        x: &mut Packed<K>,
        y: &Packed<K>,
        operation: Operation<'_>,
        otherwise: impl Fn(Digits<K>, Digits<K>) -> Digits<K>,
    ) {
        assert_eq!(x.len, y.len, "vectors of equal length");
        match self.constants() {
            Some(constants) => {
                let set = InstructionSet::detect();
                entry::each_block(set, K, constants, operation, &mut x.lines, &y.lines);
            }
            None => {
                for index in 0..x.len {
                    x.set(index, otherwise(x.get(index), y.get(index)));
                }
            }
        }
    }

    fn change_packed(
        &self,
        x: &mut Packed<K>,
        operation: Operation<'_>,
        otherwise: impl Fn(Digits<K>) -> Digits<K>,
    ) {
        match self.constants() {
            Some(constants) => {
                let set = InstructionSet::detect();
                entry::each_block(set, K, constants, operation, &mut x.lines, &[]);
            }
            None => {
                for index in 0..x.len {
                    x.set(index, otherwise(x.get(index)));
                }
            }
        }
    }
}
