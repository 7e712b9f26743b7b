//! Conversions between `dashu_int::IBig` and the integers of other crates, behind features of their names.

/// From and to the integers of the crate `num-bigint`, in linear time.
#[cfg(feature = "num-bigint")]
pub mod num_bigint {
    use ::num_bigint::{BigInt, Sign as NumSign};
    use dashu_int::{IBig, Sign, UBig};

    /// The same integer as an `IBig`.
    ///
    /// ```
    /// use sunzi_integer::convert::num_bigint::from_num_bigint;
    /// assert_eq!(from_num_bigint(&num_bigint::BigInt::from(-5)), dashu_int::IBig::from(-5));
    /// ```
    pub fn from_num_bigint(value: &BigInt) -> IBig {
        let (sign, bytes) = value.to_bytes_le();
        let sign = if sign == NumSign::Minus {
            Sign::Negative
        } else {
            Sign::Positive
        };
        IBig::from_parts(sign, UBig::from_le_bytes(&bytes))
    }

    /// The same integer as a `BigInt`.
    ///
    /// ```
    /// use sunzi_integer::convert::num_bigint::to_num_bigint;
    /// assert_eq!(to_num_bigint(&dashu_int::IBig::from(-5)), num_bigint::BigInt::from(-5));
    /// ```
    pub fn to_num_bigint(value: &IBig) -> BigInt {
        let (sign, words) = value.as_sign_words();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let sign = if sign == Sign::Negative {
            NumSign::Minus
        } else {
            NumSign::Plus
        };
        BigInt::from_bytes_le(sign, &bytes)
    }
}

/// From and to the integers of the crate `rug` (GMP), in linear time.
#[cfg(feature = "rug")]
pub mod rug {
    use ::rug::Integer;
    use ::rug::integer::Order;
    use dashu_int::{IBig, Sign, UBig};

    /// The same integer as an `IBig`.
    ///
    /// ```
    /// use sunzi_integer::convert::rug::from_rug;
    /// assert_eq!(from_rug(&rug::Integer::from(-5)), dashu_int::IBig::from(-5));
    /// ```
    pub fn from_rug(value: &Integer) -> IBig {
        let sign = if value.is_negative() {
            Sign::Negative
        } else {
            Sign::Positive
        };
        IBig::from_parts(sign, UBig::from_words(&value.to_digits(Order::Lsf)))
    }

    /// The same integer as a `rug::Integer`.
    ///
    /// ```
    /// use sunzi_integer::convert::rug::to_rug;
    /// assert_eq!(to_rug(&dashu_int::IBig::from(-5)), rug::Integer::from(-5));
    /// ```
    pub fn to_rug(value: &IBig) -> Integer {
        let (sign, words) = value.as_sign_words();
        let magnitude = Integer::from_digits(words, Order::Lsf);
        if sign == Sign::Negative {
            -magnitude
        } else {
            magnitude
        }
    }
}
