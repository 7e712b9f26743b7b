//! Several primes at a time, on every instruction set.

use sunzi_field::WordModulus;
use sunzi_machine::InstructionSet;
use sunzi_machine::simd::{Simd, SimdTask};
use sunzi_rns::{MOST_LANES, PrimeLanes};

const PRIMES: [u64; MOST_LANES] = [
    1_125_899_906_842_597,
    3,
    469_762_049,
    2_147_483_647,
    1_125_899_906_842_589,
    4_294_967_291,
    562_949_953_421_231,
    17,
];

/// Residues, lazy ones too, below what.
fn factors(prime: u64, below: u64) -> Vec<u64> {
    let edges = [
        0,
        1,
        2,
        prime - 1,
        prime,
        2 * prime - 1,
        4 * prime - 1,
        prime / 2,
    ];
    edges.into_iter().filter(|&x| x < below * prime).collect()
}

/// The sum of three products of these, over 2^52, and both other operations on canonical ones.
struct Operations([[u64; MOST_LANES]; 2]);

impl<S: Simd> SimdTask<S> for Operations {
    type Output = Vec<[u64; 4]>;

    #[inline(always)]
    fn run(self, simd: S) -> Vec<[u64; 4]> {
        let mut found = Vec::new();
        for start in (0..MOST_LANES).step_by(S::LANES) {
            let lanes = PrimeLanes::new(simd, &PRIMES[start..start + S::LANES]);
            let [a, b] = [&self.0[0], &self.0[1]].map(|row| simd.load(&row[start..]));
            let mut sum = lanes.sum();
            for _ in 0..3 {
                sum = lanes.add_product(sum, a, b);
            }
            let a = lanes.canonical(a);
            let all = [
                lanes.canonical(lanes.reduce(sum)),
                lanes.add(a, b),
                lanes.sub(a, b),
                lanes.product(lanes.inverse(a), a),
            ]
            .map(|vector| lanes.words(vector));
            found.extend((0..S::LANES).map(|lane| all.map(|words| words[lane])));
        }
        found
    }
}

#[test]
fn every_instruction_set_computes_the_same() {
    let lists = PRIMES.map(|prime| (factors(prime, 4), factors(prime, 1)));
    for i in 0..8 {
        for j in 0..8 {
            let rows = [
                std::array::from_fn(|lane| lists[lane].0[i % lists[lane].0.len()]),
                std::array::from_fn(|lane| lists[lane].1[j % lists[lane].1.len()]),
            ];
            let expected: Vec<[u64; 4]> = (0..MOST_LANES)
                .map(|lane| {
                    let ring = WordModulus::new(PRIMES[lane]);
                    let radix = ring.reduce(1 << 52);
                    let (a, b) = (ring.reduce(rows[0][lane]), rows[1][lane]);
                    let product = ring.mul(ring.mul(a, b), ring.reduce(3));
                    let scale = ring.inv(radix).unwrap();
                    let one = if a == 0 { 0 } else { radix };
                    [
                        ring.mul(product, scale),
                        ring.add(a, b),
                        ring.sub(a, b),
                        one,
                    ]
                })
                .collect();
            for set in InstructionSet::ALL {
                match set.run(Operations(rows)) {
                    Some(found) => assert_eq!(found, expected, "{set}: {rows:?}"),
                    None => sunzi_testkit::skip(&format!("this machine lacks {set}")),
                }
            }
        }
    }
}
