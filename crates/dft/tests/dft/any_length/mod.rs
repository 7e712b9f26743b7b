//! Transforms of any length with schoolbook products: lengths, roots and refusals, against GMP's integers. With
//! the products of rings they are tested in `sunzi-poly`.

mod problem;
mod root;

use rug::Integer;
use sunzi_dft::{ChirpProduct, DftContext, DftError, DftField, Direction, Ordering};
use sunzi_field::generalized_fermat::named_prime;
use sunzi_field::primality::factor;
use sunzi_field::{AnyField, Fp32, Fp64, GeneralizedFermat, with_field};
use sunzi_testkit::{Random, gmp_modulus, gmp_residue};

/// 2^31 − 1 = 2·3²·7·11·31·151·331 + 1.
const P31: u32 = (1 << 31) - 1;
/// 2^18·3²·7²·43·127·337·5419 + 1.
const P60: u64 = (1 << 60) - (1 << 18) + 1;

type AnyLengthDft<F> = sunzi_dft::AnyLengthDft<F, Schoolbook<F>>;

#[derive(Debug)]
struct Schoolbook<F>(F);

/// Products above this length fail.
const LONGEST: usize = 1 << 12;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum ProductError {
    #[error("too long")]
    TooLong,
    #[error(transparent)]
    Transform(#[from] DftError),
}

impl<F: DftField> ChirpProduct<F> for Schoolbook<F> {
    type Plan = String;
    type Error = ProductError;

    fn over(field: &F) -> Self {
        Self(field.clone())
    }

    fn plan(&self, len: usize) -> String {
        format!("schoolbook, {len}")
    }

    fn scratch_bytes(&self, _len: usize) -> u64 {
        0
    }

    fn multiply(
        &self,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), ProductError> {
        if a.len() > LONGEST {
            return Err(ProductError::TooLong);
        }
        assert_eq!(out.len(), a.len() + b.len() - 1);
        out.fill(self.0.zero());
        for (i, &a) in a.iter().enumerate() {
            for (out, &b) in out[i..].iter_mut().zip(b) {
                *out = self.0.add(*out, self.0.mul(a, b));
            }
        }
        Ok(())
    }
}

fn named(name: &str) -> AnyField {
    let prime = named_prime(name).unwrap();
    AnyField::generalized_fermat(prime.radix, prime.digits).unwrap()
}

fn pow(base: &Integer, exponent: impl Into<Integer>, p: &Integer) -> Integer {
    Integer::from(base.pow_mod_ref(&exponent.into(), p).unwrap())
}

/// Every length up to `limit`: the divisors of p − 1 against the definition, all others refused.
fn check_all<F: DftField>(field: &F, limit: usize) {
    let p = gmp_modulus(field);
    let units = Integer::from(&p - 1);
    for len in 1..=limit {
        if !units.is_divisible_u(len as u32) {
            assert!(AnyLengthDft::new(field, len).is_err(), "{len} mod {p}");
            continue;
        }
        let dft = AnyLengthDft::new(field, len).unwrap();
        assert_eq!(dft.points(), len);
        let root = gmp_residue(field, dft.root_of_unity());
        let x = Random::new(1).elements(field, len);
        let integral: Vec<Integer> = x.iter().map(|&x| gmp_residue(field, x)).collect();
        let mut found = x.clone();
        dft.forward(&mut found).unwrap();
        for (j, &value) in found.iter().enumerate() {
            let point = pow(&root, j, &p);
            let horner = |sum: Integer, x: &Integer| (sum * &point + x) % &p;
            let expected = integral.iter().rev().fold(Integer::new(), horner);
            assert_eq!(gmp_residue(field, value), expected, "{dft} mod {p}");
        }
        dft.inverse(&mut found).unwrap();
        assert!(found == x, "{dft} mod {p}");
    }
}

#[test]
fn short_lengths_match_the_definition() {
    for prime in [3, 5, 7, 13, 31, 127, 211] {
        check_all(&Fp32::new(prime).unwrap(), prime as usize + 3);
        check_all(&Fp64::new(prime.into()).unwrap(), prime as usize + 3);
    }
    check_all(&Fp32::new(P31).unwrap(), 100);
    check_all(&Fp64::new(P60).unwrap(), 100);
    for name in ["P4", "P8"] {
        with_field!(&named(name), field => check_all(field, 60));
    }
}

#[test]
fn products_that_fail_leave_the_vector_alone() {
    let field = Fp64::new(P60).unwrap();
    let dft = AnyLengthDft::new(&field, 5419).unwrap();
    assert_eq!(
        dft.to_string(),
        "chirp transform of 5419 points by a product: schoolbook, 5419"
    );
    let x = Random::new(1).elements(&field, 5419);
    let mut found = x.clone();
    assert_eq!(dft.clone().forward(&mut found), Err(ProductError::TooLong));
    assert_eq!(dft.inverse(&mut found), Err(ProductError::TooLong));
    assert_eq!(found, x);
}

#[test]
fn powers_of_two_are_the_transforms_of_the_field() {
    fn check<const K: usize>(field: &GeneralizedFermat<K>) {
        for log in [0, 1, 3, 4, 8, 11] {
            let dft = DftContext::over_big_prime(field, 1 << log).unwrap();
            same(field, log, &dft);
        }
    }
    fn same<F: DftField>(field: &F, log: u32, theirs: &DftContext<F>) {
        let dft = AnyLengthDft::new(field, 1 << log).unwrap();
        assert_eq!(Some(dft.root_of_unity()), field.root_of_unity(log));
        assert_eq!(dft.to_string(), theirs.to_string());
        let mut x = Random::new(1).elements(field, 1 << log);
        let mut y = x.clone();
        for direction in [Direction::Forward, Direction::Inverse] {
            dft.transform(&mut x, direction).unwrap();
            theirs
                .transform(&mut y, direction, Ordering::Natural)
                .unwrap();
            assert_eq!(x, y);
        }
    }
    for log in [0, 1, 2, 5, 10, 15] {
        let field = Fp32::new(469_762_049).unwrap();
        same(&field, log, &DftContext::new(&field, 1 << log).unwrap());
        let field = Fp64::new(P60).unwrap();
        same(&field, log, &DftContext::new(&field, 1 << log).unwrap());
    }
    for name in ["P4", "P8", "P2F"] {
        with_field!(&named(name), field: GeneralizedFermat => check(field), _ => unreachable!());
    }
}

#[test]
fn roots_are_those_of_the_definition() {
    // By GMP: the least base that is no q-th power, for each prime power of the length.
    fn check_root<F: DftField>(field: &F, len: usize) {
        let p = gmp_modulus(field);
        let units = Integer::from(&p - 1);
        let root = AnyLengthDft::new(field, len).unwrap().root_of_unity();
        let root = gmp_residue(field, root);
        for (q, _) in factor(len as u64) {
            let (q, len) = (q as usize, len);
            let mut power = q;
            while len.is_multiple_of(power * q) {
                power *= q;
            }
            let expected = if q == 2 {
                gmp_residue(field, field.root_of_unity(power.ilog2()).unwrap())
            } else {
                let cofactor = Integer::from(&units / q);
                let is_power = |a: &Integer| pow(a, cofactor.clone(), &p) == 1;
                let base = (2..).map(Integer::from).find(|a| !is_power(a)).unwrap();
                pow(&base, Integer::from(&units / power), &p)
            };
            assert_eq!(pow(&root, len / power, &p), expected, "{len} mod {p}");
        }
    }
    for len in [3, 9, 6, 7 * 11, 2 * 9 * 31, 331 * 2] {
        check_root(&Fp32::new(P31).unwrap(), len);
    }
    for len in [9, 49, 9 * 49 * 64, 337 * 4, 5419] {
        check_root(&Fp64::new(P60).unwrap(), len);
    }
    for (name, len) in [("P4", 125 * 11 * 4), ("P8", 27 * 128), ("P8", 67 * 16)] {
        with_field!(&named(name), field => check_root(field, len));
    }
}

#[test]
fn refusals_tell_what_would_work() {
    fn said<F: DftField>(field: &F, len: usize) -> String {
        AnyLengthDft::new(field, len).unwrap_err().to_string()
    }
    let field = Fp32::new(31).unwrap();
    assert_eq!(
        said(&field, 7),
        "a transform of 7 points needs 7 to divide p - 1, which it does not: \
         the nearest lengths that do are 6 and 10"
    );
    assert!(said(&field, 31).ends_with("the longest length that does is 30"));
    assert!(said(&field, usize::MAX).ends_with("the longest length that does is 30"));
    assert!(said(&field, 0).ends_with("the shortest length that does is 1"));
    let p8 = named_prime("P8").unwrap();
    let field = GeneralizedFermat::<8>::new(p8.radix).unwrap();
    assert!(said(&field, 100).ends_with("the nearest lengths that do are 96 and 108"));
    assert!(said(&field, usize::MAX).contains("the longest length that does is"));
    // A length that there is, but no memory for it.
    for len in [1 << 62, 3 << 60] {
        let error = AnyLengthDft::new(&field, len).unwrap_err();
        assert!(matches!(error, DftError::OutOfMemory(_)), "{error}");
        assert!(AnyLengthDft::working_bytes(&field, len).unwrap() > 1 << 60);
    }
}

#[test]
fn vectors_of_another_length_are_refused() {
    let field = Fp64::new(P60).unwrap();
    for len in [8, 9] {
        let dft = AnyLengthDft::new(&field, len).unwrap();
        for found in [0, len - 1, len + 1] {
            let mut x = vec![3; found];
            let wrong = DftError::Shape {
                expected: len,
                found,
            };
            let wrong = ProductError::Transform(wrong);
            assert_eq!(dft.forward(&mut x), Err(wrong.clone()));
            assert_eq!(dft.inverse(&mut x), Err(wrong));
            assert_eq!(x, vec![3; found]);
        }
    }
}
