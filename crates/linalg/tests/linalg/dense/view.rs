//! Blocks of a matrix.

use sunzi_linalg::internals::ViewMut;

#[test]
fn blocks_of_blocks() {
    let mut entries: Vec<u32> = (0..30).collect();
    let view = ViewMut::new(&mut entries, 5, 6);
    let (left, mut right) = view.split_columns(2);
    let (mut top, bottom) = left.split_rows(3);
    assert_eq!(bottom.row(1), [24, 25]);
    assert_eq!(right.row(4), [26, 27, 28, 29]);
    assert_eq!(right.as_view().block((1, 2), (1, 2)).row(1), [15, 16]);
    top.swap_rows(2, 0);
    right.row_mut(0)[0] = 99;
    let blocks = right.row_blocks(2);
    assert_eq!(
        blocks.iter().map(ViewMut::rows).collect::<Vec<_>>(),
        [2, 2, 1]
    );
    assert_eq!(entries[..3], [12, 13, 99]);
}
