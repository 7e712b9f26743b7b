//! Tables of powers.

use sunzi_dft::internals::{chirp, consecutive, progression, triangular_power};
use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};

/// Lengths at which starts, doublings and chunks end.
const LENGTHS: [usize; 12] = [0, 1, 2, 7, 8, 9, 16, 17, 1023, 1024, 1025, 2100];

fn check<F: Field>(field: &F, a: F::Elem, q: F::Elem) {
    for len in LENGTHS {
        let progression = progression(field, a, q, len);
        let chirp = chirp(field, a, q, len);
        let (mut power, mut entry, mut factor) = (a, field.one(), a);
        assert_eq!((progression.len(), chirp.len()), (len, len));
        for i in 0..len {
            assert_eq!(progression[i], power, "{len}, {i}");
            assert_eq!(chirp[i], entry, "{len}, {i}");
            power = field.mul(power, q);
            entry = field.mul(entry, factor);
            factor = field.mul(factor, q);
        }
    }
    for start in [0, 1, 77] {
        let table = consecutive(field, start, 1500);
        let expected = (start..).map(|i| field.from_u64(i));
        assert!(table.into_iter().eq(expected.take(1500)));
    }
}

#[test]
fn entries_are_those_of_the_definition() {
    for (a, q) in [(3, 5), (0, 5), (1, 0), (0, 0), (100, 1), (7, 100)] {
        check(&Fp32::new(101).unwrap(), a, q);
    }
    let prime = (1 << 63) - 25;
    check(&Fp64::new(prime).unwrap(), prime - 1, prime - 2);
    let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
    check(&field, field.from_i64(-1), field.from_i64(-3));
}

#[test]
fn exponents_beyond_a_word_are_no_smaller() {
    let field = Fp64::new((1 << 61) - 1).unwrap();
    let order = (1u128 << 61) - 2;
    for i in [usize::MAX, usize::MAX - 1, 1 << 40, (1 << 40) + 1] {
        let exponent = i as u128 % (2 * order) * (i as u128 % (2 * order) - 1) / 2;
        let expected = field.pow(3, (exponent % order) as u64);
        assert_eq!(triangular_power(&field, 3, i), expected, "{i}");
    }
}
