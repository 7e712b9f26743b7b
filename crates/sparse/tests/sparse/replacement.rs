//! Both rules of replacement against slow, obvious simulations.

use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};
use sunzi_sparse::cache::{
    Array, CacheError, CacheShape, CountingSort, Replacement, Trace, simulate,
};
use sunzi_testkit::Random;

/// A sequence of lines of one word.
struct Lines<'a>(&'a [usize]);

impl Trace for Lines<'_> {
    fn arrays(&self) -> Vec<Array> {
        vec![Array::new(
            "lines",
            self.0.iter().map(|line| line + 1).max().unwrap_or(0),
        )]
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        self.0.iter().for_each(|&line| touch(0, line));
    }
}

fn misses(sequence: &[usize], places: usize, replacement: Replacement) -> u64 {
    simulate(
        &Lines(sequence),
        CacheShape::new(places, 1).unwrap(),
        replacement,
    )
    .unwrap()
    .misses()
}

/// Belady's rule by looking ahead; returns which accesses miss.
fn belady(sequence: &[usize], places: usize) -> Vec<bool> {
    let mut cached: Vec<usize> = Vec::new();
    let mut missed = vec![false; sequence.len()];
    for (time, line) in sequence.iter().enumerate() {
        if cached.contains(line) {
            continue;
        }
        missed[time] = true;
        if cached.len() == places {
            let next_use = |line: &usize| {
                sequence[time..]
                    .iter()
                    .position(|other| other == line)
                    .unwrap_or(usize::MAX)
            };
            let leaving = (0..places)
                .max_by_key(|&place| next_use(&cached[place]))
                .unwrap();
            cached.remove(leaving);
        }
        cached.push(*line);
    }
    missed
}

/// The least misses over all choices of what leaves, by trying each.
fn exhaustive(sequence: &[usize], places: usize) -> u64 {
    let mut states: Vec<(BTreeSet<usize>, u64)> = vec![(BTreeSet::new(), 0)];
    for line in sequence {
        let mut next: std::collections::BTreeMap<BTreeSet<usize>, u64> = Default::default();
        let mut reach = |state: BTreeSet<usize>, misses: u64| {
            let best = next.entry(state).or_insert(misses);
            *best = misses.min(*best);
        };
        for (state, misses) in states {
            if state.contains(line) {
                reach(state, misses);
            } else if state.len() < places {
                reach(state.into_iter().chain([*line]).collect(), misses + 1);
            } else {
                for leaving in &state {
                    let rest = state.iter().filter(|other| *other != leaving);
                    reach(rest.chain([line]).copied().collect(), misses + 1);
                }
            }
        }
        states = next.into_iter().collect();
    }
    states
        .into_iter()
        .map(|(_, misses)| misses)
        .min()
        .unwrap_or(0)
}

fn naive_lru(sequence: &[usize], places: usize) -> u64 {
    let mut cached: Vec<usize> = Vec::new();
    let mut misses = 0;
    for &line in sequence {
        match cached.iter().position(|&other| other == line) {
            Some(place) => drop(cached.remove(place)),
            None => misses += 1,
        }
        cached.push(line);
        if cached.len() > places {
            cached.remove(0);
        }
    }
    misses
}

#[test]
fn known_sequences() {
    // Belady, Nelson and Shedler's sequence (1969): optimal 7 and 6 faults with 3 and 4 places.
    let sequence = [1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5];
    assert_eq!(misses(&sequence, 3, Replacement::Optimal), 7);
    assert_eq!(misses(&sequence, 4, Replacement::Optimal), 6);
    assert_eq!(misses(&sequence, 3, Replacement::LeastRecentlyUsed), 10);
    assert_eq!(misses(&sequence, 4, Replacement::LeastRecentlyUsed), 8);
    // The textbook sequence of Silberschatz, Galvin and Gagne.
    let sequence = [7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2, 1, 2, 0, 1, 7, 0, 1];
    assert_eq!(misses(&sequence, 3, Replacement::Optimal), 9);
    assert_eq!(misses(&sequence, 3, Replacement::LeastRecentlyUsed), 12);
    // A loop one line longer than the cache: LRU never hits, the optimal cache keeps C − 1 of C lines a round.
    let rounds: Vec<usize> = (0..50).flat_map(|_| 0..11).collect();
    assert_eq!(misses(&rounds, 10, Replacement::LeastRecentlyUsed), 550);
    assert_eq!(
        misses(&rounds, 10, Replacement::Optimal),
        belady(&rounds, 10).iter().filter(|miss| **miss).count() as u64
    );
}

#[test]
fn edges() {
    for replacement in [Replacement::Optimal, Replacement::LeastRecentlyUsed] {
        assert_eq!(misses(&[], 3, replacement), 0);
        assert_eq!(misses(&[0, 0, 0], 1, replacement), 1);
        assert_eq!(misses(&[0, 1, 0, 1, 1, 0], 1, replacement), 5);
        assert_eq!(
            misses(&[2, 1, 0, 2, 1, 0], 1 << 40, replacement),
            3,
            "a cache larger than memory"
        );
    }
}

#[test]
fn every_short_sequence_is_optimal() {
    for lines in 1..=4usize {
        for len in 0..=7u32 {
            for code in 0..lines.pow(len) {
                let sequence: Vec<usize> = (0..len).map(|k| code / lines.pow(k) % lines).collect();
                for places in 1..=3 {
                    assert_eq!(
                        misses(&sequence, places, Replacement::Optimal),
                        exhaustive(&sequence, places),
                        "{sequence:?} in {places}"
                    );
                }
            }
        }
    }
}

#[test]
fn long_sequences_that_renumber() {
    let mut random = Random::new(5);
    for (lines, places) in [(3000u64, 700), (200, 150), (50, 3), (9000, 2)] {
        // Enough hits that times are numbered anew several times.
        let sequence: Vec<usize> = (0..400_000)
            .map(|_| (random.below(lines) * random.below(lines) / lines) as usize)
            .collect();
        assert_eq!(
            misses(&sequence, places, Replacement::Optimal),
            belady_by_next_use(&sequence, places)
        );
    }
}

/// Belady's rule with the times of next use, from an ordered set.
fn belady_by_next_use(sequence: &[usize], places: usize) -> u64 {
    let mut next = vec![usize::MAX; sequence.len()];
    let mut seen = std::collections::HashMap::new();
    for (time, line) in sequence.iter().enumerate().rev() {
        // A line never used again leaves first; among several of them any will do.
        next[time] = seen.insert(*line, time).unwrap_or(usize::MAX - line);
    }
    let (mut cached, mut by_next_use, mut misses) = (HashSet::new(), BTreeSet::new(), 0);
    for (time, &line) in sequence.iter().enumerate() {
        if cached.contains(&line) {
            by_next_use.remove(&(time, line));
        } else {
            misses += 1;
            if cached.len() == places {
                let (_, leaving) = by_next_use.pop_last().unwrap();
                cached.remove(&leaving);
            }
            cached.insert(line);
        }
        by_next_use.insert((next[time], line));
    }
    misses
}

/// Accesses to three arrays in turn, told as one sequence.
struct Arrays<'a>(&'a [usize]);

impl Trace for Arrays<'_> {
    fn arrays(&self) -> Vec<Array> {
        (0..3)
            .map(|k| Array::new(format!("array {k}"), 10))
            .collect()
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        self.0.iter().for_each(|&line| touch(line / 10, line % 10));
    }
}

proptest! {
    #[test]
    fn optimal_is_beladys(sequence in prop::collection::vec(0..12usize, 0..200), places in 1..10usize) {
        let missed = belady(&sequence, places).iter().filter(|miss| **miss).count() as u64;
        prop_assert_eq!(misses(&sequence, places, Replacement::Optimal), missed);
    }

    /// Not only as many misses as Belady's rule, but the same: so counts by array mean something.
    #[test]
    fn the_same_accesses_miss(sequence in prop::collection::vec(0..30usize, 0..300), places in 1..12usize) {
        let mut by_array = [0u64; 3];
        for (line, missed) in sequence.iter().zip(belady(&sequence, places)) {
            by_array[line / 10] += u64::from(missed);
        }
        let report = simulate(&Arrays(&sequence), CacheShape::new(places, 1).unwrap(), Replacement::Optimal).unwrap();
        prop_assert_eq!(report.arrays.iter().map(|array| array.misses).collect::<Vec<_>>(), by_array.to_vec());
        prop_assert_eq!(report.accesses(), sequence.len() as u64);
        prop_assert_eq!(report.cold(), sequence.iter().collect::<HashSet<_>>().len() as u64);
    }

    #[test]
    fn lru_is_naive(sequence in prop::collection::vec(0..12usize, 0..200), places in 1..10usize) {
        prop_assert_eq!(misses(&sequence, places, Replacement::LeastRecentlyUsed), naive_lru(&sequence, places));
    }

    /// More places never miss more, optimal never more than LRU, and neither less than cold.
    #[test]
    fn inclusion(sequence in prop::collection::vec(0..20usize, 0..300)) {
        let mut before = (u64::MAX, u64::MAX);
        for places in 1..22 {
            let now = (misses(&sequence, places, Replacement::Optimal), misses(&sequence, places, Replacement::LeastRecentlyUsed));
            prop_assert!(now.0 <= now.1 && now.0 <= before.0 && now.1 <= before.1);
            before = now;
        }
        let distinct = sequence.iter().collect::<HashSet<_>>().len() as u64;
        prop_assert_eq!(before, (distinct, distinct));
    }
}

/// Elements of several words, lines of no power of two words, offsets.
struct Placed;

impl Trace for Placed {
    fn arrays(&self) -> Vec<Array> {
        vec![
            Array::new("wide", 4).element_words(5).offset(2),
            Array::new("next", 1),
            Array::new("nothing", 9).element_words(0),
            Array::new("empty", 0),
        ]
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        (0..4).for_each(|i| touch(0, i)); // words 2..7, 7..12, 12..17, 17..22: lines of 6 words 0 1 | 1 | 2 | 2 3
        touch(1, 0);
        (0..9).for_each(|i| touch(2, i));
    }
}

#[test]
fn placement() {
    let report = simulate(
        &Placed,
        CacheShape::new(6, 6).unwrap(),
        Replacement::Optimal,
    )
    .unwrap();
    let wide = report.array("wide").unwrap();
    assert_eq!((wide.accesses, wide.misses, wide.cold), (6, 4, 4));
    assert_eq!(report.array("next").unwrap().misses, 1);
    assert_eq!(report.array("nothing").unwrap().accesses, 0);
    assert_eq!(
        (
            report.accesses(),
            report.hits(),
            report.misses(),
            report.cold()
        ),
        (7, 2, 5, 5)
    );
    assert!(report.array("absent").is_none());
    assert!(report.to_string().contains("wide"));
}

struct Wrong(usize, usize, usize);

impl Trace for Wrong {
    fn arrays(&self) -> Vec<Array> {
        vec![Array::new("a", self.0)]
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        touch(self.1, self.2);
    }
}

#[test]
fn refusals() {
    let cache = CacheShape::new(8, 8).unwrap();
    let run = |trace: Wrong| simulate(&trace, cache, Replacement::Optimal).unwrap_err();
    assert_eq!(
        run(Wrong(5, 1, 0)),
        CacheError::UnknownArray {
            array: 1,
            declared: 1
        }
    );
    assert_eq!(
        run(Wrong(5, 0, 5)),
        CacheError::OutOfBounds {
            array: "a".into(),
            index: 5,
            len: 5
        }
    );
    assert!(matches!(
        run(Wrong(usize::MAX, 0, 0)),
        CacheError::TooManyLines { .. }
    ));
    assert_eq!(CacheShape::new(8, 0).unwrap_err(), CacheError::EmptyLine);
    let words = CacheShape::new(1, 1).unwrap();
    let sort = CountingSort::new(&[1, 2], u64::MAX).unwrap();
    let halves = CacheShape::new(usize::MAX, usize::MAX / 2 + 1).unwrap();
    let three = CountingSort::new(&[1, 2], 3).unwrap();
    for replacement in [Replacement::Optimal, Replacement::LeastRecentlyUsed] {
        for (trace, shape) in [(sort, words), (three, halves)] {
            assert!(matches!(
                simulate(&trace, shape, replacement),
                Err(CacheError::TooManyLines { .. })
            ));
        }
    }
    assert_eq!(
        CacheShape::new(7, 8).unwrap_err(),
        CacheError::NoLine {
            words: 7,
            line_words: 8
        }
    );
    let shape = CacheShape::new(70, 8).unwrap();
    assert_eq!(
        (
            shape.words(),
            shape.line_words(),
            shape.lines(),
            shape.is_tall()
        ),
        (70, 8, 8, true)
    );
}
