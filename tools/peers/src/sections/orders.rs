//! Orderings of rows and columns of sparse matrices: their times, and the misses on x that they leave to a product.

use std::sync::Arc;

use sunzi_measure::{CACHE_WORDS, GALLERY};
use sunzi_sparse::{
    CsrMatrix,
    reorder::{AutoOrdering, GrayOrdering, auto_ordering, gray_ordering},
    test_matrices::{TestMatrix, shuffled},
};

use crate::contender::{Agreement, Case, Entrants, Group, Peer, Setup};
use crate::order_side::{Find, Orders, Subject, cache, contender};
use crate::programs::{SciPy, peer};

const GROUP: Group = Group {
    name: "reverse Cuthill-McKee orderings of rows and columns",
    goal: None,
};

const SEED: u64 = 1;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // Each as it is, and with rows and columns in random orders.
    for name in GALLERY {
        for permuted in [false, true] {
            cases.push(Case {
                section: "orders",
                group: GROUP,
                name: match permuted {
                    true => format!("{name}, permuted"),
                    false => name.to_owned(),
                },
                size: 0,
                build: Box::new(move |setup| entrants(setup, name, permuted)),
            });
        }
    }
    cases
}

fn entrants(setup: Setup, name: &str, permuted: bool) -> Entrants {
    let test_matrix = name.parse::<TestMatrix>().expect("a test matrix");
    let mut matrix = test_matrix
        .generate(SEED)
        .expect("a matrix that fits the memory");
    if permuted {
        matrix = shuffled(&matrix, SEED).0;
    }
    let subject = Arc::new(Subject::new(matrix));
    let mut peers: Vec<Peer> = peer(SciPy::new(&subject))
        .into_iter()
        .map(|found| Peer {
            // That it is an order was seen, and there are others as good.
            agreement: Agreement::CheckedBefore,
            ..found
        })
        .collect();
    if setup.with_sunzi {
        peers.extend(OTHERS.map(|(name, find)| Peer {
            name,
            agreement: Agreement::Reference,
            contender: contender(&subject, find),
        }));
    }
    Entrants {
        sunzi: setup
            .with_sunzi
            .then(|| contender(&subject, CsrMatrix::bipartite_cuthill_mckee)),
        peers,
    }
}

/// Sunzi's other orders.
const OTHERS: [(&str, Find); 5] = [
    ("Sunzi, gray", |matrix| {
        let found = gray_ordering(matrix, &GrayOrdering::default()).expect("default parameters");
        (found.rows, found.columns)
    }),
    ("Sunzi, rcm", CsrMatrix::reverse_cuthill_mckee),
    ("Sunzi, bordered", CsrMatrix::bordered_cuthill_mckee),
    ("Sunzi, auto for 256 words", |matrix| {
        auto(matrix, CACHE_WORDS[0])
    }),
    ("Sunzi, auto for 4096 words", |matrix| {
        auto(matrix, CACHE_WORDS[1])
    }),
];

fn auto(matrix: &CsrMatrix<f64>, words: usize) -> Orders {
    let found = auto_ordering(matrix, &AutoOrdering::new(cache(words))).expect("a small cache");
    (found.rows, found.columns)
}
