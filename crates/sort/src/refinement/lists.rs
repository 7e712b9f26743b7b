//! Lists of positions, flat.

use crate::error::SortError;

/// Ascending lists of positions, one for each item, in one row: those of item i are
/// `positions[starts[i]..starts[i + 1]]`, each below `bits` (the thesis's m).
///
/// The columns of a sparse matrix in compressed form are such lists, and so are sparse integers, whose
/// position 0 is the most significant bit.
///
/// ```
/// use sunzi::sort::PositionLists;
///
/// // 50 in ten bits is 0000110010, and 3 is 0000000011.
/// let lists = PositionLists::new(&[0, 3, 5], &[4, 5, 8, 8, 9], 10)?;
/// assert_eq!((lists.len(), lists.bits()), (2, 10));
/// assert_eq!(lists.get(0), [4, 5, 8]);
/// assert_eq!(lists.explore(1, 1), 9);
/// assert_eq!(lists.explore(1, 2), 10); // there is no third one
/// # Ok::<(), sunzi::sort::SortError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PositionLists<'a> {
    starts: &'a [usize],
    positions: &'a [u32],
    bits: u32,
}

impl<'a> PositionLists<'a> {
    /// Takes lists, and checks them in one pass.
    ///
    /// # Errors
    /// When the starts do not rise from 0 to the number of positions, when a list is not strictly
    /// ascending or has a position that is not below `bits`, or when there are more than 2^32 - 1 items.
    pub fn new(starts: &'a [usize], positions: &'a [u32], bits: u32) -> Result<Self, SortError> {
        let (&first, &last) = starts
            .first()
            .zip(starts.last())
            .ok_or(SortError::NoStarts)?;
        let items = starts.len() - 1;
        if items > u32::MAX as usize {
            return Err(SortError::TooManyItems { items });
        }
        if first != 0 {
            return Err(SortError::FirstStart { start: first });
        }
        if let Some(item) = starts.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(SortError::StartsGoDown { item });
        }
        if last != positions.len() {
            return Err(SortError::LastStart {
                end: last,
                positions: positions.len(),
            });
        }
        let lists = Self {
            starts,
            positions,
            bits,
        };
        for item in 0..items as u32 {
            check_list(lists.get(item), item as usize, bits)?;
        }
        Ok(lists)
    }

    /// The number of items.
    ///
    /// ```
    /// # use sunzi::sort::PositionLists;
    /// assert_eq!(PositionLists::new(&[0, 0], &[], 8)?.len(), 1);
    /// # Ok::<(), sunzi::sort::SortError>(())
    /// ```
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no items.
    ///
    /// ```
    /// # use sunzi::sort::PositionLists;
    /// assert!(PositionLists::new(&[0], &[], 8)?.is_empty());
    /// # Ok::<(), sunzi::sort::SortError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of bits: every position is below it.
    ///
    /// ```
    /// # use sunzi::sort::PositionLists;
    /// assert_eq!(PositionLists::new(&[0], &[], 8)?.bits(), 8);
    /// # Ok::<(), sunzi::sort::SortError>(())
    /// ```
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The positions of an item.
    ///
    /// # Panics
    /// When there is no such item.
    ///
    /// ```
    /// # use sunzi::sort::PositionLists;
    /// assert_eq!(PositionLists::new(&[0, 2], &[1, 5], 8)?.get(0), [1, 5]);
    /// # Ok::<(), sunzi::sort::SortError>(())
    /// ```
    #[inline]
    pub fn get(&self, item: u32) -> &'a [u32] {
        let item = item as usize;
        &self.positions[self.starts[item]..self.starts[item + 1]]
    }

    /// The positions of an item from the k-th on.
    pub(crate) fn tail(&self, item: u32, k: usize) -> &'a [u32] {
        let list = self.get(item);
        &list[k.min(list.len())..]
    }

    /// The k-th position of an item, from 0, or `bits` when it has no more than k (Algorithm 4).
    ///
    /// # Panics
    /// When there is no such item.
    ///
    /// ```
    /// # use sunzi::sort::PositionLists;
    /// let lists = PositionLists::new(&[0, 2], &[1, 5], 8)?;
    /// assert_eq!([lists.explore(0, 0), lists.explore(0, 1), lists.explore(0, 2)], [1, 5, 8]);
    /// # Ok::<(), sunzi::sort::SortError>(())
    /// ```
    #[inline]
    pub fn explore(&self, item: u32, k: usize) -> u32 {
        let item = item as usize;
        let start = self.starts[item];
        if k < self.starts[item + 1] - start {
            self.positions[start + k]
        } else {
            self.bits
        }
    }
}

/// Checks that a list ascends and stays below `bits`.
fn check_list(list: &[u32], item: usize, bits: u32) -> Result<(), SortError> {
    // All pairs are compared, several at a time; the place is looked for only where one does not ascend.
    let neighbours = list.iter().zip(list.iter().skip(1));
    let falls = neighbours.fold(false, |falls, (before, position)| {
        falls | (before >= position)
    });
    let fall = || list.windows(2).position(|pair| pair[0] >= pair[1]);
    if let Some(place) = falls.then(fall).flatten() {
        return Err(SortError::NotAscending {
            item,
            place: place + 1,
            position: list[place + 1],
            before: list[place],
        });
    }
    match list.last() {
        Some(&position) if position >= bits => Err(SortError::PositionOutOfRange {
            item,
            position,
            bits,
        }),
        _ => Ok(()),
    }
}
