//! Arrays in hot loops.
//!
//! `map` of arrays and `std::array::from_fn` are functions that a compiler may leave apart from their caller, as it does
//! where a crate is compiled in several units. Apart, they are compiled without the caller's instruction set, and every
//! operation on a vector in them is a call. What is here is always inlined.

/// `[f(a₀), …, f(a_(N−1))]`, in this order.
///
/// ```
/// use sunzi_machine::arrays::map;
/// assert_eq!(map([1, 2, 3], |x| 10 * x), [10, 20, 30]);
/// ```
#[inline(always)]
pub fn map<T: Copy, U: Copy, const N: usize>(array: [T; N], mut f: impl FnMut(T) -> U) -> [U; N] {
    from_fn(
        #[inline(always)]
        |i| f(array[i]),
    )
}

/// `[f(0), …, f(N − 1)]`, in this order.
///
/// ```
/// use sunzi_machine::arrays::from_fn;
/// assert_eq!(from_fn::<_, 3>(|i| i * i), [0, 1, 4]);
/// ```
#[inline(always)]
pub fn from_fn<U: Copy, const N: usize>(mut f: impl FnMut(usize) -> U) -> [U; N] {
    const { assert!(N > 0, "an array has a first element") };
    let mut all = [f(0); N];
    let mut i = 1;
    while i < N {
        all[i] = f(i);
        i += 1;
    }
    all
}
