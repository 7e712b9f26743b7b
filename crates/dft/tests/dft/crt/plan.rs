//! Memory of products over several primes.

use sunzi_dft::crt::ProductPlan;

#[test]
fn grows_with_points_and_primes_and_saturates() {
    assert_eq!(ProductPlan::new(0, 100).bytes(), 0);
    assert_eq!(ProductPlan::new(1, 0).bytes(), 3 * 8);
    assert_eq!(ProductPlan::new(3, (1 << 19) - 1).bytes(), (9 * 8) << 19);
    assert_eq!(ProductPlan::new(3, 1 << 19).bytes(), (7 * 8) << 19);
    assert_eq!(ProductPlan::new(4, usize::MAX).bytes(), u64::MAX);
}

#[test]
fn just_above_a_power_of_two_little_more_than_half_is_reached() {
    let (points, len) = (1 << 21, (1 << 20) + 1);
    let values = points / 2 + points / 32;
    let multipliers = points / 2 + points / 16;
    let bytes = 8 * (3 * multipliers + 4 * values);
    assert_eq!(ProductPlan::new(3, len).bytes(), bytes as u64);
}
