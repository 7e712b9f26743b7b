//! How products are computed: term by term, or by transforms of which length.

use super::config::ProductConfig;
use super::problem::{Finish, ProductForm};
use crate::residues::basis::ResidueBasis;
use crate::residues::combine::ValueForm;
use crate::residues::project::CoefficientForm;
use crate::word::Word;
use crate::work::{PRODUCT_MODULO, TERM, WIDE_BUTTERFLY, WIDE_PRODUCT};
use std::fmt;
use sunzi_device::GpuError;
use sunzi_field::primality::is_prime;

/// Bits of values are rounded up to a multiple of this, so that plans that differ by little are the same: half a prime,
/// on whatever device.
const BITS_STEP: u64 = 15;
/// Bits of the primes that values are computed by, at least.
const PRIME_BITS: u64 = 30;

/// How a product is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ProductPlan {
    /// Term by term, modulo a prime of one word.
    Schoolbook {
        /// The prime.
        prime: u64,
    },
    /// By transforms.
    Transforms(TransformPlan),
}

impl ProductPlan {
    /// The plan for operands of `terms`, both above 0: what takes fewer 32-bit multiply-adds, counted as the kernels
    /// do them and as the configuration weighs them. `prime` is that of [`ProductForm::word_prime`].
    pub(crate) fn new(
        form: &ProductForm,
        prime: Option<u64>,
        terms: [usize; 2],
        config: &ProductConfig,
    ) -> Self {
        let transforms = TransformPlan::new(form, terms);
        let Some(prime) = prime else {
            return Self::Transforms(transforms);
        };
        let words = form.finish.words();
        let by_transforms = if words == 2 && transforms.has_wide_transforms(prime) {
            transforms.wide_work(prime, terms)
        } else if words == 1 && (prime - 1).trailing_zeros() >= transforms.log_points {
            transforms.work(1, terms)
        } else {
            transforms.work(transforms.bits.div_ceil(PRIME_BITS), terms)
        };
        let [longer, shorter] = [terms[0].max(terms[1]), terms[0].min(terms[1])];
        // Every row meets every column of the product, zeros included.
        let terms_met = (longer as u64 + shorter as u64).saturating_mul(shorter as u64);
        let schoolbook = TERM[words - 1].saturating_mul(terms_met);
        let schoolbook = schoolbook.saturating_mul(config.term_percent.into());
        if longer <= config.most_terms && schoolbook <= 100 * by_transforms {
            Self::Schoolbook { prime }
        } else {
            Self::Transforms(transforms)
        }
    }
}

impl fmt::Display for ProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schoolbook { prime } => write!(f, "term by term modulo {prime}"),
            Self::Transforms(plan) => write!(
                f,
                "transforms of 2^{} points, values of {} bits",
                plan.log_points, plan.bits
            ),
        }
    }
}

/// Products by transforms: what their operands look like, how long the transforms are, and what comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TransformPlan {
    /// log₂ of the points of transforms: at least as many as a product has coefficients.
    pub log_points: u32,
    /// The coefficients of left operands.
    pub left: CoefficientForm,
    /// The coefficients of right operands.
    pub right: CoefficientForm,
    /// Bits of the number of values that a coefficient of the product may have: those of its magnitude, and one more
    /// for the sign. Larger values come out wrong.
    pub bits: u64,
    /// What becomes of them.
    pub finish: Finish,
}

impl TransformPlan {
    /// The plan for operands of `terms`, both above 0.
    pub(super) fn new(form: &ProductForm, [left, right]: [usize; 2]) -> Self {
        let digits = usize::from(form.finish == Finish::Carry);
        let points = (left + right - 1 + digits).next_power_of_two();
        let sums = left.min(right).next_power_of_two().trailing_zeros();
        let bits = form.bits.saturating_add(sums.into());
        Self {
            log_points: points.trailing_zeros(),
            left: form.left,
            right: form.right,
            bits: bits.checked_next_multiple_of(BITS_STEP).unwrap_or(bits),
            finish: form.finish,
        }
    }

    /// The primes that coefficients are computed by.
    ///
    /// # Errors
    /// [`GpuError::TooFewPrimes`] if there are too few for these bits and points.
    pub fn primes(&self) -> Result<Vec<u64>, GpuError> {
        match self.own_wide_modulus() {
            Some(modulus) => Ok(vec![modulus]),
            None => self.basis().map(|basis| basis.primes().to_vec()),
        }
    }

    /// Those of 31 bits, one or several.
    pub(crate) fn basis(&self) -> Result<ResidueBasis, GpuError> {
        match self.own_modulus() {
            Some(modulus) => ResidueBasis::of_prime(modulus),
            None => ResidueBasis::new(self.bits, self.log_points),
        }
    }

    /// The modulus, if it is a prime that has the transforms itself.
    pub(crate) fn own_modulus(&self) -> Option<u32> {
        match self.finish {
            Finish::Modulo32(modulus)
                if modulus > 2
                    && modulus >> 31 == 0
                    && (modulus - 1).trailing_zeros() >= self.log_points
                    && is_prime(modulus.into()) =>
            {
                Some(modulus)
            }
            _ => None,
        }
    }

    /// The modulus, if it is a prime of up to 63 bits that has the transforms itself, and its residues are the
    /// coefficients.
    pub(crate) fn own_wide_modulus(&self) -> Option<u64> {
        match self.finish {
            Finish::Modulo64(modulus) if self.has_wide_transforms(modulus) && is_prime(modulus) => {
                Some(modulus)
            }
            _ => None,
        }
    }

    /// The word that residues are transformed in.
    pub(crate) fn word(&self) -> Word {
        match self.own_wide_modulus() {
            Some(_) => Word::U64,
            None => Word::U32,
        }
    }

    /// Whether this is such a prime.
    fn has_wide_transforms(&self, prime: u64) -> bool {
        let residues = CoefficientForm {
            words: 2,
            signed: false,
        };
        [self.left, self.right] == [residues; 2]
            && prime > 2
            && prime >> 63 == 0
            && (prime - 1).trailing_zeros() >= self.log_points
    }

    /// Coefficients of a product, or digits, of operands of these numbers.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if there are more than points.
    pub(crate) fn terms_of_product(&self, [left, right]: [usize; 2]) -> Result<usize, GpuError> {
        if left == 0 || right == 0 {
            return Ok(0);
        }
        let digits = usize::from(self.finish == Finish::Carry);
        let terms = (left - 1).saturating_add(right).saturating_add(digits);
        if terms > self.points() {
            return Err(GpuError::Shape(format!(
                "{left} and {right} terms have a product of more than 2^{}",
                self.log_points
            )));
        }
        Ok(terms)
    }

    /// Words of 32 bits of a coefficient's residues modulo `primes` primes.
    pub(crate) fn residue_words(&self, primes: usize) -> usize {
        match self.word() {
            Word::U32 => primes,
            wide => wide.width(),
        }
    }

    /// How residues are put together where it is words that come out.
    pub(crate) fn value_form(&self) -> Option<ValueForm> {
        match self.finish {
            Finish::Words { words, signed } => Some(ValueForm {
                words,
                signed,
                log_plane: None,
            }),
            Finish::Carry => Some(ValueForm {
                words: CARRY_PLANES,
                signed: false,
                log_plane: Some(self.log_points),
            }),
            Finish::Modulo32(_) | Finish::Modulo64(_) => None,
        }
    }

    /// The points of a transform.
    pub const fn points(&self) -> usize {
        1 << self.log_points
    }

    /// Words from one product on the device to the next.
    pub(super) fn product_words(&self) -> usize {
        self.points() * self.finish.words()
    }

    /// Words of the planes that a product's coefficients lie in before they are carried over.
    pub(crate) fn plane_words(&self) -> usize {
        match self.finish {
            Finish::Carry => CARRY_PLANES * self.points(),
            _ => 0,
        }
    }

    /// Words of the device's memory that a pair takes whose operands have `operands` words, with residues of `residue`
    /// words, and blocks of `carry_block` words where they are carried over.
    pub(super) fn pair_words(&self, residue: usize, operands: usize, carry_block: usize) -> usize {
        // A block of carries takes two words.
        let carries = match self.finish {
            Finish::Carry => 2 * self.product_words().div_ceil(carry_block),
            _ => 0,
        };
        // Residues of both operands, and a span of two words for each.
        let work = 2 * residue * self.points() + self.plane_words() + carries;
        operands + work + self.product_words() + 4
    }

    /// 32-bit multiply-adds of a product of operands of `terms` by `primes` primes: three transforms for each, two
    /// products a point, one for every word of an operand, and mixed radix.
    fn work(&self, primes: u64, terms: [usize; 2]) -> u64 {
        let points = self.points() as u64;
        let words = terms[0] * self.left.words + terms[1] * self.right.words;
        let of_prime = points * (3 * u64::from(self.log_points) / 2 + 2) + words as u64;
        let mixed_radix = points * primes * (primes - 1) / 2;
        PRODUCT_MODULO * (primes * of_prime + mixed_radix)
    }

    /// The same by transforms modulo a prime of two words.
    fn wide_work(&self, prime: u64, terms: [usize; 2]) -> u64 {
        let butterfly = if Word::U64.leaves_spare_bits(prime) {
            WIDE_BUTTERFLY
        } else {
            WIDE_PRODUCT
        };
        let point = 3 * u64::from(self.log_points) / 2 * butterfly + 2 * WIDE_PRODUCT;
        self.points() as u64 * point + (terms[0] + terms[1]) as u64 * WIDE_PRODUCT
    }
}

/// Words of a coefficient before it is carried over: sums of 2^32 products of digits fit.
pub(crate) const CARRY_PLANES: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi_device::DeviceInfo;

    fn by_schoolbook(modulus: u64, words: usize, terms: [usize; 2]) -> bool {
        let config = ProductConfig::for_device(&DeviceInfo::h100());
        by_config(modulus, words, terms, &config)
    }

    fn by_config(modulus: u64, words: usize, terms: [usize; 2], config: &ProductConfig) -> bool {
        let form = ProductForm::modulo(modulus, words);
        let plan = ProductPlan::new(&form, form.word_prime(), terms, config);
        matches!(plan, ProductPlan::Schoolbook { .. })
    }

    #[test]
    fn a_config_says_what_is_computed_term_by_term() {
        let usual = ProductConfig::for_device(&DeviceInfo::h100());
        let config = |most_terms, term_percent| ProductConfig {
            most_terms,
            term_percent,
            ..usual
        };
        for (config, expected) in [
            (config(0, 0), [false; 3]),
            (config(300, 0), [true, true, false]),
            (config(1000, 0), [true; 3]),
            (config(1000, 10_000), [false; 3]),
        ] {
            let found = [3, 300, 1000].map(|n| by_config(469_762_049, 1, [n; 2], &config));
            assert_eq!(found, expected, "{config:?}");
        }
    }

    #[test]
    fn a_prime_of_two_words_that_has_transforms_takes_its_own() {
        let prime = (1 << 60) - (1 << 18) + 1;
        let of = |modulus, words, log_points| {
            let form = ProductForm::modulo(modulus, words);
            let terms = 1usize << (log_points - 1);
            let plan = TransformPlan::new(&form, [terms, terms + 1]);
            assert_eq!(plan.log_points, log_points);
            plan
        };
        assert_eq!(of(prime, 2, 18).own_wide_modulus(), Some(prime));
        assert_eq!(of(prime, 2, 18).primes(), Ok(vec![prime]));
        assert_eq!(of(97, 2, 5).own_wide_modulus(), Some(97));
        for other in [
            of(prime, 2, 19),
            of(97, 1, 5),
            of(97 * 193, 2, 5),
            of((1 << 63) + 29 * 64 + 1, 2, 5),
            TransformPlan {
                left: CoefficientForm {
                    words: 2,
                    signed: true,
                },
                ..of(prime, 2, 18)
            },
        ] {
            assert_eq!(other.own_wide_modulus(), None, "{other:?}");
        }
    }

    #[test]
    fn short_products_are_computed_term_by_term() {
        // A prime with transforms of its own, one that takes three others, one of two words.
        for (modulus, words, around) in [
            (469_762_049, 1, 60..75),
            ((1 << 31) - 1, 1, 255..275),
            ((1 << 61) - 1, 2, 75..90),
        ] {
            let short = |&n: &usize| by_schoolbook(modulus, words, [n, n]);
            assert!((1..=30).all(|n| short(&n)), "{modulus}");
            let longest = (1..1000).rev().find(short);
            assert!(
                longest.is_some_and(|n| around.contains(&n)),
                "{modulus}: {longest:?}"
            );
            assert!(!by_schoolbook(modulus, words, [1 << 12; 2]));
            // A short operand is worth no transform, whichever side it is on.
            assert!(by_schoolbook(modulus, words, [1 << 16, 3]));
            assert!(by_schoolbook(modulus, words, [3, 1 << 16]));
            assert!(!by_schoolbook(modulus, words, [(1 << 16) + 1, 1]));
        }
    }

    #[test]
    fn products_modulo_a_long_prime_with_transforms_go_to_them_earlier() {
        for (modulus, around) in [
            ((1 << 60) - (1 << 18) + 1, 30..45),
            (4_179_340_454_199_820_289, 30..60),
        ] {
            let short = |&n: &usize| by_schoolbook(modulus, 2, [n, n]);
            assert!((1..=20).all(|n| short(&n)), "{modulus}");
            let longest = (1..1000).rev().find(short);
            assert!(
                longest.is_some_and(|n| around.contains(&n)),
                "{modulus}: {longest:?}"
            );
        }
    }

    #[test]
    fn what_is_no_residue_modulo_a_word_prime_goes_to_transforms() {
        for modulus in [91, (1 << 32) - 5, 2] {
            assert!(!by_schoolbook(modulus, 1, [2, 2]), "{modulus}");
        }
        assert!(!by_schoolbook((1 << 62) - 1, 2, [2, 2]));
        let wider = ProductForm {
            bits: 100,
            ..ProductForm::modulo(97, 1)
        };
        assert_eq!(wider.word_prime(), None);
        assert_eq!(ProductForm::INTEGERS.word_prime(), None);
    }
}
