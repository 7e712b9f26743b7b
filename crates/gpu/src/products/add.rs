//! Sums of products of pieces, on the host.

use super::problem::Finish;

impl Finish {
    /// Adds the words of a product to the first words of another, which has at least as many.
    ///
    /// The sum of integers may carry further than the product's words, but not beyond the other's.
    pub(super) fn add(self, sum: &mut [u32], part: &[u32]) {
        match self {
            Self::Words { words, .. } => {
                // Two's complement: a carry out of a coefficient is lost, and does not reach the next one.
                for (sum, part) in sum.chunks_mut(words).zip(part.chunks(words)) {
                    add_words(sum, part);
                }
            }
            Self::Carry => add_words(sum, part),
            Self::Modulo32(modulus) => {
                for (sum, &part) in sum.iter_mut().zip(part) {
                    *sum = add_modulo((*sum).into(), part.into(), modulus.into()) as u32;
                }
            }
            Self::Modulo64(modulus) => {
                for (sum, part) in sum.chunks_exact_mut(2).zip(part.chunks_exact(2)) {
                    let value = |words: &[u32]| u64::from(words[0]) | u64::from(words[1]) << 32;
                    let value = add_modulo(value(sum), value(part), modulus);
                    sum.copy_from_slice(&[value as u32, (value >> 32) as u32]);
                }
            }
        }
    }
}

/// a + b modulo m < 2^63, for residues.
fn add_modulo(a: u64, b: u64, m: u64) -> u64 {
    let sum = a + b;
    if sum < m { sum } else { sum - m }
}

/// Adds words to others, and carries as far as these go.
fn add_words(sum: &mut [u32], part: &[u32]) {
    let (low, high) = sum.split_at_mut(part.len().min(sum.len()));
    let mut carry = false;
    for (sum, &part) in low.iter_mut().zip(part) {
        let (value, first) = sum.overflowing_add(part);
        let (value, second) = value.overflowing_add(carry.into());
        (*sum, carry) = (value, first || second);
    }
    for sum in high {
        if !carry {
            break;
        }
        (*sum, carry) = sum.overflowing_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_go_where_they_belong() {
        let mut sum = [u32::MAX, u32::MAX, 5, 7];
        Finish::Carry.add(&mut sum, &[1]);
        assert_eq!(sum, [0, 0, 6, 7]);

        let mut sum = [u32::MAX, u32::MAX, 5, 7];
        let words = Finish::Words {
            words: 2,
            signed: true,
        };
        words.add(&mut sum, &[1, 0, u32::MAX, 0]);
        assert_eq!(sum, [0, 0, 4, 8]);

        let mut sum = [4, 3, 2];
        Finish::Modulo32(5).add(&mut sum, &[4, 1]);
        assert_eq!(sum, [3, 4, 2]);

        let modulus = (1 << 40) + 1;
        let mut sum = [0, 1 << 8, 1, 0];
        Finish::Modulo64(modulus).add(&mut sum, &[3, 0, 2, 1 << 7]);
        assert_eq!(sum, [2, 0, 3, 1 << 7]);
    }
}
