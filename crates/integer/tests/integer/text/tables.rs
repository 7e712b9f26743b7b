//! Powers of ten.

use sunzi_integer::Multiplier;
use sunzi_integer::internals::{DIGITS, MAX_LEAF, Shape, levels, limbs_of};
use sunzi_integer::text::DecimalTables;

#[test]
fn shapes_hold_what_they_must_with_little_waste() {
    for chunks in (1..2000).chain([4095, 4096, 4097, 526_316]) {
        let shape = Shape::of(chunks);
        let room = shape.leaf << shape.depth;
        assert!(room >= chunks && shape.leaf <= MAX_LEAF);
        assert!(room - chunks < 1 << shape.depth);
        assert!(shape.depth == 0 || shape.leaf > MAX_LEAF / 2);
    }
}

#[test]
fn levels_are_the_powers_they_claim() {
    let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
    for leaf in [1, 2, 33, 47, 64] {
        for level in levels(&tables, &multiplier, leaf, 4) {
            let digits = u32::try_from(DIGITS * level.chunks).unwrap();
            let expected = rug::Integer::from(rug::Integer::u_pow_u(10, digits));
            let power = rug::Integer::from_digits(&level.power, rug::integer::Order::Lsf);
            assert_eq!(power << u32::try_from(64 * level.shift).unwrap(), expected);
            assert!(limbs_of(level.chunks) >= expected.significant_bits().div_ceil(64) as usize);
        }
    }
}
