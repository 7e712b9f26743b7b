//! What an engine keeps of a device.

use sunzi_gpu::Device;
use sunzi_gpu::products::{IntegerMultiplier, PolynomialMultiplier};
use sunzi_threads::Threads;

/// A device and its products.
#[derive(Debug)]
pub(super) struct OnDevice {
    device: Device,
    pub(super) polynomials: PolynomialMultiplier,
    pub(super) integers: IntegerMultiplier,
}

impl OnDevice {
    pub(super) fn new(device: &Device) -> Self {
        Self {
            device: device.clone(),
            polynomials: PolynomialMultiplier::new(device),
            integers: IntegerMultiplier::new(device),
        }
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }
}

/// Limbs that are worth a thread of their own when they are put together.
const PIECE: usize = 1 << 17;

/// Rows of 32-bit words as limbs of 64 bits: the host's memory is little-endian wherever there are devices.
pub(super) fn limbs_of(words: &[u32]) -> Vec<u64> {
    let mut limbs = vec![0; words.len().div_ceil(2)];
    let pieces = limbs.chunks_mut(PIECE).zip(words.chunks(2 * PIECE));
    Threads::when(words.len() > 2 * PIECE).each(pieces, |(limbs, words)| {
        for (limb, pair) in limbs.iter_mut().zip(words.chunks(2)) {
            let high = pair.get(1).map_or(0, |&high| u64::from(high) << 32);
            *limb = u64::from(pair[0]) | high;
        }
    });
    limbs
}

#[cfg(test)]
mod tests {
    use super::{PIECE, limbs_of};

    #[test]
    fn words_are_put_together_in_pairs() {
        assert!(limbs_of(&[]).is_empty());
        assert_eq!(limbs_of(&[1, 2, 3]), [1 | 2 << 32, 3]);
        for len in [2 * PIECE - 1, 2 * PIECE, 4 * PIECE + 1] {
            let words: Vec<u32> = (0..len as u32).collect();
            let expected: Vec<u64> = words
                .chunks(2)
                .map(|pair| {
                    pair.iter()
                        .rev()
                        .fold(0, |limb, &word| limb << 32 | u64::from(word))
                })
                .collect();
            assert!(limbs_of(&words) == expected, "{len}");
        }
    }
}
