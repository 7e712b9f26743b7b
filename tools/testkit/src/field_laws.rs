//! The laws of fields: one battery that every type of field passes.
//!
//! Integers of GMP are the truth: elements are compared by the integers that they stand for. Slices are compared
//! with single elements, at lengths around the borders of all vectors and blocks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use dashu_int::{IBig, Sign, UBig};
use rug::Integer;
use rug::integer::{IsPrime, Order};
use rug::ops::Pow;
use sunzi_field::{AnyField, Field, FieldError, Rows, TwoAdicField, with_field};

use crate::edges::edge_words;
use crate::gmp::{gmp_modulus, gmp_residue};
use crate::random::Random;

/// Lengths of slices: none, few, and around each border of 4 to 64 lanes.
const LENGTHS: [usize; 19] = [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50, 63, 64, 65,
];

/// Checks that a field obeys its laws, and panics with the operands if it does not.
///
/// Whoever adds a type of field calls this for its smallest prime, for its largest, and for one next to every bound
/// of its algorithms. `edges` are elements at which the field's own arithmetic is most likely to go wrong (carries,
/// for example), besides those that every field has: 0, ±1, ±2, (p ± 1)/2, powers of two and their neighbours.
///
/// Checked are canonical forms and conversions, sums, products, powers and inverses of all pairs of edge and random
/// elements, the axioms, roots of unity, and all operations on slices.
///
/// ```
/// use sunzi_field::Fp32;
/// use sunzi_testkit::field_laws;
///
/// for prime in [3, 2_147_483_647] {
///     field_laws(&Fp32::new(prime)?, &[]);
/// }
/// # Ok::<(), sunzi_field::FieldError>(())
/// ```
///
/// # Panics
/// If a law is broken.
pub fn field_laws<F: TwoAdicField>(field: &F, edges: &[F::Elem]) {
    let laws = Laws::new(field);
    let mut elements = laws.edges();
    elements.extend_from_slice(edges);
    elements.extend(laws.random(8));
    laws.constants();
    laws.conversions();
    laws.singles(&elements);
    laws.roots_of_unity();
    laws.units();
    let longest = laws.longest();
    let again = elements.iter().copied().cycle().skip(1);
    let long: Vec<F::Elem> = again.take(elements.len().max(longest)).collect();
    for length in LENGTHS.into_iter().filter(|&length| length <= longest) {
        laws.slices(&long[..length]);
    }
    if longest >= 65 {
        laws.slices(&long);
    }
    laws.unequal_lengths();
}

/// Checks the laws of [`field_laws`] on these elements alone, which may be random ones.
///
/// ```
/// let field = sunzi_field::Fp64::new((1 << 61) - 1)?;
/// sunzi_testkit::field_laws_on(&field, &[2, 1 << 60]);
/// # Ok::<(), sunzi_field::FieldError>(())
/// ```
///
/// # Panics
/// If a law is broken.
pub fn field_laws_on<F: Field>(field: &F, elements: &[F::Elem]) {
    let laws = Laws::new(field);
    laws.singles(elements);
    laws.slices(elements);
}

/// Checks a field found at run time: its elements as rows of words, and [`field_laws`] of the field that it holds.
///
/// ```
/// use sunzi_field::AnyField;
///
/// sunzi_testkit::any_field_laws(&AnyField::generalized_fermat(10, 2)?); // 10² + 1
/// # Ok::<(), sunzi_field::GeneralizedFermatError>(())
/// ```
///
/// # Panics
/// If a law is broken.
pub fn any_field_laws(field: &AnyField) {
    fn rows_are_elements<F: Rows>(field: &F, rows: &[u64]) {
        // Vectors with spare memory, too.
        for spare in 0..3 {
            let mut vector = Vec::with_capacity(rows.len() + spare);
            vector.extend_from_slice(rows);
            let elements = F::from_rows(vector);
            assert!(elements.iter().all(|&element| field.is_canonical(element)));
            assert_eq!(*F::rows(&elements), *rows);
            assert_eq!(F::into_rows(elements), rows);
        }
    }
    let modulus: UBig = field.modulus();
    assert_eq!(
        AnyField::new(&modulus).map(|f| f.modulus()),
        Ok(modulus.clone())
    );
    let mut rows = Vec::new();
    for value in [
        UBig::ZERO,
        UBig::ONE,
        &modulus - UBig::ONE,
        modulus.clone(),
        &modulus * &modulus + UBig::ONE,
    ] {
        let start = rows.len();
        field.push_integer(&value, &mut rows);
        assert_eq!(rows.len(), start + field.width());
        assert_eq!(field.integer::<UBig>(&rows[start..]), value % &modulus);
    }
    for word in edge_words() {
        let start = rows.len();
        field.push_u64(word, &mut rows);
        assert_eq!(rows.len(), start + field.width());
        assert_eq!(
            field.integer::<UBig>(&rows[start..]),
            UBig::from(word) % &modulus
        );
    }
    with_field!(field, field => {
        rows_are_elements(field, &rows);
        field_laws(field, &[]);
    });
}

/// A field, and its prime as GMP has it.
struct Laws<'a, F> {
    field: &'a F,
    prime: Integer,
}

impl<'a, F: Field> Laws<'a, F> {
    fn new(field: &'a F) -> Self {
        let prime = gmp_modulus(field);
        Self { field, prime }
    }

    /// The longest slices to check: elements of many words take long, and vectors and blocks hold few of them.
    fn longest(&self) -> usize {
        match self.prime.significant_digits::<u64>() {
            0..=8 => 65,
            9..=32 => 33,
            _ => 9,
        }
    }

    /// The integer that a canonical element stands for.
    fn value(&self, element: F::Elem) -> Integer {
        assert!(
            self.field.is_canonical(element),
            "{element:?} is not canonical modulo {}",
            self.prime
        );
        gmp_residue(self.field, element)
    }

    fn reduced(&self, value: Integer) -> Integer {
        value.div_rem_euc(self.prime.clone()).1
    }

    /// Elements at the ends and in the middle of the field, and next to powers of two.
    fn edges(&self) -> Vec<F::Elem> {
        let modulus: UBig = self.field.modulus();
        let half = IBig::from(&modulus / UBig::from(2u8));
        let mut values = [-3, -2, -1, 0, 1, 2, 3].map(IBig::from).to_vec();
        values.extend([half.clone(), half + IBig::ONE]);
        let bits = self.prime.significant_bits();
        let powers: &[u32] = match bits {
            ..=64 => &[30, 31, 32, 33, 50, 51, 52, 53, 61, 62, 63],
            _ => &[32, 63, 64],
        };
        for &bit in powers.iter().filter(|&&bit| bit < bits) {
            let power = IBig::from(UBig::ONE << bit as usize);
            values.extend([power.clone() - IBig::ONE, power.clone(), power + IBig::ONE]);
        }
        let mut elements: Vec<F::Elem> = Vec::new();
        for value in values {
            let element = self.field.from_integer(&value);
            if !elements.contains(&element) {
                elements.push(element);
            }
        }
        elements
    }

    fn random(&self, count: usize) -> Vec<F::Elem> {
        let modulus: UBig = self.field.modulus();
        let words = modulus.as_words();
        let mut random = Random::new(words[0]);
        let element = |_| self.field.from_limbs(false, &random.words(words.len() + 1));
        (0..count).map(element).collect()
    }

    fn constants(&self) {
        assert_eq!(self.value(self.field.zero()), 0);
        assert_eq!(self.value(self.field.one()), 1);
        assert_eq!(self.field.clone(), *self.field);
    }

    /// Integers of any size and sign go to their residues, and residues to the integers below p.
    fn conversions(&self) {
        let field = self.field;
        let modulus = field.modulus::<IBig>();
        assert_eq!(field.from_integer(&modulus), field.zero());
        assert_eq!(field.from_integer(&-modulus), field.zero());
        for word in edge_words() {
            let image = |value: Integer| self.reduced(value);
            assert_eq!(self.value(field.from_u64(word)), image(word.into()));
            let signed = word.cast_signed();
            assert_eq!(self.value(field.from_i64(signed)), image(signed.into()));
            let words = [word, !word, word];
            for (sign, factor) in [(Sign::Positive, 1), (Sign::Negative, -1)] {
                let wide = IBig::from_parts(sign, UBig::from_words(&words));
                let expected = Integer::from_digits(&words, Order::Lsf) * factor;
                assert_eq!(self.value(field.from_integer(&wide)), image(expected));
            }
        }
    }

    /// What single operations give, for all pairs of elements.
    fn singles(&self, elements: &[F::Elem]) {
        let field = self.field;
        let values: Vec<Integer> = elements.iter().map(|&a| self.value(a)).collect();
        for (&a, x) in elements.iter().zip(&values) {
            assert_eq!(field.from_integer(&field.to_integer::<UBig>(a)), a);
            assert_eq!(
                self.value(field.neg(a)),
                self.reduced((-x).into()),
                "-{a:?}"
            );
            match field.inv(a) {
                Some(inverse) => {
                    assert!(field.is_canonical(inverse), "1/{a:?}");
                    assert_eq!(field.mul(a, inverse), field.one(), "1/{a:?}");
                }
                None => assert_eq!(a, field.zero(), "1/{a:?}"),
            }
            for exponent in [0, 1, 2, 3, 64, u64::MAX] {
                let power = x.clone().pow_mod(&Integer::from(exponent), &self.prime);
                let power = power.expect("the exponent is not negative");
                assert_eq!(
                    self.value(field.pow(a, exponent)),
                    power,
                    "{a:?}^{exponent}"
                );
            }
            for (&b, y) in elements.iter().zip(&values) {
                let expected = |value: Integer| self.reduced(value);
                let (sum, difference) = (field.add(a, b), field.sub(a, b));
                assert_eq!(self.value(sum), expected((x + y).into()), "{a:?} + {b:?}");
                assert_eq!(
                    self.value(difference),
                    expected((x - y).into()),
                    "{a:?} - {b:?}"
                );
                assert_eq!(
                    self.value(field.mul(a, b)),
                    expected((x * y).into()),
                    "{a:?} * {b:?}"
                );
            }
        }
        for window in elements.windows(3) {
            let [a, b, c] = [window[0], window[1], window[2]];
            let (add, mul) = (|x, y| field.add(x, y), |x, y| field.mul(x, y));
            assert_eq!(add(add(a, b), c), add(a, add(b, c)), "{window:?}");
            assert_eq!(mul(mul(a, b), c), mul(a, mul(b, c)), "{window:?}");
            assert_eq!(mul(a, add(b, c)), add(mul(a, b), mul(a, c)), "{window:?}");
        }
    }

    /// Slices do to every element what single operations do.
    fn slices(&self, elements: &[F::Elem]) {
        let field = self.field;
        let reversed: Vec<F::Elem> = elements.iter().rev().copied().collect();
        let pairs = || elements.iter().copied().zip(reversed.iter().copied());
        let check = |name: &str, change: &dyn Fn(&mut [F::Elem]), expected: Vec<F::Elem>| {
            let mut changed = elements.to_vec();
            change(&mut changed);
            assert_eq!(
                changed,
                expected,
                "{name} of {} elements modulo {}",
                elements.len(),
                self.prime
            );
        };
        check(
            "sums",
            &|x| field.add_assign_slice(x, &reversed),
            pairs().map(|(x, y)| field.add(x, y)).collect(),
        );
        check(
            "differences",
            &|x| field.sub_assign_slice(x, &reversed),
            pairs().map(|(x, y)| field.sub(x, y)).collect(),
        );
        check(
            "products",
            &|x| field.mul_assign_slice(x, &reversed),
            pairs().map(|(x, y)| field.mul(x, y)).collect(),
        );
        check(
            "negatives",
            &|x| field.neg_slice(x),
            elements.iter().map(|&x| field.neg(x)).collect(),
        );
        let factors = [
            elements.last().copied().unwrap_or(field.zero()),
            elements.first().copied().unwrap_or(field.zero()),
            field.one(),
            field.from_i64(-1),
        ];
        for factor in factors {
            check(
                "multiples",
                &|x| field.scale_slice(x, factor),
                elements.iter().map(|&x| field.mul(x, factor)).collect(),
            );
        }
        let [a, b, c, d] = factors;
        let (x, y) = (elements, &reversed[..]);
        self.combination([(a, x)]);
        self.combination([(a, x), (b, y)]);
        self.combination([(a, x), (b, y), (c, y)]);
        self.combination([(a, x), (b, y), (c, y), (d, x)]);
        for coefficients in [&[], &reversed[..reversed.len().min(1)], &reversed[..]] {
            let value = |&x: &F::Elem| {
                let horner = |value, &c| field.add(field.mul(value, x), c);
                coefficients.iter().rev().fold(field.zero(), horner)
            };
            check(
                "values",
                &|values| field.evaluate_slice(values, coefficients, elements),
                elements.iter().map(value).collect(),
            );
        }
        self.batch_inverse(elements);
    }

    fn combination<const N: usize>(&self, terms: [(F::Elem, &[F::Elem]); N]) {
        let field = self.field;
        let length = terms[0].1.len();
        let expected = |i: usize| {
            let products = terms
                .iter()
                .map(|&(factor, operand)| field.mul(factor, operand[i]));
            products.fold(field.zero(), |sum, product| field.add(sum, product))
        };
        let expected: Vec<F::Elem> = (0..length).map(expected).collect();
        // What was there does not count.
        let mut out = vec![field.from_i64(-1); length];
        field.combine_slices(&mut out, terms);
        assert_eq!(
            out, expected,
            "{N} terms of {length} elements modulo {}",
            self.prime
        );
    }

    fn batch_inverse(&self, elements: &[F::Elem]) {
        let field = self.field;
        let mut units = elements.to_vec();
        units.retain(|&x| x != field.zero());
        let mut inverses = units.clone();
        assert_eq!(field.batch_inv(&mut inverses), Ok(()));
        let expected: Vec<F::Elem> = units.iter().filter_map(|&x| field.inv(x)).collect();
        assert_eq!(inverses, expected);
        // The first zero is named, and nothing is changed.
        for index in [0, units.len() / 2, units.len()] {
            let mut with_zeros = units.clone();
            with_zeros.insert(index, field.zero());
            with_zeros.push(field.zero());
            let before = with_zeros.clone();
            let refused = Err(FieldError::ZeroInverse { index });
            assert_eq!(field.batch_inv(&mut with_zeros), refused);
            assert_eq!(with_zeros, before);
        }
    }

    /// Slices of unequal lengths are refused.
    fn unequal_lengths(&self) {
        let field = self.field;
        let (one, two) = ([field.one()], [field.one(); 2]);
        let refused = |name: &str, work: &dyn Fn(&mut [F::Elem])| {
            let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut [field.one(); 2])));
            assert!(
                outcome.is_err(),
                "{name} of 2 and 1 elements modulo {}",
                self.prime
            );
        };
        refused("sums", &|x| field.add_assign_slice(x, &one));
        refused("differences", &|x| field.sub_assign_slice(x, &one));
        refused("products", &|x| field.mul_assign_slice(x, &one));
        refused("combinations", &|x| {
            field.combine_slices(x, [(field.one(), &two[..]), (field.one(), &one)]);
        });
        refused("values", &|x| field.evaluate_slice(x, &two, &one));
    }
}

impl<F: TwoAdicField> Laws<'_, F> {
    /// Roots of unity have their order, and their squares are the next.
    fn roots_of_unity(&self) {
        let (field, prime) = (self.field, &self.prime);
        let adicity = field.two_adicity();
        let units = Integer::from(&self.prime - 1);
        assert_eq!(
            units.find_one(0),
            Some(adicity),
            "two-adicity modulo {prime}"
        );
        assert_eq!(field.root_of_unity(0), Some(field.one()));
        assert_eq!(field.root_of_unity(adicity + 1), None);
        assert_eq!(field.root_of_unity(u32::MAX), None);
        let mut below = field.one();
        let logs = (1..=adicity.min(12)).chain((adicity > 12).then_some(adicity));
        for log in logs {
            let root = field.root_of_unity(log).expect("2^log divides p - 1");
            let half = (1..log).fold(root, |power, _| field.mul(power, power));
            assert_eq!(half, field.from_i64(-1), "root for 2^{log} modulo {prime}");
            if log <= 12 {
                assert_eq!(
                    field.mul(root, root),
                    below,
                    "root for 2^{log} modulo {prime}"
                );
                below = root;
            }
        }
    }
    /// The factors of p − 1, and the least number that has no root.
    fn units(&self) {
        let factors = self.field.order_factors();
        assert!(factors.is_sorted_by_key(|&(prime, _)| prime));
        let mut product = Integer::from(1);
        for (prime, exponent) in factors {
            let prime = Integer::from(prime);
            assert_ne!(prime.is_probably_prime(30), IsPrime::No, "{prime}");
            product *= prime.pow(exponent);
        }
        assert_eq!(product + 1u8, self.prime);
        let is_none = |a: &u64| Integer::from(*a).legendre(&self.prime) == -1;
        assert_eq!((2..).find(is_none), Some(self.field.least_non_residue()));
    }
}
