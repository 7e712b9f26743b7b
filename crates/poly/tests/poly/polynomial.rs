//! Polynomials as lists of coefficients.

use sunzi_poly::Poly;

#[test]
fn trailing_zeros_are_no_coefficients() {
    assert_eq!(Poly::new(vec![0u64, 0]), Poly::zero());
    assert_eq!(Poly::new(vec![0u64, 7, 0, 0]).into_coefficients(), [0, 7]);
    assert_eq!(Poly::<u64>::default().degree(), None);
    assert_eq!(Poly::new(vec![1u64, 2])[1], 2);
}
