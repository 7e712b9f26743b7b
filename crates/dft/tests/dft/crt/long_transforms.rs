//! Transforms of long integers by their residues.

use dashu_int::UBig;
use sunzi_dft::crt::LongTransforms;
use sunzi_field::generalized_fermat::NAMED;
use sunzi_field::{Field, TwoAdicField};
use sunzi_testkit::Random;

/// Integers recombine from their residues, which are those that a division gives, and the transforms take
/// the values that the definition says.
#[test]
fn residues_values_and_integers_are_right() {
    for (prime, points) in NAMED
        .into_iter()
        .zip([4, 8, 64, 128, 256, 1 << 12].iter().cycle())
    {
        let modulus = UBig::from(prime.radix).pow(prime.digits) + UBig::ONE;
        let primes = LongTransforms::new(&modulus, *points).unwrap();
        let (limbs, width) = (modulus.as_words().len(), primes.width());
        assert!(width >= limbs, "{}", prime.name);
        let mut integers = vec![0; limbs * points];
        let mut source = Random::new(7);
        integers.fill_with(|| source.below(u64::MAX));
        // The least and the greatest that may come.
        integers[..limbs].fill(0);
        let below = &modulus - UBig::ONE;
        integers[limbs..2 * limbs].fill(0);
        integers[limbs..limbs + below.as_words().len()].copy_from_slice(below.as_words());
        for integer in integers.chunks_exact_mut(limbs) {
            let reduced = UBig::from_words(integer) % &modulus;
            integer.fill(0);
            integer[..reduced.as_words().len()].copy_from_slice(reduced.as_words());
        }
        let mut rows = primes.rows();
        primes.project(&integers, &mut rows);
        for (context, row) in primes.contexts().zip(&rows) {
            for (integer, &residue) in integers.chunks_exact(limbs).zip(row) {
                assert_eq!(UBig::from_words(integer) % context.field().prime(), residue);
            }
        }
        let mut again = vec![u64::MAX; width * points];
        primes.recombine(&rows, &mut again);
        for (before, after) in integers.chunks_exact(limbs).zip(again.chunks_exact(width)) {
            assert_eq!(UBig::from_words(before), UBig::from_words(after));
        }
        let coefficients = rows.clone();
        primes.transform(&mut rows).unwrap();
        for (context, (values, coefficients)) in
            primes.contexts().zip(rows.iter().zip(&coefficients))
        {
            let field = context.field();
            let root = field.root_of_unity(points.ilog2()).unwrap();
            for j in [0, 1, points / 2 + 1] {
                let x = field.pow(root, j as u64);
                let value = coefficients
                    .iter()
                    .rev()
                    .fold(0, |value, &c| field.add(field.mul(value, x), c));
                assert_eq!(values[j], value);
            }
        }
    }
}
