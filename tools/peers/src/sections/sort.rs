//! Sorts: counting sort against the classical one and against radix sorts of the crate rdst; big integers
//! against comparison by the standard library.

use std::cmp::{Ordering, Reverse};

use rayon::prelude::*;
use rdst::{RadixKey, RadixSort};

use crate::contender::{Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::options::Options;
use crate::sample::Sample;
use crate::sort_side;

const KEYS_CLASSICAL: Group = Group {
    name: "keys, against classical counting sort",
    goal: None,
};
const KEYS_CLASSICAL_LARGE: Group = Group {
    name: "10^8 keys, against classical counting sort",
    goal: Some(0.35),
};
const KEYS: Group = Group {
    name: "keys, against rdst",
    goal: Some(1.0),
};
const PAIRS_CLASSICAL: Group = Group {
    name: "keys and values, against classical counting sort",
    goal: None,
};
const PAIRS: Group = Group {
    name: "keys and values, against rdst",
    goal: None,
};
const SPARSE: Group = Group {
    name: "sparse integers, against their limbs",
    goal: Some(0.5),
};
const SPARSE_POSITIONS: Group = Group {
    name: "sparse integers, against their positions",
    goal: None,
};
const DENSE: Group = Group {
    name: "dense integers",
    goal: None,
};

/// Keys of the cases: as many as their range.
const SIZES: [(usize, &str); 3] = [
    (1_000_000, "n = r = 10^6"),
    (10_000_000, "n = r = 10^7"),
    (100_000_000, "n = r = 10^8"),
];

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut case = |group, name: &str, size: usize, build| {
        cases.push(Case {
            section: "sort",
            group,
            name: name.to_owned(),
            size: size as u64,
            build,
        });
    };
    for (n, name) in SIZES {
        let group = match n {
            100_000_000 => KEYS_CLASSICAL_LARGE,
            _ => KEYS_CLASSICAL,
        };
        case(
            group,
            name,
            n,
            Box::new(move |setup| keys_classical(setup, n)),
        );
        case(KEYS, name, n, Box::new(move |setup| keys_rdst(setup, n)));
        case(
            PAIRS_CLASSICAL,
            name,
            n,
            Box::new(move |setup| pairs_classical(setup, n)),
        );
        case(PAIRS, name, n, Box::new(move |setup| pairs_rdst(setup, n)));
    }
    if options.max_log >= 17 {
        for (ones, name) in [
            (100, "10^5 of 10^5 bits, 100 ones each"),
            (10, "10^5 of 10^5 bits, 10 ones each"),
        ] {
            for (group, compared) in [(SPARSE, Form::Limbs), (SPARSE_POSITIONS, Form::Positions)] {
                case(
                    group,
                    name,
                    100_000,
                    Box::new(move |setup| sparse(setup, 100_000, 100_000, ones, compared)),
                );
            }
        }
    }
    case(
        DENSE,
        "10^5 of 6400 random bits",
        100_000,
        Box::new(|setup| dense(setup, 100_000, 100)),
    );
    cases
}

/// `n` keys below `n`.
fn random_keys(n: usize) -> Vec<u32> {
    let mut sample = Sample::new(n as u64);
    (0..n)
        .map(|_| ((u128::from(sample.word()) * n as u128) >> 64) as u32)
        .collect()
}

fn keys_classical(setup: Setup, n: usize) -> Entrants {
    let keys = random_keys(n);
    Entrants {
        sunzi: setup.with_sunzi.then(|| sort_side::keys(&keys, n as u64)),
        peers: vec![Peer::exact(
            "classical counting sort",
            sort_side::classical_keys(&keys, n as u64),
        )],
    }
}

fn keys_rdst(setup: Setup, n: usize) -> Entrants {
    let keys = random_keys(n);
    let peer = |sort: fn(&mut Vec<u32>)| {
        contender(
            (keys.clone(), keys.clone()),
            move |(keys, sorted): &mut (Vec<u32>, Vec<u32>)| {
                sorted.copy_from_slice(keys);
                sort(sorted);
            },
            |(_, sorted)| sort_side::fingerprint(sorted.iter().map(|&key| u64::from(key))),
        )
    };
    Entrants {
        sunzi: setup.with_sunzi.then(|| sort_side::keys(&keys, n as u64)),
        peers: vec![
            Peer::exact("rdst", peer(|keys| keys.radix_sort_unstable())),
            // Of its other tuners, the one that is meant for this many threads.
            if setup.threads == 1 {
                Peer::exact("rdst, one thread", peer(|keys| alone(keys)))
            } else {
                Peer::exact(
                    "rdst, low memory",
                    peer(|keys| {
                        keys.radix_sort_builder().with_low_mem_tuner().sort();
                    }),
                )
            },
        ],
    }
}

/// rdst as it is set for one thread.
fn alone<T: RadixKey + Copy + Send + Sync>(items: &mut [T]) {
    items
        .radix_sort_builder()
        .with_single_threaded_tuner()
        .with_parallel(false)
        .sort();
}

/// `n` numbered keys.
fn random_pairs(n: usize) -> (Vec<u32>, Vec<u32>) {
    (random_keys(n), (0..n as u32).collect())
}

fn pairs_classical(setup: Setup, n: usize) -> Entrants {
    let (keys, values) = random_pairs(n);
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sort_side::pairs(&keys, &values, n as u64)),
        peers: vec![Peer::exact(
            "classical counting sort",
            sort_side::classical_pairs(&keys, &values, n as u64),
        )],
    }
}

/// A key with its value, as rdst sorts them: side by side.
#[derive(Clone, Copy)]
struct Pair {
    key: u32,
    value: u32,
}

impl RadixKey for Pair {
    const LEVELS: usize = 4;

    fn get_level(&self, level: usize) -> u8 {
        (self.key >> (8 * level)) as u8
    }
}

fn pairs_rdst(setup: Setup, n: usize) -> Entrants {
    let (keys, values) = random_pairs(n);
    let peer = |sort: fn(&mut Vec<Pair>)| {
        let pairs = keys.iter().zip(&values);
        let pairs: Vec<Pair> = pairs.map(|(&key, &value)| Pair { key, value }).collect();
        contender(
            (pairs.clone(), pairs),
            move |(pairs, sorted): &mut (Vec<Pair>, Vec<Pair>)| {
                sorted.copy_from_slice(pairs);
                sort(sorted);
            },
            |(_, sorted)| {
                sort_side::pairs_fingerprint(sorted.iter().map(|pair| (pair.key, pair.value)))
            },
        )
    };
    let mut peers = vec![Peer::exact(
        "rdst",
        peer(|pairs| pairs.radix_sort_unstable()),
    )];
    if setup.threads == 1 {
        peers.push(Peer::exact("rdst, one thread", peer(|pairs| alone(pairs))));
    }
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sort_side::pairs(&keys, &values, n as u64)),
        peers,
    }
}

/// `n` integers of `bits` bits of which `ones` drawn ones are set: flat positions, and limbs.
fn sparse_integers(n: usize, bits: u32, ones: usize) -> (Vec<usize>, Vec<u32>, Vec<Vec<u64>>) {
    let mut sample = Sample::new(u64::from(bits) * ones as u64);
    let mut starts = vec![0];
    let mut positions = Vec::new();
    let mut integers = Vec::new();
    for _ in 0..n {
        let set = sample.distinct_residues(ones, u64::from(bits));
        let mut set: Vec<u32> = set.into_iter().map(|position| position as u32).collect();
        set.sort_unstable();
        let mut limbs = vec![0u64; bits.div_ceil(64) as usize];
        for position in &set {
            let bit = bits - 1 - position;
            limbs[bit as usize / 64] |= 1 << (bit % 64);
        }
        positions.extend(set);
        starts.push(positions.len());
        integers.push(limbs);
    }
    (starts, positions, integers)
}

/// What a comparison of sparse integers looks at.
#[derive(Clone, Copy)]
enum Form {
    Limbs,
    Positions,
}

fn sparse(setup: Setup, n: usize, bits: u32, ones: usize, compared: Form) -> Entrants {
    let (starts, positions, integers) = sparse_integers(n, bits, ones);
    // By position, ascending, the integer that has the later one is the smaller.
    let compare_lists = {
        let (starts, positions) = (starts.clone(), positions.clone());
        move |&a: &u32, &b: &u32| {
            let list = |item: u32| &positions[starts[item as usize]..starts[item as usize + 1]];
            list(a).iter().map(Reverse).cmp(list(b).iter().map(Reverse))
        }
    };
    let threads = setup.threads;
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| sort_side::sparse(&starts, &positions, bits)),
        peers: vec![match compared {
            Form::Limbs => Peer::exact("sort_unstable, limbs", by_limbs(integers, threads)),
            Form::Positions => Peer::exact(
                "sort_unstable, positions",
                by_comparison(n, threads, compare_lists),
            ),
        }],
    }
}

fn dense(setup: Setup, n: usize, limbs: usize) -> Entrants {
    let mut sample = Sample::new(limbs as u64);
    let integers: Vec<Vec<u64>> = (0..n).map(|_| sample.limbs(limbs)).collect();
    Entrants {
        sunzi: setup.with_sunzi.then(|| sort_side::dense(integers.clone())),
        peers: vec![Peer::exact(
            "sort_unstable, limbs",
            by_limbs(integers, setup.threads),
        )],
    }
}

/// The order of integers of as many limbs each, compared from the top limb on.
fn by_limbs(integers: Vec<Vec<u64>>, threads: usize) -> Box<dyn Contender> {
    by_comparison(integers.len(), threads, move |&a, &b| {
        let (a, b) = (&integers[a as usize], &integers[b as usize]);
        a.iter().rev().cmp(b.iter().rev())
    })
}

/// The order of `n` items by comparison: their numbers, sorted by the standard library, or by rayon on
/// several threads.
fn by_comparison(
    n: usize,
    threads: usize,
    compare: impl Fn(&u32, &u32) -> Ordering + Send + Sync + 'static,
) -> Box<dyn Contender> {
    contender(
        Vec::new(),
        move |order: &mut Vec<u32>| {
            order.clear();
            order.extend(0..n as u32);
            if threads > 1 {
                order.par_sort_unstable_by(&compare);
            } else {
                order.sort_unstable_by(&compare);
            }
        },
        |order| order.iter().map(|&item| u64::from(item)).collect(),
    )
}
