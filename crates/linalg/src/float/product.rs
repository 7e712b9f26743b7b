//! Products that stay in range.

/// The product of these factors, which overflows or underflows on the way only if it does itself (thesis of
/// 2013, Algorithm 10).
///
/// A factor of absolute value at most 1 and another one above are multiplied as long as there are both: their
/// product lies between them. What is left goes from 1 steadily to the product. Takes as many products as
/// there are factors; a product of none is 1.
///
/// ```
/// use sunzi_linalg::float::product;
///
/// let factors = [1e-200, 1e-200, 1e300, 1e300, 1e-200];
/// assert_eq!(factors.iter().product::<f64>(), 0.0);
/// assert!((product(&factors) - 1.0).abs() < 1e-14);
/// ```
pub fn product(factors: &[f64]) -> f64 {
    let (mut small, mut large): (Vec<f64>, Vec<f64>) =
        factors.iter().partition(|factor| factor.abs() <= 1.0);
    while let (Some(&a), Some(&b)) = (small.last(), large.last()) {
        small.pop();
        large.pop();
        let both = a * b;
        if both.abs() <= 1.0 {
            small.push(both);
        } else {
            large.push(both);
        }
    }
    small.iter().chain(&large).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::ScaledFloat;
    use proptest::prelude::*;

    #[test]
    fn edges() {
        assert_eq!(product(&[]), 1.0);
        assert_eq!(product(&[0.0, 1e308, 1e308]), 0.0);
        assert_eq!(product(&[-2.0, 0.5, -1.0, 1.0, -1.0]), -1.0);
        assert_eq!(product(&[1e200, 1e200]), f64::INFINITY);
        assert_eq!(product(&[1e-200, -1e-200]), -0.0);
        // The product is the largest double, and a plain one would overflow.
        assert_eq!(product(&[f64::MAX, 2.0, 0.5]), f64::MAX);
    }

    proptest! {
        #[test]
        fn products_in_range_agree_with_those_of_any_range(
            exponents in prop::collection::vec((-900_i32..900, 1.0_f64..2.0), 0..60)
        ) {
            let factors: Vec<f64> = exponents.iter().map(|&(e, m)| m * 2f64.powi(e)).collect();
            let exact: ScaledFloat = factors.iter().copied().map(ScaledFloat::from_f64).product();
            if exact.exponent().abs() < 1000 {
                let error = product(&factors) / exact.to_f64() - 1.0;
                prop_assert!(error.abs() < 1e-13, "{error}");
            }
        }
    }
}
