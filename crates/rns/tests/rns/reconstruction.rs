//! Integers from their residues.

use super::product;
use dashu_int::{IBig, UBig};
use sunzi_field::WordModulus;
use sunzi_rns::internals::GROUP;
use sunzi_rns::{Reconstruction, WordPrimes, residues};

#[test]
fn integers_come_back_from_their_residues() {
    for count in [1, 2, 3, 7, 8, 9, GROUP - 1, GROUP, 2 * GROUP + 5, 300] {
        let mut primes: Vec<u64> = WordPrimes::new().take(count).collect();
        // Primes of other sizes are as good.
        primes[count / 2] = 469_762_049;
        let reconstruction = Reconstruction::new(&primes, product);
        let product: UBig = primes.iter().map(|&prime| UBig::from(prime)).product();
        assert_eq!(reconstruction.modulus::<UBig>(), product);
        let half = IBig::from(product) / IBig::from(2);
        let mut values = vec![IBig::ZERO, half.clone(), -half.clone()];
        for offset in [1, 2, 1i64 << 20] {
            let offset = IBig::from(offset);
            values.extend([&half - &offset, &offset - &half, offset.clone(), -offset]);
        }
        values.push(&half / IBig::from(3));
        let images = residues(&values, &primes);
        for (&prime, image) in primes.iter().zip(&images) {
            let ring = WordModulus::new(prime);
            let expected = values.iter().map(|value| ring.reduce_integer(value));
            assert!(expected.eq(image.iter().copied()));
        }
        assert_eq!(
            reconstruction.signed_all::<IBig, _, _>(&images),
            values,
            "{count} primes"
        );
    }
}
