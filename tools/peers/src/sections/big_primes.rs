//! What the cases over named primes r^k + 1 have in common.

use sunzi_field::generalized_fermat::NamedPrime;
use sunzi_integer::Natural;

use crate::residues::limbs;
use crate::sample::Sample;

/// The name of a group of cases, `$work` and the prime's name.
macro_rules! name_with_prime {
    ($work:literal, $prime:expr) => {
        name_with_prime!(@ $work, $prime,
            "P2F" "P4F" "P8F" "P16F" "P32F" "P64F" "P128F" "P4" "P8" "P16" "P32" "P64" "P128")
    };
    (@ $work:literal, $prime:expr, $($name:literal)*) => {
        match $prime.name {
            $($name => concat!($work, " ", $name),)*
            other => other,
        }
    };
}
pub(super) use name_with_prime;

/// The prime in limbs.
pub fn modulus(prime: NamedPrime) -> Vec<u64> {
    (Natural::from(prime.radix).pow(prime.digits) + 1).into_limbs()
}

/// `count` residues modulo a number, as rows of its limbs.
pub fn residues(sample: &mut Sample, modulus: &[u64], count: usize) -> Vec<u64> {
    let (n, value) = (modulus.len(), Natural::from(modulus));
    (0..count)
        .flat_map(|_| limbs(&(Natural::from_limbs(sample.limbs(n + 1)) % &value), n))
        .collect()
}
