//! A cache that lets the least recently used line go: a ring of places in the order of their last use.

use super::{Cache, Outcome};

const NEVER: u32 = u32::MAX;
const GONE: u32 = u32::MAX - 1;

#[derive(Clone, Copy)]
struct Place {
    line: u32,
    /// The place used next after this one; of the latest, the oldest.
    newer: u32,
    older: u32,
}

pub(super) struct LeastRecentlyUsedCache {
    /// For each line its place, `NEVER` or `GONE`.
    place_of: Vec<u32>,
    places: Vec<Place>,
    capacity: usize,
    latest: u32,
}

impl LeastRecentlyUsedCache {
    /// A cache of `places` lines for memory of `lines` lines.
    pub(super) fn new(places: usize, lines: usize) -> Self {
        Self {
            place_of: vec![NEVER; lines],
            places: Vec::new(),
            capacity: places.min(lines).max(1),
            latest: 0,
        }
    }

    /// Links `place` in as the latest.
    fn insert(&mut self, place: u32) {
        let older = self.latest;
        let newer = self.places[older as usize].newer;
        self.places[place as usize].older = older;
        self.places[place as usize].newer = newer;
        self.places[older as usize].newer = place;
        self.places[newer as usize].older = place;
        self.latest = place;
    }

    fn touch(&mut self, place: u32) {
        let Place { newer, older, .. } = self.places[place as usize];
        self.places[older as usize].newer = newer;
        self.places[newer as usize].older = older;
        self.insert(place);
    }

    fn fetch(&mut self, line: u32) {
        let place = if self.places.len() < self.capacity {
            let place = self.places.len() as u32;
            self.places.push(Place {
                line,
                newer: place,
                older: place,
            });
            if place > 0 {
                self.insert(place);
            }
            place
        } else {
            // The ring needs no other links when its oldest becomes its latest.
            let oldest = self.places[self.latest as usize].newer;
            let leaving = std::mem::replace(&mut self.places[oldest as usize].line, line);
            self.place_of[leaving as usize] = GONE;
            self.latest = oldest;
            oldest
        };
        self.place_of[line as usize] = place;
    }
}

impl Cache for LeastRecentlyUsedCache {
    #[inline]
    fn access(&mut self, line: u32) -> Outcome {
        match self.place_of[line as usize] {
            NEVER => {
                self.fetch(line);
                Outcome::ColdMiss
            }
            GONE => {
                self.fetch(line);
                Outcome::Miss
            }
            place => {
                if place != self.latest {
                    self.touch(place);
                }
                Outcome::Hit
            }
        }
    }
}
