//! Transforms over word-size primes, in place, against tfhe-ntt and concrete-ntt.
//!
//! Those transforms are negacyclic, from natural to bit-reversed order, and so is Sunzi's here; their roots
//! differ, so that forward results agree up to their order only. Their inverses leave out the division by
//! the length, which is made up for before results are compared.

use crate::contender::{Agreement, Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::options::Options;
use crate::sample::Sample;
use crate::sunzi_side::{self, Direction};

/// A prime and who is compared on it.
struct Kind {
    p: u64,
    group: Group,
}

const WORD32: [Kind; 2] = [
    Kind {
        p: 2_013_265_921,
        group: Group {
            name: "NTT 31-bit prime",
            goal: Some(0.8),
        },
    },
    Kind {
        p: 469_762_049,
        group: Group {
            name: "NTT 29-bit prime",
            goal: None,
        },
    },
];

const WORD64: [Kind; 3] = [
    Kind {
        // 2^62 - 3 · 2^25 + 1
        p: 4_611_686_018_326_724_609,
        group: Group {
            name: "NTT 62-bit prime",
            goal: Some(0.8),
        },
    },
    Kind {
        // 2^62 - 51 · 2^26 + 1: a little farther from the bound of 62 bits, where Sunzi's vectors still work.
        p: 4_611_686_015_004_835_841,
        group: Group {
            name: "NTT 62-bit prime below 2^62-2^31",
            goal: Some(0.8),
        },
    },
    Kind {
        // 2^50 - 7 · 2^26 + 1
        p: 1_125_899_437_080_577,
        group: Group {
            name: "NTT 50-bit prime",
            goal: None,
        },
    },
];

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    let kinds32 = WORD32.iter().map(|kind| (kind, entrants32 as Make));
    let kinds64 = WORD64.iter().map(|kind| (kind, entrants64 as Make));
    for (kind, make) in kinds32.chain(kinds64) {
        for direction in [Direction::Forward, Direction::Inverse] {
            for log in options.logs(8, 22) {
                let p = kind.p;
                let way = match direction {
                    Direction::Forward => "forward",
                    Direction::Inverse => "inverse",
                };
                cases.push(Case {
                    section: "ntt",
                    group: kind.group,
                    name: format!("{way} 2^{log}"),
                    size: 1 << log,
                    build: Box::new(move |setup| make(setup, p, direction, 1 << log)),
                });
            }
        }
    }
    cases
}

/// Makes the entrants for a prime, a direction and a length.
type Make = fn(Setup, u64, Direction, usize) -> Entrants;

/// How a peer's result agrees with Sunzi's in this direction.
fn agreement(direction: Direction) -> Agreement {
    match direction {
        Direction::Forward => Agreement::AnyOrder,
        Direction::Inverse => Agreement::Exact,
    }
}

/// A contender for a plan type that has `fwd`, `inv` and `normalize` in place.
macro_rules! in_place {
    ($plan:expr, $word:ty, $input:expr, $direction:expr) => {{
        let direction = $direction;
        let words = |values: &[$word]| values.iter().map(|&value| u64::from(value)).collect();
        let mut values: Vec<$word> = $input
            .iter()
            .map(|&value| <$word>::try_from(value).expect("a residue fits its word"))
            .collect();
        let made: Box<dyn Contender> = match direction {
            Direction::Forward => contender(
                (values, $plan),
                |(values, plan)| plan.fwd(values),
                move |(values, _)| words(values),
            ),
            Direction::Inverse => {
                $plan.fwd(&mut values);
                contender(
                    (values, $plan),
                    |(values, plan)| plan.inv(values),
                    move |(values, plan)| {
                        let mut values = values.clone();
                        plan.normalize(&mut values);
                        words(&values)
                    },
                )
            }
        };
        made
    }};
}

fn entrants32(setup: Setup, p: u64, direction: Direction, length: usize) -> Entrants {
    let input = Sample::new(p ^ length as u64).residues(length, p);
    let modulus = u32::try_from(p).expect("a 31-bit prime");
    let mut peers = Vec::new();
    if let Some(plan) = tfhe_ntt::prime32::Plan::try_new(length, modulus) {
        peers.push(Peer {
            name: "tfhe-ntt prime32",
            agreement: agreement(direction),
            contender: in_place!(plan, u32, input, direction),
        });
    }
    if let Some(plan) = concrete_ntt::prime32::Plan::try_new(length, modulus) {
        peers.push(Peer {
            name: "concrete-ntt prime32",
            agreement: agreement(direction),
            contender: in_place!(plan, u32, input, direction),
        });
    }
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::negacyclic(p, &input, direction))
            .flatten(),
        peers,
    }
}

fn entrants64(setup: Setup, p: u64, direction: Direction, length: usize) -> Entrants {
    let input = Sample::new(p ^ length as u64).residues(length, p);
    let mut peers = Vec::new();
    if let Some(plan) = tfhe_ntt::prime64::Plan::try_new(length, p) {
        peers.push(Peer {
            name: "tfhe-ntt prime64",
            agreement: agreement(direction),
            contender: in_place!(plan, u64, input, direction),
        });
    }
    if let Some(plan) = concrete_ntt::prime64::Plan::try_new(length, p) {
        peers.push(Peer {
            name: "concrete-ntt prime64",
            agreement: agreement(direction),
            contender: in_place!(plan, u64, input, direction),
        });
    }
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sunzi_side::negacyclic(p, &input, direction))
            .flatten(),
        peers,
    }
}
