//! Resultants against determinants of Sylvester matrices over Z.

use super::common::{poly, random, sylvester};
use dashu_int::IBig;
use sunzi_solve::{IntegerResultant, discriminant, resultant};

#[test]
fn determinants_of_sylvester_matrices() {
    for (m, n, bits) in [
        (1, 1, 64),
        (2, 1, 64),
        (1, 3, 10),
        (5, 5, 64),
        (7, 4, 200),
        (3, 8, 30),
        (12, 12, 64),
        (20, 17, 3),
        (9, 2, 1000),
    ] {
        for seed in 0..3 {
            let (f, g) = (random(m, bits, seed), random(n, bits, seed + 100));
            let expected = sylvester(&f, &g);
            let known = IntegerResultant::new().compute(&f, &g).unwrap();
            assert!(known.proved);
            assert_eq!(known.value, expected, "degrees {m} and {n}, {bits} bits");
            let early = IntegerResultant::new().early(2).compute(&f, &g).unwrap();
            assert_eq!(early.value, expected);
        }
    }
}

#[test]
fn degrees_that_drop_by_more_than_one() {
    let sparse = [
        poly(&[1, 0, 0, 0, 1]),
        poly(&[3, 0, 1]),
        poly(&[-1, 0, 0, 0, 0, 0, 0, 2]),
        poly(&[5, 0, 0, 7]),
        poly(&[0, 0, 0, 0, 0, 1]),
        poly(&[2, 1]),
        poly(&[4, 4, 0, 0, 0, 0, -6]),
        poly(&[-3, 0, 0, 0, -9]),
    ];
    for f in &sparse {
        for g in &sparse {
            assert_eq!(resultant(f, g).unwrap(), sylvester(f, g), "{f:?} {g:?}");
        }
    }
}
