//! The ordered list of lists A^k.

use super::step::{self, Span};
use super::{Direction, PositionLists};
use crate::error::SortError;

/// Items 0, 1, …, n − 1 in an order, cut into lists: the thesis's A^k.
///
/// Items of one list agree in everything they were refined by; lists stand in the order that the
/// refinements gave them.
///
/// ```
/// use sunzi::sort::{Direction, Partition, PositionLists};
///
/// // 0110, 0001, 0100 and 0001 by the positions of their ones.
/// let lists = PositionLists::new(&[0, 2, 3, 4, 5], &[1, 2, 3, 1, 3], 4)?;
/// let mut partition = Partition::whole(4);
/// partition.refine(&lists, 0, Direction::Descending)?;
/// assert!(partition.lists().eq([[1, 3], [0, 2]]));
/// partition.refine(&lists, 1, Direction::Descending)?;
/// assert!(partition.lists().eq([&[1, 3][..], &[2], &[0]]));
/// assert!(partition.is_settled());
/// assert_eq!(partition.into_order(), [1, 3, 2, 0]); // ascending, and stable
/// # Ok::<(), sunzi::sort::SortError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Partition {
    /// The items, list after list.
    order: Vec<u32>,
    /// Bit i: a list starts at place i.
    starts: Vec<u64>,
    /// Number of lists.
    count: usize,
    /// The lists that may still be cut, in order.
    open: Vec<Span>,
    /// Items that a thread takes at a time.
    grain: usize,
}

impl Partition {
    /// One list of n items, in the order of their numbers: A^0. (No list when n is 0.)
    ///
    /// ```
    /// use sunzi::sort::Partition;
    ///
    /// assert!(Partition::whole(3).lists().eq([[0, 1, 2]]));
    /// assert_eq!(Partition::whole(0).list_count(), 0);
    /// ```
    pub fn whole(n: u32) -> Self {
        let mut starts = vec![0; (n as usize).div_ceil(64)];
        if let Some(word) = starts.first_mut() {
            *word = 1;
        }
        Self {
            order: (0..n).collect(),
            starts,
            count: usize::from(n > 0),
            open: (n > 1)
                .then_some(Span { start: 0, len: n })
                .into_iter()
                .collect(),
            grain: step::GRAIN,
        }
    }

    /// The same, where threads take other numbers of items at a time.
    #[cfg(feature = "internals")]
    pub fn with_grain(self, grain: usize) -> Self {
        Self { grain, ..self }
    }

    /// The number of items.
    ///
    /// ```
    /// assert_eq!(sunzi::sort::Partition::whole(3).len(), 3);
    /// ```
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no items.
    ///
    /// ```
    /// assert!(sunzi::sort::Partition::whole(0).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// All items, list after list.
    ///
    /// ```
    /// assert_eq!(sunzi::sort::Partition::whole(3).order(), [0, 1, 2]);
    /// ```
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// All items, list after list.
    ///
    /// ```
    /// assert_eq!(sunzi::sort::Partition::whole(3).into_order(), [0, 1, 2]);
    /// ```
    pub fn into_order(self) -> Vec<u32> {
        self.order
    }

    /// The number of lists.
    ///
    /// ```
    /// assert_eq!(sunzi::sort::Partition::whole(3).list_count(), 1);
    /// ```
    pub fn list_count(&self) -> usize {
        self.count
    }

    /// The number of items in lists that further refinement may cut.
    ///
    /// ```
    /// assert_eq!(sunzi::sort::Partition::whole(3).open_items(), 3);
    /// assert_eq!(sunzi::sort::Partition::whole(1).open_items(), 0);
    /// ```
    pub fn open_items(&self) -> usize {
        self.open.iter().map(|span| span.len as usize).sum()
    }

    /// The number of lists that further refinement may cut.
    ///
    /// ```
    /// assert_eq!(sunzi::sort::Partition::whole(3).open_lists(), 1);
    /// ```
    pub fn open_lists(&self) -> usize {
        self.open.len()
    }

    /// Whether no list can be cut any more: each has one item, or items without further positions
    /// (the end of the algorithm, Proposition 12).
    ///
    /// ```
    /// assert!(sunzi::sort::Partition::whole(1).is_settled());
    /// ```
    pub fn is_settled(&self) -> bool {
        self.open.is_empty()
    }

    /// The lists, in order.
    ///
    /// ```
    /// let partition = sunzi::sort::Partition::whole(2);
    /// assert_eq!(partition.lists().collect::<Vec<_>>(), [[0, 1]]);
    /// ```
    pub fn lists(&self) -> impl Iterator<Item = &[u32]> {
        let mut starts = self.start_places();
        let mut start = starts.next();
        std::iter::from_fn(move || {
            let from = start?;
            start = starts.next();
            Some(&self.order[from..start.unwrap_or(self.order.len())])
        })
    }

    /// The places in the order where lists start.
    fn start_places(&self) -> impl Iterator<Item = usize> {
        self.starts.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors((word != 0).then_some(word), |rest| {
                Some(rest & (rest - 1)).filter(|&rest| rest != 0)
            })
            .map(move |rest| 64 * index + rest.trailing_zeros() as usize)
        })
    }

    /// A^(k+1) from A^k: sorts every list stably by the items' k-th positions and cuts it where they
    /// change (Algorithm 5). Lists whose items all have no k-th position are settled.
    ///
    /// With k = 0, 1, 2, … and [`Direction::Descending`] integers come to ascending order; with
    /// directions in turn, Gray codes to the order of their ranks (Proposition 19). Time O(items in
    /// lists that are not settled), on the threads of rayon's current pool; the result does not depend
    /// on them.
    ///
    /// # Errors
    /// When `lists` has another number of items than the partition.
    ///
    /// ```
    /// use sunzi::sort::{Direction, Partition, PositionLists};
    ///
    /// let lists = PositionLists::new(&[0, 1, 2], &[1, 0], 2)?; // 01 and 10
    /// let mut partition = Partition::whole(2);
    /// partition.refine(&lists, 0, Direction::Ascending)?;
    /// assert_eq!(partition.order(), [1, 0]);
    /// # Ok::<(), sunzi::sort::SortError>(())
    /// ```
    pub fn refine(
        &mut self,
        lists: &PositionLists<'_>,
        k: usize,
        direction: Direction,
    ) -> Result<(), SortError> {
        if lists.len() != self.len() {
            return Err(SortError::ItemCounts {
                partition: self.len(),
                lists: lists.len(),
            });
        }
        self.refine_by(|item| lists.explore(item, k), lists.bits(), direction);
        Ok(())
    }

    /// [`refine`](Self::refine) by any key instead of a position, for items that have no lists: a list
    /// whose items all have the key `exhausted` is settled.
    ///
    /// The key is computed once for each item in a list that is not settled.
    ///
    /// ```
    /// use sunzi::sort::{Direction, Partition};
    ///
    /// let words = ["pear", "fig", "plum"];
    /// let mut partition = Partition::whole(3);
    /// partition.refine_by(|i| words[i as usize].len() as u32, u32::MAX, Direction::Ascending);
    /// assert!(partition.lists().eq([&[1][..], &[0, 2]]));
    /// ```
    pub fn refine_by(
        &mut self,
        key: impl Fn(u32) -> u32 + Sync,
        exhausted: u32,
        direction: Direction,
    ) {
        let rule = step::Rule {
            key,
            exhausted,
            direction,
        };
        let cut = step::refine(&mut self.order, &self.open, &rule, self.grain);
        for &place in &cut.starts {
            self.starts[place as usize / 64] |= 1 << (place % 64);
        }
        self.count += cut.starts.len();
        self.open = cut.open;
    }

    /// Sorts every list that is not settled by comparison, stably, and settles it: a refinement that
    /// has made the lists short ends so (Proposition 16).
    ///
    /// `compare` must be a total order of the items of a list, such as that of what remains of their
    /// positions. Items that it calls equal stay in their order, and in one list.
    ///
    /// ```
    /// use sunzi::sort::Partition;
    ///
    /// let keys = [7, 5, 7];
    /// let mut partition = Partition::whole(3);
    /// partition.settle_by(|a, b| keys[a as usize].cmp(&keys[b as usize]));
    /// assert!(partition.lists().eq([&[1][..], &[0, 2]]));
    /// ```
    pub fn settle_by(&mut self, compare: impl Fn(u32, u32) -> std::cmp::Ordering + Sync) {
        let starts = step::settle(&mut self.order, &self.open, &compare, self.grain);
        for &place in &starts {
            self.starts[place as usize / 64] |= 1 << (place % 64);
        }
        self.count += starts.len();
        self.open.clear();
    }
}
