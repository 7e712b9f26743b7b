//! Products of many pairs of numbers.

use super::Integer;
use sunzi_machine::threads::Threads;

/// Products of limbs, about 0.1 ms of work, from which on pairs are spread over threads.
const PARALLEL_LIMB_PRODUCTS: usize = 1 << 19;

/// Pairs that a thread takes at a time.
const PAIRS: usize = 16;

/// The product of each pair, in their order. Many short ones are spread over the threads of the pool that calls, and each long one
/// over all of them.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::integer::products;
///
/// let [a, b, c] = [6, -7, 0].map(Integer::from);
/// assert_eq!(products(&[(&a, &b), (&b, &b), (&c, &a)]), [-42, 49, 0].map(Integer::from));
/// ```
#[must_use]
pub fn products(pairs: &[(&Integer, &Integer)]) -> Vec<Integer> {
    let limbs = |integer: &Integer| integer.magnitude().as_limbs().len();
    let work = pairs.iter().fold(0usize, |work, (a, b)| {
        work.saturating_add(limbs(a).saturating_mul(limbs(b)))
    });
    let threads = Threads::when(work >= PARALLEL_LIMB_PRODUCTS);
    let piece = match threads.are_several() {
        true => PAIRS,
        false => pairs.len().max(1),
    };
    let product = |&(a, b): &(&Integer, &Integer)| a * b;
    let found = threads.map(pairs.chunks(piece), |pairs| {
        pairs.iter().map(product).collect::<Vec<_>>()
    });
    found.into_iter().flatten().collect()
}
