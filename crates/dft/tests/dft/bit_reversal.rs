//! Permutations in place.

use sunzi_dft::internals::{permute, reversed};

#[test]
fn every_position_goes_to_its_mirror_image() {
    for log in 0..13 {
        let mut data: Vec<usize> = (0..1 << log).collect();
        permute(&mut data);
        for (i, &x) in data.iter().enumerate() {
            assert_eq!(x, reversed(i, log), "{log}");
        }
    }
}
