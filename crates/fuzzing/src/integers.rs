//! Products of integers: against GMP.

use crate::bytes::Bytes;
use dashu_int::UBig;
use rayon::ThreadPool;
use std::sync::LazyLock;
use sunzi::integer::{Algorithm, Multiplier};
use sunzi_testkit::mul_limbs;

/// Limbs that operands have at most: enough for transforms on several threads.
const MOST: usize = 6000;

/// Limbs at most where slow algorithms run on them.
const MOST_FOR_ALL: usize = 700;

/// Pools of 1, 2, 3 and 7 threads.
static POOLS: LazyLock<Vec<ThreadPool>> = LazyLock::new(|| {
    let pool = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads")
    };
    [1, 2, 3, 7].into_iter().map(pool).collect()
});

/// Products and squares as the program computes them, on several numbers of threads.
pub fn run_products(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let pool = &POOLS[usize::from(bytes.byte()) % 4];
    let (a, b) = (bytes.limbs(MOST), bytes.limbs(MOST));
    let product = mul_limbs(&a, &b);
    pool.install(|| {
        let found = sunzi::integer::mul(&from_limbs(&a).into(), &from_limbs(&b).into());
        assert!(found == from_limbs(&product).into(), "{a:x?} times {b:x?}");
        let mut square = vec![1; 2 * a.len()];
        Multiplier::new().sqr(&mut square, &a);
        assert!(square == mul_limbs(&a, &a), "the square of {a:x?}");
    });
}

/// Products by every algorithm.
pub fn run_algorithms(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let pool = &POOLS[usize::from(bytes.byte()) % 4];
    let (a, b) = (bytes.limbs(MOST_FOR_ALL), bytes.limbs(MOST_FOR_ALL));
    let expected = mul_limbs(&a, &b);
    let multiplier = Multiplier::new();
    pool.install(|| {
        for algorithm in Algorithm::ALL {
            // What was there before must not matter.
            let mut product = vec![0xdead_beef_dead_beef; a.len() + b.len()];
            // A processor may lack instructions.
            if multiplier.mul_with(algorithm, &mut product, &a, &b).is_ok() {
                assert!(product == expected, "{algorithm}: {a:x?} times {b:x?}");
            }
        }
        let mut product = vec![1; a.len() + b.len()];
        multiplier.mul(&mut product, &b, &a);
        assert!(product == expected, "{b:x?} times {a:x?}");
    });
}

fn from_limbs(limbs: &[u64]) -> UBig {
    UBig::from_words(limbs)
}
