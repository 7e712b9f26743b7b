//! One step of the refinement, list by list and in parallel.

use std::cmp::Ordering;

use sunzi_machine::threads::Threads;

use super::Direction;

/// A list: where it starts in the order of all items, and how many items it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// What a step sorts by.
pub(super) struct Rule<F> {
    pub(super) key: F,
    pub(super) exhausted: u32,
    pub(super) direction: Direction,
}

/// What a step finds, in the order of places.
#[derive(Default)]
pub(super) struct Cuts {
    /// Places where new lists start.
    pub(super) starts: Vec<u32>,
    /// Lists that may be cut further.
    pub(super) open: Vec<Span>,
}

/// Items that one thread takes at a time; a step on 10^4 items takes about 0.2 ms.
pub(super) const GRAIN: usize = 1 << 14;
/// Lists up to here are sorted by comparison of words; counting pays only above.
const SHORT: usize = 256;
/// Bits of a digit: 2048 counters stay in the first cache.
const DIGIT_BITS: u32 = 11;

/// Sorts the lists `open` of `order` by the rule, and tells where they fall apart. Threads take `grain` items at a
/// time.
pub(super) fn refine<F: Fn(u32) -> u32 + Sync>(
    order: &mut [u32],
    open: &[Span],
    rule: &Rule<F>,
    grain: usize,
) -> Cuts {
    over_lists(
        order,
        0,
        open,
        grain,
        &|order, base, spans| {
            let mut cuts = Cuts::default();
            let mut scratch = Scratch::default();
            for span in spans {
                let start = (span.start - base) as usize;
                let items = &mut order[start..start + span.len as usize];
                refine_list(items, span.start, rule, grain, &mut scratch, &mut cuts);
            }
            cuts
        },
        &|mut left: Cuts, right: Cuts| {
            left.starts.extend(right.starts);
            left.open.extend(right.open);
            left
        },
    )
}

/// Sorts the lists `open` of `order` by comparison, and tells where lists of equal items start.
pub(super) fn settle(
    order: &mut [u32],
    open: &[Span],
    compare: &(impl Fn(u32, u32) -> Ordering + Sync),
    grain: usize,
) -> Vec<u32> {
    over_lists(
        order,
        0,
        open,
        grain,
        &|order, base, spans| {
            let mut starts = Vec::new();
            for span in spans {
                let start = (span.start - base) as usize;
                let items = &mut order[start..start + span.len as usize];
                items.sort_by(|&a, &b| compare(a, b));
                starts.extend(
                    (1..items.len())
                        .filter(|&i| compare(items[i - 1], items[i]) != Ordering::Equal)
                        .map(|i| span.start + i as u32),
                );
            }
            starts
        },
        &|mut left: Vec<u32>, right: Vec<u32>| {
            left.extend(right);
            left
        },
    )
}

/// Does `work` on groups of lists in parallel: `order[0]` has the place `base`.
fn over_lists<T: Send>(
    order: &mut [u32],
    base: u32,
    spans: &[Span],
    grain: usize,
    work: &(impl Fn(&mut [u32], u32, &[Span]) -> T + Sync),
    join: &(impl Fn(T, T) -> T + Sync),
) -> T {
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else {
        return work(order, base, spans);
    };
    if spans.len() == 1 || (last.start + last.len - first.start) as usize <= grain {
        return work(order, base, spans);
    }
    let middle_place = first.start + (last.start + last.len - first.start) / 2;
    let middle = spans
        .partition_point(|span| span.start < middle_place)
        .clamp(1, spans.len() - 1);
    let (left_spans, right_spans) = spans.split_at(middle);
    let middle_place = right_spans[0].start;
    let (left, right) = order.split_at_mut((middle_place - base) as usize);
    let (left, right) = sunzi_machine::threads::join(
        || over_lists(left, base, left_spans, grain, work, join),
        || over_lists(right, middle_place, right_spans, grain, work, join),
    );
    join(left, right)
}

/// Pairs of key and item in one word, the key above, and room to sort them.
#[derive(Default)]
struct Scratch {
    pairs: Vec<u64>,
    other: Vec<u64>,
}

/// Sorts one list of at least two items, which starts at the place `start`.
fn refine_list<F: Fn(u32) -> u32 + Sync>(
    items: &mut [u32],
    start: u32,
    rule: &Rule<F>,
    grain: usize,
    scratch: &mut Scratch,
    cuts: &mut Cuts,
) {
    // Sorted downward is sorted upward by the complement.
    let mask = match rule.direction {
        Direction::Ascending => 0,
        Direction::Descending => u32::MAX,
    };
    let pair = |&item: &u32| u64::from((rule.key)(item) ^ mask) << 32 | u64::from(item);
    let pairs = &mut scratch.pairs;
    pairs.clear();
    if items.len() <= grain {
        pairs.extend(items.iter().map(pair));
    } else {
        pairs.resize(items.len(), 0);
        let pieces = pairs.chunks_mut(grain).zip(items.chunks(grain));
        Threads::all().each(pieces, |(pairs, items)| {
            for (place, item) in pairs.iter_mut().zip(items) {
                *place = pair(item);
            }
        });
    }
    if pairs.len() <= SHORT {
        pairs.sort_by_key(|pair| pair >> 32);
    } else {
        sort_by_digits(pairs, &mut scratch.other);
    }
    let mut first = 0;
    for i in 1..=items.len() {
        let ends = i == items.len() || pairs[i] >> 32 != pairs[first] >> 32;
        if !ends {
            continue;
        }
        if first > 0 {
            cuts.starts.push(start + first as u32);
        }
        if i - first > 1 && (pairs[first] >> 32) as u32 ^ mask != rule.exhausted {
            cuts.open.push(Span {
                start: start + first as u32,
                len: (i - first) as u32,
            });
        }
        first = i;
    }
    for (item, pair) in items.iter_mut().zip(pairs.iter()) {
        *item = *pair as u32;
    }
}

/// Stable sort of pairs by their upper halves, by counting, the low digit first.
fn sort_by_digits(pairs: &mut Vec<u64>, other: &mut Vec<u64>) {
    let key = |pair: &u64| (pair >> 32) as u32;
    let (low, high) = pairs
        .iter()
        .map(key)
        .fold((u32::MAX, 0), |(low, high), key| {
            (low.min(key), high.max(key))
        });
    let bits = u32::BITS - (high - low).leading_zeros();
    let passes = bits.div_ceil(DIGIT_BITS);
    if passes == 0 {
        return;
    }
    let digit_bits = bits.div_ceil(passes);
    other.clear();
    other.resize(pairs.len(), 0);
    let mut places = [0u32; 1 << DIGIT_BITS];
    for pass in 0..passes {
        let digit = |pair: &u64| {
            ((key(pair) - low) >> (pass * digit_bits)) as usize & ((1 << digit_bits) - 1)
        };
        places.fill(0);
        for pair in pairs.iter() {
            places[digit(pair)] += 1;
        }
        let mut place = 0;
        for count in &mut places {
            place += std::mem::replace(count, place);
        }
        for pair in pairs.iter() {
            let place = &mut places[digit(pair)];
            other[*place as usize] = *pair;
            *place += 1;
        }
        std::mem::swap(pairs, other);
    }
}
