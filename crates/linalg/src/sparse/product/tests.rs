use sunzi_field::simd::InstructionSet;
use sunzi_field::{Fp32, Fp64};
use sunzi_testkit::{Random, edge_residues};

use super::kernel::Kernel;
use super::modular::ModularProduct;
use super::real::Doubles;
use super::run::Along;
use crate::sparse::CsrMatrix;

/// Lines of 0 to 40 entries and one of 1000: whole blocks of 8, and every number of entries after them.
fn lines<E: Copy>(mut entry: impl FnMut() -> E) -> CsrMatrix<E> {
    let lens = (0..41).chain([1000]);
    let places = lens.enumerate().flat_map(|(row, len)| {
        let columns = (0..len).map(move |place| (place * 7 + row as u32) % 1009);
        columns.map(move |column| (row as u32, column))
    });
    let triplets: Vec<_> = places.map(|(row, column)| (row, column, entry())).collect();
    CsrMatrix::from_triplets_with(42, 1009, &triplets, |_, _| {
        unreachable!("7 and 1009 are coprime")
    })
    .unwrap()
}

/// The product on each instruction set, as `bits` of its elements.
fn check<E, K>(kernel: &K, bits: impl Fn(E) -> u64, mut entry: impl FnMut() -> E)
where
    E: Copy + Send + Sync,
    K: Kernel<E>,
{
    let matrix = lines(&mut entry);
    let x: Vec<E> = (0..matrix.columns()).map(|_| entry()).collect();
    let product = |set: InstructionSet| {
        let mut y = vec![kernel.zero(); matrix.rows()];
        let done = set.run(Along {
            kernel,
            matrix: &matrix.lines,
            x: &x,
            first: 0,
            y: &mut y,
        });
        done.map(|()| y.into_iter().map(&bits).collect::<Vec<_>>())
    };
    let portable = product(InstructionSet::Portable).expect("every machine has words");
    for set in InstructionSet::ALL {
        match product(set) {
            Some(found) => assert_eq!(found, portable, "{set:?}"),
            None => sunzi_testkit::skip(&format!("this machine lacks {set:?}")),
        }
    }
}

#[test]
fn doubles_on_every_instruction_set() {
    let mut random = Random::new(11);
    // Magnitudes far apart, so that another order of additions or a fused product would show.
    let mut entry = || random.word() as i64 as f64 * 2f64.powi(random.below(80) as i32 - 100);
    check(&Doubles, f64::to_bits, &mut entry);
    check(&Doubles, f64::to_bits, || -0.0);
    check(&Doubles, f64::to_bits, || f64::MIN_POSITIVE / 8.0);
}

#[test]
fn residues_on_every_instruction_set() {
    let mut random = Random::new(12);
    for prime in [3, 469_762_049, 2_147_483_647] {
        let edges = edge_residues(prime);
        let kernel = Fp32::new(prime as u32).unwrap();
        let kernel = kernel.kernel();
        check(&kernel, u64::from, || prime as u32 - 1);
        check(&kernel, u64::from, || match random.below(2) {
            0 => edges[random.below(edges.len() as u64) as usize] as u32,
            _ => random.below(prime) as u32,
        });
    }
    for prime in [3, (1 << 60) - (1 << 18) + 1, (1 << 63) - 25] {
        let edges = edge_residues(prime);
        let kernel = Fp64::new(prime).unwrap();
        let kernel = kernel.kernel();
        check(&kernel, |x| x, || prime - 1);
        check(
            &kernel,
            |x| x,
            || match random.below(2) {
                0 => edges[random.below(edges.len() as u64) as usize],
                _ => random.below(prime),
            },
        );
    }
}
