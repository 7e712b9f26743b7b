//! Bits within limbs.

use sunzi_poly::internals::{BitWriter, bit_length, read_bits};
use sunzi_testkit::Random;

#[test]
fn what_is_written_is_read() {
    let mut random = Random::new(3);
    for width in 1usize..=64 {
        let values: Vec<u64> = (0..40).map(|_| random.word() >> (64 - width)).collect();
        let mut limbs = vec![u64::MAX; (40 * width).div_ceil(64) + 1];
        let mut writer = BitWriter::new(&mut limbs);
        values.iter().for_each(|&value| writer.push(value, width));
        writer.finish();
        for (index, &value) in values.iter().enumerate() {
            assert_eq!(read_bits(&limbs, index * width, width), value, "{width}");
        }
        assert_eq!(limbs.last(), Some(&0));
        assert_eq!(read_bits(&limbs, 64 * limbs.len(), width), 0);
    }
}

#[test]
fn lengths_of_words() {
    assert_eq!([0, 1, 2, 255, u64::MAX].map(bit_length), [0, 1, 2, 8, 64]);
}
