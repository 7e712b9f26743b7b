//! Digits in mixed radix: integers of a few words as vectors modulo several primes, and what they are modulo others.
//!
//! **Algorithm.** With primes p₀ < p₁ < …, a value below their product has unique digits v_j < p_j with
//! x = v₀ + p₀·(v₁ + p₁·(v₂ + …)), and v_j = ((r_j − v₀)/p₀ − v₁)/p₁ − … modulo p_j, for the residue r_j (H. Garner, *The residue
//! number system*, 1959). As the primes ascend, digits before are residues as they stand. Of k primes, k²/2 products a value, in
//! vectors; integers then come of digits by a tree ([`RadixTree`]), and residues modulo other primes by sums of products.

use crate::tree::{Node, Place, Product};
use crate::vectors::{Combination, Entry, NextDigit, prepared};
use dashu_int::UBig;
use sunzi_field::LongInteger;
use sunzi_field::lanes::LanesField;
use sunzi_machine::InstructionSet;
use sunzi_machine::threads::{Threads, Work};

/// Integers that one task makes.
const PIECE: usize = 64;

/// Ascending primes, which hold integers below their product.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi_rns::MixedRadix;
///
/// let basis = MixedRadix::new(vec![Fp32::new(7)?, Fp32::new(11)?]);
/// // 40 = 5 + 7·5, and −1 = 76 = 6 + 7·10.
/// assert_eq!(basis.digits(&[vec![5, 6], vec![7, 10]]), [[5, 6], [5, 10]]);
/// # Ok::<(), sunzi::field::FieldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MixedRadix<F: LanesField> {
    fields: Vec<F>,
    kernel: InstructionSet,
    /// For each prime the inverses of those before it, as multipliers.
    inverses: Vec<Vec<Entry<F::Elem>>>,
}

impl<F: LanesField<Elem: Default>> MixedRadix<F> {
    /// The basis of the fields of different primes, ascending.
    pub fn new(fields: Vec<F>) -> Self {
        Self::with_kernel(fields, InstructionSet::detect())
    }

    /// The same with the vectors of one instruction set.
    pub fn with_kernel(fields: Vec<F>, kernel: InstructionSet) -> Self {
        debug_assert!(fields.is_sorted_by_key(prime));
        let inverses_in = |(index, field): (usize, &F)| {
            let inverse = |other: &F| field.inv(field.from_u64(prime(other)));
            let inverses: Vec<F::Elem> = fields[..index].iter().filter_map(inverse).collect();
            prepared(field, kernel, &inverses)
        };
        let inverses = fields.iter().enumerate().map(inverses_in).collect();
        Self {
            fields,
            kernel,
            inverses,
        }
    }

    /// The fields of the primes.
    pub fn fields(&self) -> &[F] {
        &self.fields
    }

    /// The product of the primes.
    pub fn modulus<N: LongInteger>(&self) -> N {
        let primes = self.fields.iter().map(|field| UBig::from(prime(field)));
        N::from_natural_limbs(primes.product::<UBig>().as_words())
    }

    /// 1, p₀, p₀·p₁, …, the product of all.
    fn places(&self) -> impl Iterator<Item = UBig> + '_ {
        let mut place = UBig::ONE;
        let rest = self.fields.iter().map(move |field| {
            place *= prime(field);
            place.clone()
        });
        std::iter::once(UBig::ONE).chain(rest)
    }

    /// `Σ digits[j]·(p₀·…·p_(j−1))`; the digits may be any words.
    pub fn value<N: LongInteger>(&self, digits: impl IntoIterator<Item = u64>) -> N {
        let places = self.places().zip(digits);
        let value: UBig = places.map(|(place, digit)| place * digit).sum();
        N::from_natural_limbs(value.as_words())
    }

    /// The digits of residues modulo each prime, digit by digit.
    pub fn digits<R: AsRef<[F::Elem]>>(&self, residues: &[R]) -> Vec<Vec<F::Elem>> {
        let mut digits: Vec<Vec<F::Elem>> = Vec::with_capacity(self.fields.len());
        for residues in residues {
            let mut next = residues.as_ref().to_vec();
            self.next_digit(&digits, &mut next, None);
            digits.push(next);
        }
        debug_assert_eq!(digits.len(), self.fields.len());
        digits
    }

    /// Turns residues modulo the prime after those of the `known` digits into digits. With `scale`, they are in the private form of
    /// the kernel, and this multiple of them is taken.
    #[inline]
    pub fn next_digit<D: AsRef<[F::Elem]>>(
        &self,
        known: &[D],
        values: &mut [F::Elem],
        scale: Option<&Entry<F::Elem>>,
    ) {
        let index = known.len();
        let task = NextDigit {
            values,
            scale,
            known,
            inverses: &self.inverses[index],
        };
        self.fields[index].dispatch(self.kernel, task);
    }

    /// How digits become residues modulo another prime, above half of each of the basis.
    pub fn extension(&self, field: &F) -> Extension<F> {
        let residue = |place: UBig| field.from_integer(&place);
        let mut weights: Vec<F::Elem> = self.places().map(residue).collect();
        let modulus = weights.pop().unwrap_or(field.one());
        Extension {
            greatest: self.fields.last().map_or(1, prime),
            kernel: self.kernel,
            inverse_modulus: field.inv(modulus).unwrap_or(field.zero()),
            weights: prepared(field, self.kernel, &weights),
            modulus,
            field: field.clone(),
        }
    }
}

/// The prime as a word.
fn prime<F: LanesField>(field: &F) -> u64 {
    field.to_word(field.neg(field.one())) + 1
}

/// Residues modulo a prime that is not of the basis.
#[derive(Clone, Debug)]
pub struct Extension<F: LanesField> {
    field: F,
    kernel: InstructionSet,
    weights: Vec<Entry<F::Elem>>,
    /// The basis's product modulo the prime.
    modulus: F::Elem,
    inverse_modulus: F::Elem,
    /// The greatest prime of the basis.
    greatest: u64,
}

impl<F: LanesField<Elem: Default + Ord>> Extension<F> {
    /// The residue of the basis's product, inverted.
    pub fn inverse_modulus(&self) -> F::Elem {
        self.inverse_modulus
    }

    /// The residues of the integers in `[0, product)` of these digits.
    pub fn unsigned(&self, digits: &[Vec<F::Elem>]) -> Vec<F::Elem> {
        let prime = prime(&self.field);
        let mut residues = vec![F::Elem::default(); digits.first().map_or(0, Vec::len)];
        if self.greatest <= prime {
            self.add_up(&mut residues, digits);
            return residues;
        }
        debug_assert!(self.greatest / 2 < prime);
        let reduce = |&digit: &F::Elem| {
            let less = self.field.to_word(digit).wrapping_sub(prime);
            digit.min(self.field.from_word(less))
        };
        let reduced: Vec<Vec<F::Elem>> = digits
            .iter()
            .map(|digits| digits.iter().map(reduce).collect())
            .collect();
        self.add_up(&mut residues, &reduced);
        residues
    }

    fn add_up(&self, residues: &mut [F::Elem], digits: &[Vec<F::Elem>]) {
        let task = Combination {
            out: residues,
            rows: digits,
            factors: &self.weights,
        };
        self.field.dispatch(self.kernel, task);
    }

    /// The residues of the integers of either sign, an eighth of the product at most, that have these digits
    /// modulo the product: negative ones have a great last digit.
    pub fn signed(&self, digits: &[Vec<F::Elem>]) -> Vec<F::Elem> {
        let mut residues = self.unsigned(digits);
        let Some(last) = digits.last() else {
            return residues;
        };
        let half = self.field.from_word(self.greatest / 2);
        for (residue, &digit) in residues.iter_mut().zip(last) {
            let taken = if digit > half {
                self.modulus
            } else {
                self.field.zero()
            };
            *residue = self.field.sub(*residue, taken);
        }
        residues
    }
}

/// What digits by primes p₀, p₁, …, which may repeat, stand for: d₀ + d₁·p₀ + d₂·p₀·p₁ + …
///
/// ```
/// use sunzi_rns::RadixTree;
///
/// let tree = RadixTree::new(&[7, 11, 7], |a, b| vec![a[0] * b[0]]);
/// assert_eq!(tree.integers(&[[5u32, 6], [5, 10], [1, 0]], |limbs| limbs[0]), [117, 76]);
/// ```
#[derive(Clone, Debug)]
pub struct RadixTree(Node);

impl RadixTree {
    /// For these primes, by this product of long integers.
    pub fn new(primes: &[u64], product: Product) -> Self {
        Self(Node::new(primes, Place::Radix, product))
    }

    /// The product of the primes.
    pub fn modulus<N: LongInteger>(&self) -> N {
        N::from_natural_limbs(self.0.modulus().as_words())
    }

    /// The integers whose digits are given prime by prime, the limbs of each `made` into something; there may be zeros at their end.
    pub fn integers<W: Copy + Into<u64> + Sync, D: AsRef<[W]> + Sync, T: Send>(
        &self,
        digits: &[D],
        made: impl Fn(&[u64]) -> T + Sync,
    ) -> Vec<T> {
        let count = digits.first().map_or(0, |digits| digits.as_ref().len());
        let pieces = (0..count).step_by(PIECE);
        let work = Work::new(count as u64, "entries");
        let pieces = Threads::all().map(pieces, |first| {
            let (mut one, mut sum) = (Vec::new(), Vec::new());
            let integer = |entry: usize| {
                one.clear();
                one.extend(digits.iter().map(|digits| digits.as_ref()[entry].into()));
                self.0.sum(&one, &mut sum);
                made(&sum)
            };
            let integers: Vec<T> = (first..count.min(first + PIECE)).map(integer).collect();
            work.done(integers.len() as u64);
            integers
        });
        pieces.into_iter().flatten().collect()
    }
}
