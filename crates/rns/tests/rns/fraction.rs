//! Fractions from their residues.

use dashu_int::{IBig, UBig};
use sunzi_field::euclid::inverse;
use sunzi_rns::fraction;
use sunzi_testkit::Random;

#[test]
fn numerators_and_denominators_come_back() {
    let mut random = Random::new(11);
    let prime = (UBig::ONE << 521) - UBig::ONE;
    for (above, below) in [(1, 1), (64, 64), (200, 300), (519, 1), (1, 519), (260, 259)] {
        let numerator: IBig = random.integer(above);
        let (_, denominator) = random.integer::<IBig>(below).into_parts();
        let denominator = denominator + UBig::ONE;
        let common = dashu_int::ops::Gcd::gcd(IBig::from(denominator.clone()), numerator.clone());
        let (numerator, denominator) =
            (numerator / IBig::from(common.clone()), denominator / common);
        let product = &numerator * IBig::from(inverse(&denominator, &prime).unwrap());
        let whole = IBig::from(prime.clone());
        let residue = UBig::try_from((product % &whole + &whole) % &whole).unwrap();
        let found = fraction(&residue, &prime, &(UBig::ONE << above));
        assert_eq!(found, (numerator, denominator), "{above} {below}");
    }
}
