//! The problem: which transform of how many points is asked for, and whether there is one.

use crate::DftError;
use std::fmt;
use sunzi_field::TwoAdicField;

/// Which way a transform goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From coefficients to values: `X_j = Σ x_i·ω^{ij}`.
    Forward,
    /// From values to coefficients: `x_i = (1/N)·Σ X_j·ω^{−ij}`.
    Inverse,
}

/// The order of the values of a transform. Coefficients are always in natural order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ordering {
    /// Value j at position j.
    Natural,
    /// Value j at the position whose log N bits are those of j from the other end.
    BitReversed,
    /// The order in which the context computes them, whatever it is: no pass is spent on moving them.
    ///
    /// It is the same for all vectors of a context, so pointwise operations may be done in it; between
    /// contexts, kernels and versions it differs.
    Internal,
}

/// What the product of two vectors means as a product of polynomials.
///
/// Transforms at the roots of x^N − 1 multiply modulo that polynomial. The roots of x^N + 1 are
/// the odd powers of a root of order 2N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convolution {
    /// Modulo x^N − 1: what runs over the end comes back at the beginning.
    Cyclic,
    /// Modulo x^N + 1: what runs over the end comes back negated.
    Negacyclic,
    /// The whole product, which must have at most N coefficients.
    Plain,
}

impl fmt::Display for Convolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Convolution::Cyclic => "cyclic",
            Convolution::Negacyclic => "negacyclic",
            Convolution::Plain => "plain",
        })
    }
}

impl Convolution {
    /// log2 of the order of the root of unity that transforms of `2^log_n` points need.
    pub(crate) fn log_order(self, log_n: u32) -> u32 {
        match self {
            Convolution::Negacyclic => log_n + 1,
            Convolution::Cyclic | Convolution::Plain => log_n,
        }
    }
}

/// log2 of the number of points, if the field has such transforms.
pub(crate) fn checked_log<F: TwoAdicField>(
    field: &F,
    len: usize,
    convolution: Convolution,
) -> Result<u32, DftError> {
    // Lengths above 2^(BITS − 2) fit no memory, and would overflow in what follows.
    let two_adicity = field.two_adicity().min(usize::BITS - 2);
    let max = (1usize << two_adicity) >> convolution.log_order(0);
    if len > max {
        return Err(DftError::TooLong { len, max });
    }
    if !len.is_power_of_two() {
        return Err(DftError::NotPowerOfTwo {
            len,
            next: len.next_power_of_two(),
        });
    }
    Ok(len.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi_field::Fp32;

    #[test]
    fn lengths_are_powers_of_two_up_to_the_two_adicity() {
        let field = Fp32::new(17).unwrap();
        let log = |len, convolution| checked_log(&field, len, convolution);
        assert_eq!(log(16, Convolution::Cyclic), Ok(4));
        assert_eq!(log(8, Convolution::Negacyclic), Ok(3));
        assert_eq!(log(1, Convolution::Plain), Ok(0));
        let too_long = |len, max| Err(DftError::TooLong { len, max });
        assert_eq!(log(17, Convolution::Cyclic), too_long(17, 16));
        assert_eq!(log(16, Convolution::Negacyclic), too_long(16, 8));
        assert_eq!(
            log(usize::MAX, Convolution::Plain),
            too_long(usize::MAX, 16)
        );
        let odd = |len, next| Err(DftError::NotPowerOfTwo { len, next });
        assert_eq!(log(0, Convolution::Cyclic), odd(0, 1));
        assert_eq!(log(12, Convolution::Cyclic), odd(12, 16));
    }
}
