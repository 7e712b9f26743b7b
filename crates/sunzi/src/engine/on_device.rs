//! What an engine keeps of a device.

use std::sync::Arc;
use sunzi_device::{Device, DeviceInfo};
use sunzi_gpu::products::{IntegerMultiplier, PolynomialMultiplier, ProductConfig, ProductProblem};
use sunzi_machine::threads::Threads;

use crate::tune::Tuning;

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

    /// With shapes by a tuning; one of another device is left alone, with a warning.
    pub(super) fn with_tuning(device: &Device, tuning: &Arc<Tuning>) -> Self {
        let Some(shapes) = &tuning.device else {
            return Self::new(device);
        };
        if !shapes.is_for(device.info()) {
            device.add_warning(format!(
                "shapes that were chosen for {} are not used on {}, or its driver is another now: measure anew",
                shapes.device(),
                device.info().name
            ));
            return Self::new(device);
        }
        let shape = |tuning: Arc<Tuning>, info: DeviceInfo| {
            move |problem: &ProductProblem| match &tuning.device {
                Some(shapes) => shapes.shape(&info, problem),
                None => ProductConfig::for_device(&info),
            }
        };
        let chosen = || shape(tuning.clone(), device.info().clone());
        Self {
            device: device.clone(),
            polynomials: PolynomialMultiplier::with_configs(device, chosen()),
            integers: IntegerMultiplier::with_configs(device, chosen()),
        }
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }
}

/// Limbs that are worth a thread of their own when they are put together.
const PIECE: usize = 1 << 17;

/// Products that are worth handing out to threads together, so that a thread's turn is far longer than getting it.
const ROWS: usize = 64;

/// Puts products, which a device's multiplier hands out together, where they belong. Making numbers of words takes far
/// longer than copying them from a device: all threads do it.
pub(super) fn keep_all<T: Send>(
    kept: &mut [T],
    products: &[(usize, &[u32])],
    make: impl Fn(usize, &[u32]) -> T + Sync,
) {
    let words: usize = products.iter().map(|(_, words)| words.len()).sum();
    let threads = Threads::when(words > 2 * PIECE);
    let runs = products.chunks(threads.piece(products.len(), ROWS));
    let made = threads.map(runs, |run| {
        let made = run.iter().map(|&(number, words)| make(number, words));
        made.collect::<Vec<_>>()
    });
    for (&(number, _), product) in products.iter().zip(made.into_iter().flatten()) {
        kept[number] = product;
    }
}

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
    use super::{PIECE, ROWS, keep_all, limbs_of};

    #[test]
    fn products_come_where_their_numbers_say() {
        // One by one, and by several threads in runs of which the last one is short.
        for (count, width) in [(3, 1), (3 * ROWS + 5, PIECE / ROWS)] {
            let rows: Vec<Vec<u32>> = (0..count).map(|row| vec![row as u32; width]).collect();
            let mut kept = vec![(usize::MAX, 0); count + 1];
            let mut products: Vec<_> = (0..count).rev().map(|row| (row, &rows[row][..])).collect();
            products.rotate_left(count / 3);
            keep_all(&mut kept, &products, |number, words| (number, words[0]));
            assert_eq!(kept.pop(), Some((usize::MAX, 0)));
            let expected: Vec<_> = (0..count).map(|row| (row, row as u32)).collect();
            assert_eq!(kept, expected);
        }
    }

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
