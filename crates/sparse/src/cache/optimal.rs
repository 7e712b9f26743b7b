//! The optimal cache in one pass.
//!
//! Say that a line is used at times i < j and not between. If it stays in the cache, it fills a place
//! during the open interval (i, j), in which each access needs a place for its own line: at any
//! time at most C − 1 intervals of other lines can be open. Belady's rule drops, whenever there are
//! too many, the interval that ends last, and that is the largest set of intervals which C − 1
//! places can hold; the same set comes out when intervals are taken by their ends, each accepted if
//! a place is free for all of it. So give each of C − 1 places the time at which it became free. The
//! access at time j to a line last used at i is a hit if some place has been free since i + 1 or longer;
//! of those the one that became free last takes the interval, and is free again at j.
//!
//! Intervals that hold no access, of a line used twice running, fill no place. The greedy choice is that of Faigle and
//! Nawijn (1995) and of Carlisle and Lloyd (1995); a union–find tells which place became free last, in nearly constant
//! time an access.

use super::{Cache, Outcome};

const NEVER: u32 = u32::MAX;

pub(super) struct OptimalCache {
    /// For each line the time of its last use.
    last: Vec<u32>,
    /// Times at which a place became free, as a forest: a time is its own parent as long as a place
    /// has been free since then; the root of any other time is the nearest such time before it.
    /// Time 0 is always a root, and there is a time 1.
    parent: Vec<u32>,
    /// Places never filled yet: free since time 0.
    untouched: u32,
    previous: u32,
    /// Lines last used after time 0; only their times change with the numbering.
    recent: Vec<u32>,
    places: usize,
    /// Times are numbered anew when there are this many, so that they stay few enough for the
    /// processor's own caches.
    renumber_at: usize,
}

impl OptimalCache {
    /// A cache of `places` lines for memory of `lines` lines.
    pub(super) fn new(places: usize, lines: usize) -> Self {
        let places = places.min(lines).max(1);
        let untouched = (places - 1) as u32;
        let mut cache = Self {
            last: vec![NEVER; lines],
            parent: vec![0],
            untouched,
            previous: NEVER,
            recent: Vec::new(),
            places,
            renumber_at: 0,
        };
        cache.renumber();
        cache
    }

    /// The latest time not after `time` since which a place has been free.
    #[inline]
    fn freed_before(&mut self, mut time: u32) -> u32 {
        loop {
            let parent = self.parent[time as usize];
            if parent == time {
                return time;
            }
            let grandparent = self.parent[parent as usize];
            self.parent[time as usize] = grandparent;
            time = grandparent;
        }
    }

    /// Numbers the times since which a place is free 1, 2, …, and gives any other time the number of
    /// the one before it: all that matters of a time is which places became free up to it.
    #[cold]
    fn renumber(&mut self) {
        let mut number = 0;
        for time in 1..self.parent.len() {
            if self.parent[time] == time as u32 {
                number += 1;
            }
            self.parent[time] = number;
        }
        let Self {
            last,
            parent,
            recent,
            ..
        } = self;
        recent.retain(|&line| {
            let last = &mut last[line as usize];
            *last = parent[*last as usize];
            *last > 0
        });
        parent.clear();
        parent.extend(0..=number);
        if number == 0 {
            parent.push(0);
        }
        // At least as many hits as the next numbering has lines to look at.
        self.renumber_at = self.parent.len() + self.recent.len().max(2 * self.places).max(1 << 14);
    }
}

impl Cache for OptimalCache {
    #[inline]
    fn access(&mut self, line: u32) -> Outcome {
        if line == self.previous {
            return Outcome::Hit;
        }
        let previous = std::mem::replace(&mut self.previous, line);
        let now = (self.parent.len() - 1) as u32;
        let last = std::mem::replace(&mut self.last[line as usize], now);
        if last == NEVER || last == 0 {
            self.recent.push(line);
        }
        if last == NEVER {
            return Outcome::ColdMiss;
        }
        let freed = self.freed_before(last);
        if freed > 0 {
            self.parent[freed as usize] = freed - 1;
        } else if self.untouched > 0 {
            self.untouched -= 1;
        } else {
            return Outcome::Miss;
        }
        // The place is free at this access already, and so for an interval that begins at the one before.
        self.parent.push(now + 1);
        self.last[previous as usize] = now + 1;
        self.last[line as usize] = now + 1;
        if self.parent.len() >= self.renumber_at {
            self.renumber();
        }
        Outcome::Hit
    }
}
