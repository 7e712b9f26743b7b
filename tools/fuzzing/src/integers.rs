//! Products of integers: against GMP.

use crate::bytes::Bytes;
use crate::pools::on_some_threads;
use sunzi::{
    InstructionSet, Natural,
    integer::{Algorithm, Multiplier},
};
use sunzi_testkit::mul_limbs;

/// Limbs that operands have at most: enough for transforms that several threads share.
const MOST: usize = 6000;

/// Limbs at most where slow algorithms run on them.
const MOST_FOR_ALL: usize = 700;

/// Products and squares as the program computes them, on several numbers of threads.
pub fn run_products(data: &[u8]) -> bool {
    let mut bytes = Bytes::new(data);
    let threads = bytes.byte();
    let (a, b) = (bytes.limbs(MOST), bytes.limbs(MOST));
    let product = mul_limbs(&a, &b);
    on_some_threads(threads, || {
        let found = Natural::from(&a[..]) * Natural::from(&b[..]);
        assert!(found == Natural::from(&product[..]), "{a:x?} times {b:x?}");
        let mut square = vec![1; 2 * a.len()];
        Multiplier::new().sqr(&mut square, &a);
        assert!(square == mul_limbs(&a, &a), "the square of {a:x?}");
    });
    true
}

/// Products by every algorithm.
pub fn run_algorithms(data: &[u8]) -> bool {
    let mut bytes = Bytes::new(data);
    let threads = bytes.byte();
    let (a, b) = (bytes.limbs(MOST), bytes.limbs(MOST));
    let multiplier = Multiplier::new();
    on_some_threads(threads, || {
        for algorithm in Algorithm::ALL {
            let most = match algorithm {
                Algorithm::Transform => MOST,
                _ => MOST_FOR_ALL,
            };
            let (a, b) = (&a[..a.len().min(most)], &b[..b.len().min(most)]);
            // What was there before must not matter.
            let mut product = vec![0xdead_beef_dead_beef; a.len() + b.len()];
            match multiplier.mul_with(algorithm, &mut product, a, b) {
                Ok(()) => assert!(
                    product == mul_limbs(a, b),
                    "{algorithm}: {a:x?} times {b:x?}"
                ),
                Err(error) => assert!(
                    algorithm == Algorithm::Ifma && !InstructionSet::Avx512.has_carry_chains(),
                    "{algorithm}: {error}"
                ),
            }
        }
        let mut product = vec![1; a.len() + b.len()];
        multiplier.mul(&mut product, &b, &a);
        assert!(product == mul_limbs(&a, &b), "{b:x?} times {a:x?}");
    });
    true
}
