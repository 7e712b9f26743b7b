//! Values at which carries, borrows and reductions go wrong.

/// Words near every boundary that word arithmetic has: 0, powers of two ± 1 at the widths of
/// halves, digits and doubles, all ones, alternating bits.
///
/// ```
/// assert!(sunzi_testkit::edge_words().contains(&u64::MAX));
/// ```
pub fn edge_words() -> Vec<u64> {
    let mut words = vec![0, 1, 2, 3, 0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa];
    for bit in [30, 31, 32, 33, 50, 51, 52, 53, 61, 62, 63] {
        let power = 1u64 << bit;
        words.extend([power - 2, power - 1, power, power + 1]);
    }
    words.extend([u64::MAX << 32, u64::MAX - 1, u64::MAX]);
    words
}

/// Residues at the ends and in the middle of `0 … p − 1`, ascending and distinct.
///
/// ```
/// assert_eq!(sunzi_testkit::edge_residues(3), [0, 1, 2]);
/// ```
pub fn edge_residues(modulus: u64) -> Vec<u64> {
    let half = modulus / 2;
    let mut residues: Vec<u64> = edge_words()
        .into_iter()
        .filter(|&word| word < modulus)
        .collect();
    residues.extend((1..=3).filter_map(|back| modulus.checked_sub(back)));
    residues.extend([half, (half + 1) % modulus]);
    residues.sort_unstable();
    residues.dedup();
    residues
}

/// Vectors of `length` limbs: zero, one, all ones, a single limb at either end, all ones below a
/// one, alternating extremes.
///
/// ```
/// assert!(sunzi_testkit::edge_limb_vectors(2).contains(&vec![u64::MAX; 2]));
/// ```
pub fn edge_limb_vectors(length: usize) -> Vec<Vec<u64>> {
    let mut vectors = vec![vec![0; length], vec![u64::MAX; length]];
    if length == 0 {
        return vec![Vec::new()];
    }
    let with = |index: usize, limb: u64, rest: u64| {
        let mut vector = vec![rest; length];
        vector[index] = limb;
        vector
    };
    vectors.push(with(0, 1, 0));
    vectors.push(with(length - 1, 1, 0));
    vectors.push(with(length - 1, 1 << 63, 0));
    vectors.push(with(length - 1, u64::MAX, 0));
    vectors.push(with(0, 0, u64::MAX));
    vectors.push(with(length - 1, 1, u64::MAX));
    vectors.push(
        (0..length)
            .map(|i| if i % 2 == 0 { u64::MAX } else { 0 })
            .collect(),
    );
    vectors.push(
        (0..length)
            .map(|i| if i % 2 == 0 { 0 } else { u64::MAX })
            .collect(),
    );
    vectors
}

/// The lengths around `threshold`: one less, itself, one more (none below 1).
///
/// ```
/// assert_eq!(sunzi_testkit::lengths_around(1), [1, 2]);
/// ```
pub fn lengths_around(threshold: usize) -> Vec<usize> {
    (threshold.saturating_sub(1).max(1)..=threshold + 1).collect()
}

/// Lengths from 1 to about `limit` at which blocks and vectors of all widths begin and end.
///
/// ```
/// assert_eq!(sunzi_testkit::edge_lengths(5), [1, 2, 3, 4, 5]);
/// ```
pub fn edge_lengths(limit: usize) -> Vec<usize> {
    let mut lengths: Vec<usize> = (1..)
        .map(|power| 1usize << power)
        .take_while(|&power| power <= limit + 1)
        .flat_map(lengths_around)
        .filter(|&length| length <= limit)
        .collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_are_below_the_modulus_and_hold_its_ends() {
        for modulus in [1, 2, 3, 5, 469762049, (1 << 63) - 25] {
            let residues = edge_residues(modulus);
            assert!(residues.iter().all(|&residue| residue < modulus));
            assert!(residues.contains(&0) && residues.contains(&(modulus - 1)));
        }
    }

    #[test]
    fn limb_vectors_have_their_length() {
        for length in 0..5 {
            assert!(
                edge_limb_vectors(length)
                    .iter()
                    .all(|vector| vector.len() == length)
            );
        }
    }
}
