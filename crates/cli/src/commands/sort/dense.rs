//! Integers as numbers.

use super::SortOrder;
use super::{Kind, Sorted};
use std::mem;
use sunzi::Integer;
use sunzi::sort::{CountingSort, gray_code, gray_rank, sort, sort_integers};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::vector::{Grown, Vector};
use sunzi_files::numbers::integers::IntegerText;
use sunzi_files::results::Results;
use sunzi_files::style::Style;
use sunzi_machine::threads::Threads;

/// Integers that a thread takes at a time, at least.
const PIECE: usize = 1 << 10;

/// Integers as numbers.
pub struct Dense {
    order: SortOrder,
    text: IntegerText,
}

impl Dense {
    pub fn new(order: SortOrder) -> Self {
        Self {
            order,
            text: IntegerText::new(),
        }
    }

    /// A word that stands among words where the integer stands in the order, if there is one.
    fn key(&self, value: &Integer) -> Option<u64> {
        match self.order {
            SortOrder::Value => i64::try_from(value).ok().map(|word| word as u64 ^ SIGN),
            SortOrder::Gray => u64::try_from(value).ok().map(gray_rank),
        }
    }

    /// The integer of a key.
    fn value(&self, key: u64) -> Integer {
        match self.order {
            SortOrder::Value => Integer::from((key ^ SIGN) as i64),
            SortOrder::Gray => Integer::from(gray_code(key)),
        }
    }
}

impl Kind for Dense {
    type Item = Integer;

    fn read(
        &self,
        reader: &mut LineReader,
        grown: &mut Grown<'_, Integer>,
    ) -> Result<Vector<Integer>, Failure> {
        let not_negative = (self.order == SortOrder::Gray)
            .then_some("a negative integer has no place in the Gray code: leave --order gray out");
        self.text.read_vector(reader, not_negative, grown)
    }

    fn bytes(&self, value: &Integer) -> u64 {
        let words = value.magnitude().as_limbs().len();
        (2 * size_of::<Integer>() + 8 * words) as u64
    }

    fn sort(&self, mut items: Vec<Integer>) -> Sorted<Integer> {
        let threads = Threads::all();
        let piece = threads.piece(items.len(), PIECE);
        let keys_of = |items: &[Integer]| {
            // A loop is compiled in one piece with what it calls; an iterator's parts need not be.
            let mut keys = Vec::with_capacity(items.len());
            for value in items {
                keys.push(self.key(value)?);
            }
            Some(keys)
        };
        let keys: Option<Vec<Vec<u64>>> = threads
            .map(items.chunks(piece), keys_of)
            .into_iter()
            .collect();
        let keys = keys.map(|keys| keys.concat());
        if let Some(mut keys) = keys {
            sort(&mut keys);
            let range = keys.first().zip(keys.last());
            let range = range.map_or(0, |(least, greatest)| greatest - least);
            let plan = CountingSort::new(range.saturating_add(1)).plan_keys(keys.len());
            let pieces = items.chunks_mut(piece).zip(keys.chunks(piece));
            threads.each(pieces, |(items, keys)| {
                for (item, &key) in items.iter_mut().zip(keys) {
                    *item = self.value(key);
                }
            });
            return Ok((items, "counting-sort", plan.to_string()));
        }
        if self.order == SortOrder::Gray {
            threads.each(items.chunks_mut(piece), |codes| {
                codes.iter_mut().for_each(|code| *code = long_rank(code));
            });
        }
        let mut sorted = sort_long(items)?;
        if self.order == SortOrder::Gray {
            threads.each(sorted.chunks_mut(piece), |ranks| {
                ranks.iter_mut().for_each(|rank| *rank ^= &*rank >> 1);
            });
        }
        Ok((sorted, "refinement", "by digits of 32 bits".to_owned()))
    }

    fn write(&self, items: &[Integer], json: bool, results: &mut Results) -> Result<(), Failure> {
        self.text.write_results(items, Style::new(json), results)
    }
}

/// With this bit turned around, signed words are in the order of unsigned ones.
const SIGN: u64 = 1 << 63;

/// Integers of any size in ascending order.
fn sort_long(items: Vec<Integer>) -> Result<Vec<Integer>, String> {
    let sorted = |mut items: Vec<Integer>| -> Result<Vec<Integer>, String> {
        let limbs: Vec<&[u64]> = items
            .iter()
            .map(|item| item.magnitude().as_limbs())
            .collect();
        let order = sort_integers(&limbs).map_err(|error| error.to_string())?;
        let mut sorted = Vec::with_capacity(items.len());
        for item in order {
            sorted.push(mem::take(&mut items[item as usize]));
        }
        Ok(sorted)
    };
    let (below, above) = items.into_iter().partition(Integer::is_negative);
    // Of negative integers the greatest magnitude comes first.
    let mut all = sorted(below)?;
    all.reverse();
    all.extend(sorted(above)?);
    Ok(all)
}

/// The place of a code word of any length in the Gray code: every bit is the parity of those above it and
/// its own.
fn long_rank(code: &Integer) -> Integer {
    let mut rank = code.clone();
    let bits = rank.bit_len();
    let mut shift = 1;
    while shift < bits {
        rank ^= rank.clone() >> shift;
        shift *= 2;
    }
    rank
}
