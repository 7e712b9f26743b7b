//! Coefficients packed into one integer.

use sunzi_integer::Integer;
use sunzi_poly::internals::{WORD, flat, is_negative, pack, unpack};
use sunzi_poly::{FlatPoly, Poly};
use sunzi_testkit::Random;

#[test]
fn coefficients_return_at_every_width() {
    let mut random = Random::new(9);
    for bits in [2, 3, 31, 63, 64, 65, 127, 128, 129, 200, 256] {
        let half: Integer = Integer::ONE << (bits - 1);
        let quarter: Integer = Integer::ONE << (bits - 2);
        let edges = [
            Integer::ZERO,
            Integer::ONE,
            -Integer::ONE,
            half.clone() - Integer::ONE,
            Integer::ONE - half,
            quarter.clone() - Integer::ONE,
            -quarter,
        ];
        for round in 0..50 {
            let len = 1 + round % 9;
            let coefficients: Vec<Integer> = (0..len)
                .map(|_| edges[random.below(edges.len() as u64) as usize].clone())
                .collect();
            let rows = flat(&coefficients);
            let limbs = pack(&rows, bits);
            let width = bits / WORD + 1;
            let mut out = vec![7; len * width];
            unpack(&mut out, width, &limbs, bits, is_negative(&rows));
            let back = FlatPoly::from_limbs(width, out).unwrap();
            assert_eq!(back.to_poly(), Poly::new(coefficients), "{bits}");
        }
    }
}

#[test]
fn the_value_is_that_of_the_polynomial() {
    let coefficients = [-5, 0, 7, -1].map(Integer::from);
    let limbs = pack(&flat(&coefficients), 10);
    let value: i64 = 5 - (7 << 20) + (1 << 30);
    assert_eq!(limbs, [value as u64]);
}
