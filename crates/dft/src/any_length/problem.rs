//! Which lengths there are: the divisors of p − 1; and the nearest ones to any other length.

use crate::context::DftField;
use crate::problem::DftError;
use dashu_int::UBig;

/// An error unless `len` divides p − 1.
pub(super) fn check_length<F: DftField>(field: &F, len: usize) -> Result<(), DftError> {
    let units = field.modulus::<UBig>() - UBig::ONE;
    match len > 0 && units % UBig::from(len) == UBig::ZERO {
        true => Ok(()),
        false => Err(no_such_length(field, len)),
    }
}

/// That there is no such transform, and the nearest ones.
pub(super) fn no_such_length<F: DftField>(field: &F, len: usize) -> DftError {
    let (below, above) = nearest(&field.order_factors(), len);
    DftError::NoSuchLength { len, below, above }
}

/// The greatest divisor below `len` and the least one above it, of the number with these prime factors,
/// which `len` does not divide. Divisors that no `usize` holds are left out.
///
/// Takes a step for each odd divisor up to `len`: powers of two are counted, not tried.
pub fn nearest(factors: &[(u64, u32)], len: usize) -> (Option<usize>, Option<usize>) {
    let (twos, odd): (Vec<_>, Vec<_>) = factors.iter().partition(|&&(prime, _)| prime == 2);
    let mut search = Search {
        len: len as u128,
        twos: twos.first().map_or(0, |&&(_, exponent)| exponent),
        below: None,
        above: None,
    };
    let odd: Vec<(u64, u32)> = odd.into_iter().copied().collect();
    search.walk(&odd, 1);
    let word = |divisor: u128| usize::try_from(divisor).ok();
    (search.below.and_then(word), search.above.and_then(word))
}

/// What was found so far.
struct Search {
    len: u128,
    /// How often 2 is a factor.
    twos: u32,
    below: Option<u128>,
    above: Option<u128>,
}

impl Search {
    /// Tries `divisor` and its multiples by the given primes. No product exceeds `len` times a word.
    fn walk(&mut self, odd: &[(u64, u32)], divisor: u128) {
        self.offer(divisor);
        if divisor > self.len {
            return;
        }
        for (index, &(prime, exponent)) in odd.iter().enumerate() {
            let mut multiple = divisor;
            for _ in 0..exponent {
                multiple *= u128::from(prime);
                self.walk(&odd[index + 1..], multiple);
                if multiple > self.len {
                    break;
                }
            }
        }
    }

    /// An odd divisor, and the powers of two times it that come next to `len`.
    fn offer(&mut self, divisor: u128) {
        let least_above = match (self.len / divisor).checked_ilog2() {
            None => 0,
            Some(log) => {
                let below = divisor << log.min(self.twos);
                self.below = self.below.max(Some(below));
                log + 1
            }
        };
        if least_above <= self.twos {
            let above = divisor << least_above;
            self.above = Some(self.above.map_or(above, |least| least.min(above)));
        }
    }
}
