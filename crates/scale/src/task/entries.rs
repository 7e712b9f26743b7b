//! What the entries of vectors are, and the fields that their products are found in.

use super::{Given, Operation};
use crate::npy::Header;
use dashu_int::UBig;
use sunzi_field::AnyField;

/// Primes for products over other rings, ascending, each with transforms of 2^40 points: together above 2^185.9, the most that is needed
/// of 2^57 products of two words each.
pub(crate) const PRIMES: [u64; 3] = [
    0x3fff_8400_0000_0001,
    0x3fff_be00_0000_0001,
    0x3fff_c000_0000_0001,
];

/// Bits that so many of the primes tell apart, a hundredth less at most.
const BITS: [usize; PRIMES.len()] = [61, 123, 185];

/// What the entries of vectors are.
#[derive(Clone, Debug)]
pub(crate) enum Entries {
    /// Elements of a field.
    Elements(AnyField),
    /// Integers of a word, of either sign.
    Integers,
    /// Limbs of natural numbers, of 64 bits, the lowest first.
    Limbs,
}

impl Entries {
    /// Words of an entry.
    pub(crate) fn digits(&self) -> usize {
        match self {
            Self::Elements(field) => field.width(),
            Self::Integers | Self::Limbs => 1,
        }
    }

    /// The ring in a word or a number, by which jobs are told apart.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Elements(field) => field.modulus::<UBig>().to_string(),
            Self::Integers => "Z".to_owned(),
            Self::Limbs => "2^64".to_owned(),
        }
    }

    /// The field, if they are elements of one.
    pub(crate) fn field(&self) -> Option<&AnyField> {
        match self {
            Self::Elements(field) => Some(field),
            Self::Integers | Self::Limbs => None,
        }
    }

    /// Bits of an entry's absolute value at most.
    fn bits(&self, given: &Given) -> usize {
        match self {
            Self::Elements(field) => field.word_prime().map_or(64, |p| 64 - p.leading_zeros() as usize),
            // The least one has a bit more, and products of two such ones have as many bits as is said of all.
            Self::Integers | Self::Limbs => 8 * given.word - usize::from(given.is_signed),
        }
    }

    /// A sentence unless a file has words that hold such entries.
    pub(crate) fn expect_words(&self, header: &Header) -> Result<(), String> {
        match self {
            Self::Elements(_) => header.expect_unsigned(),
            Self::Limbs if header.is_signed || header.word != 8 => Err(format!(
                "its words are of type '{}', and an integer is an array of limbs of 64 bits, '<u8' (uint64), the lowest first",
                header.type_text()
            )),
            Self::Integers | Self::Limbs => Ok(()),
        }
    }

    /// Elements of a product of entries that are not empty.
    pub(crate) fn of_product(&self, [a, b]: [usize; 2]) -> usize {
        match self {
            _ if a == 0 || b == 0 => 0,
            Self::Elements(_) | Self::Integers => a + b - 1,
            Self::Limbs => a + b,
        }
    }

    /// Bits of an entry of a product before it is reduced or carried, with its sign.
    fn bits_of_product(&self, inputs: [&Given; 2]) -> usize {
        let [a, b] = inputs.map(|given| self.bits(given));
        let terms = inputs.map(|given| given.elements).into_iter().fold(usize::MAX, usize::min);
        a + b + terms.max(1).ilog2() as usize + 1 + usize::from(matches!(self, Self::Integers))
    }

    /// Words of an entry of a product.
    pub(crate) fn digits_of_product(&self, inputs: [&Given; 2]) -> usize {
        match self {
            Self::Elements(_) | Self::Limbs => self.digits(),
            // Of one word only for the shortest: of two, so that there are rows.
            Self::Integers => self.bits_of_product(inputs).div_ceil(64).max(2),
        }
    }

    /// The fields of a product of so many points, and whether there are several to be put together.
    pub(crate) fn fields(&self, operation: Operation, points: usize, inputs: [&Given; 2]) -> (Vec<AnyField>, bool) {
        let log = points.max(1).next_power_of_two().trailing_zeros();
        match self {
            Self::Elements(field)
                if operation != Operation::Product || field.two_adicity() >= log || field.width() > 1 =>
            {
                (vec![field.clone()], false)
            }
            _ => {
                let bits = self.bits_of_product(inputs);
                let count = 1 + BITS[..PRIMES.len() - 1].iter().filter(|&&known| known < bits).count();
                let fields = PRIMES[..count].iter().filter_map(|&prime| AnyField::modulo_word(prime).ok());
                (fields.collect(), true)
            }
        }
    }
}
