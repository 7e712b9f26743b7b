//! Cyclic transforms, natural order in and any order out, against Plonky3.
//!
//! BabyBear is 15 · 2^27 + 1, a prime that Sunzi's 31-bit field runs too. Goldilocks is 2^64 - 2^32 + 1,
//! above what Sunzi's 64-bit field takes: its times stand beside Sunzi's on a 62-bit prime, for reference.

use p3_baby_bear::BabyBear;
use p3_dft::{Radix2DFTSmallBatch, Radix2DitParallel, TwoAdicSubgroupDft};
use p3_field::{PrimeField64, TwoAdicField};
use p3_goldilocks::Goldilocks;
use p3_matrix::bitrev::{BitReversedMatrixView, BitReversibleMatrix};
use p3_matrix::dense::RowMajorMatrix;

use crate::contender::{Agreement, Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::options::Options;
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
        peers: vec![
            Peer {
                name: "Plonky3 Radix2DitParallel",
                agreement: Agreement::AnyOrder,
                contender: transform(Radix2DitParallel::<BabyBear>::default(), &input, columns),
            },
            Peer {
                name: "Plonky3 Radix2DFTSmallBatch",
                agreement: Agreement::AnyOrder,
                contender: transform(
                    Radix2DFTSmallBatch::<BabyBear>::new(length),
                    &input,
                    columns,
                ),
            },
            Peer {
                name: "Plonky3 RecursiveDft",
                agreement: Agreement::AnyOrder,
                contender: transform(
                    p3_monty_31::dft::RecursiveDft::<BabyBear>::new(length),
                    &input,
                    columns,
                ),
            },
        ],
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
        peers: vec![
            Peer {
                name: "Plonky3 Radix2DitParallel",
                agreement: Agreement::Reference,
                contender: transform(Radix2DitParallel::<Goldilocks>::default(), &input, columns),
            },
            Peer {
                name: "Plonky3 Radix2DFTSmallBatch",
                agreement: Agreement::Reference,
                contender: transform(
                    Radix2DFTSmallBatch::<Goldilocks>::new(length),
                    &input,
                    columns,
                ),
            },
        ],
    }
}

/// What a transform gives back, as the plain matrix inside it: no work is done, so that the peer's time holds
/// nothing but the transform. Rows may be in bit-reversed order.
trait GiveBack<F> {
    fn give_back(self) -> RowMajorMatrix<F>;
}

impl<F> GiveBack<F> for RowMajorMatrix<F> {
    fn give_back(self) -> RowMajorMatrix<F> {
        self
    }
}

impl<F: Clone + Send + Sync> GiveBack<F> for BitReversedMatrixView<RowMajorMatrix<F>> {
    fn give_back(self) -> RowMajorMatrix<F> {
        self.bit_reverse_rows()
    }
}

/// A Plonky3 transform of the columns of a matrix; it takes the matrix and gives one back, so that the same
/// buffer goes round.
fn transform<F, D>(dft: D, input: &[u64], columns: usize) -> Box<dyn Contender>
where
    F: PrimeField64 + TwoAdicField,
    D: TwoAdicSubgroupDft<F> + Send + 'static,
    D::Evaluations: GiveBack<F>,
{
    // Sunzi's vectors lie one after the other; Plonky3's are columns.
    let length = input.len() / columns;
    let values: Vec<F> = (0..input.len())
        .map(|index| F::from_u64(input[(index % columns) * length + index / columns]))
        .collect();
    contender(
        Some(RowMajorMatrix::new(values, columns)),
        move |slot| {
            let matrix = slot.take().expect("the last run gave a matrix back");
            *slot = Some(dft.dft_batch(matrix).give_back());
        },
        |slot| {
            let matrix = slot.as_ref().expect("the last run gave a matrix back");
            matrix
                .values
                .iter()
                .map(PrimeField64::as_canonical_u64)
                .collect()
        },
    )
}
