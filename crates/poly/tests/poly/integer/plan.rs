//! Plans of products over Z.

use sunzi_dft::crt::ProductPlan;
use sunzi_integer::Multiplier;
use sunzi_poly::internals::Sizes;
use sunzi_poly::{Algorithm, Reason};

#[test]
fn bytes_count_the_transforms() {
    let bytes = |bits: usize, algorithm| {
        let sizes = Sizes {
            len_a: 1 << 19,
            len_b: 1 << 19,
            bits_a: bits,
            bits_b: bits,
        };
        sizes
            .plan(algorithm, Reason::Asked, &Multiplier::new())
            .bytes
    };
    // Primes' values and multipliers and one second operand, on 2^20 points.
    for (bits, primes) in [(10, 1), (30, 2), (60, 3)] {
        let bytes = bytes(bits, Algorithm::CrtNtt);
        assert!(bytes > ProductPlan::new(primes, 1 << 20).bytes());
        assert!(bytes < ProductPlan::new(primes, 1 << 20).bytes() + (100 << 20));
    }
    // 2·(600 + 10) bits a coefficient: more than 2^24 limbs of product.
    assert!(bytes(600, Algorithm::Kronecker) > (7 * 8) << 25);
    assert_eq!(bytes(usize::MAX >> 8, Algorithm::Kronecker), u64::MAX);
}
