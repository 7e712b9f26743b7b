//! Products on every instruction set, cut in all ways.

use rug::Integer;
use sunzi_field::{Fp32, Fp64};
use sunzi_machine::simd::InstructionSet;
use sunzi_sparse::CsrMatrix;
use sunzi_sparse::internals::{
    self, Along, Arithmetic, Doubles, Modular32, Modular64, across_in_parts, along_from, dot,
};
use sunzi_testkit::{Random, edge_residues, lengths_around, on_every_thread_count};

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
fn check<E, A>(arithmetic: &A, bits: impl Fn(E) -> u64, mut entry: impl FnMut() -> E)
where
    E: Copy + Send + Sync,
    A: Arithmetic<E>,
{
    let matrix = lines(&mut entry);
    let x: Vec<E> = (0..matrix.columns()).map(|_| entry()).collect();
    let product = |set: InstructionSet| {
        let mut y = vec![arithmetic.zero(); matrix.rows()];
        let done = set.run(Along {
            arithmetic,
            matrix: internals::lines(&matrix),
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
        let field = Fp32::new(prime as u32).unwrap();
        let arithmetic = Modular32::new(&field);
        check(&arithmetic, u64::from, || prime as u32 - 1);
        check(&arithmetic, u64::from, || match random.below(2) {
            0 => edges[random.below(edges.len() as u64) as usize] as u32,
            _ => random.below(prime) as u32,
        });
    }
    for prime in [3, (1 << 60) - (1 << 18) + 1, (1 << 63) - 25] {
        let edges = edge_residues(prime);
        let field = Fp64::new(prime).unwrap();
        let arithmetic = Modular64(&field);
        check(&arithmetic, |x| x, || prime - 1);
        check(
            &arithmetic,
            |x| x,
            || match random.below(2) {
                0 => edges[random.below(edges.len() as u64) as usize],
                _ => random.below(prime),
            },
        );
    }
}

/// Numbers of entries of lines, of which there may be none, one or many; long lines span several parts, empty ones
/// stand where parts are cut.
fn lens() -> Vec<Vec<usize>> {
    let mut lens = vec![
        vec![],
        vec![0],
        vec![5],
        vec![0; 9],
        vec![1; 33],
        vec![40, 0, 0, 0, 0],
        vec![0, 0, 0, 0, 40],
        vec![3, 0, 40, 0, 0, 1, 0, 2],
        vec![0, 8, 0, 8, 0, 8, 0, 8, 0],
        (0..24).collect(),
        (0..24).rev().collect(),
    ];
    lens.push(
        (0..40)
            .map(|line| if line % 7 == 3 { 16 } else { 0 })
            .collect(),
    );
    lens
}

/// Both products by the definition, in parts of every number and with every grain, on every number of threads.
fn check_cuts<E, A>(arithmetic: &A, entry: impl Fn(usize) -> E, expected: impl Fn(&[(E, E)]) -> E)
where
    E: Copy + PartialEq + std::fmt::Debug + Send + Sync,
    A: Arithmetic<E>,
{
    const WIDTH: usize = 41;
    for lens in lens() {
        let places = lens.iter().enumerate().flat_map(|(row, &len)| {
            (0..len).map(move |place| (row as u32, ((place * 7 + row) % WIDTH) as u32))
        });
        let triplets: Vec<_> = places
            .enumerate()
            .map(|(i, (row, column))| (row, column, entry(i)))
            .collect();
        let matrix = CsrMatrix::from_triplets_with(lens.len(), WIDTH, &triplets, |_, _| {
            unreachable!("7 and 41 are coprime")
        })
        .unwrap();
        let x: Vec<E> = (0..WIDTH).map(|i| entry(3 * i + 1)).collect();
        let from_left: Vec<E> = (0..lens.len()).map(|i| entry(5 * i + 2)).collect();
        let of_line = |line: usize| -> Vec<(E, E)> {
            let entries = triplets.iter().filter(|entry| entry.0 as usize == line);
            entries
                .map(|&(_, column, value)| (value, x[column as usize]))
                .collect()
        };
        let of_column = |wanted: usize| -> Vec<(E, E)> {
            let entries = triplets.iter().filter(|entry| entry.1 as usize == wanted);
            entries
                .map(|&(row, _, value)| (value, from_left[row as usize]))
                .collect()
        };
        let along: Vec<E> = (0..lens.len())
            .map(|line| expected(&of_line(line)))
            .collect();
        let across: Vec<E> = (0..WIDTH)
            .map(|column| expected(&of_column(column)))
            .collect();
        on_every_thread_count(|threads| {
            for grain in [1, 2, 3, 10, 50] {
                let mut y = vec![x[0]; lens.len()];
                along_from(arithmetic, internals::lines(&matrix), &x, 0, &mut y, grain);
                assert_eq!(y, along, "{lens:?}, {grain}, {threads} threads");
            }
            for parts in 1..=20 {
                let mut y = vec![x[0]; WIDTH];
                across_in_parts(
                    arithmetic,
                    internals::lines(&matrix),
                    &from_left,
                    &mut y,
                    parts,
                );
                assert_eq!(y, across, "{lens:?}, {parts} parts, {threads} threads");
            }
        });
    }
}

#[test]
fn every_cut_on_every_number_of_threads() {
    for prime in [3, (1 << 60) - (1 << 18) + 1, (1 << 63) - 25] {
        let field = Fp64::new(prime).unwrap();
        let edges = edge_residues(prime);
        let sum = |pairs: &[(u64, u64)]| {
            let products = pairs.iter().map(|&(a, b)| Integer::from(a) * b);
            (products.sum::<Integer>() % prime).to_u64().unwrap()
        };
        check_cuts(&Modular64(&field), |i| edges[i * i % edges.len()], sum);
    }
    let prime = 2_147_483_647;
    let field = Fp32::new(prime).unwrap();
    let sum = |pairs: &[(u32, u32)]| {
        let products = pairs.iter().map(|&(a, b)| Integer::from(a) * b);
        (products.sum::<Integer>() % prime).to_u32().unwrap()
    };
    check_cuts(&Modular32::new(&field), |i| prime - 1 - (i % 3) as u32, sum);
    // Integers so small that every order of additions is exact.
    let sum = |pairs: &[(f64, f64)]| pairs.iter().fold(0.0, |sum, (a, b)| sum + a * b);
    check_cuts(&Doubles, |i| (i * 7919 % 2001) as f64 - 1000.0, sum);
}

#[test]
fn dot_products_are_the_same_sums_on_every_number_of_threads() {
    let mut lengths = vec![0, 1, 7, 8, 9];
    lengths.extend(
        [1 << 13, 1 << 14, 3 << 13]
            .into_iter()
            .flat_map(lengths_around),
    );
    let mut random = Random::new(3);
    for len in lengths {
        let mut vector = || -> Vec<f64> {
            (0..len)
                .map(|_| (random.word() >> 40) as f64 - 2f64.powi(23))
                .collect()
        };
        // Products below 2^46: at most this many additions are rounded, of sums below 2^61.
        let (a, b) = (vector(), vector());
        let exact: Integer = a
            .iter()
            .zip(&b)
            .map(|(&a, &b)| Integer::from(a as i64) * (b as i64))
            .sum();
        let found: Vec<u64> = [1, 2, 3, 7, 16]
            .map(|threads| sunzi_testkit::on_threads(threads, || dot(&a, &b)).to_bits())
            .to_vec();
        assert!(
            found.iter().all(|&bits| bits == found[0]),
            "{len}: {found:?}"
        );
        // A sum of integers, rounded or not, is one.
        let error = Integer::from_f64(f64::from_bits(found[0])).unwrap() - exact;
        assert!(
            error.to_f64().abs() <= 2f64.powi(-53 + 46) * len as f64,
            "{len}"
        );
    }
}
