//! Cyclic transforms, natural order in and any order out, against Plonky3.
//!
//! BabyBear is 15 · 2^27 + 1, a prime that Sunzi's 31-bit field runs too. Goldilocks is 2^64 - 2^32 + 1,
//! above what Sunzi's 64-bit field takes: its times stand beside Sunzi's on a 62-bit prime, for reference.

use crate::contender::{Agreement, Case, Entrants, Group, Setup};
use crate::options::Options;
use crate::programs::plonky3;
use crate::sample::Sample;
use crate::sunzi_side;

const BABY_BEAR: u64 = 2_013_265_921;
const GOLDILOCKS: u64 = 0xFFFF_FFFF_0000_0001;
/// Sunzi's prime beside Goldilocks.
const WORD62: u64 = 4_611_686_018_326_724_609;

const BABY_BEAR_GROUP: Group = Group {
    name: "NTT BabyBear",
    goal: None,
};
const GOLDILOCKS_GROUP: Group = Group {
    name: "NTT Goldilocks",
    goal: None,
};

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    // One vector; and 16 of them side by side, which is what Plonky3's layout is made for.
    for (columns, last) in [(1, 22), (16, 18)] {
        let kinds: [(Group, Make); 2] =
            [(BABY_BEAR_GROUP, baby_bear), (GOLDILOCKS_GROUP, goldilocks)];
        for (group, make) in kinds {
            for log in options.logs(8, last) {
                cases.push(Case {
                    section: "ntt",
                    group,
                    name: if columns == 1 {
                        format!("2^{log}")
                    } else {
                        format!("{columns} vectors of 2^{log}")
                    },
                    size: (columns as u64) << log,
                    build: Box::new(move |setup| make(setup, 1 << log, columns)),
                });
            }
        }
    }
    cases
}

/// Makes the entrants for a length and a number of vectors.
type Make = fn(Setup, usize, usize) -> Entrants;

fn baby_bear(setup: Setup, length: usize, columns: usize) -> Entrants {
    let input = Sample::new(length as u64).residues(length * columns, BABY_BEAR);
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::cyclic(BABY_BEAR, &input, length))
            .flatten(),
        peers: [
            "Plonky3 Radix2DitParallel",
            "Plonky3 Radix2DFTSmallBatch",
            "Plonky3 RecursiveDft",
        ]
        .into_iter()
        .filter_map(|name| {
            let agreement = Agreement::AnyOrder;
            plonky3(name, "BabyBear", &input, columns, setup.threads, agreement)
        })
        .collect(),
    }
}

fn goldilocks(setup: Setup, length: usize, columns: usize) -> Entrants {
    let mut sample = Sample::new(length as u64);
    let input = sample.residues(length * columns, GOLDILOCKS);
    let own_input = sample.residues(length * columns, WORD62);
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::cyclic(WORD62, &own_input, length))
            .flatten(),
        peers: ["Plonky3 Radix2DitParallel", "Plonky3 Radix2DFTSmallBatch"]
            .into_iter()
            .filter_map(|name| {
                let agreement = Agreement::Reference;
                plonky3(
                    name,
                    "Goldilocks",
                    &input,
                    columns,
                    setup.threads,
                    agreement,
                )
            })
            .collect(),
    }
}
