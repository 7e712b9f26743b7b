//! The checks that a modulus passes before a field is made of it.

use crate::FieldError;
use crate::primality::proper_factor;

/// `modulus` itself if it is an odd prime below `2^bits`.
pub(crate) fn odd_prime(modulus: u64, bits: u32) -> Result<u64, FieldError> {
    if modulus < 2 {
        Err(FieldError::TooSmall { modulus })
    } else if modulus.is_multiple_of(2) {
        Err(FieldError::Even { modulus })
    } else if modulus >> bits != 0 {
        Err(FieldError::TooLarge { modulus, bits })
    } else if let Some(factor) = proper_factor(modulus) {
        Err(FieldError::Composite { modulus, factor })
    } else {
        Ok(modulus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(odd_prime(0, 31), Err(FieldError::TooSmall { modulus: 0 }));
        assert_eq!(odd_prime(1, 31), Err(FieldError::TooSmall { modulus: 1 }));
        assert_eq!(odd_prime(2, 31), Err(FieldError::Even { modulus: 2 }));
        assert_eq!(odd_prime(3, 31), Ok(3));
        let (modulus, factor) = (2047, 23);
        assert_eq!(
            odd_prime(modulus, 31),
            Err(FieldError::Composite { modulus, factor })
        );
        let large = (1 << 31) + 11;
        let expected = FieldError::TooLarge {
            modulus: large,
            bits: 31,
        };
        assert_eq!(odd_prime(large, 31), Err(expected));
        assert_eq!(odd_prime((1 << 31) - 1, 31), Ok((1 << 31) - 1));
        assert_eq!(odd_prime((1 << 63) - 25, 63), Ok((1 << 63) - 25));
    }
}
