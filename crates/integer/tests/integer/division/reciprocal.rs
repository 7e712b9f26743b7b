//! Reciprocals of long integers.

use rug::Integer;
use rug::integer::Order;
use sunzi_integer::Multiplier;
use sunzi_integer::internals::reciprocal;
use sunzi_testkit::Random;

/// The definition: 0 ≤ 2^(64(m+k)) − I·P·2^z < 2·P·2^z.
fn check(divisor: &[u64], precision: usize) {
    let inverse = reciprocal(&Multiplier::new(), divisor, precision);
    assert_eq!(inverse.len(), precision + 1);
    let zeros = divisor.last().unwrap().leading_zeros();
    let scaled = Integer::from_digits(divisor, Order::Lsf) << zeros;
    let one = Integer::from(1) << u32::try_from(64 * (divisor.len() + precision)).unwrap();
    let rest = one - Integer::from_digits(&inverse, Order::Lsf) * &scaled;
    assert!(
        rest >= 0,
        "{} limbs, precision {precision}: above",
        divisor.len()
    );
    assert!(
        rest < scaled * 2,
        "{} limbs, precision {precision}: too far below",
        divisor.len()
    );
}

#[test]
fn the_stated_bound_holds() {
    let mut random = Random::new(1);
    for m in (1..40).chain([63, 64, 65, 100, 257]) {
        for precision in [1, 2, 7, 8, 9, 10, 15, 16, 17, 33, 64, 100, 300] {
            let mut divisor = random.words(m);
            divisor[m - 1] = (random.word() >> (m % 64)).max(1);
            check(&divisor, precision);
        }
    }
}

#[test]
fn powers_of_two_and_all_ones_and_their_neighbours() {
    for m in [1, 2, 3, 9, 10, 11, 40, 100] {
        for precision in [1, 8, 9, 17, 50, 120] {
            check(&vec![u64::MAX; m], precision);
            let mut low_zero = vec![0; m];
            low_zero[m - 1] = u64::MAX;
            check(&low_zero, precision);
            let mut above = vec![0; m];
            above[m - 1] = 1;
            above[0] |= 1;
            check(&above, precision);
            above[m - 1] = 1 << 63;
            check(&above, precision);
        }
    }
}
