//! Pictures of patterns.

use sunzi_sparse::internals::{bound, counts, pixel};
use sunzi_sparse::{CsrMatrix, Picture};

#[test]
fn lines_lie_in_their_pixels() {
    for lines in 1..60 {
        for pixels in 1..=lines {
            for line in 0..lines {
                let at = pixel(line, pixels, lines);
                assert!(bound(at, pixels, lines) <= line && line < bound(at + 1, pixels, lines));
            }
            assert_eq!(
                (bound(0, pixels, lines), bound(pixels, pixels, lines)),
                (0, lines)
            );
        }
    }
}

#[test]
fn every_entry_is_counted_once() {
    let entries: Vec<_> = (0..97u32).map(|i| (i * 31 % 97, i * i % 41, 1)).collect();
    let matrix = CsrMatrix::from_triplets(97, 41, &entries).unwrap();
    for (width, height) in [(1, 1), (7, 5), (41, 97), (1000, 1000), (41, 1)] {
        let picture = Picture::new(&matrix, width, height);
        assert_eq!(counts(&picture).iter().sum::<u32>() as usize, matrix.nnz());
        assert_eq!(picture.shades().len(), picture.width() * picture.height());
    }
    // One pixel for each place shows the pattern itself.
    let picture = Picture::new(&matrix, 41, 97);
    for row in 0..97 {
        for column in 0..41 {
            let entry = matrix.get(row, column).is_some();
            assert_eq!(picture.density(column, row), f64::from(u8::from(entry)));
        }
    }
}

#[test]
fn empty_pictures() {
    for (rows, columns, width, height) in [
        (0, 0, 9, 9),
        (0, 3, 9, 9),
        (3, 0, 9, 9),
        (3, 3, 0, 9),
        (3, 3, 9, 0),
    ] {
        let matrix = CsrMatrix::from_triplets(rows, columns, &[(0, 0, 1); 0]).unwrap();
        assert!(Picture::new(&matrix, width, height).shades().is_empty());
    }
    let matrix = CsrMatrix::from_triplets(3, 3, &[(0, 0, 1); 0]).unwrap();
    assert_eq!(Picture::new(&matrix, 2, 2).shades(), [255; 4]);
}
