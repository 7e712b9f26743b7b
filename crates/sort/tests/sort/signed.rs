//! Keys with a sign.

use proptest::prelude::*;
use sunzi_sort::{Key, sort, sorting_permutation};

fn check<K: Key + std::fmt::Debug>(keys: &[K]) {
    let mut sorted = keys.to_vec();
    sort(&mut sorted);
    let mut expected = keys.to_vec();
    expected.sort();
    assert_eq!(sorted, expected);
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_by_key(|&at| keys[at as usize]);
    assert_eq!(sorting_permutation(keys), Ok(order));
}

#[test]
fn the_least_and_the_greatest() {
    check(&[i8::MAX, -1, 0, i8::MIN, 1, -1]);
    check(&[i16::MAX, -1, 0, i16::MIN, 1]);
    check(&[i32::MAX, -1, 0, i32::MIN, 1]);
    check(&[i64::MAX, -1, 0, i64::MIN, 1]);
    check(&[isize::MAX, isize::MIN]);
    check::<i64>(&[]);
}

proptest! {
    #[test]
    fn like_comparison(keys in prop::collection::vec(any::<i64>(), 0..2000), shift in 0u32..64) {
        let keys: Vec<_> = keys.into_iter().map(|key| key >> shift).collect();
        check(&keys);
        check(&keys.iter().map(|&key| key as i32).collect::<Vec<_>>());
    }
}
