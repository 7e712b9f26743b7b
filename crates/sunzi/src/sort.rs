//! Sorting in linear time: counting sort, big sparse integers, Gray codes.
//!
//! ```
//! use sunzi::sort::sorting_permutation;
//!
//! assert_eq!(sorting_permutation(&[30u32, 10, 20, 10])?, [1, 3, 2, 0]); // equal keys keep their order
//! # Ok::<(), sunzi::sort::SortError>(())
//! ```

#[doc(inline)]
pub use sunzi_sort::{
    CountingSort, Direction, Finish, Key, Partition, PositionLists, SortError, SortPlan,
    compare_gray_ranks, compare_sparse_integers, gray_code, gray_rank, sort, sort_by_gray_rank,
    sort_by_key, sort_integers, sort_pairs, sort_sparse_integers, sorting_permutation,
};
