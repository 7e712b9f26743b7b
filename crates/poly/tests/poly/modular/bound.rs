//! Bounds of resultants.

use sunzi_integer::Integer;
use sunzi_poly::internals::norms;

#[test]
fn norms_are_above_and_near() {
    for bits in [1u32, 2, 10, 63, 64, 200] {
        let f = [Integer::ONE << bits as usize, Integer::ZERO];
        let bound = norms(&f, 10, &f, 6);
        assert!(bound > 16 * u64::from(bits) && bound <= 16 * u64::from(bits) + 2);
    }
}
