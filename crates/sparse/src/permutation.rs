//! Orders of rows, columns and vectors.

use super::error::SparseError;
use sunzi_field::random::SplitMix64;

/// A new order of n things: at place k comes what was at place `order[k]`.
///
/// With permutations p of rows and q of columns, the permuted matrix B has the entries
/// `B[i][j] = A[p[i]][q[j]]`; so if y = A·x, then `p.apply(y) = B·q.apply(x)`.
///
/// ```
/// use sunzi::sparse::Permutation;
///
/// let order = Permutation::new(vec![2, 0, 1])?;
/// assert_eq!(order.apply(&['a', 'b', 'c']), ['c', 'a', 'b']);
/// assert_eq!(order.inverse().apply(&['c', 'a', 'b']), ['a', 'b', 'c']);
/// # Ok::<(), sunzi::sparse::SparseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    order: Vec<u32>,
}

impl Permutation {
    /// The permutation with this order: `order[k]` is the old place of what comes at place k.
    ///
    /// # Errors
    /// [`SparseError::NotPermutation`] names the first place whose index is too large or came before.
    pub fn new(order: Vec<u32>) -> Result<Self, SparseError> {
        let mut seen = vec![false; order.len()];
        for (place, &index) in order.iter().enumerate() {
            match seen.get_mut(index as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => {
                    return Err(SparseError::NotPermutation {
                        place,
                        index,
                        length: order.len(),
                    });
                }
            }
        }
        Ok(Self { order })
    }

    /// The permutation with an order that is known to be one.
    pub(super) fn known(order: Vec<u32>) -> Self {
        debug_assert!(Self::new(order.clone()).is_ok());
        Self { order }
    }

    /// Everything where it was.
    ///
    /// ```
    /// assert!(sunzi::sparse::Permutation::identity(3).is_identity());
    /// ```
    ///
    /// # Panics
    /// If `length` exceeds 2^32 − 1.
    pub fn identity(length: usize) -> Self {
        let length = u32::try_from(length).expect("at most 2^32 - 1 things");
        Self {
            order: (0..length).collect(),
        }
    }

    /// One of the length! permutations, all alike likely, chosen by the seed (the shuffle of Fisher and
    /// Yates; Knuth, "The Art of Computer Programming", volume 2, §3.4.2, Algorithm P).
    ///
    /// ```
    /// use sunzi::sparse::Permutation;
    ///
    /// assert_eq!(Permutation::random(100, 1), Permutation::random(100, 1));
    /// assert_ne!(Permutation::random(100, 1), Permutation::random(100, 2));
    /// ```
    ///
    /// # Panics
    /// If `length` exceeds 2^32 − 1.
    pub fn random(length: usize, seed: u64) -> Self {
        let mut order = Self::identity(length).order;
        let mut stream = SplitMix64::new(seed);
        for last in (1..order.len()).rev() {
            order.swap(last, stream.below(last as u64 + 1) as usize);
        }
        Self { order }
    }

    /// How many things it orders.
    #[inline]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether it orders nothing.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Whether everything stays where it is.
    pub fn is_identity(&self) -> bool {
        (0..).zip(&self.order).all(|(place, &index)| place == index)
    }

    /// The old place of what comes at each place.
    #[inline]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The old place of what comes at each place.
    pub fn into_order(self) -> Vec<u32> {
        self.order
    }

    /// The permutation that undoes this one: `inverse.order()[old]` is the new place of what was at
    /// `old`. Linear time.
    pub fn inverse(&self) -> Self {
        let mut order = vec![0; self.order.len()];
        for (place, &index) in (0..).zip(&self.order) {
            order[index as usize] = place;
        }
        Self { order }
    }

    /// This permutation and then `next`, as one: `p.then(&q).apply(x) = q.apply(&p.apply(x))`.
    ///
    /// ```
    /// use sunzi::sparse::Permutation;
    ///
    /// let order = Permutation::random(10, 7);
    /// assert!(order.then(&order.inverse()).is_identity());
    /// ```
    ///
    /// # Panics
    /// If the lengths differ; [`Self::try_then`] returns an error instead.
    pub fn then(&self, next: &Self) -> Self {
        Self {
            order: next.apply(&self.order),
        }
    }

    /// The same.
    ///
    /// # Errors
    /// [`SparseError::Things`] if the lengths differ.
    pub fn try_then(&self, next: &Self) -> Result<Self, SparseError> {
        let order = next.try_apply(&self.order)?;
        Ok(Self { order })
    }

    /// The things in the new order: `out[k] = things[order[k]]`. Linear time.
    ///
    /// # Panics
    /// If there are not [`Permutation::len`] of them; [`Self::try_apply`] returns an error instead.
    pub fn apply<T: Clone>(&self, things: &[T]) -> Vec<T> {
        match self.try_apply(things) {
            Ok(ordered) => ordered,
            Err(error) => panic!("{error}"),
        }
    }

    /// The same.
    ///
    /// # Errors
    /// [`SparseError::Things`] if there are not [`Permutation::len`] of them.
    pub fn try_apply<T: Clone>(&self, things: &[T]) -> Result<Vec<T>, SparseError> {
        let (expected, found) = (self.len(), things.len());
        if expected != found {
            return Err(SparseError::Things { expected, found });
        }
        let places = self.order.iter().map(|&index| index as usize);
        Ok(places.map(|place| things[place].clone()).collect())
    }
}
