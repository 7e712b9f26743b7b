//! What is multiplied, and what is wanted of the product.

use crate::residues::project::CoefficientForm;
use crate::word::Word;
use sunzi_field::primality::is_prime;

/// A polynomial, or an integer as a polynomial in 2^32: coefficients of equal numbers of words, from the constant term
/// upward, the lowest word of each first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand<'a> {
    words: &'a [u32],
    coefficient_words: usize,
}

impl<'a> Operand<'a> {
    /// The words of coefficients of `coefficient_words` words each; words that make no whole coefficient are left out.
    ///
    /// ```
    /// let f = sunzi::gpu::Operand::new(&[3, 0, 5, 0], 2); // 3 + 5x
    /// assert_eq!(f.terms(), 2);
    /// ```
    pub fn new(words: &'a [u32], coefficient_words: usize) -> Self {
        let whole = words.len() - words.len() % coefficient_words.max(1);
        Self {
            words: &words[..whole],
            coefficient_words,
        }
    }

    /// Coefficients.
    pub fn terms(&self) -> usize {
        self.words.len() / self.coefficient_words.max(1)
    }

    /// The words of all of them.
    pub fn words(&self) -> &'a [u32] {
        self.words
    }

    /// The words of a coefficient.
    pub fn coefficient_words(&self) -> usize {
        self.coefficient_words
    }

    /// The first `terms` coefficients, and the rest.
    pub(super) fn split(&self, terms: usize) -> (Self, Self) {
        let (low, high) = self.words.split_at(terms * self.coefficient_words);
        let of = |words| Self { words, ..*self };
        (of(low), of(high))
    }

    /// Whether two operands are one and the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(self.words, other.words) && self.coefficient_words == other.coefficient_words
    }
}

/// What becomes of the product's coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finish {
    /// They are written as equally many words each, in two's complement if they have signs.
    Words {
        /// Words of a coefficient.
        words: usize,
        /// Whether coefficients may be negative.
        signed: bool,
    },
    /// They are carried over: the digits of an integer.
    Carry,
    /// They are reduced modulo an odd number below 2^32, and written as one word each.
    Modulo32(u32),
    /// They are reduced modulo an odd number below 2^63, and written as two words each.
    Modulo64(u64),
}

impl Finish {
    /// Words that are written for each coefficient of a product.
    pub const fn words(self) -> usize {
        match self {
            Self::Words { words, .. } => words,
            Self::Carry | Self::Modulo32(_) => 1,
            Self::Modulo64(_) => 2,
        }
    }

    /// The word of residues of so many words.
    pub(crate) const fn word(self) -> Word {
        match self.words() {
            1 => Word::U32,
            _ => Word::U64,
        }
    }
}

/// What is multiplied, whatever the lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProductForm {
    /// The coefficients of left operands.
    pub left: CoefficientForm,
    /// The coefficients of right operands.
    pub right: CoefficientForm,
    /// Bits of the product of two coefficients, the sign included: a coefficient of a product of n terms has log₂ n
    /// more.
    pub bits: u64,
    /// What becomes of the product's coefficients.
    pub finish: Finish,
}

impl ProductForm {
    /// Integers by digits of 32 bits.
    pub const INTEGERS: Self = Self {
        left: DIGITS,
        right: DIGITS,
        bits: 64,
        finish: Finish::Carry,
    };

    /// Residues modulo an odd number m below 2^63, from 0 to m − 1, of one word each if m is below 2^32, or of two.
    ///
    /// ```
    /// use sunzi::gpu::{Finish, ProductForm};
    ///
    /// assert_eq!(ProductForm::modulo(97, 1).finish, Finish::Modulo32(97));
    /// assert_eq!(ProductForm::modulo((1 << 61) - 1, 2).bits, 122);
    /// ```
    pub fn modulo(modulus: u64, words: usize) -> Self {
        let coefficients = CoefficientForm {
            words,
            signed: false,
        };
        Self {
            left: coefficients,
            right: coefficients,
            bits: 2 * u64::from(u64::BITS - modulus.leading_zeros()),
            finish: match u32::try_from(modulus) {
                Ok(modulus) if words == 1 => Finish::Modulo32(modulus),
                _ => Finish::Modulo64(modulus),
            },
        }
    }

    /// The prime, if coefficients are residues modulo one that words of their length hold.
    pub(crate) fn word_prime(&self) -> Option<u64> {
        let (modulus, bits) = match self.finish {
            Finish::Modulo32(modulus) => (modulus.into(), 31),
            Finish::Modulo64(modulus) => (modulus, 63),
            Finish::Words { .. } | Finish::Carry => return None,
        };
        let residues = *self == Self::modulo(modulus, self.finish.words());
        (residues && modulus > 2 && modulus >> bits == 0 && is_prime(modulus)).then_some(modulus)
    }
}

/// Products of one form and like lengths: what a configuration is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProductProblem {
    /// What is multiplied.
    pub form: ProductForm,
    /// Coefficients of left and right operands at most, or words of integers; none is 0.
    pub terms: [usize; 2],
    /// Products at a time: of these lengths, or of whatever is multiplied together where that is not sorted yet.
    pub batch: usize,
}

impl ProductProblem {
    /// That of pairs which are multiplied together.
    pub(super) fn of(form: &ProductForm, pairs: &[[Operand<'_>; 2]]) -> Self {
        let most = |side: usize| pairs.iter().map(|pair| pair[side].terms()).max();
        Self {
            form: *form,
            terms: [0, 1].map(|side| most(side).unwrap_or(0)),
            batch: pairs.len(),
        }
    }
}

/// The digits of integers.
const DIGITS: CoefficientForm = CoefficientForm {
    words: 1,
    signed: false,
};
