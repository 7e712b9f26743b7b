//! What limbs of a band leave over for the next one, which may be another rank's.
//!
//! A band is put together as if nothing came from before. What comes then is below 2^128: it is added to the two lowest limbs, and runs on
//! as a 1 through all others if those are ones. So three limbs tell what a band leaves over, whatever comes; ranks tell each other these
//! before any of them writes a band of the round, and no band is written twice.

use crate::error::ScaleError;
use crate::ranks::Ranks;
use bytemuck::{cast_slice, pod_collect_to_vec};

/// Limbs that are changed otherwise than by a 1 that runs through.
const CHANGED: usize = 2;

/// What runs through the bands of a pass, in the order of their limbs.
#[derive(Debug)]
pub(crate) struct Carries<'a> {
    ranks: &'a dyn Ranks,
    /// What is left over behind all bands that ranks have told of.
    carried: u128,
}

impl<'a> Carries<'a> {
    /// Behind the bands of rounds before, which have left this over.
    pub(crate) fn behind(carried: u128, ranks: &'a dyn Ranks) -> Self {
        Self { ranks, carried }
    }

    /// Adds to the limbs of this rank's band of a round, which leave something over by themselves, what comes from the bands before it;
    /// a rank without a band takes part, too. Gives what all bands of the round leave over.
    pub(crate) fn round(&mut self, own: Option<(&mut [u64], u128)>) -> Result<u128, ScaleError> {
        let told = own.as_ref().map_or_else(Vec::new, |(limbs, left_over)| {
            [&[*left_over as u64, (*left_over >> 64) as u64], &*stand_in(limbs)].concat()
        });
        let mut limbs = own.map(|own| own.0);
        for (rank, told) in self.ranks.gather(cast_slice(&told))?.iter().enumerate() {
            if rank == self.ranks.rank()
                && let Some(limbs) = &mut limbs
            {
                add(limbs, self.carried);
            }
            let words: Vec<u64> = pod_collect_to_vec(told);
            if let [low, high, stand_in @ ..] = &words[..] {
                let left_over = u128::from(*low) | u128::from(*high) << 64;
                // Of both, what is left over is below 2^127.
                self.carried = left_over + add(&mut stand_in.to_vec(), self.carried);
            }
        }
        Ok(self.carried)
    }
}

/// A few limbs to which any addition leaves over what it leaves over to these.
fn stand_in(limbs: &[u64]) -> Vec<u64> {
    let (changed, others) = limbs.split_at(CHANGED.min(limbs.len()));
    let mut few = changed.to_vec();
    if !others.is_empty() {
        let runs_through = others.iter().all(|&limb| limb == u64::MAX);
        few.push(if runs_through { u64::MAX } else { 0 });
    }
    few
}

/// Adds to limbs, the lowest first; gives what is left over.
pub(super) fn add(limbs: &mut [u64], mut value: u128) -> u128 {
    for limb in limbs {
        if value == 0 {
            break;
        }
        let sum = u128::from(*limb) + u128::from(value as u64);
        *limb = sum as u64;
        value = (value >> 64) + (sum >> 64);
    }
    value
}
