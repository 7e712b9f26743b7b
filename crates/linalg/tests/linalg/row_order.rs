//! Rows in another order.

use sunzi_linalg::row_order::arranged;
use sunzi_testkit::Random;

#[test]
fn rows_come_as_they_are_named() {
    let mut random = Random::new(1);
    for width in [1, 2, 3] {
        for count in [1, 2, 7, 100] {
            let rows: Vec<u64> = (0..count * width as u64).collect();
            let mut shuffled: Vec<u32> = (0..count as u32).collect();
            for i in (1..shuffled.len()).rev() {
                shuffled.swap(i, random.below(i as u64 + 1) as usize);
            }
            let named = (0..150).map(|_| random.below(count) as u32).collect();
            for indices in [
                vec![],
                shuffled[count as usize / 2..].to_vec(),
                shuffled,
                named,
            ] {
                let row = |&index: &u32| &rows[index as usize * width..][..width];
                let expected: Vec<u64> = indices.iter().flat_map(row).copied().collect();
                assert_eq!(arranged(indices, rows.clone(), width), Ok(expected));
            }
        }
    }
    assert_eq!(arranged(vec![0, 1, 2], vec![0; 5], 2), Err(2));
}
